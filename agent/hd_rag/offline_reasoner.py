"""HD-RAG's embedded reasoner: the arithmetic that rules can read, over named rows and years; else it abstains.

It writes the formula and leaves the number to the calculator, like a model.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from agent.hd_rag.offline_cells import NamedRow, explain, named_rows, number_at, year_columns
from agent.hd_rag.offline_question import ArithmeticQuestion, read_arithmetic
from agent.hd_rag.reasoning import Recap, RecapTask, Scale, Selection, SelectTask
from agent.reasoning import Thought
from tools.calculator import calculate, plain_text
from tools.errors import FormulaRefused
from tools.records import Citation
from tools.whole_documents import WholeTable

__all__ = ["HdRagOffline"]

ABSTAINED = Recap("", "arithmetic", (), "the offline reasoner is not sure how to read the question", ())
MARGIN = 0.05
"""By how much the best row must be better than the next one."""
TWO_ROWS = 0.45
"""By how much the second of two rows may be worse than the first."""
STATED_SCALE = re.compile(
    r"\bin (?:[a-z$€£]+ ){0,3}?(thousands|millions|billions)\b|[$€£'’‘](000|million|m)\b", re.IGNORECASE
)
SCALES: dict[str, Scale] = {
    "thousands": "thousand", "000": "thousand", "millions": "million", "million": "million", "m": "million",
    "billions": "billion",
}  # fmt: skip
PER_ONE = re.compile(r"\bper (?:\w+ )?(?:share|unit)\b|\brates?\b|\bratio\b", re.IGNORECASE)
WHOLE_FIRST = re.compile(r"what (?:percentage|percent|proportion) of\b.*\b(?:is|was|were|are|does|do)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Term:
    """A number with what it is, and whether it is printed as a percentage."""

    name: str
    number: Decimal
    percent: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as a formula over cells of a row."""

    formula: str
    terms: list[Term]
    row: NamedRow


class HdRagOffline:
    """Answers arithmetic that its rules read with confidence. No model, no state."""

    name = "offline"

    def select(self, task: SelectTask) -> Thought[Selection]:
        """Take the document with the best fused evidence."""
        return Thought(Selection(0, "It has the best evidence of both searches."))

    def recap(self, task: RecapTask) -> Thought[Recap]:
        """Answer a difference, change in percent, average, sum, share or ratio over named rows and years."""
        question = read_arithmetic(task.question)
        rows = named_rows(question, task.tables) if question else []
        if question is None or not rows:
            return Thought(ABSTAINED)
        read = _over_two_rows(question, rows) or _over_years(question, rows)
        if read is None:
            return Thought(ABSTAINED)
        try:
            value = calculate(read.formula)
        except FormulaRefused:
            return Thought(ABSTAINED)
        return Thought(
            Recap(
                restated=f"{question.operation.replace('_', ' ')} of {read.row.label}",
                question_type="arithmetic",
                extracted=tuple(f"{t.name}: {plain_text(t.number)}" for t in read.terms),
                computation=question.operation.replace("_", " "),
                answer=(plain_text(round(value.value, 4)),),
                scale=_scale(question, read, task),
                formula=read.formula,
                citations=(_cite(read.row),),
            )
        )


def _over_years(question: ArithmeticQuestion, rows: Sequence[NamedRow]) -> Reading | None:
    """Read an operation on one row over years."""
    best = rows[0]
    if question.operation in ("share", "ratio") or (len(rows) > 1 and best.score - rows[1].score < MARGIN):
        return None
    if not explain(question, [best]):
        return None
    columns = _columns(question, best)
    terms = _terms([best] * len(columns), list(columns.values()), list(columns))
    if len(terms) < 2:
        return None
    numbers = [_written(t.number) for t in terms]
    if question.operation in ("sum", "average"):
        joined = " + ".join(numbers)
        formula = f"({joined}) / {len(numbers)}" if question.operation == "average" else joined
    elif len(terms) != 2:
        return None
    else:
        earlier, later = (_written(t.number) for t in sorted(terms, key=lambda t: t.name))
        difference = f"{later} - {earlier}"
        if question.absolute:
            low, high = sorted(terms, key=lambda t: t.number)
            difference = f"{_written(high.number)} - {_written(low.number)}"
        formula = difference if question.operation == "difference" else f"({later} - {earlier}) / {earlier} * 100"
    return Reading(formula, terms, best)


def _columns(question: ArithmeticQuestion, row: NamedRow) -> dict[str, int]:
    """Return the column of each year asked for, or of all years where none is named; {} when one is missing."""
    years = year_columns(question, row.table)
    if years is None or len(years.columns) < 2:
        return {}
    wanted = question.years or (tuple(years.columns) if question.operation in ("sum", "average") else ())
    found = {y: years.columns[y] for y in wanted if y in years.columns}
    return found if len(found) == len(wanted) else {}


def _terms(rows: Sequence[NamedRow], columns: Sequence[int], names: Sequence[str]) -> list[Term]:
    """Return the numbers of cells; [] when one holds none."""
    found = []
    for row, column, name in zip(rows, columns, names, strict=True):
        number = number_at(row.table, row.row, column)
        if number is None:
            return []
        unit = row.table.table_schema.columns[column].unit
        found.append(Term(name, number, unit == "%" or "%" in row.table.printed[row.row][column]))
    return found


def _over_two_rows(question: ArithmeticQuestion, rows: Sequence[NamedRow]) -> Reading | None:
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
    pair = sorted((first, second), key=lambda r: r.first)
    terms = _terms(pair, [column] * 2, [r.label for r in pair])
    return Reading(_of_two(question, *(_written(t.number) for t in terms)), terms, pair[0]) if terms else None


def _of_two(question: ArithmeticQuestion, a: str, b: str) -> str:
    """Write the operation on two numbers in the order in which the question names them."""
    if question.operation == "share":
        # "What percentage of the total is the part?" names the whole first.
        return f"{b} / {a} * 100" if WHOLE_FIRST.search(question.text) else f"{a} / {b} * 100"
    sign = {"difference": "-", "sum": "+", "ratio": "/"}[question.operation]
    return f"{a} {sign} {b}"


def _written(number: Decimal) -> str:
    return f"({plain_text(number)})" if number < 0 else plain_text(number)


def _scale(question: ArithmeticQuestion, read: Reading, task: RecapTask) -> Scale:
    """Return what the answer is counted in, by the operation, the cells, the headers, else the text."""
    if question.operation == "ratio":
        return ""
    if question.operation in ("percent_change", "share") or any(t.percent for t in read.terms) or "%" in read.row.label:
        return "percent"
    if PER_ONE.search(read.row.label):
        return ""
    stated = {SCALES.get(c.scale, "") for c in read.row.table.table_schema.columns if c.type in ("integer", "decimal")}
    scales = stated - {""}
    return scales.pop() if len(scales) == 1 else _stated(read.row.table, task)


def _stated(table: WholeTable, task: RecapTask) -> Scale:
    """Return the one scale that the table or the document's text states."""
    headers = " ".join(" ".join(c.path or (c.header,)) for c in table.table_schema.columns)
    for text in (headers, " ".join(p.text for p in task.passages if p.kind == "text")):
        found = {SCALES[(m[1] or m[2]).lower()] for m in STATED_SCALE.finditer(text)}
        if found:
            return found.pop() if len(found) == 1 else ""
    return ""


def _cite(row: NamedRow) -> Citation:
    schema = row.table.table_schema
    quote = " | ".join(c for c in row.table.printed[row.row] if c)
    return Citation(source=schema.source, locator=schema.locator, quote=quote[:240])
