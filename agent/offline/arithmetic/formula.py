"""A question read as a formula over cells of a table: of one row over several years, or of two rows in one year."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tablerag.agent.offline.arithmetic.cells import NamedRow, column_of, held_by, named_rows, number_at, years_in
from tablerag.agent.offline.arithmetic.direction import change_of, compared
from tablerag.agent.offline.arithmetic.question import ArithmeticQuestion, Operation, Unread, read_arithmetic
from tablerag.agent.offline.arithmetic.vocabulary import Vocabulary
from tablerag.tools.calculator import plain_text
from tablerag.tools.text import tokens
from tablerag.tools.whole_documents import WholeTable

__all__ = ["Formula", "Term", "read_formula"]

MARGIN = 0.05
"""Least lead of the best row's score over the second best."""
EXPLAINED = 0.5
"""Share of the question's words that the row, its sections and headers must contain."""
WHOLE_FIRST = re.compile(
    r"what (?:percentage|percent|proportion|share) of\b.*\b(?:is|was|were|are|does|do)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Term:
    """A cell's number, named by its year or its row's label."""

    name: str
    number: Decimal
    row: NamedRow
    column: int
    """Index among the schema's columns."""

    @property
    def percent(self) -> bool:
        """Whether the cell or its column is a percentage."""
        table = self.row.table
        return table.table_schema.columns[self.column].unit == "%" or "%" in table.printed[self.row.row][self.column]

    @property
    def written(self) -> str:
        """The number as written in a formula."""
        return f"({plain_text(self.number)})" if self.number < 0 else plain_text(self.number)


@dataclass(frozen=True, slots=True)
class Formula:
    """An operation on the numbers of one or two rows of one table."""

    operation: Operation
    pattern: str
    """The formula with {0}, {1} ... for the terms."""
    terms: tuple[Term, ...]
    held: float
    """Share of the question's words that its rows and their headers contain."""
    note: str = ""
    """A remark on its sign or direction."""

    @property
    def percent(self) -> bool:
        """Whether its numbers are percentages."""
        return any(t.percent for t in self.terms) or "%" in self.row.label

    @property
    def description(self) -> str:
        """The operation's name; of percentages, "difference in percentage points"."""
        points = " in percentage points" if self.operation == "difference" and self.percent else ""
        return self.operation.replace("percent_", "percentage ") + points

    @property
    def row(self) -> NamedRow:
        """The first number's row."""
        return self.terms[0].row

    @property
    def text(self) -> str:
        """The formula with its numbers, as the calculator reads it."""
        return self.pattern.format(*(t.written for t in self.terms))


def read_formula(question: str, tables: Sequence[WholeTable], texts: Iterable[str] | None = None) -> Formula | Unread:
    """Read a difference, percentage change, average, sum, share or ratio; Unread when in doubt.

    ``texts`` are the document's texts; None if they were not read.
    """
    read = read_arithmetic(question)
    if isinstance(read, Unread):
        return read
    lacking = Vocabulary(tables, texts).lacking(read)
    if lacking:
        return Unread(f"the document does not contain {', '.join(map(repr, lacking))}{_cut(tables)}")
    rows = named_rows(read, tables)
    if not rows:
        return Unread(f"the question names no row of the tables{_cut(tables)}")
    named = _named_apart(r for r in rows if r.whole or len(read.moments) == 1)
    if len(named) < 2:
        return _over_years(read, rows)
    twins = [r.label for n in named for r in rows if r is not n and r.span == n.span and n.score - r.score < MARGIN]
    return Unread(f"several rows {twins[0]!r} match") if twins else _over_two_rows(read, named)


def _cut(tables: Sequence[WholeTable]) -> str:
    """Name the tables that were read in part."""
    parts = [
        f"{len(t.values)} of {t.table_schema.row_count} rows of {t.table_schema.title or t.table_schema.name}"
        for t in tables
        if t.cut
    ]
    return f" (only the first {', the first '.join(parts)} were read)" if parts else ""


def _named_apart(rows: Iterable[NamedRow]) -> list[NamedRow]:
    """Return the rows whose labels the question contains literally, without overlaps, in the question's order.

    Of rows with the same words, keep the best; of words within other words, the longer ones.
    """
    named = [(r.span, r) for r in rows if r.span]
    whole = [span for span, r in named if r.whole]
    # "Total Europe sales": words next to a complete label do not name another row.
    apart = [(span, r) for span, r in named if r.whole or not any(_adjoin(span, w) for w in whole)]
    outer = {span: r for span, r in reversed(apart) if not any(_within(span, other) for other, _ in apart)}
    return [outer[span] for span in sorted(outer)]


def _adjoin(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] == other[1] or one[1] == other[0]


def _within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


def _unheld(question: ArithmeticQuestion, rows: Sequence[NamedRow]) -> Unread | None:
    """Return why rows do not cover a question's words; None if they do."""
    if held_by(question, rows) < EXPLAINED:
        return Unread("too many words of the question are in no row or header")
    qualified = question.qualified.difference(*(r.around for r in rows))
    listed = ", ".join(sorted(map(repr, qualified)))
    return Unread(f"no row or header in the question contains {listed}") if qualified else None


def _over_years(question: ArithmeticQuestion, rows: Sequence[NamedRow]) -> Formula | Unread:
    """Read an operation on one row over several periods."""
    best = rows[0]
    if question.operation == "share":
        return Unread("it is unclear of what the share is")
    if len(rows) > 1 and best.score - rows[1].score < MARGIN:
        return Unread(f"rows {best.label!r} and {rows[1].label!r} both match")
    unheld = _unheld(question, [best])
    if unheld:
        return unheld
    terms = _over_moments(question, best)
    if isinstance(terms, Unread):
        return terms
    if len(terms) < 2:
        return Unread("the question does not name two years to compare")
    if question.in_turn and "total" in tokens(best.label):
        return Unread("it is unclear whether two figures or their sum is meant")
    if question.operation in ("sum", "average"):
        joined = " + ".join(f"{{{i}}}" for i in range(len(terms)))
        pattern = f"({joined}) / {len(terms)}" if question.operation == "average" else joined
        return _formula(question, pattern, terms)
    if len(terms) != 2:
        return Unread("the question names more than two years")
    if question.operation == "ratio":
        return _formula(question, "{0} / {1}", terms)
    earlier, later = sorted((0, 1), key=lambda i: _order(terms[i].name))
    change = change_of(question, terms[earlier].number, terms[later].number, (earlier, later))
    return change if isinstance(change, Unread) else _formula(question, change.pattern, terms, change.note)


def _formula(question: ArithmeticQuestion, pattern: str, terms: tuple[Term, ...], note: str = "") -> Formula:
    return Formula(question.operation, pattern, terms, held_by(question, [t.row for t in terms]), note)


def _order(moment: str) -> tuple[str, ...]:
    return tuple(reversed(moment.split()))


def _over_moments(question: ArithmeticQuestion, row: NamedRow) -> tuple[Term, ...] | Unread:
    """Return a row's numbers in the periods asked for, or of all years if none is named."""
    wanted = question.moments or (years_in(row.table) if question.all_years else ())
    columns = {m: column_of(m, question, row.table, row.row) for m in wanted}
    missing = [m for m, c in columns.items() if c is None]
    if missing:
        return Unread(f"no single column matches {', '.join(missing)}")
    return _terms([(m, row, c) for m, c in columns.items() if c is not None])


def _terms(cells: Sequence[tuple[str, NamedRow, int]]) -> tuple[Term, ...] | Unread:
    """Return the numbers of cells, each given by its name, row and column."""
    numbers = [number_at(row.table, row.row, column) for _, row, column in cells]
    empty = [f"{row.label!r} ({name})" for (name, row, _), n in zip(cells, numbers, strict=True) if n is None]
    if empty:
        return Unread(f"there is no number for {', '.join(empty)}")
    return tuple(
        Term(name, n, row, column) for (name, row, column), n in zip(cells, numbers, strict=True) if n is not None
    )


def _over_two_rows(question: ArithmeticQuestion, rows: Sequence[NamedRow]) -> Formula | Unread:
    """Read an operation on two rows of one table in one period, in the order of the question."""
    labels = " and ".join(repr(r.label) for r in rows)
    if len(rows) > 2 or rows[0].table is not rows[1].table:
        return Unread(f"the question names {labels}")
    if len(question.moments) != 1 or question.operation in ("percent_change", "average"):
        return Unread(f"it is unclear whether to compare {labels}, or each over time")
    unheld = _unheld(question, rows)
    if unheld:
        return unheld
    columns = [(r, column_of(question.moments[0], question, r.table, r.row)) for r in rows]
    cells = [(r.label, r, column) for r, column in columns if column is not None]
    if len(cells) < len(rows):
        return Unread(f"no single column matches {question.moments[0]}")
    terms = _terms(cells)
    if isinstance(terms, Unread):
        return terms
    if terms[0].percent != terms[1].percent:
        return Unread(f"one of {labels} is a percentage, the other is not")
    if question.operation in ("difference", "sum") and (terms[0].number < 0) != (terms[1].number < 0):
        return Unread(f"it is unclear whether the negative one of {labels} keeps its sign")
    return _formula(question, _of_two(question), terms, compared(question, terms[0].number, terms[1].number))


def _of_two(question: ArithmeticQuestion) -> str:
    """Write the operation on two numbers in the order of the question."""
    if question.operation == "share":
        # "What percentage of the total is the part?" names the whole first.
        return "{1} / {0} * 100" if WHOLE_FIRST.search(question.text) else "{0} / {1} * 100"
    if question.compared == "down":
        return "{1} - {0}"
    return {"difference": "{0} - {1}", "sum": "{0} + {1}", "ratio": "{0} / {1}"}[question.operation]
