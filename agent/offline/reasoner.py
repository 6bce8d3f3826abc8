"""OfflineReasoner: the Reasoner protocol by a learned ranker of readings, and by rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tablerag.agent.disagreement import number_of, rounds_to
from tablerag.agent.offline.alignment import Embed
from tablerag.agent.offline.arithmetic.answering import Computed, computation_of, computed_by, is_unread
from tablerag.agent.offline.bridge import first_hop, second_hop
from tablerag.agent.offline.follow_up import spelled_out
from tablerag.agent.offline.hops.answering import HopReader, Linked
from tablerag.agent.offline.hops.planning import TwoHops, asks_row
from tablerag.agent.offline.intent import RuleReading, read_intent
from tablerag.agent.offline.interpretation import Reading, ReadRows, readings_of
from tablerag.agent.offline.program import Program
from tablerag.agent.offline.question import Question, read_question
from tablerag.agent.offline.text_answer import FoundSentence, best_sentence, mentions_value, other_figure
from tablerag.agent.offline.text_spans import asks_for_span, best_span
from tablerag.agent.offline.verbalising import in_words
from tablerag.agent.offline.vetoes import veto
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
    Step,
    Subquery,
    Thought,
    ValidateTask,
    Validation,
)
from tablerag.agent.stated_numbers import years_in
from tablerag.tools.errors import SqlProblem
from tablerag.tools.records import TOTAL, Cell, Citation, SqlResult

__all__ = ["Choice", "OfflineReasoner"]

CONFIDENT = 0.5
"""The chance of being right from which on a reading is answered."""
BESIDE_PASSAGES = 0.6
"""What is left of the confidence in a table's own reading where a passage that a cell names may be needed."""
UNREAD = 0.1
"""What is left of the confidence in a reading of a question for arithmetic whose formula could not be read."""
NOT_READ = "not sure which rows and years to compute with"
FORBIDDEN = 0.3
"""What is left of the confidence in a reading that leaves aside what the question says."""
MOST_TABLES = 3
SURE_RULES = 0.6
"""The chance that a statement by rules is right that explains the question."""
GROUPED = ("grouped", "grouped_average")
SURE_ARITHMETIC = 0.8
"""The same of arithmetic over named rows and years, whose rules abstain when in doubt."""
MOST_ROWS = 20


@dataclass(frozen=True, slots=True)
class Choice:
    """A statement, the chance that it is right, and what to say where that is too little."""

    sql: str
    confidence: float
    reason: str = ""


class OfflineReasoner:
    """Answers what it reads with confidence; abstains from the rest. No language model, no state."""

    name = "offline"

    def __init__(
        self,
        read_rows: ReadRows | None = None,
        embed: Embed | None = None,
        least_confidence: float = CONFIDENT,
        linked: Linked | None = None,
    ) -> None:
        """Read tables by ``read_rows``; without it, by rules alone. Answer from ``least_confidence`` on.

        ``linked`` gives the passages that cells name; without it, tables and text are read apart.
        """
        self._read_rows, self._embed, self._least = read_rows, embed, least_confidence
        reads_both = read_rows is not None and linked is not None
        self._hops = TwoHops(HopReader(read_rows, linked, embed), least_confidence) if reads_both else None

    def resolve(self, task: ResolveTask) -> Thought[Standalone | NoQuestion]:
        """Spell out what rules can: a period, value, column or superlative exchanged, "those" and "it"."""
        return Thought(Standalone(spelled_out(task)))

    def decompose(self, task: DecomposeTask) -> Thought[Subquery | Enough]:
        """Ask the question itself, or its table part and then its text part."""
        if not task.steps:
            row_first = self._hops.first(task) if self._hops else None
            if row_first:
                return Thought(Subquery(row_first))
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
        if self._hops and self._hops.ends(step.subquery):
            return Enough(step.intermediate_answer, step.reason)
        if len(found) != 1:
            return Enough("", f"{len(found)} rows fit {step.subquery!r}: it is not clear which one is meant.")
        entity = str(found[0][0])
        about = self._hops.second(question, step.subquery, entity) if self._hops else None
        if about:
            return Subquery(about)
        return Subquery(second_hop(question, entity) or question)

    def write_sql(self, task: SqlTask) -> Thought[SqlQuery | CannotAnswer]:
        """Write the statement of the likeliest reading; by rules where they are sure and the ranker is not."""
        if task.attempts:
            return Thought(CannotAnswer(task.attempts[-1].error))
        if _is_second_hop(task) or (self._hops and self._hops.reads_passage(task)):
            return Thought(CannotAnswer("no column of the tables holds what is asked of the row that was found"))
        choice = self.choose(task)
        if choice is not None and choice.confidence >= self._least:
            return Thought(SqlQuery(choice.sql))
        return Thought(CannotAnswer(choice.reason if choice else "no table has columns and values that it names"))

    def choose(self, task: SqlTask) -> Choice | None:
        """Return the likeliest statement and how sure it is; None when no table says anything to the question."""
        if self._read_rows and (computed := computation_of(task.subquery, task.schemas, self._read_rows, task.hints)):
            return Choice(computed.sql, 0.0 if computed.doubt else SURE_ARITHMETIC, computed.doubt)
        if self._hops and (hop := self._hops.statement(task)):
            reading, sql = hop
            by_hops = Choice(sql, reading.confidence, reading.doubt)
            beside = self._of_tables(task) if by_hops.confidence < self._least else None
            if beside is None or beside.confidence * BESIDE_PASSAGES < self._least:
                return by_hops
            return replace(beside, confidence=beside.confidence * BESIDE_PASSAGES)
        choice = self._of_tables(task)
        if choice is not None and is_unread(task.subquery, task.schemas):
            return replace(choice, confidence=choice.confidence * UNREAD, reason=choice.reason or NOT_READ)
        return choice

    def _of_tables(self, task: SqlTask) -> Choice | None:
        """Return the likeliest reading of one table, or what rules make of it."""
        question = read_question(task.subquery)
        rules = {s.name: r for s in task.schemas if (r := read_intent(question, s, task.hints)) is not None}
        by_rules = max(rules.values(), key=lambda r: r.confidence, default=None)
        readings = self._readings(task, {name: r.sketch.program() for name, r in rules.items() if r.is_sure})
        best = readings[0] if readings else None
        if best is not None and best.confidence < self._least and by_rules is not None and by_rules.is_sure:
            program = by_rules.sketch.program()
            schema = next(s for s in task.schemas if s.name == program.table)
            # "total revenue per region": a form of words that rules cannot take for another.
            if program.operation in GROUPED and not veto(task.subquery, program, schema):
                return Choice(program.to_sql(), SURE_RULES, _unsure_between(readings))
        if best is not None:
            doubt = veto(task.subquery, best.program, best.schema)
            reason = "; ".join(p for p in (doubt, _unsure_between(readings)) if p)
            return Choice(best.program.to_sql(), best.confidence, reason)
        if by_rules is not None:
            sure = SURE_RULES if by_rules.is_sure else 0.0
            return Choice(by_rules.sketch.program().to_sql(), sure, _unexplained(by_rules))
        return None

    def _readings(self, task: SqlTask, by_rules: Mapping[str, Program]) -> list[Reading]:
        """Return the readings of the table that fits best, the likeliest first."""
        if self._read_rows is None:
            return []
        found: list[list[Reading]] = []
        for place, schema in enumerate(task.schemas[:MOST_TABLES]):
            try:
                rows = self._read_rows(schema, task.hints)
            except SqlProblem:
                continue  # dropped just now, or too slow to read
            known = {"place": place, "alone": len(task.schemas) == 1, "by_rules": by_rules.get(schema.name)}
            readings = readings_of(task.subquery, schema, rows, self._embed, task.hints, **known)
            found += [_doubted(task.subquery, readings)] if readings else []
        return max(found, key=lambda r: r[0].confidence, default=[])

    def cross_validate(self, task: ValidateTask) -> Thought[Validation]:
        """Hold the result's value against the text's sentences."""
        if self._read_rows and (computed := computed_by(task, self._read_rows)):
            return Thought(_by_arithmetic(computed))
        if self._hops and (by_hops := self._hops.validation(task)):
            return Thought(by_hops)
        task = self._hops.unread(task) if self._hops else task
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
        span = best_span(question, sentence.text)
        if span == sentence.text and asks_for_span(question):
            return Thought(Validation("", "none", task.error or "no sentence of the text gives what is asked for"))
        return Thought(Validation(span, "text_only", "Read off the best sentence of the text.", (_cite(sentence),)))

    def _computed(self, value: str, question: Question, task: ValidateTask) -> Validation:
        single = len(task.result.rows) == 1 if task.result else False
        said = mentions_value(value, question, task.chunks) if single else None
        if said:
            return Validation(value, "agree", "Computed by SQL, and the text says the same.", (_cite(said),))
        against = self._held_against_text(value, question, task) if single else None
        if against is not None:
            return against
        cut = " The result was cut: more rows exist." if task.result and task.result.truncated else ""
        meant = in_words(task.result.sql) if task.result else ""
        said = f" It is {meant}." if meant else ""
        told = f"Computed by SQL over the whole table{_counted_in(task)}{_without_totals(task)}.{said}{cut}"
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


def _by_arithmetic(computed: Computed) -> Validation:
    reason = f"Computed by SQL over the rows and columns that the question names. {computed.said}"
    return Validation(computed.answer, "sql_only", reason, formula=computed.formula)


def _counted_in(task: ValidateTask) -> str:
    """Say in which unit the numbers count that were read, where it is one and not plain."""
    units = {u for s in task.supporting for c, u in zip(s.columns, s.units, strict=False) if c in s.used and " " in u}
    return f", in {units.pop()}" if len(units) == 1 else ""


def _is_second_hop(task: SqlTask) -> bool:
    """Tell whether the subquery asks the text for what the question's table does not hold."""
    hop = None if asks_row(task) else first_hop(task.question, task.schemas)
    return hop is not None and task.subquery not in (hop, task.question)


def _unexplained(reading: RuleReading) -> str:
    return f"not sure: the tables do not explain {', '.join(reading.unexplained)}"


def _unsure_between(readings: Sequence[Reading]) -> str:
    """Name the two best readings, of those that are said alike one."""
    meant = dict.fromkeys(m for r in readings if (m := in_words(r.program.to_sql(), r.schema)))
    return f"not sure whether it asks for {' or '.join(list(meant)[:2])}; a language model would help"


def _doubted(question: str, readings: list[Reading]) -> list[Reading]:
    """Take the confidence from the best reading where it leaves aside what the question says."""
    best = readings[0]
    if not veto(question, best.program, best.schema):
        return readings
    return [replace(best, confidence=best.confidence * FORBIDDEN), *readings[1:]]


def _without_totals(task: ValidateTask) -> str:
    """Say that rows which sum up others were left out, where the statement did so."""
    return ", rows that sum up others left out" if task.result and f"`{TOTAL}`" in task.result.sql else ""


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
