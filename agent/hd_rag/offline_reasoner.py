"""HD-RAG's embedded reasoner: arithmetic over named rows and years, by rules; it abstains from other questions.

Like a model, it writes the formula and leaves the number to the calculator.
"""

from tablerag.agent.hd_rag.offline_selection import BEST, selected
from tablerag.agent.hd_rag.reasoning import Recap, RecapTask, Selection, SelectTask
from tablerag.agent.offline.arithmetic.citations import cited_by
from tablerag.agent.offline.arithmetic.formula import Formula, read_formula
from tablerag.agent.offline.arithmetic.question import Unread
from tablerag.agent.offline.arithmetic.scale import scale_of
from tablerag.agent.reasoning import Thought
from tablerag.tools.calculator import calculate, plain_text
from tablerag.tools.errors import FormulaRefused

__all__ = ["HdRagOffline"]


class HdRagOffline:
    """Answers arithmetic questions that its rules can read. Uses no model and keeps no state."""

    name = "offline"

    def select(self, task: SelectTask) -> Thought[Selection]:
        """Select the document that answers, if that is unambiguous."""
        read = task.read
        if read is None:
            return Thought(Selection(0, BEST))

        def formula_of(place: int) -> Formula | None:
            formula = _read(read(place))
            return formula if isinstance(formula, Formula) else None

        return Thought(selected(task, formula_of))

    def recap(self, task: RecapTask) -> Thought[Recap]:
        """Answer a difference, percentage change, average, sum, share or ratio over named rows and years."""
        formula = _read(task)
        if isinstance(formula, Unread):
            return Thought(_unread(formula.why))
        try:
            value = calculate(formula.text)
        except FormulaRefused as refused:
            return Thought(_unread(f"the formula is invalid: {refused}"))
        operation = formula.description
        return Thought(
            Recap(
                restated=f"{operation} of {formula.row.label}",
                question_type="arithmetic",
                extracted=tuple(f"{t.name}: {plain_text(t.number)}" for t in formula.terms),
                computation=f"{operation.capitalize()}. {formula.note}".strip(),
                answer=(plain_text(round(value.value, 4)),),
                scale=scale_of(formula, _texts(task)),
                formula=formula.text,
                citations=cited_by(formula),
            )
        )


def _read(task: RecapTask) -> Formula | Unread:
    titles = [p.title for p in task.passages]
    return read_formula(task.question, task.tables, [*_texts(task), *titles])


def _texts(task: RecapTask) -> list[str]:
    return [p.text for p in task.passages if p.kind == "text"]


def _unread(why: str) -> Recap:
    return Recap("", "arithmetic", (), "", (), unread=why)
