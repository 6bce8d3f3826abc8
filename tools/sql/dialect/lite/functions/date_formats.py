"""DATE_FORMAT, STR_TO_DATE, WEEK and YEARWEEK with MySQL's format codes and modes."""

import calendar
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from tablerag.tools.sql.dialect.lite.functions.moments import required, written
from tablerag.tools.sql.dialect.lite.functions.refusals import Refused
from tablerag.tools.sql.dialect.lite.functions.values import whole_of

__all__ = ["FORMAT_FUNCTIONS"]

Value = Any
LONGEST_FORMAT = 1_000
LONGEST_TEXT = 10_000
"""Characters of a text that are read with a format."""
# Python's own names depend on the locale.
DAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
MONTHS = tuple("January February March April May June July August September October November December".split())
MONDAY_FIRST, WITH_YEAR, FIRST_WEEKDAY = 1, 2, 4


def week_of(day: date, flags: int) -> tuple[int, int]:
    """Return the year and the week for the three flags of MySQL's modes (see WEEK() in its manual)."""
    first = date(day.year, 1, 1)
    weekday = (first.weekday() + (0 if flags & MONDAY_FIRST else 1)) % 7
    year, days = day.year, (day - first).days
    whole = bool(flags & WITH_YEAR)
    if day.month == 1 and day.day <= 7 - weekday:
        if not whole and (weekday != 0 if flags & FIRST_WEEKDAY else weekday >= 4):
            return year, 0
        if weekday != 0 if flags & FIRST_WEEKDAY else weekday >= 4:
            year -= 1
            length = 366 if calendar.isleap(year) else 365
            days += length
            weekday = (weekday + 53 * 7 - length) % 7
    begins = weekday != 0 if flags & FIRST_WEEKDAY else weekday >= 4
    days = days - (7 - weekday) if begins else days + weekday
    if whole and days >= 52 * 7:
        weekday = (weekday + (366 if calendar.isleap(year) else 365)) % 7
        if weekday == 0 if flags & FIRST_WEEKDAY else weekday < 4:
            return year + 1, 1
    return year, days // 7 + 1


def _flags(mode: Value) -> int:
    flags = whole_of(mode) & 7
    return flags if flags & MONDAY_FIRST else flags ^ FIRST_WEEKDAY


def _week(value: Value, mode: Value) -> int:
    return week_of(required(value).date(), _flags(mode))[1]


def _yearweek(value: Value, mode: Value) -> int:
    year, week = week_of(required(value).date(), _flags(mode) | WITH_YEAR)
    return year * 100 + week


def _ordinal(day: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th") if day // 10 != 1 else "th"
    return f"{day}{ending}"


MARKS: dict[str, Callable[[datetime], str]] = {
    "a": lambda m: DAYS[m.weekday()][:3],
    "b": lambda m: MONTHS[m.month - 1][:3],
    "c": lambda m: str(m.month),
    "D": lambda m: _ordinal(m.day),
    "e": lambda m: str(m.day),
    "k": lambda m: str(m.hour),
    "l": lambda m: str((m.hour + 11) % 12 + 1),
    "M": lambda m: MONTHS[m.month - 1],
    "p": lambda m: "PM" if m.hour >= 12 else "AM",
    "r": lambda m: f"{m:%I:%M:%S} {'PM' if m.hour >= 12 else 'AM'}",
    "U": lambda m: f"{week_of(m.date(), FIRST_WEEKDAY)[1]:02}",
    "u": lambda m: f"{week_of(m.date(), MONDAY_FIRST)[1]:02}",
    "V": lambda m: f"{week_of(m.date(), WITH_YEAR | FIRST_WEEKDAY)[1]:02}",
    "v": lambda m: f"{week_of(m.date(), WITH_YEAR | MONDAY_FIRST)[1]:02}",
    "W": lambda m: DAYS[m.weekday()],
    "X": lambda m: f"{week_of(m.date(), WITH_YEAR | FIRST_WEEKDAY)[0]:04}",
    "x": lambda m: f"{week_of(m.date(), WITH_YEAR | MONDAY_FIRST)[0]:04}",
    "Y": lambda m: f"{m.year:04}",
}
ALIKE = {"h": "%I", "i": "%M", "s": "%S", "T": "%H:%M:%S"} | {mark: f"%{mark}" for mark in "dfHIjmSwy"}
"""Codes that Python's strftime has too."""
MARKS |= {mark: lambda m, code=code: m.strftime(code) for mark, code in ALIKE.items()}


def _format(pattern: Value) -> str:
    marks = str(pattern)
    if len(marks) > LONGEST_FORMAT:
        raise Refused(f"date format too long: {len(marks):,} characters, at most {LONGEST_FORMAT:,}")
    return marks


def _date_format(value: Value, pattern: Value) -> str:
    moment = required(value)
    pieces, rest = [], iter(_format(pattern))
    for character in rest:
        mark = next(rest, "") if character == "%" else None
        pieces.append(character if mark is None else MARKS[mark](moment) if mark in MARKS else mark)
    return "".join(pieces)


WIDTHS = {"Y": 4, "j": 3, "f": 6} | dict.fromkeys("ymcdDeHkhlIisS", 2)
SHORTHANDS = {"T": "%H:%i:%S", "r": "%I:%i:%S %p"}


def _str_to_date(value: Value, pattern: Value) -> str | None:
    """Parse a text with a format; a space matches any number of spaces, text after the format is ignored."""
    marks = _format(pattern)
    for mark, meant in SHORTHANDS.items():
        marks = marks.replace(f"%{mark}", meant)
    found: dict[str, Any] = {}
    text, at, i = str(value)[:LONGEST_TEXT], 0, 0
    while i < len(marks):
        character = marks[i]
        if character == "%" and i + 1 < len(marks):
            at = _read_mark(marks[i + 1], text, _after_spaces(text, at), found)
            i += 2
            continue
        i += 1
        if character.isspace():
            at = _after_spaces(text, at)
        elif text[at : at + 1] == character:
            at += 1
        else:
            raise ValueError("the text does not match the format")
    return _assembled(found)


def _after_spaces(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at


def _read_mark(mark: str, text: str, at: int, found: dict[str, Any]) -> int:
    if mark in ("M", "b", "W", "a"):
        names = MONTHS if mark in "Mb" else DAYS
        for number, name in enumerate(names, 1):
            for form in (name, name[:3]):
                if text[at : at + len(form)].casefold() == form.casefold():
                    found["m" if mark in "Mb" else "weekday"] = number
                    return at + len(form)
        raise ValueError("expected the name of a month or a day")
    if mark == "p":
        found["p"] = text[at : at + 2].upper()
        if found["p"] not in ("AM", "PM"):
            raise ValueError("expected AM or PM")
        return at + 2
    if mark not in WIDTHS:
        raise ValueError("unknown code")
    end = at
    while end < min(len(text), at + WIDTHS[mark]) and text[end].isascii() and text[end].isdigit():
        end += 1
    if end == at:
        raise ValueError("expected a number")
    found[mark] = int(f"{text[at:end]:0<6}") if mark == "f" else int(text[at:end])
    if mark == "Y" and end - at <= 2:
        found[mark] += 2000 if found[mark] < 70 else 1900
    return end + (2 if mark == "D" else 0)


def _assembled(found: dict[str, Any]) -> str | None:
    def first(*marks: str) -> int | None:
        return next((found[m] for m in marks if m in found), None)

    hour, half = first("H", "k"), first("h", "l", "I")
    if half is not None:
        if not 1 <= half <= 12:
            raise ValueError("expected an hour from 1 to 12")
        hour = half % 12 + (12 if found.get("p") == "PM" else 0)
    elif "p" in found:
        raise ValueError("AM and PM need an hour from 1 to 12")
    minute, second = first("i") or 0, first("s", "S") or 0
    timed = any(m in found for m in "HkhlIisSf")
    year = first("Y")
    if year is None and "y" in found:
        year = found["y"] + (2000 if found["y"] < 70 else 1900)
    month, day = first("m", "c"), first("d", "e", "D")
    if year is None and month is None and day is None and timed:
        return datetime(1, 1, 1, hour or 0, minute, second, found.get("f", 0)).time().isoformat()
    if "j" in found and year is not None:
        moment = datetime(year, 1, 1) + timedelta(days=found["j"] - 1)
    elif year is None or month is None or day is None:
        return None  # MySQL would return a date with zeros in it.
    else:
        moment = datetime(year, month, day)
    moment = moment.replace(hour=hour or 0, minute=minute, second=second, microsecond=found.get("f", 0))
    return written(moment, timed=timed)


FORMAT_FUNCTIONS: dict[str, tuple[int, Callable[..., Value]]] = {
    "m_date_format": (2, _date_format),
    "m_str_to_date": (2, _str_to_date),
    "m_week": (2, _week),
    "m_yearweek": (2, _yearweek),
}
