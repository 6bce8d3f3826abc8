"""A picture of a page as what the layout of PDF pages works on: words, ruled tables and rules, in points."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from PIL import Image
from PIL.ImageOps import invert

from tablerag.ingestion.readers.ocr.raster import ruled_sides, straightened
from tablerag.ingestion.readers.ocr.recognised import OcrLine, Recognise
from tablerag.ingestion.readers.pdf_characters import BY_SIZE, Character
from tablerag.ingestion.readers.pdf_layout import Word
from tablerag.ingestion.readers.pdf_lines import joined_edges, rules_in
from tablerag.ingestion.readers.pdf_ruled import ruled_tables
from tablerag.ingestion.readers.pdf_running import PageContent

__all__ = ["LONGEST_SIDE", "picture_content"]

LONGEST_SIDE = 2400
"""Pixels of the longer side of a page: A4 at 205 dpi. Larger pictures are scaled down, which bounds time and memory."""
SHORT_SIDE = 1000
"""Pictures whose longer side is shorter are doubled: screenshots have letters of few pixels."""
DARK = 100
"""The usual brightness, of 255, below which a picture is light text on dark ground."""
BODY_SIZE = 10.0
"""The font size, in points, that most text of a picture of unknown resolution gets: the layout works in points."""
UPPER, LOWER, SMALL = 0.72, 0.21, 0.52
"""The height of capitals and digits above the line, of tails below it, and of letters such as x, in font sizes."""
TAILS = frozenset("gjpqyQ,;()[]{}|$ç@/")
LOW = frozenset("acegmnopqrsuvwxyz.,:;-–—_~+=")
SAME_SIZE = 1.3
"""Sizes within this ratio are one: the height of ink tells them only roughly."""


def picture_content(picture: Image.Image, number: int, recognise: Recognise, width: float | None) -> PageContent:
    """Return the content of a page; ``width`` in points is that of the page before it was turned, if known."""
    pixels = straightened(np.asarray(_fitting(picture)))
    before = pixels.shape[1]
    found = recognise(pixels)
    height_px, width_px = found.pixels.shape
    sizes = _sizes(found.lines)
    usual = Counter[float]()
    for line, size in zip(found.lines, sizes, strict=True):
        usual[size] += len(line.text)
    scale = width / before if width else BODY_SIZE / usual.most_common(1)[0][0] if usual else 1.0
    words = [w for line, size in zip(found.lines, sizes, strict=True) for w in _words(line, size, scale)]
    sides = ruled_sides(found.pixels, 72 / scale)
    edges = joined_edges({(o, at * scale, start * scale, end * scale) for o, at, start, end in sides})
    tables = ruled_tables(number, edges, list(_characters(words)), BY_SIZE)
    return PageContent(
        number, width_px * scale, height_px * scale, words, tables, rules_in(edges), is_drawn=True, by_ocr=True
    )


def _fitting(picture: Image.Image) -> Image.Image:
    grey = picture.convert("L")
    if np.median(np.asarray(grey.resize((64, 64)))) < DARK:
        grey = invert(grey)
    longest = max(grey.size)
    ratio = 2.0 if longest < SHORT_SIDE else min(1.0, LONGEST_SIDE / longest)
    if ratio == 1.0:
        return grey
    size = (max(1, round(grey.width * ratio)), max(1, round(grey.height * ratio)))
    return grey.resize(size, Image.Resampling.LANCZOS)


def _sizes(lines: Sequence[OcrLine]) -> list[float]:
    """Return the font size of each line, in pixels; similar ones are equal."""
    own = [max(1.0, (line.bottom - line.top) / sum(_extent(line.text))) for line in lines]
    counts = Counter[float]()
    for line, size in zip(lines, own, strict=True):
        counts[size] += len(line.text)
    chosen: dict[float, float] = {}
    while left := {s: n for s, n in counts.items() if s not in chosen}:
        middle = _median(left)
        near = [s for s in left if middle / SAME_SIZE <= s <= middle * SAME_SIZE]
        chosen |= dict.fromkeys(near, middle)
    return [chosen[s] for s in own]


def _median(counts: dict[float, int]) -> float:
    half, total = sum(counts.values()) / 2, 0
    for size in sorted(counts):
        total += counts[size]
        if total >= half:
            return size
    return 0.0


def _extent(text: str) -> tuple[float, float]:
    """Return how far the ink of a text reaches above and below its line, in font sizes."""
    letters = {c for c in text if not c.isspace()}
    above = SMALL if letters <= LOW else UPPER
    return above, LOWER if letters & TAILS else 0.0


def _words(line: OcrLine, size: float, scale: float) -> Iterator[Word]:
    _, below = _extent(line.text)
    base = line.bottom - below * size
    top, bottom = (base - 0.8 * size) * scale, (base + 0.2 * size) * scale
    for word in line.words:
        box = word.x0 * scale, word.x1 * scale, top, bottom
        yield Word(word.text, *box, size * scale, confidence=word.confidence)


def _characters(words: Sequence[Word]) -> Iterator[Character]:
    """Yield words as characters of equal width, with a space after each word."""
    for word in words:
        pitch = (word.x1 - word.x0) / len(word.text)
        common = {"top": word.top, "bottom": word.bottom, "doctop": word.top, "size": word.size, "word": word}
        common |= {"upright": True, "fontname": "", "matrix": (1, 0, 0, 1, 0, 0)}
        for i, letter in enumerate(word.text):
            yield {"text": letter, "x0": word.x0 + i * pitch, "x1": word.x0 + (i + 1) * pitch, **common}
        yield {"text": " ", "x0": word.x1, "x1": word.x1, **common}
