"""A table with typed columns, ready to be stored."""

from collections.abc import Iterator
from dataclasses import dataclass

from tablerag.ingestion.document import TableBlock
from tablerag.ingestion.tables.body import Body, BodyRow
from tablerag.ingestion.tables.cells import cell_text
from tablerag.ingestion.tables.typing import TypedColumn

__all__ = ["TypedTable"]


@dataclass(slots=True)
class TypedTable:
    """Typed columns with their SQL names, header paths and places (parallel), and the rows that they read."""

    title: str
    names: list[str]
    columns: list[TypedColumn]
    paths: list[tuple[str, ...]]
    places: list[int | None]
    """The source's number of each column, from 1; None for columns that are not in the source."""
    body: Body
    block: TableBlock
    row_count: int
    path_depth: int = 0
    """Number of leading columns that hold sections."""
    totals: frozenset[int] = frozenset()
    """Grid rows that sum up others."""
    sections: frozenset[int] = frozenset()
    """Section rows, which became the path columns."""
    header_rows: int = 1
    header_confidence: float = 1.0
    """Confidence of the detection of the header, from 0 to 1."""
    confidence: float = 1.0
    """The chance that the table was read rightly, from 0 to 1."""
    doubts: tuple[str, ...] = ()
    """What tells against it, the weightiest first; empty if its confidence is high."""
    is_form: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def printed_columns(self) -> list[int]:
        """The indexes of the source's columns, each once: one of counts and percentages is stored as two."""
        kept = list(self.body.kept or range(len(self.columns) - self.path_depth))
        return [self.path_depth + i for i, column in enumerate(kept) if column not in kept[:i]]

    def rows(self) -> Iterator[BodyRow]:
        """Iterate the data rows."""
        return iter(self.body)

    def display_rows(self) -> Iterator[tuple[str, ...]]:
        """Iterate the data rows as text."""
        return map(self.texts, self.body)

    def texts(self, row: BodyRow) -> tuple[str, ...]:
        """Return a row's cells as text, each in the column that has its unit."""
        pairs = zip(self.columns, row.cells, strict=True)
        return tuple("" if c.is_part and c.value(cell) is None else cell_text(cell) for c, cell in pairs)
