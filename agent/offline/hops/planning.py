"""Two hops as subqueries of the graph: first the row by SQL, then the text about what its cell names."""

import re
from dataclasses import dataclass, replace

from tablerag.agent.offline.hops import described_row
from tablerag.agent.offline.hops.answering import IDENTIFYING, HopAnswer, HopReader
from tablerag.agent.offline.hops.evidence import telling_sentence
from tablerag.agent.offline.hops.statement import row_condition, row_statement
from tablerag.agent.reasoning import DecomposeTask, Enough, SqlTask, Step, Subquery, ValidateTask, Validation
from tablerag.tools.records import Chunk, Citation, ValueHint

__all__ = ["TwoHops"]

FIRST = re.compile(r"^Which .+? is meant here: .+$", re.DOTALL)
IN_TABLE = re.compile(r"^In the table .+?: .+$", re.DOTALL)
SECOND = re.compile(r"^About (?P<entity>.+?), as the row says: (?P<question>.+)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TwoHops:
    """Plans and answers both hops: by passages that cells name, else by the question's description of the row."""

    reader: HopReader | None
    """None if the passages that cells name cannot be read."""
    least: float
    """The confidence needed to answer."""

    def first(self, task: DecomposeTask) -> str:
        """Return the first subquery: for the row if a second hop is needed, else the question itself."""
        answer = self.reader.read(task.question, task.schemas) if self.reader else None
        if answer is None or not answer.needs_text or answer.confidence < self.least:
            return described_row.row_question(task.question, task.schemas) or task.question
        schema = answer.best.schema
        place = schema.within or schema.title
        if answer.best.passage is None:
            return f"In the table {place}: {task.question}"
        header = schema.columns[answer.best.cell.column].header
        return f"Which {header or 'row'} of {place} is meant here: {task.question}"

    def second(self, question: str, step: Step) -> Subquery | Enough:
        """Return what follows the first subquery: the question about what the row names, or the answer."""
        if not step.intermediate_answer:
            return Subquery(question)
        if IN_TABLE.match(step.subquery):
            return Enough(step.intermediate_answer, step.reason)
        found = step.result.rows if step.result else ()
        if len(found) != 1:
            return Enough("", f"{len(found)} rows match {step.subquery!r}; exactly one was expected.")
        entity = str(found[0][0])
        if FIRST.match(step.subquery):
            return Subquery(f"About {entity}, as the row says: {question}")
        return Subquery(described_row.about(question, entity) or question)

    def reads_passage(self, task: SqlTask) -> bool:
        """Tell whether a subquery is a second hop, which no statement can answer."""
        if task.subquery != task.question and SECOND.match(task.subquery):
            return True
        row = None if _asks_row(task) else described_row.row_question(task.question, task.schemas)
        return row is not None and task.subquery != row

    def statement(self, task: SqlTask) -> tuple[HopAnswer, str] | None:
        """Return the likeliest answer and the SELECT of its cell, or of the cell that names its passage.

        None if tables alone may answer, and for subqueries that are no hop.
        """
        answer = self._with_text(task, task.hints) if _asks_row(task) else None
        if answer is None:
            return None
        if answer.best.passage is not None and not FIRST.match(task.subquery):
            answer = replace(answer, confidence=0.0)  # the cell that names a passage is not the answer
        return answer, row_statement(answer)

    def _with_text(self, task: SqlTask | ValidateTask, hints: tuple[ValueHint, ...] = ()) -> HopAnswer | None:
        """Return the likeliest answer if it needs text."""
        answer = self.reader.read(task.question, task.schemas, hints) if self.reader else None
        return answer if answer is not None and answer.needs_text else None

    def without_passages(self, task: ValidateTask) -> ValidateTask:
        """Return a task without the passages that cells name, if no row was found to tell which one is meant."""
        answer = self._with_text(task) if task.result is None else None
        if answer is None:
            return task
        left = tuple(c for c in task.chunks if c.id not in answer.passage_ids)
        return replace(task, chunks=left, error=task.error or answer.doubt)

    def validation(self, task: ValidateTask) -> Validation | None:
        """Return the answer from a passage, or from a row that a passage identifies; None for other subqueries."""
        if self.reader is None:
            return None
        second = SECOND.match(task.subquery) if task.subquery != task.question else None
        if second:
            entity = second["entity"]
            about = self.reader.read_about(task.question, entity, task.schemas, task.chunks)
            return _from_passage(about, entity) if about else None
        answer = self._with_text(task) if _asks_row(task) else None
        if answer is None or task.result is None or len(task.result.rows) != 1:
            return None
        return _from_row(answer) if str(task.result.rows[0][0]) == answer.best.cell.text else None


def _asks_row(task: SqlTask | ValidateTask) -> bool:
    """Tell whether a subquery is the question itself or asks for its row."""
    return task.subquery == task.question or bool(FIRST.match(task.subquery) or IN_TABLE.match(task.subquery))


def _from_passage(answer: HopAnswer, entity: str) -> Validation | None:
    best = answer.best
    if best.passage is None:
        return None
    reason = f"From the passage about {entity}, which the row names: “{best.sentence}”"
    return Validation(best.text, "text_only", reason, (_cited(best.passage.chunk, best.sentence),))


def _from_row(answer: HopAnswer) -> Validation:
    """Explain how the row was found, and cite the passage that identifies it."""
    best = answer.best
    headers = [c.header for c in best.schema.columns]
    cells = " and ".join(f'"{headers[c.column] or "the first cell"}" is {c.text!r}' for c in row_condition(answer))
    reason = f"Found by SQL in the row where {cells}."
    if best.identified_by is None or best.identified_by.passage is None or best.passage_share < IDENTIFYING:
        return Validation(best.cell.text, "sql_only", reason)
    sentence = telling_sentence(answer.asked, best.identified_by.passage)
    reason += f" The passage about {best.identified_by.text} identifies the row: “{sentence}”"
    return Validation(best.cell.text, "sql_only", reason, (_cited(best.identified_by.passage.chunk, sentence),))


def _cited(chunk: Chunk, sentence: str) -> Citation:
    return Citation(source=chunk.source, locator=chunk.locator, quote=sentence, chunk_id=chunk.id)
