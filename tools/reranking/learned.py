"""The embedded reranker: a weighted sum of cheap features, with weights learned by training.reranker."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.records import Chunk
from tablerag.tools.reranking.features import FEATURES, Rarity, features
from tablerag.tools.reranking.reranker import candidates, selected

__all__ = ["WEIGHTS", "LearnedReranker"]

WEIGHTS = Path(__file__).parent / "weights.json"


class LearnedReranker:
    """Ranks candidates by learned weights; scores are likelihoods relative to the best candidate."""

    name = "embedded"

    def __init__(self, embedding: StaticEmbedding, rarity: Rarity, path: Path = WEIGHTS) -> None:
        self._embedding, self._rarity = embedding, rarity
        stored = json.loads(path.read_text(encoding="utf-8"))
        self._weights = np.array([stored[name] for name in FEATURES])

    def rerank(self, query: str, chunks: Sequence[Chunk], k: int) -> list[Chunk]:
        """Return the best ``k`` chunks, scored 0 to 1, best first."""
        competing = candidates(chunks)
        if not competing:
            return []
        raw = features(query, competing, self._embedding, self._rarity) @ self._weights
        likely = np.exp(raw - raw.max())
        return selected(list(zip(likely.tolist(), competing, strict=True)), k)
