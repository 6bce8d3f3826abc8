"""The ranker: the chance of each candidate to be what a question means, as learned by training.reasoner."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import numpy as np

__all__ = ["MODEL", "Ranker", "Weights", "hashed", "known_places", "load_ranker"]

MODEL = Path(__file__).parent / "model" / "ranker.npz"


@lru_cache(maxsize=16_384)
def _hash(name: str) -> int:
    return zlib.crc32(name.encode("utf-8")) or 1


def hashed(names: Sequence[Sequence[str]]) -> np.ndarray:
    """Return the hashes of names (n, most names), padded with 0; weights are stored by hash, not by name."""
    width = max(map(len, names), default=0)
    return np.array([[*map(_hash, some), *[0] * (width - len(some))] for some in names], dtype=np.uint32).reshape(
        len(names), width
    )


def known_places(hashes: np.ndarray, known: np.ndarray, *, drop: bool = False) -> np.ndarray:
    """Return the indexes of hashes among the sorted known ones; -1 for others, or without these if ``drop``."""
    if not len(known):
        return np.full(hashes.shape, -1, dtype=np.int32)
    places = np.minimum(np.searchsorted(known, hashes), len(known) - 1).astype(np.int32)
    found = known[places] == hashes
    return places[found] if drop else np.where(found, places, np.int32(-1))


@dataclass(frozen=True, slots=True)
class Weights:
    """A network: a question's phrases weight each tag and number of a candidate."""

    phrases: np.ndarray
    """(phrases, width)."""
    phrase_bias: np.ndarray
    tags: np.ndarray
    """(width, tags)."""
    tag_bias: np.ndarray
    counts: np.ndarray
    """(width, numbers)."""
    count_bias: np.ndarray
    inner: np.ndarray
    """(numbers, hidden)."""
    asked: np.ndarray
    """(width, hidden)."""
    inner_bias: np.ndarray
    outer: np.ndarray
    """(hidden,)."""
    mean: np.ndarray
    spread: np.ndarray

    def scores(self, phrases: np.ndarray, tags: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Return the scores (n,) of candidates: phrase ids (p,), tag ids padded with -1 (n, k), numbers (n, d)."""
        vector = np.tanh(self.phrases[phrases].sum(axis=0) + self.phrase_bias)
        on_tags = np.append(vector @ self.tags + self.tag_bias, 0.0)  # the last one is for padding
        scaled = (numbers.astype(np.float32) - self.mean) / self.spread
        inner = np.maximum(scaled @ self.inner + vector @ self.asked + self.inner_bias, 0)
        return on_tags[tags].sum(axis=1) + scaled @ (vector @ self.counts + self.count_bias) + inner @ self.outer

    def probabilities(self, phrases: np.ndarray, tags: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Return the candidates' probabilities (n,)."""
        scores = self.scores(phrases, tags, numbers)
        likely = np.exp(scores - scores.max(initial=-np.inf))
        return likely / likely.sum()


@dataclass(frozen=True, slots=True)
class Ranker:
    """Several networks, whose probabilities are averaged, and the weights of the confidence."""

    phrases: np.ndarray
    """Sorted hashes of the phrases with weights."""
    tags: np.ndarray
    networks: tuple[Weights, ...]
    confidence: np.ndarray
    """(2, signs): for one table among several, and for a single table."""

    def probabilities(self, phrases: np.ndarray, tags: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Return the candidates' probabilities (n,) from hashes of phrases (p,) and tags (n, k), and numbers (n, d)."""
        known, named = known_places(phrases, self.phrases, drop=True), known_places(tags, self.tags)
        return np.mean([network.probabilities(known, named, numbers) for network in self.networks], axis=0)

    def save(self, path: Path) -> None:
        """Write the ranker as half-precision arrays."""
        arrays = {f"{i} {f.name}": getattr(n, f.name) for i, n in enumerate(self.networks) for f in fields(Weights)}
        halves = {name: array.astype(np.float16) for name, array in arrays.items()}
        np.savez_compressed(path, phrases=self.phrases, tags=self.tags, confidence=self.confidence, **halves)


@lru_cache(maxsize=1)
def load_ranker(path: Path = MODEL) -> Ranker:
    """Return the packaged ranker."""
    with np.load(path) as stored:
        count = 1 + max(int(name.split()[0]) for name in stored.files if " " in name)
        networks = tuple(
            Weights(**{f.name: stored[f"{i} {f.name}"].astype(np.float32) for f in fields(Weights)})
            for i in range(count)
        )
        return Ranker(stored["phrases"], stored["tags"], networks, stored["confidence"])
