"""The tools of HD-RAG's nodes, over one deployment's services."""

from collections.abc import Sequence

from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.ports import HdRagReasonerFor
from tablerag.agent.hd_rag.reasoners import hd_rag_reasoners
from tablerag.agent.hd_rag.reasoning import HdRagReasoner
from tablerag.tools.access.corpora import checked_corpus, services_of_run
from tablerag.tools.document_search import FoundDocument, find_documents, recombined
from tablerag.tools.errors import AccessDenied
from tablerag.tools.services import Services, get_services
from tablerag.tools.summary_corpora import unsummarised
from tablerag.tools.whole_documents import WholeDocument, read_whole

__all__ = ["HdRagDeployment"]


class HdRagDeployment:
    """Tools over the given services, or else the environment's, opened at the first call."""

    def __init__(self, services: Services | None = None) -> None:
        self._services = services
        self._reasoners: dict[Services, HdRagReasonerFor] = {}

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
