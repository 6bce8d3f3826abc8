"""DATE_FORMAT and STR_TO_DATE, whose formats the parser has converted; names of days and months; weeks."""

import re

from sqlglot import exp
from sqlglot.dialects.mysql import MySQL

from tablerag.tools.sql.dialect.lite.typed import MOMENTS, Kind, call, kind, literal, number

__all__ = ["date_texts", "weeks"]

ISO_LENGTHS = {"%Y": 4, "%Y-%m": 7, "%Y-%m-%d": 10}
"""Formats whose result is the beginning of a stored date."""
ALIKE = {"%Y": "%Y", "%m": "%m", "%d": "%d", "%H": "%H", "%i": "%M", "%s": "%S", "%S": "%S", "%j": "%j", "%w": "%w"}
"""Codes with the same result in SQLite's strftime."""
MARK = re.compile(r"%-?.", re.DOTALL)
TIMED = frozenset("HhIiklprSsTf")


def date_texts(node: exp.Expr) -> exp.Expr:
    """DATE_FORMAT, DAYNAME, MONTHNAME, STR_TO_DATE."""
    if isinstance(node, exp.TimeToStr):
        return _formatted(node.this, _mysql_format(node.args["format"]))
    if isinstance(node, (exp.StrToDate, exp.StrToTime)):
        pattern = _mysql_format(node.args["format"])
        return call("m_str_to_date", node.this, pattern, like=_kind_of(pattern))
    if isinstance(node, exp.Dayname):
        return _formatted(node.this, literal("%W"))
    if isinstance(node, exp.Monthname):
        return _formatted(node.this, literal("%M"))
    return node


def _mysql_format(pattern: exp.Expr) -> exp.Expr:
    if not (isinstance(pattern, exp.Literal) and pattern.is_string):
        return pattern
    return literal(MARK.sub(lambda found: MySQL.INVERSE_TIME_MAPPING.get(found.group(), found.group()), pattern.this))


def _formatted(value: exp.Expr, pattern: exp.Expr) -> exp.Expr:
    if kind(value) in MOMENTS and isinstance(pattern, exp.Literal):
        if pattern.this in ISO_LENGTHS:
            return call("SUBSTR", value, number(1), number(ISO_LENGTHS[pattern.this]), like="text")
        native = _native(pattern.this)
        if native is not None:
            return call("STRFTIME", literal(native), value, like="text")
    return call("m_date_format", value, pattern, like="text")


def _native(pattern: str) -> str | None:
    """Return a format in SQLite's codes; None if SQLite lacks a code."""
    pieces: list[str] = re.findall(r"%.|[^%]+|%", pattern, re.DOTALL)
    known = all(p in ALIKE for p in pieces if p[0] == "%")
    return "".join(ALIKE.get(p, p) for p in pieces) if known else None


def _kind_of(pattern: exp.Expr) -> Kind:
    if not isinstance(pattern, exp.Literal):
        return "datetime"
    marks = set(pattern.this.split("%", 1)[-1]) if "%" in pattern.this else set()
    marks = {after[0] for after in pattern.this.split("%")[1:] if after} & (marks | TIMED)
    dated = marks - TIMED
    return "datetime" if dated and marks & TIMED else "time" if marks & TIMED else "date"


def weeks(node: exp.Expr) -> exp.Expr:
    """WEEK, WEEKOFYEAR and YEARWEEK with all of MySQL's modes."""
    if isinstance(node, exp.WeekOfYear):
        return call("m_week", node.this, number(3), like="integer")
    if isinstance(node, exp.Week):
        return call("m_week", node.this, node.args.get("mode") or number(0), like="integer")
    if isinstance(node, exp.Anonymous) and node.name.upper() in ("WEEK", "YEARWEEK"):
        value, *mode = node.expressions
        name = f"m_{node.name.lower()}"
        return call(name, value, mode[0] if mode else number(0), like="integer")
    return node
