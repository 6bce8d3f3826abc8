"""What the baselines over one whole document share: they find it as HD-RAG does, and take the first one found."""

from typing import Any, Literal

from langgraph.runtime import Runtime

from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.ports import FindDocuments, ReadDocument
from tablerag.agent.hd_rag.rendering import recap_task
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import dump
from tablerag.graphs.baselines.state import BaselineState, answered, begun

__all__ = ["DocumentState", "after_read", "read"]


class DocumentState(BaselineState):
    """What the nodes share."""

    passages: list[dict[str, Any]]
    """The document's tables as Markdown, then its texts."""
    attempts: list[dict[str, str]]
    program: str


def read(
    state: DocumentState, runtime: Runtime[HdRagContext], *, find: FindDocuments, read: ReadDocument
) -> dict[str, Any]:
    """Read the document with the best evidence, without selection by a model; without one the run ends."""
    context, question = context_of(runtime, HdRagContext), begun(state)
    found = find(question, context)
    update = {"documents": [d.source for d in found], "iterations": 0, "attempts": [], "stopped_by": ""}
    if not found:
        return update | answered("", "no document found")
    document = read(found[0].document_id, question, context)
    return update | {"passages": dump(recap_task(question, document).passages)}


def after_read(state: DocumentState) -> Literal["answer", "__end__"]:
    """Answer, or end."""
    return "__end__" if state["stopped_by"] else "answer"
