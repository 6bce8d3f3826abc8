"""Key-value forms: labels with one value each, side by side or under each other, read as a table of two columns."""

from collections.abc import Sequence
from datetime import date

from ingestion.document import RawCell, TableBlock
from ingestion.tables.cells import cell_text, is_period, is_typed, is_words

__all__ = ["FORM_HEADERS", "form_pairs"]

FORM_HEADERS = ("field", "value")
MOST_ROWS = 60
LONGEST_LABEL = 60


def form_pairs(block: TableBlock) -> list[tuple[int, int, list[RawCell]]] | None:
    """Return a form's pairs as (grid row, grid column of the value, [label, value]); None for any other table."""
    grid = block.grid
    if not grid or len(grid) > MOST_ROWS or block.header_rows:
        return None
    width = len(grid[0])
    if width % 2 and not block.is_form:
        return None
    if not block.is_form and not _is_form(grid, width):
        return None
    pairs = []
    for i, row in enumerate(grid):
        for column in range(0, width - 1, 2):
            label, value = cell_text(row[column]).rstrip(": ："), row[column + 1]
            if label or cell_text(value):
                pairs.append((i, column + 1, [label or None, value]))
    return pairs


def _is_form(grid: Sequence[Sequence[RawCell]], width: int) -> bool:
    labels = [row[c] for row in grid for c in range(0, width, 2) if cell_text(row[c])]
    values = [row[c] for row in grid for c in range(1, width, 2) if cell_text(row[c])]
    texts = [cell_text(c) for c in labels]
    if len(labels) < 3 or not all(map(is_words, labels)) or max(map(len, texts)) > LONGEST_LABEL:
        return False
    colons = sum(t.endswith((":", "：")) for t in texts)
    if colons > 0.6 * len(texts):
        return True
    # Without colons: each label once, and values of several kinds under one another.
    kinds = {_kind(v) for v in values}
    first_is_header = is_words(grid[0][1]) if width == 2 else True
    return width == 2 and len(set(texts)) == len(texts) and len(kinds) > 2 and not first_is_header


def _kind(cell: RawCell) -> str:
    if isinstance(cell, date) or (isinstance(cell, str) and not cell_text(cell).isdecimal() and is_period(cell)):
        return "date"
    return "number" if is_typed(cell) else "text"
