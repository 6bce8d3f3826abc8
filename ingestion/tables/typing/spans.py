"""Texts of more than one number: durations, ranges, scores, times of day."""

import re
from dataclasses import dataclass
from decimal import Decimal

from tablerag.ingestion.tables.typing.numbers import read_number
from tablerag.tools.number_words import YEAR, is_year

__all__ = ["DurationReading", "RangeReading", "is_score", "read_clock", "read_duration", "read_range"]

COLONS = re.compile(r"\+?(?:(?P<h>\d{1,3}):)?(?P<m>\d{1,3}):(?P<s>[0-5]\d)(?P<f>[.,]\d{1,3})?")
WORDS = re.compile(
    r"(?:(?P<d>\d+(?:\.\d+)?)\s?(?:d|days?)\b,?\s?)?(?:(?P<h>\d+(?:\.\d+)?)\s?(?:h|hrs?|hours?)\b\.?,?\s?)?"
    r"(?:(?P<m>\d+(?:\.\d+)?)\s?(?:min|mins|minutes?|m|')(?![\w])\.?,?\s?)?(?:(?P<s>\d+(?:\.\d+)?)\s?(?:s|secs?|seconds?|\")(?!\w)\.?)?"
)
DECADE = re.compile(r"(?:1\d|20)\d0s", re.IGNORECASE)
"""1990s are ten years, not seconds."""
RANGE = re.compile(
    r"(?P<low>[^–—~]{1,24}?)\s?(?:–|—|~|\s-\s|-|\bto\b|\bbis\b|\buntil\b)\s?(?P<high>[^–—~]{1,24})", re.IGNORECASE
)
OPEN_END = frozenset({"present", "now", "today", "date", "current", "heute", "...", "?"})
SCORE = re.compile(
    r"(?:[WLDTwldt][.,:]?\s?)?(?:\(?\d{1,3}\)?\s?[-–—:]\s?\(?\d{1,3}\)?(?:\s?[-–—]\s?\d{1,3})?)"
    r"(?:\s?\(?(?:\d{0,2}\s?)?(?:OT|SO|aet|a\.e\.t\.|pens?\.?|ET|AET|p|f/o|ret\.?|[a-z]{1,3}\d?)\)?)?"
    r"(?:[,;]?\s\(?\d{1,3}\s?[-–—:]\s?\d{1,3}\)?(?:\(\d{1,2}\)|\s?[a-z.]{0,6})?)*"
    r"|\d{2,3}(?:-\d{2,3}){2,4}=\d{3}"
)
CLOCK = re.compile(r"(?P<h>\d{1,2})(?:[:.](?P<m>\d{2}))?\s?(?P<half>[ap])\.?m\.?", re.IGNORECASE)
OPEN_YEARS = re.compile(rf"({YEAR})\s?[–—-]")


@dataclass(frozen=True, slots=True)
class DurationReading:
    """A span of time."""

    seconds: Decimal
    is_plain: bool
    """Whether it is only two pairs with a colon, which may also be a time of day."""


@dataclass(frozen=True, slots=True)
class RangeReading:
    """From one number to another; an open end is None."""

    low: Decimal
    high: Decimal | None
    unit: str
    is_years: bool


def read_duration(text: str) -> DurationReading | None:
    """Parse a duration such as 1:02:33.5, 3:45, 2 h 30 min; None if it is not one."""
    if found := COLONS.fullmatch(text):
        hours, minutes = int(found["h"] or 0), int(found["m"])
        if found["h"] and minutes > 59:
            return None
        fraction = Decimal(f"0.{found['f'][1:]}") if found["f"] else Decimal(0)
        seconds = Decimal(hours * 3600 + minutes * 60 + int(found["s"])) + fraction
        return DurationReading(seconds, not found["h"] and not found["f"])
    if DECADE.fullmatch(text):
        return None
    if text[:1].isdigit() and text[-1:] not in "0123456789" and (found := WORDS.fullmatch(text)):
        parts = {k: Decimal(v) for k, v in found.groupdict().items() if v}
        sizes = {"d": 86400, "h": 3600, "m": 60, "s": 1}
        return DurationReading(sum((sizes[k] * v for k, v in parts.items()), Decimal(0)), False) if parts else None
    return None


def read_range(text: str) -> RangeReading | None:
    """Parse a range such as 10-20; None if it is not one or runs downwards."""
    if opened := OPEN_YEARS.fullmatch(text):
        return RangeReading(Decimal(opened[1]), None, "", True)
    found = RANGE.fullmatch(text)
    if not found:
        return None
    low = read_number(found["low"].strip())
    high_text = found["high"].strip()
    if low is None or low.point is None or low.point < 0 or low.is_id:
        return None
    years = is_year(low.point)
    if high_text.casefold() in OPEN_END:
        return RangeReading(low.point, None, low.unit, True) if years else None
    high = read_number(high_text)
    if high is None or high.point is None:
        return None
    top = high.point
    if years and len(high_text) == 2 and high_text.isdigit():
        top = low.point // 100 * 100 + top  # 1990-95
        if top < low.point:
            top += 100  # 1999-00
    if top <= low.point:
        return None
    return RangeReading(low.point, top, high.unit or low.unit, years and is_year(top))


def read_clock(text: str) -> str | None:
    """Return a time of day with a.m. or p.m. as HH:MM; None for anything else."""
    found = CLOCK.fullmatch(text)
    if not found or not 1 <= int(found["h"]) <= 12 or int(found["m"] or 0) > 59:
        return None
    return f"{int(found['h']) % 12 + 12 * (found['half'] in 'pP'):02d}:{int(found['m'] or 0):02d}"


def is_score(text: str) -> bool:
    """Return whether a text may be the result of a game: 2-1, 6-4 6-3, W 3-2."""
    return bool(SCORE.fullmatch(text))
