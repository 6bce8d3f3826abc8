"""DATE_FORMAT and STR_TO_DATE, whose formats the parser has converted; names of days and months; weeks."""

import re
from collections.abc import Iterator

from sqlglot import exp
from sqlglot.dialects.mysql import MySQL

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.duck.build import call, cast, each, literal, marked, number
from tablerag.tools.sql.dialect.duck.dates import named
from tablerag.tools.sql.dialect.duck.kinds import Kind
from tablerag.tools.sql.dialect.duck.values import as_date, as_moment, as_real, as_text

__all__ = ["date_texts", "parsed_dates", "weeks"]

LONGEST_FORMAT = 200
MARK = re.compile(r"%-?.", re.DOTALL)
CODES = {mark: f"%{mark}" for mark in "aYymdHpjwfb"} | {"e": "%-d", "c": "%-m", "k": "%-H", "l": "%-I", "h": "%I"}
CODES |= {"I": "%I", "i": "%M", "s": "%S", "S": "%S", "W": "%A", "M": "%B", "T": "%H:%M:%S", "r": "%I:%M:%S %p"}
CODES |= {"v": "%V", "x": "%G", "U": "%U", "%": "%%"}
"""Codes of MySQL with the same result in DuckDB's strftime."""
MACROS = {"D": "m_ordinal", "u": "m_week_text_1", "V": "m_week_text_2", "X": "m_week_year_2"}
DIGITS = {"Y": 4, "j": 3, "f": 6} | dict.fromkeys("ymcdDeHkhlIisS", 2)
NAMES = {"M": "month", "b": "month", "W": "day", "a": "day"}
WORDS = {"month": "january|february|march|april|may|june|july|august|september|october|november|december"}
WORDS |= {"day": "monday|tuesday|wednesday|thursday|friday|saturday|sunday"}
SHORTHANDS = {"T": "%H:%i:%S", "r": "%I:%i:%S %p"}
SAME = {"c": "m", "e": "d", "D": "d", "k": "H", "l": "h", "I": "h", "S": "s", "b": "M", "a": "W"}
"""Codes that are read as the same part of a date."""
TIMED = frozenset("HhispfTr")
CLOCK = ("hour", "minute", "second", "microsecond")
MOST_MODE = 7


def date_texts(node: exp.Expr) -> exp.Expr:
    """DATE_FORMAT, DAYNAME, MONTHNAME, and FROM_UNIXTIME with a format."""
    if isinstance(node, exp.TimeToStr):
        return _formatted(as_moment(node.this), _mysql_format(node.args["format"]))
    if isinstance(node, exp.UnixToTime) and node.args.get("format") is not None:
        moment = call("m_from_unix", as_real(node.this), like="datetime")
        return _formatted(moment, _mysql_format(node.args["format"]))
    if isinstance(node, exp.Dayname) or named(node, "DAYNAME"):
        return call("dayname", as_moment(_first(node)), like="text")
    if isinstance(node, exp.Monthname) or named(node, "MONTHNAME"):
        return call("monthname", as_moment(_first(node)), like="text")
    return node


def _first(node: exp.Expr) -> exp.Expr:
    return node.expressions[0] if isinstance(node, exp.Anonymous) else node.this


def _mysql_format(pattern: exp.Expr) -> str:
    """Return the format as it was written."""
    if not (isinstance(pattern, exp.Literal) and pattern.is_string):
        raise SqlRejected("formats of dates must be written in the statement: DATE_FORMAT(d, '%Y-%m')")
    if len(pattern.this) > LONGEST_FORMAT:
        raise SqlRejected(f"date format too long: {len(pattern.this):,} characters, at most {LONGEST_FORMAT:,}")
    return MARK.sub(lambda found: MySQL.INVERSE_TIME_MAPPING.get(found.group(), found.group()), pattern.this)


def _formatted(moment: exp.Expr, pattern: str) -> exp.Expr:
    pieces = list(_pieces(pattern))
    if len(pieces) == 1 and pieces[0][0] == "strftime":
        return call("strftime", moment, literal(pieces[0][1]), like="text")
    made = [call(name, exp.column("v"), literal(codes) if codes else None, like="text") for name, codes in pieces]
    joined = made[0] if made else literal("")
    for piece in made[1:]:
        joined = exp.DPipe(this=joined, expression=piece, safe=False)
    if not pieces:
        return call("m_empty", moment, like="text")
    return each(moment, marked(joined, "text"))


def _pieces(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield calls that together write a format: strftime with codes, and macros for what it lacks."""
    codes = ""
    pieces: list[str] = re.findall(r"%.|[^%]+|%", pattern, re.DOTALL)
    for piece in pieces:
        mark = piece[1:] if piece[0] == "%" else ""
        if mark in MACROS:
            if codes:
                yield "strftime", codes
            yield MACROS[mark], ""
            codes = ""
        else:
            codes += CODES.get(mark, mark.replace("%", "%%")) if mark else piece.replace("%", "%%")
    if codes:
        yield "strftime", codes


def weeks(node: exp.Expr) -> exp.Expr:
    """WEEK, WEEKOFYEAR and YEARWEEK with all of MySQL's modes."""
    if isinstance(node, exp.WeekOfYear) or named(node, "WEEKOFYEAR"):
        return _week("m_week_of_year", _first(node), 3)
    if isinstance(node, exp.Week):
        return _of_mode(node.this, node.args.get("mode"), own=True)
    if named(node, "WEEK", "YEARWEEK"):
        value, *mode = node.expressions
        return _of_mode(value, mode[0] if mode else None, own=node.name.upper() == "WEEK")
    return node


def _of_mode(value: exp.Expr, written: exp.Expr | None, *, own: bool) -> exp.Expr:
    if written is not None and not (isinstance(written, exp.Literal) and written.is_int):
        raise SqlRejected("the mode of WEEK and YEARWEEK must be a number from 0 to 7 written in the statement")
    mode = int(written.this) & MOST_MODE if written is not None else 0
    with_year = bool(mode & 2)
    return _week(("m_week_of_year" if with_year else "m_week") if own else "m_yearweek", value, mode)


def _week(name: str, value: exp.Expr, mode: int) -> exp.Expr:
    """Call a macro with the week's first day (1 is Monday) and the day, from 0, whose year is the week's."""
    monday = mode & 1
    whole = bool(mode & 4) if not monday else not mode & 4
    return call(name, as_date(value), number(monday), number(3 if whole else 0), like="integer")


def parsed_dates(node: exp.Expr) -> exp.Expr:
    """STR_TO_DATE by a regular expression that is made of its format; text after the format is ignored."""
    if not isinstance(node, (exp.StrToDate, exp.StrToTime)):
        return node
    pattern = _mysql_format(node.args["format"])
    for mark, meant in SHORTHANDS.items():
        pattern = pattern.replace(f"%{mark}", meant)
    sought, marks = _sought(pattern)
    like = _kind_of(marks)
    if not marks or not (like == "time" or _dated(marks)):
        # MySQL would return a date with zeros in it.
        return cast(exp.Null(), {"time": "VARCHAR", "datetime": "TIMESTAMP"}.get(like, "DATE"), like)
    names = call("list_value", *map(literal, marks), like=None)
    groups = call("regexp_extract", as_text(node.this), literal(sought), names, literal("i"), like=None)
    given = [_read(part, marks) for part in ("year", "month", "day", "yearday", *CLOCK)]
    macro = {"date": "m_date_of", "datetime": "m_datetime_of", "time": "m_time_of"}[like]
    given = {"date": given[:4], "datetime": given, "time": given[4:]}[like]
    return each(groups, call(macro, *given, like=like))


def _sought(pattern: str) -> tuple[str, list[str]]:
    marks: list[str] = []
    made = "(?s)^"
    for piece in re.findall(r"%.|\s+|[^%\s]+|%", pattern, re.DOTALL):
        mark = piece[1:] if piece[0] == "%" else ""
        known = SAME.get(mark, mark)
        if not mark or mark == "%":
            made += r"\s*" if piece.isspace() else re.escape(piece[-1:] if mark else piece)
            continue
        if known in marks or (mark not in DIGITS and mark not in NAMES and mark != "p"):
            raise SqlRejected(f"STR_TO_DATE cannot read %{mark[:5]} here: use %Y, %m, %d, %H, %i and %s once each")
        marks.append(known)
        if mark in DIGITS:
            made += rf"\s*(\d{{1,{DIGITS[mark]}}})" + (r"\w\w" if mark == "D" else "")
        elif mark == "p":
            made += r"\s*(am|pm)"
        else:
            words = WORDS[NAMES[mark]].split("|")
            made += rf"\s*({'|'.join(f'{w}|{w[:3]}' for w in words)})"
    return made, marks


def _dated(marks: list[str]) -> bool:
    year = bool({"Y", "y"} & set(marks))
    return year and ("j" in marks or (bool({"m", "M"} & set(marks)) and "d" in marks))


def _kind_of(marks: list[str]) -> Kind:
    dated = set(marks) - TIMED
    return "date" if not set(marks) & TIMED else "datetime" if dated else "time"


def _read(part: str, marks: list[str]) -> exp.Expr:
    """Return a part of a date from the groups of the regular expression; NULL if the format lacks it."""
    readers = {
        "year": {"Y": "m_read_year", "y": "m_read_year"},
        "month": {"m": "m_read", "M": "m_read_month"},
        "day": {"d": "m_read"},
        "yearday": {"j": "m_read"},
        "hour": {"H": "m_read", "h": "m_read_half"},
        "minute": {"i": "m_read"},
        "second": {"s": "m_read"},
        "microsecond": {"f": "m_read_fraction"},
    }
    for mark, reader in readers[part].items():
        if mark in marks:
            found = call("struct_extract", exp.column("v"), literal(mark), like="text")
            if mark != "h":
                return call(reader, found, like="integer")
            half = call("struct_extract", exp.column("v"), literal("p"), like="text") if "p" in marks else literal("am")
            return call(reader, found, half, like="integer")
    return number(0) if part in CLOCK else exp.Null()
