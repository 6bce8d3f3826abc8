"""Where HD-RAG's graph goes next: pure functions of the state."""

from typing import Literal

from tablerag.agent.hd_rag.state import HdRagState

__all__ = ["after_find_documents", "after_select_document"]


def after_find_documents(state: HdRagState) -> Literal["select_document", "answer"]:
    """Without a candidate there is nothing to choose from."""
    return "select_document" if state["candidates"] else "answer"


def after_select_document(state: HdRagState) -> Literal["recap", "answer"]:
    """Without a chosen document there is nothing to read."""
    return "answer" if state["chosen"] is None else "recap"
