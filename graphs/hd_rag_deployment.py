"""The tools of HD-RAG's nodes, over one deployment's services."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.ports import FindDocuments, HdRagReasonerFor, ReadDocument
from tablerag.agent.hd_rag.reasoners import hd_rag_reasoners
from tablerag.agent.hd_rag.reasoning import HdRagReasoner
from tablerag.agent.reasoners import baseline_models
from tablerag.tools.access.corpora import checked_corpus, services_of_run
from tablerag.tools.document_search import FoundDocument, find_documents, recombined
from tablerag.tools.errors import AccessDenied
from tablerag.tools.sandbox.process import run_program
from tablerag.tools.services import Services, get_services
from tablerag.tools.summary_corpora import unsummarised
from tablerag.tools.whole_documents import WholeDocument, read_whole

if TYPE_CHECKING:
    from tablerag.agent.model.baseline import BaselineModel

__all__ = ["DocumentModelFor", "DocumentTools", "HdRagDeployment", "RunPython"]

DocumentModelFor = Callable[[HdRagContext], "BaselineModel"]
"""Returns the model of a baseline over one document."""

RunPython = Callable[[str], Sequence[str]]
"""Runs a program without tables in the sandbox; raises ProgramFailed."""


class DocumentTools(Protocol):
    """What the baselines over one document bind to their nodes."""

    @property
    def find(self) -> FindDocuments: ...

    @property
    def read(self) -> ReadDocument: ...

    @property
    def model_for(self) -> DocumentModelFor: ...

    @property
    def run_python(self) -> RunPython: ...


class HdRagDeployment:
    """Tools over the given services, or else the environment's, opened at the first call."""

    def __init__(self, services: Services | None = None) -> None:
        self._services = services
        self._reasoners: dict[Services, HdRagReasonerFor] = {}
        self._models: dict[Services, DocumentModelFor] = {}

    @property
    def services(self) -> Services:
        """The services in use, as the key of the current run may see them."""
        return services_of_run(self._services or get_services())

    def reasoner_for(self, context: HdRagContext) -> HdRagReasoner:
        """Return the reasoner that the context names."""
        services = self.services
        if services not in self._reasoners:
            self._reasoners[services] = hd_rag_reasoners(services)
        return self._reasoners[services](context)

    def model_for(self, context: HdRagContext) -> "BaselineModel":
        """Return a baseline's model; raise ConfigError for the embedded reasoner."""
        services = self.services
        if services not in self._models:
            self._models[services] = baseline_models(services)
        return self._models[services](context)

    def run_python(self, code: str) -> Sequence[str]:
        """Run a program without tables in the sandbox."""
        return run_program(code, {})

    def find(self, question: str, context: HdRagContext) -> Sequence[FoundDocument]:
        """Find the candidate documents, each with its nearest chunks."""
        corpus = self._corpus(context)
        found = find_documents(
            self.services,
            question,
            corpus=corpus,
            level=context.level,
            lexical_n=context.lexical_n,
            dense_m=context.dense_m,
            most=context.documents_k,
        )
        bounds = {"theta": context.theta, "tokens": context.select_tokens}
        return recombined(self.services, question, found, corpus=corpus, level=context.level, **bounds)

    def unseen(self, context: HdRagContext) -> int:
        """Count the documents without summaries."""
        return unsummarised(self.services, self._corpus(context), context.level)

    def read(self, document_id: str, question: str, context: HdRagContext) -> WholeDocument:
        """Read a document within the context's budget. Raises AccessDenied for one that the run's key may not see."""
        corpus, services = self._corpus(context), self.services
        if document_id not in services.catalog.published(corpus, [document_id]):  # a thread's owner can rewrite it
            raise AccessDenied(f"no document of corpus {corpus!r} has this id: ask again")
        about = {"corpus": corpus, "level": context.level, "tokens": context.document_tokens}
        return read_whole(services, document_id, question, **about)

    def _corpus(self, context: HdRagContext) -> str:
        settings = self.services.settings
        return checked_corpus(context.corpus or settings.corpus, settings, self.services.catalog)
