"""retrieve: gather a subquery's chunks and the schemas that they map to (TableRAG, section 3.3)."""

from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.context import Context
from tablerag.agent.ports import Search
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import dump
from tablerag.agent.state import State
from tablerag.agent.tool_messages import search_messages

__all__ = ["retrieve"]


def retrieve(state: State, runtime: Runtime[Context], *, search: Search) -> dict[str, Any]:
    """Recall, rerank and map: the evidence of the current subquery."""
    context, subquery = context_of(runtime, Context), state["subquery"] or ""
    chunks, schemas = search(subquery, context, state["understood"])
    if not context.sql_execution:
        schemas = ()  # no schema, no SQL
    runtime.stream_writer(events.evidence(state["iteration"], chunks, schemas))
    messages = search_messages(subquery, chunks)
    return {"chunks": dump(chunks), "schemas": dump(schemas), "messages": messages}
