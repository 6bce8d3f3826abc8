"""Office files in the variants that their libraries do not open: Strict Open XML, and documents with macros."""

import re
import zipfile
from io import BytesIO
from pathlib import Path

from tablerag.ingestion.readers.archives import XML

__all__ = ["opened"]

STRICT = b"http://purl.oclc.org/ooxml/"
NAMESPACE = re.compile(rb"http://purl\.oclc\.org/ooxml/([A-Za-z]+)/([A-Za-z]+)")
MACRO_TYPE = b"application/vnd.ms-word.document.macroEnabled.main+xml"
PLAIN_TYPE = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
TYPES, RELATIONS = "[Content_Types].xml", "_rels/.rels"


def opened(path: Path) -> Path | BytesIO:
    """Return a checked Office file, or a copy in memory with the names that libraries expect.

    Strict Open XML (ISO/IEC 29500) has the namespaces of the usual, transitional, kind under another address. Macros
    are not read: a document that has some only states another type.
    """
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        is_strict = RELATIONS in names and STRICT in archive.read(RELATIONS)
        has_macros = TYPES in names and MACRO_TYPE in archive.read(TYPES)
        if not is_strict and not has_macros:
            return path
        copy = BytesIO()
        with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
            for name in dict.fromkeys(archive.namelist()):
                content = archive.read(name)
                if name.endswith(XML):
                    content = NAMESPACE.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", content)
                target.writestr(name, content.replace(MACRO_TYPE, PLAIN_TYPE) if name == TYPES else content)
    copy.seek(0)
    return copy
