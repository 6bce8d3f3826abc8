"""What a table's columns are good for in a question: to filter and group by, to compute with, to look up."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablerag.evaluation.heteqa.tables import PAGE, SECTION
from tablerag.tools.records import Cell, Column, TableSchema

__all__ = ["Category", "Measure", "Roles", "TextColumn", "find_roles", "spoken"]

MOST_VALUE_CHARS = 50
LEAST_FILLED = 0.8
LEAST_VALUES = 5
"""Distinct numbers that a column worth computing with has."""
NOUN = re.compile(
    r"(.* )?(player|driver|rider|athlete|ship|film|album|song|club|team|school|university|college|institution|stadium"
    r"|airport|battle|volcano|peak|building|bridge|tunnel|tournament|racecourse|company|church|book|game|district|candidate|horse"
    r"|lake|park|bank|conference|festival|airline|station|hospital|museum|city|town|country|artist|single|pitcher|bearer"
    r"|skip|circuit|coaster|arena|railway|river|island|mountain|newspaper|magazine)"
)
"""Headers that say what a row is."""
WRITTEN_OUT = {"pos": "position", "nat": "nationality", "avg": "average", "pts": "points", "est": "established"}
NO_TIME = re.compile(r"(first|last|from|to|until|since|start|end)", re.IGNORECASE)
"""Headers of years that no sentence can use as a noun."""
NO_NUMBER = re.compile(r"(best|highest|lowest|worst|max|min|most|least)\b", re.IGNORECASE)
"""Headers that are superlatives already."""
ORDINALS = re.compile(
    r"\b(rank|ranking|no|nos|num|number|pos|position|pick|place|overall|round|district|seed|jersey|id|isn|code|route|channel"
    r"|frequency|rnd|year|season|series|ref|week|day|month|date|lap|#|volume|issue|member|p|lvl|uhf)\b|#",
    re.IGNORECASE,
)
"""Headers of numbers that name or order rows: adding them up says nothing."""
ADDITIVE = re.compile(
    r"\b(points?|goals?|votes?|passengers?|movements?|population|attendance|fatalities|deaths?|prize|gross|fee|seats?"
    r"|medals?|gold|silver|bronze|total|cargo|enrol?lment|games|match(?:es)?|appearances|apps|wins?|won|wickets|runs"
    r"|caps|episodes?|tonnage|length|area|sales|copies|tracks|sports|members|students|employees|stores|weeks"
    r"|titles?|winners|runners-up|campuses|weight|volume|output|kills|tries|assists|rebounds|gp|aircraft)\b",
    re.IGNORECASE,
)
NOT_ADDITIVE = re.compile(r"\b(average|avg|mean|per|rate|ratio|percentage|age|change)\b|%", re.IGNORECASE)
NO_KEY = re.compile(
    r"\b(dates?|notes?|location|via|website|description|source|comments?|reason|nickname|remarks|result|score|route"
    r"|article|years?|season|time|details|from|to|day|duration|channel|frequency|original|russian)\b",
    re.IGNORECASE,
)
"""Headers of what rows are not named by, however different their values are."""
NO_CATEGORY = re.compile(
    r"\b(dates?|notes?|score|number|source|code|out of|duration|time|age|fee|rank"
    r"|most|best|worst|last|first|elevated)\b|\b(from|to|by|in|of|at|as|for|with)$|[/?]",
    re.IGNORECASE,
)
"""Headers of texts that no sentence can use as a noun."""
VALUE = re.compile(r"[^\\\n\"`|]+")


@dataclass(frozen=True, slots=True)
class TextColumn:
    """A column of texts, under the SQL name that holds them as printed."""

    name: str
    header: str
    values: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Category:
    """A text column in which values come back: its frequent, sayable values with their counts."""

    column: TextColumn
    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of numbers, or of dates or years where ``kind`` says so."""

    name: str
    header: str
    unit: str
    kind: str
    """"number", "additive" (adding up says something), "year" or "date"."""
    values: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Roles:
    """The columns by role; ``key`` is what a row is about."""

    table: str
    row_count: int
    key: TextColumn | None
    texts: tuple[TextColumn, ...]
    categories: tuple[Category, ...]
    numbers: tuple[Measure, ...]
    times: tuple[Measure, ...]
    noun: str
    """What a row is, in the singular: "driver", else "entry"."""


def spoken(header: str) -> str:
    """Return a header as it stands within a sentence.

    >>> spoken("Home Games"), spoken("GP"), spoken("Elevation (m)"), spoken("City (s)")
    ('home games', 'GP', 'elevation (m)', 'city')
    """
    words = re.sub(r"\s*\(\s*(e?s|ies)\s*\)", "", header).split()
    lower = (w.lower() if w[:1].isupper() and w[1:].islower() else w for w in words)
    return " ".join(WRITTEN_OUT.get(w, w) for w in lower)


def find_roles(schema: TableSchema, cells: Mapping[str, Sequence[Cell]]) -> Roles:
    """Sort a table's columns by what they are good for; ``cells`` holds its stored columns by SQL name."""
    texts, numbers, times = [], [], []
    for column in schema.columns:
        if column.type == "text" or (column.header in (PAGE, SECTION) and column.raw):
            name = column.raw or column.name
            texts.append(TextColumn(name, column.header, tuple(None if v is None else str(v) for v in cells[name])))
        elif column.header not in (PAGE, SECTION) and (measure := _measure(column, cells[column.name])) is not None:
            (times if measure.kind in ("year", "date") else numbers).append(measure)
    categories = [c for t in texts if (c := _category(t)) is not None]
    key = _key(texts)
    return Roles(
        schema.name,
        schema.row_count,
        key,
        tuple(texts),
        tuple(categories),
        tuple(numbers),
        tuple(times),
        _noun(key, texts),
    )


def _measure(column: Column, values: Sequence[Cell]) -> Measure | None:
    filled = [v for v in values if v is not None]
    if len(filled) < LEAST_FILLED * len(values) or len(set(filled)) < LEAST_VALUES or column.unfit:
        return None
    if column.type == "date":
        return Measure(column.name, column.header, "", "date", tuple(values))
    if column.kind == "year":
        if NO_TIME.fullmatch(column.header) or not all(isinstance(v, int) and 1000 <= v <= 2100 for v in filled):
            return None
        return Measure(column.name, column.header, "", "year", tuple(values))
    letters = sum(c.isalpha() for c in column.header)
    named = letters >= 3 and column.kind != "id" and not ORDINALS.search(column.header)
    named = named and not NO_NUMBER.match(column.header)
    if column.type not in ("integer", "decimal") or not named:
        return None
    unit = column.unit
    if column.scale:
        unit = f"{column.scale} of {unit}" if unit else column.scale
    if min(filled) < 0:
        return None  # losses and changes: "highest" and "total" would mislead
    additive = ADDITIVE.search(column.header) and not NOT_ADDITIVE.search(column.header) and column.kind != "percent"
    return Measure(column.name, column.header, unit, "additive" if additive else "number", tuple(values))


def _category(column: TextColumn) -> Category | None:
    filled = [v for v in column.values if v]
    if column.header not in (PAGE, SECTION) and (NO_CATEGORY.search(column.header) or len(column.header) < 3):
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
        # Text compares without regard to case in SQL: a value written in two ways would be two to pandas.
        and folded[v.casefold()] == 1
    ]
    covered = sum(n for _, n in again)
    if len(again) < 2 or covered < 0.5 * len(column.values) or len(counts) > 0.8 * len(filled):
        return None
    return Category(column, tuple(again))


def _key(texts: Sequence[TextColumn]) -> TextColumn | None:
    """Return the first column whose values are nearly all different: what rows are named by."""
    for column in texts:
        filled = [v for v in column.values if v]
        letters = sum(any(c.isalpha() for c in v) and len(v) <= MOST_VALUE_CHARS for v in filled)
        if column.header in (PAGE, SECTION) or NO_KEY.search(column.header):
            continue
        if len(set(filled)) >= 0.9 * len(column.values) and letters >= 0.9 * len(column.values):
            return column
    return None


def _noun(key: TextColumn | None, texts: Sequence[TextColumn]) -> str:
    """Return what a row is: what names rows and stands among their first texts, where its header is a noun."""
    leading = [t for t in texts if t.header not in (PAGE, SECTION)][:2]
    word = spoken(key.header) if key in leading and key is not None else ""
    return word if NOUN.fullmatch(word) else "entry"
