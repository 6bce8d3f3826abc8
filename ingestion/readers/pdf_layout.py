"""Turns a PDF page's words into paragraphs in reading order, by geometry only."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tablerag.ingestion.document import LeastSure, TableBlock
from tablerag.ingestion.readers.pdf_direction import is_leftwards, line_text, may_be_leftwards

__all__ = [
    "Line",
    "OnPage",
    "PageItem",
    "PlacedTable",
    "SUPERSCRIPTS",
    "Word",
    "least_sure",
    "lines_of",
    "paragraphs_of",
    "rows_of",
]

INITIAL = 2.0
"""A letter of more font sizes than this is an initial over several lines."""
SMALL = 0.85
"""The most of a letter's size that one raised or lowered beside it has."""
TOUCH = 0.12
"""The most white space, in the smaller font size, between parts of one word."""
UNIT = 2
"""The letters of the longest unit with a power: "km²"."""
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
HYPHENS = ("-", "\N{HYPHEN}", "\N{SOFT HYPHEN}")
MOST_INITIALS = 20
WORD_LETTERS = "AIO"
"""Letters that are words."""
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
    turn: int = 0
    """By how many degrees, clockwise, it is to be turned to stand upright: 0, 90, 180 or 270."""


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
    is_running: bool = False
    """Whether it is apart from the page's text: sideways, or at the top or foot and on pages near it or a number."""


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
            # An initial over several lines joins none of them to the others.
            if largest.size < word.size <= INITIAL * largest.size or largest.size > INITIAL * word.size:
                largest = word
        else:
            rows.append([word])
            largest = word
    return [sorted(row, key=lambda w: w.x0) for row in rows]


def lines_of(boxes: Sequence[Word | PlacedTable]) -> list[PageItem]:
    """Return the lines of words, with tables between them, from top to bottom; sideways lines come last."""
    words = [b for b in boxes if isinstance(b, Word)]
    tables = [b for b in boxes if isinstance(b, PlacedTable)]
    lines = [_line(row) for row in rows_of(_with_initials([w for w in words if not w.turn]))]
    sideways = [_line(row) for row in rows_of([_turned(w) for w in words if w.turn])]
    return [
        *sorted([*lines, *tables], key=lambda i: (i.top, i.x0)),
        *(replace(line, is_running=True) for line in sideways),
    ]


def paragraphs_of(items: Sequence[PageItem]) -> Iterator[PageItem]:
    """Yield items with adjacent lines of one size joined into paragraphs, also from one column to the next."""
    current: Line | None = None
    widest = 0.0
    for item in items:
        if isinstance(item, Line) and current and _belongs(current, item):
            full = _is_full(current, item, max(widest, item.x1 - item.x0))
            text = _joined(current.text, item.text, full)
            current = replace(item, text=text, x0=min(current.x0, item.x0), top=current.top)
            widest = max(widest, item.x1 - item.x0)
            continue
        if isinstance(item, Line) and current and _flows(current, item):
            current = replace(item, text=_joined(current.text, item.text, full=True))
            widest = item.x1 - item.x0
            continue
        if current:
            yield current
        current = item if isinstance(item, Line) else None
        widest = item.x1 - item.x0
        if current is None:
            yield item
    if current:
        yield current


def _with_initials(words: Sequence[Word]) -> Sequence[Word]:
    """Return words with each initial over several lines joined to the word that it begins, in the first of them."""
    sizes = sorted(w.size for w in words)
    usual = sizes[len(sizes) // 2] if sizes else 0.0
    found = [w for w in words if w.size > INITIAL * usual and len(w.text) == 1 and w.text.isalpha()]
    if not 0 < len(found) <= MOST_INITIALS:
        return words
    joined = {id(w): w for w in words}
    for initial in found:
        beside = [
            w
            for w in words
            if INITIAL * w.size < initial.size
            and -1 < w.x0 - initial.x1 < w.size
            and initial.top < _middle(w) < initial.bottom
        ]
        first = min(beside, key=_middle, default=None)
        alone = initial.text in WORD_LETTERS and first is not None and first.x0 - initial.x1 > 2 * TOUCH * first.size
        if first is not None and first.text[:1].isalpha() and not alone:
            joined[id(first)] = replace(first, text=initial.text + first.text)
            del joined[id(initial)]
    return list(joined.values())


def _beside(word: Word, other: Word) -> bool:
    """Return whether words overlap in at least half of the lower one's height, as superscripts do."""
    shared = min(word.bottom, other.bottom) - max(word.top, other.top)
    return shared >= 0.5 * min(word.bottom - word.top, other.bottom - other.top)


def _middle(word: Word) -> float:
    return (word.top + word.bottom) / 2


def _turned(word: Word) -> Word:
    """Return a sideways word at a place from which its line reads from left to right."""
    left, right, top, bottom = -word.bottom, -word.top, word.x0, word.x1
    if word.turn == 180:
        left, right, top, bottom = -word.x1, -word.x0, -word.bottom, -word.top
    elif word.turn > 180:
        left, right, top, bottom = word.top, word.bottom, -word.x1, -word.x0
    return replace(word, x0=left, x1=right, top=top, bottom=bottom)


def _line(words: Sequence[Word]) -> Line:
    sizes = sorted(w.size for w in words for _ in w.text)
    size = sizes[len(sizes) // 2]
    usual = [w for w in words if w.size <= INITIAL * size]
    return Line(
        x0=words[0].x0,
        x1=max(w.x1 for w in words),
        top=min(w.top for w in usual),
        bottom=max(w.bottom for w in usual),
        text=_text(words),
        size=size,
    )


def _text(words: Sequence[Word]) -> str:
    """Return a line's text; what is raised or lowered, and small capitals, are joined to what they touch.

    A raised number after a word is a note's mark: joined to the word, it would hide it from a search.
    """
    texts: list[str] = []
    last: Word | None = None
    for word in words:
        joined = _joint(last, word, len(texts[-1]) > len(last.text)) if last else None
        if joined is None:
            texts.append(word.text)
        else:
            texts[-1] += joined
        last = word
    return line_text(texts)


def _joint(left: Word, right: Word, is_joined: bool) -> str | None:
    """Return the text to add to the left word, None if they are two words; ``is_joined`` if the left one is added."""
    small, large = (left, right) if left.size < right.size else (right, left)
    if small.size > SMALL * large.size or right.x0 - left.x1 > TOUCH * small.size:
        return None
    if small is left:  # the mark before a note, or what follows a subscript
        return right.text if is_joined else None
    is_raised = _middle(right) < _middle(left) - 0.1 * left.size
    if not (is_raised and right.text.isdecimal()):
        return right.text
    is_power = left.text[-1:].isdigit() or len(left.text) <= UNIT
    return right.text.translate(SUPERSCRIPTS) if is_power else None


def _belongs(above: Line, below: Line) -> bool:
    """Return whether a line continues the paragraph above it."""
    height = max(1.0, below.bottom - below.top)
    gap = below.top - above.bottom
    apart = gap > 0.6 * height or gap < -height or below.x0 > above.x1 or below.x1 < above.x0
    alike = abs(above.size - below.size) < 0.6 and above.is_running == below.is_running
    return not apart and alike and not BULLET.match(below.text)


def _is_full(above: Line, below: Line, width: float) -> bool:
    """Return whether a line ends near the margin, so that it is not a short line of its own."""
    if may_be_leftwards(above.text) and is_leftwards(above.text.split()):
        return above.x0 <= below.x1 - 0.8 * width
    return above.x1 >= below.x0 + 0.8 * width


def _flows(last: Line, first: Line) -> bool:
    """Return whether a column's first line goes on with the sentence that ends the column on its left."""
    is_next = first.x0 > last.x1 and first.bottom < last.bottom and abs(last.size - first.size) < 0.6
    return is_next and last.text[-1:] not in ".:;!?" and first.text[:1].islower()


def _joined(above: str, below: str, full: bool) -> str:
    if above.endswith(HYPHENS) and below[:1].islower() and above[-2:-1].isalpha():
        return above[:-1] + below
    return above + (" " if full else "\n") + below
