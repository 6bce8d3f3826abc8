"""A second opinion on PDF files and pages that pdfminer cannot read: their words, through pdfium."""

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from tablerag.ingestion.readers.pdf_layout import Word
from tablerag.ingestion.readers.pdf_running import PageContent
from tablerag.tools.counting import counted

__all__ = ["SecondReader", "is_nameless"]

Box = tuple[float, float, float, float]
T = TypeVar("T")

NAMELESS = re.compile(r"\(cid:\d+\)|[\ufffd\ue000-\uf8ff\x00-\x08]")
MOST_NAMELESS = 0.3
"""The share of letters without a name above which a page's text is useless."""
MOST_PAGES = 2_000
MOST_CHARS = 200_000
"""The most characters of a page."""
ABOVE = 0.8
"""The share of a font's size above the line."""
LINE_HYPHEN = "\x02"
"""What pdfium makes of a hyphen at the end of a line."""


def is_nameless(words: Sequence[Word]) -> bool:
    """Return whether the file does not say which letters many of its glyphs are."""
    text = "".join(w.text for w in words)
    return len(NAMELESS.findall(text)) > MOST_NAMELESS * len(NAMELESS.sub("?", text))


class SecondReader:
    """Reads pages of one file; the notes name them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: list[int] = []
        self._unread: list[int] = []

    def better(self, page: PageContent) -> PageContent:
        """Return a page with the words that pdfium finds on it, if it has none or glyphs without names."""
        if page.words and not is_nameless(page.words):
            return page
        found = self._on_page(page.number)
        if found is None or not found.words or is_nameless(found.words):
            return page
        self._read.append(page.number)
        return found

    def instead(self, number: int) -> PageContent:
        """Return a damaged page; it has no words if pdfium cannot read it either."""
        found = self._on_page(number)
        (self._read if found else self._unread).append(number)
        return found or PageContent(number, 1.0, 1.0, [], [], [], is_drawn=False)

    def pages(self) -> list[PageContent]:
        """Return the pages of a damaged file, [] if pdfium cannot open it."""
        found = self._with_document(lambda document: [_content(document, i) for i in range(_length(document))])
        self._read += [page.number for page in found or ()]
        return found or []

    def notes(self) -> Sequence[str]:
        notes = []
        if self._read:
            notes.append(f"{_named(self._read)} damaged: read without the lines of tables, check them")
        if self._unread:
            notes.append(f"{_named(self._unread)} too damaged to be read: save the file again")
        return notes

    def _on_page(self, number: int) -> PageContent | None:
        return self._with_document(lambda document: _content(document, number - 1))

    def _with_document(self, read: Callable[[Any], T]) -> T | None:
        # Most files need no second opinion, and are read without this library.
        import pypdfium2

        try:
            with pypdfium2.PdfDocument(self._path) as document:
                return read(document)
        except (pypdfium2.PdfiumError, OSError, IndexError):
            return None


def _named(pages: Sequence[int]) -> str:
    if len(pages) == 1:
        return f"page {pages[0]} is"
    return f"{counted(len(pages), 'page')} ({pages[0]}-{pages[-1]}) are"


def _length(document: Any) -> int:
    return min(len(document), MOST_PAGES)


def _content(document: Any, index: int) -> PageContent:
    page = document[index]
    try:
        box, turn = page.get_mediabox(), page.get_rotation()
        width, height = box[2] - box[0], box[3] - box[1]
        size = (height, width) if turn in (90, 270) else (width, height)
        words = list(_words(page.get_textpage(), box, turn))
        return PageContent(index + 1, *size, words, [], [], is_drawn=True)
    finally:
        page.close()


def _words(textpage: Any, area: Box, turn: int) -> Iterator[Word]:
    letters: list[str] = []
    boxes: list[Box] = []
    for char, box in _characters(textpage):
        if not char.isspace() and (char.isprintable() or char == LINE_HYPHEN):
            letters.append("-" if char == LINE_HYPHEN else char)
            boxes.append(box)
        elif letters:
            yield _word(letters, boxes, area, turn)
            letters, boxes = [], []
    if letters:
        yield _word(letters, boxes, area, turn)


def _characters(textpage: Any) -> Iterator[tuple[str, Box]]:
    """Yield a page's characters, with white space between words, and their boxes: left, bottom, right, top."""
    from pypdfium2 import raw

    matrix, rect = raw.FS_MATRIX(), raw.FS_RECTF()
    x, y = ctypes.c_double(), ctypes.c_double()
    for i in range(min(textpage.count_chars(), MOST_CHARS)):
        code = raw.FPDFText_GetUnicode(textpage, i)
        raw.FPDFText_GetLooseCharBox(textpage, i, rect)
        top, bottom = rect.top, rect.bottom
        if raw.FPDFText_GetMatrix(textpage, i, matrix) and abs(matrix.a) > abs(matrix.b):
            size = raw.FPDFText_GetFontSize(textpage, i) * abs(matrix.d)
            if size and raw.FPDFText_GetCharOrigin(textpage, i, x, y):
                top, bottom = y.value + ABOVE * size, y.value - (1 - ABOVE) * size
        yield chr(code) if code else " ", (rect.left, bottom, rect.right, top)


def _word(letters: Sequence[str], boxes: Sequence[Box], area: Box, turn: int) -> Word:
    """Return a word with its box in points from the top left corner of the page as it is shown."""
    left, bottom = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, top = max(b[2] for b in boxes), max(b[3] for b in boxes)
    places = {
        0: (left - area[0], right - area[0], area[3] - top, area[3] - bottom),
        90: (bottom - area[1], top - area[1], left - area[0], right - area[0]),
        180: (area[2] - right, area[2] - left, bottom - area[1], top - area[1]),
        270: (area[3] - top, area[3] - bottom, area[2] - right, area[2] - left),
    }
    x0, x1, upper, lower = places[turn]
    return Word("".join(letters), x0, x1, upper, lower, lower - upper)
