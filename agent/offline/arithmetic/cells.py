"""The rows and columns of a document's tables that a question names."""

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
"""Share of a row's words that the question must contain."""
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
    """Those of them in the question."""
    span: tuple[int, int] | None
    """Where the question contains its label literally: the indexes of the first word and after the last."""
    whole: bool
    """Whether it contains the complete label, not only the words after "total" and the like."""


def named_rows(question: ArithmeticQuestion, tables: Sequence[WholeTable]) -> list[NamedRow]:
    """Return the rows that a question names well enough, best first."""
    places = {w: i for i, w in reversed(list(enumerate(tokens(question.text))))}
    found = [r for t in tables for i in range(len(t.values)) if (r := _named(question, places, t, i)) is not None]
    return sorted(found, key=lambda r: -r.score)


def _named(question: ArithmeticQuestion, places: dict[str, int], table: WholeTable, row: int) -> NamedRow | None:
    label, sections = _label(table, row)
    own = [w for w in tokens(label) if not w.isdigit()]
    key = [w for w in own if w not in IDLE] or own
    if not key:
        return None
    covered = sum(w in places for w in key) / len(key)
    if covered < COVERED:
        return None
    around = frozenset(own) | set(tokens(sections)) | set(tokens(table.table_schema.title)) | _header_words(table)
    asked = question.words or frozenset(w for w in key if w in places)
    explained = asked & around
    # A totals row is meant if, and only if, the question says "total".
    total = 0.1 if ("total" in own) == ("total" in places) else 0.0
    exact = 0.2 * sum(w in places for w in own) / len(own)
    score = covered + len(asked & set(own)) / len(asked) + 0.5 * len(explained) / len(asked) + total + exact
    if not explained:
        return None
    span = _span(own, tokens(question.text))
    whole = span is not None and span[1] - span[0] == len(own)
    return NamedRow(table, row, label, score, around, explained, span, whole)


def _span(own: Sequence[str], asked: Sequence[str]) -> tuple[int, int] | None:
    """Return where the question contains a label, if need be without its first idle words; None if nowhere."""
    while own:
        found = next((i for i in range(len(asked) - len(own) + 1) if asked[i : i + len(own)] == list(own)), None)
        if found is not None:
            return found, found + len(own)
        if own[0] not in IDLE:
            return None
        own = own[1:]
    return None


def held_by(question: ArithmeticQuestion, rows: Iterable[NamedRow]) -> float:
    """Return the share of the question's words that rows, their sections and headers contain together."""
    held = frozenset[str]().union(*(r.explained for r in rows))
    return len(held) / len(question.words) if question.words else 1.0


def _label(table: WholeTable, row: int) -> tuple[str, str]:
    """Return a row's label and its sections."""
    schema = table.table_schema
    cells = dict(zip((c.name for c in schema.columns), table.printed[row], strict=True))
    sections = " ".join(cells[name] for name in schema.row_path)
    own = next((c.name for c in schema.columns if c.name not in schema.row_path), "")
    return cells.get(own, ""), sections


def _header_words(table: WholeTable) -> set[str]:
    return {w for c in table.table_schema.columns for part in c.path or (c.header,) for w in tokens(part)}


def years_in(table: WholeTable) -> tuple[str, ...]:
    """Return the years of the table's columns, in order, each once."""
    found = (years_of(_header(table, i)) for i in _numbers(table))
    return tuple(dict.fromkeys(years[0] for years in found if len(years) == 1))


def column_of(moment: str, question: ArithmeticQuestion, table: WholeTable, row: int) -> int | None:
    """Return the index of a period's column, of several the one that the question names; None if that is not one.

    Of the columns for amounts and for percentages of a period, it is the one that the row has.
    """
    fitting = [i for i in _numbers(table) if fits(moment, _header(table, i))]
    named = {i: _named_share(question, table, i) for i in fitting if table.values[row][i] is not None}
    named = named or {i: _named_share(question, table, i) for i in fitting}
    best = [i for i, share in named.items() if share == max(named.values())]
    return best[0] if len(best) == 1 else None


def _numbers(table: WholeTable) -> range:
    """Return the indexes of the columns after the one with the row labels."""
    schema = table.table_schema
    label = next((i for i, c in enumerate(schema.columns) if c.name not in schema.row_path), 0)
    return range(label + 1, len(schema.columns))


def _header(table: WholeTable, column: int) -> str:
    c = table.table_schema.columns[column]
    return " ".join(c.path or (c.header,))


def _named_share(question: ArithmeticQuestion, table: WholeTable, column: int) -> float:
    """Return the share of a column's header, without years, that the question contains."""
    c = table.table_schema.columns[column]
    words = {w for part in c.path or (c.header,) for w in tokens(part) if not w.isdigit() and w not in IDLE}
    return len(words & question.words) / len(words) if words else 0.5


def number_at(table: WholeTable, row: int, column: int) -> Decimal | None:
    """Return a cell's number; None if it has none."""
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
