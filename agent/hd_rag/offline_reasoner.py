"""HD-RAG's embedded reasoner: the arithmetic that rules can read, over named rows and years; else it abstains.

It writes the formula and leaves the number to the calculator, like a model.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from agent.hd_rag.offline_cells import NamedRow, named_rows, number_at, year_columns
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
TWO_ROWS = 0.25
"""By how much the second of two rows may be worse than the first."""
STATED_SCALE = re.compile(r"\bin (?:[a-z$€£]+ ){0,3}?(thousands|millions|billions)\b|[$€£'’](000|m)\b", re.IGNORECASE)
SCALES: dict[str, Scale] = {
    "thousands": "thousand", "000": "thousand", "millions": "million", "m": "million", "billions": "billion",
}  # fmt: skip
WHOLE_FIRST = re.compile(r"what (?:percentage|percent|proportion) of\b.*\b(?:is|was|were|are|does|do)\b", re.IGNORECASE)
Term = tuple[str, Decimal]


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
        formula, terms, row = read
        try:
            value = calculate(formula)
        except FormulaRefused:
            return Thought(ABSTAINED)
        return Thought(
            Recap(
                restated=f"{question.operation.replace('_', ' ')} of {row.label}",
                question_type="arithmetic",
                extracted=tuple(f"{name}: {plain_text(number)}" for name, number in terms),
                computation=question.operation.replace("_", " "),
                answer=(plain_text(round(value.value, 4)),),
                scale=_scale(question, row, task),
                formula=formula,
                citations=(_cite(row),),
            )
        )


def _over_years(question: ArithmeticQuestion, rows: Sequence[NamedRow]) -> tuple[str, list[Term], NamedRow] | None:
    """Read an operation on one row over years."""
    best = rows[0]
    if len(rows) > 1 and best.score - rows[1].score < MARGIN:
        return None
    terms = _terms(question, best)
    if terms is None or question.operation in ("share", "ratio"):
        return None
    numbers = [_written(n) for _, n in terms]
    if question.operation in ("sum", "average"):
        joined = " + ".join(numbers)
        formula = f"({joined}) / {len(numbers)}" if question.operation == "average" else joined
        return (formula, terms, best) if len(terms) > 1 else None
    if len(terms) != 2:
        return None
    (_, _), (_, _) = terms
    earlier, later = (_written(n) for _, n in sorted(terms, key=lambda t: t[0]))
    if question.operation == "difference":
        return f"{later} - {earlier}", terms, best
    return f"({later} - {earlier}) / {earlier} * 100", terms, best


def _terms(question: ArithmeticQuestion, row: NamedRow) -> list[Term] | None:
    """Return the row's number of each year asked for, or of all years where none is named."""
    years = year_columns(question, row.table)
    if years is None or len(years.columns) < 2:
        return None
    wanted = question.years or (tuple(years.columns) if question.operation in ("sum", "average") else ())
    if len(wanted) == 1 and question.operation in ("difference", "percent_change"):
        before = str(int(wanted[0]) - 1)
        wanted = (before, *wanted) if before in years.columns and "from" in question.text.lower() else wanted
    if not wanted or any(y not in years.columns for y in wanted):
        return None
    numbers = [(y, number_at(row.table, row.row, years.columns[y])) for y in wanted]
    return [(y, n) for y, n in numbers if n is not None] if all(n is not None for _, n in numbers) else None


def _over_two_rows(question: ArithmeticQuestion, rows: Sequence[NamedRow]) -> tuple[str, list[Term], NamedRow] | None:
    """Read an operation on two rows of one table in one year."""
    if len(question.years) > 1 or question.operation in ("percent_change", "average") or len(rows) < 2:
        return None
    first, second = rows[0], rows[1]
    if first.table is not second.table or first.score - second.score > TWO_ROWS or first.first == second.first:
        return None
    if len(rows) > 2 and second.score - rows[2].score < MARGIN:
        return None
    years = year_columns(question, first.table)
    year = question.years[0] if question.years else ""
    if years is None or year not in years.columns:
        return None
    pair = sorted((first, second), key=lambda r: r.first)
    numbers = [number_at(r.table, r.row, years.columns[year]) for r in pair]
    if any(n is None for n in numbers):
        return None
    terms = [(r.label, n) for r, n in zip(pair, numbers, strict=True) if n is not None]
    a, b = (_written(n) for _, n in terms)
    return _of_two(question, a, b), terms, pair[0]


def _of_two(question: ArithmeticQuestion, a: str, b: str) -> str:
    """Write the operation on two numbers in the order in which the question names them."""
    if question.operation == "share":
        # "What percentage of the total is the part?" names the whole first.
        whole_first = re.search(
            r"what (?:percentage|percent|proportion) of\b.*\b(?:is|was|were|are|does|do)\b", question.text, re.I
        )
        return f"{b} / {a} * 100" if whole_first else f"{a} / {b} * 100"
    sign = {"difference": "-", "sum": "+", "ratio": "/"}[question.operation]
    return f"{a} {sign} {b}"


def _written(number: Decimal) -> str:
    return f"({plain_text(number)})" if number < 0 else plain_text(number)


def _scale(question: ArithmeticQuestion, row: NamedRow, task: RecapTask) -> Scale:
    """Return what the answer is counted in, by the operation, the cells, the headers, else the text."""
    if question.operation in ("percent_change", "share"):
        return "percent"
    if question.operation == "ratio":
        return ""
    schema = row.table.table_schema
    numeric = [i for i, c in enumerate(schema.columns) if c.type in ("integer", "decimal")]
    if any("%" in row.table.printed[row.row][i] for i in range(len(schema.columns))) or "%" in row.label:
        return "percent"
    if re.search(r"\bper (?:\w+ )?(?:share|unit)\b|\brate\b|\bratio\b", row.label, re.I):
        return ""
    stated = {SCALES.get(schema.columns[i].scale, "") for i in numeric} - {""}
    if len(stated) == 1:
        return stated.pop()
    return _stated(row.table, task)


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
