"""Key-value forms: labels with one value each, side by side or under each other, read as a table of two columns."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from tablerag.ingestion.document import RawCell, TableBlock
from tablerag.ingestion.tables.cells import cell_text, is_period, is_typed, is_words
from tablerag.ingestion.tables.typing.cell_reading import read_cell
from tablerag.ingestion.tables.typing.cells import is_missing

__all__ = ["FORM_HEADERS", "form_pairs"]

FORM_HEADERS = ("field", "value")
MOST_ROWS = 60
LONGEST_LABEL = 60
SHORT_LABEL = 24
"""Labels without a colon are short."""
TYPED_SHARE = 0.8
MOST_NAME_WORDS = 4
LEAST_LABELS = 6
"""Labels of a form of two rows."""
COLONS = (":", "：")
Pair = tuple[int, int, list[RawCell]]
"""Grid row, grid column of the value, and label with value."""


def form_pairs(block: TableBlock) -> list[Pair] | None:
    """Return a form's pairs as (grid row, grid column of the value, [label, value]); None for other tables."""
    grid = block.grid
    if not grid or len(grid) > MOST_ROWS or block.header_rows or len(grid[0]) < 2:
        return None
    if block.is_form:
        rows = [[(0, row[0]), (1, row[1])] for row in grid]
    else:
        rows = [_once(row) for row in grid]
        if not _is_form(rows):
            return None
    pairs: list[Pair] = []
    for i, cells in enumerate(rows):
        for (_, label), (column, value) in zip(cells[::2], cells[1::2], strict=False):
            text = cell_text(label).rstrip(": ：")
            if text or cell_text(value):
                pairs.append((i, column, [text or None, value]))
    return pairs


def _once(row: Sequence[RawCell]) -> list[tuple[int, RawCell]]:
    """Return a row's cells with their columns, merged cells once, without trailing blanks."""
    cells = [(i, c) for i, c in enumerate(row) if not i or not cell_text(c) or cell_text(c) != cell_text(row[i - 1])]
    while len(cells) > 2 and not cell_text(cells[-1][1]) and not cell_text(cells[-2][1]):
        cells = cells[:-2]
    return cells if len(cells) % 2 == 0 else [*cells, (cells[-1][0], None)] if cell_text(cells[-1][1]) else cells[:-1]


def _is_form(rows: Sequence[Sequence[tuple[int, RawCell]]]) -> bool:
    pairs = [(a[1], b[1]) for cells in rows for a, b in zip(cells[::2], cells[1::2], strict=False)]
    labels = [label for label, value in pairs if cell_text(label) or cell_text(value)]
    texts = [cell_text(label) for label in labels]
    if len(rows) < 2 or len(labels) < 3 or max(map(len, texts)) > LONGEST_LABEL:
        return False
    if not all(is_words(label) or is_missing(cell_text(label)) for label in labels):
        return False
    if sum(t.endswith(COLONS) for t in texts) > 0.6 * len(texts):
        return True
    # Without colons: each label once and short, no header over typed values, and values of several kinds.
    if len(set(texts)) < len(texts) or max(map(len, texts)) > SHORT_LABEL or _is_headed(rows):
        return False
    widest = max(map(len, rows))
    if len(rows) < 3 and len(labels) < LEAST_LABELS:
        return False
    if widest == 2 and all(map(_explains, (v for _, v in pairs))):
        return True
    # A first row of words may still be a header: its values count only if they are typed.
    kinds = [
        {
            _kind(cells[i][1])
            for n, cells in enumerate(rows)
            if i < len(cells) and _says(cells[i][1]) and (n or not is_words(cells[i][1]))
        }
        for i in range(1, widest, 2)
    ]
    return any(len(k) > (2 if widest == 2 else 1) for k in kinds)


def _is_headed(rows: Sequence[Sequence[tuple[int, RawCell]]]) -> bool:
    """Return whether the first row holds words only and some column below it mostly typed cells."""
    first = [c for _, c in rows[0] if cell_text(c)]
    if not all(map(is_words, first)):
        return False
    for i in range(max(map(len, rows))):
        below = [_kind(cells[i][1]) for cells in rows[1:] if i < len(cells) and cell_text(cells[i][1])]
        kind, count = Counter(below).most_common(1)[0] if below else ("text", 0)
        if kind != "text" and count >= TYPED_SHARE * len(below):
            return True
    return False


def _explains(value: RawCell) -> bool:
    """Return whether a value is a phrase, as in a legend; column names begin with a capital letter."""
    text = cell_text(value)
    words = text.split()
    return len(words) > 1 and (words[0][:1].islower() or len(words) > MOST_NAME_WORDS)


def _says(cell: RawCell) -> bool:
    return bool(cell_text(cell)) and not is_missing(cell_text(cell))


def _kind(cell: RawCell) -> str:
    if isinstance(cell, date) or (isinstance(cell, str) and not cell_text(cell).isdecimal() and is_period(cell)):
        return "date"
    if not is_typed(cell):
        return "text"
    reading = read_cell(cell if not isinstance(cell, str) else cell_text(cell))
    number = reading.number
    if number is None or number.is_currency or not number.unit:
        return "money" if number and number.is_currency else "number"
    return "percent" if number.unit == "%" else "quantity"
