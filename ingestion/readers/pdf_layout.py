"""Turns a PDF page's words into paragraphs in reading order, by geometry only."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tablerag.ingestion.document import LeastSure, TableBlock

__all__ = [
    "Line",
    "OnPage",
    "PageItem",
    "PlacedTable",
    "Word",
    "gutter_of",
    "least_sure",
    "in_reading_order",
    "lines_of",
    "paragraphs_of",
    "rows_of",
]

GUTTER = 9.0
"""The least white space between two columns of text, in points."""
BULLET = re.compile(r"[•◦▪‣●○·*–-]\s|\(?\d{1,2}[.)]\s")


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its box, in points from the page's top left corner."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool = False
    confidence: float = 1.0
    """How sure OCR is of it, from 0 to 1; 1 if it is text in the file."""


@dataclass(frozen=True, slots=True)
class PageItem:
    """A box on a page."""

    x0: float
    x1: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Line(PageItem):
    """A line of text, or a paragraph of several lines."""

    text: str
    size: float


@dataclass(frozen=True, slots=True)
class PlacedTable(PageItem):
    """A table and its place on the page."""

    block: TableBlock
    columns: tuple[tuple[float, float], ...]
    """The left and right edge of each column."""
    lefts: tuple[float | None, ...]
    """The left edge of each row's first cell; None if the cell is empty."""
    bold: tuple[bool, ...]
    """Whether all words of a row are bold."""
    size: float
    """The usual font size."""
    ruled: bool
    """Whether lines enclose its cells; else its columns are as wide as their words."""
    least_sure: tuple[LeastSure, ...] = ()
    """The least sure word of each row; empty if the page's words are text in the file."""


@dataclass(frozen=True, slots=True)
class OnPage:
    """A paragraph or table with its page; a table across several pages has the page of its last part."""

    page: int
    height: float
    content: PageItem


def least_sure(words: Iterable[Word]) -> LeastSure:
    """Return the word that OCR is least sure of."""
    least = min(words, key=lambda w: w.confidence, default=None)
    return LeastSure(least.confidence, least.text) if least else LeastSure(1.0, "")


def rows_of(words: Sequence[Word]) -> list[list[Word]]:
    """Group words into rows, from top to bottom and from left to right."""
    rows: list[list[Word]] = []
    largest: Word | None = None
    for word in sorted(words, key=_middle):
        if largest and _beside(largest, word):
            rows[-1].append(word)
            largest = word if word.size > largest.size else largest
        else:
            rows.append([word])
            largest = word
    return [sorted(row, key=lambda w: w.x0) for row in rows]


def lines_of(words: Sequence[Word], page_width: float) -> tuple[list[Line], float | None]:
    """Return the page's lines, and the middle of the white space between two columns, if any."""
    rows = rows_of(words)
    gutter = gutter_of(rows, page_width)
    return [_line(part) for row in rows for part in _parts(row, gutter)], gutter


def in_reading_order(items: Sequence[PageItem], gutter: float | None) -> list[PageItem]:
    """Return items from top to bottom; between items that cross the gutter, the left column first."""
    if gutter is None:
        return sorted(items, key=lambda i: (i.top, i.x0))
    ordered: list[PageItem] = []
    left: list[PageItem] = []
    right: list[PageItem] = []
    for item in sorted(items, key=lambda i: i.top):
        if item.x0 < gutter - GUTTER / 2 and item.x1 > gutter + GUTTER / 2:
            ordered += [*left, *right, item]
            left, right = [], []
        else:
            (left if item.x1 <= gutter + GUTTER / 2 else right).append(item)
    return [*ordered, *left, *right]


def paragraphs_of(items: Sequence[PageItem]) -> Iterator[PageItem]:
    """Yield items with adjacent lines of one size joined into paragraphs."""
    current: Line | None = None
    widest = 0.0
    for item in items:
        if isinstance(item, Line) and current and _belongs(current, item):
            full = current.x1 >= item.x0 + 0.8 * max(widest, item.x1 - item.x0)
            current = replace(
                item,
                text=_joined(current.text, item.text, full),
                x0=min(current.x0, item.x0),
                top=current.top,
            )
            widest = max(widest, item.x1 - item.x0)
            continue
        if current:
            yield current
        current = item if isinstance(item, Line) else None
        widest = item.x1 - item.x0
        if current is None:
            yield item
    if current:
        yield current


def _beside(word: Word, other: Word) -> bool:
    """Return whether words overlap in at least half of the lower one's height, as superscripts do."""
    shared = min(word.bottom, other.bottom) - max(word.top, other.top)
    return shared >= 0.5 * min(word.bottom - word.top, other.bottom - other.top)


def _middle(word: Word) -> float:
    return (word.top + word.bottom) / 2


def _line(words: Sequence[Word]) -> Line:
    sizes = [w.size for w in words for _ in w.text]
    return Line(
        x0=words[0].x0,
        x1=max(w.x1 for w in words),
        top=min(w.top for w in words),
        bottom=max(w.bottom for w in words),
        text=" ".join(w.text for w in words),
        size=sorted(sizes)[len(sizes) // 2],
    )


def _parts(row: list[Word], gutter: float | None) -> list[list[Word]]:
    """Split a row of words at the gutter unless a word crosses it."""
    if gutter is None or any(w.x0 < gutter < w.x1 for w in row):
        return [row]
    parts = [[w for w in row if w.x1 <= gutter], [w for w in row if w.x0 >= gutter]]
    near = parts[0] and parts[1] and parts[1][0].x0 - parts[0][-1].x1 < GUTTER
    return [row] if near else [p for p in parts if p]


def gutter_of(rows: Sequence[Sequence[Word]], page_width: float) -> float | None:
    """Return the middle of the white space between two columns of running text, or None.

    Columns of numbers have white space between them too, but running text fills its lines. If only one column has a
    table or title, the lines of both need not be side by side.
    """
    if len(rows) < 10:
        return None
    best: tuple[float, float] | None = None
    for step in range(35, 66):
        x = page_width * step / 100
        open_rows = [r for r in rows if not any(w.x0 < x + GUTTER / 2 and w.x1 > x - GUTTER / 2 for w in r)]
        both = [r for r in open_rows if min(w.x0 for w in r) < x < max(w.x1 for w in r)]
        if len(both) < 0.5 * len(rows):
            lefts = [r for r in open_rows if r[-1].x1 < x]
            rights = [r for r in open_rows if r[0].x0 > x]
            both = [*both, *lefts, *rights] if len(both) + 2 * min(len(lefts), len(rights)) >= 0.5 * len(rows) else []
        share = len(both) / len(rows)
        if share >= 0.5 and (best is None or share > best[0]) and _is_running_text(both, x):
            best = (share, x)
    return best[1] if best else None


def _is_running_text(rows: Sequence[Sequence[Word]], x: float) -> bool:
    for side in ([[w for w in r if w.x1 <= x] for r in rows], [[w for w in r if w.x0 >= x] for r in rows]):
        widths = [max(w.x1 for w in r) - min(w.x0 for w in r) for r in side if r]
        words = sum(map(len, side)) / max(1, len(side))
        if not widths or words < 3.5 or sum(widths) / len(widths) < 0.7 * max(widths):
            return False
    return True


def _belongs(above: Line, below: Line) -> bool:
    """Return whether a line continues the paragraph above it."""
    height = max(1.0, below.bottom - below.top)
    gap = below.top - above.bottom
    apart = gap > 0.6 * height or gap < -height or below.x0 > above.x1 or below.x1 < above.x0
    return not apart and abs(above.size - below.size) < 0.6 and not BULLET.match(below.text)


def _joined(above: str, below: str, full: bool) -> str:
    if above.endswith("-") and below[:1].islower() and above[-2:-1].isalpha():
        return above[:-1] + below
    return above + (" " if full else "\n") + below
