"""decompose: choose the next subquery, or say that enough is known (TableRAG, section 3.3)."""

from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.context import Context
from tablerag.agent.ports import Overview, ReasonerFor
from tablerag.agent.reasoning import DecomposeTask, Enough
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import add_usage, chunks_of, dump, schemas_of, steps_of
from tablerag.agent.state import State
from tablerag.agent.turns import CLEARED

__all__ = ["decompose"]


def decompose(
    state: State, runtime: Runtime[Context], *, reasoner_for: ReasonerFor, overview: Overview
) -> dict[str, Any]:
    """Retrieve evidence for the question itself, once, then ask the reasoner for the next subquery."""
    context = context_of(runtime, Context)
    reasoner = reasoner_for(context)
    update: dict[str, Any] = {}
    if state["steps"]:
        chunks, schemas = chunks_of(state["overview_chunks"]), schemas_of(state["overview_schemas"])
    else:
        chunks, schemas = overview(state["understood"], context) if context.context_sensitive else ((), ())
        update = {"overview_chunks": dump(chunks), "overview_schemas": dump(schemas)}
    thought = reasoner.decompose(
        DecomposeTask(
            question=state["understood"],
            schemas=tuple(schemas),
            chunks=tuple(chunks),
            steps=steps_of(state),
            iterations_left=state["max_iterations"] - state["iteration"],
        )
    )
    update |= CLEARED | {"usage": add_usage(state, thought.usage)}
    if isinstance(thought.value, Enough):
        enough = thought.value
        draft = {"answer": enough.answer, "reason": enough.reason, "stopped_by": enough.stopped_by}
        return update | {"subquery": None, "draft": draft}
    runtime.stream_writer(events.subquery(state["iteration"] + 1, thought.value.text))
    return update | {"subquery": thought.value.text, "iteration": state["iteration"] + 1}
