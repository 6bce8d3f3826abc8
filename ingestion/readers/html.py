"""HTML pages: headings, paragraphs, lists and tables in reading order, through lxml."""

import re
from pathlib import Path

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]
from lxml.etree import _Element

from tablerag.ingestion.document import Block, Document, Locator, TextBlock
from tablerag.ingestion.readers.archives import check_not_binary
from tablerag.ingestion.readers.encoding import decode
from tablerag.ingestion.readers.headings import HeadingPath
from tablerag.ingestion.readers.html_cleaning import BLOCK_TAGS, clean, text_of
from tablerag.ingestion.readers.html_split import join_headers
from tablerag.ingestion.readers.html_tables import infobox, nearest_table, read_table
from tablerag.tools.errors import UnreadableDocument

__all__ = ["decoded_page", "html_blocks", "read_html"]

HEADINGS = {f"h{level}": level for level in range(1, 7)}
PLAIN_TAG = re.compile(r"</?(?:div|span|font|b|i|u|em|strong|center|blockquote)\b[^<>]*>", re.IGNORECASE)
"""Tags that carry little meaning."""
META_CHARSET = re.compile(rb"<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)


def read_html(path: Path) -> Document:
    """Read one page without fetching anything."""
    check_not_binary(path, "an HTML page")
    text, warnings = decoded_page(path.read_bytes())
    root, cut = _parsed(text)
    if root is None:
        raise UnreadableDocument("contains no HTML elements: use the right suffix")
    title = next((" ".join("".join(t.itertext()).split()) for t in root.iter("title")), "")
    hidden = clean(root)
    join_headers(root)
    headline = next((" ".join(text_of(h).split()) for h in root.iter("h1")), "")
    return Document(
        path, title or headline or path.stem, _Walk(HeadingPath()).blocks_of(root), (*warnings, *cut, *hidden)
    )


def html_blocks(fragment: str, headings: HeadingPath) -> list[Block]:
    """Return the blocks of HTML embedded in another format."""
    root, _ = _parsed(fragment)
    if root is None:
        return []
    clean(root)
    return _Walk(headings).blocks_of(root)


def decoded_page(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Decode a page by its byte order mark, its declared encoding or detection."""
    stated = META_CHARSET.search(data[:4096])
    if stated and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        name = stated.group(1).decode("ascii").lower()
        # Browsers read these names as their supersets.
        name = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "gb2312": "gb18030"}.get(name, name)
        try:
            return data.decode(name), ()
        except (UnicodeDecodeError, LookupError):
            pass
    return decode(data, "an HTML page")


def _parsed(text: str) -> tuple[_Element | None, tuple[str, ...]]:
    """Return the tree, and a warning if it is incomplete: the parser silently stops at 2048 levels."""
    root, too_deep = _tree(text)
    if not too_deep:
        return root, ()
    root, too_deep = _tree(PLAIN_TAG.sub("\n", text))
    if not too_deep:
        return root, ("nests deeper than 2048 elements: divisions and emphasis were ignored",)
    return root, ("nests deeper than 2048 elements: deeper parts were left out; save the page again",)


def _tree(text: str) -> tuple[_Element | None, bool]:
    """Return the tree, and whether the parser stopped because of its depth."""
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, huge_tree=True, recover=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, etree.ParserError):
        return None, False
    found = {e.type for e in parser.error_log}
    if etree.ErrorTypes.ERR_NO_MEMORY in found:  # the parser returns what it had until then
        raise MemoryError
    return root, etree.ErrorTypes.ERR_RESOURCE_LIMIT in found


class _Walk:
    """One pass through a cleaned tree, without recursion because pages may nest arbitrarily deep."""

    def __init__(self, headings: HeadingPath) -> None:
        self._headings = headings
        self._blocks: list[Block] = []
        self._parts: list[str] = []
        self._preformatted = 0

    def blocks_of(self, root: _Element) -> list[Block]:
        """Return the tree's blocks in reading order."""
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            if element.tag == "head":
                if event == "start":
                    walk.skip_subtree()
            elif event == "end":
                self._leave(element)
            elif self._take_whole(element):
                walk.skip_subtree()
            else:
                self._enter(element)
        self._flush()
        return self._blocks

    def _take_whole(self, element: _Element) -> bool:
        """Read a heading or data table as a whole; return whether the element was one."""
        if element.tag in HEADINGS:
            self._flush()
            text = " ".join(text_of(element).split())
            if text:
                self._headings.enter(HEADINGS[element.tag], text)
                self._blocks.append(TextBlock(text, self._locator(), is_heading=True))
            return True
        return element.tag == "table" and self._take_table(element)

    def _take_table(self, element: _Element) -> bool:
        """Read a table and those nested in it; return False for a layout table, whose content is text."""
        self._flush()
        pending = [element]
        while pending:
            table = pending.pop(0)
            if "infobox" in (table.get("class") or "").lower():
                self._blocks += infobox(table, self._locator())
            else:
                read = read_table(table)
                if read.is_layout and table is element:
                    return False
                if read.is_layout:
                    text = text_of(table, skipped="table")
                    self._blocks += [TextBlock(text, self._locator())] if text else []
                else:
                    self._blocks.append(read.block(self._locator()))
            pending[:0] = [t for t in table.iterdescendants("table") if nearest_table(t) is table]
        return True

    def _enter(self, element: _Element) -> None:
        if element.tag in BLOCK_TAGS:
            self._flush()
        if element.tag == "pre":
            self._preformatted += 1
        if element.tag == "br":
            self._parts.append("\n")
        if element.tag == "li":
            self._parts.append("- ")
        self._parts.append(element.text or "")

    def _leave(self, element: _Element) -> None:
        if element.tag in BLOCK_TAGS or element.tag == "table":
            self._flush()
        if element.tag == "pre":
            self._preformatted -= 1
        self._parts.append(element.tail or "")

    def _flush(self) -> None:
        """End a paragraph."""
        joined = "".join(self._parts)
        self._parts.clear()
        if self._preformatted:
            text = joined.strip("\n").rstrip()
        else:
            lines = (" ".join(line.split()) for line in joined.split("\n"))
            text = "\n".join(line for line in lines if line)
        if text.strip(" -\n"):
            self._blocks.append(TextBlock(text, self._locator()))

    def _locator(self) -> Locator:
        return Locator(headings=self._headings.path)
