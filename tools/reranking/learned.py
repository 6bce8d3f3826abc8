"""The embedded reranker: a weighted sum of cheap features, with weights learned by training.reranker."""

import json
import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from pathlib import Path

import numpy as np

from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.records import Chunk
from tablerag.tools.reranking.features import FEATURES, Rarity, features
from tablerag.tools.reranking.reranker import Candidate, candidates, selected

__all__ = ["WEIGHTS", "LearnedReranker"]

KEPT = 16
"""Recent queries whose scores are kept: the steps of a question repeat them."""
WEIGHTS = Path(__file__).parent / "weights.json"


class LearnedReranker:
    """Ranks candidates by learned weights; scores are likelihoods relative to the best candidate."""

    name = "embedded"

    def __init__(self, embedding: StaticEmbedding, rarity: Rarity, path: Path = WEIGHTS) -> None:
        self._embedding, self._rarity = embedding, rarity
        stored = json.loads(path.read_text(encoding="utf-8"))
        self._weights = np.array([stored[name] for name in FEATURES])
        self._recent: OrderedDict[Hashable, list[float]] = OrderedDict()
        self._lock = threading.Lock()

    def rerank(self, query: str, chunks: Sequence[Chunk], k: int) -> list[Chunk]:
        """Return the best ``k`` chunks, scored 0 to 1, best first."""
        competing = candidates(chunks)
        if not competing:
            return []
        return selected(list(zip(self._likely(query, competing), competing, strict=True)), k)

    def _likely(self, query: str, competing: Sequence[Candidate]) -> list[float]:
        # A chunk's text never changes under its id, and the rarity of words only with the lexical scores.
        key = (query, tuple((c.id, c.dense, c.lexical) for candidate in competing for c in candidate))
        with self._lock:
            known = self._recent.get(key)
        if known is None:
            raw = features(query, competing, self._embedding, self._rarity) @ self._weights
            known = np.exp(raw - raw.max()).tolist()
            with self._lock:
                self._recent[key] = known
                while len(self._recent) > KEPT:
                    self._recent.popitem(last=False)
        return known
