"""Reranking: select the few recalled chunks from which a subquery is answered."""

from collections.abc import Sequence
from typing import Protocol

from tablerag.tools.records import Chunk

__all__ = ["Candidate", "Reranker", "candidates", "selected"]

NEAR = 0.02
"""Least score, relative to the best chunk, of a chunk of a kind that would otherwise be missing."""

Candidate = list[Chunk]
"""A candidate for one place: all recalled chunks of one table, or one chunk of text; best chunk first."""


class Reranker(Protocol):
    """Orders chunks by how well they answer a query and keeps the best ``k``; scores are 0 to 1, with the best at 1."""

    name: str

    def rerank(self, query: str, chunks: Sequence[Chunk], k: int) -> list[Chunk]: ...


def candidates(chunks: Sequence[Chunk]) -> list[Candidate]:
    """Group the chunks by table: several chunks of one table are one candidate, in the order recalled.

    A table is shown as its best chunk of rows; its questions and summaries only help to find it.
    """
    gathered: dict[str, Candidate] = {}
    for chunk in chunks:
        gathered.setdefault(chunk.table_id or chunk.id, []).append(chunk)
    return [sorted(c, key=lambda chunk: chunk.kind != "table") for c in gathered.values()]


def selected(ranked: Sequence[tuple[float, Candidate]], k: int) -> list[Chunk]:
    """Return ``k`` chunks of ranked candidates, best first, one of each.

    If both tables and text are likely, both are kept, because answers are checked against the other kind. More chunks
    of one table only follow if there are fewer than ``k`` candidates.
    """
    order = sorted(ranked, key=lambda item: -item[0])
    kept = [chunks[0].model_copy(update={"score": score}) for score, chunks in order]
    rest = [c.model_copy(update={"score": score}) for score, chunks in order for c in chunks[1:]]
    best = kept[:k]
    if k > 1 and best:
        for is_table in (True, False):
            if any((c.table_id is not None) == is_table for c in best):
                continue
            other = next((c for c in kept[k:] if (c.table_id is not None) == is_table), None)
            if other and other.score >= NEAR * best[0].score:
                best[-1] = other
    return (best + [c for c in rest if c.kind in ("table", "text")])[:k]
