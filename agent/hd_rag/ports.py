"""Types of the tools that HD-RAG's graph binds to its nodes."""

from collections.abc import Callable, Sequence
from typing import Protocol

from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.reasoning import HdRagReasoner
from tablerag.tools.document_search import FoundDocument
from tablerag.tools.whole_documents import WholeDocument

__all__ = ["CountUnseen", "FindDocuments", "HdRagReasonerFor", "HdRagTools", "ReadDocument"]

HdRagReasonerFor = Callable[[HdRagContext], HdRagReasoner]
"""Returns the reasoner that a run's context names."""

FindDocuments = Callable[[str, HdRagContext], Sequence[FoundDocument]]
"""Returns the K documents with the best evidence for a question, best first, each with its nearest chunks."""

CountUnseen = Callable[[HdRagContext], int]
"""Returns how many documents of the corpus have no summaries, and so cannot be found."""

ReadDocument = Callable[[str, str, HdRagContext], WholeDocument]
"""Returns a document, by its id, as read for a question."""


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
