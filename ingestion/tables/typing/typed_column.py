"""A column with its type: how its cells become SQL values."""

from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.tables.typing.cell_reading import is_plain_number, read_cell
from tablerag.ingestion.tables.typing.cells import cleaned, is_missing, text_of_cell, without_marks
from tablerag.ingestion.tables.typing.numbers import same_unit
from tablerag.ingestion.tables.typing.units import unit_in
from tablerag.tools.number_words import SCALE_NAMES
from tablerag.tools.records import ColumnKind, ColumnType

__all__ = ["REWRITTEN", "SqlValue", "TypedColumn"]

SqlValue = str | int | Decimal | date | datetime | bool | None
REWRITTEN = ("partial date", "clock")
"""Kinds of text columns whose values are written in one way."""
MEMO = 50_000
CellKey = tuple[type, Any]


@dataclass(slots=True)
class TypedColumn:
    """How a column's cells become SQL values of one type."""

    header: str
    type: ColumnType
    kind: ColumnKind = ""
    unit: str = ""
    """The unit of the numbers, from the cells or the header: "%", a currency, "km", "s" for durations."""
    scale: str = ""
    """ "thousands", "millions": the scale of the printed numbers; values are stored as printed."""
    filled: int = 0
    """Cells with a value."""
    coerced: int = 0
    """Cells whose text differs from the stored value."""
    unfit: int = 0
    """Cells that do not fit: NULL in a typed column; in a text column, why it is not typed."""
    missing: int = 0
    """Cells with a mark for "no value"; NULL unless the column is text."""
    keeps_raw: bool = False
    bounds: ColumnType | None = None
    """The type of a range's low and high end."""
    warnings: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    digits: tuple[int, int] = (0, 0)
    """Most digits before and after the point."""
    longest: int = 0
    """Characters of the longest cell."""
    has_microseconds: bool = False
    has_comma: bool = False
    day_first: bool | None = None
    true_word: str = ""
    fitting: dict[ColumnType, int] = field(default_factory=dict)
    """How many cells would fit other types."""
    unit_key: str | None = None
    """The unit that cells must have; "" for none, None for any."""
    _memo: dict[CellKey, SqlValue] = field(default_factory=dict, repr=False)

    def value(self, cell: RawCell) -> SqlValue:
        """Return a cell's SQL value; None if it is empty, missing or does not fit."""
        if self.type == "text" and self.kind not in REWRITTEN:
            cell = cleaned(cell)
            return None if cell is None else text_of_cell(cell)
        if self.unit_key == "" and not self.kind and type(cell) is str and self._is_plain(cell):
            return int(cell) if self.type == "integer" and cell.isdigit() else self._number(Decimal(cell))
        key = (type(cell), cell)
        if key not in self._memo:
            if len(self._memo) >= MEMO:
                self._memo.clear()
            self._memo[key] = self._value(cleaned(cell))
        return self._memo[key]

    def _is_plain(self, text: str) -> bool:
        return is_plain_number(text) and (not self.has_comma or text.isdigit())

    def as_type(self, wanted: ColumnType) -> "TypedColumn":
        """Return the column with another type; cells that do not fit become NULL and keep their raw text."""
        digits = (38, 10) if wanted == "decimal" else self.digits
        unfit = self.filled - self.fitting.get(wanted, self.filled)
        said = f"column {self.header!r}: type set to {wanted} by the overrides"
        if unfit:
            said += f"; {unfit} of {self.filled} cells did not fit and became NULL"
        return TypedColumn(
            self.header,
            wanted,
            unit=self.unit,
            scale=self.scale,
            filled=self.filled,
            missing=self.missing,
            keeps_raw=wanted != "text",
            examples=self.examples,
            digits=digits,
            longest=self.longest,
            has_microseconds=True,
            has_comma=self.has_comma,
            day_first=self.day_first if self.day_first is not None else True,
            true_word=self.true_word or "yes",
            unfit=unfit,
            warnings=(*self.warnings, said),
        )

    def raw(self, cell: RawCell) -> str | None:
        """Return a cell's own text."""
        cell = cleaned(cell)
        return None if cell is None else text_of_cell(cell)

    def ends(self, cell: RawCell) -> tuple[SqlValue, SqlValue]:
        """Return the low and high end of a range; (None, None) if the cell is not one."""
        cell = cleaned(cell)
        reading = None if cell is None or is_missing(cell) else read_cell(cell)
        if reading and reading.range:
            return self._number(reading.range.low), self._number(reading.range.high)
        if reading and reading.number and reading.number.point is not None:
            return self._number(reading.number.point), self._number(reading.number.point)
        return None, None

    def _number(self, number: Decimal | None) -> SqlValue:
        if number is None:
            return None
        whole = "integer" in (self.type, self.bounds)
        return int(number) if whole and number == number.to_integral_value() else None if whole else number

    def _value(self, cell: RawCell) -> SqlValue:
        if cell is None or is_missing(cell):
            return None
        if self.type == "boolean":
            return cell if isinstance(cell, bool) else text_of_cell(cell).casefold() == self.true_word
        reading = read_cell(cell)
        if self.kind == "duration" and self.unit_key is None:
            if reading.duration:
                return reading.duration.seconds
            return reading.number.point if reading.number and not reading.number.unit else None
        if self.kind == "partial date":
            return self._partial(cell)
        if self.kind == "clock":
            return reading.clock or text_of_cell(cell)
        if self.type in ("integer", "decimal"):
            number = reading.number
            if number is None or (
                self.unit_key is not None and number.unit and same_unit(number.unit) != self.unit_key
            ):
                return None
            if self.unit_key is None and number.unit and self.unit and same_unit(number.unit) != same_unit(self.unit):
                return None
            if self.unit_key == "%" and not number.unit and unit_in(self.header).unit != "%":
                return None
            value = number.comma if self.has_comma else number.point
            if number.factor != 1 and value is not None and self.scale in SCALE_NAMES:
                value = value.scaleb(-SCALE_NAMES[self.scale])  # "1.5bn" in a column of millions is 1500
            return self._number(value)
        if reading.date is None:
            return None
        found = reading.date.as_date(day_first=self.day_first)
        return found if found is None or self.type == "date" else datetime.combine(found, reading.date.at or time())

    def _partial(self, cell: RawCell) -> SqlValue:
        reading = read_cell(cell)
        found = reading.date.iso(day_first=self.day_first) if reading.date else None
        return found or without_marks(text_of_cell(cell))
