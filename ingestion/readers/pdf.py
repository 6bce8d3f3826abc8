"""PDF files: paragraphs and tables, with or without rules and across pages, through pdfplumber."""

import re
import struct
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pdfplumber
from pdfminer.pdftypes import PDFObjRef
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

from tablerag.ingestion.document import Block, Document, Locator, TextBlock
from tablerag.ingestion.readers.archives import format_of, mismatch
from tablerag.ingestion.readers.headings import HeadingPath
from tablerag.ingestion.readers.ocr import engine_name, how_to_read
from tablerag.ingestion.readers.ocr.notes import read_by_ocr
from tablerag.ingestion.readers.ocr.pdf_scans import Scans, is_picture
from tablerag.ingestion.readers.pdf_bounds import BoundedPage
from tablerag.ingestion.readers.pdf_heads import TABLE_CAPTION
from tablerag.ingestion.readers.pdf_indents import indents_of
from tablerag.ingestion.readers.pdf_layout import Line, OnPage, PageItem, PlacedTable
from tablerag.ingestion.readers.pdf_page import items_of, page_content
from tablerag.ingestion.readers.pdf_running import PageContent, edge_text, with_running_words, without_running_titles
from tablerag.ingestion.readers.pdf_second import SecondReader
from tablerag.ingestion.readers.pdf_stitching import stitched
from tablerag.tools.counting import counted
from tablerag.tools.errors import UnreadableDocument

__all__ = ["document_of", "read_pdf"]

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
MOST_REFERENCES = 100
NO_TITLE = re.compile(
    r"\(?(untitled|anonymous|unknown|none|unspecified)\)?|"
    r"(microsoft (word|excel|powerpoint) - )?.*\.(docx?|xlsx?|indd|tex|dvi|pdf)",
    re.IGNORECASE,
)


def read_pdf(path: Path) -> Document:
    """Read one PDF; raise UnreadableDocument when it is encrypted or has no text."""
    if format_of(path) not in ("a PDF", ""):
        raise mismatch(format_of(path), "a PDF")
    second = SecondReader(path)
    try:
        with path.open("rb") as file, pdfplumber.open(file) as pdf:  # which leaves its own open on damaged pages
            _bound_references(pdf)
            stated = pdf.metadata.get("Title")
            scans = Scans(path, len(pdf.pages)) if engine_name() else None
            notes = (*([scans.notes] if scans else []), second.notes)
            contents = _pages(pdf, scans, second)
            return document_of(path, contents, len(pdf.pages), stated, lambda: [n for say in notes for n in say()])
    except ERRORS as error:
        pages = second.pages()
        if not any(page.words for page in pages):
            raise _refusal(error) from error
        return document_of(path, pages, len(pages), notes=second.notes)


def _bound_references(pdf: PDF) -> None:
    """Have references that lead to each other raise a ValueError: pdfminer would follow them without end."""
    find = pdf.doc.getobj

    def getobj(objid: int) -> object:
        found = find(objid)
        for _ in range(MOST_REFERENCES):
            if not isinstance(found, PDFObjRef):
                return found
            found = find(found.objid)
        raise ValueError("references lead to each other")

    pdf.doc.getobj = getobj


def document_of(
    path: Path,
    contents: Iterable[PageContent],
    pages: int,
    stated: object = None,
    notes: Callable[[], Sequence[str]] = tuple,
) -> Document:
    """Return the document with these pages; raise UnreadableDocument if they hold no text.

    ``stated`` is the title in the file's metadata; ``notes`` are asked for when all pages are read.
    """
    items: list[OnPage] = []
    found: list[PageItem] = []
    silent: list[PageContent] = []
    seen: list[PageContent] = []
    for page, running in with_running_words(contents):
        found = items_of(page, running, found)
        items += [OnPage(page.number, page.height, i) for i in found]
        if not found:
            silent.append(page)
        elif page.by_ocr:
            seen.append(page)
    if not items:
        raise UnreadableDocument(_without_text(silent, pages))
    blocks = _blocks(without_running_titles(stitched(items), pages), {p.number for p in seen})
    warnings = [*read_by_ocr(seen), *notes(), *(_silence(p) for p in silent[:10])]
    if len(silent) > 10:
        warnings.append(f"{counted(len(silent) - 10, 'more page')} without text")
    return Document(path, _title(stated, blocks) or path.stem, blocks, tuple(warnings))


def _without_text(silent: Sequence[PageContent], pages: int) -> str:
    says = f"has no text on its {counted(pages, 'page')}"
    if any(p.by_ocr for p in silent):
        return f"{says} that OCR can read: scan it again, larger or with more contrast"
    if any(p.is_drawn for p in silent):
        return f"{says}, probably a scan: {how_to_read()}"
    return f"{says}: save it again with content"


def _silence(page: PageContent) -> str:
    if page.by_ocr or not page.is_drawn:
        return f"page {page.number} has no text (blank or scanned)"
    return f"page {page.number} has no text, probably a scan: {how_to_read()}"


def _refusal(error: Exception) -> UnreadableDocument:
    causes = f"{type(error).__name__} {error!r} {error.__context__!r}"
    if re.search("password|encrypt", causes, re.IGNORECASE):
        return UnreadableDocument("is an encrypted PDF: save it again without a password")
    return UnreadableDocument("is damaged or not a PDF: save or fetch it again")


def _pages(pdf: PDF, scans: Scans | None, second: SecondReader) -> Iterator[PageContent]:
    if not pdf.pages:
        raise ValueError("no pages")
    for plain in pdf.pages:
        page = BoundedPage(pdf, plain.page_obj, plain.page_number)
        try:
            content = page_content(page)
            if content.words or content.is_drawn or page.may_show_text():
                content = second.better(content)
            is_scan = scans is not None and is_picture(page, content)
        except ERRORS:
            content, is_scan = second.instead(page.page_number), False
        page.close()
        yield scans.content(content) if scans and is_scan else content


def _blocks(items: Sequence[OnPage], by_ocr: Collection[int]) -> list[Block]:
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
            locator = replace(content.block.locator, headings=headings.path, by_ocr=bool(content.least_sure))
            caption = _pop_caption(blocks, locator.page)
            indents = indents_of(content.lefts)
            sure = content.least_sure or None
            blocks.append(replace(content.block, locator=locator, caption=caption, indents=indents, least_sure=sure))
        elif isinstance(content, Line):
            is_caption = following and isinstance(following.content, PlacedTable) and TABLE_CAPTION.match(content.text)
            is_short = len(content.text) <= HEADING_CHARS and not is_caption
            level = levels.get(round(content.size)) if is_short else None
            text = content.text.replace("\n", " ") if level else content.text
            if level and any(c.isalpha() for c in text):
                headings.enter(level, text)
            locator = Locator(page=item.page, headings=headings.path, by_ocr=item.page in by_ocr)
            blocks.append(TextBlock(text, locator, is_heading=bool(level)))
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
