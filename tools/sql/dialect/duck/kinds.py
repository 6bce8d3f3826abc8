"""The kind of value that an expression has in DuckDB.

A quotient is a DECIMAL on MySQL and a DOUBLE here; a time is a text, as it may be negative or longer than a day.
"""

from collections.abc import Callable, Iterable
from typing import Literal

from sqlglot import exp
from sqlglot.optimizer.scope import traverse_scope

from tablerag.tools.sql.allowed import kind_of_call
from tablerag.tools.sql.dialect.duck.moments import read_moment

__all__ = [
    "FRACTIONS",
    "MOMENTS",
    "NUMBERS",
    "Kind",
    "branches",
    "kind",
    "known_kinds",
    "moment_kind",
    "numeric_kind",
    "selected_kind",
    "shifted",
    "united",
]

Kind = Literal["boolean", "integer", "decimal", "quotient", "double", "text", "date", "datetime", "time"]
_T = exp.DataType.Type
_KINDS: dict[exp.DType, Kind] = {
    **dict.fromkeys((_T.DECIMAL,), "decimal"),
    **dict.fromkeys((_T.DOUBLE, _T.FLOAT), "double"),
    **dict.fromkeys((_T.DATE,), "date"),
    **dict.fromkeys((_T.DATETIME, _T.TIMESTAMP, _T.TIMESTAMPTZ, _T.TIMESTAMPLTZ), "datetime"),
    **dict.fromkeys((_T.TIME,), "time"),
    **dict.fromkeys((*exp.DataType.INTEGER_TYPES, _T.YEAR), "integer"),
    **dict.fromkeys((_T.BOOLEAN,), "boolean"),
    **dict.fromkeys((*exp.DataType.TEXT_TYPES, _T.CHARACTER_SET), "text"),
}
NUMBERS = frozenset({"integer", "decimal", "quotient", "double"})
FRACTIONS = frozenset({"decimal", "quotient", "double"})
MOMENTS = frozenset({"date", "datetime"})
_RANKS: tuple[Kind, ...] = ("integer", "decimal", "quotient", "double")

_INTEGERS = """FIELD STRCMP WEEK WEEKDAY YEARWEEK TIME_TO_SEC MICROSECOND PERIOD_ADD PERIOD_DIFF TO_DAYS QUARTER
DAYOFWEEK DAYOFYEAR WEEKOFYEAR CHAR_LENGTH CHARACTER_LENGTH OCTET_LENGTH INSTR LOCATE POSITION FIND_IN_SET BIT_COUNT
UNIX_TIMESTAMP"""
_TEXTS = """MID SUBSTR ELT LPAD RPAD LTRIM RTRIM LCASE UCASE FORMAT REVERSE SPACE DAYNAME MONTHNAME
SUBSTRING_INDEX HEX CONV BIN OCT"""
_NAMED: dict[str, Kind] = {
    **dict.fromkeys(_INTEGERS.split(), "integer"),
    **dict.fromkeys(_TEXTS.split(), "text"),
    **dict.fromkeys("STD STDDEV VARIANCE VAR_POP VAR_SAMP LOG10 LOG2 POWER".split(), "double"),
    **{"ISNULL": "boolean", "MAKEDATE": "date", "FROM_DAYS": "date", "CURDATE": "date", "NOW": "datetime"},
    **dict.fromkeys(("SEC_TO_TIME", "TIMEDIFF"), "time"),
}
_TRUE = (exp.Predicate, exp.Connector, exp.Not, exp.Xor, exp.Boolean, exp.Escape, exp.RegexpLike, exp.IsNullValue)
_COUNTED = (
    *(exp.Length, exp.StrPosition, exp.RegexpInstr, exp.Ascii, exp.Unicode, exp.Count, exp.Sign, exp.DateDiff),
    *(exp.TimestampDiff, exp.DatetimeDiff, exp.TsOrDsDiff, exp.Year, exp.Month, exp.Day, exp.DayOfMonth, exp.DayOfWeek),
    *(exp.DayOfYear, exp.Quarter, exp.Hour, exp.Minute, exp.Second, exp.Week, exp.WeekOfYear, exp.Extract, exp.ToDays),
    *(exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile, exp.IntDiv, exp.TimeToUnix, exp.BitwiseCount),
    *(exp.BitwiseAndAgg, exp.BitwiseOrAgg, exp.BitwiseXorAgg),
    *(exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseNot, exp.BitwiseLeftShift, exp.BitwiseRightShift),
)
_WRITTEN = (
    *(exp.Concat, exp.ConcatWs, exp.Substring, exp.Trim, exp.Pad, exp.Replace, exp.RegexpReplace, exp.RegexpSubstr),
    *(exp.RegexpExtract, exp.TimeToStr, exp.Dayname, exp.Monthname, exp.GroupConcat, exp.NumberToStr, exp.Chr, exp.Elt),
    *(exp.UnixToStr, exp.Lower, exp.Upper, exp.Left, exp.Right, exp.Repeat, exp.Reverse, exp.Hex, exp.LowerHex),
    exp.JSONArrayAgg,
)
_REAL = (
    *(exp.Stddev, exp.StddevPop, exp.StddevSamp, exp.Variance, exp.VariancePop, exp.Sqrt, exp.Ln, exp.Log, exp.Exp),
    *(exp.Pow, exp.Sin, exp.Cos, exp.Tan, exp.Cot, exp.Asin, exp.Acos, exp.Atan, exp.Atan2, exp.Pi, exp.Degrees),
    *(exp.Radians, exp.PercentRank, exp.CumeDist),
)
_DATES = (exp.Date, exp.TsOrDsToDate, exp.CurrentDate, exp.LastDay, exp.DateFromParts, exp.DateStrToDate)
_DATETIMES = (exp.CurrentTimestamp, exp.Timestamp, exp.UnixToTime, exp.Localtimestamp, exp.Localtime, exp.UtcTimestamp)
_ALIKE = (exp.Max, exp.Min, exp.AnyValue, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue, exp.Nullif)
_ALIKE += (exp.Paren, exp.Collate, exp.Window, exp.Alias, exp.TsOrDsToTimestamp, exp.TsOrDsToDatetime)
_CHOICES = (exp.Case, exp.Coalesce, exp.If, exp.Greatest, exp.Least)
OF_DATES = frozenset({"DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "YEAR_MONTH"})


def kind(node: exp.Expr | None) -> Kind | None:
    """Return the kind of value of an expression, rewritten or not; None for NULL and where it is unknown."""
    if node is None or isinstance(node, exp.Null):
        return None
    if "kind" in node.meta:
        return node.meta["kind"]
    if isinstance(node, exp.Literal):
        return _of_literal(node)
    for classes, of in _FIXED:
        if isinstance(node, classes):
            return of
    for found, classes in _FOUND:
        if isinstance(node, classes):
            return found(node)
    if known := kind_of_call(node):
        return known
    if isinstance(node, exp.Anonymous) and node.name.upper() in _NAMED:
        return _NAMED[node.name.upper()]
    if isinstance(node, exp.Anonymous):
        return _of_named(node)
    return _KINDS.get(node.type.this) if node.type is not None else None


def _of_literal(node: exp.Literal) -> Kind:
    if node.is_string:
        return "text"
    return "integer" if node.is_int else "double" if "e" in node.this.lower() else "decimal"


def _of_named(node: exp.Anonymous) -> Kind | None:
    name, given = node.name.upper(), node.expressions
    if name == "IFNULL":
        return _common(given)
    if name == "TRUNCATE":
        return _rounded(kind(given[0]))
    if name in ("ADDDATE", "SUBDATE"):
        unit = given[1].args.get("unit") if isinstance(given[1], exp.Interval) else None
        return shifted(_of_shifted(given[0]), unit.name.upper() if unit is not None else "DAY")
    return _KINDS.get(node.type.this) if node.type is not None else None


def _of_arithmetic(node: exp.Expr) -> Kind | None:
    for value, interval in ((node.this, node.expression), (node.expression, node.this)):
        if isinstance(interval, exp.Interval):
            return shifted(_of_shifted(value), interval.text("unit").upper())
    return _numeric(kind(node.this), kind(node.expression))


def _of_division(node: exp.Expr) -> Kind:
    return "double" if _numeric(kind(node.this), kind(node.expression)) == "double" else "quotient"


def _numeric(*kinds: Kind | None) -> Kind:
    ranks = [_RANKS.index(numeric_kind(k)) for k in kinds]
    return _RANKS[max(ranks)]


def numeric_kind(of: Kind | None) -> Kind:
    """Return the kind of number that a value is in arithmetic."""
    if of in NUMBERS:
        return of
    return "integer" if of in ("boolean", "date", "datetime", "time") else "double"


def _rounded(of: Kind | None) -> Kind:
    found = numeric_kind(of)
    return "decimal" if found == "quotient" else found


def _of_floor(node: exp.Expr) -> Kind:
    return "double" if numeric_kind(kind(node.this)) == "double" else "integer"


def _of_mean(node: exp.Expr) -> Kind:
    return "double" if numeric_kind(kind(_inner(node))) == "double" else "quotient"


def _inner(node: exp.Expr) -> exp.Expr:
    return node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this


def shifted(of: Kind | None, unit: str) -> Kind:
    """Return the kind of a date, time or text that an interval is added to."""
    if of == "date":
        return "date" if unit in OF_DATES else "datetime"
    return "datetime" if of == "datetime" else "text"


def _of_shift(node: exp.Expr) -> Kind:
    return shifted(_of_shifted(node.this), node.text("unit").upper() or "DAY")


def _of_shifted(value: exp.Expr) -> Kind | None:
    """Return the kind of a value that an interval is added to: a literal is read as a date."""
    return moment_kind(value.this) if isinstance(value, exp.Literal) else kind(value)


def moment_kind(text: str) -> Kind:
    """Return whether a text is read as a date or as a datetime; as one if it is neither."""
    return "datetime" if ":" in text or "T" in text or len(text) == 14 or read_moment(text) is None else "date"


def _of_cast(node: exp.Expr) -> Kind | None:
    return _KINDS.get(node.args["to"].this)


def _of_query(node: exp.Expr) -> Kind | None:
    query = node.this if isinstance(node, exp.Subquery) else node
    return kind(query.selects[0]) if isinstance(query, exp.Query) and query.selects else None


def branches(node: exp.Expr) -> list[exp.Expr | None]:
    """Return the values of which an expression chooses one."""
    if isinstance(node, exp.Case):
        return [i.args.get("true") for i in node.args["ifs"]] + [node.args.get("default")]
    if isinstance(node, exp.If):
        return [node.args.get("true"), node.args.get("false")]
    if isinstance(node, exp.Anonymous):
        return list(node.expressions)
    return [node.this, *node.expressions]


def _of_extreme(node: exp.Expr) -> Kind | None:
    kinds = {kind(n) for n in branches(node)} - {None}
    if kinds & MOMENTS and kinds <= MOMENTS | {"text"}:
        return "datetime" if "datetime" in kinds else "date"
    return "double" if "text" in kinds and kinds - {"text"} else _common(branches(node))


def _common(nodes: Iterable[exp.Expr | None]) -> Kind | None:
    kinds: set[Kind | None] = {kind(n) for n in nodes if n is not None and not isinstance(n, exp.Null)}
    if len(kinds) <= 1:
        return kinds.pop() if kinds else None
    if kinds <= NUMBERS | {"boolean"}:
        return _numeric(*kinds)
    if kinds <= MOMENTS:
        return "datetime"
    return "text"


_FIXED: tuple[tuple[tuple[type, ...], Kind], ...] = (
    ((exp.Any, exp.All), "boolean"),
    (_TRUE, "boolean"),
    (_COUNTED, "integer"),
    (_WRITTEN, "text"),
    (_REAL, "double"),
    (_DATES, "date"),
    (_DATETIMES, "datetime"),
    ((exp.Time,), "time"),
)
_Found = Callable[[exp.Expr], Kind | None]
_FOUND: tuple[tuple[_Found, tuple[type, ...]], ...] = (
    (_of_division, (exp.Div,)),
    (_of_arithmetic, (exp.Add, exp.Sub, exp.Mul, exp.Mod)),
    (_of_floor, (exp.Floor, exp.Ceil)),
    (_of_mean, (exp.Avg, exp.Median)),
    (_of_shift, (exp.DateAdd, exp.TimestampAdd, exp.DatetimeAdd, exp.TsOrDsAdd)),
    (_of_shift, (exp.DateSub, exp.TimestampSub, exp.DatetimeSub)),
    (_of_query, (exp.Subquery, exp.Query)),
    (_of_extreme, (exp.Greatest, exp.Least)),
    (lambda node: _common(branches(node)), _CHOICES),
    (lambda node: kind(node.this), _ALIKE),
    (lambda node: numeric_kind(kind(node.this)), (exp.Neg, exp.Abs)),
    (lambda node: numeric_kind(kind(_inner(node))), (exp.Sum,)),
    (lambda node: _rounded(kind(node.this)), (exp.Round, exp.Trunc)),
    (_of_cast, (exp.Cast,)),
)


def known_kinds(query: exp.Expr) -> exp.Expr:
    """Mark the columns of derived tables and WITH queries with the kind of what those select, and return the query."""
    for scope in traverse_scope(query):
        for column in scope.columns:
            source = scope.sources.get(column.table)
            inner = getattr(source, "expression", None)
            if isinstance(inner, exp.Query) and "kind" not in column.meta:
                _mark(column, inner)
    return query


def _mark(column: exp.Column, inner: exp.Query) -> None:
    names = [n.casefold() for n in inner.named_selects]
    if column.name.casefold() in names:
        column.meta["kind"] = selected_kind(inner, names.index(column.name.casefold()))


def selected_kind(query: exp.Query, place: int) -> Kind | None:
    """Return the kind of a query's column."""
    if isinstance(query, exp.Subquery):
        return selected_kind(query.this, place)
    if isinstance(query, exp.SetOperation):
        return united(selected_kind(query.this, place), selected_kind(query.expression, place))
    return kind(query.selects[place])


def united(one: Kind | None, other: Kind | None) -> Kind | None:
    """Return the kind of a column of UNION, EXCEPT or INTERSECT."""
    kinds: set[Kind | None] = {k for k in (one, other) if k is not None}
    if len(kinds) <= 1:
        return kinds.pop() if kinds else None
    if kinds <= NUMBERS | {"boolean"}:
        return _numeric(*kinds)
    return "datetime" if kinds <= MOMENTS else "text"
