"""Arithmetic questions in TableRAG's graph: the statement, and the answer with its explanation."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tablerag.agent.offline.arithmetic.formula import Formula, read_formula
from tablerag.agent.offline.arithmetic.moments import years_of
from tablerag.agent.offline.arithmetic.question import Unread, read_arithmetic
from tablerag.agent.offline.arithmetic.scale import scale_of
from tablerag.agent.offline.arithmetic.statement import statement_of
from tablerag.agent.offline.arithmetic.tables import tables_by_document
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
    """Why another document may be meant, as a sentence; "" if none may."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A result with its scale, its explanation, and the formula with its numbers."""

    answer: str
    explanation: str
    formula: str


def computation_of(
    question: str, schemas: Sequence[TableSchema], read_rows: ReadRows, hints: Sequence[ValueHint] = ()
) -> Computation | None:
    """Read an arithmetic question over the tables of each document; None if no document answers it.

    Take the document whose rows and headers contain most of the question's words, of equals the first retrieved; if
    an equal one gives another answer, the computation is in doubt.
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
    doubt = f"{_source(best)} and {_source(other)} give different answers; name the document." if other else ""
    return Computation(best, sql, doubt)


def _source(formula: Formula) -> str:
    return formula.row.table.table_schema.source


def is_unread(question: str, schemas: Sequence[TableSchema]) -> bool:
    """Tell whether a question asks for arithmetic, and some table's columns are years.

    If no formula can be read for such a question, other interpretations are mostly wrong.
    """
    if isinstance(read_arithmetic(question), Unread):
        return False
    headers = [[years_of(" ".join(c.path or (c.header,))) for c in s.columns] for s in schemas]
    return any(sum(len(years) == 1 for years in of_table) >= LEAST_YEARS for of_table in headers)


def computed_by(task: ValidateTask, read_rows: ReadRows) -> Computed | None:
    """Return the answer of an arithmetic statement; None if its result is not that of the formula."""
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
    unit = "%" if scale == "percent" else f" {scale}" if scale else ""
    return Computed(plain_text(round(by_calculator, PLACES)) + unit, _explanation(formula), formula.text)


def _explanation(formula: Formula) -> str:
    """Describe the operation and its cells."""
    cells = ", ".join(f"{t.name}: {plain_text(t.number)}" for t in formula.terms)
    labels = list(dict.fromkeys(t.row.label for t in formula.terms))
    of = f' of "{labels[0]}"' if len(labels) == 1 else ""
    return f"{formula.description.capitalize()}{of} ({cells}). Computed by SQL. {formula.note}".strip()
