"""RTF documents: headings, paragraphs and tables in reading order."""

from itertools import groupby
from pathlib import Path

from tablerag.ingestion.document import Block, Document, Locator, RawCell, TableBlock, TextBlock
from tablerag.ingestion.readers.archives import check_not_binary
from tablerag.ingestion.readers.grids import filled, is_frame, padded, row_text
from tablerag.ingestion.readers.headings import HeadingPath
from tablerag.ingestion.readers.merges import cell_warnings
from tablerag.ingestion.readers.rtf_parsing import Paragraph, Row, parsed_rtf
from tablerag.tools.errors import UnreadableDocument

__all__ = ["read_rtf"]

NEAR = 60
"""Edges of cells as close as this, in twentieths of a point, are one."""
MOST_EDGES = 1000


def read_rtf(path: Path) -> Document:
    """Read one document's body; headers, footers, notes and pictures are left out."""
    check_not_binary(path, "an RTF document")
    try:
        items = list(parsed_rtf(path.read_bytes()))
    except ValueError as error:
        raise UnreadableDocument("is not an RTF document: use the right suffix, or save it again") from error
    title = next((i for i in items if isinstance(i, str)), "")
    headings = HeadingPath()
    blocks: list[Block] = []
    for kind, some in groupby((i for i in items if not isinstance(i, str)), key=type):
        if kind is Row:
            blocks += _table([r for r in some if isinstance(r, Row)], headings)
        else:
            blocks += [_text(p, headings) for p in some if isinstance(p, Paragraph)]
    first = next((b.text for b in blocks if isinstance(b, TextBlock) and b.is_heading), "")
    return Document(path, _whole(title) or first or path.stem, blocks)


def _whole(text: str) -> str:
    """Return a text with pairs of UTF-16 halves joined."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _text(paragraph: Paragraph, headings: HeadingPath) -> TextBlock:
    text = _whole(paragraph.text)
    if paragraph.level:
        headings.enter(paragraph.level, text)
    marker = "- " if paragraph.is_listed and not paragraph.level else ""
    return TextBlock(marker + text, Locator(headings=headings.path), bool(paragraph.level))


def _table(rows: list[Row], headings: HeadingPath) -> list[Block]:
    edges: list[int] = []
    for edge in sorted({e for row in rows for e in row.edges}):
        if not edges or edge - edges[-1] > NEAR:
            edges.append(edge)
    grid: list[list[RawCell]] = []
    merges = 0
    for row in rows:
        line, merged = _line(row, edges, grid[-1] if grid else [])
        grid.append(line)
        merges += merged
    grid = padded(grid)
    if is_frame(grid):
        return [TextBlock(row_text(row), Locator(headings=headings.path)) for row in grid if filled(row)]
    heads = next((i for i, row in enumerate(rows) if not row.is_header), 0)
    locator = Locator(rows=(1, len(grid)), headings=headings.path)
    return [TableBlock(grid, locator, "", heads or None, cell_warnings(merges), source_rows=range(1, len(grid) + 1))]


def _line(row: Row, edges: list[int], above: list[RawCell]) -> tuple[list[RawCell], int]:
    """Return a row's cells by the columns that they reach over, and how many cells are merged."""
    if len(row.cells) != len(row.edges) or len(edges) > MOST_EDGES:
        return [_whole(c) or None for c in row.cells], 0
    line: list[RawCell] = []
    merges = 0
    for text, edge, merged in zip(row.cells, row.edges, row.merged, strict=True):
        width = max(1, sum(e - NEAR <= edge for e in edges) - len(line))
        value: RawCell = _whole(text) or None
        if merged == "left" and line:
            value = line[-1]
        elif merged == "above" and len(line) < len(above):
            value = above[len(line)]
        merges += value is not None and (width > 1 or bool(merged))
        line += [value] * width
    return line, merges
