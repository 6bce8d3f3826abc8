"""Word documents: paragraphs and tables in the order of the body, through python-docx."""

import re
from pathlib import Path

from docx import Document as open_docx
from docx.document import Document as WordDocument
from docx.opc.exceptions import PackageNotFoundError
from docx.oxml.exceptions import InvalidXmlError
from docx.oxml.ns import qn

from tablerag.ingestion.document import Block, Document, Locator, TableBlock, TextBlock
from tablerag.ingestion.readers.archives import DAMAGE, check_archive, unreadable
from tablerag.ingestion.readers.docx_elements import W_P, W_TBL, Element, WordTable, children, paragraph_text
from tablerag.ingestion.readers.grids import is_frame, padded, row_text
from tablerag.ingestion.readers.headings import HeadingPath
from tablerag.ingestion.readers.merges import cell_warnings
from tablerag.ingestion.readers.office_parts import opened
from tablerag.ingestion.readers.packages import MAX_TREE

__all__ = ["read_docx"]

ERRORS = (PackageNotFoundError, InvalidXmlError, *DAMAGE)
DEFAULT_TITLE = "Word Document"
"""The title that python-docx gives a document without properties."""


def read_docx(path: Path) -> Document:
    """Read one document's body; headers, footers, notes and text boxes are left out."""
    check_archive(path, "a DOCX document", MAX_TREE)
    try:
        source = opened(path)
        word = open_docx(str(source) if isinstance(source, Path) else source)
        return _Walk(word).document(path)
    except ERRORS as error:
        raise unreadable("a DOCX document") from error


class _Walk:
    """One pass over the body."""

    def __init__(self, word: WordDocument) -> None:
        self._word = word
        self._styles = {s.style_id: s for s in word.styles}
        self._headings = HeadingPath()
        self._blocks: list[Block] = []
        self._caption = ""
        self._title = ""

    def document(self, path: Path) -> Document:
        """Return the document, titled by its properties, its first heading or its file name."""
        for element in children(self._word.element.body):
            if element.tag == W_P:
                self._add_paragraph(element)
            elif element.tag == W_TBL:
                self._add_table(element)
        self._flush_caption()
        stated = (self._word.core_properties.title or "").strip()
        first = next((b.text for b in self._blocks if isinstance(b, TextBlock) and b.is_heading), "")
        title = stated if stated != DEFAULT_TITLE else ""
        return Document(path, title or self._title or first or path.stem, self._blocks)

    def _add_paragraph(self, paragraph: Element) -> None:
        text = paragraph_text(paragraph)
        if not text:
            return
        self._flush_caption()
        style = self._style_name(paragraph)
        level = self._heading_level(paragraph, style)
        if style == "caption":
            self._caption = text
        elif level is not None:
            self._title = self._title or (text if style == "title" else "")
            self._headings.enter(level, text)
            self._blocks.append(TextBlock(text, self._locator(), is_heading=True))
        else:
            listed = style.startswith("list ") or paragraph.find(f"{qn('w:pPr')}/{qn('w:numPr')}") is not None
            self._blocks.append(TextBlock(f"- {text}" if listed else text, self._locator()))

    def _flush_caption(self) -> None:
        """Add a caption that no table followed as text."""
        if self._caption:
            self._blocks.append(TextBlock(self._caption, self._locator()))
            self._caption = ""

    def _style_name(self, paragraph: Element) -> str:
        found = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        style = self._styles.get(found.get(qn("w:val"))) if found is not None else None
        return (style.name or "").lower() if style is not None else ""

    def _heading_level(self, paragraph: Element, style: str) -> int | None:
        """Return 0 for a title, 1 to 9 for headings, else None."""
        if style == "title":
            return 0
        named = re.fullmatch(r"heading ([1-9])", style)
        if named:
            return int(named.group(1))
        outline = paragraph.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
        value = outline.get(qn("w:val")) if outline is not None else None
        return int(value) + 1 if value and value.isdecimal() and int(value) < 9 else None

    def _add_table(self, element: Element) -> None:
        table = WordTable(element)
        grid = padded(table.grid)
        caption, self._caption = self._caption, ""
        if is_frame(grid):
            self._blocks += [TextBlock(t, self._locator()) for t in (caption, *map(row_text, grid)) if t]
            return
        warnings = cell_warnings(table.merges)
        self._blocks.append(TableBlock(grid, self._locator(), caption, table.header_rows or None, warnings))

    def _locator(self) -> Locator:
        return Locator(headings=self._headings.path)
