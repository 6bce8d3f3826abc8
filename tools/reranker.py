"""Reranking: of the recalled chunks, the few that a subquery is answered from."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from tools.records import Chunk
from tools.text import content_tokens, tokens

__all__ = ["OverlapReranker", "Reranker"]

NEAR = 0.3
"""A chunk of the kind that would be missing is taken in when it scores this share of the best.

With 102 tables among 3,896 passages (HybridQA, 113 questions), the question's own table is among the
three chunks 75 times with 0.3, 59 times with 0.55, and 35 times when no kind is taken in.
"""


class Reranker(Protocol):
    """Orders chunks by how well they fit a query and keeps the best ``k``; scores are its own."""

    def rerank(self, query: str, chunks: Sequence[Chunk], k: int) -> list[Chunk]: ...


class OverlapReranker:
    """Ranks by the recalled score and by how much of the query's rarer words a chunk holds.

    Chunks of a table already kept wait behind others, so that ``k`` of them show ``k`` things; and
    when both tables and text were recalled with nearly the same score, both are kept, since an answer
    is to be checked against the other kind.
    """

    def rerank(self, query: str, chunks: Sequence[Chunk], k: int) -> list[Chunk]:
        """Return the best ``k`` chunks, scored 0 to 1, best first."""
        words = list(dict.fromkeys(content_tokens(query)))
        bags = [set(tokens(f"{c.title} {c.text}")) for c in chunks]
        known = Counter(w for bag in bags for w in bag)
        weights = {w: math.log(1 + len(chunks) / (1 + known[w])) + 0.1 for w in words}
        whole = sum(weights.values()) or 1.0
        scored = []
        for chunk, bag in zip(chunks, bags, strict=True):
            covered = sum(weights[w] for w in words if w in bag) / whole
            scored.append(chunk.model_copy(update={"score": 0.5 * chunk.score + 0.5 * covered}))
        scored.sort(key=lambda c: (-c.score, c.id))
        return _with_both_kinds(_distinct_first(scored), k)


def _distinct_first(ranked: Sequence[Chunk]) -> list[Chunk]:
    seen: set[str] = set()
    first, later = [], []
    for chunk in ranked:
        repeated = chunk.table_id is not None and chunk.table_id in seen
        (later if repeated else first).append(chunk)
        seen |= {chunk.table_id} if chunk.table_id else set()
    return [*first, *later]


def _with_both_kinds(ranked: Sequence[Chunk], k: int) -> list[Chunk]:
    kept = list(ranked[:k])
    if k < 2 or not kept:
        return kept
    for is_table in (True, False):
        if any((c.table_id is not None) == is_table for c in kept):
            continue
        other = next((c for c in ranked[k:] if (c.table_id is not None) == is_table), None)
        if other and other.score >= NEAR * kept[0].score:
            kept[-1] = other
    return kept
