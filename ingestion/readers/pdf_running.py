"""Running titles at the top or foot of pages, which are in no table and only once in the text."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tablerag.ingestion.readers.pdf_layout import Line, OnPage, PlacedTable, Word, rows_of
from tablerag.ingestion.readers.pdf_lines import Rule

__all__ = ["PageContent", "edge_text", "is_page_number", "with_running_words", "without_running_titles"]

EDGE = 0.08
"""The share of a page's height, at its top and foot, for running titles."""
TITLE_CHARS = 160
SAME_PLACE = 3.0
"""The most points by which a running title's place varies."""
MOST_EDGE_ROWS = 40
NEIGHBOURS = 2
"""The number of previous and next pages compared, as left and right pages may have different titles."""
NUMBER = re.compile(r"[0-9]{1,6}")
PAGE_NUMBER = re.compile(
    r"(?:page|seite|p\.|pg\.?|página|第)?\s*[-–—|]?\s*(?:[A-Z]-?)?(?:\d{1,4}|[ivxl]{1,6})\s*[-–—|]?"
    r"\s*(?:(?:of|/|von|de)\s*\d{1,4}|页)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PageContent:
    """The content of one page, independent of the library."""

    number: int
    width: float
    height: float
    words: Sequence[Word]
    tables: Sequence[PlacedTable]
    rules: Sequence[Rule]
    is_drawn: bool
    """Whether it has pictures, lines or areas, which may show text."""
    by_ocr: bool = False
    """Whether its words were read by OCR."""


def is_page_number(text: str) -> bool:
    """Return whether a text is only a page number."""
    return bool(PAGE_NUMBER.fullmatch(text.strip()))


def with_running_words(pages: Iterable[PageContent]) -> Iterator[tuple[PageContent, list[Word]]]:
    """Yield each page with the words of its running titles, keeping few pages in memory."""
    window: deque[tuple[PageContent, dict[tuple[str, int], list[Word]]]] = deque()
    done = 0
    for page in pages:
        window.append((page, _edge_rows(page)))
        if len(window) - done > NEIGHBOURS:
            yield _running(window, done)
            done += 1
        if done > NEIGHBOURS:
            window.popleft()
            done -= 1
    for place in range(done, len(window)):
        yield _running(window, place)


def without_running_titles(items: Sequence[OnPage], pages: int) -> list[OnPage]:
    """Remove repetitions of lines that are at the edge of pages near each other or of most, and all page numbers."""
    keys = [_keys(i.content.text, i.page) if isinstance(i.content, Line) and edge_text(i) else set() for i in items]
    repeated = Counter(key for found in keys for key in found)
    seen: set[str] = set()
    kept = []
    for item, found in zip(items, keys, strict=True):
        line = item.content
        is_near = pages == 2 or (isinstance(line, Line) and line.is_running)
        is_repeated = max((repeated[key] for key in found), default=0) >= (2 if is_near else max(3, pages / 2))
        is_number = isinstance(line, Line) and is_page_number(line.text)
        if not is_repeated or not (is_number or found & seen):
            kept.append(item)
        seen |= found
    return kept


def edge_text(item: OnPage) -> str:
    """Return the text of a line at a page's edge with numbers masked, "" for other items."""
    content = item.content
    if not isinstance(content, Line) or len(content.text) > TITLE_CHARS:
        return ""
    is_at_edge = content.is_running or _is_at_edge(content.top, content.bottom, item.height)
    return _without_numbers(content.text) if is_at_edge else ""


def _is_at_edge(top: float, bottom: float, height: float) -> bool:
    return bottom < EDGE * height or top > (1 - EDGE) * height


def _without_numbers(text: str) -> str:
    return NUMBER.sub("#", text)


def _keys(text: str, page: int) -> set[str]:
    """Return a text as it is, and with its first or last number as the distance to the page's number.

    One of them is the same on all pages for a running title with a page number, none for "Section 2" and "Section 4".
    """
    numbers = list(NUMBER.finditer(text))
    relative = {f"{text[: n.start()]}#{int(n[0]) - page}#{text[n.end() :]}" for n in (*numbers[:1], *numbers[-1:])}
    return {text, *relative}


def _edge_rows(page: PageContent) -> dict[tuple[str, int], list[Word]]:
    """Return the lines at a page's edges that are apart from its content, by the keys of their text and by place.

    A table's header, repeated at the top of each page, touches its rows; a running title does not.
    """
    rows = rows_of([w for w in page.words if _is_at_edge(w.top, w.bottom, page.height)])
    if len(rows) > MOST_EDGE_ROWS:
        return {}
    middles = sorted((w.top + w.bottom) / 2 for w in page.words)
    found = {}
    for row in rows:
        top, bottom = min(w.top for w in row), max(w.bottom for w in row)
        size = max(w.size for w in row)
        inner = (bottom, bottom + size) if top < page.height / 2 else (top - size, top)
        if bisect_right(middles, inner[0]) == bisect_left(middles, inner[1]):
            text = " ".join(w.text for w in row)
            found.update({(key, round(top / SAME_PLACE)): row for key in _keys(text, page.number)})
    return found


def _running(
    window: Sequence[tuple[PageContent, dict[tuple[str, int], list[Word]]]], place: int
) -> tuple[PageContent, list[Word]]:
    page, rows = window[place]
    others = [edge for i, (_, edge) in enumerate(window) if i != place and abs(i - place) <= NEIGHBOURS]
    running: dict[int, list[Word]] = {}
    for (text, at), row in rows.items():
        repeated = any((text, at + shift) in edge for edge in others for shift in (-1, 0, 1))
        if repeated or is_page_number(" ".join(w.text for w in row)):
            running[id(row)] = row
    return page, [word for row in running.values() for word in row]
