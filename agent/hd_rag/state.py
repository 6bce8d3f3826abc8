"""HD-RAG's state: what comes in, what goes out, and what the nodes hand to each other. Values are plain."""

from collections.abc import Mapping
from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.channels import EphemeralValue
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from tablerag.agent.hd_rag.reasoning import Recap
from tablerag.agent.state import UsageState
from tablerag.tools.records import Citation

__all__ = ["HdRagInput", "HdRagOutput", "HdRagState", "recap_of"]

Plain = dict[str, Any]


class HdRagInput(TypedDict, total=False):
    """What a caller gives: a question, or a conversation whose last human message is the question."""

    question: Annotated[str, EphemeralValue(str)]
    """Forgotten after one step, so that a thread's next turn never sees it."""
    messages: Annotated[list[AnyMessage], add_messages]


class HdRagOutput(TypedDict, total=False):
    """What a caller gets."""

    question: Annotated[str, EphemeralValue(str)]
    """Written by answer: the question as it was asked."""
    messages: Annotated[list[AnyMessage], add_messages]
    """Written by find_documents (a question that came without a message) and by answer."""
    candidates: list[Plain]
    """Written by find_documents: the K documents, best first: {document_id, source, score, dense, lexical, chunks}."""
    unseen: int
    """Written by find_documents: how many documents of the corpus have no summaries, and so could not be found."""
    document: str
    """Written by select_document: the chosen document's source; "" when there was none, or it was left open."""
    selected_because: str
    """Written by select_document."""
    recap: Plain | None
    """Written by recap: the fields of agent.hd_rag.reasoning.Recap."""
    answer: str
    """Written by answer: with its scale."""
    spans: list[str]
    """Written by answer: the answer's items without scale."""
    scale: str
    """Written by answer: percent | thousand | million | billion | ""."""
    answered_by: str
    """Written by answer: whose number counts: reasoner | calculator; "" where there is no answer."""
    calculated: str
    """Written by answer: what the calculator made of the formula; "" where it was not asked or refused."""
    explanation: str
    """Written by answer."""
    citations: list[Plain]
    """Written by answer: {source, locator, quote}."""
    model: str
    """Written by find_documents: the reasoner's name."""
    usage: UsageState
    """Written by every node that asks the reasoner."""


class HdRagState(HdRagOutput, total=False):
    """All that the nodes share."""

    asked: str
    """Written by find_documents: the question as it was asked."""
    chosen: int | None
    """Written by select_document: the chosen document's place among the candidates; None where it was left open."""


def recap_of(state: Mapping[str, Any]) -> Recap | None:
    """Return the reply that state holds as a record."""
    plain = state["recap"]
    if plain is None:
        return None
    citations = tuple(Citation(**c) for c in plain["citations"])
    return Recap(**(plain | {"citations": citations} | {k: tuple(plain[k]) for k in ("extracted", "answer")}))
