"""All that one cell could be: a number, a date, a duration, a range, a score, a time of day or a boolean."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from tablerag.ingestion.document import Amount, RawCell
from tablerag.ingestion.tables.typing.cells import without_marks
from tablerag.ingestion.tables.typing.dates import DateReading, moment, read_date
from tablerag.ingestion.tables.typing.numbers import NumberReading, is_currency, read_number
from tablerag.ingestion.tables.typing.spans import (
    DurationReading,
    RangeReading,
    is_score,
    read_clock,
    read_duration,
    read_range,
)

__all__ = ["PLAIN_DECIMAL", "Reading", "is_plain_number", "read_cell"]

LONGEST_VALUE = 64
"""Longer texts are words."""
PLAIN_DECIMAL = re.compile(r"(?:0|[1-9]\d{0,10})\.(?:\d{1,2}|\d{4,6})")
"""Three digits behind the point may also be thousands."""


@dataclass(frozen=True, slots=True)
class Reading:
    """All that one cell could be."""

    number: NumberReading | None = None
    date: DateReading | None = None
    duration: DurationReading | None = None
    range: RangeReading | None = None
    is_score: bool = False
    clock: str | None = None
    """A time of day told by a.m. or p.m., as HH:MM."""
    boolean: bool | None = None
    """A cell that comes as a boolean."""


NOTHING = Reading()


def read_cell(cell: RawCell) -> Reading:
    """Return the readings of one cleaned cell that is neither empty nor missing."""
    match cell:
        case bool():
            return Reading(boolean=cell)
        case int() | Decimal():
            return Reading(NumberReading(Decimal(cell), Decimal(cell)))
        case float():
            shown = _as_shown(cell)
            value = Decimal(int(shown)) if shown.is_integer() and abs(shown) < 2**53 else Decimal(repr(shown))
            return Reading(NumberReading(value, value))
        case Amount():
            value = Decimal(str(_as_shown(cell.value)))
            return Reading(NumberReading(value, value, cell.unit, is_currency(cell.unit)))
        case datetime() | date():
            return Reading(date=moment(cell))
        case str():
            return _read_text(cell)
    return NOTHING


def _as_shown(number: float) -> float:
    """Return a spreadsheet's number; it shows 15 digits, and more would be binary rounding errors."""
    return float(f"{number:.15g}") if isinstance(number, float) and abs(number) < 1e15 else number


def _read_text(text: str) -> Reading:
    text = without_marks(text)
    if len(text) > LONGEST_VALUE or not any(c.isdigit() for c in text):
        return NOTHING
    number = read_number(text)
    if number and not number.unit:
        is_plain = text.isdigit() or "," in text or (text.count(".") == 1 and text.replace(".", "").isdigit())
        return Reading(number, None if is_plain else read_date(text))
    if text[-1] in "mM." and (clock := read_clock(text)):
        return Reading(clock=clock)
    found = read_date(text)
    if found:
        span = read_range(text.replace("/", "-")) if found.is_season else None
        return Reading(None if number and number.unit else number, found, range=span)
    duration = read_duration(text)
    score = duration is None and is_score(text)
    if number and not score:
        return Reading(number, duration=duration)
    return Reading(number, None, duration, read_range(text), score)


def is_plain_number(text: str) -> bool:
    """Return whether a text is a number in one way only."""
    if len(text) > 15 or not text.isascii():
        return False
    return (text.isdigit() and (text[0] != "0" or len(text) == 1)) or bool(PLAIN_DECIMAL.fullmatch(text))
