"""Recall: dense and lexical search, each scoring the candidates of both."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from tablerag.tools.records import Chunk, ChunkKind

__all__ = ["HybridRetriever", "Index", "fuse"]

DENSE_WEIGHT = 0.4
"""Chosen on the training split of WikiTableQuestions, for all corpora."""
TABLE_KINDS: tuple[ChunkKind, ...] = ("questions", "summary", "table")


class Index(Protocol):
    """A searchable index of one corpus's chunks: search() best first, scores() for given ids."""

    def search(self, query: str, k: int, kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]: ...

    def scores(self, query: str, ids: Sequence[str]) -> dict[str, float]: ...


def scaled(scores: Mapping[str, float]) -> dict[str, float]:
    """Divide scores by their maximum; negative ones become 0."""
    most = max(scores.values(), default=0.0)
    return {i: max(s, 0.0) / most if most > 0 else 0.0 for i, s in scores.items()}


def fuse(dense: Mapping[str, float], lexical: Mapping[str, float], dense_weight: float) -> list[tuple[str, float]]:
    """Fuse two scores per chunk id, each divided by its maximum; best first, ties by id.

    Scores are fused, not ranks: reciprocal ranks lose how much better the first is.
    """
    a, b = scaled(dense), scaled(lexical)
    fused = {i: dense_weight * a.get(i, 0.0) + (1 - dense_weight) * b.get(i, 0.0) for i in {*a, *b}}
    return sorted(fused.items(), key=lambda item: (-item[1], item[0]))


class HybridRetriever:
    """Recalls from both indexes; each also scores what only the other one found."""

    def __init__(
        self,
        vector_store: Index,
        lexical_index: Index,
        dense_weight: float = DENSE_WEIGHT,
        published: Callable[[set[str]], set[str]] = lambda ids: ids,
    ) -> None:
        """Take both indexes; ``published`` returns which of the given document ids are visible."""
        self._dense, self._lexical = vector_store, lexical_index
        self._dense_weight = dense_weight
        self._published = published

    def search(self, query: str, k: int = 30, kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]:
        """Return the candidates of both indexes, ``k`` of each, with all their scores, best fused score first.

        When all kinds are searched, tables are also recalled separately: they are few among many passages and would
        not make the first ``k``.
        """
        found: dict[str, Chunk] = {}
        for index in (self._dense, self._lexical):
            first = index.search(query, k, kinds)
            others = [] if kinds or all(c.kind in TABLE_KINDS for c in first) else index.search(query, k, TABLE_KINDS)
            found |= {c.id: c for c in (*first, *others)}
        seen = self._published({c.document_id for c in found.values()})
        ids = sorted(i for i, c in found.items() if c.document_id in seen)
        dense, lexical = self._dense.scores(query, ids), scaled(self._lexical.scores(query, ids))
        ranked = fuse(dense, lexical, self._dense_weight)
        return [
            found[i].model_copy(update={"score": score, "dense": dense.get(i, 0.0), "lexical": lexical.get(i, 0.0)})
            for i, score in ranked
        ]
