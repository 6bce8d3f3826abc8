"""HD-RAG's reasoner protocol: select a document, and answer by RECAP."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from tablerag.agent.reasoning import Scale, Thought
from tablerag.tools.document_search import FoundDocument
from tablerag.tools.records import Chunk, Citation
from tablerag.tools.whole_documents import WholeTable

__all__ = ["HdRagReasoner", "QuestionType", "Recap", "RecapTask", "SelectTask", "Selection"]

QuestionType = Literal["span", "multi-span", "arithmetic", "count"]
"""Words or a figure from the document; several of them; a computed number; how many there are."""


@dataclass(frozen=True, slots=True)
class SelectTask:
    """Select the document that answers the question."""

    question: str
    documents: tuple[FoundDocument, ...]
    """Best fused evidence first, each with its nearest chunks only; at least one."""
    read: Callable[[int], "RecapTask"] | None = None
    """Reads a whole candidate by its index; None if only the chunks are available."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected candidate's index; None if it is unclear which one is meant."""

    place: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RecapTask:
    """Answer a question from one document: restate, extract, compute, answer, present (section 3.3)."""

    question: str
    tables: tuple[WholeTable, ...]
    passages: tuple[Chunk, ...]
    """The tables, then the texts, as shown and cited."""


@dataclass(frozen=True, slots=True)
class Recap:
    """The five parts of a reply, with citations."""

    restated: str
    question_type: QuestionType
    extracted: tuple[str, ...]
    """Each value with its description, as in the document."""
    computation: str
    answer: tuple[str, ...]
    """One item, or several for multi-span; () if the document does not answer."""
    scale: Scale = ""
    """The scale of the answer's number."""
    formula: str = ""
    """Numbers and operators, for the calculator; "" if nothing is computed."""
    citations: tuple[Citation, ...] = ()
    unread: str = ""
    """Why the reasoner could not read the question, as a clause; "" if it could."""


class HdRagReasoner(Protocol):
    """A reasoner. Raises ModelUnavailable and ReplyInvalid, as agent.reasoning.Reasoner does."""

    name: str

    def select(self, task: SelectTask) -> Thought[Selection]: ...

    def recap(self, task: RecapTask) -> Thought[Recap]: ...
