"""Dates and times: parse MySQL's formats, add intervals, compute differences."""

import calendar
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP
from typing import Any

from tablerag.tools.sql.dialect.duck import moments
from tablerag.tools.sql.dialect.duck.dates import MICROSECONDS, MONTHS
from tablerag.tools.sql.dialect.duck.moments import LONGEST, ORDER, century, written
from tablerag.tools.sql.dialect.lite.functions.values import number_of, whole_of

__all__ = ["MOMENT_FUNCTIONS", "read_moment", "required", "written"]

Value = Any


def read_moment(value: Value) -> datetime | None:
    """Parse a date or a datetime; None if the value is neither."""
    return moments.read_moment(str(value))


def required(value: Value) -> datetime:
    """Parse a date or a datetime; raise ValueError if the value is neither."""
    moment = read_moment(value)
    if moment is None:
        raise ValueError("invalid date")
    return moment


def _is_timed(value: Value) -> bool:
    return ":" in str(value) or (isinstance(value, str) and "T" in value) or len(str(value)) == 14


def _shift(value: Value, amount: Value, sign: int, unit: str) -> str:
    moment = required(value)
    if "_" in unit and unit != "YEAR_MONTH":
        return written(moment + sign * _compound(str(amount), unit), timed=True)
    if unit == "YEAR_MONTH":
        return written(_months_later(moment, sign * _years_and_months(str(amount))), timed=_is_timed(value))
    if unit in MONTHS:
        count = whole_of(amount) * MONTHS[unit]
        return written(_months_later(moment, sign * count), timed=_is_timed(value))
    count = number_of(amount)
    if unit != "SECOND":
        count = count.to_integral_value(ROUND_HALF_UP)
    moved = moment + timedelta(microseconds=int(sign * count * MICROSECONDS[unit]))
    return written(moved, timed=_is_timed(value) or unit not in ("DAY", "WEEK"))


def _months_later(moment: datetime, months: int) -> datetime:
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    day = min(moment.day, calendar.monthrange(year, month + 1)[1])
    return moment.replace(year=year, month=month + 1, day=day)


def _years_and_months(amount: str) -> int:
    sign, numbers = _numbers(amount)
    years, months = ([0, 0] + numbers)[-2:]
    return sign * (years * 12 + months)


def _compound(amount: str, unit: str) -> timedelta:
    """Parse an interval such as '1 2:30' DAY_MINUTE; missing numbers on the left are zero."""
    first, last = unit.split("_")
    units = ORDER[ORDER.index(first) : ORDER.index(last) + 1]
    sign, numbers = _numbers(amount)
    padded = [0] * (len(units) - len(numbers)) + numbers[: len(units)]
    if last == "MICROSECOND":
        padded[-1] = int(f"{re.findall(r'[0-9]+', amount[:LONGEST])[-1]:0<6}"[:6])
    return sign * timedelta(microseconds=sum(n * MICROSECONDS[u] for n, u in zip(padded, units, strict=True)))


def _numbers(amount: str) -> tuple[int, list[int]]:
    amount = amount[:LONGEST]
    return (-1 if amount.strip().startswith("-") else 1), [int(n) for n in re.findall(r"\d+", amount)]


def _diff(unit: str, begin: Value, end: Value) -> int:
    a, b = required(begin), required(end)
    if unit == "DATE":
        return (b.date() - a.date()).days
    if unit in MONTHS:
        return _sign(a, b) * (_whole_months(min(a, b), max(a, b)) // MONTHS[unit])
    apart = abs(b - a) // timedelta(microseconds=MICROSECONDS[unit])
    return _sign(a, b) * apart


def _sign(a: datetime, b: datetime) -> int:
    return 1 if b >= a else -1


def _whole_months(a: datetime, b: datetime) -> int:
    months = (b.year - a.year) * 12 + b.month - a.month
    return months - ((b.day, b.time()) < (a.day, a.time()))


def _part(part: str, value: Value) -> int | None:
    if part in ("HOUR", "MINUTE", "SECOND", "MICROSECOND") and (clock := _clock(value)) is not None:
        seconds, micro = divmod(clock, 1_000_000)
        whole = {"HOUR": seconds // 3600, "MINUTE": seconds // 60 % 60, "SECOND": seconds % 60, "MICROSECOND": micro}
        return whole[part]
    moment = required(value)
    if part in PARTS:
        return PARTS[part](moment)
    first, last = part.split("_")
    units = ORDER[ORDER.index(first) : ORDER.index(last) + 1]
    total = 0
    for unit in units:
        total = total * (1_000_000 if unit == "MICROSECOND" else 100) + getattr(moment, unit.lower())
    return total


PARTS: dict[str, Callable[[datetime], int]] = {
    "YEAR": lambda m: m.year,
    "QUARTER": lambda m: (m.month + 2) // 3,
    "MONTH": lambda m: m.month,
    "DAY": lambda m: m.day,
    "HOUR": lambda m: m.hour,
    "MINUTE": lambda m: m.minute,
    "SECOND": lambda m: m.second,
    "MICROSECOND": lambda m: m.microsecond,
    "DAYOFYEAR": lambda m: m.timetuple().tm_yday,
    "DAYOFWEEK": lambda m: m.isoweekday() % 7 + 1,
    "WEEKDAY": lambda m: m.weekday(),
    "WEEK": lambda m: int(m.strftime("%U")),
    "YEAR_MONTH": lambda m: m.year * 100 + m.month,
}


def _clock(value: Value) -> int | None:
    """Parse [H]HH:MM[:SS[.f]] to microseconds; None if the value is not a time without a date."""
    found = re.fullmatch(r"\s*-?(\d{1,3}):(\d{1,2})(?::(\d{1,2})(\.\d{0,6})?)?", str(value)[:LONGEST])
    if not found:
        return None
    seconds = int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3] or 0)
    return seconds * 1_000_000 + int(f"{(found[4] or '.')[1:]:0<6}")


def _time(value: Value) -> str:
    if _clock(value) is not None:
        hours, minutes, *seconds = str(value).strip().split(":")
        return f"{int(hours):02}:{int(minutes):02}:{(seconds or ['00'])[0]:0>2}"
    moment = required(value)
    return moment.time().isoformat("microseconds" if moment.microsecond else "seconds")


def _time_to_sec(value: Value) -> int:
    clock = _clock(value)
    if clock is not None:
        return (-1 if str(value).strip().startswith("-") else 1) * (clock // 1_000_000)
    moment = required(value)
    return moment.hour * 3600 + moment.minute * 60 + moment.second


def _sec_to_time(value: Value) -> str:
    seconds = int(number_of(value))
    minutes, second = divmod(min(abs(seconds), 838 * 3600 + 59 * 60 + 59), 60)
    hours, minute = divmod(minutes, 60)
    return f"{'-' if seconds < 0 else ''}{hours:02}:{minute:02}:{second:02}"


def _makedate(year: Value, day: Value) -> str | None:
    whole = int(number_of(year))
    whole += century(whole) if whole < 100 else 0
    days = int(number_of(day))
    return (date(whole, 1, 1) + timedelta(days=days - 1)).isoformat() if days > 0 else None


def _last_day(value: Value) -> str:
    moment = required(value)
    return moment.date().replace(day=calendar.monthrange(moment.year, moment.month)[1]).isoformat()


def _moment_number(value: Value) -> int:
    moment = required(value)
    return int(moment.strftime("%Y%m%d%H%M%S" if _is_timed(value) else "%Y%m%d").rjust(8, "0"))


def _period(value: Value) -> int:
    year, month = divmod(whole_of(value), 100)
    year += century(year) if year < 100 else 0
    return year * 12 + month - 1


def _period_add(period: Value, months: Value) -> int:
    year, month = divmod(_period(period) + whole_of(months), 12)
    return year * 100 + month + 1


MOMENT_FUNCTIONS: dict[str, tuple[int, Callable[..., Value]]] = {
    "m_shift": (4, _shift),
    "m_diff": (3, _diff),
    "m_part": (2, _part),
    "m_date": (1, lambda v: written(required(v), timed=False)),
    "m_datetime": (1, lambda v: written(required(v), timed=True)),
    "m_time": (1, _time),
    "m_last_day": (1, _last_day),
    "m_moment_number": (1, _moment_number),
    "MAKEDATE": (2, _makedate),
    "FROM_DAYS": (1, lambda v: date.fromordinal(int(number_of(v)) - 365).isoformat()),
    "TIME_TO_SEC": (1, _time_to_sec),
    "SEC_TO_TIME": (1, _sec_to_time),
    "PERIOD_ADD": (2, _period_add),
    "PERIOD_DIFF": (2, lambda a, b: _period(a) - _period(b)),
}
