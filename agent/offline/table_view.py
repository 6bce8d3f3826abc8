"""A table as the embedded reasoner sees it: its columns with the values that were read, and their words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tablerag.agent.offline.linking import header_tokens
from tablerag.agent.offline.program import numbers_of
from tablerag.tools.linking.keys import key_of
from tablerag.tools.linking.matching import ValueIndex
from tablerag.tools.records import ROW_ID, TOTAL, Cell, Column, TableSchema
from tablerag.tools.table_rows import TableRows

__all__ = ["ColumnView", "TableView", "leading_number"]

MOSTLY = 0.7
LEADING = re.compile(r"^\D{0,3}?(\d+(?:\.\d+)?)")


def leading_number(text: str) -> float | None:
    """Return the number that a text begins with, but for a sign or symbol before it."""
    found = LEADING.match(text.replace(",", ""))
    return float(found[1]) if found else None


@dataclass
class ColumnView:
    """One column of the document."""

    column: Column
    index: int
    cells: tuple[Cell, ...]
    """Typed values by row."""
    texts: tuple[Cell, ...]
    """What is shown and searched: the raw text where the typed value says less."""

    @property
    def name(self) -> str:
        """The SQL name of the typed column."""
        return self.column.name

    @property
    def shown(self) -> str:
        """The SQL name of the column that is shown and searched."""
        return self.column.raw or self.column.name

    @property
    def is_number(self) -> bool:
        """Whether its values can be summed up."""
        return self.column.type in ("integer", "decimal")

    @property
    def is_date(self) -> bool:
        """Whether its values are days, whole or in part."""
        return self.column.type in ("date", "datetime") or self.is_partial

    @property
    def is_partial(self) -> bool:
        """Whether its days may lack the day or month: ISO 8601 text."""
        return self.column.kind == "partial date"

    @cached_property
    def measure(self) -> str:
        """What to rank by: the typed column, a range's beginning or the numbers that most texts begin with; else ""."""
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
        """The shown texts in lower case, "" for empty cells."""
        return tuple("" if v is None else str(v).casefold() for v in self.texts)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The shown texts without case, accents and punctuation."""
        return tuple(key_of(str(v)) if v is not None else "" for v in self.texts)

    @cached_property
    def by_word(self) -> dict[str, set[int]]:
        """Rows by each word of their texts."""
        found: dict[str, set[int]] = {}
        for row, key in enumerate(self.keys):
            for word in key.split():
                found.setdefault(word, set()).add(row)
        return found

    @cached_property
    def values(self) -> ValueIndex:
        """The distinct texts, to be looked up."""
        return ValueIndex.of({str(v) for v in self.texts if v is not None})

    @cached_property
    def distinct(self) -> int:
        """How many different texts there are."""
        return len(set(self.folded) - {""})

    @cached_property
    def years(self) -> frozenset[int]:
        """The years of its days."""
        if not self.is_date:
            return frozenset()
        return frozenset(int(str(v)[:4]) for v in self.cells if v is not None and str(v)[:4].isdigit())


@dataclass
class TableView:
    """The columns and rows of one table that were read."""

    schema: TableSchema
    columns: tuple[ColumnView, ...]
    row_ids: tuple[int, ...]
    totals: frozenset[int]
    """Places of the rows that sum up others."""
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
        """Whether the table marks rows that sum up others."""
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
