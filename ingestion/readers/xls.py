"""XLS files: old workbooks, and what programs export under their suffix."""

from dataclasses import replace
from pathlib import Path

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers.archives import HTML, OLE, format_of
from tablerag.ingestion.readers.calamine import read_calamine
from tablerag.ingestion.readers.delimited import read_delimited
from tablerag.ingestion.readers.html import read_html
from tablerag.tools.errors import UnreadableDocument

__all__ = ["as_html", "read_xls"]

BEGINNING = 65_536
BIFF = tuple(bytes((9, version)) for version in (0, 2, 4, 8))
"""How workbooks before Excel 5 begin, which are no OLE files."""
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def read_xls(path: Path) -> Document:
    """Read a workbook by its stored values; HTML and delimited text that only bear the suffix as what they are."""
    with path.open("rb") as file:
        head = file.read(BEGINNING)
    found = format_of(path)
    if found == OLE or head.startswith(BIFF):
        if ENCRYPTED in head:
            raise UnreadableDocument("is encrypted: save it again without a password")
        return read_calamine(path)
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if found and found != HTML:
        raise UnreadableDocument(f"is {found}, not an XLS workbook: give it the suffix of what it is")
    if found or (text.startswith(b"<") and b"<table" in text):
        return as_html(path)
    if text.startswith(b"<"):
        raise UnreadableDocument("is XML, not an XLS workbook: open it and save it as XLSX")
    return _said(read_delimited(path), "delimited text")


def as_html(path: Path) -> Document:
    """Read a page that bears a spreadsheet's suffix, as web applications export tables."""
    return _said(read_html(path), "an HTML page")


def _said(document: Document, content: str) -> Document:
    suffix = document.path.suffix.lower()
    warning = f"is {content} under the suffix {suffix} and was read as such: look whether that was meant"
    return replace(document, warnings=(*document.warnings, warning))
