"""A column's cells counted by what each could be read as; takes any number of cells in bounded memory."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from tablerag.ingestion.document import Amount, RawCell
from tablerag.ingestion.tables.typing.cells import cleaned, is_missing, text_of_cell, without_marks
from tablerag.ingestion.tables.typing.dates import DateReading, moment, read_date
from tablerag.ingestion.tables.typing.numbers import NumberReading, is_currency, read_number, same_unit
from tablerag.ingestion.tables.typing.spans import (
    DurationReading,
    RangeReading,
    is_score,
    read_clock,
    read_duration,
    read_range,
)
from tablerag.tools.number_words import is_year

__all__ = ["ALONE_BOOLEAN", "BOOLEAN_PAIRS", "ColumnProfile", "Reading", "is_plain_number", "read_cell"]

HELD = 20_000
"""Distinct cells held before they are counted; a short column is counted once, at its end."""
LONGEST_VALUE = 64
"""Longer texts are words."""
HOPELESS = 2_000
"""Cells after which a column whose cells are mostly words is read no further."""
ODD = 5
EXACT_FLOATS = 10**15
"""Spreadsheets keep 15 digits of a number: larger ones were rounded when they were saved."""
SECONDS_TO_MIDNIGHT = 24 * 60
"""24:00 read as minutes and seconds: no time of day reaches it."""
PLAIN_DECIMAL = re.compile(r"(?:0|[1-9]\d{0,10})\.(?:\d{1,2}|\d{4,6})")
"""Three digits behind the point may also be thousands: such are read with care."""
SLIPS = 5
"""So many times as often must numbers be grouped by commas as one shows a decimal comma, to call that a slip."""
GROUPED = re.compile(r"[-−(]?\d{1,3}(?:,\d{3})+\)?")
"""Thousands by commas, or a decimal comma before three digits, which is rarer."""
PHONE = re.compile(r"\+\d{7,15}")
PLAIN_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
NO_DECIMAL = ("comma", "date", "partial", "duration", "range")
BOOLEAN_PAIRS = (
    ("true", "false"), ("yes", "no"), ("y", "n"), ("✓", "✗"), ("✔", "✘"), ("✓", "✕"), ("✔", "✖"), ("√", "×"),
    ("ja", "nein"), ("oui", "non"), ("sí", "no"), ("si", "no"), ("是", "否"), ("有", "无"),
)  # fmt: skip
ALONE_BOOLEAN = frozenset({"✓", "✔", "√"})


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
            value = Decimal(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else Decimal(repr(cell))
            return Reading(NumberReading(value, value))
        case Amount():
            value = Decimal(str(cell.value))
            return Reading(NumberReading(value, value, cell.unit, is_currency(cell.unit)))
        case datetime() | date():
            return Reading(date=moment(cell))
        case str():
            return _read_text(cell)
    return NOTHING


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


@dataclass(slots=True)
class ColumnProfile:
    """Counts of what the cells seen so far could be."""

    filled: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    fits: Counter[str] = field(default_factory=Counter)
    """How many cells fit each kind: point, comma, date, datetime, partial, duration, range, score, boolean."""
    units: Counter[str] = field(default_factory=Counter)
    unit_names: dict[str, str] = field(default_factory=dict)
    signs: Counter[str] = field(default_factory=Counter)
    """What decides how ambiguous cells are to be read, and what kind of number they are."""
    words: set[str] = field(default_factory=set)
    """The first few distinct texts, folded: whether they are a boolean's two."""
    odd: dict[str, list[str]] = field(default_factory=dict)
    """The first few cells that do not fit a kind."""
    examples: dict[str, None] = field(default_factory=dict)
    longest: int = 0
    extent: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Digits before and after the point that numbers need, by convention."""
    changed: Counter[str] = field(default_factory=Counter)
    is_hopeless: bool = False
    beside_commas: bool = False
    """Whether the table's other columns write decimal commas, and none a decimal point."""
    told_comma: bool | None = None
    """Whether a person says that the decimal mark is a comma; None when nobody does."""
    labels: int = 0
    """Labels of total rows, set aside."""
    _texts: Counter[str | None] = field(default_factory=Counter)
    """Texts not read yet: each distinct one is read once."""
    _others: Counter[tuple[type, Any]] = field(default_factory=Counter)
    """The same for cells that come typed; the type keeps TRUE and 1 apart."""

    def add_all(self, cells: Sequence[RawCell]) -> None:
        """Count cells; they are read when many have come together."""
        if all(cell is None or type(cell) is str for cell in cells):
            self._texts.update(cells)
        else:
            for cell in cells:
                if type(cell) is str:
                    self._texts[cell] += 1
                elif cell is not None:
                    self._others[(type(cell), cell)] += 1
        if len(self._texts) + len(self._others) >= HELD:
            self.settle()

    def set_aside(self, label: RawCell) -> None:
        """Count the label of a total row, which says nothing of the column's type."""
        self.labels += 1
        self.longest = max(self.longest, len(text_of_cell(label)))

    @property
    def decimal_comma(self) -> bool:
        """Tell whether the numbers are to be read with a decimal comma."""
        if self.told_comma is not None:
            return self.told_comma
        if self.signs["grouped"] > SLIPS * self.signs["comma"] > 0:
            return False  # 6,120 and 19,929 outvote a slip of the pen such as 1,1024
        return not self.signs["point"] and bool(self.signs["comma"] or self.beside_commas)

    @property
    def is_graded(self) -> bool:
        """Tell whether signs behind the numbers are those of grades, 2+ and 3-, rather than of negative amounts."""
        minus, plus = self.signs["minus behind"], self.signs["plus behind"]
        return bool(minus) and (bool(plus) or not self.signs["long signed"])

    @property
    def is_undecided(self) -> bool:
        """Tell whether nothing in the column says what a point in its numbers means, nor a person."""
        told = any(self.signs[s] for s in ("comma", "point", "native")) or self.told_comma is not None
        return not told and self.extent.get("point", (0, 0))[1] == 3

    @property
    def holds_anything(self) -> bool:
        """Tell whether any cell is not empty."""
        self.settle()
        return bool(self.filled or self.missing or self.labels)

    def settle(self) -> None:
        """Read the cells held back."""
        self._texts.pop(None, None)
        for held, count in (*self._texts.items(), *((cell, n) for (_, cell), n in self._others.items())):
            cell = cleaned(held)
            if is_missing(cell):
                self.missing[str(cell)] += count
            elif cell is not None:
                self._count(cell, count)
        self._texts.clear()
        self._others.clear()
        self.is_hopeless = self.filled > HOPELESS and max(self.fits.values(), default=0) < self.filled / 2

    def _count(self, cell: RawCell, count: int) -> None:
        self.filled += count
        text = text_of_cell(cell)
        self.longest = max(self.longest, len(text))
        if len(self.words) < 4:
            self.words.add(text.casefold())
        if len(self.examples) < ODD:
            self.examples[text] = None
        if self.is_hopeless or self._count_plain(cell, count):
            return
        reading = read_cell(cell)
        fitting = self._kinds(reading, cell)
        for kind in ("point", "comma", "date", "partial", "duration", "range"):
            if kind in fitting:
                self.fits[kind] += count
            elif len(self.odd.setdefault(kind, [])) < ODD:
                self.odd[kind].append(text)
        for kind in fitting - {"point", "comma", "date", "partial", "duration", "range"}:
            self.fits[kind] += count
        if reading.number:
            self._count_number(reading.number, cell, count)
        if reading.date:
            self._count_date(reading.date, cell, count)
        self.signs["told clock"] += count * (reading.clock is not None)
        if reading.duration:
            self.signs["told duration"] += not reading.duration.is_plain
            self.signs["past a day"] += reading.duration.seconds >= SECONDS_TO_MIDNIGHT
        if reading.range:
            self.signs["year range"] += count * reading.range.is_years
            ends = reading.range.low, reading.range.high or Decimal(0)
            self.signs["fraction range"] += any(e != e.to_integral_value() for e in ends)

    def _count_plain(self, cell: RawCell, count: int) -> bool:
        """Count a text that can be one thing only; tell whether it was one. Long columns are made of such."""
        if not isinstance(cell, str) or len(cell) > 15 or not cell.isascii():
            return False
        if cell.isdigit() and (cell[0] != "0" or len(cell) == 1):
            self.fits["comma"] += count
            self.signs["above one"] += cell not in ("0", "1")
            if len(cell) == 4 and is_year(int(cell)):
                self.fits["year"] += count
            self._widen("comma", len(cell), 0)
            self._count_plain_number(cell, count, len(cell), 0)
        elif PLAIN_DECIMAL.fullmatch(cell):
            whole, _, after = cell.partition(".")
            self.signs["point"] += 1
            self.signs["above one"] += whole != "0" and not (whole == "1" and not after.strip("0"))
            if len(whole) < 3 and after.strip("0"):
                self.fits["seconds"] += count
            digits = len(cell) - 1 if whole != "0" else len(after.lstrip("0")) or 1
            self._count_plain_number(cell, count, digits - len(after), len(after))
        elif PLAIN_DATE.fullmatch(cell) and _is_date(cell):
            self.fits["date"] += count
            self.fits["partial"] += count
            self._note_odd(cell, ("point", "comma", "duration", "range"))
        else:
            return False
        return True

    def _count_plain_number(self, cell: str, count: int, whole: int, after: int) -> None:
        self.fits["point"] += count
        self.units[""] += count
        self.unit_names.setdefault("", "")
        self._widen("point", whole, after)
        self._note_odd(cell, ("date", "partial", "duration", "range") if not after else NO_DECIMAL)

    def _widen(self, convention: str, whole: int, after: int) -> None:
        known = self.extent.get(convention, (0, 0))
        self.extent[convention] = max(known[0], whole), max(known[1], after)

    def _note_odd(self, text: str, kinds: Sequence[str]) -> None:
        for kind in kinds:
            if len(odd := self.odd.setdefault(kind, [])) < ODD:
                odd.append(text)

    def _kinds(self, reading: Reading, cell: RawCell) -> set[str]:
        kinds = set()
        number, found = reading.number, reading.date
        if reading.boolean is not None:
            kinds.add("boolean")
        if number:
            kinds |= {k for k, v in (("point", number.point), ("comma", number.comma)) if v is not None}
            if number.point is not None and number.point == number.point.to_integral_value() and not number.unit:
                plain = not isinstance(cell, str) or cell[:4].isdigit()
                kinds |= {"year"} if is_year(number.point) and plain else set()
            elif number.point is not None and not number.unit and number.point < 100:
                kinds.add("seconds")
        if found:
            if found.is_season:
                kinds.add("season")
            if found.is_whole and _exists(found):
                kinds |= {"date", "partial"} | ({"timed"} if found.at is not None else set())
            elif not found.is_whole and found.year is not None and found.at is None:
                kinds.add("partial")
            elif found.year is None and found.at is None:
                kinds.add("yearless")
        kinds |= {"duration"} if reading.duration else set()
        kinds |= {"range"} if reading.range else set()
        kinds |= {"clock"} if reading.clock or (reading.duration and reading.duration.is_plain) else set()
        kinds |= {"score"} if reading.is_score else set()
        return kinds

    def _count_number(self, number: NumberReading, cell: RawCell, count: int) -> None:
        self.signs["above one"] += number.point is None or abs(number.point) > 1
        self.signs["comma"] += number.shows_comma
        self.signs["grouped"] += isinstance(cell, str) and bool(GROUPED.fullmatch(cell))
        self.signs["point"] += number.shows_point
        self.signs["id"] += number.is_id
        self.signs["magnitude"] += count * (number.factor != 1)
        self.signs["native"] += count * (not isinstance(cell, str))
        self.signs["rounded"] += count * (isinstance(cell, float) and abs(cell) >= EXACT_FLOATS)
        self.signs["money"] += count * number.is_currency
        if isinstance(cell, str) and cell[-1:] in "+-−":
            behind = "plus behind" if cell.endswith("+") else "minus behind"
            self.signs[behind] += count
            self.signs["long signed"] += sum(c.isdigit() for c in cell) > 1
        self.signs["phone"] += isinstance(cell, str) and bool(PHONE.fullmatch(cell))
        key = same_unit(number.unit)
        if key:
            self._note_odd(text_of_cell(cell), ("with a unit",))
        self.units[key] += count
        self.unit_names.setdefault(key, number.unit)
        for convention, value in (("point", number.point), ("comma", number.comma)):
            if value is not None:
                _, digits, exponent = value.as_tuple()
                self._widen(convention, len(digits) + exponent, -exponent)
        if isinstance(cell, str) and (number.changed or without_marks(cell) != cell or cell.startswith("(")):
            self.changed["number"] += count

    def _count_date(self, found: DateReading, cell: RawCell, count: int) -> None:
        if found.swapped:
            self.signs["day first"] += found.swapped[0] > 12
            self.signs["month first"] += found.swapped[1] > 12
            self.signs["slashed"] += 1
        self.signs["zone"] += found.has_zone
        self.signs["short year"] += found.short_year
        self.signs["microsecond"] += bool(found.at and found.at.microsecond)
        self.signs["clock"] += count * (found.at not in (None, time()))
        if isinstance(cell, str) and cell != found.iso(day_first=None):
            self.changed["date"] += count


def is_plain_number(text: str) -> bool:
    """Tell whether a text is a number in one way only."""
    if len(text) > 15 or not text.isascii():
        return False
    return (text.isdigit() and (text[0] != "0" or len(text) == 1)) or bool(PLAIN_DECIMAL.fullmatch(text))


def _is_date(text: str) -> bool:
    try:
        return text[0] != "0" and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _exists(found: DateReading) -> bool:
    if found.swapped is None:
        return found.as_date(day_first=None) is not None
    return any(found.as_date(day_first=d) for d in (True, False))
