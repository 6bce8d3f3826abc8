"""Grids of cells to blocks: blank edges trimmed, tables on one sheet kept apart, titles and notes taken off."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from decimal import Decimal

from ingestion.document import Block, Locator, RawCell, TableBlock, TextBlock
from tools.errors import UnreadableDocument

__all__ = ["MAX_CELLS", "Grid", "Piece", "filled", "grid_blocks", "is_blank", "padded"]

Grid = list[list[RawCell]]
NOTE = re.compile(
    r"(source|sources|note|notes|quelle|hinweis|anmerkung|remark|remarks|来源|注)s?\b|[*†‡]", re.IGNORECASE
)
LONG_CELL = 80
MAX_CAPTION = 300
MAX_CELLS = 30_000_000
"""Cells of one grid, blank ones counted: what stays within a few hundred megabytes."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sheet between blank rows; ``first_row`` and ``first_column`` count from 0 in the sheet."""

    grid: Grid
    first_row: int
    first_column: int

    @property
    def width(self) -> int:
        return len(self.grid[0])

    @property
    def end_row(self) -> int:
        return self.first_row + len(self.grid)


def is_blank(cell: RawCell) -> bool:
    """Tell whether a cell is empty or white space."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def filled(row: Sequence[RawCell]) -> list[int]:
    """Return the positions of the cells that are not blank."""
    return [i for i, c in enumerate(row) if c is not None and not is_blank(c)]


def padded(rows: Sequence[Sequence[RawCell]], where: str = "the table") -> Grid:
    """Return rows of one length, blank cells as None; raise UnreadableDocument when that is too much."""
    width = max(map(len, rows), default=0)
    if len(rows) * width > MAX_CELLS:
        raise UnreadableDocument(
            f"{where} spans {len(rows)} rows x {width} columns, more than {MAX_CELLS} cells: "
            "delete what stands far from the rest, or split it"
        )
    return [[None if is_blank(c) else c for c in row] + [None] * (width - len(row)) for row in rows]


def grid_blocks(
    grid: Grid, *, sheet: str | None = None, warnings: tuple[str, ...] = (), one_column: bool = False
) -> list[Block]:
    """Return the tables and texts of a sheet in reading order; its first row is the source's row 1.

    ``one_column`` says that a list of one column is a table too (a CSV file of one column).
    """
    pieces = _pieces(grid)
    wide = any(p.width > 1 and len(p.grid) > 1 for p in pieces)
    blocks: list[Block] = []
    for piece in pieces:
        if len(piece.grid) > 1 and (piece.width > 1 or _is_list_table(piece, wide, one_column)):
            blocks += _table_blocks(piece, sheet, warnings)
        else:
            blocks += [
                TextBlock(_line(row), _locator(piece, sheet, i, i)) for i, row in enumerate(piece.grid) if filled(row)
            ]
    return _with_captions_from_above(blocks)


def _pieces(grid: Grid) -> list[Piece]:
    """Split a sheet at blank rows, then at blank columns where tables stand side by side."""
    pieces = []
    for piece in _split_rows(Piece(grid, 0, 0)):
        beside = _split_columns(piece)
        pieces += beside if len(beside) == 1 else [p for b in beside for p in _split_rows(b)]
    return pieces


def _split_rows(piece: Piece) -> list[Piece]:
    parts: list[Piece] = []
    start: int | None = None
    for i, row in enumerate([*piece.grid, []]):
        blank = not any(c is not None for c in row)
        if not blank and start is None:
            start = i
        elif blank and start is not None:
            part = _trimmed(Piece(piece.grid[start:i], piece.first_row + start, piece.first_column))
            if parts and _continues(parts[-1], part):
                part = _glued(parts.pop(), part)
            parts.append(part)
            start = None
    return parts


def _trimmed(piece: Piece) -> Piece:
    """Return the piece without blank columns at its left and right; its rows are not blank."""
    used = sorted({i for row in piece.grid for i, c in enumerate(row) if c is not None})
    left, right = used[0], used[-1] + 1
    grid = [row[left:right] for row in piece.grid]
    return Piece(grid, piece.first_row, piece.first_column + left)


def _continues(before: Piece, after: Piece) -> bool:
    """Tell whether a blank row merely stands inside a table.

    So it is under a lone header row, above a lone row, and where the kinds of the cells below the
    gap are those above it, with a number or date among them; a new table begins with words.
    """
    left, right = before.first_column, before.first_column + before.width
    if before.width < 2 or after.first_column < left or after.first_column + after.width > right:
        return False
    if len(before.grid) == 1:
        return after.width == before.width and len(filled(before.grid[0])) == before.width
    offset = after.first_column - left
    first = [None] * offset + after.grid[0]
    pairs = [(a, b) for a, b in zip(before.grid[-1], first, strict=False) if a is not None and b is not None]
    kinds = [(_kind(a), _kind(b)) for a, b in pairs]
    alike = bool(kinds) and all(a == b for a, b in kinds)
    if len(after.grid) == 1 and after.width > 1:
        return alike
    return (
        alike and any(k != "text" for k, _ in kinds) and not all(_is_year(b) for _, b in pairs if _kind(b) == "number")
    )


def _kind(cell: RawCell) -> str:
    if isinstance(cell, bool):
        return "boolean"
    if isinstance(cell, (int, float, Decimal)):
        return "number"
    if isinstance(cell, (date, time)):
        return "date"
    return "number" if re.fullmatch(r"[^\w]*\d[\d.,' %€$£-]*", str(cell).strip()) else "text"


def _is_year(cell: RawCell) -> bool:
    return bool(re.fullmatch(r"(1[89]|20)\d\d(\.0)?", str(cell).strip()))


def _glued(before: Piece, after: Piece) -> Piece:
    """Return one piece of both, the blank rows between them kept so that row numbers stay true."""
    left = after.first_column - before.first_column
    right = before.width - left - after.width
    gap: Grid = [[None] * before.width for _ in range(after.first_row - before.end_row)]
    below: Grid = [[None] * left + row + [None] * right for row in after.grid]
    return Piece(before.grid + gap + below, before.first_row, before.first_column)


def _split_columns(piece: Piece) -> list[Piece]:
    """Return the tables that stand side by side, or the piece without its blank columns."""
    used = {i for row in piece.grid for i, c in enumerate(row) if c is not None}
    if len(used) == piece.width:
        return [piece]
    groups: list[list[int]] = []
    for column in sorted(used):
        if groups and groups[-1][-1] == column - 1:
            groups[-1].append(column)
        else:
            groups.append([column])
    heads = [[piece.grid[0][i] for i in g] for g in groups]
    apart = len(piece.grid) > 2 and all(len(g) > 1 for g in groups) and all(_is_head(h) for h in heads)
    # A blank column between single columns is a spacer of one table, as in financial statements.
    for group in groups if apart else [sorted(used)]:
        if not apart:
            return [Piece([[row[i] for i in group] for row in piece.grid], piece.first_row, piece.first_column)]
    return [
        Piece([row[g[0] : g[-1] + 1] for row in piece.grid], piece.first_row, piece.first_column + g[0]) for g in groups
    ]


def _is_head(cells: Sequence[RawCell]) -> bool:
    """Tell whether the cells may head a table of their own: words in each, or a title in the first."""
    words = [isinstance(c, str) and _kind(c) == "text" for c in cells]
    return all(words) or (words[0] and not any(c is not None for c in cells[1:]))


def _is_list_table(piece: Piece, wide: bool, one_column: bool) -> bool:
    if piece.width > 1 or wide:
        return False
    return one_column or all(len(str(row[0])) <= LONG_CELL for row in piece.grid)


def _table_blocks(piece: Piece, sheet: str | None, warnings: tuple[str, ...]) -> list[Block]:
    """Return a table with its title rows as caption, and its note rows as text below."""
    top, bottom = 0, len(piece.grid)
    if piece.width > 1:
        while top < bottom - 2 and _is_lone(piece.grid[top]):
            top += 1
        while bottom > top + 2 and _is_note(piece.grid[bottom - 1]):
            bottom -= 1
    titles = [_line(row) for row in piece.grid[:top]]
    caption = " – ".join(titles)
    above: list[Block] = []
    if len(caption) > MAX_CAPTION:
        caption = titles[-1] if len(titles[-1]) <= MAX_CAPTION else ""
        above = [TextBlock(t, _locator(piece, sheet, i, i)) for i, t in enumerate(titles) if t != caption]
    body = _trimmed(Piece(piece.grid[top:bottom], piece.first_row + top, piece.first_column))
    table = TableBlock(body.grid, _locator(body, sheet, 0, len(body.grid) - 1), caption, warnings=warnings)
    notes = [TextBlock(_line(piece.grid[i]), _locator(piece, sheet, i, i)) for i in range(bottom, len(piece.grid))]
    return [*above, table, *notes]


def _is_lone(row: Sequence[RawCell]) -> bool:
    places = filled(row)
    return len(places) == 1 and isinstance(row[places[0]], str) and _kind(row[places[0]]) == "text"


def _is_note(row: Sequence[RawCell]) -> bool:
    places = filled(row)
    return not places or (places == [0] and _is_lone(row) and bool(NOTE.match(str(row[0]).strip())))


def _with_captions_from_above(blocks: list[Block]) -> list[Block]:
    """Make the one-cell line that stands above a table, one blank row between them, its caption."""
    merged: list[Block] = []
    for block in blocks:
        above = merged[-1] if merged else None
        if (
            isinstance(block, TableBlock)
            and not block.caption
            and isinstance(above, TextBlock)
            and _is_near(above, block)
        ):
            merged[-1] = replace(block, caption=above.text)
        else:
            merged.append(block)
    return merged


def _is_near(text: TextBlock, table: TableBlock) -> bool:
    rows, table_rows = text.locator.rows, table.locator.rows
    short = len(text.text) <= MAX_CAPTION and " | " not in text.text and not NOTE.match(text.text)
    return bool(short and rows and table_rows and 1 <= table_rows[0] - rows[1] <= 2)


def _line(row: Sequence[RawCell]) -> str:
    return " | ".join(str(row[i]).strip() for i in filled(row))


def _locator(piece: Piece, sheet: str | None, first: int, last: int) -> Locator:
    return Locator(sheet=sheet, rows=(piece.first_row + first + 1, piece.first_row + last + 1))
