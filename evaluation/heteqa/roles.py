"""Finds the role of each column in questions: to filter and group by, to compute with, or to look up."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablerag.evaluation.heteqa.tables import PAGE, SECTION
from tablerag.evaluation.heteqa.words import PATTERNS, WRITTEN_OUT
from tablerag.tools.number_words import is_year
from tablerag.tools.records import Cell, Column, TableSchema

__all__ = ["Category", "Measure", "Roles", "TextColumn", "find_roles", "spoken"]

MOST_VALUE_CHARS = 50
LEAST_FILLED = 0.8
LEAST_VALUES = 5
"""Least number of distinct values in a column to compute with."""
VALUE = re.compile(r"[^\\\n\"`|]+")


@dataclass(frozen=True, slots=True)
class TextColumn:
    """A text column, under the SQL name that holds its values as printed."""

    name: str
    header: str
    values: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Category:
    """A text column with repeated values: those that a question can name, with their counts."""

    column: TextColumn
    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of numbers, years or dates, by ``kind``."""

    name: str
    header: str
    unit: str
    kind: str
    """"number", "additive" (its sum is meaningful), "year" or "date"."""
    values: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Roles:
    """The columns by role; ``key`` names what a row is about."""

    table: str
    row_count: int
    key: TextColumn | None
    texts: tuple[TextColumn, ...]
    categories: tuple[Category, ...]
    numbers: tuple[Measure, ...]
    times: tuple[Measure, ...]
    noun: str
    """A row's name in the singular, such as "driver"; otherwise "entry"."""


def spoken(header: str) -> str:
    """Return a header as written within a sentence.

    >>> spoken("Home Games"), spoken("GP"), spoken("Elevation (m)"), spoken("City (s)")
    ('home games', 'GP', 'elevation (m)', 'city')
    """
    words = re.sub(r"\s*\(\s*(e?s|ies)\s*\)", "", header).split()
    lower = (w.lower() if w[:1].isupper() and w[1:].islower() else w for w in words)
    return " ".join(WRITTEN_OUT.get(w, w) for w in lower)


def find_roles(schema: TableSchema, cells: Mapping[str, Sequence[Cell]]) -> Roles:
    """Find the roles of a table's columns; ``cells`` holds its stored columns by SQL name."""
    texts, numbers, times = [], [], []
    for column in schema.columns:
        if column.type == "text" or (column.header in (PAGE, SECTION) and column.raw):
            name = column.raw or column.name
            texts.append(TextColumn(name, column.header, tuple(None if v is None else str(v) for v in cells[name])))
        elif column.header not in (PAGE, SECTION) and (measure := _measure(column, cells[column.name])) is not None:
            (times if measure.kind in ("year", "date") else numbers).append(measure)
    categories = [c for t in texts if (c := _category(t)) is not None]
    key = _key(texts)
    columns = (tuple(texts), tuple(categories), tuple(numbers), tuple(times))
    return Roles(schema.name, schema.row_count, key, *columns, _noun(key, texts))


def _measure(column: Column, values: Sequence[Cell]) -> Measure | None:
    filled = [v for v in values if v is not None]
    if len(filled) < LEAST_FILLED * len(values) or len(set(filled)) < LEAST_VALUES or column.unfit:
        return None
    if column.type == "date":
        return Measure(column.name, column.header, "", "date", tuple(values))
    if column.kind == "year":
        if PATTERNS["unusable_time"].fullmatch(column.header) or not all(
            isinstance(v, int) and is_year(v) for v in filled
        ):
            return None
        return Measure(column.name, column.header, "", "year", tuple(values))
    letters = sum(c.isalpha() for c in column.header)
    named = letters >= 3 and column.kind != "id" and not PATTERNS["ordinal"].search(column.header)
    named = named and not PATTERNS["superlative"].match(column.header)
    if column.type not in ("integer", "decimal") or not named:
        return None
    unit = column.unit
    if column.scale:
        unit = f"{column.scale} of {unit}" if unit else column.scale
    if any(isinstance(v, (int, float)) and v < 0 for v in filled):
        return None  # "highest" and "total" would be misleading for losses and changes
    additive = (
        PATTERNS["additive"].search(column.header)
        and not PATTERNS["not_additive"].search(column.header)
        and column.kind != "percent"
    )
    return Measure(column.name, column.header, unit, "additive" if additive else "number", tuple(values))


def _category(column: TextColumn) -> Category | None:
    filled = [v for v in column.values if v]
    if column.header not in (PAGE, SECTION) and (
        PATTERNS["not_category"].search(column.header) or len(column.header) < 3
    ):
        return None
    if sum(any(c.isalpha() for c in v) for v in filled) < 0.7 * len(filled) and column.header not in (PAGE, SECTION):
        return None
    counts = Counter(filled)
    folded = Counter(v.casefold().strip() for v in counts)
    again = [
        (v, n)
        for v, n in counts.most_common()
        if n >= 2
        and len(v) <= MOST_VALUE_CHARS
        and VALUE.fullmatch(v)
        and v == v.strip()
        and v[:1].isalnum()
        # SQL ignores case, pandas does not: they would disagree on values that differ only in case.
        and folded[v.casefold()] == 1
    ]
    covered = sum(n for _, n in again)
    if len(again) < 2 or covered < 0.5 * len(column.values) or len(counts) > 0.8 * len(filled):
        return None
    return Category(column, tuple(again))


def _key(texts: Sequence[TextColumn]) -> TextColumn | None:
    """Return the first column whose values are nearly all distinct, as it names the rows."""
    for column in texts:
        filled = [v for v in column.values if v]
        letters = sum(any(c.isalpha() for c in v) and len(v) <= MOST_VALUE_CHARS for v in filled)
        if column.header in (PAGE, SECTION) or PATTERNS["not_key"].search(column.header):
            continue
        if len(set(filled)) >= 0.9 * len(column.values) and letters >= 0.9 * len(column.values):
            return column
    return None


def _noun(key: TextColumn | None, texts: Sequence[TextColumn]) -> str:
    """Return the key's header if it is a noun and among the first two text columns, otherwise "entry"."""
    leading = [t for t in texts if t.header not in (PAGE, SECTION)][:2]
    word = spoken(key.header) if key in leading and key is not None else ""
    return word if PATTERNS["row_noun"].fullmatch(word) else "entry"
