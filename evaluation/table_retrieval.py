"""Retrieval alone as a system, for sets that ask which tables answer a question."""

import re
import time
from functools import lru_cache

from tablerag.agent.context import Context
from tablerag.evaluation.records import Outcome
from tablerag.tools.records import Chunk
from tablerag.tools.retriever import HybridRetriever
from tablerag.tools.services import Services

__all__ = ["DEPTHS", "TableRetrieval", "place", "sheet_of"]

DEPTHS = (1, 5, 10)
SHEET = re.compile(r"sheet (.*?)(?:, (?:rows|cells) .*)?")
PLACE = " > "
"""Separates a file from its sheet."""


def place(source: str, sheet: str) -> str:
    """Return a table's place: its file and sheet."""
    return f"{source}{PLACE}{sheet}" if sheet else source


def sheet_of(locator: str) -> str:
    """Return the sheet that a locator names, or ""."""
    found = SHEET.fullmatch(locator)
    return found[1] if found else ""


class TableRetrieval:
    """The retriever and reranker alone as a system; its values are places of tables, best first.

    Each line of a question is searched by itself, as QGpT does with sub-questions, and a table counts by its best line.
    """

    def __init__(self, services: Services, *, embedded: bool = True) -> None:
        """Take the reranker of the settings, or the ``embedded`` one whatever they say."""
        self.name = "retrieval" if embedded else "reranked_retrieval"
        self._services, self._embedded = services, embedded
        self._retriever = lru_cache(maxsize=None)(self._opened)

    def prepare(self, corpus: str) -> None:
        """Do nothing: the corpus is enough."""

    def ask(self, text: str, context: Context) -> Outcome:
        """Find the tables for one question; raise StoreUnavailable."""
        started = time.perf_counter()
        ranked = [c for line in text.splitlines() for c in self._ranked(line, context)]
        ranked.sort(key=lambda chunk: -chunk.score)  # of equal ones, the first line's is first
        places = list(dict.fromkeys(place(c.source, sheet_of(c.locator)) for c in ranked))[: DEPTHS[-1]]
        seconds = round(time.perf_counter() - started, 3)
        return Outcome(answer="; ".join(places), values=places, iterations=1, stopped_by="answered", seconds=seconds)

    def _ranked(self, line: str, context: Context) -> list[Chunk]:
        recalled = self._retriever(context.corpus).search(line, context.recall_n)
        reranker = self._services.reranker(context.corpus, embedded=self._embedded)
        return reranker.rerank(line, recalled, context.recall_n)

    def _opened(self, corpus: str) -> HybridRetriever:
        """Return the corpus's retriever; texts that were indexed as they are belong to no published document."""
        if self._services.catalog.documents(corpus):
            return self._services.retriever(corpus)
        return HybridRetriever(self._services.vector_store(corpus), self._services.lexical_index(corpus))
