"""The pages of a PDF that are pictures: scans, drawings of text, and text whose letters the file does not name."""

from collections.abc import Sequence
from pathlib import Path

from pdfplumber.page import Page

from tablerag.ingestion.readers import ocr
from tablerag.ingestion.readers.pdf_running import PageContent
from tablerag.ingestion.readers.pdf_second import is_nameless

__all__ = ["Scans", "is_picture"]

FEW_WORDS = 10
COVERED = 0.6
"""The share of a page that pictures cover if it is a scan, on which a program has stamped a few words."""


def is_picture(page: Page, content: PageContent) -> bool:
    """Return whether a page's text, if any, is not what a reader sees."""
    if not content.words:
        return content.is_drawn
    if is_nameless(content.words):
        return True
    if len(content.words) > FEW_WORDS:
        return False
    covered = max((float(i["width"]) * float(i["height"]) for i in page.images), default=0.0)
    return covered > COVERED * float(page.width) * float(page.height)


class Scans:
    """Reads pictures of the pages of one file; the notes say which were not read."""

    def __init__(self, path: Path, pages: int) -> None:
        self._path, self._pages = path, pages
        self._read = 0
        self._left_out: list[int] = []

    def content(self, page: PageContent) -> PageContent:
        """Return what OCR reads on a page, unless that is hardly more than the page's own text."""
        # Most files have no scans, and are read without these libraries.
        import pypdfium2

        from tablerag.ingestion.readers.ocr.page import LONGEST_SIDE, picture_content

        if self._read >= ocr.using.get().most_pages:
            self._left_out.append(page.number)
            return page
        self._read += 1
        ocr.tell_page(page.number, self._pages)
        with pypdfium2.PdfDocument(self._path) as document:
            sheet = document[page.number - 1]
            width, height = sheet.get_size()
            scale = LONGEST_SIDE / max(width, height, 1.0)
            picture = sheet.render(scale=scale, grayscale=True).to_pil()
        seen = picture_content(picture, page.number, ocr.load(), width)
        says_more = len(seen.words) > 2 * len(page.words)
        return seen if says_more or not page.words or is_nameless(page.words) else page

    def notes(self) -> Sequence[str]:
        if not self._left_out:
            return ()
        first, last, most = self._left_out[0], self._left_out[-1], ocr.using.get().most_pages
        return (f"pages {first}-{last} were not read: OCR reads {most:,} pages of a document (TABLERAG_OCR_PAGES)",)
