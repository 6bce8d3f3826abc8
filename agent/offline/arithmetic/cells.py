"""The rows and columns of a document's tables that a question names, by rules that abstain when in doubt."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from agent.offline.arithmetic.question import ArithmeticQuestion, years_of
from tools.records import Cell
from tools.text import tokens
from tools.whole_documents import WholeTable

__all__ = ["NamedRow", "TableYears", "explain", "named_rows", "number_at", "year_columns"]

COVERED = 0.75
"""Share of a row's own words that the question must say."""
EXPLAINED = 0.5
"""Share of the question's words that row, sections and headers must hold."""
IDLE = frozenset("and of the for in to on at by from a an or as with total net per".split())


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row that the question names."""

    table: WholeTable
    row: int
    label: str
    score: float
    first: int
    """Where in the question its first word stands."""
    explained: frozenset[str]
    """The question's words that the row, its sections and the headers hold."""


@dataclass(frozen=True, slots=True)
class TableYears:
    """The column of each year."""

    columns: dict[str, int]


def named_rows(question: ArithmeticQuestion, tables: Sequence[WholeTable]) -> list[NamedRow]:
    """Return the rows that a question names well enough, best first."""
    places = {w: i for i, w in reversed(list(enumerate(tokens(question.text))))}
    found = [r for t in tables for i in range(len(t.values)) if (r := _named(question, places, t, i)) is not None]
    return sorted(found, key=lambda r: -r.score)


def _named(question: ArithmeticQuestion, places: dict[str, int], table: WholeTable, row: int) -> NamedRow | None:
    label, sections = _label(table, row)
    own = [w for w in tokens(label) if not w.isdigit()]
    telling = [w for w in own if w not in IDLE] or own
    if not telling:
        return None
    said = [w for w in telling if w in places]
    covered = len(said) / len(telling)
    if covered < COVERED:
        return None
    around = set(own) | set(tokens(sections)) | set(tokens(table.table_schema.title)) | _header_words(table)
    asked = question.words or frozenset(w for w in telling if w in places)
    explained = asked & around
    # A row that sums up others is meant where the question says so, and only there.
    total = 0.1 if ("total" in own) == ("total" in places) else 0.0
    exact = 0.2 * sum(w in places for w in own) / len(own)
    score = covered + len(asked & set(own)) / len(asked) + 0.5 * len(explained) / len(asked) + total + exact
    return NamedRow(table, row, label, score, min(places[w] for w in said), explained) if explained else None


def explain(question: ArithmeticQuestion, rows: Sequence[NamedRow]) -> bool:
    """Tell whether rows together hold enough of the question's words."""
    held = frozenset[str]().union(*(r.explained for r in rows))
    return len(held) >= EXPLAINED * len(question.words)


def _label(table: WholeTable, row: int) -> tuple[str, str]:
    """Return a row's own label, and the sections that it stands in."""
    schema = table.table_schema
    cells = dict(zip((c.name for c in schema.columns), table.printed[row], strict=True))
    sections = " ".join(cells[name] for name in schema.row_path)
    own = next((c.name for c in schema.columns if c.name not in schema.row_path), "")
    return cells.get(own, ""), sections


def _header_words(table: WholeTable) -> set[str]:
    return {w for c in table.table_schema.columns for part in c.path or (c.header,) for w in tokens(part)}


def year_columns(question: ArithmeticQuestion, table: WholeTable) -> TableYears | None:
    """Return the column of each year in a table; of several for one year the one whose header the question names."""
    schema = table.table_schema
    label = next((i for i, c in enumerate(schema.columns) if c.name not in schema.row_path), 0)
    by_year: dict[str, list[int]] = {}
    for i, c in enumerate(schema.columns):
        years = years_of(" ".join(c.path or (c.header,)))
        if i > label and len(years) == 1:
            by_year.setdefault(years[0], []).append(i)
    columns: dict[str, int] = {}
    for year, places in by_year.items():
        named = {i: _said(question, table, i) for i in places}
        best = max(named.values())
        if len(places) > 1 and sum(v == best for v in named.values()) > 1:
            return None
        columns[year] = max(named, key=lambda i: named[i])
    return TableYears(columns)


def _said(question: ArithmeticQuestion, table: WholeTable, column: int) -> float:
    """Return how much of a column's header, years aside, the question says."""
    c = table.table_schema.columns[column]
    words = {w for part in c.path or (c.header,) for w in tokens(part) if not w.isdigit() and w not in IDLE}
    return len(words & question.words) / len(words) if words else 0.5


def number_at(table: WholeTable, row: int, column: int) -> Decimal | None:
    """Return a cell's number; None where it holds none."""
    value: Cell = table.values[row][column]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Decimal(str(value))
    printed = table.printed[row][column].strip()
    negative = bool(re.fullmatch(r"\W*\(.*\)\W*", printed)) or printed.startswith(("-", "−"))
    plain = re.sub(r"[\s$€£¥%()+−,-]", "", printed)
    try:
        number = Decimal(plain)
    except InvalidOperation:
        return None
    return (-number if negative else number) if number.is_finite() else None
