"""Splits a sheet into pieces that may each be a table, at blank rows, blank columns and headers among numbers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from decimal import Decimal
from itertools import pairwise

from tablerag.ingestion.document import Amount, RawCell
from tablerag.ingestion.tables.typing.cells import is_missing
from tablerag.tools.number_words import SIGNS, YEAR

__all__ = ["Grid", "Piece", "filled", "is_blank", "is_lone", "kind_of", "split_records", "split_sheet", "trimmed"]

Grid = list[list[RawCell]]
NUMERIC = re.compile(rf"[^\w]*\d[\d.,' %{SIGNS}-]*")
YEAR_CELL = re.compile(rf"{YEAR}(\.0)?")
LABELS = 0.6
"""The least share of words in a column of labels."""
MOST_SIGNS, LONGEST_SIGN = 12, 20
MOST_STACKED_ROWS = 5000
"""Longer pieces are records and are not searched for stacked headers."""
HEAD_ROWS = 3
"""Rows that may contain a table's column names."""
MOST_HEAD_ROWS, MOST_GAP, BODY_ROWS = 6, 3, 30
"""Rows of a header above a blank row, rows from its last to the first below, and rows that show the kinds of cells."""
LEAST_NAMED = 2
"""The least number of numeric columns that a stacked header names."""
ROUNDS = 3
"""How often rows and columns are split in turn: layouts are seldom nested."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sheet; ``rows`` and ``columns`` are the sheet's numbers, from 1, of the grid's rows and columns."""

    grid: Grid
    rows: Sequence[int]
    columns: Sequence[int]
    caption: str = ""
    """A title above this piece and those beside it."""

    @property
    def width(self) -> int:
        return len(self.columns)

    def part(self, top: int, bottom: int) -> "Piece":
        """Return the rows from ``top`` up to, but not including, ``bottom``."""
        return replace(self, grid=self.grid[top:bottom], rows=self.rows[top:bottom])

    def narrowed(self, places: Sequence[int]) -> "Piece":
        """Return the columns at some places of the grid."""
        grid = [[row[i] for i in places] for row in self.grid]
        return replace(self, grid=grid, columns=[self.columns[i] for i in places])


def is_blank(cell: RawCell) -> bool:
    """Return whether a cell is empty or white space."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def filled(row: Sequence[RawCell]) -> list[int]:
    """Return the positions of the cells that are not blank."""
    return [i for i, c in enumerate(row) if c is not None and not is_blank(c)]


def is_lone(row: Sequence[RawCell]) -> bool:
    """Return whether a row has one text only, which a merge may repeat."""
    places = filled(row)
    if not places or not isinstance(row[places[0]], str) or kind_of(row[places[0]]) != "text":
        return False
    # A text merged over some columns only names a group of them.
    same = all(row[i] == row[places[0]] for i in places)
    return len(places) == 1 or (same and len(places) == len(row))


def kind_of(cell: RawCell) -> str:
    """Return a cell's apparent kind: boolean, number, date or text."""
    if isinstance(cell, bool):
        return "boolean"
    if isinstance(cell, (int, float, Decimal, Amount)):
        return "number"
    if isinstance(cell, (date, time)):
        return "date"
    return "number" if NUMERIC.fullmatch(str(cell).strip()) else "text"


def split_sheet(grid: Grid) -> list[Piece]:
    """Split a sheet whose first row and column are number 1 into pieces, in reading order."""
    width = max(map(len, grid), default=0)
    pieces = _split_rows(Piece(grid, range(1, len(grid) + 1), range(1, width + 1)))
    for _ in range(ROUNDS):
        cut = [part for piece in pieces for beside in _split_columns(piece) for part in _split_rows(beside)]
        done = len(cut) == len(pieces)
        pieces = cut
        if done:
            break
    return [_without_twins(part) for piece in pieces for part in _split_stacked(piece)]


def split_records(grid: Grid) -> list[Piece]:
    """Split a file of records at blank rows where another table or text begins; a row of words ends no table."""
    width = max(map(len, grid), default=0)
    whole = Piece(grid, range(1, len(grid) + 1), range(1, width + 1))
    pieces: list[Piece] = []
    for part in _split_rows(whole):
        if pieces and _goes_on(pieces[-1], part):
            part = _glued(whole, pieces.pop(), part)
        pieces.append(part)
    return [piece for part in pieces for piece in _split_columns(part)]


def _goes_on(before: Piece, after: Piece) -> bool:
    """Return whether records continue below a blank row: same columns, and no new header over numbers."""
    if before.width < 2 or not _have_same_columns(before, after) or len(before.grid) < 2 or is_lone(after.grid[0]):
        return False
    if after.grid[0] == before.grid[0]:
        return True  # the header again
    ends = (_both_ends(p.grid)[1:] for p in (before, after))
    above, below = ({i for row in rows for i, c in enumerate(row) if _is_number(c)} for rows in ends)
    if bool(above) != bool(above & below):
        return False
    return not below or not all(kind_of(after.grid[0][i]) == "text" for i in below)


def _without_twins(piece: Piece) -> Piece:
    """Remove columns that equal the one before them in every row: both were merged throughout."""
    twins = [
        i
        for i in range(1, piece.width)
        if all(row[i] == row[i - 1] for row in piece.grid) and any(row[i] is not None for row in piece.grid)
    ]
    return piece.narrowed([i for i in range(piece.width) if i not in twins]) if twins else piece


def _split_rows(piece: Piece) -> list[Piece]:
    parts: list[Piece] = []
    start: int | None = None
    for i, row in enumerate([*piece.grid, []]):
        blank = row.count(None) == len(row)
        if not blank and start is None:
            start = i
        elif blank and start is not None:
            part = trimmed(piece.part(start, i))
            if parts and (_heads(parts[-1], part) or _continues(parts[-1], part)):
                part = _glued(piece, parts.pop(), part)
            parts.append(part)
            start = None
    return parts


def trimmed(piece: Piece) -> Piece:
    """Remove blank columns at the left and right; no row may be blank."""
    used = _used(piece.grid)
    return piece.narrowed(range(used[0], used[-1] + 1)) if used and len(used) < piece.width else piece


def _used(grid: Grid) -> list[int]:
    """Return the columns that are not blank."""
    width = max(map(len, grid), default=0)
    used: set[int] = set()
    for row in grid:
        used.update(i for i, c in enumerate(row) if c is not None)
        if len(used) == width:
            break
    return sorted(used)


def _continues(before: Piece, after: Piece) -> bool:
    """Return whether a blank row is inside a table.

    It is below a single header row, above a single row, and if the cells below the gap are of the same kinds as those
    above it, with a number or date among them; a new table begins with words.
    """
    if before.width < 2 or after.columns[0] < before.columns[0] or after.columns[-1] > before.columns[-1]:
        return False
    if len(before.grid) == 1:
        return after.width == before.width and len(filled(before.grid[0])) == before.width
    first = [None] * (after.columns[0] - before.columns[0]) + after.grid[0]
    pairs = [p for p in zip(before.grid[-1], first, strict=False) if not any(map(_is_left_out, p))]
    kinds = [(kind_of(a), kind_of(b)) for a, b in pairs]
    numbers = kinds.count(("number", "number"))
    odd = sum(a != b for a, b in kinds)
    # A word among the numbers says that one of them is missing.
    alike = bool(kinds) and (not odd or (numbers > odd and kinds[0] == ("text", "text")))
    if len(after.grid) == 1 and after.width > 1:
        return alike
    if alike and _have_same_columns(before, after) and _is_of_words(before) and _is_of_words(after):
        return not {str(c).casefold() for c in after.grid[0]} & {str(c).casefold() for c in before.grid[0]}
    return alike and any(k != "text" for k, _ in kinds) and not all(_is_year(b) for _, b in pairs if _is_number(b))


def _is_left_out(cell: RawCell) -> bool:
    """Return whether a cell is blank or has a mark, maybe one letter, in place of a value."""
    return cell is None or is_missing(cell) or (isinstance(cell, str) and len(cell) == 1 and cell.isalpha())


def _heads(before: Piece, after: Piece) -> bool:
    """Return whether rows of words name the columns of numbers below a blank row.

    The names may also be on both sides of it: groups above, and below it names that only differ by their group.
    """
    if len(before.grid) > MOST_HEAD_ROWS or len(after.grid) < 2 or after.rows[0] - before.rows[-1] > MOST_GAP:
        return False
    body = after.grid[1 : 1 + BODY_ROWS]
    numeric = {c for i, c in enumerate(after.columns) if sum(_is_number(r[i]) for r in body) > len(body) / 2}
    named = [{c: row[i] for i, c in enumerate(before.columns) if row[i] is not None} for row in before.grid]
    over = [{c: cell for c, cell in row.items() if c in numeric} for row in named]
    if len(numeric) < 2 or not all(_is_name(cell) for row in over for cell in row.values()):
        return False
    first = {c: after.grid[0][i] for i, c in enumerate(after.columns) if c in numeric and after.grid[0][i] is not None}
    if all(kind_of(cell) == "text" and not is_missing(cell) for cell in first.values()):
        groups = {str(cell) for row in over for cell in row.values()}
        return len(first) == len(numeric) > len(set(map(str, first.values()))) and len(groups) > 1
    return len(over[-1]) >= LABELS * len(numeric) and not all(map(_is_year, over[-1].values()))


def _is_name(cell: RawCell) -> bool:
    """Return whether a cell may name a column: words, but no label with a colon, or a year."""
    is_words = isinstance(cell, str) and kind_of(cell) == "text" and not cell.rstrip().endswith((":", "："))
    return is_words or _is_year(cell)


def _have_same_columns(piece: Piece, other: Piece) -> bool:
    """Return whether columns are the same, as a range or as a list of numbers."""
    return list(piece.columns) == list(other.columns)


def _both_ends(grid: Grid) -> Grid:
    """Return the first and the last rows, which show the kinds of all: a piece may grow by one row at a time."""
    return grid if len(grid) <= 2 * BODY_ROWS else grid[:BODY_ROWS] + grid[-BODY_ROWS:]


def _is_of_words(piece: Piece) -> bool:
    """Return whether a piece has only texts and its first row is full."""
    cells = [c for row in _both_ends(piece.grid) for c in row if c is not None]
    return all(kind_of(c) == "text" for c in cells) and len(filled(piece.grid[0])) == piece.width


def _is_number(cell: RawCell) -> bool:
    return kind_of(cell) == "number"


def _is_year(cell: RawCell) -> bool:
    return bool(YEAR_CELL.fullmatch(str(cell).strip()))


def _glued(whole: Piece, before: Piece, after: Piece) -> Piece:
    """Join two pieces, keeping the blank rows between them so that rows and row numbers stay parallel.

    The rows of the first piece are not copied if it is as wide: a file may have a blank row after every other one.
    """
    first, last = whole.rows.index(before.rows[0]), whole.rows.index(after.rows[-1])
    left = whole.columns.index(min(before.columns[0], after.columns[0]))
    right = whole.columns.index(max(before.columns[-1], after.columns[-1]))
    if before.width < right - left + 1:
        return whole.part(first, last + 1).narrowed(range(left, right + 1))
    below = whole.part(first + len(before.grid), last + 1).narrowed(range(left, right + 1))
    before.grid.extend(below.grid)
    return replace(before, rows=whole.rows[first : last + 1])


def _split_columns(piece: Piece) -> list[Piece]:
    """Return tables that are side by side, or the piece without its blank columns."""
    top, bottom = 0, len(piece.grid)
    while top < bottom - 2 and is_lone(piece.grid[top]):
        top += 1
    while bottom > top + 2 and is_lone(piece.grid[bottom - 1]):
        bottom -= 1
    groups = _groups(piece.grid[top:bottom])
    if len(groups) == 1 and len(groups[0]) == piece.width:
        return [piece]
    if not _stand_apart(piece.grid[top:bottom], groups):
        # A blank column between others is a spacer of one table, as in financial statements.
        return [piece.narrowed(_used(piece.grid))]
    over = " – ".join(dict.fromkeys(str(row[filled(row)[0]]).strip() for row in piece.grid[:top]))
    caption = " – ".join(p for p in (piece.caption, over) if p)
    parts = [replace(piece.part(top, bottom).narrowed(g), caption=caption) for g in groups]
    return [*parts, *([trimmed(piece.part(bottom, len(piece.grid)))] if bottom < len(piece.grid) else [])]


def _groups(grid: Grid) -> list[list[int]]:
    """Return runs of non-blank columns."""
    groups: list[list[int]] = []
    for column in _used(grid):
        if groups and groups[-1][-1] == column - 1:
            groups[-1].append(column)
        else:
            groups.append([column])
    return groups


def _stand_apart(grid: Grid, groups: Sequence[Sequence[int]]) -> bool:
    """Return whether runs of columns are separate tables: each has a header, and labels in its first column."""
    if len(groups) < 2 or len(grid) < 3 or not all(len(g) > 1 for g in groups):
        return False
    rows = [[[r[i] for i in g] for r in grid] for g in groups]
    parts = [[row for row in part if filled(row)] for part in rows]
    if not all(len(p) > 1 for p in parts):
        return False
    if all(_is_captioned(p) for p in parts) or all(_is_legend(p, parts[0]) for p in parts[1:]):
        return True
    if len(groups) == 2 and _stands_aside(rows[0], rows[1]):
        return True
    heads = [p[0] for p in parts]
    if not all(map(_is_head, heads)):
        return False
    alike = all(h == heads[0] for h in heads) or _share_names(heads)
    return alike or all(_is_labels([row[0] for row in p[1:]]) for p in parts)


def _is_captioned(part: Grid) -> bool:
    """Return whether a table begins with its own title above a header of words."""
    if len(part) < 3 or not is_lone(part[0]) or len(filled(part[1])) < 2 or not _is_head(part[1]):
        return False
    return _is_labels([row[0] for row in part[2:]]) or _rises_or_falls([row[0] for row in part[2:]])


def _rises_or_falls(cells: Sequence[RawCell]) -> bool:
    """Return whether cells are ordered numbers, which can label rows too."""
    numbers = [c for c in cells if isinstance(c, (int, float)) and not isinstance(c, bool)]
    steps = [b - a for a, b in pairwise(numbers)]
    return len(numbers) == len([c for c in cells if c is not None]) > 1 and (min(steps) > 0 or max(steps) < 0)


def _is_legend(part: Grid, beside: Grid) -> bool:
    """Return whether a small block beside a table explains signs."""
    if len(part[0]) != 2 or len(part) > MOST_SIGNS or len(part) > 0.8 * len(beside) or not _is_head(beside[0]):
        return False
    return all(None not in row and len(str(row[0])) <= LONGEST_SIGN and kind_of(row[1]) == "text" for row in part)


def _stands_aside(left: Grid, right: Grid) -> bool:
    """Return whether the right grid spans other rows than the left one and is a complete table."""
    spans = [[i for i, row in enumerate(part) if filled(row)] for part in (left, right)]
    (a, b), (c, d) = [(s[0], s[-1]) for s in spans]
    body = right[c : d + 1]
    dense = sum(len(filled(row)) for row in body) >= 0.7 * len(body) * len(body[0])
    apart = a != c and len(spans[0]) < b - a + 1  # the left one has a gap where the right one continues
    return apart and dense and len(body) > 2 and (_is_captioned(body) or _is_head(body[0]))


def _share_names(heads: Sequence[Sequence[RawCell]]) -> bool:
    """Return whether each header shares a name with another one; columns of one table have different names."""
    names = [{str(c).strip().casefold() for c in head if c is not None} for head in heads]
    return all(any(own & other for j, other in enumerate(names) if j != i) for i, own in enumerate(names))


def _is_head(cells: Sequence[RawCell]) -> bool:
    """Return whether cells may be the header of a table: words or years in each, or a title in the first."""
    words = [isinstance(c, str) and kind_of(c) == "text" for c in cells]
    named = [w or (i > 0 and c is not None and _is_year(c)) for i, (w, c) in enumerate(zip(words, cells, strict=True))]
    return all(named) or (words[0] and not any(c is not None for c in cells[1:]))


def _is_labels(cells: Sequence[RawCell]) -> bool:
    """Return whether cells label rows: mostly words or dates, or a count from 1."""
    present = [c for c in cells if c is not None]
    named = sum(kind_of(c) in ("text", "date") for c in present)
    return bool(present) and (named >= LABELS * len(present) or [str(c) for c in present[:2]] == ["1", "2"])


def _split_stacked(piece: Piece) -> list[Piece]:
    """Split where a new header is among numbers without a blank row: words with numbers above and below."""
    if len(piece.grid) > MOST_STACKED_ROWS:
        return [piece]
    parts, start = [], 0
    kinds = [["" if c is None or is_missing(c) else kind_of(c) for c in row] for row in piece.grid]
    for i in range(3, len(piece.grid) - 1):
        if i - start < 3 or not _is_new_header(piece, kinds, start, i):
            continue
        cut = i
        while cut - 1 > start + 1 and is_lone(piece.grid[cut - 1]):
            cut -= 1
        parts.append(trimmed(piece.part(start, cut)))
        start = cut
    return [*parts, trimmed(piece.part(start, len(piece.grid)))] if parts else [piece]


def _is_new_header(piece: Piece, kinds: Sequence[Sequence[str]], start: int, i: int) -> bool:
    """Return whether row i is a new header between numbers above and below."""
    row = kinds[i]
    if row.count("text") < 2 or row.count("text") + row.count("") < len(row) or row.count("text") * 3 < 2 * len(row):
        return False
    if str(next(c for c in piece.grid[i] if c is not None)).rstrip().endswith((":", "：")):
        return False  # a label with its value
    above = next((r for r in reversed(kinds[start:i]) if len([k for k in r if k]) > 1), ())
    below = kinds[i + 1]
    between = [a == b == "number" and k == "text" for a, k, b in zip(above, row, below, strict=False)]
    numeric_above = sum(k == "number" for k in above)
    repeats = any(piece.grid[j] == piece.grid[i] for j in range(start, min(i, start + 10)))
    texts = [c for c, k in zip(piece.grid[i], row, strict=True) if k == "text"]
    distinct = len(set(texts)) * 5 >= 4 * len(texts)
    # One cell of words among numbers may be a remark; below a title, or over several columns, it is a name.
    enough = LEAST_NAMED if not is_lone(piece.grid[i - 1]) else 1
    names = {str(c).casefold() for c in texts}
    shares = any(names & {str(c).casefold() for c in r if c is not None} for r in piece.grid[start : start + HEAD_ROWS])
    if not shares and not is_lone(piece.grid[i - 1]):
        return False  # without a title or a name of the previous header it may be a row of words
    return sum(between) >= enough and sum(between) * 2 > numeric_above and distinct and not repeats
