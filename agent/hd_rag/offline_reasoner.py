"""HD-RAG's embedded reasoner: the arithmetic that rules can read, over named rows and years; else it abstains.

It writes the formula and leaves the number to the calculator, like a model.
"""

from agent.hd_rag.reasoning import Recap, RecapTask, Selection, SelectTask
from agent.offline.arithmetic.cells import NamedRow
from agent.offline.arithmetic.formula import read_formula
from agent.offline.arithmetic.scale import scale_of
from agent.reasoning import Thought
from tools.calculator import calculate, plain_text
from tools.errors import FormulaRefused
from tools.records import Citation

__all__ = ["HdRagOffline"]

ABSTAINED = Recap("", "arithmetic", (), "the offline reasoner is not sure how to read the question", ())


class HdRagOffline:
    """Answers arithmetic that its rules read with confidence. No model, no state."""

    name = "offline"

    def select(self, task: SelectTask) -> Thought[Selection]:
        """Take the document with the best fused evidence."""
        return Thought(Selection(0, "It has the best evidence of both searches."))

    def recap(self, task: RecapTask) -> Thought[Recap]:
        """Answer a difference, change in percent, average, sum, share or ratio over named rows and years."""
        formula = read_formula(task.question, task.tables)
        if formula is None:
            return Thought(ABSTAINED)
        try:
            value = calculate(formula.text)
        except FormulaRefused:
            return Thought(ABSTAINED)
        operation = formula.operation.replace("_", " ")
        return Thought(
            Recap(
                restated=f"{operation} of {formula.row.label}",
                question_type="arithmetic",
                extracted=tuple(f"{t.name}: {plain_text(t.number)}" for t in formula.terms),
                computation=operation,
                answer=(plain_text(round(value.value, 4)),),
                scale=scale_of(formula, (p.text for p in task.passages if p.kind == "text")),
                formula=formula.text,
                citations=(_cite(formula.row),),
            )
        )


def _cite(row: NamedRow) -> Citation:
    schema = row.table.table_schema
    quote = " | ".join(c for c in row.table.printed[row.row] if c)
    return Citation(source=schema.source, locator=schema.locator, quote=quote[:240])
