"""The reasoner of an HD-RAG run."""

from typing import Any

from tablerag.agent.hd_rag.ports import HdRagReasonerFor
from tablerag.agent.hd_rag.reasoning import HdRagReasoner
from tablerag.agent.reasoners import opened_by_name
from tablerag.tools.services import Services

__all__ = ["hd_rag_reasoners"]


def hd_rag_reasoners(services: Services) -> HdRagReasonerFor:
    """Return a function from a run's context to its reasoner."""

    def offline() -> HdRagReasoner:
        from tablerag.agent.hd_rag.offline_reasoner import HdRagOffline

        return HdRagOffline()

    def of_model(name: str, chat: Any) -> HdRagReasoner:
        from tablerag.agent.hd_rag.llm import HdRagModel

        return HdRagModel(name, chat)

    return opened_by_name(services, offline, of_model)
