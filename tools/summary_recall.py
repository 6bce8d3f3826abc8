"""H-RCL summaries for TableRAG: another way to find a table, besides its own chunks."""

from collections.abc import Sequence

from tablerag.tools.records import Chunk
from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import check_summarised, summary_corpus

__all__ = ["recall_summaries", "with_rows"]


def recall_summaries(services: Services, corpus: str, text: str, n: int) -> list[Chunk]:
    """Return the ``n`` H-RCL summaries nearest to a text, with their cosine similarity.

    Raises ConfigError if the corpus has none.
    """
    check_summarised(services, corpus, "hrcl")
    found = services.vector_store(summary_corpus(corpus, "hrcl")).search(text, n, ("summary",))
    seen = services.catalog.published(corpus, {c.document_id for c in found})
    return [c.model_copy(update={"dense": c.score}) for c in found if c.document_id in seen]


def with_rows(services: Services, corpus: str, chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the chunks with each summary replaced by the first rows of its table."""
    index = services.lexical_index(corpus)
    shown = []
    for chunk in chunks:
        if chunk.kind == "summary":
            own = (c for c in index.of_documents([chunk.document_id], ("table",)) if c.table_id == chunk.table_id)
            rows = next(own, chunk)
            chunk = rows.model_copy(update={"score": chunk.score, "dense": chunk.dense})
        shown.append(chunk)
    return shown
