"""recap: read the selected document and answer by RECAP, in one reply (HD-RAG, section 3.3)."""

from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent.hd_rag import events
from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.ports import HdRagReasonerFor, ReadDocument
from tablerag.agent.hd_rag.rendering import recap_task
from tablerag.agent.hd_rag.state import RECAP, HdRagState
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import add_usage

__all__ = ["recap"]


def recap(
    state: HdRagState, runtime: Runtime[HdRagContext], *, reasoner_for: HdRagReasonerFor, read: ReadDocument
) -> dict[str, Any]:
    """Ask the reasoner to restate, extract, compute, answer and present the formula."""
    context = context_of(runtime, HdRagContext)
    chosen = state["chosen"]
    assert chosen is not None, "after_select_document leads here only with a document"
    document = read(state["candidates"][chosen]["document_id"], state["asked"], context)
    thought = reasoner_for(context).recap(recap_task(state["asked"], document))
    made = RECAP.dump_python(thought.value, mode="json")
    runtime.stream_writer(events.recap(made))
    return {"recap": made, "usage": add_usage(state, thought.usage)}
