"""OfflineReasoner: the Reasoner protocol by a learned ranker of SQL programs and by rules."""

from tablerag.agent.disagreement import number_of, rounds_to
from tablerag.agent.offline.alignment import Embed
from tablerag.agent.offline.arithmetic.answering import computed_by
from tablerag.agent.offline.choosing import Choice, Chooser
from tablerag.agent.offline.follow_up import spelled_out
from tablerag.agent.offline.hops.answering import HopReader, Linked
from tablerag.agent.offline.hops.planning import TwoHops
from tablerag.agent.offline.interpretation import ReadRows
from tablerag.agent.offline.question import Question, read_question
from tablerag.agent.offline.result_text import result_text
from tablerag.agent.offline.statement_wording import describe
from tablerag.agent.offline.text_answer import FoundSentence, best_sentence, other_figure, stating_sentence
from tablerag.agent.offline.text_spans import asks_for_span, best_span
from tablerag.agent.reasoning import (
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
    Subquery,
    Thought,
    ValidateTask,
    Validation,
)
from tablerag.agent.stated_numbers import years_in
from tablerag.tools.records import TOTAL, Citation, SqlResult

__all__ = ["CONFIDENT", "OfflineReasoner"]

CONFIDENT = 0.5
"""The chance of being right that an answer needs."""
NO_SENTENCE = "No sentence in the text answers the question."


class OfflineReasoner:
    """Answers questions that it is sure of; abstains from others. Uses no language model and keeps no state."""

    name = "offline"

    def __init__(
        self,
        read_rows: ReadRows | None = None,
        embed: Embed | None = None,
        least_confidence: float = CONFIDENT,
        linked: Linked | None = None,
    ) -> None:
        """Answer from ``least_confidence`` on.

        ``read_rows`` reads tables: without it, only the rules are used. ``linked`` gives the passages that cells name:
        without it, tables and text are read separately.
        """
        reader = HopReader(read_rows, linked, embed) if read_rows and linked else None
        self._read_rows, self._least = read_rows, least_confidence
        self._hops = TwoHops(reader, least_confidence)
        self._chooser = Chooser(read_rows, embed, self._hops, least_confidence)

    def resolve(self, task: ResolveTask) -> Thought[Standalone | NoQuestion]:
        """Rewrite a follow-up by rules: another period, value, column or superlative, "those" and "it"."""
        return Thought(Standalone(spelled_out(task)))

    def decompose(self, task: DecomposeTask) -> Thought[Subquery | Enough]:
        """Ask the question itself, or first its table part and then its text part."""
        if not task.steps:
            return Thought(Subquery(self._hops.first(task)))
        last = task.steps[-1]
        if last.subquery != task.question and len(task.steps) == 1 and task.iterations_left > 0:
            return Thought(self._hops.second(task.question, last))
        answer = last.intermediate_answer
        return Thought(Enough(answer, last.reason if answer else ""))

    def write_sql(self, task: SqlTask) -> Thought[SqlQuery | CannotAnswer]:
        """Write the likeliest statement, if it is likely enough."""
        if task.attempts:
            return Thought(CannotAnswer(task.attempts[-1].error))
        if self._hops.reads_passage(task):
            return Thought(CannotAnswer("No column answers this part of the question."))
        choice = self.choose(task)
        if choice is not None and choice.confidence >= self._least:
            return Thought(SqlQuery(choice.sql))
        return Thought(
            CannotAnswer(choice.reason if choice else "No table has the columns and values in the question.")
        )

    def choose(self, task: SqlTask) -> Choice | None:
        """Return the likeliest statement and how sure it is; None if the question is about none of the tables."""
        return self._chooser.choose(task)

    def cross_validate(self, task: ValidateTask) -> Thought[Validation]:
        """Compare the result with the text's sentences; without a result, answer from the text."""
        if self._read_rows and (computed := computed_by(task, self._read_rows)):
            return Thought(Validation(computed.answer, "sql_only", computed.explanation, formula=computed.formula))
        if by_hops := self._hops.validation(task):
            return Thought(by_hops)
        task = self._hops.without_passages(task)
        question = read_question(task.subquery)
        value = result_text(task.result, question)
        if task.result is not None and value:
            return Thought(_of_result(value, task.result, question, task))
        sentence = best_sentence(question, task.chunks)
        if sentence is None:
            no_row = f"No row matches. {NO_SENTENCE}" if task.result is not None else ""
            return Thought(Validation("", "none", no_row or task.error or NO_SENTENCE))
        span = best_span(question, sentence.text)
        if span == sentence.text and asks_for_span(question):
            return Thought(Validation("", "none", task.error or NO_SENTENCE))
        return Thought(Validation(span, "text_only", "From the best matching sentence.", (_cite(sentence),)))

    def conclude(self, task: ConcludeTask) -> Thought[Conclusion]:
        """Answer from the last step that has an answer."""
        answer = next((s.intermediate_answer for s in reversed(task.steps) if s.intermediate_answer), "")
        return Thought(Conclusion(answer, "From the last step that has an answer." if answer else ""))


def _of_result(value: str, result: SqlResult, question: Question, task: ValidateTask) -> Validation:
    """Compare a result's value with what the text states."""
    single = len(result.rows) == 1
    stating = stating_sentence(value, question, task.chunks) if single else None
    if stating:
        return Validation(value, "agree", "Computed by SQL; the text agrees.", (_cite(stating),))
    against = _against_text(value, result, question, task) if single else None
    if against is not None:
        return against
    meaning = describe(result.sql, task.schemas)
    meaning = f"{meaning[0].upper()}{meaning[1:]}. " if meaning else ""
    totals = ", without totals rows" if f"`{TOTAL}`" in result.sql else ""
    cut = " The result is truncated: there are more rows." if result.truncated else ""
    explanation = f"{meaning}Computed by SQL over the whole table{_unit(task)}{totals}.{cut}"
    return Validation(value, "sql_only", explanation)


def _against_text(value: str, result: SqlResult, question: Question, task: ValidateTask) -> Validation | None:
    """Compare a value with a sentence that gives the same figure in other digits; None if there is none."""
    computed = number_of(result)
    found = other_figure(question, task.chunks) if computed is not None else None
    if computed is None or found is None:
        return None
    sentence, stated = found
    asked, in_sentence = years_in(question.text), years_in(sentence.text)
    if in_sentence - asked and not in_sentence & asked:
        return None  # the sentence is about another year
    cites = (_cite(sentence),)
    if rounds_to(computed, stated, task.supporting):
        explanation = f"Computed by SQL; the text says {stated.text!r}, which agrees after rounding."
        return Validation(value, "agree", explanation, cites)
    return Validation(value, "conflict", f"SQL gives {value}; the text says {stated.text!r}.", cites)


def _unit(task: ValidateTask) -> str:
    """Return the unit of the columns used, such as ", in thousand EUR", if they share one with a scale."""
    units = {u for s in task.supporting for c, u in zip(s.columns, s.units, strict=False) if c in s.used and " " in u}
    return f", in {units.pop()}" if len(units) == 1 else ""


def _cite(sentence: FoundSentence) -> Citation:
    chunk = sentence.chunk
    return Citation(source=chunk.source, locator=chunk.locator, quote=sentence.text, chunk_id=chunk.id)
