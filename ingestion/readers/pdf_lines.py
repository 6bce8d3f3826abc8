"""The lines drawn on a PDF page, as rules of its tables: touching ones joined, bounded in number."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pdfplumber.page import Page
from pdfplumber.table import merge_edges

from tablerag.ingestion.readers.pdf_layout import Word, rows_of

__all__ = ["SNAP", "Edge", "Rule", "edges_of", "joined_edges", "rules_in", "without_typed_rules"]

SNAP = 3.0
"""Lines closer than this are one, and shorter ones are ignored, in points."""
THIN = 2.0
"""A thinner rectangle is a line."""
SHORTEST = 1.0
"""The least length of a dash of a dashed line."""
MOST_POINTS = 50_000
"""The most points of a page's curves; a page with more is a drawing."""
MOST_SIDES = 60_000
MOST_CROSSED = 400_000
"""The most pairs of lines of a page that are compared; a page with more is a drawing."""
NEAR_SIDE = 10.0
"""A table is open at a side if no upright line is nearer to the ends of its level lines than this, in points."""
DASHES = re.compile(r"[-–—=_─━═*]{4,}|[-+|]{8,}")
Edge = dict[str, Any]
"""A line in the form of pdfplumber's functions."""


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
    return joined_edges(found)


def joined_edges(sides: Collection[tuple[str, float, float, float]]) -> list[Edge]:
    """Return lines given as orientation, position, start and end, with touching ones joined."""
    if len(sides) > MOST_SIDES:
        return []
    edges = [_edge(*side) for side in sorted(sides)]
    merged = merge_edges(edges, SNAP, SNAP, SNAP, SNAP) if edges else []
    return _with_sides(_closed([e for e in merged if e["width"] + e["height"] >= SNAP]))


def rules_in(edges: Iterable[Edge]) -> list[Rule]:
    """Return the horizontal lines."""
    return [Rule(e["x0"], e["x1"], e["top"]) for e in edges if e["orientation"] == "h"]


def without_typed_rules(words: Sequence[Word]) -> tuple[Sequence[Word], list[Rule]]:
    """Return the words without lines of dashes, as typewritten reports rule their tables, and these as rules."""
    if not any(DASHES.fullmatch(w.text) for w in words):
        return words, []
    dashed = [row for row in rows_of(words) if all(DASHES.fullmatch(w.text) for w in row)]
    taken = {id(w) for row in dashed for w in row}
    rules = [Rule(row[0].x0, row[-1].x1, (row[0].top + row[0].bottom) / 2) for row in dashed]
    return [w for w in words if id(w) not in taken], rules


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


def _with_sides(edges: list[Edge]) -> list[Edge]:
    """Add the vertical lines that tables open at their sides omit, where level lines begin or end.

    Two upright lines at least cross these, and three level lines each: where no column and row is closed inside, the
    alignment of words tells more.
    """
    level = [e for e in edges if e["orientation"] == "h"]
    uprights = [e for e in edges if e["orientation"] == "v"]
    if len(level) * len(uprights) > MOST_CROSSED:
        return edges
    uprights = [u for u in uprights if sum(_cross(u, e) for e in level) >= 3]
    level = [e for e in level if sum(_cross(u, e) for u in uprights) >= 2]
    added: list[Edge] = []
    for end in ("x0", "x1"):
        for group in _by_end(level, end):
            x, top, bottom = group[0][end], min(e["top"] for e in group), max(e["top"] for e in group)
            beside = [u for u in uprights if u["top"] < bottom - SNAP and u["bottom"] > top + SNAP]
            if bottom - top > SNAP and beside and min(abs(u["x0"] - x) for u in beside) > NEAR_SIDE:
                added.append(_edge("v", x, top, bottom))
    return [*edges, *added]


def _cross(upright: Edge, level: Edge) -> bool:
    at_height = upright["top"] - SNAP <= level["top"] <= upright["bottom"] + SNAP
    return at_height and level["x0"] - SNAP <= upright["x0"] <= level["x1"] + SNAP


def _by_end(level: Sequence[Edge], end: str) -> list[list[Edge]]:
    """Group level lines by where they begin ("x0") or end ("x1"), nearly."""
    groups: list[list[Edge]] = []
    for e in sorted(level, key=lambda e: e[end]):
        if groups and e[end] - groups[-1][-1][end] <= SNAP / 2:
            groups[-1].append(e)
        else:
            groups.append([e])
    return groups


def _edge(orientation: str, at: float, start: float, end: float) -> Edge:
    x0, x1, top, bottom = (start, end, at, at) if orientation == "h" else (at, at, start, end)
    box = {"x0": x0, "x1": x1, "top": top, "bottom": bottom, "width": x1 - x0, "height": bottom - top}
    return {**box, "orientation": orientation, "object_type": "edge"}
