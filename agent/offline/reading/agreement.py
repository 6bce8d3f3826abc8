"""Whether two results say the same."""

from collections import Counter
from collections.abc import Sequence

from tablerag.tools.records import Cell

__all__ = ["rounded", "same_column"]


def same_column(rows: Sequence[Sequence[Cell]], others: Sequence[Sequence[Cell]], least: int = 0) -> bool:
    """Tell whether two results have a column in common: one may show the name alone, one the name and its value.

    With ``least``, so many cells in common are enough: one may show only the first of several that are equal.
    """
    columns = [Counter(map(rounded, c)) for c in zip(*rows, strict=True)]
    for other in (Counter(map(rounded, c)) for c in zip(*others, strict=True)):
        if any(other == c or 0 < least <= (other & c).total() for c in columns):
            return True
    return False


def rounded(cell: Cell) -> Cell:
    """Return a cell to compare with others, with nine digits of a number."""
    return float(f"{cell:.9g}") if isinstance(cell, int | float) and not isinstance(cell, bool) else cell
