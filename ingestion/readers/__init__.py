"""Readers: one module per format, each turning a file into blocks in reading order.

The module ``<name>`` defines ``read_<name>(path) -> Document``; READERS is the only place that lists it.
"""

from errno import EINVAL
from importlib import import_module
from pathlib import Path

from tablerag.ingestion.document import Document, Reader
from tablerag.ingestion.formats import no_reader
from tablerag.ingestion.readers.archives import HTML, format_of
from tablerag.ingestion.readers.ocr import installed
from tablerag.tools.errors import UnreadableDocument

__all__ = ["CONTAINERS", "READERS", "read_document", "suffixes"]

READERS = {
    ".bmp": "picture",
    ".csv": "delimited",
    ".doc": "doc",
    ".docm": "docx",
    ".docx": "docx",
    ".eml": "eml",
    ".epub": "epub",
    ".htm": "html",
    ".html": "html",
    ".jpeg": "picture",
    ".jpg": "picture",
    ".json": "json_file",
    ".jsonl": "json_lines",
    ".markdown": "markdown",
    ".md": "markdown",
    ".msg": "msg",
    ".ndjson": "json_lines",
    ".ods": "calamine",
    ".odt": "odt",
    ".parquet": "parquet",
    ".pdf": "pdf",
    ".png": "picture",
    ".ppsx": "pptx",
    ".pptm": "pptx",
    ".pptx": "pptx",
    ".rtf": "rtf",
    ".tif": "picture",
    ".tiff": "picture",
    ".tsv": "delimited",
    ".txt": "plain_text",
    ".webp": "picture",
    ".xhtml": "html",
    ".xls": "xls",
    ".xlsb": "calamine",
    ".xlsm": "xlsx",
    ".xlsx": "xlsx",
    ".xml": "xml_file",
}
"""The reader module of each lower-case suffix, imported when the first such file is read."""

CONTAINERS = (".gz", ".zip")
"""The suffixes of files that hold documents; see ingestion/unpacking.py."""


def suffixes(*, ocr: bool) -> tuple[str, ...]:
    """Return the suffixes of what is read; with ``ocr``, pictures are if an engine is installed."""
    engine = installed() if ocr else ""
    return tuple(sorted((*(s for s, name in READERS.items() if name != "picture" or engine), *CONTAINERS)))


def read_document(path: Path) -> Document:
    """Read one file by its suffix; raise UnreadableDocument if it is unreadable or empty."""
    name = READERS.get(path.suffix.lower())
    if name is None:
        raise UnreadableDocument(no_reader(path.name))
    try:
        if path.stat().st_size == 0:
            raise UnreadableDocument("is empty (0 bytes): fetch or save it again")
        if name == "delimited" and format_of(path) == HTML:
            name = "xls"  # web applications export HTML under any spreadsheet's suffix
        read: Reader = getattr(import_module(f"{__name__}.{name}"), f"read_{name}")
        document = read(path)
    except OSError as error:
        if error.errno == EINVAL:  # a damaged archive led to a place before its beginning
            raise UnreadableDocument("is damaged: save or fetch it again") from error
        raise UnreadableDocument(f"cannot be opened: {error.strerror or error}") from error
    if not document.blocks:
        raise UnreadableDocument("contains no text and no tables: remove it, or save it with content")
    return document
