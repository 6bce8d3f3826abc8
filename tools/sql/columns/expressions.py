"""What one expression of a SELECT is: a stored column, a total, a count, a share, a period."""

from dataclasses import replace

from sqlglot import exp

from tablerag.tools.sql.columns.arithmetic import difference, product, quotient
from tablerag.tools.sql.columns.column import Period, ResultColumn, Scope, Way
from tablerag.tools.text import total_of

__all__ = ["described"]

WRAPPERS = (
    exp.Abs, exp.Alias, exp.AnyValue, exp.Cast, exp.Ceil, exp.Floor, exp.Lower, exp.Neg, exp.Paren, exp.Round, exp.Trim,
    exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.Upper, exp.Window, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue,
)  # fmt: skip
"""A column stays what it is inside these."""
PERIODS: dict[type[exp.Expr], Period] = {
    exp.Year: "year", exp.Quarter: "quarter", exp.Month: "month", exp.Week: "week", exp.WeekOfYear: "week",
}  # fmt: skip
FORMATS: dict[str, Period] = {"%Y": "year", "%Y-%m": "month", "%m": "month", "%Y-%m-%d": "day"}
OWN_WORDS = ("Total", "Sum", "Average", "Lowest", "Highest", "Earliest", "Latest", "Number", "Share")
"""First words of headers that are not the document's."""
UNORDERED = ("text", "id", "boolean")


def described(e: exp.Expr, scope: Scope) -> ResultColumn:
    """Return what an expression is; its header is "" if it has no words of its own."""
    if isinstance(e, exp.Column):
        return scope.column(e.name, e.table.casefold())
    if isinstance(e, exp.Subquery):
        return scope.query(e.this)
    if isinstance(e, exp.Distinct):
        return scope.of(e.expressions[0])
    if isinstance(e, WRAPPERS):
        return scope.of(e.this)
    if isinstance(e, exp.AggFunc):
        return _aggregate(e, scope)
    if isinstance(e, exp.Case | exp.If | exp.Coalesce | exp.Nullif):
        return _choice(e, scope)
    if isinstance(e, exp.Add | exp.Sub):
        return difference(e, scope)
    if isinstance(e, exp.Mul):
        return product(e, scope)
    if isinstance(e, exp.Div):
        return quotient(e, scope)
    return _of_dates(e, scope)


def _aggregate(e: exp.AggFunc, scope: Scope) -> ResultColumn:
    if isinstance(e, exp.Count):
        return _count(e, scope)
    inner = scope.of(e.this) if isinstance(e.this, exp.Expr) else ResultColumn("", way="computed")
    if isinstance(e, exp.Sum | exp.Avg | exp.Median):
        return _sum(e, inner)
    if not isinstance(e, exp.Min | exp.Max):
        return ResultColumn("", way="computed")
    if inner.kind in UNORDERED or not inner.header:
        return inner
    words = ("Earliest", "Latest") if inner.period else ("Lowest", "Highest")
    header = f"{words[isinstance(e, exp.Max)]} {_inside(inner)}"
    return replace(inner, header=header, way="highest" if isinstance(e, exp.Max) else "lowest")


def _sum(e: exp.Sum | exp.Avg | exp.Median, inner: ResultColumn) -> ResultColumn:
    total = isinstance(e, exp.Sum)
    if _is_condition(e.this):
        return ResultColumn("Number of rows", way="count") if total else ResultColumn("Share of rows", way="computed")
    said, mean = _inside(inner), "Median" if isinstance(e, exp.Median) else "Average"
    header = (total_of(said) if total else f"{mean} of {said}") if said else ""
    if total and inner.way == "count":
        return replace(inner, header=inner.header)
    way: Way = "total" if total else "average"
    return replace(inner, header=header, way=way, kind=inner.kind if inner.kind == "duration" else "", period="")


def _inside(inner: ResultColumn) -> str:
    """Return a header inside another one: "Average of total of Cost (EUR)"."""
    word = inner.header.partition(" ")[0]
    own = word in OWN_WORDS and inner.way != "value"
    return f"{word.lower()}{inner.header[len(word) :]}" if own else inner.header


def _count(e: exp.Count, scope: Scope) -> ResultColumn:
    counted = e.this
    if isinstance(counted, exp.Distinct):
        header = scope.of(counted.expressions[0]).header
        return ResultColumn(f"Number of different {header}" if header else "Number of values", way="count")
    if isinstance(counted, exp.Column) and not isinstance(counted.this, exp.Star):
        return ResultColumn(f"Number of rows with {scope.of(counted).header}", way="count")
    return ResultColumn("Number of rows", way="count")


def _is_condition(e: object) -> bool:
    """Return whether a number is 1 where a condition holds, else 0 or NULL."""
    if isinstance(e, exp.Paren | exp.Cast):
        return _is_condition(e.this)
    if isinstance(e, exp.Case | exp.If):
        return all(isinstance(p, exp.Literal | exp.Null) for p in _branches(e))
    return isinstance(e, exp.Predicate | exp.Not | exp.Connector)


def _branches(e: exp.Expr) -> list[exp.Expr]:
    """Return the values that an expression chooses from."""
    if isinstance(e, exp.Case):
        parts = [i.args.get("true") for i in e.args.get("ifs") or ()] + [e.args.get("default")]
    elif isinstance(e, exp.If):
        parts = [e.args.get("true"), e.args.get("false")]
    else:
        parts = [e.this] if isinstance(e, exp.Nullif) else list(e.iter_expressions())
    return [p for p in parts if isinstance(p, exp.Expr)]


def _choice(e: exp.Expr, scope: Scope) -> ResultColumn:
    """Return what all branches are, constants aside; without a unit if they differ in it."""
    parts = [scope.of(p) for p in _branches(e) if not isinstance(p, exp.Literal | exp.Null)]
    if not parts:
        return ResultColumn("", way="computed")
    same = len({(p.unit, p.scale) for p in parts}) == 1
    return parts[0] if same else parts[0].without_unit()


def _of_dates(e: exp.Expr, scope: Scope) -> ResultColumn:
    """Return a part of a date or a span between two; any other function is of no known unit."""
    if type(e) in PERIODS:
        return _part(PERIODS[type(e)])
    if isinstance(e, exp.Extract) and e.name.lower() in ("year", "quarter", "month", "week"):
        return _part(next(p for p in PERIODS.values() if p == e.name.lower()))
    if isinstance(e, exp.TimeToStr) and e.args.get("format") is not None:
        period = FORMATS.get(e.args["format"].name)
        return ResultColumn(period.capitalize(), period=period) if period else ResultColumn("", way="computed")
    if isinstance(e, exp.Concat):
        found = [scope.of(p).period for p in e.expressions]
        return ResultColumn("Quarter", period="quarter") if "quarter" in found else ResultColumn("", way="computed")
    if isinstance(e, exp.DateDiff | exp.TimestampDiff):
        named = e.args["unit"].name.lower() if e.args.get("unit") else "day"
        return ResultColumn("", f"{named}s", way="value")
    return ResultColumn("", way="computed")


def _part(period: Period) -> ResultColumn:
    return ResultColumn(period.capitalize(), kind=period, period=period)
