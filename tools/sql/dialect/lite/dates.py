"""Parts of dates, arithmetic with dates, and conversions to dates.

Stored dates and times are ISO texts, so their parts are substrings, which SQLite computes without calling Python.
Other values are read as dates by functions of this package that accept every format that MySQL accepts.
"""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.allowed import ALLOWED_UNITS
from tablerag.tools.sql.dialect.duck.dates import MONTHS, NAMED_PARTS, PARTS, named
from tablerag.tools.sql.dialect.lite.functions.moments import read_moment, written
from tablerag.tools.sql.dialect.lite.typed import MOMENTS, call, copied, kind, literal, number

__all__ = ["conversions", "date_arithmetic", "date_differences", "date_parts"]

PLACES = {"YEAR": (1, 4), "MONTH": (6, 2), "DAY": (9, 2), "HOUR": (12, 2), "MINUTE": (15, 2), "SECOND": (18, 2)}
WHOLE_DAYS = {"DAY": 1, "WEEK": 7}
OF_DATES = frozenset({"DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "YEAR_MONTH"})


def conversions(node: exp.Expr) -> exp.Expr:
    """DATE(x), TIME(x), TIMESTAMP(x), and the conversions that the parser adds around date arguments."""
    if isinstance(node, (exp.TsOrDsToTimestamp, exp.TsOrDsToDatetime)):
        return node.this
    if isinstance(node, (exp.TsOrDsToDate, exp.Date)):
        return to_date(node.this)
    if isinstance(node, exp.Time):
        return to_time(node.this)
    if isinstance(node, exp.Timestamp):
        return to_datetime(node.this)
    if isinstance(node, exp.CurrentDate) or named(node, "CURDATE"):
        return call("DATE", literal("now"), literal("localtime"), like="date")
    if isinstance(node, exp.CurrentTimestamp) or named(node, "NOW"):
        return call("DATETIME", literal("now"), literal("localtime"), like="datetime")
    return node


def to_date(value: exp.Expr) -> exp.Expr:
    """Return the expression as a date."""
    match kind(value):
        case "date":
            return value
        case "datetime":
            return call("SUBSTR", value, number(1), number(10), like="date")
    return call("m_date", value, like="date")


def to_datetime(value: exp.Expr) -> exp.Expr:
    """Return the expression as a datetime."""
    return value if kind(value) == "datetime" else call("m_datetime", value, like="datetime")


def to_time(value: exp.Expr) -> exp.Expr:
    """Return the expression as a time."""
    return value if kind(value) == "time" else call("m_time", value, like="time")


def date_parts(node: exp.Expr) -> exp.Expr:
    """YEAR(x), EXTRACT(YEAR FROM x) and similar functions."""
    if isinstance(node, exp.Extract):
        return _part(node.name.upper(), node.expression)
    if type(node) in PARTS:
        return _part(PARTS[type(node)], node.this)
    if isinstance(node, exp.Anonymous) and node.name.upper() in NAMED_PARTS and len(node.expressions) == 1:
        return _part(node.name.upper(), node.expressions[0])
    return node


def _part(part: str, value: exp.Expr) -> exp.Expr:
    if part not in ALLOWED_UNITS and part not in NAMED_PARTS:
        raise SqlRejected(f"unknown unit EXTRACT({part[:30]}): use YEAR, MONTH, DAY, HOUR, QUARTER or YEAR_MONTH")
    stored = kind(value) in MOMENTS and not value.find(exp.Literal)
    if stored and part in PLACES:
        begin, length = PLACES[part]
        return _integer(call("SUBSTR", value, number(begin), number(length)))
    if stored and part == "QUARTER":
        months = exp.Add(this=_part("MONTH", value), expression=number(2))
        return _typed(exp.paren(exp.Div(this=exp.paren(months), expression=number(3), typed=True)))
    if stored and part == "DAYOFYEAR":
        return _integer(call("STRFTIME", literal("%j"), value))
    if stored and part == "DAYOFWEEK":
        return _typed(exp.paren(exp.Add(this=_integer(call("STRFTIME", literal("%w"), value)), expression=number(1))))
    return call("m_part", literal(part), value, like="integer")


def _integer(node: exp.Expr) -> exp.Expr:
    return _typed(exp.Cast(this=node, to=exp.DataType.build("BIGINT")))


def _typed(node: exp.Expr) -> exp.Expr:
    node.type = exp.DataType.build("BIGINT")
    return node


def date_arithmetic(node: exp.Expr) -> exp.Expr:
    """DATE_ADD, DATE_SUB, ADDDATE, SUBDATE, x + INTERVAL, TIMESTAMPADD."""
    if isinstance(node, (exp.DateAdd, exp.TimestampAdd, exp.DatetimeAdd, exp.TsOrDsAdd)):
        return _shift(node.this, node.expression, node.args.get("unit"), negative=False)
    if isinstance(node, (exp.DateSub, exp.TimestampSub, exp.DatetimeSub)):
        return _shift(node.this, node.expression, node.args.get("unit"), negative=True)
    if isinstance(node, (exp.Add, exp.Sub)) and isinstance(node.expression, exp.Interval):
        return _shift_by(node.this, node.expression, negative=isinstance(node, exp.Sub))
    if isinstance(node, exp.Add) and isinstance(node.this, exp.Interval):
        return _shift_by(node.expression, node.this, negative=False)
    if named(node, "ADDDATE", "SUBDATE"):
        value, amount = node.expressions
        negative = node.name.upper() == "SUBDATE"
        if isinstance(amount, exp.Interval):
            return _shift_by(value, amount, negative=negative)
        return _shift(value, amount, None, negative=negative)
    return node


def _shift_by(value: exp.Expr, interval: exp.Interval, *, negative: bool) -> exp.Expr:
    return _shift(value, interval.this, interval.args.get("unit"), negative=negative)


def _unit(unit: exp.Expr | None) -> str:
    name = unit.name.upper() if unit is not None else "DAY"
    if name not in ALLOWED_UNITS:
        raise SqlRejected(f"unknown unit INTERVAL ... {name[:30]}: use DAY, MONTH, YEAR, HOUR, MINUTE or SECOND")
    return name


def _shift(value: exp.Expr, amount: exp.Expr, unit: exp.Expr | None, *, negative: bool) -> exp.Expr:
    name, of = _unit(unit), kind(value)
    days = _whole(amount)
    if of == "date" and days is not None and name in WHOLE_DAYS and abs(days) < 100_000:
        count = (-days if negative else days) * WHOLE_DAYS[name]
        return call("DATE", value, literal(f"{count:+d} days"), like=of)
    if of == "date" and days is not None and name in MONTHS and abs(days) < 10_000:
        return _months_later(value, (-days if negative else days) * MONTHS[name])
    sign = number(-1) if negative else number(1)
    like = ("date" if name in OF_DATES else "datetime") if of == "date" else of if of == "datetime" else "text"
    return call("m_shift", value, amount, sign, literal(name), like=like)


def _months_later(value: exp.Expr, months: int) -> exp.Expr:
    """Add months; SQLite overflows into the next month, so the result is the earlier of that and the month's end."""
    moved = call("DATE", value, literal(f"{months:+d} months"))
    steps = [literal(s) for s in ("start of month", f"{months + 1:+d} months", "-1 day")]
    return call("MIN", moved, call("DATE", value.copy(), *steps), like="date")


def _whole(amount: exp.Expr) -> int | None:
    """Return the value of an integer literal; None for other expressions."""
    sign = 1
    while isinstance(amount, (exp.Paren, exp.Neg)):
        sign = -sign if isinstance(amount, exp.Neg) else sign
        amount = amount.this
    if isinstance(amount, exp.Literal) and amount.this.isascii() and amount.this.isdigit():
        return sign * int(amount.this)
    return None


def _written_date(node: exp.Expr) -> exp.Expr:
    """Return a literal as a date; other expressions unchanged."""
    value = node.expressions[0] if isinstance(node, exp.Anonymous) and node.name == "m_date" else node
    moment = read_moment(value.this) if isinstance(value, exp.Literal) else None
    if moment is None:
        return node
    made = literal(written(moment, timed=False))
    return call("DATE", made, like="date")


def date_differences(node: exp.Expr) -> exp.Expr:
    """DATEDIFF, TIMESTAMPDIFF and LAST_DAY."""
    if isinstance(node, exp.DateDiff):
        later, earlier = node.this, node.expression
        first = earlier.find(exp.Literal)
        if first is not None and first.name == "0000-01-01":
            # The parser's form of TO_DAYS(): Python and SQLite have no date as early.
            since = exp.Sub(this=call("JULIANDAY", later), expression=exp.Literal.number("1721060.5"))
            return _integer(since)
        later, earlier = _written_date(later), _written_date(earlier)
        if kind(later) == kind(earlier) == "date":
            days = exp.Sub(this=call("JULIANDAY", later), expression=call("JULIANDAY", earlier))
            return _integer(days)
        return call("m_diff", literal("DATE"), earlier, later, like="integer")
    if isinstance(node, (exp.TimestampDiff, exp.DatetimeDiff)):
        return call("m_diff", literal(_unit(node.args.get("unit"))), node.expression, node.this, like="integer")
    if isinstance(node, exp.LastDay):
        if kind(node.this) in MOMENTS:
            steps = [literal(s) for s in ("start of month", "+1 month", "-1 day")]
            return call("DATE", copied(node.this), *steps, like="date")
        return call("m_last_day", node.this, like="date")
    return node
