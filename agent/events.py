"""Custom stream events of a run (``stream_mode="custom"``), in order of occurrence.

Every event is a plain dict with a ``type``; those within an iteration carry its number, from 1. Keys may be added,
none is renamed or removed. What comes out of documents or a model is in them as it is: whoever shows it escapes it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tablerag.tools.records import Chunk, SqlResult, TableSchema

__all__ = ["SHOWN_ROWS", "answer", "evidence", "rows", "sql", "sql_error", "subquery", "turn", "verdict"]

Event = dict[str, Any]
SHOWN_ROWS = 20
TEXT_CHARS = 600


def turn(question: str, understood: str, corpus: str, model: str) -> Event:
    """A turn begins: ``understood`` is the question as it is put to the documents, follow-ups spelled out.

    ``corpus`` is "" for the deployment's own.
    """
    return {"type": "turn", "question": question, "understood": understood, "corpus": corpus, "model": model}


def subquery(iteration: int, text: str) -> Event:
    """An iteration begins with this subquery."""
    return {"type": "subquery", "iteration": iteration, "subquery": text}


def evidence(iteration: int, chunks: Sequence[Chunk], schemas: Sequence[TableSchema]) -> Event:
    """What was retrieved: chunks, numbered from 1, and the tables that they map to."""
    tables = [{"name": s.name, "title": s.title, "source": s.source, "rows": s.row_count} for s in schemas]
    found = [
        {"number": number, "kind": c.kind, "source": c.source, "locator": c.locator, "title": c.title}
        | {"text": c.text[:TEXT_CHARS]}
        for number, c in enumerate(chunks, start=1)
    ]
    return {"type": "evidence", "iteration": iteration, "tables": tables, "chunks": found}


def sql(iteration: int, attempt: int, statement: str) -> Event:
    """A statement was written; ``attempt`` is 1 for the first and grows with every repair."""
    return {"type": "sql", "iteration": iteration, "attempt": attempt, "sql": statement}


def sql_error(iteration: int, attempt: int, statement: str, error: str) -> Event:
    """A statement was refused, failed, or returned no rows because a value is misspelled."""
    return {"type": "sql_error", "iteration": iteration, "attempt": attempt, "sql": statement, "error": error}


def rows(iteration: int, result: SqlResult) -> Event:
    """A statement ran: the first SHOWN_ROWS of its ``row_count`` rows; ``truncated`` when still more exist."""
    shown = [list(row) for row in result.rows[:SHOWN_ROWS]]
    about = {"row_count": len(result.rows), "truncated": result.truncated, "sql": result.sql}
    return {"type": "rows", "iteration": iteration, "columns": list(result.columns), "rows": shown} | about


def verdict(step: Mapping[str, Any]) -> Event:
    """An iteration ends: ``cause`` says why it has no answer, ``conflict_cause`` why SQL and text differ."""
    told = ("iteration", "verdict", "intermediate_answer", "reason", "cause", "conflict_cause")
    return {"type": "verdict"} | {key: step[key] for key in told}


def answer(outcome: Mapping[str, Any]) -> Event:
    """The turn ends; its tokens come in the messages stream."""
    told = ("answer", "verdict", "explanation", "iterations", "stopped_by")
    return {"type": "answer"} | {key: outcome[key] for key in told}
