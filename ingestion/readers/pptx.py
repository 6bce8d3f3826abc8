"""PowerPoint presentations: titles, texts, tables, charts and notes of each slide, through lxml."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tablerag.ingestion.document import Block, Document, Locator, RawCell, TableBlock, TextBlock
from tablerag.ingestion.readers.grids import is_frame, padded, row_text
from tablerag.ingestion.readers.merges import cell_warnings
from tablerag.ingestion.readers.packages import Element, Package, opened_package
from tablerag.ingestion.readers.pptx_charts import chart_block
from tablerag.tools.counting import shortened
from tablerag.tools.errors import UnreadableDocument

__all__ = ["read_pptx"]

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
R_ID, R_DATA = (f"{{http://schemas.openxmlformats.org/officeDocument/2006/relationships}}{n}" for n in ("id", "dm"))
MAIN = "ppt/presentation.xml"
TITLES = ("title", "ctrTitle")
FURNITURE = ("dt", "ftr", "hdr", "sldNum", "sldImg")
"""Placeholders that repeat on each slide: dates, footers, numbers."""
DEFAULT_TITLE = re.compile(r"(?:slide|folie|diapositiv[ae]) \d+|.*powerpoint.*", re.IGNORECASE)
"""Titles that PowerPoint gives a presentation without one."""
MOST_SLIDES = 5000
MAX_COLUMNS = 1000


def read_pptx(path: Path) -> Document:
    """Read one presentation; the locator of a block has its slide."""
    with opened_package(path, "a PPTX presentation") as package:
        targets = package.targets(MAIN)
        ids = [s.get(R_ID) for s in package.xml(MAIN).iter(f"{P}sldId")]
        names = [targets[i][1] for i in ids if i in targets and targets[i][1] in package.names]
        if len(names) > MOST_SLIDES:
            raise UnreadableDocument(f"has {len(names):,} slides, more than {MOST_SLIDES:,}: split the file")
        slides = [_Slide(package, name, number) for number, name in enumerate(names, start=1)]
        title = package.title("docProps/core.xml")
    hidden = tuple(f"slide {s.number} is hidden" for s in slides if s.is_hidden)
    first = next((s.title for s in slides if s.title), "")
    title = "" if DEFAULT_TITLE.fullmatch(title) else title
    return Document(path, title or first or path.stem, [b for s in slides for b in s.blocks], hidden)


class _Slide:
    """One slide's blocks: its title, the shapes in their order, its notes."""

    def __init__(self, package: Package, name: str, number: int) -> None:
        self.number = number
        root = package.xml(name)
        self.is_hidden = root.get("show") in ("0", "false")
        targets = package.targets(name)
        shapes = list(_shapes(root))
        self.title = next((" ".join(_text(s).split()) for s in shapes if _placeholder(s) in TITLES), "")
        self._locator = Locator(slide=number, headings=(shortened(self.title),) if self.title else ())
        self.blocks: list[Block] = [TextBlock(self.title, self._locator, is_heading=True)] if self.title else []
        for shape in shapes:
            if shape.tag == f"{P}graphicFrame":
                self._add_frame(package, shape, {i: part for i, (_, part) in targets.items()})
            elif _placeholder(shape) not in (*TITLES, *FURNITURE):
                self._add_text(_text(shape))
        for kind, part in targets.values():
            if kind == "notesSlide" and part in package.names:
                notes = "\n".join(_text(s) for s in _shapes(package.xml(part)) if _placeholder(s) == "body").strip()
                self._add_text(f"Notes: {notes}" if notes else "")

    def _add_text(self, text: str) -> None:
        if text:
            self.blocks.append(TextBlock(text, self._locator))

    def _add_frame(self, package: Package, frame: Element, targets: dict[str, str]) -> None:
        for table in frame.iter(f"{A}tbl"):
            self._add_table(table)
        for chart in frame.iter(f"{C}chart"):
            part = targets.get(chart.get(R_ID) or "", "")
            block = chart_block(package.xml(part), self._locator) if part in package.names else None
            self.blocks += [block] if block else []
        for diagram in frame.iter(f"{DIAGRAM}relIds"):
            part = targets.get(diagram.get(R_DATA) or "", "")
            if part in package.names:
                self._add_text(_paragraphs(package.xml(part)))
        if frame.find(f".//{A}tbl") is None:
            self._add_text(_paragraphs(frame))

    def _add_table(self, table: Element) -> None:
        grid, merges = _grid(table)
        if is_frame(grid):
            for row in grid:
                self._add_text(row_text(row))
            return
        options = table.find(f"{A}tblPr")
        is_headed = options is not None and options.get("firstRow") in ("1", "true")
        locator = replace(self._locator, rows=(1, len(grid)))
        numbers = range(1, len(grid) + 1)
        heads = 1 if is_headed else None
        self.blocks.append(TableBlock(grid, locator, "", heads, cell_warnings(merges), source_rows=numbers))


def _shapes(root: Element) -> Iterator[Element]:
    """Yield the shapes and frames in their order, those in groups too."""
    stack = [root]
    while stack:
        element = stack.pop()
        if element.tag in (f"{P}sp", f"{P}graphicFrame"):
            yield element
        elif element.tag != FALLBACK:
            stack.extend(reversed(element))


def _placeholder(shape: Element) -> str:
    found = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
    return "" if found is None else found.get("type") or "body"


def _text(shape: Element) -> str:
    body = shape.find(f"{P}txBody")
    return "" if body is None else _paragraphs(body)


def _paragraphs(body: Element) -> str:
    """Return the paragraphs of a text body as lines, those of a list with their level."""
    lines = []
    for paragraph in body.iter(f"{A}p"):
        properties = paragraph.find(f"{A}pPr")
        level = int(properties.get("lvl") or 0) if properties is not None else 0
        text = "".join("\n" if e.tag == f"{A}br" else e.text or "" for e in paragraph.iter(f"{A}t", f"{A}br"))
        lines += ["  " * min(level, 8) + text.strip().replace("\v", "\n")] if text.strip() else []
    return "\n".join(lines)


def _grid(table: Element) -> tuple[list[list[RawCell]], int]:
    """Return a table's cells, merged ones filled with their value, and how many are merged."""
    rows: list[list[RawCell]] = []
    merges = 0
    for element in table.iter(f"{A}tr"):
        row: list[RawCell] = []
        for cell in list(element.iterchildren(f"{A}tc"))[:MAX_COLUMNS]:
            above = rows[-1][len(row)] if rows and len(row) < len(rows[-1]) else None
            if cell.get("hMerge") in ("1", "true"):
                row.append(row[-1] if row else None)
            elif cell.get("vMerge") in ("1", "true"):
                row.append(above)
            else:
                body = cell.find(f"{A}txBody")
                text = _paragraphs(body) if body is not None else ""
                merges += bool(text) and (cell.get("gridSpan") or cell.get("rowSpan")) is not None
                row.append(text or None)
        rows.append(row)
    return padded(rows), merges
