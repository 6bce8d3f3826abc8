"""OfflineReasoner: the Reasoner protocol without a language model."""

from contextlib import suppress
from dataclasses import replace

from tablerag.agent.causes import without_numbers, without_rows
from tablerag.agent.disagreement import number_of, rounds_to
from tablerag.agent.offline.alignment import Embed
from tablerag.agent.offline.arithmetic.answering import computed_by
from tablerag.agent.offline.choosing import Choice, Chooser
from tablerag.agent.offline.confirmed import LIKE, is_about
from tablerag.agent.offline.hops.answering import HopReader, Linked
from tablerag.agent.offline.hops.planning import TwoHops
from tablerag.agent.offline.instructions import HOW_TO, asks_how_to
from tablerag.agent.offline.interpretation import ReadRows
from tablerag.agent.offline.metrics import expanding, reading_metrics, with_metric_columns
from tablerag.agent.offline.reading.follow_up import standalone
from tablerag.agent.offline.reading.reader import Reader, RunSql
from tablerag.agent.offline.text.checking import contradicts, other_figure, stating
from tablerag.agent.offline.text.likely import likely_answers, text_answer
from tablerag.agent.offline.text.preferring import better_text
from tablerag.agent.offline.text.statements import Statement
from tablerag.agent.presentation import presented
from tablerag.agent.presenting.rows import with_count
from tablerag.agent.reasoning import (
    CannotAnswer,
    ConcludeTask,
    Conclusion,
    DecomposeTask,
    Enough,
    NoQuestion,
    Reading,
    ResolveTask,
    SqlQuery,
    SqlTask,
    Standalone,
    Subquery,
    TextReading,
    Thought,
    ValidateTask,
    Validation,
)
from tablerag.agent.stated_numbers import measure_of
from tablerag.tools.connections.patience import waiting_for
from tablerag.tools.errors import SqlProblem, TableLost
from tablerag.tools.knowledge.mentions import spellings
from tablerag.tools.knowledge.rewriting import expanded
from tablerag.tools.records import TOTAL, Citation, SqlResult

__all__ = ["CONFIDENT", "OfflineReasoner"]

CONFIDENT = 0.5
"""The chance of being right that an answer needs."""
OFFERED, OFFERABLE = 2, 0.12
"""How many sentences are offered that may answer, and the least chance that they do."""
MOST_NEAR_OFFERED = 2
"""How many confirmed questions are offered."""
NO_SENTENCE = "No sentence in the text answers the question."


class OfflineReasoner:
    """Answers questions that it is sure of; abstains from others. Uses no language model and keeps no state."""

    name = "offline"
    converses = False

    def __init__(
        self,
        read_rows: ReadRows | None = None,
        embed: Embed | None = None,
        least_confidence: float = CONFIDENT,
        linked: Linked | None = None,
        run: RunSql | None = None,
    ) -> None:
        """Answer from ``least_confidence`` on.

        ``read_rows`` reads tables: without it, only text is read. ``linked`` gives the passages that cells name:
        without it, tables and text are read separately. ``run`` runs the readings of a question that it is not sure
        of: without it, none are offered.
        """
        reader = HopReader(read_rows, linked, embed) if read_rows and linked else None
        self._read_rows, self._least, self._run = read_rows, least_confidence, run
        rows = reading_metrics(read_rows) if read_rows else None
        self._words = Reader(rows, expanding(run)) if rows and run else None
        self._hops = TwoHops(reader, least_confidence)
        self._chooser = Chooser(rows, embed, self._hops, least_confidence, self._words)

    def resolve(self, task: ResolveTask) -> Thought[Standalone | NoQuestion]:
        """Rewrite a follow-up: another period, value, column, group or aggregate, "those" and "it"."""
        return Thought(Standalone(standalone(task, self._words)))

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
        if asks_how_to(task.subquery):
            return Thought(CannotAnswer(HOW_TO, unread=()))
        if self._hops.reads_passage(task):
            return Thought(CannotAnswer("No column answers this part of the question."))
        same = next((c for c in task.confirmed if c.is_same), None)
        if same is None or self._run is None:
            return Thought(self._written(task))
        if self._runs(same.sql, task):
            return Thought(SqlQuery(same.sql, notes=(same.note,), is_confirmed=True))
        return Thought(replace(self._written(task), set_aside=same.failing))

    def _written(self, task: SqlTask) -> SqlQuery | CannotAnswer:
        """Return the likeliest statement that nobody has confirmed, or why there is none."""
        if refusal := self._unusable(task):
            return refusal
        choice, notes = self._best_spelling(task)
        if choice is not None and choice.confidence >= self._least:
            return SqlQuery(expanded(choice.sql, task.schemas), choice.meaning, notes=notes)
        if text := self._words and self._words.unsummed(task.subquery, task.schemas, task.hints):
            reason = without_numbers(text.schema, text.column.header, text.texts)
            return CannotAnswer(reason, cause="text_column")
        near = self._near(task)
        if choice is None:
            return CannotAnswer("Could not match the question to the columns and values.", near)
        readings = (*choice.readings, *near)
        return CannotAnswer(choice.reason * (not readings), readings, choice.unread)

    def _runs(self, sql: str, task: SqlTask) -> bool:
        """Tell whether a confirmed statement still runs, as far as it may be tried."""
        assert self._run
        try:
            if task.may_run:
                with waiting_for([s for s in task.schemas if s.name in sql]):
                    self._run(sql, task.schemas)
        except SqlProblem:
            return False
        return True

    def _near(self, task: SqlTask) -> tuple[Reading, ...]:
        """Return the confirmed statements that may be meant, with their results."""
        found: list[Reading] = []
        for one in task.confirmed if self._run is not None and task.may_run else ():
            fits = one.adapted or is_about(one, task.subquery)
            if one.likeness >= LIKE and fits and len(found) < MOST_NEAR_OFFERED:
                sql = one.adapted or one.sql
                meaning = f"“{one.question}”, as confirmed{', with the values of this question' * bool(one.adapted)}"
                with suppress(SqlProblem):
                    assert self._run
                    found.append(Reading(meaning, sql, self._run(sql, task.schemas)))
        return tuple(found)

    def _best_spelling(self, task: SqlTask) -> tuple[Choice | None, tuple[str, ...]]:
        """Return the surest choice for the question, or for one with words in the sense of knowledge.yaml; and why."""
        best, notes = self.choose(task), ()
        for text, mentions in spellings(task.subquery, task.mentions):
            other = self.choose(replace(task, subquery=text, mentions=()))
            if other is not None and (best is None or other.confidence > best.confidence):
                best, notes = other, tuple(m.note for m in mentions)
        return best, notes

    def _unusable(self, task: SqlTask) -> CannotAnswer | None:
        """Return why the table that is meant can give nothing; None if nothing is wrong with it."""
        if self._words is None:
            return None
        empty = self._words.rowless(task.subquery, task.schemas, task.hints)
        if empty is not None:
            return CannotAnswer(without_rows(empty), cause="empty_table")
        lost = self._words.unreadable(task.subquery, task.schemas)
        return CannotAnswer(lost, cause="table_lost") if lost else None

    def choose(self, task: SqlTask) -> Choice | None:
        """Return the likeliest statement and how sure it is; None if the question is about none of the tables."""
        return self._chooser.choose(replace(task, schemas=with_metric_columns(task.schemas)))

    def cross_validate(self, task: ValidateTask) -> Thought[Validation]:
        """Compare the result with the text's sentences; without a result, answer from the text."""
        rows_read = self._read_rows if not asks_how_to(task.subquery) else None
        if rows_read and (computed := computed_by(task, rows_read)):
            return Thought(Validation(computed.answer, "sql_only", computed.explanation, formula=computed.formula))
        if by_hops := self._hops.validation(task):
            return Thought(by_hops)
        if task.result is None and task.error and TableLost.is_told_by(task.error):
            return Thought(Validation("", "none", task.error))  # the text may say otherwise than the table
        task = self._hops.without_passages(task)
        value = presented(task.result, task.schemas).plain
        if value:
            stated = None if task.is_confirmed else better_text(task)
        else:
            stated = text_answer(task.subquery, task.chunks)
        if task.result is not None and value and stated is None:
            return Thought(_of_result(value, task.result, task))
        if stated is None and task.result is not None and task.result.rows and not task.result.empty:
            return Thought(Validation(_of_blank(task), "sql_only", "Computed by SQL over the whole table."))
        if stated is None:
            no_row = f"No row matches. {NO_SENTENCE}" if task.result is not None else ""
            found = likely_answers(task.subquery, task.chunks)[:OFFERED]
            offered = tuple(TextReading(a.text, _cite(a.statement), a.score) for a in found if a.score >= OFFERABLE)
            return Thought(Validation("", "none", no_row or task.error or NO_SENTENCE, readings=offered))
        reason = f"The text says: “{stated.statement.quote}”"
        return Thought(Validation(stated.text, "text_only", reason, (_cite(stated.statement),)))

    def conclude(self, task: ConcludeTask) -> Thought[Conclusion]:
        """Answer from the last step that has an answer."""
        answer = next((s.intermediate_answer for s in reversed(task.steps) if s.intermediate_answer), "")
        return Thought(Conclusion(answer, "From the last step that has an answer." if answer else ""))


def _of_blank(task: ValidateTask) -> str:
    """Return which cells are empty."""
    rows = task.supporting[0].total if task.supporting else 1
    said = "The cell is empty" if rows == 1 else f"All {rows:,} cells are empty"
    return f"{said}: {task.meaning}." if task.meaning else f"{said}."


def _of_result(value: str, result: SqlResult, task: ValidateTask) -> Validation:
    """Compare a result's value with what the text states."""
    single = len(result.rows) == 1
    shown = presented(result, task.schemas, task.supporting)
    unit, power = measure_of(shown.unit, shown.scale)
    agreeing = stating(value, task.subquery, task.chunks, unit=unit, power=power) if single else None
    if agreeing:
        return Validation(value, "agree", "Computed by SQL; the text agrees.", (_cite(agreeing),))
    against = _against_text(value, shown.text, result, task) if single else None
    if against is not None:
        return against
    meaning = task.meaning
    if task.supporting:  # how many rows, as in "over 41 shipments"
        meaning = with_count(meaning, task.supporting[0].total)
    meaning = f"{meaning[0].upper()}{meaning[1:]}. " if meaning else ""
    totals = ", without totals rows" if f"`{TOTAL}`" in result.sql else ""
    cut = " The result is truncated: there are more rows." if result.truncated else ""
    explanation = f"{meaning}Computed by SQL over the whole table{_unit(task)}{totals}.{cut}"
    return Validation(value, "sql_only", explanation)


def _against_text(value: str, shown: str, result: SqlResult, task: ValidateTask) -> Validation | None:
    """Compare a value with a sentence that gives the same figure in other digits; None if there is none."""
    computed = number_of(result)
    found = other_figure(task.subquery, task.chunks) if computed is not None else None
    if computed is None or found is None:
        return None
    sentence, stated = found
    cites = (_cite(sentence),)
    if rounds_to(computed, stated, task.supporting):
        explanation = f"Computed by SQL; the text says {stated.text!r}, which agrees after rounding."
        return Validation(value, "agree", explanation, cites)
    if not contradicts(sentence, stated):
        return None
    return Validation(value, "conflict", f"SQL gives {shown}; the text says {stated.text!r}.", cites)


def _unit(task: ValidateTask) -> str:
    """Return the unit of the columns used, such as ", in thousand EUR", if they share one with a scale."""
    units = {u for s in task.supporting for c, u in zip(s.columns, s.units, strict=False) if c in s.used and " " in u}
    return f", in {units.pop()}" if len(units) == 1 else ""


def _cite(statement: Statement) -> Citation:
    chunk = statement.chunk
    return Citation(source=chunk.source, locator=chunk.locator, quote=statement.quote, chunk_id=chunk.id)
