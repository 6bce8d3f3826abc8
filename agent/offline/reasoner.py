"""OfflineReasoner: the Reasoner protocol by rules."""

from collections.abc import Sequence

from agent.disagreement import number_of, rounds_to
from agent.offline import lexicon
from agent.offline.bridge import first_hop, second_hop
from agent.offline.follow_up import spelled_out
from agent.offline.intent import Reading, read_intent
from agent.offline.question import Question, read_question
from agent.offline.text_answer import FoundSentence, best_sentence, mentions_value, other_figure
from agent.reasoning import (
    CannotAnswer,
    ConcludeTask,
    Conclusion,
    DecomposeTask,
    Enough,
    NoQuestion,
    ResolveTask,
    SqlQuery,
    SqlTask,
    Standalone,
    Step,
    Subquery,
    Thought,
    ValidateTask,
    Validation,
)
from agent.stated_numbers import years_in
from tools.records import TOTAL, Cell, Citation, SqlResult

__all__ = ["OfflineReasoner"]

SURE = 0.7
"""Share of the question's words that a statement must explain."""
SURE_COUNT = 0.99
"""The same for counts: a word left over is most often a condition left out."""
MOST_ROWS = 20


class OfflineReasoner:
    """Answers what its rules read with confidence; abstains from the rest. No model, no state."""

    name = "offline"

    def resolve(self, task: ResolveTask) -> Thought[Standalone | NoQuestion]:
        """Spell out what rules can: a period, value, column or superlative exchanged, "those" and "it"."""
        return Thought(Standalone(spelled_out(task)))

    def decompose(self, task: DecomposeTask) -> Thought[Subquery | Enough]:
        """Ask the question itself, or its table part and then its text part."""
        if not task.steps:
            return Thought(Subquery(first_hop(task.question, task.schemas) or task.question))
        last = task.steps[-1]
        if last.subquery != task.question and len(task.steps) == 1 and task.iterations_left > 0:
            return Thought(self._after_first_hop(task.question, last))
        if not last.intermediate_answer:
            return Thought(
                Enough("", "Neither the tables nor the text gave an answer that the offline reasoner is sure of.")
            )
        return Thought(Enough(last.intermediate_answer, last.reason))

    def _after_first_hop(self, question: str, step: Step) -> Subquery | Enough:
        found = step.result.rows if step.result else ()
        if not step.intermediate_answer:
            return Subquery(question)
        if len(found) != 1:
            return Enough("", f"{len(found)} rows fit {step.subquery!r}: it is not clear which one is meant.")
        entity = str(found[0][0])
        return Subquery(second_hop(question, entity) or question)

    def write_sql(self, task: SqlTask) -> Thought[SqlQuery | CannotAnswer]:
        """Write the statement of the table that explains most of the subquery."""
        if task.attempts:
            return Thought(CannotAnswer(task.attempts[-1].error))
        question = read_question(task.subquery)
        readings = [r for s in task.schemas if (r := read_intent(question, s, task.hints)) is not None]
        if not readings:
            return Thought(CannotAnswer("no table has columns and values that the question names"))
        best = max(readings, key=lambda r: r.confidence)
        sure = SURE_COUNT if best.sketch.aggregate in ("count", "share") else SURE
        if best.confidence < sure or any(map(_narrows, best.unexplained)):
            return Thought(CannotAnswer(_not_sure(best)))
        return Thought(SqlQuery(best.sketch.to_sql()))

    def cross_validate(self, task: ValidateTask) -> Thought[Validation]:
        """Hold the result's value against the text's sentences."""
        question = read_question(task.subquery)
        value = answer_of(task.result, question)
        if value:
            return Thought(self._computed(value, question, task))
        sentence = best_sentence(question, task.chunks)
        if sentence is None:
            reason = task.error or "no sentence of the text covers the question"
            if task.result is not None:
                reason = "no row fits the question, and no sentence of the text answers it"
            return Thought(Validation("", "none", reason))
        return Thought(Validation(sentence.text, "text_only", "The best sentence of the text.", (_cite(sentence),)))

    def _computed(self, value: str, question: Question, task: ValidateTask) -> Validation:
        single = len(task.result.rows) == 1 if task.result else False
        said = mentions_value(value, question, task.chunks) if single else None
        if said:
            return Validation(value, "agree", "Computed by SQL, and the text says the same.", (_cite(said),))
        against = self._held_against_text(value, question, task) if single else None
        if against is not None:
            return against
        cut = " The result was cut: more rows exist." if task.result and task.result.truncated else ""
        told = f"Computed by SQL over the whole table{_counted_in(task)}{_without_totals(task)}.{cut}"
        return Validation(value, "sql_only", told)

    def _held_against_text(self, value: str, question: Question, task: ValidateTask) -> Validation | None:
        """Return what a sentence that gives the same figure in other digits makes of the value."""
        computed = number_of(task.result) if task.result else None
        found = other_figure(question, task.chunks) if computed is not None else None
        if computed is None or found is None:
            return None
        sentence, stated = found
        asked, told = years_in(question.text), years_in(sentence.text)
        if told - asked and not told & asked:
            return None  # it speaks of another year's figure
        cites = (_cite(sentence),)
        if rounds_to(computed, stated, task.supporting):
            return Validation(value, "agree", f"Computed by SQL; the text says {stated.text!r}, which fits it.", cites)
        return Validation(value, "conflict", f"SQL computes {value}, the text says {stated.text!r}.", cites)

    def conclude(self, task: ConcludeTask) -> Thought[Conclusion]:
        """Answer from the last step that found something."""
        last = next((s for s in reversed(task.steps) if s.intermediate_answer), None)
        return Thought(
            Conclusion(last.intermediate_answer if last else "", "Read off the last step that found something.")
        )


def _counted_in(task: ValidateTask) -> str:
    """Say in which unit the numbers count that were read, where it is one and not plain."""
    units = {u for s in task.supporting for c, u in zip(s.columns, s.units, strict=False) if c in s.used and " " in u}
    return f", in {units.pop()}" if len(units) == 1 else ""


def _narrows(word: str) -> bool:
    """Tell whether a word left over is surely a condition left out: a number, a year, a month."""
    return word in lexicon.MONTHS or any(c.isdigit() for c in word)


def _without_totals(task: ValidateTask) -> str:
    """Say that rows which sum up others were left out, where the statement did so."""
    return ", rows that sum up others left out" if task.result and f"`{TOTAL}`" in task.result.sql else ""


def _not_sure(reading: Reading) -> str:
    return f"not sure: the tables do not explain {', '.join(reading.unexplained)}"


def _cite(sentence: FoundSentence) -> Citation:
    chunk = sentence.chunk
    return Citation(source=chunk.source, locator=chunk.locator, quote=sentence.text, chunk_id=chunk.id)


def answer_of(result: SqlResult | None, question: Question) -> str:
    """Write a result as an answer; "" for no rows or only empty cells."""
    if result is None or all(c is None for row in result.rows for c in row):
        return ""
    rows = [row for row in result.rows if any(c is not None for c in row)]
    percent = question.operation == "share"
    texts = [_row(row, percent=percent) for row in rows[:MOST_ROWS]]
    more = f" and {len(rows) - MOST_ROWS} more" if len(rows) > MOST_ROWS else ""
    return ", ".join(dict.fromkeys(texts)) + more


def _row(row: Sequence[Cell], *, percent: bool) -> str:
    return ": ".join(_cell(c, percent=percent) for c in row if c is not None)


def _cell(cell: Cell, *, percent: bool) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    text = f"{cell:.4f}".rstrip("0").rstrip(".") if isinstance(cell, float) else str(cell)
    return f"{text}%" if percent and not isinstance(cell, str) else text
