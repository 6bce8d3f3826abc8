"""Ruled tables of a PDF page: from drawn lines to cells, in bounded time even for hostile pages."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from pdfplumber.page import Page
from pdfplumber.table import Table, merge_edges

from tablerag.ingestion.document import Locator, RawCell, TableBlock
from tablerag.ingestion.readers.grids import filled, is_blank
from tablerag.ingestion.readers.pdf_characters import Character, Spacing, is_bold, text_of, words_of
from tablerag.ingestion.readers.pdf_layout import PlacedTable, Word, rows_of
from tablerag.ingestion.readers.pdf_segments import segments_of
from tablerag.tools.counting import counted

__all__ = ["Rule", "edges_of", "ruled_tables", "rules_in"]

SNAP = 3.0
"""Lines closer than this are one, and shorter ones are ignored, in points."""
THIN = 2.0
"""A thinner rectangle is a line."""
NARROW = 14.0
"""A column is at least this wide, in points, unless something is printed in it."""
SHARED = 2 / 3
"""Least share of rows that have two columns in one cell if these are one column."""
SHORTEST = 1.0
"""The least length of a dash of a dashed line."""
MOST_POINTS = 50_000
"""The most points of a page's curves; a page with more is a drawing."""
MOST_SIDES = 60_000
MOST_CROSSINGS = 40_000
"""The most line crossings of a page; a page with more is a drawing."""
Edge = dict[str, Any]
"""A line in the form of pdfplumber's functions."""
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line."""

    x0: float
    x1: float
    y: float


def edges_of(page: Page) -> list[Edge]:
    """Return the page's vertical and horizontal lines, with touching ones joined and duplicates removed."""
    found: set[tuple[str, float, float, float]] = set()
    for drawn in page.rects:
        found.update(_sides(drawn, closed=True))
    for drawn in (*page.lines, *(page.curve_edges if sum(len(c["pts"]) for c in page.curves) <= MOST_POINTS else ())):
        found.update(_sides(drawn, closed=False))
    if len(found) > MOST_SIDES:
        return []
    edges = [_edge(*side) for side in sorted(found)]
    merged = merge_edges(edges, SNAP, SNAP, SNAP, SNAP) if edges else []
    return _closed([e for e in merged if e["width"] + e["height"] >= SNAP])


def rules_in(edges: Iterable[Edge]) -> list[Rule]:
    """Return the horizontal lines."""
    return [Rule(e["x0"], e["x1"], e["top"]) for e in edges if e["orientation"] == "h"]


def ruled_tables(
    page: Page, edges: Sequence[Edge], characters: Sequence[Character], spacing: Spacing
) -> list[PlacedTable]:
    """Return the tables whose cells are enclosed by lines; none if lines cross too often."""
    cells = _cells(edges)
    if not cells:
        return []
    chars = sorted(characters, key=_middle)
    middles = [_middle(c) for c in chars]
    groups = (_without_gaps(group, chars, middles) for group in _groups(cells))
    placed = (_placed(Table(page, group), chars, middles, spacing) for group in groups)
    return [t for t in placed if t is not None]


def _sides(drawn: Edge, *, closed: bool) -> Iterator[tuple[str, float, float, float]]:
    """Yield the lines of a drawn line or rectangle, to half a point: orientation, position, start, end."""
    x0, top, x1, bottom = (round(2 * drawn[key]) / 2 for key in ("x0", "top", "x1", "bottom"))
    width, height = x1 - x0, bottom - top
    if min(width, height) <= THIN:
        if max(width, height) >= SHORTEST:
            yield ("h", top, x0, x1) if width >= height else ("v", x0, top, bottom)
    elif closed:  # else it is slanted
        yield from (("h", top, x0, x1), ("h", bottom, x0, x1), ("v", x0, top, bottom), ("v", x1, top, bottom))


def _closed(edges: list[Edge]) -> list[Edge]:
    """Add the horizontal lines that page breaks omit where a table's vertical lines begin or end."""
    uprights: dict[tuple[str, int], list[Edge]] = defaultdict(list)
    for e in edges:
        if e["orientation"] == "v":
            uprights["top", round(e["top"] / SNAP)].append(e)
            uprights["bottom", round(e["bottom"] / SNAP)].append(e)
    levels = sorted((e["top"], e["x0"], e["x1"]) for e in edges if e["orientation"] == "h")
    closed = list(edges)
    for (end, _), group in uprights.items():
        if len(group) < 3:
            continue
        y = group[0][end]
        x0, x1 = min(e["x0"] for e in group), max(e["x0"] for e in group)
        top, bottom = max(e["top"] for e in group), min(e["bottom"] for e in group)
        beside = levels[bisect_left(levels, (top - SNAP,)) : bisect_left(levels, (bottom + SNAP,))]
        across = [at for at, left, right in beside if left <= x0 + SNAP and right >= x1 - SNAP]
        if across and not any(abs(at - y) <= 2 * SNAP for at in across):
            closed.append(_edge("h", y, x0, x1))
    return closed


def _edge(orientation: str, at: float, start: float, end: float) -> Edge:
    x0, x1, top, bottom = (start, end, at, at) if orientation == "h" else (at, at, start, end)
    box = {"x0": x0, "x1": x1, "top": top, "bottom": bottom, "width": x1 - x0, "height": bottom - top}
    return {**box, "orientation": orientation, "object_type": "edge"}


def _cells(edges: Sequence[Edge]) -> list[Box]:
    """Return the smallest boxes whose corners are crossings joined by lines.

    Gives the result of pdfplumber's function, but each crossing checks only its neighbours along its two lines.
    """
    crossings = _crossings(edges)
    if not 4 <= len(crossings) <= MOST_CROSSINGS:
        return []
    along: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
    for point in sorted(crossings):
        vertical, level = crossings[point]
        along["v", vertical].append(point)
        along["h", level].append(point)
    right_of = {a: b for (o, _), line in along.items() if o == "h" for a, b in pairwise(line)}
    below_of = {a: b for (o, _), line in along.items() if o == "v" for a, b in pairwise(line)}
    boxes = []
    for point in sorted(crossings):
        corner = _far_corner(point, crossings, right_of, below_of)
        if corner:
            boxes.append((*point, *corner))
    return boxes


def _crossings(edges: Sequence[Edge]) -> dict[tuple[float, float], tuple[int, int]]:
    """Return where lines cross or touch, with the numbers of the vertical and the horizontal line."""
    levels = sorted(((e["top"], e["x0"], e["x1"], i) for i, e in enumerate(edges) if e["orientation"] == "h"))
    tops = [level[0] for level in levels]
    found: dict[tuple[float, float], tuple[int, int]] = {}
    steps = 0
    for i, e in enumerate(edges):
        if e["orientation"] == "h":
            continue
        near = levels[bisect_left(tops, e["top"] - SNAP) : bisect_left(tops, e["bottom"] + SNAP)]
        steps += len(near)
        if len(found) > MOST_CROSSINGS or steps > 100 * MOST_CROSSINGS:
            return {}
        for y, x0, x1, j in near:
            if x0 - SNAP <= e["x0"] <= x1 + SNAP:
                found[e["x0"], y] = (i, j)
    return found


def _far_corner(
    point: tuple[float, float],
    crossings: dict[tuple[float, float], tuple[int, int]],
    right_of: dict[tuple[float, float], tuple[float, float]],
    below_of: dict[tuple[float, float], tuple[float, float]],
) -> tuple[float, float] | None:
    """Return the corner opposite a cell's top left one: the nearest below, then the nearest to the right."""
    below = below_of.get(point)
    for _ in range(30):  # a cell spans few lines of its neighbours
        if below is None:
            return None
        right = right_of.get(point)
        for _ in range(60):
            if right is None:
                break
            corner = (right[0], below[1])
            lines = crossings.get(corner)
            if lines and lines[0] == crossings[right][0] and lines[1] == crossings[below][1]:
                return corner
            right = right_of.get(right)
        below = below_of.get(below)
    return None


def _groups(cells: Sequence[Box]) -> list[list[Box]]:
    """Group cells that share corners, from top to bottom; each group may be a table."""
    at_corner: dict[tuple[float, float], list[int]] = defaultdict(list)
    for i, (x0, top, x1, bottom) in enumerate(cells):
        for corner in ((x0, top), (x0, bottom), (x1, top), (x1, bottom)):
            at_corner[corner].append(i)
    left = set(range(len(cells)))
    groups = []
    for first in range(len(cells)):
        if first not in left:
            continue
        left.discard(first)
        group, waiting = [], [first]
        while waiting:
            i = waiting.pop()
            group.append(cells[i])
            x0, top, x1, bottom = cells[i]
            for corner in ((x0, top), (x0, bottom), (x1, top), (x1, bottom)):
                new = [j for j in at_corner.pop(corner, ()) if j in left]
                left.difference_update(new)
                waiting += new
        if len(group) > 1:
            groups.append(sorted(group))
    return sorted(groups, key=lambda g: min((top, x0) for x0, top, _, _ in g))


def _without_gaps(cells: list[Box], chars: Sequence[Character], middles: Sequence[float]) -> list[Box]:
    """Join columns too narrow for anything, in which nothing is printed: the space between double or askew lines."""
    sides = sorted({x for x0, _, x1, _ in cells for x in (x0, x1)})
    top, bottom = min(c[1] for c in cells), max(c[3] for c in cells)
    inside = chars[bisect_left(middles, top) : bisect_left(middles, bottom)]
    printed = sorted((c["x0"] + c["x1"]) / 2 for c in inside if not c["text"].isspace())
    joined: dict[float, float] = {}
    for a, b in pairwise(sides):
        first = joined.get(a, a)
        narrow = b - first < NARROW and bisect_left(printed, first) == bisect_left(printed, b)
        joined[b] = first if narrow else b
    at = {sides[0]: sides[0]} | joined
    boxes = {(at[x0], y0, at[x1], y1) for x0, y0, x1, y1 in cells if at[x0] < at[x1]}
    return sorted(boxes)


def _middle(char: Edge) -> float:
    return (char["top"] + char["bottom"]) / 2


def _placed(table: Table, chars: Sequence[Character], middles: Sequence[float], spacing: Spacing) -> PlacedTable | None:
    """Return a table with its cells' text, or None for a mere frame around text."""
    texts: list[list[str | None]] = []
    starts: list[list[float | None]] = []
    bold: list[bool] = []
    sizes: list[float] = []
    for row in table.rows:
        inside = chars[bisect_left(middles, row.bbox[1]) : bisect_left(middles, row.bbox[3])]
        by_cell = [None if box is None else _chars_in(inside, box) for box in row.cells]
        texts.append([None if c is None else text_of(c, spacing) if c else "" for c in by_cell])
        starts.append([min((c["x0"] for c in cs or () if not c["text"].isspace()), default=None) for cs in by_cell])
        sizes += [c["size"] for c in inside]
        bold.append(all(is_bold(c) for cs in by_cell for c in cs or () if not c["text"].isspace()))
    if sum(bool(filled(r)) for r in texts) < 2 or len({i for r in texts for i in filled(r)}) < 2:
        return None
    grid: list[list[RawCell]] = [[c.strip() if c and not is_blank(c) else None for c in row] for row in texts]
    columns = _columns(table)
    divided = _divide(table, grid, chars, columns, spacing)
    joined = _join_rows(table, grid)
    merged = _fill_spans(table, grid, columns, divided, joined)
    _join_columns(table, grid, columns, divided)
    used = sorted({i for row in grid for i in filled(row)})
    kept = [r for r, row in enumerate(grid) if filled(row)]
    x0, top, x1, bottom = table.bbox
    warnings = (f"{counted(merged, 'cell')} covered by merged cells: filled with their value",) if merged else ()
    locator = Locator(page=table.page.page_number)
    return PlacedTable(
        x0=x0,
        x1=x1,
        top=top,
        bottom=bottom,
        block=TableBlock([[grid[r][i] for i in used] for r in kept], locator, warnings=warnings),
        columns=tuple(columns.get(i, (x0, x1)) for i in used),
        lefts=tuple(starts[r][used[0]] for r in kept),
        bold=tuple(bold[r] for r in kept),
        size=median(sizes),
        ruled=True,
    )


def _chars_in(chars: Sequence[Edge], box: Box) -> list[Edge]:
    x0, top, x1, bottom = box
    return [c for c in chars if x0 <= (c["x0"] + c["x1"]) / 2 < x1 and top <= _middle(c) < bottom]


def _columns(table: Table) -> dict[int, tuple[float, float]]:
    """Return the extent of the narrowest cell in each column."""
    columns: dict[int, tuple[float, float]] = {}
    for row in table.rows:
        for i, box in enumerate(row.cells):
            if box and (i not in columns or box[2] - box[0] < columns[i][1] - columns[i][0]):
                columns[i] = (box[0], box[2])
    return columns


def _divide(
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
            parts = _by_column(words_of(_chars_in(chars, box), spacing), under)
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
            middle = (segment.x0 + segment.x1) / 2
            column = min(columns, key=lambda c: abs(sum(columns[c]) / 2 - middle))
            if column in seen or not columns[column][0] - SNAP <= middle <= columns[column][1] + SNAP:
                return {}
            seen.add(column)
            parts.setdefault(column, []).append(segment.text)
    return {c: "\n".join(lines) for c, lines in parts.items()}


def _join_rows(table: Table, grid: list[list[RawCell]]) -> set[int]:
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


def _fill_spans(
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


def _join_columns(
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
