"""Custom stream events of a run (``stream_mode="custom"``), in order of occurrence.

Every event is a dict of one record below, identified by its ``type``; events within an iteration have its number, from
1. ``text`` is enough to show an event, so terminal and page also show events that they do not know. Keys may be added,
but none is renamed or removed. Text of documents and models is not escaped: escape it before you show it.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from tablerag.agent.disagreement import ConflictCause
from tablerag.agent.reasoning import Verdict
from tablerag.tools.counting import counted
from tablerag.tools.records import Cell, Chunk, ChunkKind, Record, SqlResult, TableSchema

__all__ = [
    "ANSWER_KEYS",
    "SHOWN_ROWS",
    "Conflict",
    "EvidenceEvent",
    "FoundChunk",
    "FoundTable",
    "OfferedReading",
    "ReadingsEvent",
    "RetryEvent",
    "RowsEvent",
    "SqlErrorEvent",
    "SqlEvent",
    "StepEvent",
    "StreamEvent",
    "SubqueryEvent",
    "TurnEvent",
    "VerdictEvent",
    "answer",
    "event_of",
    "evidence",
    "readings",
    "retry",
    "rows",
    "sql",
    "sql_error",
    "subquery",
    "turn",
    "verdict",
]

Event = dict[str, Any]
SHOWN_ROWS = 20
TEXT_CHARS = 600
ANSWER_KEYS = ("answer", "verdict", "explanation", "readings", "iterations", "stopped_by")
"""Keys of the last event, which has no record here: clients make an Answer of the graph's outcome."""


class StreamEvent(Record):
    """Keys of every event."""

    text: str
    """The event in one line; "" if it need not be shown."""


class TurnEvent(StreamEvent):
    """A turn begins; ``understood`` is the question with follow-ups spelled out, ``corpus`` "" for the default."""

    type: Literal["turn"] = "turn"
    question: str
    understood: str
    corpus: str
    model: str


class RetryEvent(StreamEvent):
    """The model did not answer: it is asked again after a pause. May occur at any time."""

    type: Literal["retry"] = "retry"
    pause_s: float


class SubqueryEvent(StreamEvent):
    """An iteration begins with this subquery."""

    type: Literal["subquery"] = "subquery"
    iteration: int
    subquery: str


class FoundTable(Record):
    """A table that was retrieved."""

    name: str
    title: str
    source: str
    rows: int


class FoundChunk(Record):
    """A chunk that was retrieved, numbered from 1, with the beginning of its text."""

    number: int
    kind: ChunkKind
    source: str
    locator: str
    title: str
    text: str


class EvidenceEvent(StreamEvent):
    """What was retrieved: chunks, and the tables that they map to."""

    type: Literal["evidence"] = "evidence"
    iteration: int
    tables: tuple[FoundTable, ...]
    chunks: tuple[FoundChunk, ...]


class SqlEvent(StreamEvent):
    """A statement was written; ``attempt`` is 1 for the first and grows with every repair."""

    type: Literal["sql"] = "sql"
    iteration: int
    attempt: int
    sql: str


class SqlErrorEvent(StreamEvent):
    """A statement was refused, failed, or returned no rows because a value is misspelled."""

    type: Literal["sql_error"] = "sql_error"
    iteration: int
    attempt: int
    sql: str
    error: str


class OfferedReading(Record):
    """One way to read the question: what it computes, in the document's words, and its value as text."""

    meaning: str
    text: str


class ReadingsEvent(StreamEvent):
    """No statement is sure: what the question may mean, likeliest first."""

    type: Literal["readings"] = "readings"
    iteration: int
    readings: tuple[OfferedReading, ...]


class RowsEvent(StreamEvent):
    """A statement ran: at most 20 of its ``row_count`` rows; ``truncated`` if it was cut off at the row limit."""

    type: Literal["rows"] = "rows"
    iteration: int
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    row_count: int
    truncated: bool
    sql: str


class Conflict(Record):
    """Why SQL and text differ: a cause by name, "" if unknown, and a sentence that explains it."""

    cause: ConflictCause = ""
    says: str = ""


class VerdictEvent(StreamEvent):
    """An iteration ends: ``cause`` says why it has no answer, ``conflict_cause`` why SQL and text differ."""

    type: Literal["verdict"] = "verdict"
    iteration: int
    verdict: Verdict
    intermediate_answer: str
    reason: str
    cause: str
    conflict_cause: Conflict


StepEvent = (
    TurnEvent
    | RetryEvent
    | SubqueryEvent
    | EvidenceEvent
    | SqlEvent
    | SqlErrorEvent
    | ReadingsEvent
    | RowsEvent
    | VerdictEvent
)
READ: TypeAdapter[StepEvent] = TypeAdapter(Annotated[StepEvent, Field(discriminator="type")])


def event_of(event: Mapping[str, Any]) -> StepEvent | None:
    """Return the record of an event; None for the end of the turn, whose outcome is the graph's output."""
    return None if event["type"] == "answer" else READ.validate_python(event)


def turn(question: str, understood: str, corpus: str, model: str) -> Event:
    """Return the event that begins a turn."""
    text = "" if understood == question else f"Understood as: {understood}"
    return _dict(TurnEvent(question=question, understood=understood, corpus=corpus, model=model, text=text))


def retry(pause_s: float) -> Event:
    """Return the event of a model that is asked again."""
    return _dict(RetryEvent(pause_s=round(pause_s, 1), text="The language model did not answer: asking it again"))


def subquery(iteration: int, text: str) -> Event:
    """Return the event that begins an iteration."""
    return _dict(SubqueryEvent(iteration=iteration, subquery=text, text=f"Step {iteration}: {text}"))


def evidence(iteration: int, chunks: Sequence[Chunk], schemas: Sequence[TableSchema]) -> Event:
    """Return the event of what was retrieved."""
    tables = tuple(FoundTable(name=s.name, title=s.title, source=s.source, rows=s.row_count) for s in schemas)
    found = tuple(
        FoundChunk(
            number=number, kind=c.kind, source=c.source, locator=c.locator, title=c.title, text=c.text[:TEXT_CHARS]
        )
        for number, c in enumerate(chunks, start=1)
    )
    text = f"Found {', '.join(t.title or t.source for t in tables) or 'no table'} and {counted(len(found), 'passage')}"
    return _dict(EvidenceEvent(iteration=iteration, tables=tables, chunks=found, text=text))


def sql(iteration: int, attempt: int, statement: str) -> Event:
    """Return the event of a written statement."""
    text = "Running SQL" if attempt == 1 else "Running the corrected SQL"
    return _dict(SqlEvent(iteration=iteration, attempt=attempt, sql=statement, text=text))


def sql_error(iteration: int, attempt: int, statement: str, error: str) -> Event:
    """Return the event of a statement that was refused, failed, or returned no rows because a value is misspelled."""
    about = {"iteration": iteration, "attempt": attempt, "sql": statement, "error": error}
    return _dict(SqlErrorEvent(**about, text=f"SQL failed: {error}"))


def readings(iteration: int, found: Sequence[Mapping[str, Any]]) -> Event:
    """Return the event of a question that may mean several things."""
    offered = tuple(OfferedReading(meaning=r["meaning"], text=r["text"]) for r in found)
    text = f"Found {counted(len(offered), 'possible reading')}"
    return _dict(ReadingsEvent(iteration=iteration, readings=offered, text=text))


def rows(iteration: int, result: SqlResult) -> Event:
    """Return the event of a statement's rows."""
    about = {"row_count": len(result.rows), "truncated": result.truncated, "sql": result.sql}
    text = f"Found {counted(len(result.rows), 'row')}{' and more' * result.truncated}"
    shown = result.rows[:SHOWN_ROWS]
    return _dict(RowsEvent(iteration=iteration, columns=result.columns, rows=shown, text=text, **about))


def verdict(step: Mapping[str, Any]) -> Event:
    """Return the event that ends an iteration."""
    keys = ("iteration", "verdict", "intermediate_answer", "reason", "cause", "conflict_cause")
    shown = step.get("presented") or {}
    text = shown["text"] if shown.get("plain") == step["intermediate_answer"] else step["intermediate_answer"]
    return _dict(VerdictEvent(**{k: step[k] for k in keys}, text=text or "No answer"))


def answer(outcome: Mapping[str, Any]) -> Event:
    """Return the event that ends the turn; its tokens are in the messages stream."""
    return {"type": "answer"} | {key: outcome[key] for key in ANSWER_KEYS}


def _dict(event: Record) -> Event:
    return event.model_dump(mode="json")
