"""Stitches tables that span several pages.

A table continues if it ends low on one page and begins high on the next with only running titles, page numbers and
"(continued)" between, and its columns are the same: below a repeated header or, without one, at the same places. A row
split by the page break is joined if each filled cell of the second part's first row is below a filled cell of the last
row (or below any cell if that row has no label), both contain words, and the text continues in lower case: in all
cells, or in the first one if the row has no label. A cell that ends with a full stop or colon is complete.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from tablerag.ingestion.document import LeastSure, Locator, RawCell, TableBlock
from tablerag.ingestion.readers.pdf_layout import Line, OnPage, PlacedTable
from tablerag.ingestion.readers.pdf_running import edge_text, is_page_number
from tablerag.ingestion.tables.cells import cell_text, is_period, is_typed, is_words

__all__ = ["stitched"]

LOW, HIGH = 0.5, 0.4
"""Shares of a page's height: a continued table ends below LOW, and its next part begins above HIGH."""
FOOT, HEAD = 0.8, 0.2
"""The same for tables of words without a repeated header."""
NEAR = 4.0
"""The most points by which the edges of a column differ between pages."""
MOST_HEADER_ROWS = 6
CONTINUED = re.compile(
    r"[\[(]?(?:table [\w.-]+:? ?)?[\[(]?(?:cont(?:inue[ds]?|\.|'d|’d)|fortsetzung|suite|continuación|续表?)"
    r"(?: (?:on|from|overleaf|auf|de) ?.{0,20})?[\])]?\.?",
    re.IGNORECASE,
)
MARK = re.compile(r"[\s,:–-]*[\[(]?\b(?:continued|cont\.|cont'd|cont’d|fortsetzung|suite)[\])]?\s*$", re.IGNORECASE)
Grid = Sequence[list[RawCell]]


def stitched(items: Sequence[OnPage]) -> list[OnPage]:
    """Return items in reading order, with tables that continue across a page break as one."""
    running = _running_texts(items)
    result: list[OnPage] = []
    for item in items:
        place = _table_before(result, item, running) if isinstance(item.content, PlacedTable) else None
        joined = _joined(result[place], item) if place is not None else None
        if place is None or joined is None:
            result.append(item)
            continue
        result[place] = joined
        # A repeated title or "continued" only marked the page break.
        result[place + 1 :] = [i for i in result[place + 1 :] if edge_text(i) in running]
    return result


def _running_texts(items: Sequence[OnPage]) -> set[str]:
    """Return the texts at pages' edges that are page numbers or on several pages."""
    pages: dict[str, set[int]] = {}
    for item in items:
        pages.setdefault(edge_text(item), set()).add(item.page)
    return {text for text, on in pages.items() if text and (len(on) > 1 or is_page_number(text.replace("#", "1")))}


def _table_before(result: Sequence[OnPage], item: OnPage, running: set[str]) -> int | None:
    """Return the index of the table that ends on the previous page, if no other text is between."""
    between: list[str] = []
    for place in range(len(result) - 1, -1, -1):
        other = result[place]
        if isinstance(other.content, PlacedTable):
            title = _text_before(result, place, running)
            is_next = other.page == item.page - 1 and all(_same_title(t, title) for t in between)
            low = other.content.bottom >= LOW * other.height and item.content.top <= HIGH * item.height
            return place if is_next and low else None
        if not isinstance(other.content, Line):
            return None
        if edge_text(other) not in running and not CONTINUED.fullmatch(other.content.text.strip()):
            between.append(other.content.text)
            if len(between) > 2:
                return None
    return None


def _text_before(result: Sequence[OnPage], place: int, running: set[str]) -> str:
    above = (i for i in reversed(result[:place]) if edge_text(i) not in running)
    lines = takewhile(lambda i: isinstance(i.content, Line), above)
    return " ".join(i.content.text for i in list(lines)[:2][::-1] if isinstance(i.content, Line))


def _same_title(text: str, title: str) -> bool:
    """Return whether a text only repeats the title of the first part."""
    bare = _squeezed(MARK.sub("", text))
    return bool(bare) and _squeezed(title).endswith(bare)


def _joined(first: OnPage, second: OnPage) -> OnPage | None:
    """Return two parts as one table, or None if they are two tables."""
    a, b = first.content, second.content
    assert isinstance(a, PlacedTable) and isinstance(b, PlacedTable)
    places = _same_columns(a, b)
    if places is None:
        return None
    width = len(a.columns)
    grid = [[row[places.index(i)] if i in places else None for i in range(width)] for row in b.block.grid]
    repeated = _repeated_rows(a, grid)
    is_other = _has_own_header(grid, a, b) and not _is_cut(a.block.grid[-1], grid[0])
    if not repeated and (is_other or not _at_same_places(a, b, places)):
        return None
    at_break = a.bottom >= FOOT * first.height and b.top <= HEAD * second.height
    if not repeated and not at_break and not any(is_typed(c) for row in grid for c in row):
        return None  # in a table of words a first row looks like a header
    if repeated and len(places) < width:
        return None
    return replace(second, content=_one_table(a, b, grid, repeated, (first.page, second.page)))


def _one_table(a: PlacedTable, b: PlacedTable, grid: Grid, repeated: int, on: tuple[int, int]) -> PlacedTable:
    rows = list(grid[repeated:])
    pages = [*(a.block.pages or [on[0]] * len(a.block.grid))]
    above = list(a.block.grid)
    lefts, bold = list(b.lefts[repeated:]), list(b.bold[repeated:])
    doubts = (_doubts(a), _doubts(b)[repeated:])
    cut = bool(rows) and _is_cut(above[-1], rows[0])
    if cut:
        above[-1] = [_both(x, y) for x, y in zip(above[-1], rows[0], strict=True)]
        rows, lefts, bold = rows[1:], lefts[1:], bold[1:]
        doubts = ([*doubts[0][:-1], min(doubts[0][-1], doubts[1][0])], doubts[1][1:])
    warnings = [w for w in (*a.block.warnings, *b.block.warnings) if not w.startswith("stitched")]
    if cut:
        warnings.append(f"a row split at the end of page {on[0]} was joined")
    block = TableBlock(
        grid=[*above, *rows],
        locator=Locator(page=pages[0], last_page=on[1]),
        warnings=(*dict.fromkeys(warnings), f"stitched from pages {pages[0]}-{on[1]}"),
        pages=[*pages, *[on[1]] * len(rows)],
        ruled=a.ruled and b.ruled,
        regions=(*a.block.regions, *b.block.regions),
    )
    # The first column begins at its header or frames; its words may all be indented.
    shift = b.columns[0][0] - a.columns[0][0] if repeated or b.ruled else 0.0
    # Later parts are compared with the places on this page.
    moved = [left if left is None else left + shift for left in a.lefts]
    joined = replace(b, block=block, lefts=(*moved, *lefts), bold=(*a.bold, *bold), columns=_widened(a, b, shift))
    return replace(joined, least_sure=(*doubts[0], *doubts[1]) if a.least_sure or b.least_sure else ())


def _doubts(table: PlacedTable) -> list[LeastSure]:
    """Return the least sure word of each row; the words of a page that is no picture are sure."""
    return list(table.least_sure) or [LeastSure(1.0, "")] * len(table.block.grid)


def _widened(a: PlacedTable, b: PlacedTable, shift: float) -> tuple[tuple[float, float], ...]:
    """Return columns as wide as the words of both parts; ruled columns keep their width."""
    if b.ruled or len(a.columns) != len(b.columns):
        return b.columns if b.ruled else a.columns
    return tuple((min(p[0] + shift, q[0]), max(p[1] + shift, q[1])) for p, q in zip(a.columns, b.columns, strict=True))


def _same_columns(a: PlacedTable, b: PlacedTable) -> list[int] | None:
    """Return the first part's column for each of the second's, or None if they differ.

    An unruled column that is empty on the second page is missing there.
    """
    if len(a.columns) == len(b.columns):
        return list(range(len(a.columns)))
    if a.ruled or b.ruled or len(b.columns) > len(a.columns) or len(b.columns) < 2:
        return None
    places = []
    for x0, x1 in b.columns:
        over = [i for i, (left, right) in enumerate(a.columns) if x0 < right and x1 > left]
        if len(over) != 1:
            return None
        places += over
    return places if len(set(places)) == len(places) and places[0] == 0 else None


def _at_same_places(a: PlacedTable, b: PlacedTable, places: Sequence[int]) -> bool:
    """Return whether columns are at the same places; unruled columns are as wide as their words."""
    pairs = [(a.columns[i], column) for i, column in zip(places, b.columns, strict=True)]
    if a.ruled != b.ruled:
        return False
    if a.ruled:
        return all(abs(p[0] - q[0]) <= NEAR and abs(p[1] - q[1]) <= NEAR for p, q in pairs)
    near = [
        abs(p[0] - q[0]) <= NEAR or abs(p[1] - q[1]) <= NEAR or abs(p[0] + p[1] - q[0] - q[1]) <= 2 * NEAR
        for p, q in pairs
    ]
    overlap = all(p[0] < q[1] and p[1] > q[0] for p, q in pairs)
    apart = all(p[1] <= q[0] for (p, _), (_, q) in zip(pairs, pairs[1:], strict=False))
    return overlap and apart and sum(near) >= 0.75 * len(near)


def _repeated_rows(a: PlacedTable, grid: Grid) -> int:
    """Return the number of leading rows that repeat the first part's header or its last rows."""
    head = _header_count(a.block.grid, a.bold)
    texts = [[_squeezed(cell_text(c)) for c in row] for row in a.block.grid[:head]]
    again = [[_squeezed(cell_text(c)) for c in row] for row in grid[:head]]
    for start in range(head):
        count = head - start
        if again[:count] == texts[start:] and sum(map(bool, texts[start])) > 1 and len(grid) >= count:
            return count
    return 0


def _header_count(grid: Grid, bold: Sequence[bool]) -> int:
    """Return the number of header rows: words and periods; in a table of words its bold rows, else one."""
    rows = grid[: MOST_HEADER_ROWS + 1]
    words = [not any(is_typed(c) and not is_period(c) for c in row) for row in rows]
    count = words.index(False) if False in words else len(rows)
    # Section titles and rows without numbers are not column names.
    while count > 1 and sum(c is not None for c in rows[count - 1]) == 1:
        count -= 1
    if False in words:
        return min(count, MOST_HEADER_ROWS)
    leading = len(list(takewhile(bool, bold[: len(rows)])))
    return leading if 0 < leading < len(rows) else 1


def _has_own_header(grid: Grid, a: PlacedTable, b: PlacedTable) -> bool:
    """Return whether a part begins with a header: bold like the first one, or words over columns of numbers."""
    if a.bold[0] and b.bold[0] and not all(a.bold):
        return sum(c is not None for c in grid[0]) > 1 and not any(map(is_typed, grid[0]))
    first = next((row for row in grid[:4] if sum(c is not None for c in row) > 1), None)
    if first is None:
        return False
    below = [row for row in grid[:30] if row is not first]
    named, typed = 0, 0
    for column, cell in enumerate(first):
        filled = [row[column] for row in below if row[column] is not None]
        if not filled or sum(map(is_typed, filled)) < 0.6 * len(filled):
            continue
        typed += 1
        periods = sum(map(is_period, filled)) > 0.5 * len(filled)
        named += (is_words(cell) or is_period(cell)) and not periods
    return typed > 0 and named >= 0.5 * typed


def _is_cut(last: Sequence[RawCell], first: Sequence[RawCell]) -> bool:
    """Return whether a page's first row clearly continues the last row of the previous page."""
    pairs = [(x, y) for x, y in zip(last, first, strict=True) if y is not None]
    shared = [(x, y) for x, y in pairs if x is not None]
    # Some cells are in one part only: a label in the middle of a tall row may be in either.
    if not shared or (len(shared) < len(pairs) and last[0] is not None):
        return False
    if not all(isinstance(x, str) and is_words(x) and is_words(y) for x, y in shared):
        return False
    lower = [cell_text(y)[:1].islower() and not cell_text(x).endswith((".", ":")) for x, y in shared]
    return all(lower) or (first[0] is None and lower[0])


def _both(above: RawCell, below: RawCell) -> RawCell:
    if above is None or below is None:
        return below if above is None else above
    return f"{above}\n{below}" if "\n" in str(above) else f"{above} {below}"


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()
