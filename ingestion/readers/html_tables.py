"""HTML tables to grids: spans expanded, header rows counted, captions found."""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml.etree import _Element

from ingestion.document import Locator, RawCell, TableBlock
from ingestion.readers.html_cleaning import text_of

__all__ = ["HtmlTable", "infobox_lines", "nearest_table", "own_rows", "read_table"]

MAX_COLUMNS = 1000
"""Columns that a table may reach by its spans, as in the HTML standard."""
MAX_CELLS = 2_000_000
LAYOUT_CHARS = 800
"""Mean length of a table's cells from which it is a page's layout."""


@dataclass(frozen=True, slots=True, eq=False)
class _Slot:
    """A cell as it is laid out; all places that it spans hold the same object."""

    text: str
    is_header: bool
    spans: bool


@dataclass(frozen=True, slots=True)
class _Row:
    slots: list[_Slot | None]
    is_header: bool

    @property
    def is_section(self) -> bool:
        """Tell whether one cell spans the whole row."""
        return len(self.slots) > 1 and self.slots[0] is not None and all(s is self.slots[0] for s in self.slots)

    def texts(self) -> list[RawCell]:
        texts: list[RawCell] = [s.text or None if s else None for s in self.slots]
        return [texts[0]] + [None] * (len(texts) - 1) if self.is_section else texts


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """A table's rows and what its markup says of them."""

    rows: list[_Row]
    caption: str
    is_layout: bool

    def block(self, locator: Locator) -> TableBlock:
        """Return the table as a block."""
        header_rows = next((i for i, r in enumerate(self.rows) if not r.is_header), 0)
        body = self.rows[header_rows:]
        warnings = []
        spanning = {s for r in body if not r.is_section for s in r.slots if s and s.spans and s.text}
        if spanning:
            warnings.append(f"{len(spanning)} spanning cells were filled with their value")
        sections = sum(r.is_section for r in body)
        if sections:
            warnings.append(f"{sections} rows span all columns: their text stands in the first column")
        return TableBlock([r.texts() for r in self.rows], locator, self.caption, header_rows or None, tuple(warnings))


def read_table(table: _Element) -> HtmlTable:
    """Read one table's own rows; a nested table's text is no part of them."""
    rows = _without_blanks(_laid_out(own_rows(table)))
    caption = " ".join(text_of(c).replace("\n", " ") for c in table if c.tag == "caption")
    # A first row of one spanning cell is a title, whether or not a caption stands above it.
    while len(rows) > 2 and rows[0].is_section and rows[0].slots[0]:
        title = rows.pop(0).slots[0].text.replace("\n", " ")
        caption = f"{caption} – {title}" if caption and title != caption else title
    return HtmlTable(rows, caption, _is_layout(table, rows))


def own_rows(table: _Element) -> list[_Element]:
    """Return the rows in reading order: those of thead first, those of tfoot last."""
    parts: dict[str, list[_Element]] = {"thead": [], "tbody": [], "tfoot": []}
    for child in table:
        if child.tag == "tr":
            parts["tbody"].append(child)
        elif child.tag in parts:
            parts[child.tag] += [r for r in child if r.tag == "tr"]
    return [*parts["thead"], *parts["tbody"], *parts["tfoot"]]


def nearest_table(element: _Element) -> _Element | None:
    """Return the table that an element stands in."""
    return next(element.iterancestors("table"), None)


def infobox_lines(table: _Element) -> list[str]:
    """Return an infobox as lines "key: value"."""
    lines = []
    for row in own_rows(table):
        texts = [" ".join(text_of(c, skipped="table").split()) for c in _cells(row)]
        texts = [t for t in texts if t]
        if len(texts) == 2:
            lines.append(f"{texts[0].rstrip(':')}: {texts[1]}")
        elif texts:
            lines.append(" | ".join(texts))
    return lines


def _cells(row: _Element) -> Iterator[_Element]:
    return (c for c in row if c.tag in ("td", "th"))


def _span(cell: _Element, name: str, rest: int) -> int:
    """Return a span of at most the rest, 1 where it is no number; a rowspan of 0 goes to the end."""
    value = (cell.get(name) or "1").strip()
    number = int(value) if value.isdecimal() and len(value) < 6 else 1
    if number == 0:
        number = rest if name == "rowspan" else 1
    return max(1, min(number, rest))


def _laid_out(rows: list[_Element]) -> list[_Row]:
    """Return the rows with every cell in all the places that it spans."""
    places: list[dict[int, _Slot]] = [{} for _ in rows]
    budget = MAX_CELLS
    for index, row in enumerate(rows):
        column = 0
        for cell in _cells(row):
            while column in places[index]:
                column += 1
            width = _span(cell, "colspan", max(1, MAX_COLUMNS - column))
            height = _span(cell, "rowspan", len(rows) - index)
            budget -= width * height
            if budget < 0:
                # Only a page made to exhaust memory comes here: its cells are read, its spans are not.
                width = height = 1
            slot = _Slot(text_of(cell, skipped="table"), cell.tag == "th", width > 1 or height > 1)
            for below in places[index : index + height]:
                for place in range(column, column + width):
                    below.setdefault(place, slot)
            column += width
    width = max((max(p, default=-1) + 1 for p in places), default=0)
    if width * len(rows) > MAX_CELLS:
        width = MAX_CELLS // len(rows)
    return [_Row([p.get(i) for i in range(width)], _is_header(r, p)) for r, p in zip(rows, places, strict=True)]


def _is_header(row: _Element, places: dict[int, _Slot]) -> bool:
    """Tell whether the markup makes the row a header: in thead, or all of its filled cells are th."""
    parent = row.getparent()
    marks = [s.is_header for s in places.values() if s.text]
    return bool(marks) and ((parent is not None and parent.tag == "thead") or all(marks))


def _without_blanks(rows: list[_Row]) -> list[_Row]:
    """Return the rows without those, and without the columns, that hold no text of their own."""
    rows = [r for r in rows if any(s and s.text for s in r.slots)]
    used = list(range(len(rows[0].slots))) if rows else []
    for column in reversed(list(used)):
        # A column for colours or spacing holds nothing but parts of cells that span others too.
        at = used.index(column)
        near = [*used[max(0, at - 1) : at], *used[at + 1 : at + 2]]
        if all(_is_spare(r.slots, column, near) for r in rows):
            used.remove(column)
    return [_Row([r.slots[i] for i in used], r.is_header) for r in rows]


def _is_spare(slots: list[_Slot | None], column: int, near: list[int]) -> bool:
    slot = slots[column]
    return slot is None or not slot.text or any(slots[i] is slot for i in near)


def _is_layout(table: _Element, rows: list[_Row]) -> bool:
    """Tell whether a table only arranges text: one row, one column, told so, or cells like pages."""
    if table.get("role") in ("presentation", "none") or len(rows) < 2 or len(rows[0].slots) < 2:
        return True
    slots = {s for r in rows for s in r.slots if s and s.text}
    if sum(len(s.text) for s in slots) > LAYOUT_CHARS * len(slots):
        return True
    inner = [t for t in table.iterdescendants("table") if nearest_table(t) is table]
    # What is outside the inner tables must be a table by itself.
    return bool(inner) and len(slots) < 3 * len(inner)
