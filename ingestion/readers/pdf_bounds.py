"""PDF pages that are read in bounded time: too many characters are an error, too many lines are left out."""

import re
from typing import Any

from pdfminer.layout import LTPage
from pdfminer.pdfinterp import PDFPageInterpreter
from pdfminer.pdftypes import PDFStream, resolve1
from pdfplumber.page import Page, PDFPageAggregatorWithMarkedContent
from pdfplumber.utils.exceptions import PdfminerException

__all__ = ["BoundedPage"]

MOST_CHARACTERS = 200_000
"""The most characters of a page; a page of a large spreadsheet has 30,000."""
MOST_PATHS = 200_000
"""The most lines and areas of a page; a page with more is a drawing."""
SHOWS = re.compile(rb"[)>\\]]\s*(?:T[jJ]|['\"])")


class BoundedPage(Page):
    """A page whose reading raises a PdfminerException if it has too many characters."""

    def may_show_text(self) -> bool:
        """Return whether the page's content has an operator that shows text, or cannot be found."""
        streams = (resolve1(stream) for stream in self.page_obj.contents)
        found = [s.get_data() if isinstance(s, PDFStream) else b"" for s in streams]
        return any(not data or SHOWS.search(data) for data in found)

    @property
    def layout(self) -> LTPage:
        if not hasattr(self, "_layout"):
            device = _BoundedDevice(self.pdf.rsrcmgr, pageno=self.page_number, laparams=self.pdf.laparams)
            try:
                PDFPageInterpreter(self.pdf.rsrcmgr, device).process_page(self.page_obj)
            except MemoryError:  # which a second reader would meet too
                raise
            except Exception as error:  # any, as pdfplumber does: a damaged page raises whatever it leads to
                raise PdfminerException(error) from error
            self._layout = device.get_result()
        return self._layout


class _BoundedDevice(PDFPageAggregatorWithMarkedContent):
    _characters = 0
    _paths = 0

    def render_char(self, *args: Any, **options: Any) -> float:
        self._characters += 1
        if self._characters > MOST_CHARACTERS:
            raise ValueError("too many characters")
        return super().render_char(*args, **options)

    def paint_path(self, *args: Any, **options: Any) -> None:
        self._paths += 1
        if self._paths <= MOST_PATHS:
            super().paint_path(*args, **options)
