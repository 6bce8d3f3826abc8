"""Recall: dense and lexical search, each scoring the candidates of both."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tablerag.tools.records import Chunk, ChunkKind

__all__ = ["HybridRetriever", "Index", "fuse"]

DENSE_WEIGHT = 0.4
"""Chosen on the training split of WikiTableQuestions, for all corpora."""
TABLE_KINDS: tuple[ChunkKind, ...] = ("profile", "questions", "summary", "table")


CACHED_RECALLS = 32


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


@dataclass(frozen=True, slots=True)
class _Recalled:
    """The candidates of both indexes by id, with the scores of each, visible or not."""

    found: Mapping[str, Chunk]
    dense: Mapping[str, float]
    lexical: Mapping[str, float]


class HybridRetriever:
    """Recalls from both indexes; each also scores what only the other one found.

    The steps of a question repeat its searches: recent ones are kept until an index changes.
    """

    def __init__(
        self,
        vector_store: Index,
        lexical_index: Index,
        dense_weight: float = DENSE_WEIGHT,
        published: Callable[[set[str]], set[str]] = lambda ids: ids,
        generation: Callable[[], Hashable] = lambda: None,
        hidden: Collection[ChunkKind] = (),
    ) -> None:
        """Take both indexes; ``published`` returns which of the given document ids are visible.

        ``generation`` returns a mark that changes when an index does; None if that is unknown. Chunks of ``hidden``
        kinds are not returned.
        """
        self._dense, self._lexical = vector_store, lexical_index
        self._dense_weight = dense_weight
        self._published = published
        self._generation = generation
        self._hidden = hidden
        self._recent: OrderedDict[Hashable, _Recalled] = OrderedDict()
        self._lock = threading.Lock()

    def search(self, query: str, k: int = 30, kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]:
        """Return the candidates of both indexes, ``k`` of each, with all their scores, best fused score first.

        When all kinds are searched, tables are also recalled separately: they are few among many passages and would
        not make the first ``k``.
        """
        recalled = self._recalled(query, k, kinds)
        found = recalled.found
        seen = self._published({c.document_id for c in found.values()})
        ids = sorted(i for i, c in found.items() if c.document_id in seen and c.kind not in self._hidden)
        dense = {i: recalled.dense[i] for i in ids if i in recalled.dense}
        lexical = scaled({i: recalled.lexical[i] for i in ids if i in recalled.lexical})
        ranked = fuse(dense, lexical, self._dense_weight)
        return [
            found[i].model_copy(update={"score": score, "dense": dense.get(i, 0.0), "lexical": lexical.get(i, 0.0)})
            for i, score in ranked
        ]

    def _recalled(self, query: str, k: int, kinds: Iterable[ChunkKind] | None) -> _Recalled:
        generation = self._generation()
        key = (query, k, None if kinds is None else tuple(sorted(kinds)), generation)
        with self._lock:
            known = self._recent.get(key)
        if known is None or generation is None:
            known = self._recall(query, k, kinds)
            with self._lock:
                self._recent[key] = known
                while len(self._recent) > CACHED_RECALLS:
                    self._recent.popitem(last=False)
        return known

    def _recall(self, query: str, k: int, kinds: Iterable[ChunkKind] | None) -> _Recalled:
        found: dict[str, Chunk] = {}
        for index in (self._dense, self._lexical):
            first = index.search(query, k, kinds)
            others = [] if kinds or all(c.kind in TABLE_KINDS for c in first) else index.search(query, k, TABLE_KINDS)
            found |= {c.id: c for c in (*first, *others)}
        ids = sorted(found)
        return _Recalled(found, self._dense.scores(query, ids), self._lexical.scores(query, ids))
