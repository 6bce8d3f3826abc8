"""PDF files: paragraphs and tables, with or without rules and across pages, through pdfplumber."""

import re
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pdfplumber
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

from tablerag.ingestion.document import Block, Document, Locator, TextBlock
from tablerag.ingestion.readers.archives import format_of, mismatch
from tablerag.ingestion.readers.headings import HeadingPath
from tablerag.ingestion.readers.pdf_heads import TABLE_CAPTION
from tablerag.ingestion.readers.pdf_indents import indents_of
from tablerag.ingestion.readers.pdf_layout import Line, OnPage, PageItem, PlacedTable
from tablerag.ingestion.readers.pdf_page import items_of, page_content
from tablerag.ingestion.readers.pdf_running import PageContent, edge_text, with_running_words, without_running_titles
from tablerag.ingestion.readers.pdf_stitching import stitched
from tablerag.tools.counting import counted
from tablerag.tools.errors import UnreadableDocument

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
"""Errors that pdfplumber raises on damaged files."""
HEADING_RATIO = 1.15
HEADING_CHARS = 160
LITTLE_TEXT = 200
NO_TITLE = re.compile(
    r"\(?(untitled|anonymous|unknown|none|unspecified)\)?|"
    r"(microsoft (word|excel|powerpoint) - )?.*\.(docx?|xlsx?|indd|tex|dvi|pdf)",
    re.IGNORECASE,
)


def read_pdf(path: Path) -> Document:
    """Read one PDF; raise UnreadableDocument when it is encrypted or has no text."""
    if format_of(path) not in ("a PDF", ""):
        raise mismatch(format_of(path), "a PDF")
    items: list[OnPage] = []
    found: list[PageItem] = []
    silent: list[int] = []
    is_drawn = False
    try:
        with pdfplumber.open(path) as pdf:
            stated = pdf.metadata.get("Title")
            pages = len(pdf.pages)
            for page, running in with_running_words(_pages(pdf)):
                found = items_of(page, running, found)
                is_drawn = is_drawn or page.is_drawn
                items += [OnPage(page.number, page.height, i) for i in found]
                if not found:
                    silent.append(page.number)
    except ERRORS as error:
        raise _refusal(error) from error
    if not items:
        cause = ", probably a scan: run text recognition (OCR) on it" if is_drawn else ": save it again with content"
        raise UnreadableDocument(f"has no text on its {counted(pages, 'page')}{cause}")
    blocks = _blocks(without_running_titles(stitched(items), pages))
    warnings = [f"page {p} has no text (blank or scanned)" for p in silent[:10]]
    if len(silent) > 10:
        warnings.append(f"{counted(len(silent) - 10, 'more page')} without text")
    return Document(path, _title(stated, blocks) or path.stem, blocks, tuple(warnings))


def _refusal(error: Exception) -> UnreadableDocument:
    causes = f"{type(error).__name__} {error!r} {error.__context__!r}"
    if re.search("password|encrypt", causes, re.IGNORECASE):
        return UnreadableDocument("is an encrypted PDF: save it again without a password")
    return UnreadableDocument("is damaged or not a PDF: save or fetch it again")


def _pages(pdf: PDF) -> Iterator[PageContent]:
    for page in pdf.pages:
        yield page_content(page)
        page.close()


def _blocks(items: Sequence[OnPage]) -> list[Block]:
    sizes = Counter[float]()
    for item in items:
        if isinstance(item.content, Line) and not edge_text(item):
            sizes[round(item.content.size)] += len(item.content.text)
    body = _body_size(sizes, items)
    levels = {s: i + 1 for i, s in enumerate(sorted((s for s in sizes if s >= HEADING_RATIO * body), reverse=True))}
    headings = HeadingPath()
    blocks: list[Block] = []
    for item, following in zip(items, [*items[1:], None], strict=True):
        content = item.content
        if isinstance(content, PlacedTable):
            locator = replace(content.block.locator, headings=headings.path)
            caption = _pop_caption(blocks, locator.page)
            indents = indents_of(content.lefts)
            blocks.append(replace(content.block, locator=locator, caption=caption, indents=indents))
        elif isinstance(content, Line):
            is_caption = following and isinstance(following.content, PlacedTable) and TABLE_CAPTION.match(content.text)
            is_short = len(content.text) <= HEADING_CHARS and not is_caption
            level = levels.get(round(content.size)) if is_short else None
            text = content.text.replace("\n", " ") if level else content.text
            if level and any(c.isalpha() for c in text):
                headings.enter(level, text)
            blocks.append(TextBlock(text, Locator(page=item.page, headings=headings.path), is_heading=bool(level)))
    return blocks


def _body_size(sizes: Counter[float], items: Sequence[OnPage]) -> float:
    """Return the size of most text; if there is little text, at most the smallest size in tables."""
    body, count = sizes.most_common(1)[0] if sizes else (0.0, 0)
    tables = [round(i.content.size) for i in items if isinstance(i.content, PlacedTable)]
    return min(body, *tables) if tables and count < LITTLE_TEXT else body


def _pop_caption(blocks: list[Block], page: int | None) -> str:
    """Remove and return the caption above a table, "" if there is none."""
    above = blocks[-1] if blocks else None
    if not isinstance(above, TextBlock) or above.locator.page != page or len(above.text) > 300:
        return ""
    if above.is_heading or not TABLE_CAPTION.match(above.text):
        return ""
    blocks.pop()
    return above.text.replace("\n", " ")


def _title(stated: object, blocks: Sequence[Block]) -> str:
    """Return the title in the metadata unless a program generated it, else the first heading."""
    title = stated.strip() if isinstance(stated, str) else ""
    if title and not re.fullmatch(NO_TITLE, title):
        return title
    return next((b.text for b in blocks if isinstance(b, TextBlock) and b.is_heading), "")
