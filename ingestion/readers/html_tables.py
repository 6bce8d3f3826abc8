"""Turns HTML tables into grids: expands spans, counts header rows and finds captions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from lxml.etree import _Element

from tablerag.ingestion.document import Block, Locator, RawCell, TableBlock, TextBlock
from tablerag.ingestion.readers.html_cleaning import text_of
from tablerag.ingestion.readers.sign_cells import join_signs
from tablerag.tools.counting import counted

__all__ = ["HtmlTable", "infobox", "nearest_table", "own_rows", "read_table"]

MAX_COLUMNS = 1000
"""The most columns of a table with spans, as in the HTML standard."""
MAX_CELLS = 2_000_000
LENGTH = re.compile(r"(-?\d{1,3}(?:\.\d+)?|-?\.\d+)(px|em|rem|pt)?")
PIXELS = {"px": 1, "pt": 1.33, "em": 16, "rem": 16}
LEVEL_PIXELS = 6
"""Labels nearer to each other than half of this start at the same level."""
LAYOUT_CHARS = 800
"""Tables whose cells are longer than this on average are page layout."""


@dataclass(frozen=True, slots=True, eq=False)
class _Slot:
    """A laid-out cell; all places that it spans hold the same object."""

    text: str
    is_header: bool
    spans: bool
    indent: int = 0


@dataclass(frozen=True, slots=True)
class _Row:
    slots: list[_Slot | None]
    is_header: bool

    @property
    def is_section(self) -> bool:
        """Return whether one cell spans the whole row."""
        return len(self.slots) > 1 and self.slots[0] is not None and all(s is self.slots[0] for s in self.slots)

    def texts(self) -> list[RawCell]:
        texts: list[RawCell] = [s.text or None if s else None for s in self.slots]
        return [texts[0]] + [None] * (len(texts) - 1) if self.is_section else texts


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """A table's rows and what its markup says about them."""

    rows: list[_Row]
    caption: str
    is_layout: bool
    dropped: tuple[str, ...] = ()
    """Headers of columns without text, such as pictures and reference marks."""

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
            warnings.append(f"{counted(sections, 'row')} across all columns: the text is in the first column")
        if self.dropped:
            named = ", ".join(repr(h) for h in self.dropped[:4])
            warnings.append(f"{counted(len(self.dropped), 'column')} without text below the header left out: {named}")
        indents = [next((s.indent for s in r.slots if s and s.text), 0) for r in self.rows]
        return TableBlock(
            [r.texts() for r in self.rows],
            locator,
            self.caption,
            header_rows or None,
            tuple(warnings),
            indents=indents if any(indents) else None,
        )


def read_table(table: _Element) -> HtmlTable:
    """Read one table's own rows, without the text of nested tables."""
    rows = _without_blanks([_with_signs(r) for r in _laid_out(own_rows(table))])
    caption = " ".join(text_of(c).replace("\n", " ") for c in table if c.tag == "caption")
    # A first row of one spanning cell is a title, even below a caption.
    while len(rows) > 2 and rows[0].is_section and (slot := rows.pop(0).slots[0]):
        title = slot.text.replace("\n", " ")
        caption = f"{caption} – {title}" if caption and title != caption else title
    rows, dropped = _without_bare(rows)
    return HtmlTable(rows, caption, _is_layout(table, rows), dropped)


def _with_signs(row: _Row) -> _Row:
    """Join signs in cells of their own with their numbers; a header's signs are names."""
    if row.is_header:
        return row
    return replace(row, slots=join_signs(row.slots, lambda s: s.text, lambda s, text: replace(s, text=text)))


def _without_bare(rows: list[_Row]) -> tuple[list[_Row], tuple[str, ...]]:
    """Remove columns that have a header and nothing else; return the rows and those headers."""
    header_rows = next((i for i, r in enumerate(rows) if not r.is_header), 0)
    body = [r for r in rows[header_rows:] if not r.is_section]
    if not header_rows or not body:
        return rows, ()
    filled = [i for i in range(len(rows[0].slots)) if any((s := r.slots[i]) and s.text for r in body)]
    bare = [i for i in range(len(rows[0].slots)) if i not in filled]
    if not bare or len(filled) < 2:
        return rows, ()
    headers = (next((s.text for r in reversed(rows[:header_rows]) if (s := r.slots[i])), "") for i in bare)
    kept = [_Row([r.slots[i] for i in filled], r.is_header) for r in rows]
    return kept, tuple(dict.fromkeys(" ".join(h.split()) for h in headers if h))


def own_rows(table: _Element) -> list[_Element]:
    """Return the rows in reading order: thead first, tfoot last."""
    parts: dict[str, list[_Element]] = {"thead": [], "tbody": [], "tfoot": []}
    for child in table:
        if child.tag == "tr":
            parts["tbody"].append(child)
        elif child.tag in parts:
            parts[child.tag] += [r for r in child if r.tag == "tr"]
    return [*parts["thead"], *parts["tbody"], *parts["tfoot"]]


def nearest_table(element: _Element) -> _Element | None:
    """Return the innermost table around an element."""
    return next(element.iterancestors("table"), None)


def infobox(table: _Element, locator: Locator) -> list[Block]:
    """Return an infobox as a key-value table, followed by its text without keys.

    A lone heading opens a section: a key without a value.
    """
    pairs: list[list[RawCell]] = []
    lone: list[str] = []
    caption = " ".join(text_of(c).replace("\n", " ") for c in table if c.tag == "caption")
    for row in own_rows(table):
        cells = [(c.tag, text_of(c, skipped="table")) for c in _cells(row)]
        cells = [(tag, text) for tag, text in cells if text]
        texts = [" ".join(text.split("\n")) for _, text in cells]
        if len(texts) > 1:
            pairs.append([texts[0].rstrip(":"), " | ".join(texts[1:])])
        elif texts and not pairs and not caption:
            caption = texts[0]
        elif texts and cells[0][0] == "th":
            pairs.append([texts[0], None])
        elif texts:
            lone += texts
    while pairs and pairs[-1][1] is None:
        lone.append(str(pairs.pop()[0]))
    if len(pairs) < 2:
        lines = [caption, *(f"{k}: {v}" if v else str(k) for k, v in pairs), *lone]
        return [TextBlock("\n".join(t for t in lines if t), locator)] if any(lines) else []
    text = [TextBlock("\n".join(lone), locator)] if lone else []
    return [TableBlock(pairs, locator, caption, is_form=True), *text]


def _cells(row: _Element) -> Iterator[_Element]:
    return (c for c in row if c.tag in ("td", "th"))


def _span(cell: _Element, name: str, rest: int) -> int:
    """Return a span of at most ``rest``, 1 if it is not a number; a rowspan of 0 goes to the end."""
    value = (cell.get(name) or "1").strip()
    number = int(value) if value.isdecimal() and len(value) < 6 else 1
    if number == 0:
        number = rest if name == "rowspan" else 1
    return max(1, min(number, rest))


def _laid_out(rows: list[_Element]) -> list[_Row]:
    """Return the rows with every cell in all places that it spans."""
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
                # Only a page made to exhaust memory gets here: its cells are read, its spans are ignored.
                width = height = 1
            slot = _Slot(text_of(cell, skipped="table"), cell.tag == "th", width > 1 or height > 1, _indent(cell))
            for below in places[index : index + height]:
                for place in range(column, column + width):
                    below.setdefault(place, slot)
            column += width
    width = max((max(p, default=-1) + 1 for p in places), default=0)
    if width * len(rows) > MAX_CELLS:
        width = MAX_CELLS // len(rows)
    return [_Row([p.get(i) for i in range(width)], _is_header(r, p)) for r, p in zip(rows, places, strict=True)]


def _indent(cell: _Element) -> int:
    """Return the indentation of a cell's first line: by style in steps, else in non-breaking spaces."""
    left = hanging = 0.0
    for element in (cell, *cell[:1]):
        style = _lengths(element.get("style") or "")
        left += style.get("padding-left", 0) + style.get("margin-left", 0)
        hanging = style.get("text-indent", hanging)
    if steps := round((left + hanging) / LEVEL_PIXELS):
        return max(0, steps)
    first = next((t for t in cell.itertext() if t), "").lstrip(" \t\r\n")
    return len(first) - len(first.lstrip("\u00a0\u2003\u3000 "))


@lru_cache(maxsize=1000)
def _lengths(style: str) -> dict[str, float]:
    """Return the lengths that a style states, in pixels; of paddings and margins of all sides, the left one."""
    found: dict[str, float] = {}
    for name, _, value in (part.partition(":") for part in style.lower().split(";")):
        sizes = [float(n) * PIXELS.get(unit, 1) for n, unit in LENGTH.findall(value)]
        if sizes and name.strip() in ("padding", "margin"):
            found[f"{name.strip()}-left"] = sizes[3] if len(sizes) > 3 else sizes[min(1, len(sizes) - 1)]
        elif sizes:
            found[name.strip()] = sizes[0]
    return found


def _is_header(row: _Element, places: dict[int, _Slot]) -> bool:
    """Return whether the markup makes the row a header: it is in thead, or all its filled cells are th."""
    parent = row.getparent()
    marks = [s.is_header for s in places.values() if s.text]
    return bool(marks) and ((parent is not None and parent.tag == "thead") or all(marks))


def _without_blanks(rows: list[_Row]) -> list[_Row]:
    """Remove rows and columns without text of their own."""
    rows = [r for r in rows if any(s and s.text for s in r.slots)]
    used = list(range(len(rows[0].slots))) if rows else []
    for column in reversed(list(used)):
        # A column for colours or spacing has only parts of cells that also span others.
        at = used.index(column)
        near = [*used[max(0, at - 1) : at], *used[at + 1 : at + 2]]
        if all(_is_spare(r.slots, column, near) for r in rows):
            used.remove(column)
    return [_Row([r.slots[i] for i in used], r.is_header) for r in rows]


def _is_spare(slots: list[_Slot | None], column: int, near: list[int]) -> bool:
    slot = slots[column]
    return slot is None or not slot.text or any(slots[i] is slot for i in near)


def _is_layout(table: _Element, rows: list[_Row]) -> bool:
    """Return whether a table only lays out text: one row or column, a layout role, or page-long cells."""
    if table.get("role") in ("presentation", "none") or len(rows) < 2 or len(rows[0].slots) < 2:
        return True
    slots = {s for r in rows for s in r.slots if s and s.text}
    if sum(len(s.text) for s in slots) > LAYOUT_CHARS * len(slots):
        return True
    inner = [t for t in table.iterdescendants("table") if nearest_table(t) is table]
    # The text outside the inner tables must be a table by itself.
    return bool(inner) and len(slots) < 3 * len(inner)
