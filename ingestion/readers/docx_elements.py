"""A Word document's XML elements: the text of paragraphs and the grids of tables."""

from collections.abc import Iterator
from typing import Any

from docx.oxml.ns import qn

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.readers.raised import raised

__all__ = ["Element", "W_P", "W_TBL", "WordTable", "children", "paragraph_text"]

Element = Any
"""An lxml element of WordprocessingML, as returned by python-docx."""

W_P, W_TBL, W_TR, W_TC, W_SDT = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc"), qn("w:sdt")
WRAPPERS = frozenset({qn("w:sdtContent"), qn("w:customXml"), qn("w:ins"), qn("w:smartTag"), W_SDT})
TEXT, MARKS = qn("w:t"), {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
SKIPPED = frozenset(
    {"{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback", qn("w:txbxContent"), qn("w:pPr")}
)
MAX_COLUMNS = 1000


def children(element: Element) -> Iterator[Element]:
    """Yield the paragraphs, tables, rows or cells of an element, including those in content controls."""
    stack = list(reversed(element))
    while stack:
        child = stack.pop()
        if child.tag in WRAPPERS:
            stack.extend(reversed(child))
        else:
            yield child


def paragraph_text(paragraph: Element) -> str:
    """Return a paragraph's text with tracked insertions, without deletions and text boxes."""
    parts = []
    stack = list(reversed(paragraph))
    while stack:
        element = stack.pop()
        if element.tag == TEXT:
            text = element.text or ""
            parts.append(raised(text, "".join(parts[-1:])) if _is_raised(element) else text)
        elif element.tag in MARKS:
            parts.append(MARKS[element.tag])
        elif element.tag not in SKIPPED:
            stack.extend(reversed(element))
    return "".join(parts).strip()


def _is_raised(text: Element) -> bool:
    properties = text.getparent().find(qn("w:rPr") + "/" + qn("w:vertAlign"))
    return properties is not None and properties.get(qn("w:val")) == "superscript"


class WordTable:
    """A table's grid; merged cells are filled with their value."""

    def __init__(self, table: Element) -> None:
        self.grid: list[list[RawCell]] = []
        self.merges = 0
        above: dict[int, str] = {}
        heads: list[bool] = []
        names = 0
        for row in (r for r in children(table) if r.tag == W_TR):
            line: list[RawCell] = [None] * _number(row, "w:trPr/w:gridBefore")
            begun: dict[int, str] = {}
            cells = [c for c in children(row) if c.tag == W_TC]
            for cell in cells:
                width = min(_number(cell, "w:tcPr/w:gridSpan") or 1, MAX_COLUMNS)
                merge = cell.find(qn("w:tcPr") + "/" + qn("w:vMerge"))
                continues = merge is not None and merge.get(qn("w:val")) != "restart"
                text = above.get(len(line), "") if continues else _cell_text(cell)
                self.merges += not continues and bool(text) and (width > 1 or merge is not None)
                if merge is not None:
                    begun[len(line)] = text
                # Below the names of the columns, a text over most of them is a heading or the label of a sum.
                is_label = names > 3 and width > names / 2
                line += [text or None] + [None if is_label else text or None] * (width - 1)
            above = begun
            self.grid.append(line)
            if all(line) and len(cells) == len(line):
                names = len(line)
            heads.append(row.find(qn("w:trPr") + "/" + qn("w:tblHeader")) is not None)
        self.header_rows = next((i for i, head in enumerate(heads) if not head), 0)


def _number(element: Element, path: str) -> int:
    found = element.find("/".join(qn(p) for p in path.split("/")))
    value = found.get(qn("w:val")) if found is not None else None
    return min(int(value), MAX_COLUMNS) if value and value.isdecimal() else 0


def _cell_text(cell: Element) -> str:
    """Return a cell's text, with the rows of nested tables as lines."""
    lines: list[str] = []
    stack = list(reversed(list(children(cell))))
    while stack:
        element = stack.pop()
        if element.tag == W_P:
            lines.append(paragraph_text(element))
        elif element.tag == W_TBL:
            stack.extend(reversed([r for r in children(element) if r.tag == W_TR]))
        elif element.tag == W_TR:
            cells = [_flat_text(c) for c in children(element) if c.tag == W_TC]
            lines.append(" | ".join(c for c in cells if c))
    return "\n".join(line for line in lines if line)


def _flat_text(element: Element) -> str:
    return " ".join(t for t in (paragraph_text(p) for p in element.iter(W_P)) if t)
