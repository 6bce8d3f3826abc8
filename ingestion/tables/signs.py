"""Signs that a table was read wrongly: what is cheap to see in its names, its first rows and its columns' types.

Each is a number from 0 to 1. ``training.table_confidence`` learns how much each one counts.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.tables.cells import cell_text, is_period, is_typed, is_words
from tablerag.ingestion.tables.typed_table import TypedTable

__all__ = ["SAMPLE_ROWS", "is_turned", "signs_of"]

SAMPLE_ROWS = 40
"""Rows that are looked at; the types of columns come from all rows."""
LONG_NAME, LONG_CELL, PROSE_WORDS = 60, 120, 12
SHEET_SIGNS = ("thin_rows", "half_rows", "long_last")
SMALL = 4
"""Rows below which a table is small."""
TURNED = re.compile(r"[a-z]{2,}[A-Z]|\)[\d.,]+\(")
"""What begins as others end: "latoT", ")000,1("."""
NO_BEGINNING = re.compile(
    r"(?:lt|kc|tn|dn|rt|rd|rs|ls|nt|nd|lp|mp|rg|rc|lc|ld|rl|rm|rn|gni|noit|ecn|yt)[^\W\d_]{2,}", re.IGNORECASE
)
"""How no word of the languages with Latin letters begins, but the reverse of many does."""
HAS_DIGIT = re.compile(r"\d")
SPREAD_LETTERS = re.compile(r"(?:\b\w\b[ .]){3,}\b\w\b")
FIGURES = re.compile(r"[-+(]?[$€£]?\d[\d.,]*%?\)?")
CUT = re.compile(r".*(?:[-(,/&]|\b(?:and|of|the|in|for|to|per|und|der|et|de))", re.IGNORECASE)
COMMON = (
    "name", "date", "total", "amount", "year", "month", "number", "price", "value", "type", "country", "region", "city",
    "count", "quantity", "rate", "share", "percent", "average", "change", "unit", "code", "title", "status", "notes",
    "item", "product", "customer", "sales", "revenue", "cost", "costs", "population", "source", "description", "age",
    "group", "time", "rank", "score", "points", "team", "first", "second", "other", "male", "female", "women", "size",
    "jahr", "datum", "betrag", "summe", "anzahl", "preis",
)  # fmt: skip
REVERSED = frozenset(word[::-1] for word in COMMON) - {*COMMON}
Rows = Sequence[Sequence[RawCell]]


def signs_of(table: TypedTable) -> dict[str, float]:
    """Return the signs of a table by name; those that are 0 are left out.

    Where the format states the cells, their division is no question, and only the header and the types are.
    """
    rows = [row.cells[table.path_depth :] for row in islice(table.body, SAMPLE_ROWS)]
    signs = {"bias": 1.0, **dict(_origin(table)), **dict(_types(table, rows))}
    if not table.is_form:
        signs |= dict(_header(table)) | dict(_names(table, rows))
    if rows and table.block.ruled is not None:
        signs |= dict(_page(table)) | dict(_cells(rows)) | dict(_rows(rows))
    elif rows and signs["sheet"]:
        signs |= {f"sheet_{name}": value for name, value in _rows(rows) if name in SHEET_SIGNS}
    return {name: round(float(value), 4) for name, value in signs.items() if value}


def _origin(table: TypedTable) -> Iterator[tuple[str, float]]:
    block = table.block
    yield "ruled", block.ruled is True
    yield "ruleless", block.ruled is False
    yield "sheet", block.ruled is None and block.source_columns is not None and not block.is_records
    yield "form", table.is_form
    yield "stacked", bool(table.body.stack.names)
    if block.least_sure:
        yield "by_ocr", 1.0
        yield "ocr_unsure", 1 - sum(s.confidence for s in block.least_sure) / len(block.least_sure)


def _page(table: TypedTable) -> Iterator[tuple[str, float]]:
    yield "stitched", table.block.pages is not None
    yield "small", max(0.0, 1 - table.row_count / SMALL)
    yield "two_columns", len(table.columns) - table.path_depth <= 2
    yield "wide", min(1.0, max(0, len(table.columns) - 8) / 16)
    yield "sections", min(1.0, len(table.sections) / max(1, table.row_count))


def _header(table: TypedTable) -> Iterator[tuple[str, float]]:
    block, paths = table.block, table.paths[table.path_depth :]
    named = [path for path in paths if path]
    names = [path[-1] for path in named]
    is_ruled_off = block.header_rows is not None and block.ruled is False
    is_marked = (block.header_rows is not None and not is_ruled_off) or block.is_records
    yield "header_marked", is_marked
    yield "header_ruled_off", is_ruled_off
    yield "header_guess", 0.0 if is_marked else 1 - table.header_confidence
    yield "records_guess", 1 - table.header_confidence if block.is_records else 0.0
    yield "no_header", table.header_rows == 0
    yield "deep_header", min(1.0, max(0, table.header_rows - 2) / 3)
    yield "unnamed", 1 - len(named) / max(1, len(paths))
    if not names:
        return
    count = len(names)
    yield "same_names", 1 - len(set(named)) / count
    yield "long_names", sum(len(n) > LONG_NAME for n in names) / count
    yield "numbers_as_names", sum(is_typed(n) and not is_period(n) for n in names) / count
    yield "names_cut", sum(bool(CUT.fullmatch(n)) or n[:1].islower() != names[0][:1].islower() for n in names) / count
    yield "figures_in_names", sum(len(FIGURES.findall(n)) > 1 for n in names) / count
    turned = sum(any(map(is_turned, n.split())) for n in names)
    yield "turned_names", turned / count
    yield "spread_names", sum(bool(SPREAD_LETTERS.search(n)) for n in names) / count


def _names(table: TypedTable, rows: Rows) -> Iterator[tuple[str, float]]:
    """Yield how much the names look like the cells below them."""
    paths = table.paths[table.path_depth :]
    named = [(path[-1], [cell_text(row[i]) for row in rows]) for i, path in enumerate(paths) if path]
    if not named or not rows:
        return
    yield "names_recur", sum(name in cells for name, cells in named) / len(named)
    numbered = [(name, cells) for name, cells in named if HAS_DIGIT.search(name) and not is_period(name)]
    alike = sum(sum(bool(HAS_DIGIT.search(c)) for c in cells) > 0.6 * len(cells) for _, cells in numbered)
    yield "names_like_cells", alike / len(named)


def is_turned(word: str) -> bool:
    """Return whether a word looks as if it were read backwards."""
    return word.casefold() in REVERSED or bool(TURNED.fullmatch(word) or NO_BEGINNING.match(word))


def _types(table: TypedTable, rows: Rows) -> Iterator[tuple[str, float]]:
    columns = [(i, c) for i, c in enumerate(table.columns[table.path_depth :]) if not c.is_part]
    unfit = [c.unfit / c.filled for _, c in columns if c.filled and c.type != "text"]
    yield "unfit", max(unfit, default=0.0)
    mixed = [_mixed(rows, i) for i, c in columns if c.type == "text"]
    yield "mixed", max(mixed, default=0.0)
    yield "mixed_columns", sum(m > 0.2 for m in mixed) / max(1, len(columns))
    typed = [(i, c) for i, c in columns if c.type != "text"]
    yield "no_types", not typed
    if typed and len(rows) > 1:
        words = sum(is_words(rows[0][i]) and c.value(rows[0][i]) is None for i, c in typed)
        # One word may be a remark for a number that is not known yet.
        yield "words_first", min(1.0, max(0, words - 1) / 2)


def _mixed(rows: Rows, column: int) -> float:
    """Return how evenly a column is divided into numbers and words: 0 for one kind alone, 1 for half and half."""
    filled = [row[column] for row in rows if cell_text(row[column])]
    if len(filled) < 2:
        return 0.0
    typed = sum(map(is_typed, filled)) / len(filled)
    return 2 * min(typed, 1 - typed)


def _cells(rows: Rows) -> Iterator[tuple[str, float]]:
    texts = [text for row in rows for text in map(cell_text, row)]
    filled = [t for t in texts if t]
    count = max(1, len(filled))
    yield "empty", 1 - len(filled) / max(1, len(texts))
    yield "figures_glued", sum(_is_glued(t) for t in filled) / count
    yield "long_cells", sum(len(t) > LONG_CELL for t in filled) / count
    yield "prose", sum(t.count(" ") >= PROSE_WORDS for t in filled) / count
    several = sum(isinstance(c, str) and "\n" in c for row in rows for c in row)
    yield "lines_in_cells", several / count
    yield "turned_cells", sum(any(map(is_turned, t.split()[:3])) for t in filled) / count
    beside = sum(bool(cell_text(a)) and a == b for row in rows for a, b in zip(row, row[1:], strict=False))
    yield "repeated_beside", beside / count


def _is_glued(text: str) -> bool:
    """Return whether a cell holds two numbers, as two columns that were not divided."""
    parts = text.split()
    return 1 < len(parts) < 8 and sum(bool(FIGURES.fullmatch(p)) for p in parts) > len(parts) - 1 > 0


def _rows(rows: Rows) -> Iterator[tuple[str, float]]:
    if len(rows[0]) < 2:
        return
    texts = [[cell_text(c) for c in row] for row in rows]
    count, width = len(rows), len(rows[0])
    filled = [sum(map(bool, row)) for row in texts]
    yield "thin_rows", sum(n <= 1 for n in filled) / count if width > 2 else 0.0
    yield "half_rows", sum(1 < n <= width / 2 for n in filled) / count
    yield "numbers_first", sum(is_typed(row[0]) and not is_period(row[0]) for row in rows) > 0.6 * count
    unlabelled = sum(not row[0] for row in texts) / count
    yield "no_label", unlabelled if unlabelled < 1 else 0.5
    yield "goes_on", sum(not row[0] and any(t[:1].islower() for t in row) for row in texts) / count
    yield "starts_low", sum(row[0][:1].islower() for row in texts) / count
    yield "long_last", filled[-1] == 1 and max(map(len, texts[-1])) > LONG_NAME
    # A column of one or two cells is often a part of its neighbour.
    heights = [sum(bool(row[i]) for row in texts) for i in range(width)]
    yield "bare_columns", sum(h <= 0.15 * count for h in heights) / width if count > 3 else 0.0
