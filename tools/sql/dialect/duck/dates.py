"""Parts of dates and times, arithmetic with them, and conversions to them."""

import re
from datetime import datetime

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.allowed import ALLOWED_UNITS
from tablerag.tools.sql.dialect.duck.build import call, cast, literal, number
from tablerag.tools.sql.dialect.duck.kinds import Kind, kind, shifted
from tablerag.tools.sql.dialect.duck.moments import LONGEST, ORDER, written
from tablerag.tools.sql.dialect.duck.values import as_date, as_datetime, as_moment, as_number, as_real, as_text

__all__ = ["arithmetic_of_dates", "conversions", "differences", "parts", "times"]

PARTS: dict[type[exp.Expr], str] = {
    exp.Year: "YEAR",
    exp.Month: "MONTH",
    exp.Day: "DAY",
    exp.DayOfMonth: "DAY",
    exp.Hour: "HOUR",
    exp.Minute: "MINUTE",
    exp.Second: "SECOND",
    exp.Quarter: "QUARTER",
    exp.DayOfYear: "DAYOFYEAR",
    exp.DayOfWeek: "DAYOFWEEK",
}
NAMED_PARTS = {"WEEKDAY", "MICROSECOND", "QUARTER", "DAYOFYEAR", "DAYOFWEEK"}
PLAIN = {"YEAR": "year", "MONTH": "month", "DAY": "day", "QUARTER": "quarter", "DAYOFYEAR": "dayofyear"}
OF_CLOCK = {"HOUR": "hour", "MINUTE": "minute", "SECOND": "second", "MICROSECOND": "microsecond"}
DATE_CODES = {
    "YEAR": "%Y",
    "MONTH": "%m",
    "DAY": "%d",
    "HOUR": "%H",
    "MINUTE": "%M",
    "SECOND": "%S",
    "MICROSECOND": "%f",
}
YEAR_ZERO = "0000-01-01"
"""The parser writes TO_DAYS(x) as DATEDIFF(x, '0000-01-01') + 1."""
MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
MICROSECONDS = {
    "MICROSECOND": 1,
    "SECOND": 1_000_000,
    "MINUTE": 60_000_000,
    "HOUR": 3_600_000_000,
    "DAY": 86_400_000_000,
    "WEEK": 604_800_000_000,
}


def conversions(node: exp.Expr) -> exp.Expr:
    """DATE(x), TIME(x), TIMESTAMP(x), the present, and the conversions that the parser adds around dates."""
    if isinstance(node, (exp.TsOrDsToTimestamp, exp.TsOrDsToDatetime)):
        return node.this
    if isinstance(node, exp.TsOrDsToDate) and isinstance(node.this, exp.Literal) and node.this.this == YEAR_ZERO:
        return node.this
    if isinstance(node, (exp.TsOrDsToDate, exp.Date)):
        return as_date(node.this)
    if isinstance(node, exp.Time):
        return as_time(node.this)
    if isinstance(node, exp.Timestamp):
        return as_datetime(node.this)
    if isinstance(node, exp.CurrentDate) or named(node, "CURDATE"):
        return cast(literal(written(datetime.now(), timed=False)), "DATE", "date")
    if isinstance(node, (exp.CurrentTimestamp, exp.Localtimestamp, exp.Localtime)) or named(node, "NOW"):
        # One moment for the whole statement, as on MySQL.
        return cast(literal(written(datetime.now().replace(microsecond=0), timed=True)), "TIMESTAMP", "datetime")
    return node


def named(node: exp.Expr, *names: str) -> bool:
    """Return whether an expression calls one of these functions, which the parser only knows by name."""
    return isinstance(node, exp.Anonymous) and node.name.upper() in names


def as_time(value: exp.Expr) -> exp.Expr:
    """Return a value as a time: a text, as it may be negative or longer than a day."""
    if kind(value) == "time":
        return value
    if kind(value) in ("date", "datetime"):
        return call("m_clock", cast(value, "TIMESTAMP", "datetime"), like="time")
    return call("m_time", as_text(value), like="time")


def parts(node: exp.Expr) -> exp.Expr:
    """YEAR(x), EXTRACT(YEAR FROM x) and similar functions."""
    if isinstance(node, exp.Extract):
        return _part(node.name.upper(), node.expression)
    if type(node) in PARTS:
        return _part(PARTS[type(node)], node.this)
    if named(node, *NAMED_PARTS) and len(node.expressions) == 1:
        return _part(node.name.upper(), node.expressions[0])
    return node


def _part(part: str, value: exp.Expr) -> exp.Expr:
    if part not in ALLOWED_UNITS and part not in NAMED_PARTS:
        raise SqlRejected(f"unknown unit EXTRACT({part[:30]}): use YEAR, MONTH, DAY, HOUR, QUARTER or YEAR_MONTH")
    if part in OF_CLOCK and kind(value) not in ("date", "datetime"):
        return call("m_clock_part", as_text(value), number(list(OF_CLOCK).index(part)), like="integer")
    moment = as_moment(value)
    if part in OF_CLOCK:
        found = call(OF_CLOCK[part], cast(moment, "TIMESTAMP", "datetime"), like="integer")
        return call("m_fraction", found, like="integer") if part == "MICROSECOND" else found
    if part in PLAIN:
        return call(PLAIN[part], moment, like="integer")
    if part == "DAYOFWEEK":
        return call("m_day_of_week", moment, like="integer")
    if part == "WEEKDAY":
        return call("m_weekday", moment, like="integer")
    if part == "WEEK":
        return call("m_week", moment, number(0), number(0), like="integer")
    units = ["YEAR", "MONTH"] if part == "YEAR_MONTH" else _units(part)
    codes = "".join(DATE_CODES[u] for u in units)
    return cast(
        call("strftime", cast(moment, "TIMESTAMP", "datetime"), literal(codes), like="text"), "BIGINT", "integer"
    )


def _units(unit: str) -> tuple[str, ...]:
    first, last = unit.split("_")
    return ORDER[ORDER.index(first) : ORDER.index(last) + 1]


def arithmetic_of_dates(node: exp.Expr) -> exp.Expr:
    """DATE_ADD, DATE_SUB, ADDDATE, SUBDATE, x + INTERVAL, TIMESTAMPADD."""
    if isinstance(node, (exp.DateAdd, exp.TimestampAdd, exp.DatetimeAdd, exp.TsOrDsAdd)):
        return _shift(node.this, node.expression, node.args.get("unit"), sign=1)
    if isinstance(node, (exp.DateSub, exp.TimestampSub, exp.DatetimeSub)):
        return _shift(node.this, node.expression, node.args.get("unit"), sign=-1)
    if isinstance(node, (exp.Add, exp.Sub)) and isinstance(node.expression, exp.Interval):
        return _by(node.this, node.expression, sign=-1 if isinstance(node, exp.Sub) else 1)
    if isinstance(node, exp.Add) and isinstance(node.this, exp.Interval):
        return _by(node.expression, node.this, sign=1)
    if named(node, "ADDDATE", "SUBDATE"):
        value, amount = node.expressions
        sign = -1 if node.name.upper() == "SUBDATE" else 1
        return _by(value, amount, sign=sign) if isinstance(amount, exp.Interval) else _shift(value, amount, None, sign)
    return node


def _by(value: exp.Expr, interval: exp.Interval, sign: int) -> exp.Expr:
    return _shift(value, interval.this, interval.args.get("unit"), sign)


def _unit(unit: exp.Expr | None) -> str:
    name = unit.name.upper() if unit is not None else "DAY"
    if name not in ALLOWED_UNITS:
        raise SqlRejected(f"unknown unit INTERVAL ... {name[:30]}: use DAY, MONTH, YEAR, HOUR, MINUTE or SECOND")
    return name


def _shift(value: exp.Expr, amount: exp.Expr, unit: exp.Expr | None, sign: int) -> exp.Expr:
    name, of = _unit(unit), kind(value)
    like = shifted(of, name)
    span = _span(name, amount, sign)
    if isinstance(value, exp.Literal):
        # The result of a text is a text: a date, or a datetime if it is one or the unit needs it.
        value = as_moment(value)
        like = shifted(kind(value), name)
    if kind(value) in ("date", "datetime"):
        found = call("m_moved", value, span, like="datetime")
        return cast(found, "DATE", "date") if like == "date" else found
    moved = call("m_moved", as_moment(value.copy()), span, like="datetime")
    timed = exp.Boolean(this=shifted("date", name) == "datetime")
    return call("m_shifted_text", moved, as_text(value), timed, like="text")


def _span(unit: str, amount: exp.Expr, sign: int) -> exp.Expr:
    """Return an interval of DuckDB: months, or microseconds."""
    if unit == "YEAR_MONTH" or ("_" in unit and unit != "YEAR_MONTH"):
        return _compound(unit, amount, sign)
    text = amount.this if isinstance(amount, exp.Literal) else None
    # Of an amount in quotes, and the parser writes all literals so, a server takes the whole number.
    count = as_number(amount if text is None or unit == "SECOND" else call("m_signed", literal(text), like="integer"))
    if unit in MONTHS:
        return call("m_months", count, number(sign * MONTHS[unit]), like=None)
    if unit in ("DAY", "WEEK"):
        return call("m_days", count, number(sign * (7 if unit == "WEEK" else 1)), like=None)
    whole = "m_microseconds" if unit == "SECOND" else "m_whole_microseconds"
    return call(whole, as_real(count), number(sign * MICROSECONDS[unit]), like=None)


def _compound(unit: str, amount: exp.Expr, sign: int) -> exp.Expr:
    """Read an interval such as '1 2:30' DAY_MINUTE; missing numbers on the left are zero."""
    if isinstance(amount, exp.Neg):
        sign, amount = -sign, amount.this
    if not isinstance(amount, exp.Literal):
        raise SqlRejected(f"INTERVAL ... {unit} needs its amount as a text in quotes, such as '1:30'")
    text = amount.this[:LONGEST]
    sign = -sign if text.strip().startswith("-") else sign
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    if unit == "YEAR_MONTH":
        years, months = ([0, 0] + numbers)[-2:]
        return _interval("to_months", sign * (years * 12 + months), "INTEGER", 2**31)
    units = _units(unit)
    padded = [0] * (len(units) - len(numbers)) + numbers[: len(units)]
    if units[-1] == "MICROSECOND" and numbers:
        padded[-1] = int(f"{re.findall(r'[0-9]+', text)[-1]:0<6}"[:6])
    total = sum(n * MICROSECONDS[u] for n, u in zip(padded, units, strict=True))
    return _interval("to_microseconds", sign * total, "BIGINT", 2**63)


def _interval(name: str, amount: int, type_: str, most: int) -> exp.Expr:
    """Return an interval of a written amount; NULL, as what it leads to is, if no date is as far away."""
    return call(name, number(amount) if abs(amount) < most else cast(exp.Null(), type_, "integer"), like=None)


def differences(node: exp.Expr) -> exp.Expr:
    """DATEDIFF, TIMESTAMPDIFF, LAST_DAY and TO_DAYS."""
    if isinstance(node, (exp.DateDiff, exp.TsOrDsDiff)):
        later, earlier = node.this, node.expression
        if isinstance(earlier, exp.Literal) and earlier.this == YEAR_ZERO:
            return call("m_days_of_era", as_date(later), like="integer")
        return call("date_diff", literal("day"), as_date(earlier), as_date(later), like="integer")
    if isinstance(node, (exp.TimestampDiff, exp.DatetimeDiff)):
        return _difference(_unit(node.args.get("unit")), as_datetime(node.expression), as_datetime(node.this))
    if isinstance(node, exp.LastDay):
        return call("last_day", as_date(node.this), like="date")
    return node


def _difference(unit: str, begin: exp.Expr, end: exp.Expr) -> exp.Expr:
    if unit in MONTHS:
        return call("m_months_between", begin, end, number(MONTHS[unit]), like="integer")
    if unit not in MICROSECONDS:
        raise SqlRejected(f"unknown unit TIMESTAMPDIFF({unit[:30]}): use DAY, MONTH, YEAR, HOUR, MINUTE or SECOND")
    return call("m_time_between", begin, end, number(MICROSECONDS[unit]), like="integer")


def _whole(node: exp.Expr) -> exp.Expr:
    """Return a value as an integer; NULL if it is too large for one."""
    whole = exp.TryCast(this=as_number(node), to=exp.DataType.build("BIGINT"))
    whole.type = exp.DataType.build("BIGINT")
    return whole


def times(node: exp.Expr) -> exp.Expr:
    """MAKEDATE, FROM_DAYS, PERIOD_ADD, PERIOD_DIFF, TIMEDIFF, TIME_TO_SEC, SEC_TO_TIME and Unix times."""
    name = node.name.upper() if isinstance(node, exp.Anonymous) else ""
    shapes: dict[str, tuple[str, Kind]] = {
        "MAKEDATE": ("m_makedate", "date"),
        "FROM_DAYS": ("m_from_days", "date"),
        "PERIOD_ADD": ("m_period_add", "integer"),
        "PERIOD_DIFF": ("m_period_diff", "integer"),
    }
    if name in shapes:
        called, like = shapes[name]
        return call(called, *(_whole(e) for e in node.expressions), like=like)
    if name == "TIMEDIFF":
        return _time_between(*node.expressions)
    if name == "SEC_TO_TIME":
        return call("m_sec_to_time", as_number(node.expressions[0]), like="time")
    if name == "TIME_TO_SEC":
        return call("m_time_to_sec", as_time(node.expressions[0]), like="integer")
    if name == "UNIX_TIMESTAMP" or isinstance(node, exp.TimeToUnix):
        given = node.expressions if name else [node.this] if node.this is not None else []
        moment = as_datetime(given[0]) if given else literal(written(datetime.now(), timed=True))
        return call("m_unix", cast(moment, "TIMESTAMP", "datetime"), like="integer")
    if isinstance(node, exp.UnixToTime) and node.args.get("format") is None:
        return call("m_from_unix", as_real(node.this), like="datetime")
    return node


def _time_between(end: exp.Expr, begin: exp.Expr) -> exp.Expr:
    kinds = {kind(end), kind(begin)}
    if kinds == {"datetime"}:
        sides = [call("m_clock_seconds", e, like="integer") for e in (end, begin)]
    elif kinds == {"time"}:
        sides = [call("m_time_to_sec", e, like="integer") for e in (end, begin)]
    else:
        raise SqlRejected("TIMEDIFF needs two datetimes or two times: use TIMESTAMPDIFF or CAST(... AS DATETIME)")
    return call("m_sec_to_time", exp.Sub(this=sides[0], expression=sides[1]), like="time")
