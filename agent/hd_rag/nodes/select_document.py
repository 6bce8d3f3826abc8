"""select_document: choose one of the candidates (HD-RAG, section 3.2, second stage)."""

from typing import Any

from langgraph.runtime import Runtime

from agent.hd_rag import events
from agent.hd_rag.context import HdRagContext
from agent.hd_rag.ports import HdRagReasonerFor
from agent.hd_rag.reasoning import SelectTask
from agent.hd_rag.state import HdRagState
from agent.plain import add_usage
from tools.document_search import FoundDocument

__all__ = ["select_document"]


def select_document(
    state: HdRagState, runtime: Runtime[HdRagContext], *, reasoner_for: HdRagReasonerFor
) -> dict[str, Any]:
    """Ask the reasoner which document answers the question."""
    documents = tuple(FoundDocument(**d) for d in state["candidates"])
    thought = reasoner_for(runtime.context or HdRagContext()).select(SelectTask(state["asked"], documents))
    chosen = documents[thought.value.place]
    runtime.stream_writer(events.document(chosen.source, thought.value.reason))
    return {
        "chosen": thought.value.place,
        "document": chosen.source,
        "selected_because": thought.value.reason,
        "usage": add_usage(state, thought.usage),
    }
