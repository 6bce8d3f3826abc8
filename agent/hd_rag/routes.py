"""HD-RAG's routers: pure functions of the state."""

from typing import Literal

from tablerag.agent.hd_rag.state import HdRagState

__all__ = ["after_find_documents", "after_select_document"]


def after_find_documents(state: HdRagState) -> Literal["select_document", "answer"]:
    """Select a document, if there are candidates."""
    return "select_document" if state["candidates"] else "answer"


def after_select_document(state: HdRagState) -> Literal["recap", "answer"]:
    """Read the selected document, if there is one."""
    return "answer" if state["chosen"] is None else "recap"
