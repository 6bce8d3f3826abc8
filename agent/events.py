"""Custom stream events of a run (``stream_mode="custom"``), in order of occurrence.

Every event is the plain dict of one record below, told apart by its ``type``; those within an iteration carry its
number, from 1. Keys may be added, none is renamed or removed. What comes out of documents or a model is in them as it
is: whoever shows it escapes it.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from tablerag.agent.disagreement import ConflictCause
from tablerag.agent.reasoning import Verdict
from tablerag.tools.records import Cell, Chunk, ChunkKind, Record, SqlResult, TableSchema

__all__ = [
    "SHOWN_ROWS",
    "Conflict",
    "EvidenceEvent",
    "FoundChunk",
    "FoundTable",
    "RowsEvent",
    "SqlErrorEvent",
    "SqlEvent",
    "StepEvent",
    "SubqueryEvent",
    "TurnEvent",
    "VerdictEvent",
    "answer",
    "event_of",
    "evidence",
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


class TurnEvent(Record):
    """A turn begins."""

    type: Literal["turn"] = "turn"
    question: str
    understood: str
    """The question as it is put to the documents, follow-ups spelled out."""
    corpus: str
    """"" for the deployment's own."""
    model: str


class SubqueryEvent(Record):
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


class EvidenceEvent(Record):
    """What was retrieved: chunks, and the tables that they map to."""

    type: Literal["evidence"] = "evidence"
    iteration: int
    tables: tuple[FoundTable, ...]
    chunks: tuple[FoundChunk, ...]


class SqlEvent(Record):
    """A statement was written; ``attempt`` is 1 for the first and grows with every repair."""

    type: Literal["sql"] = "sql"
    iteration: int
    attempt: int
    sql: str


class SqlErrorEvent(Record):
    """A statement was refused, failed, or returned no rows because a value is misspelled."""

    type: Literal["sql_error"] = "sql_error"
    iteration: int
    attempt: int
    sql: str
    error: str


class RowsEvent(Record):
    """A statement ran: the first SHOWN_ROWS of its ``row_count`` rows; ``truncated`` when still more exist."""

    type: Literal["rows"] = "rows"
    iteration: int
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    row_count: int
    truncated: bool
    sql: str


class Conflict(Record):
    """Why SQL and text differ: a cause by name, "" where none can be told, and a sentence that says it."""

    cause: ConflictCause = ""
    says: str = ""


class VerdictEvent(Record):
    """An iteration ends: ``cause`` says why it has no answer, ``conflict_cause`` why SQL and text differ."""

    type: Literal["verdict"] = "verdict"
    iteration: int
    verdict: Verdict
    intermediate_answer: str
    reason: str
    cause: str
    conflict_cause: Conflict


StepEvent = TurnEvent | SubqueryEvent | EvidenceEvent | SqlEvent | SqlErrorEvent | RowsEvent | VerdictEvent
READ: TypeAdapter[StepEvent] = TypeAdapter(Annotated[StepEvent, Field(discriminator="type")])


def event_of(plain: Mapping[str, Any]) -> StepEvent | None:
    """Return the record of a plain event; None for the end of the turn, which the graph's outcome tells in full."""
    return None if plain["type"] == "answer" else READ.validate_python(plain)


def turn(question: str, understood: str, corpus: str, model: str) -> Event:
    """Tell that a turn begins."""
    return _plain(TurnEvent(question=question, understood=understood, corpus=corpus, model=model))


def subquery(iteration: int, text: str) -> Event:
    """Tell that an iteration begins."""
    return _plain(SubqueryEvent(iteration=iteration, subquery=text))


def evidence(iteration: int, chunks: Sequence[Chunk], schemas: Sequence[TableSchema]) -> Event:
    """Tell what was retrieved."""
    tables = tuple(FoundTable(name=s.name, title=s.title, source=s.source, rows=s.row_count) for s in schemas)
    found = tuple(
        FoundChunk(
            number=number, kind=c.kind, source=c.source, locator=c.locator, title=c.title, text=c.text[:TEXT_CHARS]
        )
        for number, c in enumerate(chunks, start=1)
    )
    return _plain(EvidenceEvent(iteration=iteration, tables=tables, chunks=found))


def sql(iteration: int, attempt: int, statement: str) -> Event:
    """Tell that a statement was written."""
    return _plain(SqlEvent(iteration=iteration, attempt=attempt, sql=statement))


def sql_error(iteration: int, attempt: int, statement: str, error: str) -> Event:
    """Tell that a statement was refused, failed, or returned no rows because a value is misspelled."""
    return _plain(SqlErrorEvent(iteration=iteration, attempt=attempt, sql=statement, error=error))


def rows(iteration: int, result: SqlResult) -> Event:
    """Tell what a statement returned."""
    about = {"row_count": len(result.rows), "truncated": result.truncated, "sql": result.sql}
    return _plain(RowsEvent(iteration=iteration, columns=result.columns, rows=result.rows[:SHOWN_ROWS], **about))


def verdict(step: Mapping[str, Any]) -> Event:
    """Tell that an iteration ends."""
    told = ("iteration", "verdict", "intermediate_answer", "reason", "cause", "conflict_cause")
    return _plain(VerdictEvent(**{key: step[key] for key in told}))


def answer(outcome: Mapping[str, Any]) -> Event:
    """Tell that the turn ends; its tokens come in the messages stream."""
    told = ("answer", "verdict", "explanation", "iterations", "stopped_by")
    return {"type": "answer"} | {key: outcome[key] for key in told}


def _plain(event: Record) -> Event:
    return event.model_dump(mode="json")
