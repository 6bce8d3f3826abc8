"""Word documents of before 2007, through LibreOffice."""

from dataclasses import replace
from pathlib import Path

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers.archives import OLE, format_of, mismatch
from tablerag.ingestion.readers.docx import read_docx
from tablerag.ingestion.readers.libreoffice import converted
from tablerag.tools.errors import UnreadableDocument

__all__ = ["read_doc"]

MISSING = "is an old Word document: install LibreOffice (on Linux) to read it, or save it as DOCX"


def read_doc(path: Path) -> Document:
    """Read a document that LibreOffice saves as DOCX."""
    found = format_of(path)
    if found != OLE:
        raise mismatch(found, "an old Word document (.doc)")
    with converted(path, "docx") as copy:
        if copy is None:
            raise UnreadableDocument(MISSING)
        document = read_docx(copy)
    title = path.stem if document.title == copy.stem else document.title
    return replace(document, path=path, title=title)
