"""Recall: dense and lexical search fused by their scores."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from tools.records import Chunk, ChunkKind

__all__ = ["Index", "HybridRetriever", "fuse"]

DENSE_WEIGHT = 0.3
"""Of hashed vectors, which know spelling only; the lexical score carries the rest."""


class Index(Protocol):
    """A searchable index of one corpus's chunks: search() best first, scores() for given ids."""

    def search(self, query: str, k: int, kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]: ...

    def scores(self, query: str, ids: Sequence[str]) -> dict[str, float]: ...


def fuse(dense: Mapping[str, float], lexical: Mapping[str, float], dense_weight: float) -> list[tuple[str, float]]:
    """Fuse two scores per chunk id, each divided by its maximum; best first, ties by id.

    Scores and not ranks are fused: reciprocal ranks throw away how much better the first is.
    """

    def scaled(scores: Mapping[str, float]) -> dict[str, float]:
        most = max(scores.values(), default=0.0)
        return {i: max(s, 0.0) / most if most > 0 else 0.0 for i, s in scores.items()}

    a, b = scaled(dense), scaled(lexical)
    fused = {i: dense_weight * a.get(i, 0.0) + (1 - dense_weight) * b.get(i, 0.0) for i in {*a, *b}}
    return sorted(fused.items(), key=lambda item: (-item[1], item[0]))


class HybridRetriever:
    """Recalls from both indexes; a candidate that one of them missed is scored by it all the same."""

    def __init__(self, vector_store: Index, lexical_index: Index, dense_weight: float = DENSE_WEIGHT) -> None:
        self._dense, self._lexical = vector_store, lexical_index
        self._dense_weight = dense_weight

    def search(self, query: str, k: int = 30, kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]:
        """Return the ``k`` best chunks with their fused scores (0 to 1), best first.

        When all kinds are searched, up to ``k`` more are table chunks that no passage displaces.
        """
        # Tables are few among many passages and would drown: they are recalled on their own as well.
        wanted = [list(kinds)] if kinds else [None, ["table"]]
        found = {c.id: c for w in wanted for i in (self._dense, self._lexical) for c in i.search(query, k, w)}
        ids = sorted(found)
        ranked = fuse(self._dense.scores(query, ids), self._lexical.scores(query, ids), self._dense_weight)
        kept = [*ranked[:k], *(r for r in ranked[k:] if found[r[0]].kind == "table")][: 2 * k]
        return [found[i].model_copy(update={"score": score}) for i, score in kept]
