"""OpenDocument texts: headings, paragraphs, lists and tables in reading order, through lxml."""

from pathlib import Path

from tablerag.ingestion.document import Block, Document, Locator, RawCell, TableBlock, TextBlock
from tablerag.ingestion.readers.grids import filled, is_frame, padded, row_text
from tablerag.ingestion.readers.headings import HeadingPath
from tablerag.ingestion.readers.merges import cell_warnings
from tablerag.ingestion.readers.packages import Element, opened_package
from tablerag.tools.errors import UnreadableDocument

__all__ = ["read_odt"]

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
SKIPPED = {f"{TEXT}{n}" for n in ("tracked-changes", "note", "sequence-decls", "table-of-content", "bibliography")}
SKIPPED |= {f"{OFFICE}annotation", f"{OFFICE}forms", f"{TEXT}variable-decls", f"{TEXT}alphabetical-index"}
CAPTIONS = ("Table", "Caption", "Tabelle", "Tableau")
"""Styles of paragraphs that name the table next to them."""
SKIPPED |= {f"{SVG}title", f"{SVG}desc"}
MAX_COLUMNS = 1000
MAX_ROWS = 100_000


def read_odt(path: Path) -> Document:
    """Read one document's body; notes, comments and tables of contents are left out."""
    with opened_package(path, "an ODT document") as package:
        if b"manifest:encryption-data" in package.data("META-INF/manifest.xml"):
            raise UnreadableDocument("is encrypted: save it again without a password")
        content = package.xml("content.xml")
        body = content.find(f"{OFFICE}body/{OFFICE}text")
        if body is None:
            raise UnreadableDocument("is another OpenDocument format: use the right suffix")
        walk = _Walk(content)
        walk.take(body)
        walk.flush_caption()
        title = package.title("meta.xml")
    first = next((b.text for b in walk.blocks if isinstance(b, TextBlock) and b.is_heading), "")
    return Document(path, title or walk.title or first or path.stem, walk.blocks)


class _Walk:
    """One pass over the body; the parser has bounded how deep it nests."""

    def __init__(self, content: Element) -> None:
        self.blocks: list[Block] = []
        self._headings = HeadingPath()
        styles = content.iter(f"{STYLE}style")
        self._parents = {s.get(f"{STYLE}name"): s.get(f"{STYLE}parent-style-name") for s in styles}
        self.title = ""
        self._caption = ""

    def take(self, element: Element, marker: str = "") -> None:
        """Take what is in an element."""
        for child in element:
            if child.tag == f"{TEXT}h":
                self._add_heading(child)
            elif child.tag == f"{TEXT}p":
                self._add_paragraph(child, marker)
            elif child.tag == f"{TABLE}table":
                self._add_table(child)
            elif child.tag == f"{TEXT}list-item":
                self.take(child, f"{marker[:-2]}- " if marker else "- ")
            elif child.tag == f"{TEXT}list":
                self.take(child, f"  {marker}" if marker else "")
            elif child.tag not in SKIPPED:
                self.take(child, marker)

    def _add_heading(self, heading: Element) -> None:
        text = " ".join(_text(heading).split())
        if text:
            self.flush_caption()
            self._headings.enter(min(int(heading.get(f"{TEXT}outline-level") or 1), 10), text)
            self._add(text, is_heading=True)

    def _add_paragraph(self, paragraph: Element, marker: str) -> None:
        style = paragraph.get(f"{TEXT}style-name") or ""
        text = _text(paragraph).strip()
        base = self._parents.get(style) or style
        if text and base == "Title" and not self.title:
            self.title = text
        if text and base in CAPTIONS:
            self.flush_caption()
            last = self.blocks[-1] if self.blocks else None
            if isinstance(last, TableBlock) and not last.caption:  # captions of Writer are below their tables
                self._add(text)
            else:
                self._caption = text
        elif text:
            self._add(marker + text)
        for nested in paragraph.iter(f"{TABLE}table"):  # in a frame
            self._add_table(nested)

    def flush_caption(self) -> None:
        """Add a caption that no table followed as text."""
        caption, self._caption = self._caption, ""
        if caption:
            self._add(caption)

    def _add(self, text: str, *, is_heading: bool = False) -> None:
        self.flush_caption()
        self.blocks.append(TextBlock(text, Locator(headings=self._headings.path), is_heading))

    def _add_table(self, table: Element) -> None:
        grid, heads, merges = _grid(table)
        if is_frame(grid):
            for row in filter(filled, grid):
                self._add(row_text(row))
            return
        caption, self._caption = self._caption, ""
        locator = Locator(rows=(1, len(grid)), headings=self._headings.path)
        warnings, numbers = cell_warnings(merges), range(1, len(grid) + 1)
        self.blocks.append(TableBlock(grid, locator, caption, heads or None, warnings, source_rows=numbers))


def _text(element: Element) -> str:
    """Return a paragraph's text without notes, comments and tables in it."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == f"{TEXT}s":
            parts.append(" " * min(int(child.get(f"{TEXT}c") or 1), 100))
        elif child.tag in (f"{TEXT}tab", f"{TEXT}line-break"):
            parts.append("\t" if child.tag == f"{TEXT}tab" else "\n")
        elif child.tag not in SKIPPED and child.tag != f"{TABLE}table":
            parts.append(_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _grid(table: Element) -> tuple[list[list[RawCell]], int, int]:
    """Return a table's cells, the number of its header rows and that of its merged cells."""
    rows: list[list[RawCell]] = []
    above: dict[int, tuple[str, int]] = {}  # by column: the text of a merged cell, and the first row below it
    heads = merges = 0
    for row in _own(table, f"{TABLE}table-row"):
        line: list[RawCell] = []
        for cell in row:
            if cell.tag not in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
                continue
            width, height = (_count(cell, f"number-{kind}-spanned") for kind in ("columns", "rows"))
            text = "\n".join(t for p in _own(cell, f"{TEXT}p", f"{TEXT}h") if (t := _text(p).strip()))
            merges += bool(text) and (width > 1 or height > 1)
            for _ in range(min(_count(cell, "number-columns-repeated"), MAX_COLUMNS + 1)):
                column = len(line)
                if text and (width > 1 or height > 1):
                    reach = range(column, column + min(width, MAX_COLUMNS))
                    above |= dict.fromkeys(reach, (text, len(rows) + height))
                covering, end = above.get(column, ("", 0))
                line.append(text or (covering if len(rows) < end else None))
            if len(line) > MAX_COLUMNS:
                raise _too_large(f"{MAX_COLUMNS:,} columns")
        is_head = row.getparent().tag == f"{TABLE}table-header-rows"
        copies = _count(row, "number-rows-repeated") if filled(line) else 1
        if len(rows) + copies > MAX_ROWS:
            raise _too_large(f"{MAX_ROWS:,} rows")
        heads += copies if is_head else 0
        rows += [list(line) for _ in range(copies)]
    return padded(rows), heads, merges


def _too_large(most: str) -> UnreadableDocument:
    return UnreadableDocument(f"has a table of more than {most}: save it as .ods or .csv")


def _own(element: Element, *tags: str) -> list[Element]:
    """Return what has one of some tags in an element, without what is in tables in it."""
    found = []
    for child in element:
        if child.tag in tags:
            found.append(child)
        elif child.tag != f"{TABLE}table":
            found += _own(child, *tags)
    return found


def _count(element: Element, name: str) -> int:
    value = element.get(f"{TABLE}{name}") or "1"
    return int(value) if value.isdecimal() else 1
