"""A table for the embedded reasoner: columns with the values that were read, and their words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tablerag.agent.offline.linking import header_tokens
from tablerag.agent.offline.program import numbers_of
from tablerag.tools.linking.keys import key_of
from tablerag.tools.linking.matching import ValueIndex
from tablerag.tools.records import ROW_ID, TOTAL, Cell, Column, TableSchema
from tablerag.tools.table_rows import TableRows

__all__ = ["ColumnView", "TableView", "leading_number", "shown"]

MOSTLY = 0.7
LEADING = re.compile(r"^\D{0,3}?(\d+(?:\.\d+)?)")


def leading_number(text: str) -> float | None:
    """Return a text's leading number, after up to three symbols; None if it has none."""
    found = LEADING.match(text.replace(",", ""))
    return float(found[1]) if found else None


def shown(row: Sequence[Cell], places: Mapping[str, int], column: Column) -> str:
    """Return a cell's text as in the document; "" for an empty cell."""
    value = row[places[column.raw]] if column.raw and row[places[column.raw]] is not None else row[places[column.name]]
    return "" if value is None else str(value)


@dataclass
class ColumnView:
    """A column of the document."""

    column: Column
    index: int
    cells: tuple[Cell, ...]
    """Typed values by row."""
    texts: tuple[Cell, ...]
    """What to show and search: the raw text if it says more than the typed value."""

    @property
    def name(self) -> str:
        """The SQL name of the typed column."""
        return self.column.name

    @property
    def shown(self) -> str:
        """The SQL name of the column to show and search."""
        return self.column.raw or self.column.name

    @property
    def is_number(self) -> bool:
        """Whether its values can be summed."""
        return self.column.type in ("integer", "decimal")

    @property
    def is_date(self) -> bool:
        """Whether its values are dates, complete or partial."""
        return self.column.type in ("date", "datetime") or self.is_partial

    @property
    def is_partial(self) -> bool:
        """Whether its dates may lack the day or month; they are ISO 8601 text."""
        return self.column.kind == "partial date"

    @cached_property
    def measure(self) -> str:
        """What to rank by: the typed column, a range's start or most texts' leading numbers; else ""."""
        if self.is_number or self.is_date:
            return self.name
        if self.column.low:
            return self.column.low
        filled = [t for t in self.folded if t]
        leading = sum(leading_number(t) is not None for t in filled)
        return numbers_of(self.name) if filled and leading >= MOSTLY * len(filled) else ""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The header's words."""
        return tuple(header_tokens(self.column.header))

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """The texts in lower case, "" for empty cells."""
        return tuple("" if v is None else str(v).casefold() for v in self.texts)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The texts without case, accents and punctuation."""
        return tuple(key_of(str(v)) if v is not None else "" for v in self.texts)

    @cached_property
    def by_word(self) -> dict[str, set[int]]:
        """Row indexes by the words of their texts."""
        found: dict[str, set[int]] = {}
        for row, key in enumerate(self.keys):
            for word in key.split():
                found.setdefault(word, set()).add(row)
        return found

    @cached_property
    def values(self) -> ValueIndex:
        """An index of the distinct texts."""
        return ValueIndex.of({str(v) for v in self.texts if v is not None})

    @cached_property
    def distinct(self) -> int:
        """The number of different texts."""
        return len(set(self.folded) - {""})

    @cached_property
    def years(self) -> frozenset[int]:
        """The years of its dates."""
        if not self.is_date:
            return frozenset()
        return frozenset(int(str(v)[:4]) for v in self.cells if v is not None and str(v)[:4].isdigit())


@dataclass
class TableView:
    """The columns and rows that were read of one table."""

    schema: TableSchema
    columns: tuple[ColumnView, ...]
    row_ids: tuple[int, ...]
    totals: frozenset[int]
    """Indexes of the totals rows."""
    complete: bool
    stored: dict[str, tuple[Cell, ...]] = field(repr=False)
    """All stored columns by name."""

    @classmethod
    def of(cls, schema: TableSchema, read: TableRows) -> "TableView":
        """Turn rows into columns."""
        by_name = dict(zip(read.names, zip(*read.rows, strict=True), strict=True)) if read.rows else {}
        stored = {name: by_name.get(name, ()) for name in read.names}
        columns = tuple(
            ColumnView(c, i, stored[c.name], stored[c.raw] if c.raw else stored[c.name])
            for i, c in enumerate(schema.columns)
            if c.name in stored and (not c.raw or c.raw in stored)  # a connected table may have changed meanwhile
        )
        for column in columns:
            if column.measure and column.measure not in stored:
                stored[column.measure] = tuple(leading_number(t) for t in column.folded)
        count = len(read.rows)
        row_ids = tuple(int(v or 0) for v in stored[ROW_ID]) if ROW_ID in stored else tuple(range(1, count + 1))
        totals = frozenset(i for i, v in enumerate(stored.get(TOTAL, ())) if v)
        return cls(schema, columns, row_ids, totals, read.complete, stored)

    @property
    def has_totals(self) -> bool:
        """Whether the table marks totals rows."""
        return TOTAL in self.schema.hidden_columns

    def column(self, name: str) -> ColumnView | None:
        """Return the column with that SQL name, raw text or measure."""
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> dict[str, ColumnView]:
        return {n: c for c in self.columns for n in (c.name, c.column.raw, c.measure) if n}

    def of_rows(self, name: str, rows: Sequence[int]) -> list[Cell]:
        """Return the values of a stored column in those rows."""
        values = self.row_ids if name == ROW_ID else self.stored[name]
        return [values[i] for i in rows]
