"""Dates in many shapes, whole and partial, with and without a time of day."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from functools import lru_cache

from tablerag.tools.number_words import YEAR

__all__ = ["DateReading", "read_date"]

_MONTH_NAMES = (
    "january jan januar jänner janvier janv enero ene gennaio gen janeiro januari",
    "february feb februar février févr fevrier febrero febbraio fevereiro fev februari",
    "march mar mars märz mrz marzo março marco maart mrt",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio mag maio mei",
    "june jun juni juin junio giugno giu junho",
    "july jul juli juillet juil julio luglio lug julho",
    "august aug août aout agosto ago augustus",
    "september sep sept septembre septiembre settembre set setembro",
    "october oct oktober okt octobre octubre ottobre ott outubro out",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro",
)
MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()}
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th|er|\.|º)?"
_WORD = r"(?P<m>[^\W\d_]{3,10})\.?"
_FULL_YEAR = r"(?P<y>\d{4}|'\d{2})"
_OF = r"(?:of |de |d')?"
WEEKDAY = re.compile(
    r"(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\.?,? ",
    re.IGNORECASE,
)
TIME = re.compile(
    r"(?P<rest>.*?)(?:\s?[–—-]\s|,? (?:at )?|T)(?P<h>\d{1,2}):(?P<min>\d{2})(?::(?P<s>\d{2})(?P<f>\.\d{1,6})?)?"
    r"\s?(?P<half>[ap]\.?m\.?)?\s?(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?",
    re.IGNORECASE,
)
SHAPES = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        r"(?P<y>\d{4})(?P<sep>[-/.])(?P<n>\d{1,2})(?P=sep)(?P<d>\d{1,2})\.?",
        r"(?P<a>\d{1,2})(?P<sep>[-/.])\s?(?P<b>\d{1,2})(?P=sep)\s?(?P<y>\d{4}|\d{2})",
        rf"{_DAY}[ -]*{_OF}{_WORD}(?:[ ,-]+|(?<=\.)){_OF}{_FULL_YEAR}",
        rf"{_DAY}-{_WORD}-(?P<short>\d{{2}})",
        rf"{_WORD}[ -]*{_DAY},?[ -]+{_FULL_YEAR}",
        rf"{_FULL_YEAR},?[ -]{_WORD}[ -]{_DAY}",
        r"(?P<y>\d{4})\s?年\s?(?P<n>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]",
        # Partial ones.
        rf"{_WORD},?[ -]*{_OF}{_FULL_YEAR}",
        rf"{_WORD}-(?P<short>\d{{2}})",
        rf"(?P<y>\d{{4}})[ -]{_WORD}",
        rf"(?P<y>{YEAR})[-/](?P<n>0[1-9]|1[0-2])(?P<tail>)",
        rf"(?P<n>0?[1-9]|1[0-2])/(?P<y>{YEAR})",
        r"(?P<y>\d{4})\s?年(?:\s?(?P<n>\d{1,2})\s?月)?",
        rf"{_DAY}[ -]*{_OF}{_WORD}",
        rf"{_WORD}[ -]*{_DAY}",
    )
)
GATE = re.compile(r"\d")
PIVOT = 69
MEMO = 4096
"""Two-digit years from here on are of the last century, as in POSIX."""


@dataclass(frozen=True, slots=True)
class DateReading:
    """The parts of a date that a text gives."""

    year: int | None
    month: int | None
    day: int | None
    swapped: tuple[int, int] | None = None
    """Both parts of a slashed date whose order is unknown (first, second)."""
    at: time | None = None
    has_zone: bool = False
    short_year: bool = False
    is_numeric: bool = False
    """Whether it is only a year and a month, in digits, the year first."""

    @property
    def is_season(self) -> bool:
        """Whether year and month may also be two years: 2008/09."""
        return self.is_numeric and self.month == (self.year or 0) % 100 + 1

    @property
    def is_whole(self) -> bool:
        """Whether day, month and year are known, in any order."""
        return self.year is not None and (self.swapped is not None or None not in (self.month, self.day))

    def as_date(self, *, day_first: bool | None) -> date | None:
        """Return the date; None if it is partial, does not exist or its order is unknown."""
        month, day = self.month, self.day
        if self.swapped is not None:
            if day_first is None:
                return None
            day, month = self.swapped if day_first else (self.swapped[1], self.swapped[0])
        if self.year is None or month is None or day is None:
            return None
        try:
            return date(self.year, month, day)
        except ValueError:
            return None

    def iso(self, *, day_first: bool | None) -> str | None:
        """Return the date in ISO 8601 as far as it is known: YYYY-MM-DD, YYYY-MM or YYYY."""
        whole = self.as_date(day_first=day_first)
        if whole:
            return whole.isoformat()
        if self.year is None or self.swapped is not None or (self.day is not None and self.month is not None):
            return None
        return f"{self.year:04d}-{self.month:02d}" if self.month else f"{self.year:04d}"


@lru_cache(MEMO)
def read_date(text: str) -> DateReading | None:
    """Parse a whole or partial date; None if it is not one. Bare years are numbers first."""
    if not GATE.search(text) or len(text) > 48:
        return None
    at, zone = None, False
    if ":" in text and (timed := TIME.fullmatch(text)):
        at = _time(timed)
        if at is None:
            return None
        text, zone = timed["rest"].strip(), (timed["zone"] or "Z").upper() not in ("Z", "UTC", "GMT", "+00:00", "+0000")
    text = WEEKDAY.sub("", text, count=1) if text[:1].isalpha() else text
    for shape in SHAPES:
        if found := shape.fullmatch(text):
            reading = _reading(found.groupdict())
            if reading is not None:
                return replace(reading, at=at, has_zone=zone)
    return None


def _time(found: re.Match[str]) -> time | None:
    hour, minute, second = int(found["h"]), int(found["min"]), int(found["s"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"][0] in "pP" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    return time(hour, minute, second, round(float(found["f"] or 0) * 1e6))


def _reading(parts: dict[str, str | None]) -> DateReading | None:
    year, short = _year(parts)
    a, b, word, number, in_month = (parts.get(name) for name in ("a", "b", "m", "n", "d"))
    if a:
        first, second = int(a), int(b or 0)
        if first < 1 or second < 1 or max(first, second) > 31 or min(first, second) > 12:
            return None
        return DateReading(year, None, None, (first, second), short_year=short)
    month = MONTHS.get(word.casefold()) if word else int(number) if number else None
    day = int(in_month) if in_month else None
    if (word and month is None) or (month is not None and not 1 <= month <= 12):
        return None
    if day is not None and not 1 <= day <= 31:
        return None
    return DateReading(year, month, day, short_year=short, is_numeric="tail" in parts)


def _year(parts: dict[str, str | None]) -> tuple[int | None, bool]:
    """Return the year and whether it was written in two digits."""
    text = (parts.get("y") or parts.get("short") or "").lstrip("'")
    if not text:
        return None, False
    if len(text) == 2:
        return int(text) + (1900 if int(text) >= PIVOT else 2000), True
    return int(text) or None, False


def moment(cell: datetime | date) -> DateReading:
    """Return the reading of a date or datetime cell."""
    at = cell.time() if isinstance(cell, datetime) else None
    zone = isinstance(cell, datetime) and cell.tzinfo is not None and bool(cell.utcoffset())
    return DateReading(cell.year, cell.month, cell.day, at=at, has_zone=zone)
