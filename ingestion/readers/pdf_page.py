"""One PDF page: the objects that pdfplumber finds, as paragraphs and tables in reading order."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from pdfplumber.page import Page

from tablerag.ingestion.readers.pdf_characters import characters_of, page_words, straightened
from tablerag.ingestion.readers.pdf_layout import Line, PageItem, PlacedTable, Word, lines_of, paragraphs_of
from tablerag.ingestion.readers.pdf_lines import edges_of, rules_in, without_typed_rules
from tablerag.ingestion.readers.pdf_order import in_columns, notes_last
from tablerag.ingestion.readers.pdf_ruled import ruled_tables
from tablerag.ingestion.readers.pdf_ruleless import Found, Surroundings, ruleless_tables, without
from tablerag.ingestion.readers.pdf_running import PageContent
from tablerag.ingestion.readers.pdf_segments import NUMBER

__all__ = ["items_of", "page_content"]

BANDS = 100
"""The number of horizontal bands that index a page's tables."""
MOST_UNRULED = 0.9
LEAST_WHOLE = 0.5
"""The least share of a table's words that are whole in its cells."""


def page_content(page: Page) -> PageContent:
    """Return a page's words, ruled tables and rules."""
    page = straightened(page)
    characters = characters_of(page)
    words, spacing = page_words(characters)
    words, typed = without_typed_rules(words)
    edges = edges_of(page)
    tables = [t for t in ruled_tables(page.page_number, edges, characters, spacing) if not _cuts_words(t, words)]
    is_drawn = any(kind != "char" for kind in page.objects)
    size = float(page.width), float(page.height)
    return PageContent(page.page_number, *size, words, tables, [*rules_in(edges), *typed], is_drawn)


def items_of(page: PageContent, running: Sequence[Word], before: Sequence[PageItem] = ()) -> list[PageItem]:
    """Return a page's paragraphs and tables in reading order; ``running`` words are in no table without rules.

    ``before`` are the items of the previous page, whose last table may continue.
    """
    inside, outside = _by_table(page)
    tables: list[PlacedTable] = []
    for table, words in zip(page.tables, inside, strict=True):
        better = _without_inner_rules(table, words, page)
        tables += [f.table for f in better] or [table]
        outside += without(words, better) if better else []
    titles = {id(w) for w in running}
    last = next((i for i in reversed(before) if isinstance(i, PlacedTable)), None)
    before_it = last.columns if last and not last.ruled else ()
    surroundings = Surroundings(page.number, page.width, page.rules, before_it, page.by_ocr)
    outside = [w for w in outside if id(w) not in titles]
    found = ruleless_tables(outside, surroundings)
    tables += [f.table for f in found]
    parts = [lines_of(part) for part in in_columns([*without(outside, found), *tables])]
    edges = [replace(line, is_running=True) for line in lines_of(running) if isinstance(line, Line)]
    head = [line for line in edges if line.bottom < page.height / 2]
    return list(paragraphs_of([*head, *notes_last(parts), *edges[len(head) :]]))


def _cuts_words(table: PlacedTable, words: Sequence[Word]) -> bool:
    """Return whether a table's lines run through the words on it, as a drawing's do."""
    inside = Counter(w.text for w in words if _is_in(w, table))
    cells = Counter(part for row in table.block.grid for cell in row if cell is not None for part in str(cell).split())
    return (inside & cells).total() < LEAST_WHOLE * inside.total()


def _by_table(page: PageContent) -> tuple[list[list[Word]], list[Word]]:
    """Return the words inside each table, and those outside all tables."""
    bands: dict[int, list[int]] = defaultdict(list)
    for i, table in enumerate(page.tables):
        for band in range(_band(table.top, page), _band(table.bottom, page) + 1):
            bands[band].append(i)
    inside: list[list[Word]] = [[] for _ in page.tables]
    outside = []
    for word in page.words:
        near = bands.get(_band((word.top + word.bottom) / 2, page), ())
        owner = next((i for i in near if _is_in(word, page.tables[i])), None)
        (outside if owner is None else inside[owner]).append(word)
    return inside, outside


def _band(y: float, page: PageContent) -> int:
    """Return the band of a vertical position; positions outside the page are in the first or last one."""
    return int(BANDS * min(max(y / max(page.height, 1.0), 0.0), 1.0))


def _is_in(word: Word, box: PageItem) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
    return box.x0 <= x <= box.x1 and box.top <= y <= box.bottom


def _without_inner_rules(table: PlacedTable, words: Sequence[Word], page: PageContent) -> list[Found]:
    """Return the tables inside a frame with too few rules: cells with several rows or columns of numbers."""
    cells = [c for row in table.block.grid for c in row if isinstance(c, str)]
    stacked = [c.split("\n") for c in cells if "\n" in c]
    columns = [lines for lines in stacked if len(lines) > 2 and sum(map(_holds_number, lines)) > 0.6 * len(lines)]
    rows = [c for c in cells if "\n" not in c and len(c.split()) > 1 and all(map(NUMBER.fullmatch, c.split()))]
    if not columns and len(rows) < 0.5 * len(table.block.grid):
        return []
    found = ruleless_tables(words, Surroundings(page.number, page.width, page.rules, by_ocr=page.by_ocr))
    is_whole = sum(len(f.words) for f in found) >= MOST_UNRULED * len(words)
    more = sum(len(f.table.block.grid) * len(f.table.columns) for f in found) > len(table.block.grid) * len(
        table.columns
    )
    return found if is_whole and more else []


def _holds_number(line: str) -> bool:
    return any(NUMBER.fullmatch(word) for word in line.split())
