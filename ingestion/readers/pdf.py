"""PDF files: text in paragraphs and ruled tables, page by page, through pdfplumber."""

import re
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pdfplumber
from pdfplumber.page import Page
from pdfplumber.table import Table
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

from ingestion.document import Block, Document, Locator, RawCell, TableBlock, TextBlock
from ingestion.readers.archives import format_of
from ingestion.readers.grids import filled, is_blank
from ingestion.readers.headings import HeadingPath
from ingestion.readers.pdf_layout import Line, PageItem, PlacedTable, Word, in_reading_order, lines_of, paragraphs_of
from tools.errors import UnreadableDocument

__all__ = ["read_pdf"]

ERRORS = (
    PdfminerException,
    MalformedPDFException,
    struct.error,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What pdfplumber lets through of a damaged file."""
HEADING_RATIO = 1.15
HEADING_CHARS = 160
EDGE = 0.08
"""Share of a page's height, at its top and foot, where running titles stand."""
TABLE_CAPTION = re.compile(r"(table|tab\.|tabelle|tableau|tabla|表)\s*[\dA-Z]", re.IGNORECASE)
NO_TITLE = re.compile(
    r"\(?(untitled|anonymous|unknown|none|unspecified)\)?|"
    r"(microsoft (word|excel|powerpoint) - )?.*\.(docx?|xlsx?|indd|tex|dvi|pdf)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Item:
    """A paragraph or table with its page."""

    page: int
    height: float
    content: PageItem


def read_pdf(path: Path) -> Document:
    """Read one PDF; raise UnreadableDocument when it is encrypted or has no text (a scan)."""
    if format_of(path) not in ("a PDF", ""):
        raise UnreadableDocument(f"is {format_of(path)}, not a PDF: give it the suffix of what it is")
    items: list[_Item] = []
    silent = []
    try:
        with pdfplumber.open(path) as pdf:
            stated = pdf.metadata.get("Title")
            pages = len(pdf.pages)
            for page in pdf.pages:
                found = list(_page_items(page))
                items += [_Item(page.page_number, float(page.height), i) for i in found]
                if not found:
                    silent.append(page.page_number)
                page.close()
    except ERRORS as error:
        raise _refusal(error) from error
    if not items:
        raise UnreadableDocument(f"has no text on its {pages} pages, probably a scan: run text recognition (OCR) on it")
    blocks = _blocks(_without_running_titles(items, pages))
    warnings = [f"page {p} holds no text (blank, or a scan)" for p in silent[:10]]
    if len(silent) > 10:
        warnings.append(f"{len(silent) - 10} more pages hold no text")
    return Document(path, _title(stated, blocks) or path.stem, blocks, tuple(warnings))


def _refusal(error: Exception) -> UnreadableDocument:
    causes = f"{type(error).__name__} {error!r} {error.__context__!r}"
    if re.search("password|encrypt", causes, re.IGNORECASE):
        return UnreadableDocument("is an encrypted PDF: save it again without a password")
    reason = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    return UnreadableDocument(f"is damaged, or no PDF ({reason}): save or fetch it anew")


def _page_items(page: Page) -> Iterator[PageItem]:
    """Yield a page's paragraphs and tables in reading order."""
    tables = [t for t in page.find_tables() if _is_table(t)]
    placed = [_placed(t, page.page_number) for t in tables]
    words = [
        Word(w["text"], w["x0"], w["x1"], w["top"], w["bottom"], float(w["size"]))
        for w in page.extract_words(extra_attrs=["size"])
        if not any(_stands_in(w["x0"], w["x1"], w["top"], w["bottom"], t) for t in placed)
    ]
    lines, gutter = lines_of(words, float(page.width))
    yield from paragraphs_of(in_reading_order([*lines, *placed], gutter))


def _stands_in(x0: float, x1: float, top: float, bottom: float, box: PageItem) -> bool:
    return box.x0 <= (x0 + x1) / 2 <= box.x1 and box.top <= (top + bottom) / 2 <= box.bottom


def _is_table(table: Table) -> bool:
    """Tell whether ruled lines hold a table, not a frame around text."""
    rows = [filled(r) for r in table.extract()]
    return sum(bool(r) for r in rows) > 1 and len({i for r in rows for i in r}) > 1


def _placed(table: Table, page: int) -> PlacedTable:
    grid: list[list[RawCell]] = [[None if is_blank(c) else c.strip() for c in row] for row in table.extract()]
    merged = _fill_spans(table, grid)
    used = sorted({i for row in grid for i in filled(row)})
    grid = [[row[i] for i in used] for row in grid if filled(row)]
    warnings = (f"{merged} places of merged cells were filled with their value",) if merged else ()
    x0, top, x1, bottom = table.bbox
    return PlacedTable(x0, x1, top, bottom, TableBlock(grid, Locator(page=page), warnings=warnings))


def _fill_spans(table: Table, grid: list[list[RawCell]]) -> int:
    """Fill, in place, the positions that a larger cell covers; return how many."""
    columns: dict[int, tuple[float, float]] = {}
    for row in table.rows:
        for i, box in enumerate(row.cells):
            if box and (i not in columns or box[2] - box[0] < columns[i][1] - columns[i][0]):
                columns[i] = (box[0], box[2])
    boxes = [(box, grid[r][c]) for r, row in enumerate(table.rows) for c, box in enumerate(row.cells) if box]
    wide = [(box, value) for box, value in boxes if value is not None]
    count = 0
    for r, row in enumerate(table.rows):
        y = min((b[1] for b in row.cells if b), default=row.bbox[1]) + 1
        for c, box in enumerate(row.cells):
            if box is not None or c not in columns:
                continue
            x = (columns[c][0] + columns[c][1]) / 2
            owner = next((v for b, v in wide if b[0] <= x <= b[2] and b[1] <= y <= b[3]), None)
            if owner is not None:
                grid[r][c] = owner
                count += 1
    return count


def _without_running_titles(items: Sequence[_Item], pages: int) -> list[_Item]:
    """Return the items without the repetitions of what stands at the edge of most pages."""
    repeated = Counter(_edge_text(i) for i in items)
    seen: set[str] = set()
    kept = []
    for item in items:
        text = _edge_text(item)
        is_running = bool(text) and repeated[text] >= max(3, pages / 2)
        if not (is_running and text in seen):
            kept.append(item)
        seen.add(text)
    return kept


def _edge_text(item: _Item) -> str:
    """Return the text of a line at a page's top or foot, numbers aside; "" for all else."""
    content = item.content
    if not isinstance(content, Line) or len(content.text) > HEADING_CHARS:
        return ""
    at_edge = content.bottom < EDGE * item.height or content.top > (1 - EDGE) * item.height
    return re.sub(r"\d+", "#", content.text) if at_edge else ""


def _blocks(items: Sequence[_Item]) -> list[Block]:
    sizes = Counter[float]()
    for item in items:
        if isinstance(item.content, Line):
            sizes[round(item.content.size)] += len(item.content.text)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    levels = {s: i + 1 for i, s in enumerate(sorted((s for s in sizes if s >= HEADING_RATIO * body), reverse=True))}
    headings = HeadingPath()
    blocks: list[Block] = []
    for item in items:
        content = item.content
        if isinstance(content, PlacedTable):
            caption = _pop_caption(blocks, item.page)
            locator = Locator(page=item.page, headings=headings.path)
            blocks.append(replace(content.block, locator=locator, caption=caption))
        elif isinstance(content, Line):
            level = levels.get(round(content.size)) if len(content.text) <= HEADING_CHARS else None
            text = content.text.replace("\n", " ") if level else content.text
            if level and any(c.isalpha() for c in text):
                headings.enter(level, text)
            blocks.append(TextBlock(text, Locator(page=item.page, headings=headings.path), is_heading=bool(level)))
    return blocks


def _pop_caption(blocks: list[Block], page: int) -> str:
    """Take the text that names itself a table's caption from above the table."""
    above = blocks[-1] if blocks else None
    if not isinstance(above, TextBlock) or above.locator.page != page or len(above.text) > 300:
        return ""
    if above.is_heading or not TABLE_CAPTION.match(above.text):
        return ""
    blocks.pop()
    return above.text.replace("\n", " ")


def _title(stated: object, blocks: Sequence[Block]) -> str:
    """Return the title that the file states, unless a program made it up, else its first heading."""
    title = stated.strip() if isinstance(stated, str) else ""
    if title and not re.fullmatch(NO_TITLE, title):
        return title
    return next((b.text for b in blocks if isinstance(b, TextBlock) and b.is_heading), "")
