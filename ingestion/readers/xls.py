"""XLS files: old workbooks, and the HTML and delimited text that programs export with their suffix."""

from dataclasses import replace
from pathlib import Path

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers.archives import HTML, OLE, format_of, mismatch
from tablerag.ingestion.readers.calamine import read_calamine
from tablerag.ingestion.readers.delimited import read_delimited
from tablerag.ingestion.readers.html import read_html
from tablerag.ingestion.readers.libreoffice import converted
from tablerag.ingestion.readers.xlsx import read_xlsx
from tablerag.tools.errors import UnreadableDocument

__all__ = ["read_xls"]

BEGINNING = 65_536
BIFF = tuple(bytes((9, version)) for version in (0, 2, 4, 8))
"""First bytes of workbooks before Excel 5, which are not OLE files."""
MISSING = "is a workbook of before Excel 5: install LibreOffice (on Linux) to read it, or save it as XLSX"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def read_xls(path: Path) -> Document:
    """Read a workbook by its stored values, or HTML or delimited text by its content."""
    with path.open("rb") as file:
        head = file.read(BEGINNING)
    found = format_of(path)
    if found == OLE or head.startswith(BIFF):
        if ENCRYPTED in head:
            raise UnreadableDocument("is encrypted: save it again without a password")
        return _read_oldest(path) if head.startswith(BIFF) else read_calamine(path)
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if found and found != HTML:
        raise mismatch(found, "an XLS workbook")
    if found or (text.startswith(b"<") and b"<table" in text):
        return _noted(read_html(path), "an HTML page")
    if text.startswith(b"<"):
        raise UnreadableDocument("is XML, not an XLS workbook: open it and save it as XLSX")
    return _noted(read_delimited(path), "delimited text")


def _read_oldest(path: Path) -> Document:
    """Read a workbook of before Excel 5: python-calamine reads some, LibreOffice the others."""
    try:
        return read_calamine(path)
    except UnreadableDocument as error:
        with converted(path, "xlsx") as copy:
            if copy is None:
                raise UnreadableDocument(MISSING) from error
            return replace(read_xlsx(copy), path=path, title=path.stem)


def _noted(document: Document, content: str) -> Document:
    suffix = document.path.suffix.lower()
    warning = f"is {content} with the suffix {suffix} and was read as such: check the file"
    return replace(document, warnings=(*document.warnings, warning))
