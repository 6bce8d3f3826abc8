"""Finding the document that a question is about, as a benchmark of its own (HD-RAG, arXiv 2504.09554, section 5.2).

A set whose questions have one document each is asked for documents alone; an answer's values are then documents, best
first, and the metric is Hit@k: whether the question's document is among the first k. No model is asked.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tablerag.agent.context import Context
from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.records import Outcome
from tablerag.ingestion.summaries import index_summaries, pending, summaries_of_document
from tablerag.tools.document_search import find_documents, merged
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Chunk
from tablerag.tools.retriever import TABLE_KINDS
from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import LEVELS, SummaryLevel, summary_corpus

__all__ = ["DEPTHS", "FINDERS", "DocumentRetrieval", "as_retrieval", "hits", "summarise"]

DEPTHS = (1, 3, 5, 10)
RECALLED = 50
"""Chunks of each search, HD-RAG's defaults n and m."""
MOST = DEPTHS[-1]


def hits(wanted: str, found: Sequence[str], depths: Sequence[int] = DEPTHS) -> dict[str, float]:
    """Return Hit@k for each depth."""
    return {f"hit@{k}": float(wanted in found[:k]) for k in depths}


def as_retrieval(benchmark: Benchmark) -> Benchmark:
    """Return the benchmark with its questions' documents as gold; raise ConfigError if they have none, or several."""
    if not benchmark.sources:
        raise ConfigError(f"{benchmark.name}: its questions have no single document: use tatqa, multihiertt, hitab or "
                          "docraglib")  # fmt: skip
    asked = [replace(q, gold=(benchmark.sources[q.own],)) for q in benchmark.questions]

    def score(question: Question, values: Sequence[str]) -> dict[str, float]:
        return hits(question.gold[0], values)

    names = {"name": f"{benchmark.name}-documents", "main": f"hit@{DEPTHS[0]}"}
    plain = {"retrieval": True, "with_scale": False, "with_unit": False}
    return replace(benchmark, questions=tuple(asked), score=score, **names, **plain)


def summarise(services: Services, corpus: str, *levels: SummaryLevel) -> None:
    """Write the summaries of a corpus that are missing, by template."""
    for level in dict.fromkeys(levels):
        documents = pending(services, corpus, level)
        tables = [t for d in documents for t in summaries_of_document(services, d, level)]
        index_summaries(services, corpus, level, documents, tables)


def _ensemble(level: SummaryLevel) -> Callable[[Services, str, str], list[str]]:
    def find(services: Services, question: str, corpus: str) -> list[str]:
        bounds = {"lexical_n": RECALLED, "dense_m": RECALLED, "most": MOST}
        return [d.source for d in find_documents(services, question, corpus=corpus, level=level, **bounds)]

    return find


def _bm25(services: Services, question: str, corpus: str) -> list[str]:
    found = services.lexical_index(summary_corpus(corpus, "table")).search(question, RECALLED)
    return [d.source for d in merged(found, [])]


def _dense(services: Services, question: str, corpus: str) -> list[str]:
    found = services.vector_store(summary_corpus(corpus, "hrcl")).search(question, RECALLED)
    return [d.source for d in merged([], found)]


def _chunks(services: Services, question: str, corpus: str) -> list[str]:
    return _sources(services.retriever(corpus).search(question, RECALLED))


def _tables(services: Services, question: str, corpus: str) -> list[str]:
    return _sources(services.retriever(corpus).search(question, RECALLED, TABLE_KINDS))


def _sources(chunks: Sequence[Chunk]) -> list[str]:
    return list(dict.fromkeys(c.source for c in chunks))


FINDERS: Mapping[str, Callable[[Services, str, str], list[str]]] = {
    **{f"documents_{level}": _ensemble(level) for level in LEVELS},
    "documents_bm25": _bm25,
    "documents_dense": _dense,
    "documents_chunks": _chunks,
    "documents_tables": _tables,
}
"""HD-RAG's ensemble with each level of summaries, its two sides alone (BM25 over table-level, dense over H-RCL
summaries), and the documents of the chunks that naive_rag and table_retrieval find."""


class DocumentRetrieval:
    """One way to find documents as a system; its values are documents, best first."""

    def __init__(self, name: str, services: Services) -> None:
        self.name, self._services = name, services

    def prepare(self, corpus: str) -> None:
        """Write the summaries that it searches."""
        wanted: Mapping[str, tuple[SummaryLevel, ...]] = {
            **{f"documents_{level}": ("table", level) for level in LEVELS},
            "documents_bm25": ("table",),
            "documents_dense": ("hrcl",),
        }
        summarise(self._services, corpus, *wanted.get(self.name, ()))

    def ask(self, text: str, context: Context) -> Outcome:
        """Find the documents for one question; raise StoreUnavailable."""
        started = time.perf_counter()
        found = FINDERS[self.name](self._services, text, context.corpus)[:MOST]
        seconds = round(time.perf_counter() - started, 3)
        return Outcome(answer="; ".join(found), values=found, iterations=1, stopped_by="answered", seconds=seconds)
