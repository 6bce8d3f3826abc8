"""A table's data rows: below the header, without blank rows, repeated headers and section rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.tables.cells import cell_text
from tablerag.ingestion.tables.stacked import Stack

__all__ = ["Body", "BodyRow"]


@dataclass(frozen=True, slots=True)
class BodyRow:
    """A data row: its index in the grid and its cells, those of the row path first."""

    index: int
    cells: list[RawCell]


@dataclass(slots=True)
class Body:
    """Data rows, iterable more than once; a streamed grid is never held in memory."""

    grid: Sequence[list[RawCell]]
    first_row: int
    header: Sequence[Sequence[str]]
    """The header rows as text; rows that repeat one of them are skipped."""
    skipped: frozenset[int] = frozenset()
    """Section rows of the grid, which are not data."""
    paths: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The sections that a grid row belongs to."""
    depth: int = 0
    """Number of path columns."""
    stack: Stack = field(default_factory=Stack)
    """Header rows repeated for other years, which are not data either."""
    kept: Sequence[int] | None = None
    """Grid columns to keep; None for all."""

    def __iter__(self) -> Iterator[BodyRow]:
        repeated = {tuple(texts) for texts in self.header if sum(map(bool, texts)) > 1}
        firsts = {texts[0] for texts in repeated}
        for index, row in enumerate(self.grid):
            if (
                index < self.first_row
                or index in self.skipped
                or index in self.stack.rows
                or row.count(None) == len(row)
            ):
                continue
            if firsts and cell_text(row[0]) in firsts and tuple(map(cell_text, row)) in repeated:
                continue
            if not any(map(cell_text, row)):
                continue
            own = row if self.kept is None else [row[i] for i in self.kept]
            yield BodyRow(index, [*self._path(index), *own] if self.depth else own)

    def repeated_headers(self) -> int:
        """Count the rows skipped because they repeat the header."""
        repeated = {tuple(texts) for texts in self.header if sum(map(bool, texts)) > 1}
        below = enumerate(self.grid[self.first_row :], start=self.first_row)
        return sum(i in self.stack.rows or tuple(map(cell_text, row)) in repeated for i, row in below)

    def _path(self, index: int) -> Sequence[str | None]:
        path = self.paths.get(index, ())[: self.depth]
        return (*path, *[None] * (self.depth - len(path)))
