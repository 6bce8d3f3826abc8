"""decompose: choose the next step, or say that enough is known (TableRAG, section 3.3)."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.context import Context
from tablerag.agent.excerpts import opening_chars
from tablerag.agent.ports import ConfirmedFor, Extracts, Hints, Joins, Mentions, OtherTables, Overview, ReasonerFor
from tablerag.agent.reasoning import Confirmed, DecomposeTask, Enough, Subquery, Validation
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import (
    add_usage,
    chunks_of,
    dialogue_of,
    dump,
    dump_settled,
    plan_of,
    said_more,
    schemas_of,
    steps_of,
)
from tablerag.agent.state import State
from tablerag.agent.turns import CLEARED
from tablerag.tools.records import Chunk

__all__ = ["decompose"]


def decompose(
    state: State,
    runtime: Runtime[Context],
    *,
    reasoner_for: ReasonerFor,
    overview: Overview,
    hints: Hints,
    joins: Joins,
    extracts: Extracts,
    mentions: Mentions,
    confirmed: ConfirmedFor,
    other_tables: OtherTables,
) -> dict[str, Any]:
    """Retrieve evidence for the question itself, once, then ask the reasoner for the next step.

    A step that cross_validate already decided on is taken without asking.
    """
    decided = plan_of(state.get("next"))
    if decided is not None:
        return _begun(state, runtime, decided) | {"next": None}
    context = context_of(runtime, Context)
    reasoner = reasoner_for(context)
    update = {} if state["steps"] else _overview(state, context, overview)
    found: dict[str, Any] = {**state, **update}
    chunks, schemas = chunks_of(found["overview_chunks"]), schemas_of(found["overview_schemas"])
    shown = {}
    if reasoner.converses and not state.get("told"):
        examples = tuple(confirmed(state["understood"], context))
        same = next((c for c in examples if c.is_same), None)
        if same is not None and schemas and not state["steps"]:
            return update | _as_confirmed(state, runtime, same, update["overview_schemas"])
        update["examples"] = [f"{c.question} {c.sql}" for c in examples]
        update["confirmed_sql"] = [c.sql for c in examples]
        linked = tuple(hints(state["understood"], schemas))
        seen = {m.name for s in schemas for m in (s, *s.members)}
        shown = {
            "hints": linked,
            "joins": tuple(joins(schemas)),
            "confirmed": examples,
            "mentions": tuple(mentions(state["understood"], context)),
            "extracts": tuple(extracts(state["understood"], schemas, linked, False)),
            "other_tables": tuple(s for s in other_tables(context) if s.name not in seen) if schemas else (),
        }
    thought = reasoner.decompose(
        DecomposeTask(
            question=state["understood"],
            schemas=schemas,
            chunks=chunks,
            steps=steps_of(state),
            iterations_left=state["max_iterations"] - state["iteration"],
            told=state.get("told", ""),
            dialogue=dialogue_of(state),
            **shown,
        )
    )
    update |= {"usage": add_usage(state, thought.usage), "dialogue": said_more(state, thought.said), "told": ""}
    return update | _taken(state, runtime, thought.value)


def _overview(state: State, context: Context, overview: Overview) -> dict[str, Any]:
    """Retrieve evidence for the question itself."""
    chunks, schemas = overview(state["understood"], context) if context.context_sensitive else ((), ())
    schemas = schemas if context.sql_execution else ()
    return {"overview_chunks": dump(chunks), "overview_schemas": dump(schemas), "shown_whole": _whole(chunks)}


def _as_confirmed(
    state: State, runtime: Runtime[Context], same: Confirmed, schemas: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return the update that runs the statement that a person confirmed: no model decides on it again."""
    runtime.stream_writer(events.subquery(1, state["understood"]))
    runtime.stream_writer(events.sql(1, 1, same.sql))
    return {
        **CLEARED,
        "chosen": {"sql": same.sql, "meaning": same.question, "reason": same.note, "failing": same.failing},
        "schemas": schemas,
        "subquery": state["understood"],
        "candidate_sql": same.sql,
        "iteration": 1,
    }


def _whole(chunks: Sequence[Chunk]) -> list[str]:
    """Return the ids of the chunks that the first message shows whole."""
    return [c.id for place, c in enumerate(chunks) if len(c.text) <= opening_chars(place)]


def _taken(state: State, runtime: Runtime[Context], value: Subquery | Validation | Enough) -> dict[str, Any]:
    """Return the update for what the reasoner decided."""
    if isinstance(value, Enough):
        draft = {"answer": value.answer, "reason": value.reason, "stopped_by": value.stopped_by}
        return CLEARED | {"subquery": None, "draft": draft}
    if isinstance(value, Validation):
        return _begun(state, runtime, Subquery(state["understood"])) | {"settled": dump_settled(value)}
    return _begun(state, runtime, value)


def _begun(state: State, runtime: Runtime[Context], step: Subquery) -> dict[str, Any]:
    """Return the update that begins an iteration with a step."""
    runtime.stream_writer(events.subquery(state["iteration"] + 1, step.text))
    plan = asdict(step) if step.sql or step.find else None
    return CLEARED | {"subquery": step.text, "iteration": state["iteration"] + 1, "plan": plan}
