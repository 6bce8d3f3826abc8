"""Converts between the JSON-safe values of the state and the records that reasoners and tools take."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel

from tablerag.agent.reasoning import Step, Turn, Usage
from tablerag.agent.state import State, UsageState
from tablerag.tools.records import Chunk, SqlResult, SupportingRows, TableSchema

__all__ = [
    "add_usage",
    "chunks_of",
    "dump",
    "schemas_of",
    "steps_of",
    "supporting_of",
    "turns_of",
]

HISTORY_TURNS = 5
"""Earlier turns that a reasoner sees."""


def dump(records: Iterable[BaseModel]) -> list[dict[str, Any]]:
    """Return the records as dicts."""
    return [record.model_dump(mode="json") for record in records]


def chunks_of(stored: Sequence[dict[str, Any]] | None) -> tuple[Chunk, ...]:
    """Return the chunks that state holds."""
    return tuple(Chunk(**p) for p in stored or ())


def schemas_of(stored: Sequence[dict[str, Any]] | None) -> tuple[TableSchema, ...]:
    """Return the schemas that state holds."""
    return tuple(TableSchema(**p) for p in stored or ())


def supporting_of(stored: Sequence[dict[str, Any]] | None) -> tuple[SupportingRows, ...]:
    """Return the supporting rows that state holds."""
    return tuple(SupportingRows(**p) for p in stored or ())


def steps_of(state: State) -> tuple[Step, ...]:
    """Return the finished iterations as a reasoner sees them."""
    return tuple(
        Step(
            subquery=s["subquery"],
            intermediate_answer=s["intermediate_answer"],
            verdict=s["verdict"],
            reason=s["reason"],
            sql=s["sql"],
            result=SqlResult.model_validate({k: s[k] for k in ("sql", "columns", "rows", "truncated")})
            if s["sql"] and not s["error"]
            else None,
        )
        for s in state.get("steps") or ()
    )


def turns_of(state: State) -> tuple[Turn, ...]:
    """Return the thread's latest turns, oldest first."""
    turns = (state.get("history") or [])[-HISTORY_TURNS:]
    return tuple(Turn(question=t.get("understood", t["question"]), answer=t["answer"]) for t in turns)


def add_usage(state: Mapping[str, Any], usage: Usage) -> UsageState:
    """Return the run's usage with one more thought's cost."""
    return UsageState(**asdict(Usage(**state["usage"]) + usage))
