"""Turns grids of cells into blocks: separates the tables of a sheet, and their titles and notes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tablerag.ingestion.document import Block, Locator, RawCell, TableBlock, TextBlock
from tablerag.ingestion.readers.pieces import (
    Grid,
    Piece,
    filled,
    is_blank,
    is_lone,
    kind_of,
    split_records,
    split_sheet,
    trimmed,
)
from tablerag.ingestion.tables.typing import Unit, caption_unit
from tablerag.tools.errors import UnreadableDocument

__all__ = [
    "MAX_CELLS",
    "Grid",
    "Sheet",
    "filled",
    "grid_blocks",
    "is_blank",
    "is_frame",
    "padded",
    "row_text",
    "too_large",
]

NOTE = re.compile(
    r"(source|sources|note|notes|quelle|hinweis|anmerkung|remark|remarks|fuente|nota|来源|资料来源|注|备注|说明|出典|注記)"
    r"(?:s?\b|[:：])|[*†‡※]|\(?\d\)\s|prepared by|(?:data )?extracted (?:on|from)\b|last updated?\b|制表|填表",
    re.IGNORECASE,
)
LABELLED = re.compile(r".{1,40}[:：]\s*$")
INLINE = re.compile(r"[^:：]{1,40}[:：]\s*\S.{0,60}$")
"""Matches a label and its value in one cell."""
DAY = re.compile(r"第?\d{1,4}\s?[年页/.-]\s?(?:共?\d{1,2}\s?[月页/.-]?\s?(?:\d{1,4}\s?[日号]?)?)?$")
BRACKETED = re.compile(r"[(（\[【].{1,60}[)）\]】]")
MOST_TITLES = 3
MAX_TITLE = 120
SPARSE_ROWS, SPARSE_CELLS = 3, 2
LEAST_LONE = 3
"""Names that a header without rows has in a workbook."""
OF_ALL = re.compile(r"\b(?:all|amounts|figures|values)\b|^in\b", re.IGNORECASE)
LEGEND = re.compile(r"(?:legend|legende|légende|key|symbols?(?: used)?|notes?)\s*:", re.IGNORECASE)
"""Opens the explanations of marks below a table."""
PIVOT_LABELS = frozenset({"Row Labels", "Zeilenbeschriftungen", "Étiquettes de lignes", "Etiquetas de fila"})
"""The first cell of the header of a pivot table in a workbook."""
MOST_LINES = 5
LONG_CELL = 80
LONG_TITLE = 20
TABLE_NUMBER = re.compile(r"(?:table|tab\.?|tabelle|tableau)?\s?[A-Z]?\d{1,2}(?:\.\d{1,2})?[a-z]?[.:]?", re.IGNORECASE)
LONG_NOTE = 60
"""A longer lone text at the end of a table is a note, not a row without values."""
MAX_CAPTION = 300
MAX_CELLS = 30_000_000
"""The most cells of a grid, including blank ones, which fit into a few hundred megabytes."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a source states about a grid besides its cells."""

    name: str | None = None
    is_lettered: bool = False
    """Whether its columns have letters, as in a spreadsheet."""
    warnings: tuple[str, ...] = ()
    hidden: bool = False
    hidden_rows: frozenset[int] = frozenset()
    """The source's own numbers, from 1."""
    is_records: bool = False
    """Whether it is a file of records rather than a layout for people."""
    decimal_comma: bool = False
    """Whether ambiguous numbers have decimal commas."""
    indents: Mapping[int, int] = field(default_factory=dict)
    """Indentation levels by the source's row number; other rows have none."""


def padded(rows: Sequence[Sequence[RawCell]], where: str = "the table") -> Grid:
    """Pad rows to one length, with blank cells as None; raise UnreadableDocument for too many cells."""
    width = max(map(len, rows), default=0)
    if len(rows) * width > MAX_CELLS:
        raise too_large(where, len(rows), width)
    return [
        [None if type(c) is str and (not c or c.isspace()) else c for c in row] + [None] * (width - len(row))
        for row in rows
    ]


def too_large(where: str, rows: int, columns: int) -> UnreadableDocument:
    """Return the error for a grid of more cells than are read."""
    return UnreadableDocument(
        f"{where} spans {rows:,} rows x {columns:,} columns, more than {MAX_CELLS:,} cells: "
        "delete cells far from the tables, or split the file"
    )


def is_frame(grid: Sequence[Sequence[RawCell]]) -> bool:
    """Return whether only one row or column of a table is filled, as in a frame around text."""
    rows = [places for row in grid if (places := filled(row))]
    return len(rows) < 2 or len({i for places in rows for i in places}) < 2


def row_text(row: Sequence[RawCell]) -> str:
    """Return a row's cells as text, "" if it is blank; a text in all columns of a merged cell comes once."""
    texts = [str(row[i]).strip() for i in filled(row)]
    return " | ".join(t for i, t in enumerate(texts) if not i or t != texts[i - 1] or kind_of(t) != "text")


def grid_blocks(grid: Grid, sheet: Sheet | None = None, *, one_column: bool = False) -> list[Block]:
    """Return the tables and texts of a sheet in reading order; its first row is the source's row 1.

    With ``one_column`` a single column is a table too (a CSV file of one column).
    """
    sheet = sheet or Sheet()
    pieces = split_records(grid) if sheet.is_records else split_sheet(grid)
    wide = any(p.width > 1 and len(p.grid) > 1 for p in pieces)
    header = _lone_header(pieces, least=2 if sheet.is_records else LEAST_LONE)
    blocks: list[Block] = []
    for piece in pieces:
        if piece is header:
            blocks.append(replace(_table(trimmed(piece), sheet, piece.caption), is_header=True))
            continue
        is_table = piece.width > 1 or _is_list_table(piece, wide, one_column)
        if len(piece.grid) > 1 and is_table and not (piece.width > 1 and _is_sparse(piece)):
            blocks += _table_blocks(piece, sheet)
        else:
            blocks += _texts(piece, sheet, range(len(piece.grid)))
    return _with_captions_from_above(blocks)


def _lone_header(pieces: Sequence[Piece], least: int) -> Piece | None:
    """Return the only row of several cells in a sheet or file, if all of it are names: a table without rows."""
    wide = [p for p in pieces if p.width > 1]
    if len(wide) != 1 or len(wide[0].grid) > 1:
        return None
    cells = [wide[0].grid[0][i] for i in filled(wide[0].grid[0])]
    words = all(isinstance(c, str) and kind_of(c) == "text" and len(c) <= LONG_CELL for c in cells)
    return wide[0] if words and len(set(cells)) == len(cells) >= least and not _states(cells) else None


def _texts(piece: Piece, sheet: Sheet, rows: Sequence[int]) -> list[Block]:
    return [TextBlock(row_text(piece.grid[i]), _locator(piece, sheet, i, i)) for i in rows if filled(piece.grid[i])]


def _is_list_table(piece: Piece, wide: bool, one_column: bool) -> bool:
    if piece.width > 1 or wide:
        return False
    return one_column or all(len(str(row[0])) <= LONG_CELL for row in piece.grid)


def _table_blocks(piece: Piece, sheet: Sheet) -> list[Block]:
    """Return a table with its title rows as caption and its note rows as text blocks."""
    beside, piece = _without_note_beside(piece, sheet)
    top, bottom = _lines_above(piece), len(piece.grid)
    is_pivot = piece.grid[top][0] in PIVOT_LABELS
    labelled: list[int] = []
    if piece.width > 1:
        places = [filled(row) for row in piece.grid]
        first, most = min(p[0] for p in places if p), max(map(len, places))
        if not top and _is_numbered_title(piece.grid[0]):
            top += 1
        while top < bottom - 2 and (is_lone(piece.grid[top]) or _is_labelled(piece.grid[top], most)):
            labelled += [] if is_lone(piece.grid[top]) else [top]
            top += 1
        bottom = _legend_row(piece, top + 2)
        while bottom > top + 2 and _is_note(piece, bottom - 1, first):
            bottom -= 1
    if labelled and top - labelled[0] == len(piece.grid) - 2 - labelled[0]:
        top, labelled = labelled[0], []  # all lines have labels: a form
    apart = frozenset(labelled)
    titles = list(dict.fromkeys(row_text(piece.grid[i]) for i in range(top) if i not in apart))
    caption = " – ".join([*([piece.caption] if piece.caption else []), *titles])
    above = _texts(piece, sheet, labelled)
    if len(caption) > MAX_CAPTION:
        caption = titles[-1] if titles and len(titles[-1]) <= MAX_CAPTION else ""
        texts = _texts(piece, sheet, [i for i in range(top) if i not in apart])
        above += [b for b in texts if isinstance(b, TextBlock) and b.text != caption]
    body = trimmed(replace(piece, grid=piece.grid[top:bottom], rows=piece.rows[top:bottom]))
    table = replace(_table(body, sheet, caption), header_rows=1 if is_pivot else None)
    return [*beside, *above, table, *_texts(piece, sheet, range(bottom, len(piece.grid)))]


def _legend_row(piece: Piece, least: int) -> int:
    """Return the row, from ``least`` on, that opens the legend at the end of a wide table; the row count if none does.

    Each row of a legend has a mark and its meaning at most.
    """
    start = end = len(piece.grid)
    while start > least and piece.width > 3 and all(i < 2 for i in filled(piece.grid[start - 1])):
        start -= 1
    found = (i for i in range(start, end) if is_lone(piece.grid[i]) and LEGEND.fullmatch(row_text(piece.grid[i])))
    return next(found, end)


def _lines_above(piece: Piece) -> int:
    """Return how many rows are above a table's header: titles, addresses or, in a pivot table, what it counts.

    0 unless the header names every column and a row above it is one text over several of them, from the first on: rows
    of a header that name groups of columns leave the first column out.
    """
    for i, row in enumerate(piece.grid[: MOST_LINES + 1]):
        if row[0] in PIVOT_LABELS:
            return i
        names = _once(row)
        if len(filled(row)) == piece.width > 3 and len(names) > 3:
            words = all(isinstance(c, str) and kind_of(c) == "text" for c in names) and len(set(names)) == len(names)
            return i if words and i < len(piece.grid) - 2 and any(_is_wide(r, row) for r in piece.grid[:i]) else 0
        if len(set(names)) > 2 or is_blank(row[0]) or not all(isinstance(c, str) for c in names):
            return 0
    return 0


def _is_wide(line: Sequence[RawCell], header: Sequence[RawCell]) -> bool:
    """Return whether a line is written over several names of a header, from the first on."""
    return line[0] == line[1] and header[0] != header[1]


def _without_note_beside(piece: Piece, sheet: Sheet) -> tuple[list[Block], Piece]:
    """Return the note that is the whole last column as a text, and the piece without that column.

    Such a note is one text, in some rows only: it is long, or says the unit of all ("All loans are in EUR"). Without
    one, return no blocks and the whole piece.
    """
    said = [i for i, row in enumerate(piece.grid) if not is_blank(row[-1])]
    texts = {str(piece.grid[i][-1]).strip() for i in said}
    if sheet.is_records or len(texts) > 1 or piece.width < 3 or len(said) == len(piece.grid):
        return [], piece
    (text,) = texts
    is_of_all = OF_ALL.search(text) and caption_unit(text) != Unit()
    if kind_of(text) != "text" or (len(text) <= LONG_NOTE and not is_of_all):
        return [], piece
    rest = piece.narrowed(range(piece.width - 1))
    if not all(filled(row) for row in rest.grid):
        return [], piece
    return [TextBlock(text, _locator(piece, sheet, said[0], said[-1]))], rest


def _table(body: Piece, sheet: Sheet, caption: str) -> TableBlock:
    return TableBlock(
        body.grid,
        _locator(body, sheet, 0, len(body.grid) - 1),
        caption,
        warnings=sheet.warnings,
        source_rows=body.rows,
        source_columns=body.columns if sheet.is_lettered else None,
        indents=[sheet.indents.get(r, 0) for r in body.rows] if sheet.indents else None,
        hidden_rows=frozenset(i for i, r in enumerate(body.rows) if r in sheet.hidden_rows),
        hidden=sheet.hidden,
        is_records=sheet.is_records,
        decimal_comma=sheet.decimal_comma,
    )


def _is_labelled(row: Sequence[RawCell], most: int) -> bool:
    """Return whether a row above one of ``most`` cells only states facts: "Month: | May", "Month: May", a date."""
    cells = _once(row)
    return bool(cells) and len(cells) < most and _states(cells)


def _is_numbered_title(row: Sequence[RawCell]) -> bool:
    """Return whether a row of a wider table holds only its number and its title: 5 | Earnings by month."""
    places = filled(row)
    number, title = [str(row[i]).strip() for i in places] if len(places) == 2 else ("", "")
    return places == [0, 1] and len(row) > 3 and len(title) > LONG_TITLE and bool(TABLE_NUMBER.fullmatch(number))


def _once(row: Sequence[RawCell]) -> list[RawCell]:
    """Return a row's filled cells, with merged ones once."""
    places = filled(row)
    return [row[i] for n, i in enumerate(places) if not n or row[i] != row[places[n - 1]]]


def _states(cells: Sequence[RawCell]) -> bool:
    """Return whether cells are labels with values, in one cell or two, or dates, with at least one label."""
    labels = 0
    left = list(cells)
    while left:
        cell = left.pop(0)
        text = str(cell).strip()
        if isinstance(cell, str) and LABELLED.match(text):
            labels += 1
            if left and not (isinstance(left[0], str) and LABELLED.match(left[0].strip())):
                left.pop(0)
        elif isinstance(cell, str) and INLINE.match(text):
            labels += 1
        elif not (kind_of(cell) == "date" or DAY.match(text)):
            return False
    return labels > 0


def _is_sparse(piece: Piece) -> bool:
    """Return whether a few rows hold only scattered titles, labels and signatures."""
    if len(piece.grid) > SPARSE_ROWS:
        return False
    rows = [_once(row) for row in piece.grid]
    words = all(isinstance(c, str) and kind_of(c) == "text" for r in rows for c in r)
    few = piece.width > SPARSE_CELLS and max(map(len, rows)) <= SPARSE_CELLS and words
    return few or (all(len(r) == 1 or _states(r) for r in rows) and sum(len(r) == 1 for r in rows) * 2 >= len(rows))


def _is_note(piece: Piece, index: int, first: int) -> bool:
    """Return whether a row is a note, given the first column that any row fills."""
    row = piece.grid[index]
    places = filled(row)
    if not places:
        return True
    if not is_lone(row):
        return False
    text = str(row[places[0]]).strip()
    return (places[0] == first and bool(NOTE.match(text))) or (len(text) > LONG_NOTE and piece.width > 2)


def _with_captions_from_above(blocks: list[Block]) -> list[Block]:
    """Make the lines above a table, with one blank row between, its caption.

    A caption in brackets, such as "(in thousands)", is not a title: the title is the line above it.
    """
    merged: list[Block] = []
    for block in blocks:
        if isinstance(block, TableBlock) and (not block.caption or BRACKETED.fullmatch(block.caption)):
            titles: list[str] = []
            reach = 2 + bool(block.caption)
            while merged and len(titles) < MOST_TITLES and (text := _near(merged[-1], block, reach + len(titles))):
                titles.insert(0, text)
                merged.pop()
            block = replace(block, caption=" – ".join([*titles, *([block.caption] if block.caption else [])]))
        merged.append(block)
    return merged


def _near(above: Block, table: TableBlock, reach: int) -> str:
    """Return the text above a table if it may be its title, else ""."""
    rows, table_rows = above.locator.rows, table.locator.rows
    if not isinstance(above, TextBlock) or not rows or not table_rows or not 1 <= table_rows[0] - rows[1] <= reach:
        return ""
    is_title = len(above.text) <= MAX_TITLE and " | " not in above.text and not NOTE.match(above.text)
    return above.text if is_title else ""


def _locator(piece: Piece, sheet: Sheet, first: int, last: int) -> Locator:
    rows = (piece.rows[first], piece.rows[last])
    columns = (piece.columns[0], piece.columns[-1]) if sheet.is_lettered and first != last else None
    return Locator(sheet=sheet.name, rows=rows, columns=columns)
