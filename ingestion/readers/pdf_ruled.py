"""Ruled tables of a PDF page: from drawn lines to cells, in bounded time even for hostile pages."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import cast

from pdfplumber.page import Page
from pdfplumber.table import Table

from tablerag.ingestion.document import Locator, RawCell, Region, TableBlock
from tablerag.ingestion.readers.grids import filled, is_blank, is_frame
from tablerag.ingestion.readers.pdf_characters import Character, Spacing, is_bold, text_of, words_of
from tablerag.ingestion.readers.pdf_layout import PlacedTable, least_sure
from tablerag.ingestion.readers.pdf_lines import SNAP, Edge
from tablerag.ingestion.readers.pdf_ruled_grid import (
    Box,
    chars_in,
    columns_in,
    divide,
    fill_spans,
    join_columns,
    join_rows,
    middle,
)
from tablerag.ingestion.readers.pdf_ruled_rows import RuledRow, divided_rows, with_outer_labels
from tablerag.tools.counting import counted

__all__ = ["ruled_tables"]

NARROW = 14.0
"""A column is at least this wide, in points, unless something is printed in it."""
MOST_CROSSINGS = 40_000
"""The most line crossings of a page; a page with more is a drawing."""


def ruled_tables(
    page: int, edges: Sequence[Edge], characters: Sequence[Character], spacing: Spacing
) -> list[PlacedTable]:
    """Return the tables whose cells are enclosed by lines; none if lines cross too often."""
    cells = _cells(edges)
    if not cells:
        return []
    chars = sorted(characters, key=middle)
    middles = [middle(c) for c in chars]
    groups = (_without_gaps(group, chars, middles) for group in _groups(cells))
    placed = (_placed(page, group, chars, middles, spacing) for group in groups)
    return [t for t in placed if t is not None]


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


def _placed(
    page: int, group: list[Box], chars: Sequence[Character], middles: Sequence[float], spacing: Spacing
) -> PlacedTable | None:
    """Return a table with its cells' text, or None for a mere frame around text."""
    table = Table(cast(Page, None), group)  # it only keeps its page
    texts: list[list[str | None]] = []
    rows: list[RuledRow] = []
    inside: list[Sequence[Character]] = []
    by_ocr = bool(chars) and "word" in chars[0]
    for row in table.rows:
        inside.append(chars[bisect_left(middles, row.bbox[1]) : bisect_left(middles, row.bbox[3])])
        by_cell = [None if box is None else chars_in(inside[-1], box) for box in row.cells]
        texts.append([None if c is None else text_of(c, spacing) if c else "" for c in by_cell])
        printed = [c for cs in by_cell for c in cs or () if not c["text"].isspace()]
        doubt = least_sure(c["word"] for cs in by_cell for c in cs or ()) if by_ocr else None
        rows.append(RuledRow([], row.bbox[1], row.bbox[3], None, all(map(is_bold, printed)), doubt))
    if is_frame(texts):
        return None
    grid: list[list[RawCell]] = [[c.strip() if c and not is_blank(c) else None for c in row] for row in texts]
    columns = columns_in(table)
    divided = divide(table, grid, chars, columns, spacing)
    joined = join_rows(table, grid)
    merged = fill_spans(table, grid, columns, divided, joined)
    join_columns(table, grid, columns, divided)
    used = sorted({i for row in grid for i in filled(row)})
    kept: list[RuledRow] = []
    for r, cells in enumerate(grid):
        if filled(cells):
            row = replace(rows[r], cells=cells, left=_left(table.rows[r].cells[used[0]], inside[r]))
            own = {} if r in joined else _own(table, r, filled(cells))
            kept += divided_rows(row, words_of(inside[r], spacing), own) if own else [row]
    kept = [replace(row, cells=[row.cells[i] for i in used]) for row in kept]
    x0, top, x1, bottom = table.bbox
    extents = [columns.get(i, (x0, x1)) for i in used]
    beside = [c for c in chars[bisect_left(middles, top) : bisect_left(middles, bottom)] if c["x1"] <= x0]
    if beside and (labelled := with_outer_labels(kept, words_of(beside, spacing), x0)):
        kept, edge = labelled
        extents, x0 = [(edge, x0), *extents], edge
    warnings = (f"{counted(merged, 'cell')} covered by merged cells: filled with their value",) if merged else ()
    return PlacedTable(
        x0=x0,
        x1=x1,
        top=top,
        bottom=bottom,
        block=TableBlock(
            [row.cells for row in kept],
            Locator(page=page),
            warnings=warnings,
            ruled=True,
            regions=(Region(page, float(x0), float(top), float(x1), float(bottom)),),
        ),
        columns=tuple(extents),
        lefts=tuple(row.left for row in kept),
        bold=tuple(row.bold for row in kept),
        size=median(c["size"] for found in inside for c in found),
        ruled=True,
        least_sure=tuple(row.least_sure for row in kept if row.least_sure),
    )


def _left(box: Box | None, chars: Sequence[Character]) -> float | None:
    printed = (c["x0"] for c in chars_in(chars, box) if not c["text"].isspace()) if box else ()
    return min(printed, default=None)


def _own(table: Table, r: int, filled: Sequence[int]) -> dict[int, Box]:
    """Return the boxes of a row's filled cells by column, without those that reach lower than others."""
    boxes = {c: box for c in filled if (box := table.rows[r].cells[c])}
    height = min((box[3] for box in boxes.values()), default=0.0)
    return {c: box for c, box in boxes.items() if box[3] <= height + 1}
