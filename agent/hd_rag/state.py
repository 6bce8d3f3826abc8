"""HD-RAG's state: input, output, and what the nodes pass to each other. Values are JSON-like."""

from collections.abc import Mapping
from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.channels import EphemeralValue
from langgraph.graph.message import add_messages
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from tablerag.agent.hd_rag.reasoning import Recap
from tablerag.agent.state import UsageState

__all__ = ["RECAP", "HdRagInput", "HdRagOutput", "HdRagState", "recap_of"]

Json = dict[str, Any]
RECAP = TypeAdapter(Recap)
"""Between a Recap and its form in state."""


class HdRagInput(TypedDict, total=False):
    """The input: a question, or a conversation whose last human message is the question."""

    question: Annotated[str, EphemeralValue(str)]
    """Ephemeral, so that a thread's next turn never sees it."""
    messages: Annotated[list[AnyMessage], add_messages]


class HdRagOutput(TypedDict):
    """The output."""

    question: Annotated[str, EphemeralValue(str)]
    """Written by answer: the question as asked."""
    messages: Annotated[list[AnyMessage], add_messages]
    """Written by find_documents (a question that came without a message) and by answer."""
    candidates: list[Json]
    """Written by find_documents: the K documents, best first: {document_id, source, score, dense, lexical, chunks}."""
    unseen: int
    """Written by find_documents: how many documents of the corpus have no summaries, and so cannot be found."""
    document: str
    """Written by select_document: the selected document's source; "" if there is none."""
    selected_because: str
    """Written by select_document."""
    recap: Json | None
    """Written by recap: the fields of agent.hd_rag.reasoning.Recap."""
    answer: str
    """Written by answer: with its scale."""
    spans: list[str]
    """Written by answer: the answer's items, without scale."""
    scale: str
    """Written by answer: percent | thousand | million | billion | ""."""
    answered_by: str
    """Written by answer: whose number it is: reasoner | calculator; "" without an answer."""
    calculated: str
    """Written by answer: the calculator's result; "" if it did not compute."""
    explanation: str
    """Written by answer."""
    citations: list[Json]
    """Written by answer: {source, locator, quote}."""
    model: str
    """Written by find_documents: the reasoner's name."""
    usage: UsageState
    """Written by every node that asks the reasoner."""


class HdRagState(HdRagOutput):
    """The nodes' shared state."""

    asked: str
    """Written by find_documents: the question as asked."""
    chosen: int | None
    """Written by select_document: the selected candidate's index; None if it is unclear which one is meant."""


def recap_of(state: Mapping[str, Any]) -> Recap | None:
    """Return the reply in the state as a record."""
    return RECAP.validate_python(state["recap"]) if state["recap"] is not None else None
