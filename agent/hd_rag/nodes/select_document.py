"""select_document: select one of the candidates (HD-RAG, section 3.2, second stage)."""

from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent.hd_rag import events
from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.ports import HdRagReasonerFor, ReadDocument
from tablerag.agent.hd_rag.reasoning import RecapTask, SelectTask
from tablerag.agent.hd_rag.rendering import recap_task
from tablerag.agent.hd_rag.state import HdRagState
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import add_usage
from tablerag.tools.document_search import FoundDocument

__all__ = ["select_document"]


def select_document(
    state: HdRagState, runtime: Runtime[HdRagContext], *, reasoner_for: HdRagReasonerFor, read: ReadDocument
) -> dict[str, Any]:
    """Ask the reasoner which document answers the question; it may select none."""
    context, question = context_of(runtime, HdRagContext), state["asked"]
    documents = tuple(FoundDocument(**d) for d in state["candidates"])

    def read_whole(place: int) -> RecapTask:
        return recap_task(question, read(documents[place].document_id, question, context))

    thought = reasoner_for(context).select(SelectTask(question, documents, read_whole))
    place, reason = thought.value.place, thought.value.reason
    source = documents[place].source if place is not None else ""
    runtime.stream_writer(events.document(source, reason))
    return {
        "chosen": place,
        "document": source,
        "selected_because": reason,
        "usage": add_usage(state, thought.usage),
    }
