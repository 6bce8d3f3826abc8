"""Ensemble retrieval of documents (HD-RAG, arXiv 2504.09554, section 3.2): BM25 and dense, merged by document.

BM25 searches the table-level corpus, the embedding that of H-RCL summaries (or another level). The score of a document
on each side is that of its best chunk. Each candidate is then reduced to its nearest chunks (equations 9 and 10),
within a budget of tokens.
"""

from collections.abc import Sequence

from tablerag.tools.records import Chunk, Record
from tablerag.tools.retriever import DENSE_WEIGHT, fuse
from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import SummaryLevel, check_summarised, summary_corpus
from tablerag.tools.token_count import count_tokens

__all__ = ["FoundDocument", "find_documents", "merged", "recombined"]

LEXICAL_LEVEL: SummaryLevel = "table"


class FoundDocument(Record):
    """A candidate document with the chunks that were found."""

    document_id: str
    source: str
    score: float
    """Fused score, 0 to 1; only comparable within one search."""
    dense: float
    """Cosine similarity of its nearest chunk."""
    lexical: float
    """BM25 score of its best chunk."""
    chunks: tuple[Chunk, ...] = ()
    """As found, best first; after recombined(), its nearest chunks in reading order."""


def find_documents(
    services: Services, question: str, *, corpus: str, level: SummaryLevel, lexical_n: int, dense_m: int, most: int
) -> list[FoundDocument]:
    """Recall ``lexical_n`` chunks by BM25 and ``dense_m`` by the embedding; return the ``most`` best documents.

    Raises ConfigError if the corpus has no summaries of that level.
    """
    dense_name, lexical_name = summary_corpus(corpus, level), summary_corpus(corpus, LEXICAL_LEVEL)
    check_summarised(services, corpus, level)
    lexical = services.lexical_index(lexical_name).search(question, lexical_n)
    dense = services.vector_store(dense_name).search(question, dense_m)
    seen = services.catalog.published(corpus, {c.document_id for c in (*lexical, *dense)})
    return merged([c for c in lexical if c.document_id in seen], [c for c in dense if c.document_id in seen])[:most]


def merged(lexical: Sequence[Chunk], dense: Sequence[Chunk]) -> list[FoundDocument]:
    """Merge the chunks of both sides, each with the score of its side, into documents, best first.

    If a side did not recall a document, the document gets the worst score of that side, not zero.
    """
    sides = _best(dense), _best(lexical)
    ids = dict.fromkeys((*sides[0], *sides[1]))
    filled = [{i: side.get(i, min(side.values(), default=0.0)) for i in ids} for side in sides]
    chunks: dict[str, list[Chunk]] = {i: [] for i in ids}
    for chunk in {c.id: c for c in (*dense, *lexical)}.values():
        chunks[chunk.document_id].append(chunk)
    return [
        FoundDocument(
            document_id=i,
            source=chunks[i][0].source,
            score=score,
            dense=sides[0].get(i, 0.0),
            lexical=sides[1].get(i, 0.0),
            chunks=tuple(chunks[i]),
        )
        for i, score in fuse(filled[0], filled[1], DENSE_WEIGHT)
    ]


def _best(chunks: Sequence[Chunk]) -> dict[str, float]:
    """Return the best score of the chunks of each document."""
    best: dict[str, float] = {}
    for chunk in chunks:
        best[chunk.document_id] = max(chunk.score, best.get(chunk.document_id, chunk.score))
    return best


def recombined(
    services: Services,
    question: str,
    documents: Sequence[FoundDocument],
    *,
    corpus: str,
    level: SummaryLevel,
    theta: int,
    tokens: int,
) -> list[FoundDocument]:
    """Return each document with only its ``theta`` nearest chunks, in reading order.

    Together they stay within ``tokens``: each document has an equal share, for its nearest chunks first.
    """
    store = services.vector_store(summary_corpus(corpus, level))
    share = tokens // max(len(documents), 1)
    made = []
    for document in documents:
        nearest = store.search(question, theta, documents=[document.document_id])
        kept = _within(nearest or document.chunks, share)
        made.append(document.model_copy(update={"chunks": tuple(sorted(kept, key=lambda c: c.reading_place))}))
    return made


def _within(chunks: Sequence[Chunk], tokens: int) -> list[Chunk]:
    """Return the first chunks that fit into a number of tokens, but at least one."""
    kept: list[Chunk] = []
    for chunk in chunks:
        tokens -= count_tokens(chunk.text)
        if kept and tokens < 0:
            break
        kept.append(chunk)
    return kept
