"""The grid of a ruled table: cells divided where words are apart, rows and columns joined, merged cells filled."""

from bisect import bisect_left
from collections.abc import Collection, Sequence

from pdfplumber.table import Table

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.readers.pdf_characters import Character, Spacing, words_of
from tablerag.ingestion.readers.pdf_layout import Word, rows_of
from tablerag.ingestion.readers.pdf_lines import SNAP, Edge
from tablerag.ingestion.readers.pdf_segments import segments_of

__all__ = ["Box", "chars_in", "columns_in", "divide", "fill_spans", "join_columns", "join_rows", "middle"]

SHARED = 2 / 3
"""Least share of rows that have two columns in one cell if these are one column."""
Box = tuple[float, float, float, float]


def middle(char: Edge) -> float:
    """Return the height of a character's centre on its page, in points from the top."""
    return (char["top"] + char["bottom"]) / 2


def chars_in(chars: Sequence[Edge], box: Box) -> list[Edge]:
    x0, top, x1, bottom = box
    return [c for c in chars if x0 <= (c["x0"] + c["x1"]) / 2 < x1 and top <= middle(c) < bottom]


def columns_in(table: Table) -> dict[int, tuple[float, float]]:
    """Return the extent of the narrowest cell in each column."""
    columns: dict[int, tuple[float, float]] = {}
    for row in table.rows:
        for i, box in enumerate(row.cells):
            if box and (i not in columns or box[2] - box[0] < columns[i][1] - columns[i][0]):
                columns[i] = (box[0], box[2])
    return columns


def divide(
    table: Table,
    grid: list[list[RawCell]],
    chars: Sequence[Character],
    columns: dict[int, tuple[float, float]],
    spacing: Spacing,
) -> set[Box]:
    """Divide, in place, the cells that hold a row's values over several columns without lines between them.

    Return the boxes of these cells.
    """
    divided: set[Box] = set()
    for r, row in enumerate(table.rows):
        for box in row.cells:
            if box is None:
                continue
            under = {c: extent for c, extent in columns.items() if box[0] <= sum(extent) / 2 <= box[2]}
            if len(under) < 2 or box in divided:
                continue
            parts = _by_column(words_of(chars_in(chars, box), spacing), under)
            if len(parts) > 1:
                divided.add(box)
                for c in under:
                    grid[r][c] = parts.get(c)
    return divided


def _by_column(words: Sequence[Word], columns: dict[int, tuple[float, float]]) -> dict[int, str]:
    """Return the text in each column, {} unless clear white space separates the columns in each line."""
    parts: dict[int, list[str]] = {}
    for line in rows_of(words):
        seen: set[int] = set()
        for segment in segments_of(line):
            x = (segment.x0 + segment.x1) / 2
            column = min(columns, key=lambda c: abs(sum(columns[c]) / 2 - x))
            if column in seen or not columns[column][0] - SNAP <= x <= columns[column][1] + SNAP:
                return {}
            seen.add(column)
            parts.setdefault(column, []).append(segment.text)
    return {c: "\n".join(lines) for c, lines in parts.items()}


def join_rows(table: Table, grid: list[list[RawCell]]) -> set[int]:
    """Join, in place, rows whose figures are in cells over all of them: the lines of one label, each shaded.

    Return the rows that are empty then. Filled with the figures, they would count them several times.
    """
    tops = [row.bbox[1] for row in table.rows]
    emptied: set[int] = set()
    for r, row in enumerate(table.rows):
        tall = [box for box in row.cells[1:] if box and bisect_left(tops, box[3] - 1) > r + 1]
        if r in emptied or not tall:
            continue
        rows = range(r, max(bisect_left(tops, box[3] - 1) for box in tall))
        label = [str(grid[i][0]) for i in rows if grid[i][0] is not None]
        texts = [
            list(dict.fromkeys(grid[i][c] for i in rows if grid[i][c] is not None)) for c in range(1, len(grid[r]))
        ]
        held = [t for t in texts if t]
        if not label or max(map(len, held), default=2) > 1 or len(tall) < len(held) / 2:
            continue
        if any(c.isdigit() for t in held for c in str(t[0])):
            grid[r] = [" ".join(label), *(t[0] if t else None for t in texts)]
            emptied.update(rows[1:])
            for i in rows[1:]:
                grid[i] = [None] * len(grid[i])
    return emptied


def fill_spans(
    table: Table,
    grid: list[list[RawCell]],
    columns: dict[int, tuple[float, float]],
    divided: Collection[Box],
    joined: Collection[int],
) -> int:
    """Fill, in place, the positions covered by a larger cell that is not divided; return their number."""
    cells = ((r, c, box) for r, row in enumerate(table.rows) for c, box in enumerate(row.cells))
    boxes = [(box, grid[r][c]) for r, c, box in cells if box and box not in divided]
    # Only cells that extend beyond their own column or row can cover another position.
    rows = sorted({box[1] for box, _ in boxes})
    wide = [(b, v) for b, v in boxes if v is not None and _reaches(b, rows, columns)]
    count = 0
    for r, row in enumerate(table.rows):
        if r in joined:
            continue
        y = min((b[1] for b in row.cells if b), default=row.bbox[1]) + 1
        for c, box in enumerate(row.cells):
            if box is not None or c not in columns:
                continue
            x = (columns[c][0] + columns[c][1]) / 2
            owner = next((v for b, v in wide if b[0] <= x <= b[2] and b[1] <= y <= b[3]), None)
            if owner is not None:
                grid[r][c] = owner
                count += 1
    return count


def join_columns(
    table: Table, grid: list[list[RawCell]], columns: dict[int, tuple[float, float]], divided: Collection[Box]
) -> None:
    """Join, in place, neighbouring columns that nearly every row has in one cell: lines within a header part them."""
    places = sorted(columns)
    across = []
    for row in table.rows:
        boxes = [b for b in row.cells if b and b not in divided]
        middles = (sum(columns[place]) / 2 for place in places)
        across.append([next((b for b in boxes if b[0] <= x <= b[2]), None) for x in middles])
    for i in range(len(places) - 1, 0, -1):
        a, b = places[i - 1], places[i]
        same = [cells[i - 1] is not None and cells[i - 1] == cells[i] for cells in across]
        apart = (row for row, one in zip(grid, same, strict=True) if not one)
        if sum(same) >= max(2, SHARED * len(same)) and all(r[a] is None or r[b] in (None, r[a]) for r in apart):
            for row in grid:
                row[a], row[b] = row[b] if row[a] is None else row[a], None


def _reaches(box: Box, rows: Sequence[float], columns: dict[int, tuple[float, float]]) -> bool:
    below = bisect_left(rows, box[1] + 1)
    if below < len(rows) and rows[below] < box[3] - 1:
        return True
    return sum(box[0] <= (a + b) / 2 <= box[2] for a, b in columns.values()) > 1
