"""The lines drawn on a PDF page, as rules of its tables: touching ones joined, bounded in number."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pdfplumber.page import Page
from pdfplumber.table import merge_edges

__all__ = ["SNAP", "Edge", "Rule", "edges_of", "joined_edges", "rules_in"]

SNAP = 3.0
"""Lines closer than this are one, and shorter ones are ignored, in points."""
THIN = 2.0
"""A thinner rectangle is a line."""
SHORTEST = 1.0
"""The least length of a dash of a dashed line."""
MOST_POINTS = 50_000
"""The most points of a page's curves; a page with more is a drawing."""
MOST_SIDES = 60_000
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
    return _closed([e for e in merged if e["width"] + e["height"] >= SNAP])


def rules_in(edges: Iterable[Edge]) -> list[Rule]:
    """Return the horizontal lines."""
    return [Rule(e["x0"], e["x1"], e["top"]) for e in edges if e["orientation"] == "h"]


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
