"""The corpus as a LangChain retriever."""

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from tablerag.client import TableRAG
from tablerag.tools.access.corpora import known_corpus
from tablerag.tools.evidence import search

__all__ = ["TableRAGRetriever"]


class TableRAGRetriever(BaseRetriever):
    """Returns the best matching chunks: passages, and parts of tables as Markdown.

    The metadata of a document has its place (``source``, ``locator``, ``title``), its ``kind``, its ``score``
    within this search and, for a table, its SQL name as ``table``.
    """

    rag: TableRAG = Field(exclude=True)
    k: int = Field(3, ge=1)
    """Documents returned; ``invoke(query, k=...)`` overrides it."""
    recall_n: int = Field(30, ge=1)
    """Chunks recalled before reranking."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None, **_: Any
    ) -> list[Document]:
        services, kept = self.rag.services, k or self.k
        corpus = known_corpus(self.rag.corpus, services.settings, services.catalog)
        chunks, schemas = search(services, query, corpus=corpus, recall_n=max(kept, self.recall_n), top_k=kept)
        tables = {s.table_id: s.name for s in schemas}
        return [
            Document(
                id=c.id,
                page_content=c.text,
                metadata=c.model_dump(include={"source", "locator", "title", "kind", "score"})
                | ({"table": tables[c.table_id]} if c.table_id in tables else {}),
            )
            for c in chunks[:kept]
        ]
