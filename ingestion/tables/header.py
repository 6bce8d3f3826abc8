"""Header detection: which leading rows of a grid name its columns.

One plain header row is the common case. What the format marks as header is believed; else the first
rows are scored by what tells names from data: filled, distinct, short, textual above typed cells.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.document import RawCell, TableBlock

__all__ = ["HeaderDecision", "cell_text", "find_header"]

SURE = 0.6
"""Below this confidence the decision is reported as doubtful."""
LONGEST_HEADER = 80
PATH = " > "
NUMERIC = re.compile(r"[-+(]?\s*[$€£¥]?\s*\d[\d,.'\s ]*\s*[%€$£¥)]?")


@dataclass(frozen=True, slots=True)
class HeaderDecision:
    """The headers (one per column), the grid index of the first data row, and how sure that is."""

    headers: list[str]
    first_row: int
    confidence: float
    title: str = ""
    """Text of title rows found above the header."""
    warnings: tuple[str, ...] = ()


def cell_text(cell: RawCell) -> str:
    """Return a cell as one line of text; "" for an empty one."""
    return "" if cell is None else " ".join(str(cell).split())


def find_header(block: TableBlock) -> HeaderDecision | None:
    """Return the header decision, or None when the grid has no data rows or no second filled cell."""
    grid = block.grid
    width = max((len(row) for row in grid), default=0)
    skipped = _title_rows(grid, width)
    title = " ".join(_one_text(row) for row in grid[:skipped])
    rows = grid[skipped:]
    if width < 2 or len(rows) < 2:
        return _single_column(block) if width == 1 else None
    if block.header_rows is not None and block.header_rows > skipped:
        count, confidence = min(block.header_rows - skipped, len(rows) - 1), 1.0
        if count == 0:
            return None
    else:
        count, confidence = _count_header_rows(rows)
    return _decide(rows, count, skipped, confidence, title)


def _single_column(block: TableBlock) -> HeaderDecision | None:
    """A one-column grid is a table only when it has a header over at least two data rows."""
    filled = [row for row in block.grid if cell_text(row[0])]
    if len(filled) < 3 or len(filled) != len(block.grid) or len(cell_text(filled[0][0])) > LONGEST_HEADER:
        return None
    return HeaderDecision([cell_text(filled[0][0])], 1, 0.5, "", ("the header row is a guess: a single column",))


def _decide(
    rows: Sequence[Sequence[RawCell]], count: int, skipped: int, confidence: float, title: str
) -> HeaderDecision:
    warnings = []
    if count == 0:
        warnings.append("no header row was found: columns are numbered")
    if count > 1:
        warnings.append(f"{count} header rows were joined")
    if confidence < SURE:
        warnings.append(f"the header row is a guess (confidence {confidence:.2f})")
    headers = _joined([[cell_text(c) for c in row] for row in rows[:count]], len(rows[0]))
    return HeaderDecision(headers, skipped + count, confidence, title, tuple(warnings))


def _joined(header_rows: list[list[str]], width: int) -> list[str]:
    """Join each column's header cells to a path, repeated parts said once."""
    headers = []
    for column in range(width):
        parts = dict.fromkeys(row[column] for row in header_rows if row[column])
        headers.append(PATH.join(parts) or f"column_{column + 1}")
    return headers


def _one_text(row: Sequence[RawCell]) -> str:
    return next((cell_text(c) for c in row if cell_text(c)), "")


def _title_rows(grid: Sequence[Sequence[RawCell]], width: int) -> int:
    """Count leading rows that hold one text only, alone or repeated over the whole width.

    One text over several columns but not over all is the name of a group of columns.
    """
    count = 0
    for row in grid:
        filled = [text for text in map(cell_text, row) if text]
        is_group = 1 < len(filled) < width
        if width < 3 or len(set(filled)) > 1 or is_group or count >= len(grid) - 2:
            break
        count += 1
    return count


def _looks_typed(cell: RawCell) -> bool:
    """Say whether a cell holds a number, date or boolean rather than words."""
    if cell is None or isinstance(cell, str):
        return bool(NUMERIC.fullmatch(cell_text(cell)))
    return True


def _count_header_rows(rows: Sequence[Sequence[RawCell]]) -> tuple[int, float]:
    """Return how many header rows there are (0 or 1) and the confidence in it."""
    score = _score(rows[0], rows[1 : 1 + 20])
    return (1, min(1.0, score)) if score >= 0.35 else (0, min(1.0, 1 - score))


def _score(first: Sequence[RawCell], body: Sequence[Sequence[RawCell]]) -> float:
    texts = [cell_text(c) for c in first]
    filled = [t for t in texts if t]
    if not filled:
        return 0.0
    # A row of years over numbers is a header too; a row of other numbers hardly ever is.
    words = sum(1 for c, t in zip(first, texts, strict=True) if t and (not _looks_typed(c) or _is_year(t)))
    score = 0.45 * words / len(filled)
    score += 0.2 * len(filled) / len(texts)
    score += 0.15 * (len(set(filled)) == len(filled))
    score -= 0.3 * (max(map(len, filled)) > LONGEST_HEADER)
    contrast = [_contrast(first[i], [row[i] for row in body]) for i in range(len(first))]
    score += 0.35 * max(contrast, default=0.0)
    if words < len(filled) / 2:
        score -= 0.4
    return max(score, 0.0)


def _is_year(text: str) -> bool:
    return text.isdigit() and len(text) == 4 and text[:2] in ("18", "19", "20")


def _contrast(head: RawCell, cells: Sequence[RawCell]) -> float:
    """Return the share of typed cells below a cell of words."""
    filled = [c for c in cells if cell_text(c)]
    if not filled or _looks_typed(head) or not cell_text(head):
        return 0.0
    return sum(map(_looks_typed, filled)) / len(filled)
