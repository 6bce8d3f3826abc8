"""find_documents: start a turn and find candidate documents (HD-RAG, section 3.2, first stage)."""

from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent.hd_rag import events
from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.ports import CountUnseen, FindDocuments, HdRagReasonerFor
from tablerag.agent.hd_rag.state import HdRagState
from tablerag.agent.reasoning import Usage
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import dump
from tablerag.agent.turns import asked_question

__all__ = ["find_documents"]


def find_documents(
    state: HdRagState,
    runtime: Runtime[HdRagContext],
    *,
    reasoner_for: HdRagReasonerFor,
    find: FindDocuments,
    unseen: CountUnseen,
) -> dict[str, Any]:
    """Recall the question's candidate documents; keep nothing of the previous turn."""
    context = context_of(runtime, HdRagContext)
    question, message = asked_question(state)
    model = reasoner_for(context).name
    runtime.stream_writer(events.turn(question, context.corpus, model))
    found = find(question, context)
    runtime.stream_writer(events.documents(found))
    return {
        "asked": question,
        "messages": message,
        "candidates": dump(found),
        "unseen": unseen(context),
        "document": "",
        "selected_because": "",
        "chosen": None,
        "recap": None,
        "model": model,
        "usage": asdict(Usage()),
    }
