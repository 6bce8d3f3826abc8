"""Hashed n-gram vectors: each word and its character trigrams, hashed with a sign into a fixed width."""

import math
import zlib
from collections import Counter
from functools import lru_cache

import numpy as np
from langchain_core.embeddings import Embeddings

from tools.text import QUESTION_WORDS, tokens

__all__ = ["HashedEmbedding"]

WORD_WEIGHT = 1.0
TRIGRAM_WEIGHT = 0.35


@lru_cache(maxsize=200_000)
def _features(token: str, dimensions: int) -> tuple[tuple[int, float], ...]:
    """Return a token's places in the vector with their signed weights."""
    padded = f"<{token}>"
    grams = {padded[i : i + 3] for i in range(len(padded) - 2)} if len(token) > 3 else set()
    share = TRIGRAM_WEIGHT / math.sqrt(len(grams)) if grams else 0.0
    weighted = [(token, WORD_WEIGHT), *((f"#{g}", share) for g in sorted(grams))]
    return tuple(_place(name, weight, dimensions) for name, weight in weighted)


def _place(name: str, weight: float, dimensions: int) -> tuple[int, float]:
    # crc32 and not hash(): the same on every machine and in every process.
    hashed = zlib.crc32(name.encode("utf-8"))
    return (hashed >> 1) % dimensions, weight if hashed & 1 else -weight


class HashedEmbedding(Embeddings):
    """LangChain embeddings of fixed width, deterministic, unit length."""

    name = "hashed-ngrams"
    version = "1"

    def __init__(self, dimensions: int = 512) -> None:
        self.dimensions = dimensions

    def _embed(self, text: str) -> list[float]:
        vector = np.zeros(self.dimensions, dtype=np.float32)
        counts = Counter(t for t in tokens(text) if t not in QUESTION_WORDS)
        for token, count in counts.items():
            damped = 1.0 + math.log(count)
            for place, weight in _features(token, self.dimensions):
                vector[place] += weight * damped
        length = float(np.linalg.norm(vector))
        return (vector / length if length else vector).tolist()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one unit vector per text; zeros for a text without words."""
        return [self._embed(t) for t in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return a question's unit vector."""
        return self._embed(text)
