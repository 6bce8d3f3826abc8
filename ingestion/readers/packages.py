"""Documents that are ZIP archives of XML parts: PowerPoint, OpenDocument text and EPUB."""

import posixpath
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from tablerag.ingestion.readers.archives import DAMAGE, check_archive, unreadable

__all__ = ["MAX_TREE", "Element", "Package", "joined", "opened_package", "parsed_xml"]

Element = Any
"""An lxml element."""
MAX_TREE = 100_000_000
"""The most bytes of an XML part, whose tree takes about thirty times as much memory."""
RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
TITLE = "{http://purl.org/dc/elements/1.1/}title"


def parsed_xml(data: bytes) -> Element:
    """Parse XML without expanding entities or fetching anything; raises a SyntaxError if it is damaged."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    return etree.fromstring(data, parser)


class Package:
    """The parts of a document."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.names = set(archive.namelist())

    def data(self, name: str) -> bytes:
        """Return a part's bytes."""
        return self._archive.read(name)

    def xml(self, name: str) -> Element:
        """Return the root of an XML part."""
        return parsed_xml(self.data(name))

    def targets(self, name: str) -> dict[str, tuple[str, str]]:
        """Return the kind and name of the parts that an Office part refers to, by their ids there."""
        folder, base = posixpath.split(name)
        rels = f"{folder}/_rels/{base}.rels"
        if rels not in self.names:
            return {}
        found = {}
        for r in self.xml(rels).iter(RELATION):
            if r.get("TargetMode") != "External":
                kind = (r.get("Type") or "").rpartition("/")[2]
                found[r.get("Id")] = (kind, joined(folder, r.get("Target") or ""))
        return found

    def title(self, part: str) -> str:
        """Return the title that a part of properties states, "" if there is none."""
        if part not in self.names:
            return ""
        return next((" ".join("".join(t.itertext()).split()) for t in self.xml(part).iter(TITLE)), "")


def joined(folder: str, target: str) -> str:
    """Return the name of a part that another one in a folder refers to."""
    path = unquote(target.partition("#")[0])
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


@contextmanager
def opened_package(path: Path, expected: str) -> Iterator[Package]:
    """Open a document; raise UnreadableDocument if it is damaged, encrypted, too large or of another format."""
    check_archive(path, expected, MAX_TREE)
    try:
        with zipfile.ZipFile(path) as archive:
            yield Package(archive)
    except DAMAGE as error:
        raise unreadable(expected) from error
