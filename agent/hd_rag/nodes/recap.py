"""recap: read the chosen document and answer by RECAP, in one reply (HD-RAG, section 3.3)."""

from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent.hd_rag import events
from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.document_view import task_over
from tablerag.agent.hd_rag.ports import HdRagReasonerFor, ReadDocument
from tablerag.agent.hd_rag.state import HdRagState
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import add_usage

__all__ = ["recap"]


def recap(
    state: HdRagState, runtime: Runtime[HdRagContext], *, reasoner_for: HdRagReasonerFor, read: ReadDocument
) -> dict[str, Any]:
    """Ask the reasoner to restate, extract, compute, answer and present the formula."""
    context = context_of(runtime, HdRagContext)
    document = read(state["candidates"][state["chosen"]]["document_id"], state["asked"], context)
    thought = reasoner_for(context).recap(task_over(state["asked"], document))
    value = thought.value
    lists = {"extracted": list(value.extracted), "answer": list(value.answer)}
    made = asdict(value) | lists | {"citations": [c.model_dump() for c in value.citations]}
    runtime.stream_writer(events.recap(made))
    return {"recap": made, "usage": add_usage(state, thought.usage)}
