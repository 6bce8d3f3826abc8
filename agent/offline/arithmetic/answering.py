"""Questions for arithmetic in TableRAG's graph: the statement that computes it, and what is said of its result."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from agent.offline.arithmetic.formula import Formula, read_formula
from agent.offline.arithmetic.question import read_arithmetic, years_of
from agent.offline.arithmetic.scale import scale_of
from agent.offline.arithmetic.statement import statement_of
from agent.offline.arithmetic.tables import tables_by_document
from agent.offline.reading import ReadRows
from agent.reasoning import ValidateTask
from tools.calculator import calculate, plain_text
from tools.errors import FormulaRefused
from tools.records import TableSchema, ValueHint

__all__ = ["Computation", "Computed", "computation_of", "computed_by", "is_unread"]

PLACES = 4
CLOSE = Decimal("1e-6")
LEAST_YEARS = 2
NAMES = {
    "percent_change": "change in percent", "difference": "difference", "average": "average", "sum": "sum",
    "share": "share in percent", "ratio": "ratio",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Computation:
    """A formula over stored cells, and the SELECT that computes it."""

    formula: Formula
    sql: str


@dataclass(frozen=True, slots=True)
class Computed:
    """A result with its scale, in words, and the formula with its numbers."""

    answer: str
    said: str
    formula: str


def computation_of(
    question: str, schemas: Sequence[TableSchema], read_rows: ReadRows, hints: Sequence[ValueHint] = ()
) -> Computation | None:
    """Read an arithmetic question over the tables of the best document that it can be read over; None when in doubt."""
    if read_arithmetic(question) is None:
        return None
    for tables in tables_by_document(schemas, read_rows, hints):
        formula = read_formula(question, tables)
        sql = statement_of(formula) if formula else None
        if formula and sql:
            return Computation(formula, sql)
    return None


def is_unread(question: str, schemas: Sequence[TableSchema]) -> bool:
    """Tell whether arithmetic over years is asked of a table whose columns are years.

    Where no formula could be read for it, other readings of it are mostly wrong.
    """
    if read_arithmetic(question) is None:
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
    return f"It is the {NAMES[formula.operation]}{of} ({cells})."
