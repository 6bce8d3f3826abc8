"""A column with its type: how its cells become SQL values."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar, cast

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.tables.typing.cell_reading import LONGEST_VALUE, is_plain_number, read_cell
from tablerag.ingestion.tables.typing.cells import are_clean, cleaned, is_missing, text_of_cell, without_marks
from tablerag.ingestion.tables.typing.numbers import same_unit
from tablerag.tools.number_words import SCALE_NAMES
from tablerag.tools.records import ColumnKind, ColumnType

__all__ = ["REWRITTEN", "Number", "SqlValue", "TypedColumn"]

SqlValue = str | int | Decimal | date | datetime | bool | None
REWRITTEN = ("partial date", "clock")
"""Kinds of text columns whose values are written in one way."""
PLAIN_MOMENT = re.compile(
    r"[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])[ T](?:[01][0-9]|2[0-3])(?::[0-5][0-9]){1,2}"
)
"""A day that every month has, with a time."""
PLAIN_DAY = re.compile(r"[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])")
Number = type[Decimal] | type[float]
EXACT = 10**15
MEMO = 50_000
"""Converted cells kept for each column."""
T = TypeVar("T")


def converted(cells: Sequence[RawCell], known: dict[Any, T], convert: Callable[[Any], T]) -> list[T]:
    """Convert cells; each distinct one once, as far as ``known`` reaches. The type keeps TRUE and 1 apart."""
    is_text = set(map(type, cells)) <= {str, type(None)}
    keys: Sequence[Any] = cells if is_text else list(zip(map(type, cells), cells, strict=True))
    new = set(keys).difference(known)
    if len(known) + len(new) > MEMO:
        known.clear()
        new = set(keys)
    known.update((key, convert(key[1] if type(key) is tuple else key)) for key in new)
    return list(map(known.__getitem__, keys))


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
    distinct: int = 0
    """At least the number of distinct cells."""
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
    takes_bare: bool = True
    """Whether a number without a unit has that of the column."""
    is_part: bool = False
    """Whether another column has the cells that do not fit this one."""
    _memo: dict[Any, Any] = field(default_factory=dict, repr=False)
    _ends: dict[Any, tuple[SqlValue, SqlValue]] = field(default_factory=dict, repr=False)

    @property
    def is_literal(self) -> bool:
        """Whether a cell that is a literal of the column's type has just that value."""
        if self.type in ("integer", "decimal"):
            return self.unit_key == "" and not self.has_comma
        return self.type in ("date", "datetime") or (self.type == "text" and self.kind not in REWRITTEN)

    def value(self, cell: RawCell) -> SqlValue:
        """Return a cell's SQL value; None if it is empty, missing or does not fit."""
        if self.type == "text" and self.kind not in REWRITTEN:
            return self.raw(cell)
        if self.unit_key == "" and type(cell) is str and self._is_plain(cell):
            return int(cell) if self.type == "integer" and cell.isdigit() else self._number(Decimal(cell))
        if self.type == "date" and type(cell) is str and PLAIN_DAY.fullmatch(cell):
            return date.fromisoformat(cell)
        if self.type == "datetime" and type(cell) is str and PLAIN_MOMENT.fullmatch(cell):
            return datetime.fromisoformat(cell)
        return self._value(cleaned(cell))

    def values(self, cells: Sequence[RawCell], number: Number) -> list[Any]:
        """Return the SQL values of many cells, decimals of the given type."""
        if self.type == "text" and self.kind not in REWRITTEN:
            return self.raws(cells)
        plain = self._plain_numbers(cells, number) if self.unit_key == "" else None
        return plain if plain is not None else converted(cells, self._memo, self.value)

    def raws(self, cells: Sequence[RawCell]) -> list[Any]:
        """Return the own texts of many cells."""
        filled = [c for c in cells if c is not None] if None in cells else cells
        return list(cells) if are_clean(filled) else [self.raw(c) for c in cells]

    def many_ends(self, cells: Sequence[RawCell]) -> tuple[list[Any], list[Any]]:
        """Return the low and the high ends of many cells."""
        pairs = converted(cells, self._ends, self.ends)
        return [low for low, _ in pairs], [high for _, high in pairs]

    def _plain_numbers(self, cells: Sequence[RawCell], number: Callable[[str], Any]) -> list[Any] | None:
        """Return the values of cells that all are digits with a sign and a point; None if some are not."""
        filled = [c for c in cells if c is not None] if None in cells else cells
        if not self.has_comma and set(map(type, filled)) <= {int, float}:
            return self._own_numbers(cells, cast(Sequence[int | float], filled), number)
        try:
            joined = "\n".join(filled)  # pyright: ignore[reportArgumentType, reportCallIssue]
        except TypeError:
            return None
        digits = joined.replace("\n", "").replace("-", "")
        points = self.type == "decimal" and not self.has_comma
        if points:
            digits = digits.replace(".", "")
        if not (digits.isascii() and digits.isdecimal()) or max(map(len, cast(Sequence[str], filled))) > LONGEST_VALUE:
            return None
        if points and (".\n" in joined or joined.endswith(".")):
            return None
        read: Any = int if self.type == "integer" else number
        try:
            return list(map(read, filled)) if filled is cells else [None if c is None else read(c) for c in cells]
        except (ValueError, InvalidOperation):
            return None  # a sign or a point is not where it is in a number

    def _own_numbers(
        self, cells: Sequence[RawCell], filled: Sequence[int | float], number: Callable[[Any], Any]
    ) -> list[Any] | None:
        """Return the values of numbers that do not come as text; None if some are not exact."""
        if not all([abs(c) < EXACT for c in filled]):
            return None
        if self.type == "integer":
            if any(type(c) is float and not c.is_integer() for c in filled):
                return None
            return [None if c is None else int(c) for c in cast(Any, cells)]
        if number is float:
            return [None if c is None else float(c) for c in cast(Any, cells)]
        return None

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
            if self.unit_key and not number.unit and not self.takes_bare:
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
