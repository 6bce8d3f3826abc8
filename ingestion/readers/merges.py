"""Merged cells: copies the value of the first cell to the others."""

from collections.abc import Sequence

from tablerag.ingestion.readers.grids import MAX_CELLS
from tablerag.ingestion.readers.pieces import Grid, filled
from tablerag.tools.counting import counted

__all__ = ["MergedRange", "cell_warnings", "fill_merges", "merge_warnings"]

MergedRange = tuple[int, int, int, int]
"""First row, first column, last row, last column; from 0, both ends included."""


def fill_merges(grid: Grid, ranges: Sequence[MergedRange]) -> int:
    """Fill merged ranges in place and return their number. The lone title of a row stays in its first cell."""
    if not ranges:
        return 0
    height, width = len(grid), max(map(len, grid), default=0)
    first_used = min((i for row in grid for i, c in enumerate(row) if c is not None), default=0)
    count, budget = 0, MAX_CELLS
    for top, left, bottom, right in ranges:
        if top >= height or left >= width or grid[top][left] is None or (top, left) == (bottom, right):
            continue
        if top == bottom and left == first_used and filled(grid[top]) == [left]:
            continue
        budget -= (min(bottom, height - 1) - top + 1) * (min(right, width - 1) - left + 1)
        if budget < 0:
            # Ranges of real workbooks do not overlap; overlapping ones could take hours.
            break
        value = grid[top][left]
        for row in grid[top : min(bottom, height - 1) + 1]:
            for column in range(left, min(right, width - 1) + 1):
                if row[column] is None:
                    row[column] = value
        count += 1
    return count


def merge_warnings(count: int) -> tuple[str, ...]:
    """Return a warning if merged ranges of a sheet were filled."""
    return _warnings(count, "merged range")


def cell_warnings(count: int) -> tuple[str, ...]:
    """Return a warning if merged cells of a document's table were filled."""
    return _warnings(count, "merged cell")


def _warnings(count: int, noun: str) -> tuple[str, ...]:
    filled_with = "was filled with its value" if count == 1 else "were filled with their value"
    return (f"{counted(count, noun)} {filled_with}",) if count else ()
