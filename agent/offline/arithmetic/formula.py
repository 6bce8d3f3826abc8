"""A question read as a formula over cells of a table: of one row over years, or of two rows in one year."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from agent.offline.arithmetic.cells import NamedRow, explain, named_rows, number_at, year_columns
from agent.offline.arithmetic.question import ArithmeticQuestion, Operation, read_arithmetic
from tools.calculator import plain_text
from tools.whole_documents import WholeTable

__all__ = ["Formula", "Term", "read_formula"]

MARGIN = 0.05
"""By how much the best row must be better than the next one."""
TWO_ROWS = 0.45
"""By how much the second of two rows may be worse than the first."""
WHOLE_FIRST = re.compile(r"what (?:percentage|percent|proportion) of\b.*\b(?:is|was|were|are|does|do)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Term:
    """A cell's number, and what it is called: its year, or its row's label."""

    name: str
    number: Decimal
    row: NamedRow
    column: int
    """Place among the columns of the table's schema, from 0."""

    @property
    def percent(self) -> bool:
        """Whether it is printed as a percentage, or its column counts in them."""
        table = self.row.table
        return table.table_schema.columns[self.column].unit == "%" or "%" in table.printed[self.row.row][self.column]

    @property
    def written(self) -> str:
        """The number as a formula has it."""
        return f"({plain_text(self.number)})" if self.number < 0 else plain_text(self.number)


@dataclass(frozen=True, slots=True)
class Formula:
    """An operation on the numbers of one or two rows of one table."""

    operation: Operation
    pattern: str
    """The formula with {0}, {1} ... for the terms."""
    terms: tuple[Term, ...]

    @property
    def row(self) -> NamedRow:
        """The row that the first number is from."""
        return self.terms[0].row

    @property
    def text(self) -> str:
        """The formula with its numbers, as the calculator reads it."""
        return self.pattern.format(*(t.written for t in self.terms))


def read_formula(question: str, tables: Sequence[WholeTable]) -> Formula | None:
    """Read a difference, change in percent, average, sum, share or ratio; None when in doubt."""
    read = read_arithmetic(question)
    rows = named_rows(read, tables) if read else []
    if read is None or not rows:
        return None
    return _over_two_rows(read, rows) or _over_years(read, rows)


def _over_years(question: ArithmeticQuestion, rows: Sequence[NamedRow]) -> Formula | None:
    """Read an operation on one row over years."""
    best = rows[0]
    if question.operation in ("share", "ratio") or (len(rows) > 1 and best.score - rows[1].score < MARGIN):
        return None
    if not explain(question, [best]):
        return None
    terms = _terms([(year, best, column) for year, column in _columns(question, best).items()])
    if len(terms) < 2:
        return None
    if question.operation in ("sum", "average"):
        joined = " + ".join(f"{{{i}}}" for i in range(len(terms)))
        pattern = f"({joined}) / {len(terms)}" if question.operation == "average" else joined
    elif len(terms) == 2:
        pattern = _change(question, terms)
    else:
        return None
    return Formula(question.operation, pattern, terms)


def _change(question: ArithmeticQuestion, terms: Sequence[Term]) -> str:
    """Write the change from the earlier of two years to the later, or its size."""
    earlier, later = sorted((0, 1), key=lambda i: terms[i].name)
    if question.operation == "percent_change":
        return f"({{{later}}} - {{{earlier}}}) / {{{earlier}}} * 100"
    if question.absolute:
        earlier, later = sorted((0, 1), key=lambda i: terms[i].number)
    return f"{{{later}}} - {{{earlier}}}"


def _columns(question: ArithmeticQuestion, row: NamedRow) -> dict[str, int]:
    """Return the column of each year asked for, or of all years where none is named; {} when one is missing."""
    years = year_columns(question, row.table)
    if years is None or len(years.columns) < 2:
        return {}
    wanted = question.years or (tuple(years.columns) if question.operation in ("sum", "average") else ())
    found = {y: years.columns[y] for y in wanted if y in years.columns}
    return found if len(found) == len(wanted) else {}


def _terms(cells: Sequence[tuple[str, NamedRow, int]]) -> tuple[Term, ...]:
    """Return the numbers of cells, each given by its name, row and column; () when one holds none."""
    numbers = [number_at(row.table, row.row, column) for _, row, column in cells]
    if any(n is None for n in numbers):
        return ()
    return tuple(
        Term(name, n, row, column) for (name, row, column), n in zip(cells, numbers, strict=True) if n is not None
    )


def _over_two_rows(question: ArithmeticQuestion, rows: Sequence[NamedRow]) -> Formula | None:
    """Read an operation on two rows of one table in one year."""
    if len(question.years) != 1 or question.operation in ("percent_change", "average") or len(rows) < 2:
        return None
    first, second = rows[0], rows[1]
    if first.table is not second.table or first.score - second.score > TWO_ROWS or first.first == second.first:
        return None
    if not explain(question, [first, second]) or (len(rows) > 2 and second.score - rows[2].score < MARGIN):
        return None
    years = year_columns(question, first.table)
    column = years.columns.get(question.years[0]) if years else None
    if column is None:
        return None
    terms = _terms([(r.label, r, column) for r in sorted((first, second), key=lambda r: r.first)])
    return Formula(question.operation, _of_two(question), terms) if terms else None


def _of_two(question: ArithmeticQuestion) -> str:
    """Write the operation on two numbers in the order in which the question names them."""
    if question.operation == "share":
        # "What percentage of the total is the part?" names the whole first.
        return "{1} / {0} * 100" if WHOLE_FIRST.search(question.text) else "{0} / {1} * 100"
    return {"difference": "{0} - {1}", "sum": "{0} + {1}", "ratio": "{0} / {1}"}[question.operation]
