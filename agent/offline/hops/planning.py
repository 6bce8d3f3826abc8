"""Two hops as subqueries of the graph: the row by SQL, then the passage that its cell names."""

import re
from dataclasses import dataclass, replace

from tablerag.agent.offline.hops.answering import TOLD, HopReader, HopReading
from tablerag.agent.offline.hops.evidence import CellText, telling_sentence
from tablerag.agent.offline.hops.statement import row_condition, row_statement
from tablerag.agent.reasoning import DecomposeTask, SqlTask, ValidateTask, Validation
from tablerag.tools.records import Chunk, Citation

__all__ = ["TwoHops", "asks_row"]

FIRST = re.compile(r"^Which .+? is meant here: .+$", re.DOTALL)
IN_TABLE = re.compile(r"^In the table .+?: .+$", re.DOTALL)
SECOND = re.compile(r"^About (?P<entity>.+?), as the row says: (?P<question>.+)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TwoHops:
    """What the embedded reasoner does about questions over tables and linked passages."""

    reader: HopReader
    least: float
    """The confidence from which on a reading is answered."""

    def first(self, task: DecomposeTask) -> str | None:
        """Return the question for the row, naming its table to retrieve it; None where no passage is surely needed."""
        reading = self.reader.read(task.question, task.schemas)
        if reading is None or not reading.needs_text or reading.confidence < self.least:
            return None
        schema = reading.best.schema
        place = schema.within or schema.title
        if reading.best.passage is None:
            return f"In the table {place}: {task.question}"
        header = schema.columns[reading.best.cell.column].header
        return f"Which {header or 'row'} of {place} is meant here: {task.question}"

    def ends(self, subquery: str) -> bool:
        """Tell whether a subquery asks a row for the answer itself."""
        return IN_TABLE.match(subquery) is not None

    def second(self, question: str, subquery: str, entity: str) -> str | None:
        """Return the question for the passage, once the row's cell is known; None after another kind of subquery."""
        return f"About {entity}, as the row says: {question}" if FIRST.match(subquery) else None

    def reads_passage(self, task: SqlTask) -> bool:
        """Tell whether a subquery asks a passage, which no statement can answer."""
        return task.subquery != task.question and SECOND.match(task.subquery) is not None

    def statement(self, task: SqlTask) -> tuple[HopReading, str] | None:
        """Return the likeliest reading and its SELECT: of the cell that names the passage, or of the answer itself.

        None where tables alone may answer, and for subqueries that are no hop.
        """
        if not asks_row(task):
            return None
        reading = self.reader.read(task.question, task.schemas, task.hints)
        if reading is None or not reading.needs_text:
            return None
        if reading.best.passage is not None and not FIRST.match(task.subquery):
            reading = replace(reading, confidence=0.0)  # the cell that names a passage is no answer
        return reading, row_statement(reading)

    def unread(self, task: ValidateTask) -> ValidateTask:
        """Return the task without the passages of which an unsure reading says that rows are needed to choose one.

        A sentence alone does not tell whose passage is meant.
        """
        reading = self.reader.read(task.question, task.schemas) if task.result is None else None
        if reading is None or not reading.needs_text:
            return task
        left = tuple(c for c in task.chunks if c.id not in reading.passage_ids)
        return replace(task, chunks=left, error=task.error or reading.doubt)

    def validation(self, task: ValidateTask) -> Validation | None:
        """Return the answer off a passage, or what a row found by a passage says; None for what is no second hop."""
        asked = SECOND.match(task.subquery) if task.subquery != task.question else None
        if asked:
            entity = asked["entity"]
            about = self.reader.read_about(task.question, entity, task.schemas, task.chunks)
            return _off_passage(about, entity) if about else None
        if not asks_row(task):
            return None
        reading = self.reader.read(task.question, task.schemas)
        if reading is None or task.result is None or len(task.result.rows) != 1 or not reading.needs_text:
            return None
        if str(task.result.rows[0][0]) != reading.best.cell.text:
            return None
        return _of_row(reading)


def asks_row(task: SqlTask | ValidateTask) -> bool:
    """Tell whether a subquery is the question itself or asks for its row."""
    asked = task.subquery
    return asked == task.question or FIRST.match(asked) is not None or IN_TABLE.match(asked) is not None


def _off_passage(reading: HopReading, entity: str) -> Validation | None:
    best = reading.best
    if best.passage is None:
        return None
    reason = f"Read off the passage about {entity}, which the row names: “{best.sentence}”"
    return Validation(best.text, "text_only", reason, (_cited(best.passage.chunk, best.sentence),))


def _of_row(reading: HopReading) -> Validation:
    """Say by what the row was found, and cite the passage that tells it."""
    best = reading.best
    cells = " and ".join(f"{_header(reading, c)} is {c.text!r}" for c in row_condition(reading))
    reason = f"Found by SQL in the row where {cells}."
    if best.by is None or best.by.passage is None or best.told_by_passage < TOLD:
        return Validation(best.cell.text, "sql_only", reason)
    sentence = telling_sentence(reading.asked, best.by.passage)
    reason += f" That this row is meant, the passage about {best.by.text} tells: “{sentence}”"
    return Validation(best.cell.text, "sql_only", reason, (_cited(best.by.passage.chunk, sentence),))


def _header(reading: HopReading, cell: CellText) -> str:
    return reading.best.schema.columns[cell.column].header or "its first cell"


def _cited(chunk: Chunk, sentence: str) -> Citation:
    return Citation(source=chunk.source, locator=chunk.locator, quote=sentence, chunk_id=chunk.id)
