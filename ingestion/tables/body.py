"""A table's data rows: below the header, without blank rows, repeated headers and section rows."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from tablerag.ingestion.document import ColumnGrid, CountedGrid, RawCell
from tablerag.ingestion.tables.cells import cell_text
from tablerag.ingestion.tables.stacked import Stack
from tablerag.ingestion.tables.typing.cells import are_clean

__all__ = ["Batch", "Body", "BodyRow"]


@dataclass(frozen=True, slots=True)
class BodyRow:
    """A data row: its index in the grid and its cells, those of the row path first."""

    index: int
    cells: list[RawCell]


@dataclass(frozen=True, slots=True)
class Batch:
    """Data rows by column: their indexes in the grid, and each column's cells, the row path first."""

    indexes: Sequence[int]
    columns: Sequence[Sequence[RawCell]]


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
        repeated = self._repeated()
        firsts = {texts[0] for texts in repeated}
        for index, row in enumerate(self.grid):
            if index < self.first_row or index in self.skipped or index in self.stack.rows:
                continue
            if _is_no_data(row, repeated, firsts):
                continue
            own = row if self.kept is None else [row[i] for i in self.kept]
            yield BodyRow(index, [*self._path(index), *own] if self.depth else own)

    def batches(self, size: int) -> Iterator[Batch]:
        """Yield the same rows by column, up to ``size`` at a time."""
        if self.skipped or self.stack.rows or self.depth:
            rows = iter(self)
            while some := list(islice(rows, size)):
                yield Batch([row.index for row in some], list(zip(*(row.cells for row in some), strict=True)))
            return
        repeated = self._repeated()
        firsts = {texts[0] for texts in repeated}
        index = self.first_row
        for columns in _column_batches(self.grid, self.first_row, size):
            count = len(columns[0])
            doubtful = _doubtful(columns[0], firsts)
            left_out = {i for i in doubtful if _is_no_data([c[i] for c in columns], repeated, firsts)}
            own = columns if self.kept is None else [columns[i] for i in self.kept]
            indexes: Sequence[int] = range(index, index + count)
            if left_out:
                data = [i for i in range(count) if i not in left_out]
                indexes, own = [index + i for i in data], [[column[i] for i in data] for column in own]
            if indexes:
                yield Batch(indexes, own)
            index += count

    def counted(self, stop: int) -> Iterable[Iterable[tuple[Sequence[str], Sequence[int]]]] | None:
        """Return the distinct texts of each column above a grid row, some at a time, and how often each occurs.

        None if the grid cannot count its cells, or if some of its rows are no data.
        """
        grid = self.grid
        if not isinstance(grid, CountedGrid) or self.skipped or self.stack.rows or self.depth:
            return None
        repeated = self._repeated()
        firsts = {texts[0] for texts in repeated}
        doubtful = grid.doubtful(self.first_row, stop, firsts)
        if doubtful is None or any(_is_no_data(row, repeated, firsts) for row in doubtful):
            return None
        return grid.counted(self.first_row, stop)

    def repeated_headers(self) -> int:
        """Count the rows skipped because they repeat the header."""
        repeated = self._repeated()
        below = enumerate(self.grid[self.first_row :], start=self.first_row)
        return sum(i in self.stack.rows or tuple(map(cell_text, row)) in repeated for i, row in below)

    def _repeated(self) -> set[tuple[str, ...]]:
        return {tuple(texts) for texts in self.header if sum(map(bool, texts)) > 1}

    def _path(self, index: int) -> Sequence[str | None]:
        path = self.paths.get(index, ())[: self.depth]
        return (*path, *[None] * (self.depth - len(path)))


def _is_no_data(row: Sequence[RawCell], repeated: Collection[tuple[str, ...]], firsts: Collection[str]) -> bool:
    """Return whether a row is blank or repeats a header row, given the header rows and their first texts."""
    if row.count(None) == len(row):
        return True
    if firsts and cell_text(row[0]) in firsts and tuple(map(cell_text, row)) in repeated:
        return True
    return not any(map(cell_text, row))


def _doubtful(cells: Sequence[RawCell], firsts: set[str]) -> list[int]:
    """Return the places of first cells that are blank or the first of a header row."""
    if are_clean(cells):
        return [i for i, cell in enumerate(cells) if cell in firsts] if not firsts.isdisjoint(cells) else []
    worded = not any(c.isdigit() for text in firsts for c in text)
    texts = ((i, cell_text(c)) for i, c in enumerate(cells) if not (worded and type(c) in (int, float)))
    return [i for i, text in texts if not text or text in firsts]


def _column_batches(grid: Sequence[list[RawCell]], start: int, size: int) -> Iterator[Sequence[Sequence[RawCell]]]:
    """Yield the rows from ``start`` on by column, up to ``size`` at a time."""
    if isinstance(grid, ColumnGrid):
        yield from grid.columns(start, size)
        return
    for first in range(start, len(grid), size):
        yield list(zip(*grid[first : first + size], strict=True))
