"""EPUB books: the chapters in the order of the spine, each read as an HTML page."""

import posixpath
from pathlib import Path

from tablerag.ingestion.document import Block, Document
from tablerag.ingestion.readers.headings import HeadingPath
from tablerag.ingestion.readers.html import decoded_page, html_blocks
from tablerag.ingestion.readers.packages import Element, Package, joined, opened_package
from tablerag.tools.errors import UnreadableDocument

__all__ = ["read_epub"]

CONTAINER = "META-INF/container.xml"
ENCRYPTION = "META-INF/encryption.xml"
PAGES = ("application/xhtml+xml", "text/html")
MOST_CHAPTERS = 5000


def read_epub(path: Path) -> Document:
    """Read one book without its table of contents."""
    with opened_package(path, "an EPUB book") as package:
        main = next((e.get("full-path") or "" for e in _named(package.xml(CONTAINER), "rootfile")), "")
        book = package.xml(main)
        chapters = _chapters(book, posixpath.dirname(main))
        if ENCRYPTION in package.names and not _locked(package).isdisjoint(chapters):
            raise UnreadableDocument("is protected by DRM: get a copy without")
        if len(chapters) > MOST_CHAPTERS:
            raise UnreadableDocument(f"has more than {MOST_CHAPTERS:,} chapters: split it")
        headings = HeadingPath()
        blocks: list[Block] = []
        for name in chapters:
            if name in package.names:
                blocks += html_blocks(decoded_page(package.data(name))[0], headings)
        title = package.title(main)
    return Document(path, title or path.stem, blocks)


def _named(root: Element, name: str) -> list[Element]:
    return [e for e in root.iter() if isinstance(e.tag, str) and e.tag.rpartition("}")[2] == name]


def _chapters(book: Element, folder: str) -> list[str]:
    """Return the names of the pages in reading order."""
    items = {e.get("id"): e for e in _named(book, "item")}
    listed = [items[i] for e in _named(book, "itemref") if (i := e.get("idref")) in items]
    pages = [e for e in listed if e.get("media-type") in PAGES and "nav" not in (e.get("properties") or "").split()]
    return [joined(folder, e.get("href") or "") for e in pages]


def _locked(package: Package) -> set[str]:
    """Return the names of encrypted parts; fonts often are, chapters only in protected books."""
    return {joined("", e.get("URI") or "") for e in _named(package.xml(ENCRYPTION), "CipherReference")}
