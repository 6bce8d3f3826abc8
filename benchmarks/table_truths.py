"""Tables of PDFs as people transcribed them: ICDAR 2013's XML, and Markdown beside a folder of PDFs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from tablerag.ingestion.document import TableBlock
from tablerag.ingestion.readers.markdown import read_markdown
from tablerag.ingestion.tables.cells import cell_text

__all__ = ["Grid", "headed", "icdar_rows", "is_number", "markdown_tables", "truths_of"]

NUMBER = re.compile(r"[-+(<>~$€£]*\s*\d[\d.,\s]*\s*(million|billion)?[%)*]*")
YEAR = re.compile(r"(19|20)\d\d(/\d\d(\d\d)?)?")
FEWEST_NUMBERS = 3
"""Tables with fewer numbers are left out."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as rows of texts below its header, and the header of each column as words."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]

    def numbers(self) -> list[tuple[int, int]]:
        """Return the row and column of each number."""
        return [(r, c) for r, row in enumerate(self.rows) for c, text in enumerate(row) if is_number(text)]


def is_number(text: str) -> bool:
    return bool(NUMBER.fullmatch(text.strip()))


def truths_of(folder: Path) -> Iterator[tuple[Path, list[Grid]]]:
    """Yield the PDFs of a folder, of any depth, that have true tables with enough numbers, in order of their names.

    ICDAR 2013 has them in NAME-str.xml beside NAME.pdf, opendataloader-bench in ground-truth/markdown/NAME.md beside
    the folder of NAME.pdf.
    """
    for pdf in sorted(folder.rglob("*.pdf")):
        markdown = pdf.parent.parent / "ground-truth" / "markdown" / f"{pdf.stem}.md"
        tables = markdown_tables(markdown) if markdown.is_file() else map(headed, icdar_rows(pdf))
        if enough := [t for t in tables if len(t.numbers()) >= FEWEST_NUMBERS]:
            yield pdf, enough


def markdown_tables(path: Path) -> Iterator[Grid]:
    """Yield the tables of a Markdown file, spans written out."""
    for block in read_markdown(path).blocks:
        if isinstance(block, TableBlock):
            yield headed([[cell_text(cell) for cell in row] for row in block.grid])


def headed(rows: Sequence[Sequence[str]]) -> Grid:
    """Split a grid of texts at its first row of numbers that are no years."""
    first = next((i for i, row in enumerate(rows) if any(map(_is_amount, row))), len(rows))
    width = max(map(len, rows), default=0)
    heads = [dict.fromkeys(row[c] for row in rows[:first] if c < len(row) and row[c]) for c in range(width)]
    return Grid([" ".join(h) for h in heads], rows[first:])


def _is_amount(text: str) -> bool:
    return is_number(text) and not YEAR.fullmatch(text.strip())


def icdar_rows(pdf: Path) -> Iterator[list[list[str]]]:
    """Yield the rows of a PDF's true tables, their headers among them, from ICDAR 2013's XML beside it."""
    beside = sorted(pdf.parent.glob(f"{pdf.stem}*-str.xml"))
    for path in beside or sorted(pdf.parent.glob(f"{pdf.stem.rstrip('ab')}*-str.xml")):
        for table in ElementTree.parse(path).iter("table"):
            yield _icdar_table(table)


def _icdar_table(table: ElementTree.Element) -> list[list[str]]:
    cells: dict[tuple[int, int], str] = {}
    for region in table.iter("region"):
        down, across = (int(region.get(f"{a}-increment") or 0) for a in ("row", "col"))
        for cell in region.iter("cell"):
            r0, c0 = int(cell.get("start-row", 0)), int(cell.get("start-col", 0))
            r1, c1 = int(cell.get("end-row", r0)), int(cell.get("end-col", c0))
            text = " ".join((cell.findtext("content") or "").split())
            for r in range(r0, r1 + 1):
                for c in range(c0, c1 + 1):
                    cells[r + down, c + across] = text
    height, width = (max((at[i] for at in cells), default=-1) + 1 for i in (0, 1))
    return [[cells.get((r, c), "") for c in range(width)] for r in range(height)]
