"""Questions for arithmetic in TableRAG's graph: the statement that computes it, and what is said of its result."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tablerag.agent.offline.arithmetic.formula import Formula, read_formula
from tablerag.agent.offline.arithmetic.moments import years_of
from tablerag.agent.offline.arithmetic.question import read_arithmetic
from tablerag.agent.offline.arithmetic.scale import scale_of
from tablerag.agent.offline.arithmetic.statement import statement_of
from tablerag.agent.offline.arithmetic.tables import tables_by_document
from tablerag.agent.offline.arithmetic.unread import Unread
from tablerag.agent.offline.arithmetic.wording import in_words
from tablerag.agent.offline.interpretation import ReadRows
from tablerag.agent.reasoning import ValidateTask
from tablerag.tools.calculator import calculate, plain_text
from tablerag.tools.errors import FormulaRefused
from tablerag.tools.records import TableSchema, ValueHint

__all__ = ["Computation", "Computed", "computation_of", "computed_by", "is_unread"]

PLACES = 4
CLOSE = Decimal("1e-6")
LEAST_YEARS = 2


@dataclass(frozen=True, slots=True)
class Computation:
    """A formula over stored cells, and the SELECT that computes it."""

    formula: Formula
    sql: str
    doubt: str = ""
    """Why it is not clear that this document is meant; "" where it is."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A result with its scale, in words, and the formula with its numbers."""

    answer: str
    said: str
    formula: str


def computation_of(
    question: str, schemas: Sequence[TableSchema], read_rows: ReadRows, hints: Sequence[ValueHint] = ()
) -> Computation | None:
    """Read an arithmetic question over the tables of each document; None where none is read.

    The document whose rows and headers hold most of the question's words counts, of equals the better found one;
    where an equal one answers otherwise, the computation says so.
    """
    if isinstance(read_arithmetic(question), Unread):
        return None
    read = [read_formula(question, tables) for tables in tables_by_document(schemas, read_rows, hints)]
    formulas = sorted((f for f in read if isinstance(f, Formula)), key=lambda f: -f.held)
    found = [(f, sql) for f in formulas if (sql := statement_of(f))]
    if not found:
        return None
    best, sql = found[0]
    other = next((f for f, _ in found if f.held == best.held and f.text != best.text), None)
    doubt = f"{_source(best)} and {_source(other)} answer it otherwise: say which one is meant" if other else ""
    return Computation(best, sql, doubt)


def _source(formula: Formula) -> str:
    return formula.row.table.table_schema.source


def is_unread(question: str, schemas: Sequence[TableSchema]) -> bool:
    """Tell whether arithmetic over years is asked of a table whose columns are years.

    Where no formula could be read for it, other readings of it are mostly wrong.
    """
    if isinstance(read_arithmetic(question), Unread):
        return False
    headers = [[years_of(" ".join(c.path or (c.header,))) for c in s.columns] for s in schemas]
    return any(sum(len(years) == 1 for years in of_table) >= LEAST_YEARS for of_table in headers)


def computed_by(task: ValidateTask, read_rows: ReadRows) -> Computed | None:
    """Return what an arithmetic statement's result says; None where the result is not that of the formula read."""
    if task.result is None or len(task.result.rows) != 1 or len(task.result.columns) != 1:
        return None
    computation = computation_of(task.subquery, task.schemas, read_rows)
    value = task.result.rows[0][0]
    if computation is None or isinstance(value, str | bool | None):
        return None
    formula = computation.formula
    try:
        by_calculator = calculate(formula.text).value
    except FormulaRefused:
        return None
    if abs(by_calculator - Decimal(str(value))) > CLOSE * max(abs(by_calculator), Decimal(1)):
        return None
    scale = scale_of(formula, (c.text for c in task.chunks if c.kind == "text"))
    number = plain_text(round(by_calculator, PLACES))
    return Computed(number + (_unit(scale)), _said(formula), formula.text)


def _unit(scale: str) -> str:
    return "%" if scale == "percent" else f" {scale}" if scale else ""


def _said(formula: Formula) -> str:
    """Say which operation on which cells it is."""
    cells = ", ".join(f"{t.name}: {plain_text(t.number)}" for t in formula.terms)
    labels = list(dict.fromkeys(t.row.label for t in formula.terms))
    of = f" of {labels[0]!r}" if len(labels) == 1 else ""
    return f"It is the {in_words(formula)}{of} ({cells}). {formula.note}".strip()
