"""Finds the columns of a page's text by white strips that many lines leave open, and orders what is in them.

The page is cut at the strip with the most lines of running text on both sides, between the lines, tables and headings
that cross it; the parts are cut again. Columns of numbers have white space between them too, but running text fills its
lines.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablerag.ingestion.readers.pdf_direction import is_leftwards
from tablerag.ingestion.readers.pdf_layout import Line, PageItem, PlacedTable, Word, rows_of

__all__ = ["Cut", "columns_cut", "in_columns", "notes_last"]

Box = Word | PlacedTable
STRIP = 7.0
"""The least white space between two columns of text, in points; twice a wide space of justified text."""
BUCKET = 4.0
"""The steps, in points, in which white strips are looked for."""
MOST_STRIPS = 8
FEWEST_LINES = 4
FEWEST_WORDS = 3.5
"""The fewest words of a line of running text, on average."""
FULL = 0.75
"""The share of its column's width that a full line of running text takes."""
USUAL = 0.8
"""The share of lines that are not wider than their column; margin text may widen some."""
NARROW_WORDS = 2.0
"""The fewest words of a line of a narrow text beside another, on average."""
LEVEL = 0.15
"""How far apart, in font sizes, the feet of two lines are that are level with each other."""
MOST_LEVEL = 0.55
"""The most lines of a narrow text that are level with those beside it, by chance."""
MOST_DEPTH = 6
NOTE_SIZE = 0.92
"""The most of the size of a page's text that its footnotes have."""
NOTE = re.compile(r"(?:[1-9]\d?|[¹²³⁴⁵⁶⁷⁸⁹*†‡§¶∗])\s?[^\W\d]")


@dataclass(frozen=True, slots=True)
class Band:
    """What is between two heights of a page, left and right of a white strip."""

    top: float
    bottom: float
    left: list[Box]
    right: list[Box]


@dataclass(frozen=True, slots=True)
class Cut:
    """The middle of a white strip, and the bands in which it separates columns."""

    x: float
    bands: list[Band]
    lines: int


def in_columns(boxes: Sequence[Box]) -> Iterator[list[Box]]:
    """Yield the boxes of each column, and of the parts of the page that span columns, in reading order."""
    sideways: list[Box] = [b for b in boxes if isinstance(b, Word) and b.turn]
    upright = [b for b in boxes if not (isinstance(b, Word) and b.turn)]
    yield from _in_columns(upright, is_leftwards(b.text for b in upright if isinstance(b, Word)))
    if sideways:  # such as a stamp in the margin
        yield sideways


def _in_columns(boxes: Sequence[Box], leftwards: bool, depth: int = 0) -> Iterator[list[Box]]:
    cut = columns_cut(boxes) if depth < MOST_DEPTH else None
    if cut is None:
        if boxes:
            yield list(boxes)
        return
    rest = sorted(boxes, key=_middle)
    for band in cut.bands:
        yield from _in_columns([b for b in rest if _middle(b) < band.top], leftwards, depth + 1)
        for column in (band.right, band.left) if leftwards else (band.left, band.right):
            yield from _in_columns(column, leftwards, depth + 1)
        rest = [b for b in rest if _middle(b) > band.bottom]
    yield from _in_columns(rest, leftwards, depth + 1)


def notes_last(parts: Sequence[Sequence[PageItem]]) -> Iterator[PageItem]:
    """Yield the lines and tables of the parts of a page, with the footnotes of all columns at the end."""
    sizes = Counter[float]()
    for line in (item for part in parts for item in part if isinstance(item, Line)):
        sizes[round(line.size, 1)] += len(line.text)
    small = NOTE_SIZE * sizes.most_common(1)[0][0] if sizes else 0.0
    notes: list[PageItem] = []
    for part in parts:
        first = len(part)
        while first and isinstance(line := part[first - 1], Line) and line.size <= small:
            first -= 1
        while first < len(part) and not (isinstance(line := part[first], Line) and NOTE.match(line.text)):
            first += 1
        yield from part[:first]
        notes += part[first:]
    yield from notes


def columns_cut(boxes: Sequence[Box]) -> Cut | None:
    """Return the white strip with the most lines of running text on both sides, None if there is none."""
    cuts = [cut for x in _white_strips(boxes) if (cut := _cut(boxes, x))]
    return max(cuts, key=lambda c: c.lines, default=None)


def _white_strips(boxes: Sequence[Box]) -> list[float]:
    """Return the places that fewer boxes cross than their surroundings, those that the fewest cross first."""
    if len(boxes) < 2 * FEWEST_LINES * FEWEST_WORDS:
        return []
    start, end = min(b.x0 for b in boxes), max(b.x1 for b in boxes)
    crossed = [0] * (int((end - start) / BUCKET) + 2)
    for box in boxes:
        first, last = int((box.x0 - start) / BUCKET), int((box.x1 - start) / BUCKET)
        crossed[first] += 1
        crossed[last + 1] -= 1
    for i in range(1, len(crossed)):
        crossed[i] += crossed[i - 1]
    margin = len(crossed) // 8
    inner = range(margin, len(crossed) - margin - 1)
    low = [i for i in inner if crossed[i] <= min(crossed[max(0, i - 3) : i + 4])]
    runs: list[list[int]] = []
    for i in low:
        if runs and i == runs[-1][-1] + 1 and crossed[i] == crossed[i - 1]:
            runs[-1].append(i)
        else:
            runs.append([i])
    runs.sort(key=lambda r: crossed[r[0]])
    return [start + BUCKET * (run[0] + run[-1] + 1) / 2 for run in runs[:MOST_STRIPS]]


def _cut(boxes: Sequence[Box], x: float) -> Cut | None:
    bands = list(_bands(boxes, x))
    counts = [_lines_beside(b) for b in bands]
    lines = sum(counts)
    if not lines:
        return None
    strong = [i for i, count in enumerate(counts) if count]
    kept = [b for i, b in enumerate(bands) if counts[i] or strong[0] < i < strong[-1]]
    return Cut(x, kept, lines)


def _bands(boxes: Sequence[Box], x: float) -> Iterator[Band]:
    """Yield the bands that nothing crosses at ``x`` and that have boxes on both sides."""
    left, right = x - STRIP / 2, x + STRIP / 2
    crossing = sorted((b.top, b.bottom) for b in boxes if b.x0 < right and b.x1 > left)
    beside = sorted((b for b in boxes if b.x0 >= right or b.x1 <= left), key=_middle)
    at, top = 0, float("-inf")
    for begin, end in [*crossing, (float("inf"), float("inf"))]:
        band: tuple[list[Box], list[Box]] = ([], [])
        while at < len(beside) and _middle(beside[at]) < max(begin, top):
            if _middle(beside[at]) > top:
                band[beside[at].x0 >= right].append(beside[at])
            at += 1
        if all(band):
            yield Band(top, begin, *band)
        top = max(top, end)


def _lines_beside(band: Band) -> int:
    """Return how many lines the shorter of two columns has, 0 if they are not both running text."""
    columns = [rows_of([b for b in side if isinstance(b, Word)]) for side in (band.left, band.right)]
    fewest = min(map(len, columns))
    if fewest < FEWEST_LINES:
        return 0
    least_words = FEWEST_WORDS
    for lines in columns:
        widths = sorted(max(w.x1 for w in line) - line[0].x0 for line in lines)
        full = sum(w >= FULL * widths[int(USUAL * len(widths))] for w in widths)
        if full < 0.5 * len(lines):
            return 0
        if sum(map(len, lines)) < least_words * len(lines):
            # Rows of a table are level with each other, the lines of a narrow text beside another are not.
            if least_words < FEWEST_WORDS or _level(*columns) > MOST_LEVEL:
                return 0
            least_words = NARROW_WORDS
            if sum(map(len, lines)) < least_words * len(lines):
                return 0
    return fewest


def _level(left: Sequence[Sequence[Word]], right: Sequence[Sequence[Word]]) -> float:
    """Return the share of the lines of the shorter column that stand as high as one of the other."""
    few, many = sorted((left, right), key=len)
    heights = sorted(max(w.bottom for w in line) for line in many)
    near = 0
    for line in few:
        at = max(w.bottom for w in line)
        reach = LEVEL * max(w.size for w in line)
        near += bisect_left(heights, at - reach) < bisect_left(heights, at + reach)
    return near / len(few)


def _middle(box: Box) -> float:
    return (box.top + box.bottom) / 2
