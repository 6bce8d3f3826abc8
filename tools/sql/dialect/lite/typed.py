"""The kind of value of an expression, and functions with which rules build expressions."""

import re
from typing import Literal, NamedTuple

from sqlglot import exp

__all__ = [
    "FRACTIONS",
    "MOMENTS",
    "NUMBERS",
    "Kind",
    "call",
    "called",
    "copied",
    "kind",
    "literal",
    "number",
    "real",
    "scale",
]

Kind = Literal["integer", "decimal", "double", "text", "date", "datetime", "time"]


class Called(NamedTuple):
    """A function that is called instead of one of MySQL's, and the kind of its result."""

    call: str
    kind: Kind


CALLS = {
    "Left": Called("m_left", "text"),
    "Right": Called("m_right", "text"),
    "Lower": Called("m_lower", "text"),
    "Upper": Called("m_upper", "text"),
    "SubstringIndex": Called("m_substring_index", "text"),
    "Repeat": Called("m_repeat", "text"),
    "Space": Called("m_space", "text"),
    "Reverse": Called("m_reverse", "text"),
    "Stuff": Called("m_insert", "text"),
    "CHARACTER_LENGTH": Called("LENGTH", "integer"),
    "CHAR_LENGTH": Called("LENGTH", "integer"),
    "OCTET_LENGTH": Called("m_bytes", "integer"),
    "LCASE": Called("m_lower", "text"),
    "UCASE": Called("m_upper", "text"),
    "INSTR": Called("m_instr", "integer"),
    "LOCATE": Called("m_locate", "integer"),
    "FIND_IN_SET": Called("m_find_in_set", "integer"),
    "FORMAT": Called("m_format", "text"),
    "REVERSE": Called("m_reverse", "text"),
    "SPACE": Called("m_space", "text"),
}
"""Functions whose arguments are taken as they are, by the parser's class, or by name where it has none."""
MARKED: dict[str, Kind] = {"boolean": "integer", "quotient": "decimal"}
"""Kinds that only DuckDB's rules distinguish."""

_T = exp.DataType.Type
_KINDS: dict[exp.DType, Kind] = {
    **dict.fromkeys((_T.DECIMAL,), "decimal"),
    **dict.fromkeys((_T.DOUBLE, _T.FLOAT), "double"),
    **dict.fromkeys((_T.DATE,), "date"),
    **dict.fromkeys((_T.DATETIME, _T.TIMESTAMP, _T.TIMESTAMPTZ, _T.TIMESTAMPLTZ), "datetime"),
    **dict.fromkeys((_T.TIME,), "time"),
    **dict.fromkeys(exp.DataType.INTEGER_TYPES, "integer"),
    **dict.fromkeys((_T.BOOLEAN, _T.YEAR), "integer"),
    **dict.fromkeys(exp.DataType.TEXT_TYPES, "text"),
}
NUMBERS = frozenset({"integer", "decimal", "double"})
FRACTIONS = frozenset({"decimal", "double"})
MOMENTS = frozenset({"date", "datetime"})

_INTEGERS = "FIELD STRCMP WEEK WEEKDAY YEARWEEK TIME_TO_SEC MICROSECOND PERIOD_ADD PERIOD_DIFF TO_DAYS ISNULL"
_NAMED: dict[str, Kind] = {
    **dict.fromkeys(_INTEGERS.split(), "integer"),
    **{"MAKEDATE": "date", "FROM_DAYS": "date", "CURDATE": "date", "NOW": "datetime", "MID": "text"},
}

_COUNTED = (
    *(exp.Length, exp.StrPosition, exp.RegexpInstr, exp.Ascii, exp.Count, exp.Sign, exp.DateDiff, exp.TimestampDiff),
    *(exp.Year, exp.Month, exp.Day, exp.DayOfMonth, exp.DayOfWeek, exp.DayOfYear, exp.Quarter, exp.Hour, exp.Minute),
    *(exp.Second, exp.Week, exp.WeekOfYear, exp.Extract, exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile),
    *(exp.Predicate, exp.Not, exp.And, exp.Or, exp.Xor, exp.Floor, exp.Ceil, exp.IntDiv, exp.RegexpLike),
)
_WRITTEN = (
    *(exp.Concat, exp.ConcatWs, exp.Substring, exp.Trim, exp.Pad, exp.Replace, exp.RegexpReplace, exp.RegexpSubstr),
    *(exp.TimeToStr, exp.Dayname, exp.Monthname, exp.GroupConcat, exp.NumberToStr),
)
_ALIKE = (exp.Coalesce, exp.Nullif, exp.Max, exp.Min, exp.Greatest, exp.Least, exp.If, exp.Case, exp.Window)
_ALIKE += (exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue, exp.Paren, exp.Neg, exp.AnyValue)


def kind(node: exp.Expr | None) -> Kind | None:
    """Return the kind of value of an expression; None if unknown."""
    if node is None:
        return None
    if marked := node.meta.get("kind"):
        return MARKED.get(marked, marked)
    if isinstance(node, (exp.Paren, exp.Neg, exp.Collate)):
        return kind(node.this)
    if isinstance(node, exp.Literal):
        return "text" if node.is_string else "integer" if node.is_int else "decimal"
    if isinstance(node, _COUNTED):
        return "integer"
    if isinstance(node, _WRITTEN):
        return "text"
    if isinstance(node, exp.Div):
        return "decimal"
    if instead := called(node):
        return instead.kind
    if isinstance(node, exp.Anonymous) and node.name.upper() in _NAMED:
        return _NAMED[node.name.upper()]
    if isinstance(node, (exp.Case, exp.Coalesce, exp.If, exp.Greatest, exp.Least)):
        return _common(_branches(node))
    return _KINDS.get(node.type.this) if node.type is not None else None


def called(node: exp.Expr) -> Called | None:
    """Return what is called instead of a function; None if a rule rewrites it."""
    return CALLS.get(node.name.upper() if isinstance(node, exp.Anonymous) else type(node).__name__)


def _branches(node: exp.Expr) -> list[exp.Expr | None]:
    if isinstance(node, exp.Case):
        return [i.args.get("true") for i in node.args["ifs"]] + [node.args.get("default")]
    if isinstance(node, exp.If):
        return [node.args.get("true"), node.args.get("false")]
    return [node.this, *node.expressions]


def _common(nodes: list[exp.Expr | None]) -> Kind | None:
    kinds: set[Kind | None] = {kind(n) for n in nodes if n is not None and not isinstance(n, exp.Null)}
    if len(kinds) == 1:
        return kinds.pop()
    if kinds <= NUMBERS:
        return "double" if "double" in kinds else "decimal"
    if kinds <= MOMENTS:
        return "datetime"
    return None if None in kinds else "text"


def scale(node: exp.Expr) -> int | None:
    """Return the number of decimals of a number; None if only the database knows."""
    if isinstance(node, exp.Paren):
        return scale(node.this)
    if isinstance(node, exp.Literal) and not node.is_string and re.fullmatch(r"\d*\.\d+", node.this):
        return len(node.this.partition(".")[2])
    return node.meta.get("scale")


def call(name: str, *args: exp.Expr | None, like: Kind | None = None) -> exp.Anonymous:
    """Return a call of a function of SQLite or of this package, with the kind of its result."""
    made = exp.Anonymous(this=name, expressions=[a for a in args if a is not None])
    if like is not None:
        made.type = exp.DataType.build(
            {"integer": "BIGINT", "double": "DOUBLE", "decimal": "DECIMAL", "text": "TEXT"}.get(like, like.upper())
        )
    return made


def copied(node: exp.Expr) -> exp.Expr:
    """Return a copy, in parentheses if it needs them."""
    return exp.paren(node.copy(), copy=False) if isinstance(node, (exp.Binary, exp.Unary)) else node.copy()


def literal(text: str) -> exp.Literal:
    """Return a text literal."""
    return exp.Literal.string(text)


def number(value: int) -> exp.Expr:
    """Return an integer literal."""
    return exp.Literal.number(value)


def real(node: exp.Expr) -> exp.Expr:
    """Return the expression as a number; of a text, the number it begins with, as in MySQL."""
    made = exp.Cast(this=node, to=exp.DataType.build("DOUBLE"))
    made.type = exp.DataType.build("DOUBLE")
    return made
