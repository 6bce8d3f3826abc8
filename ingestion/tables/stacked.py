"""Tables stacked in one grid: the header is repeated below the rows, for another year."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.tables.cells import cell_text, is_period
from tablerag.ingestion.tables.header_paths import has_year

__all__ = ["Stack", "stacked"]

MONTH_DAY = re.compile(r"[a-z]{3,9}\.? \d{1,2},?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stack:
    """Repeated header rows, the name of each part, and the header cells that differ between parts."""

    rows: frozenset[int] = frozenset()
    names: tuple[tuple[int, str], ...] = ()
    """The first grid row of each part and its distinguishing name."""
    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Texts of the first header that differ between parts, with the texts of all parts."""

    def path(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return a header path for all parts: without the name of a part, differing texts joined."""
        name = self.names[0][1] if self.names else ""
        return tuple(" / ".join(self.changed.get(p, (p,))) for p in path if p != name) or path


def stacked(grid: Sequence[Sequence[RawCell]], first_row: int, count: int) -> Stack:
    """Return the tables stacked below a header of ``count`` rows that ends above ``first_row``."""
    if not count:
        return Stack()
    header = [[cell_text(c) for c in row] for row in grid[first_row - count : first_row]]
    parts = [(first_row, header)]
    i = first_row + 1
    while i + count < len(grid):
        if not _is_alike(header[0][0], cell_text(grid[i][0])):
            i += 1
            continue
        again = [[cell_text(c) for c in row] for row in grid[i : i + count]]
        if _is_again(header, again):
            parts.append((i, again))
            i += count
        i += 1
    places = [
        (r, c) for r, row in enumerate(header) for c, text in enumerate(row) if any(p[r][c] != text for _, p in parts)
    ]
    if not places:
        return Stack()
    names = [_name(part, places) for _, part in parts]
    rows = frozenset(i for start, _ in parts[1:] for i in range(start, start + count))
    changed = {header[r][c]: tuple(dict.fromkeys(p[r][c].rstrip(",") for _, p in parts)) for r, c in places}
    return Stack(rows, tuple(zip((start for start, _ in parts), names, strict=True)), changed)


def _name(part: Sequence[Sequence[str]], places: Sequence[tuple[int, int]]) -> str:
    """Return the name of a part: a date above all differing cells, else all of them."""
    by_row = {r: list(dict.fromkeys(part[r][c] for s, c in places if s == r)) for r, _ in places}
    shared = [texts[0] for texts in by_row.values() if len(texts) == 1]
    return shared[0] if shared else ", ".join(t.rstrip(",") for texts in by_row.values() for t in texts)


def _is_again(header: Sequence[Sequence[str]], again: Sequence[Sequence[str]]) -> bool:
    """Return whether rows repeat the header except for dates; some other cell must be the same."""
    pairs = [
        (a, b) for above, row in zip(header, again, strict=True) for a, b in zip(above, row, strict=True) if a or b
    ]
    same = [a for a, b in pairs if a == b and not _is_dated(a)]
    return bool(same) and all(_is_alike(a, b) for a, b in pairs)


def _is_alike(a: str, b: str) -> bool:
    return a == b or (_is_dated(a) and _is_dated(b))


def _is_dated(text: str) -> bool:
    return has_year(text) or is_period(text) or bool(MONTH_DAY.fullmatch(text))
