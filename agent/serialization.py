"""Converts between the JSON-safe values of the state and the records that reasoners and tools take."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel

from tablerag.agent.reasoning import AskBack, Said, Step, Subquery, Turn, Usage, Validation
from tablerag.agent.state import State, UsageState
from tablerag.tools.records import Chunk, Citation, SqlResult, SupportingRows, TableExtract, TableSchema

__all__ = [
    "add_usage",
    "chunks_of",
    "dialogue_of",
    "dump",
    "dump_settled",
    "extracts_of",
    "plan_of",
    "said_more",
    "schemas_of",
    "settled_of",
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


def extracts_of(stored: Sequence[dict[str, Any]] | None) -> tuple[TableExtract, ...]:
    """Return the extracts that state holds."""
    return tuple(TableExtract(**p) for p in stored or ())


def dialogue_of(state: State) -> tuple[Said, ...]:
    """Return the question's conversation so far."""
    return tuple(Said(**s) for s in state.get("dialogue") or ())  # type: ignore[arg-type]


def said_more(state: Mapping[str, Any], said: Sequence[Said]) -> list[dict[str, str]]:
    """Return the conversation with what was said now."""
    return [*(state.get("dialogue") or []), *map(asdict, said)]


def plan_of(stored: Mapping[str, Any] | None) -> Subquery | None:
    """Return the step that state holds."""
    return Subquery(**{**stored, "find": tuple(stored["find"])}) if stored else None


def dump_settled(validation: Validation) -> dict[str, Any]:
    """Return a final validation as a dict."""
    kept = ("intermediate_answer", "verdict", "reason", "cause", "formula", "assumption")
    ask = asdict(validation.ask) if validation.ask else None
    return {k: getattr(validation, k) for k in kept} | {"citations": dump(validation.citations), "ask": ask}


def settled_of(stored: Mapping[str, Any]) -> Validation:
    """Return the final validation that state holds."""
    ask = AskBack(stored["ask"]["question"], tuple(stored["ask"]["choices"])) if stored["ask"] else None
    citations = tuple(Citation(**c) for c in stored["citations"])
    return Validation(**{**stored, "citations": citations, "ask": ask}, final=True)


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
