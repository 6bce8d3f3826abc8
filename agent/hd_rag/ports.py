"""The shapes of the tools that HD-RAG's graph binds to its nodes."""

from collections.abc import Callable, Sequence
from typing import Protocol

from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.reasoning import HdRagReasoner
from tablerag.tools.document_search import FoundDocument
from tablerag.tools.whole_documents import WholeDocument

__all__ = ["CountUnseen", "FindDocuments", "HdRagReasonerFor", "HdRagTools", "ReadDocument"]

HdRagReasonerFor = Callable[[HdRagContext], HdRagReasoner]
"""The reasoner that a run's context names."""

FindDocuments = Callable[[str, HdRagContext], Sequence[FoundDocument]]
"""The K documents with the best evidence for a question, each made of its nearest chunks, best first."""

CountUnseen = Callable[[HdRagContext], int]
"""How many documents of the corpus have no summaries, and so cannot be found."""

ReadDocument = Callable[[str, str, HdRagContext], WholeDocument]
"""A document, by its id, as it is read for a question."""


class HdRagTools(Protocol):
    """What HD-RAG's graph binds to its nodes; ``HdRagDeployment`` is the one over the stores."""

    @property
    def reasoner_for(self) -> HdRagReasonerFor: ...

    @property
    def find(self) -> FindDocuments: ...

    @property
    def unseen(self) -> CountUnseen: ...

    @property
    def read(self) -> ReadDocument: ...
