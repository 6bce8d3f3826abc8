"""Readers: one file per format, each turning a path into blocks in reading order."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tablerag.ingestion.document import Document, Reader
from tablerag.ingestion.readers.archives import HTML, format_of
from tablerag.ingestion.readers.calamine import read_calamine
from tablerag.ingestion.readers.delimited import read_delimited
from tablerag.ingestion.readers.docx import read_docx
from tablerag.ingestion.readers.html import read_html
from tablerag.ingestion.readers.markdown import read_markdown
from tablerag.ingestion.readers.pdf import read_pdf
from tablerag.ingestion.readers.text import read_plain_text
from tablerag.ingestion.readers.xls import as_html, read_xls
from tablerag.ingestion.readers.xlsx import read_xlsx
from tablerag.tools.errors import UnreadableDocument

__all__ = ["READERS", "read_document"]

READERS: Mapping[str, Reader] = MappingProxyType(
    {
        ".csv": read_delimited,
        ".docx": read_docx,
        ".htm": read_html,
        ".html": read_html,
        ".markdown": read_markdown,
        ".md": read_markdown,
        ".ods": read_calamine,
        ".pdf": read_pdf,
        ".tsv": read_delimited,
        ".txt": read_plain_text,
        ".xhtml": read_html,
        ".xls": read_xls,
        ".xlsm": read_xlsx,
        ".xlsx": read_xlsx,
    }
)
"""The reader of each format, by lower-case suffix."""


def read_document(path: Path) -> Document:
    """Read one file by its suffix; raise UnreadableDocument when it cannot be read or holds nothing."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise UnreadableDocument(
            f"has the suffix {path.suffix or '(none)'!r}, which no reader knows: use one of {', '.join(READERS)}"
        )
    try:
        if path.stat().st_size == 0:
            raise UnreadableDocument("is empty (0 bytes): fetch or save it anew")
        if reader is read_delimited and format_of(path) == HTML:
            reader = as_html
        document = reader(path)
    except OSError as error:
        raise UnreadableDocument(f"cannot be opened: {error.strerror or error}") from error
    if not document.blocks:
        raise UnreadableDocument("holds no text and no table: remove it, or save it with content")
    return document
