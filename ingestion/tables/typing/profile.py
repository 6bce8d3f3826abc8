"""A column's cells counted by what each could be; takes any number of cells in bounded memory."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import time
from decimal import Decimal
from itertools import islice
from typing import Any, cast

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.tables.typing.bulk import MOST_WORDS, ODD, read_many, read_others
from tablerag.ingestion.tables.typing.cell_reading import PLAIN_DECIMAL, Reading, read_cell
from tablerag.ingestion.tables.typing.cells import cleaned, is_missing, text_of_cell, without_marks
from tablerag.ingestion.tables.typing.counts import Fits, Odd, Signs
from tablerag.ingestion.tables.typing.dates import DateReading
from tablerag.ingestion.tables.typing.numbers import NumberReading, same_unit
from tablerag.ingestion.tables.typing.shapes import is_date
from tablerag.ingestion.tables.typing.spans import DurationReading, RangeReading
from tablerag.tools.number_words import is_year

__all__ = ["SLIPS", "ColumnProfile"]

TEXTS = frozenset({str, type(None)})
FIRST = 16
"""Distinct cells that are read one by one, for the examples and the odd cells in messages."""
HELD = 20_000
"""Distinct cells held before they are counted; a short column is counted once, at its end."""
HOPELESS = 2_000
"""Cells after which a column of mostly words is read no further."""
SUPPRESSED = frozenset("csuxz")
"""c for confidential, x for not available, z for not applicable."""
EXACT_FLOATS = 10**15
"""Spreadsheets keep 15 digits of a number: larger ones were rounded when they were saved."""
SECONDS_TO_MIDNIGHT = 24 * 60
"""24:00 read as minutes and seconds: no time of day reaches it."""
SLIPS = 5
"""A decimal comma is a slip where this many times as many numbers are grouped by commas."""
GROUPED = re.compile(r"[-−(]?\d{1,3}(?:,\d{3})+\)?")
"""Thousands by commas, or a decimal comma before three digits, which is rarer."""
PHONE = re.compile(r"\+\d{7,15}")
PLAIN_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def _note(odd: list[str], text: str) -> None:
    if len(odd) < ODD:
        odd.append(text)


@dataclass(slots=True)
class ColumnProfile:
    """Counts of what the cells seen so far could be."""

    filled: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    fits: Fits = field(default_factory=Fits)
    signs: Signs = field(default_factory=Signs)
    odd: Odd = field(default_factory=Odd)
    units: Counter[str] = field(default_factory=Counter)
    """Numbers by their unit, "" for none, as numbers.same_unit folds it."""
    unit_names: dict[str, str] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    """The first few distinct texts, folded: whether they are a boolean's two."""
    examples: dict[str, None] = field(default_factory=dict)
    longest: int = 0
    point_digits: tuple[int, int] = (0, 0)
    """Digits before and after the decimal point that the numbers need."""
    comma_digits: tuple[int, int] = (0, 0)
    """The same where the decimal mark is a comma."""
    changed_numbers: int = 0
    """Numbers whose text says more than their value."""
    changed_dates: int = 0
    is_hopeless: bool = False
    beside_commas: bool = False
    """Whether the table's other columns write decimal commas, and none a decimal point."""
    told_comma: bool | None = None
    """Whether the user says that the decimal mark is a comma; None if not set."""
    is_lettered: bool = False
    """Whether letters in brackets number the notes or columns of the table, so that they are no units."""
    distinct: int = 0
    """At least the number of distinct cells: those of every batch."""
    suppressed: int = 0
    """Cells with a letter that statistics print in place of a number."""
    labels: int = 0
    """Labels of total rows, set aside."""
    end_decimals: int = 0
    """Most digits after the point of a range's end."""
    _texts: Counter[str | None] = field(default_factory=Counter)
    """Texts not read yet: each distinct one is read once."""
    _others: Counter[tuple[type, Any]] = field(default_factory=Counter)
    """The same for other cells; the type keeps TRUE and 1 apart."""

    def add_all(self, cells: Sequence[RawCell]) -> None:
        """Count cells; they are read in batches."""
        if set(map(type, cells)) <= TEXTS:
            self._texts.update(cast(Sequence[str | None], cells))
        else:
            self._texts.update(cell for cell in cells if type(cell) is str)
            others = [cell for cell in cells if cell is not None and type(cell) is not str]
            self._others.update(zip(map(type, others), others, strict=True))
        if len(self._texts) + len(self._others) >= HELD:
            self.settle()

    def add_counted(self, texts: Sequence[str], counts: Sequence[int]) -> None:
        """Count texts, each with its number; they are read in batches."""
        self._texts.update(dict(zip(texts, counts, strict=True)))
        if len(self._texts) >= HELD:
            self.settle()

    def set_aside(self, label: RawCell) -> None:
        """Count the label of a total row, which does not decide the column's type."""
        self.labels += 1
        self.longest = max(self.longest, len(text_of_cell(label)))

    @property
    def decimal_comma(self) -> bool:
        """Whether the numbers are read with a decimal comma."""
        if self.told_comma is not None:
            return self.told_comma
        if self.signs.grouped > SLIPS * self.signs.comma > 0:
            return False  # 6,120 and 19,929 outvote a slip such as 1,1024
        return not self.signs.point and bool(self.signs.comma or self.beside_commas)

    @property
    def is_graded(self) -> bool:
        """Whether signs behind the numbers are those of grades, 2+ and 3-, not of negative amounts."""
        return bool(self.signs.minus_behind) and (bool(self.signs.plus_behind) or not self.signs.long_signed)

    @property
    def is_undecided(self) -> bool:
        """Whether neither the column nor the user says what a point in its numbers means."""
        told = self.signs.comma or self.signs.point or self.signs.native or self.told_comma is not None
        return not told and self.point_digits[1] == 3

    @property
    def holds_anything(self) -> bool:
        """Whether any cell is not empty."""
        self.settle()
        return bool(self.filled or self.missing or self.labels)

    def settle(self) -> None:
        """Read the cells held back."""
        self._texts.pop(None, None)
        self.distinct += len(self._texts) + len(self._others)
        self.suppressed += sum(self._texts[t] for t in SUPPRESSED & self._texts.keys())
        held = iter(self._texts.items())
        for cell, count in islice(held, FIRST):
            self.read(cell, count)
        read_many(cast(Any, self), cast(dict[str, int], dict(held)))
        others = iter(self._others.items())
        for (_, cell), count in islice(others, FIRST):
            self.read(cell, count)
        read_others(cast(Any, self), dict(others))
        self._texts.clear()
        self._others.clear()
        self.is_hopeless = self.filled > HOPELESS and self.fits.most() < self.filled / 2

    def read(self, held: RawCell, count: int) -> None:
        """Count one cell that occurs ``count`` times."""
        cell = cleaned(held)
        if is_missing(cell):
            self.missing[str(cell)] += count
        elif cell is not None:
            self._count(cell, count)

    def _count(self, cell: RawCell, count: int) -> None:
        self.filled += count
        text = text_of_cell(cell)
        self.longest = max(self.longest, len(text))
        if len(self.words) < MOST_WORDS:
            self.words.add(text.casefold())
        if len(self.examples) < ODD:
            self.examples[text] = None
        if self.is_hopeless or self._count_plain(cell, count):
            return
        reading = read_cell(cell)
        if reading.number:
            self.count_number(reading.number, cell, count)
        if reading.number is None or reading.number.point is None:
            _note(self.odd.number, text)
        if not (reading.date and self._count_date(reading.date, cell, count)):
            _note(self.odd.date, text)
        if reading.duration:
            self._count_duration(reading.duration, count)
        else:
            _note(self.odd.duration, text)
        if reading.range:
            self._count_range(reading.range, count)
        self._count_others(reading, count)

    def _count_plain(self, cell: RawCell, count: int) -> bool:
        """Count a text that can be one thing only; return whether it was one. Long columns are made of such."""
        if not isinstance(cell, str) or len(cell) > 15 or not cell.isascii():
            return False
        if cell.isdigit() and (cell[0] != "0" or len(cell) == 1):
            self.fits.comma += count
            self.signs.above_one += cell not in ("0", "1")
            if len(cell) == 4 and is_year(int(cell)):
                self.fits.year += count
            self.comma_digits = _wider(self.comma_digits, len(cell), 0)
            self._count_plain_number(cell, count, len(cell), 0)
        elif PLAIN_DECIMAL.fullmatch(cell):
            whole, _, after = cell.partition(".")
            self.signs.point += 1
            self.signs.above_one += whole != "0" and not (whole == "1" and not after.strip("0"))
            if len(whole) < 3 and after.strip("0"):
                self.fits.seconds += count
            digits = len(cell) - 1 if whole != "0" else len(after.lstrip("0")) or 1
            self._count_plain_number(cell, count, digits - len(after), len(after))
        elif PLAIN_DATE.fullmatch(cell) and is_date(cell):
            self.fits.date += count
            self.fits.partial += count
            _note(self.odd.number, cell)
            _note(self.odd.duration, cell)
        else:
            return False
        return True

    def _count_plain_number(self, cell: str, count: int, whole: int, after: int) -> None:
        self.fits.point += count
        self.units[""] += count
        self.unit_names.setdefault("", "")
        self.point_digits = _wider(self.point_digits, whole, after)
        _note(self.odd.date, cell)
        _note(self.odd.duration, cell)

    def count_number(self, number: NumberReading, cell: RawCell, count: int) -> None:
        """Count a number."""
        fits, signs = self.fits, self.signs
        if number.point is not None:
            fits.point += count
            self.point_digits = _wider(self.point_digits, *_digits(number.point))
            if not number.unit and number.point == number.point.to_integral_value():
                fits.year += count * (is_year(number.point) and (not isinstance(cell, str) or cell[:4].isdigit()))
            elif not number.unit and number.point < 100:
                fits.seconds += count
        if number.comma is not None:
            fits.comma += count
            self.comma_digits = _wider(self.comma_digits, *_digits(number.comma))
        signs.above_one += number.point is None or abs(number.point) > 1
        signs.comma += number.shows_comma
        signs.point += number.shows_point
        signs.id += number.is_id
        signs.scaled += count * (number.factor != 1)
        signs.money += count * number.is_currency
        if isinstance(cell, str):
            self._count_text_of_number(cell, number, count)
        else:
            signs.native += count
            signs.rounded += count * (isinstance(cell, float) and abs(cell) >= EXACT_FLOATS)
        key = same_unit(number.unit)
        if key:
            _note(self.odd.with_unit, text_of_cell(cell))
        self.units[key] += count
        self.unit_names.setdefault(key, number.unit)

    def _count_text_of_number(self, text: str, number: NumberReading, count: int) -> None:
        signs = self.signs
        signs.grouped += bool(GROUPED.fullmatch(text))
        signs.phone += bool(PHONE.fullmatch(text))
        if text[-1:] in "+-−":
            signs.plus_behind += count * text.endswith("+")
            signs.minus_behind += count * (not text.endswith("+"))
            signs.long_signed += sum(c.isdigit() for c in text) > 1
        if number.changed or without_marks(text) != text or text.startswith("("):
            self.changed_numbers += count

    def _count_date(self, found: DateReading, cell: RawCell, count: int) -> bool:
        """Count a date; return whether it is a whole one that exists."""
        fits, signs = self.fits, self.signs
        fits.season += count * found.is_season
        is_date = found.is_whole and _exists(found)
        if is_date:
            fits.date += count
            fits.partial += count
            fits.timed += count * (found.at is not None)
        elif found.at is None:
            fits.partial += count * (not found.is_whole and found.year is not None)
            fits.yearless += count * (found.year is None)
        if found.swapped:
            signs.day_first += found.swapped[0] > 12
            signs.month_first += found.swapped[1] > 12
            signs.slashed += 1
        signs.zone += found.has_zone
        signs.short_year += found.short_year
        signs.microsecond += bool(found.at and found.at.microsecond)
        signs.time += count * (found.at not in (None, time()))
        if isinstance(cell, str) and cell != found.iso(day_first=None):
            self.changed_dates += count
        return is_date

    def _count_duration(self, duration: DurationReading, count: int) -> None:
        self.fits.duration += count
        self.fits.clock += count * duration.is_plain
        self.signs.told_duration += not duration.is_plain
        self.signs.past_a_day += duration.seconds >= SECONDS_TO_MIDNIGHT

    def _count_range(self, found: RangeReading, count: int) -> None:
        self.fits.range += count
        self.signs.year_range += count * found.is_years
        ends = (found.low, found.high or Decimal(0))
        self.signs.fraction_range += any(e != e.to_integral_value() for e in ends)
        self.end_decimals = max(self.end_decimals, *(-int(e.as_tuple().exponent) for e in ends))

    def _count_others(self, reading: Reading, count: int) -> None:
        self.fits.boolean += count * (reading.boolean is not None)
        self.fits.score += count * reading.is_score
        self.fits.clock += count * (reading.clock is not None)
        self.signs.told_clock += count * (reading.clock is not None)


def _wider(known: tuple[int, int], whole: int, after: int) -> tuple[int, int]:
    return max(known[0], whole), max(known[1], after)


def _digits(value: Decimal) -> tuple[int, int]:
    _, digits, exponent = value.as_tuple()
    return len(digits) + int(exponent), -int(exponent)


def _exists(found: DateReading) -> bool:
    if found.swapped is None:
        return found.as_date(day_first=None) is not None
    return any(found.as_date(day_first=d) for d in (True, False))
