"""The rows and columns of a document's tables that a question names, by rules that abstain when in doubt."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from tablerag.agent.offline.arithmetic.moments import fits, years_of
from tablerag.agent.offline.arithmetic.question import ArithmeticQuestion
from tablerag.tools.number_words import SIGNS
from tablerag.tools.records import Cell
from tablerag.tools.text import tokens
from tablerag.tools.whole_documents import WholeTable

__all__ = ["NamedRow", "column_of", "held_by", "named_rows", "number_at", "years_in"]

COVERED = 0.75
"""Share of a row's own words that the question must say."""
IDLE = frozenset("and of the for in to on at by from a an or as with total net per".split())


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row that the question names."""

    table: WholeTable
    row: int
    label: str
    score: float
    around: frozenset[str]
    """The words of the row, its sections, the headers and the table's title."""
    explained: frozenset[str]
    """Those of the question among them."""
    span: tuple[int, int] | None
    """Where the question says its label word for word: the places of the first word and after the last."""
    whole: bool
    """Whether these are all words of its label, not only those behind "total" and the like."""


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
    around = frozenset(own) | set(tokens(sections)) | set(tokens(table.table_schema.title)) | _header_words(table)
    asked = question.words or frozenset(w for w in telling if w in places)
    explained = asked & around
    # A row that sums up others is meant where the question says so, and only there.
    total = 0.1 if ("total" in own) == ("total" in places) else 0.0
    exact = 0.2 * sum(w in places for w in own) / len(own)
    score = covered + len(asked & set(own)) / len(asked) + 0.5 * len(explained) / len(asked) + total + exact
    if not explained:
        return None
    span = _span(own, tokens(question.text))
    whole = span is not None and span[1] - span[0] == len(own)
    return NamedRow(table, row, label, score, around, explained, span, whole)


def _span(own: Sequence[str], asked: Sequence[str]) -> tuple[int, int] | None:
    """Return where a label's words stand in a row in the question, its first idle words left out where need be."""
    while own:
        found = next((i for i in range(len(asked) - len(own) + 1) if asked[i : i + len(own)] == list(own)), None)
        if found is not None:
            return found, found + len(own)
        if own[0] not in IDLE:
            return None
        own = own[1:]
    return None


def held_by(question: ArithmeticQuestion, rows: Iterable[NamedRow]) -> float:
    """Return the share of the question's words that rows, their sections and headers hold together."""
    held = frozenset[str]().union(*(r.explained for r in rows))
    return len(held) / len(question.words) if question.words else 1.0


def _label(table: WholeTable, row: int) -> tuple[str, str]:
    """Return a row's own label, and the sections that it stands in."""
    schema = table.table_schema
    cells = dict(zip((c.name for c in schema.columns), table.printed[row], strict=True))
    sections = " ".join(cells[name] for name in schema.row_path)
    own = next((c.name for c in schema.columns if c.name not in schema.row_path), "")
    return cells.get(own, ""), sections


def _header_words(table: WholeTable) -> set[str]:
    return {w for c in table.table_schema.columns for part in c.path or (c.header,) for w in tokens(part)}


def years_in(table: WholeTable) -> tuple[str, ...]:
    """Return the years that columns are of, in the table's order, each once."""
    found = (years_of(_header(table, i)) for i in _numbers(table))
    return tuple(dict.fromkeys(years[0] for years in found if len(years) == 1))


def column_of(moment: str, question: ArithmeticQuestion, table: WholeTable) -> int | None:
    """Return a moment's column; of several the one whose header the question names, None where that is not one."""
    named = {i: _said(question, table, i) for i in _numbers(table) if fits(moment, _header(table, i))}
    best = [i for i, said in named.items() if said == max(named.values())]
    return best[0] if len(best) == 1 else None


def _numbers(table: WholeTable) -> range:
    """Return the places of the columns behind the one that labels the rows."""
    schema = table.table_schema
    label = next((i for i, c in enumerate(schema.columns) if c.name not in schema.row_path), 0)
    return range(label + 1, len(schema.columns))


def _header(table: WholeTable, column: int) -> str:
    c = table.table_schema.columns[column]
    return " ".join(c.path or (c.header,))


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
    plain = re.sub(rf"[\s{SIGNS}%()+−,-]", "", printed)
    try:
        number = Decimal(plain)
    except InvalidOperation:
        return None
    return (-number if negative else number) if number.is_finite() else None
