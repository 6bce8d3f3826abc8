"""What HD-RAG's nodes ask of whoever thinks: which document, and the answer by RECAP."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from tablerag.agent.reasoning import Scale, Thought
from tablerag.tools.document_search import FoundDocument
from tablerag.tools.records import Chunk, Citation
from tablerag.tools.whole_documents import WholeTable

__all__ = ["HdRagReasoner", "QuestionType", "Recap", "RecapTask", "SelectTask", "Selection"]

QuestionType = Literal["span", "multi-span", "arithmetic", "count"]
"""Words or a figure as they stand there; several of them; a number that is computed; how many there are."""


@dataclass(frozen=True, slots=True)
class SelectTask:
    """Choose the document that answers the question."""

    question: str
    documents: tuple[FoundDocument, ...]
    """Best fused evidence first, each made of its nearest chunks only; at least one."""
    read: Callable[[int], "RecapTask"] | None = None
    """Reads a candidate whole, by its place; None where only the chunks are at hand."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen document's place among the candidates, from 0; None where it cannot be told which one is meant."""

    place: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RecapTask:
    """Answer a question from one document: restate, extract, compute, answer, present (section 3.3)."""

    question: str
    tables: tuple[WholeTable, ...]
    passages: tuple[Chunk, ...]
    """The tables, then the texts, as they are shown and cited."""


@dataclass(frozen=True, slots=True)
class Recap:
    """The five parts of one reply, and what they rest on."""

    restated: str
    question_type: QuestionType
    extracted: tuple[str, ...]
    """Each value with what it is, as the document has it."""
    computation: str
    answer: tuple[str, ...]
    """One item, or several for multi-span; () when the document does not answer."""
    scale: Scale = ""
    """What the answer's number is counted in."""
    formula: str = ""
    """Numbers and operators only, for the calculator; "" where nothing is computed."""
    citations: tuple[Citation, ...] = ()
    unread: str = ""
    """Why the reasoner did not read the question, as the end of a sentence; "" where it did."""


class HdRagReasoner(Protocol):
    """Whoever thinks. Raises ModelUnavailable and ReplyInvalid as agent.reasoning.Reasoner does."""

    name: str

    def select(self, task: SelectTask) -> Thought[Selection]: ...

    def recap(self, task: RecapTask) -> Thought[Recap]: ...
