"""The embedded embedding: the vector of a text is the weighted mean of the trained vectors of its tokens.

``python -m training.embedding`` trains it. It is shipped as a tokenizer and an array of 8-bit numbers, and only needs
numpy and tokenizers. Words outside the vocabulary, such as in a script without training data, get a vector by hash, so
that equal texts have equal vectors.
"""

import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tokenizers import Encoding, Tokenizer

from tablerag.tools.embedding.products import products
from tablerag.tools.embedding.tokenizer import UNKNOWN

__all__ = ["StaticEmbedding", "damped"]

FOLDER = Path(__file__).parent / "static_model"
UNKNOWN_SEED = 7
AT_ONCE = 256
"""Vectors that are scaled at once."""


def damped(counts: np.ndarray) -> np.ndarray:
    """Return the weights of tokens that occur ``counts`` times in a text."""
    return 1.0 + np.log(counts)


@lru_cache(maxsize=4_096)
def _unknown(word: str, dimensions: int, length: float) -> np.ndarray:
    """Return a vector for an unknown word, the same on every machine."""
    vector = np.random.default_rng([UNKNOWN_SEED, zlib.crc32(word.encode("utf-8"))]).standard_normal(dimensions)
    return (vector * length / np.linalg.norm(vector)).astype(np.float32)


class _Trained(NamedTuple):
    """What training made; read-only, so all instances share it."""

    version: str
    tokenizer: Tokenizer
    vectors: np.ndarray
    lengths: np.ndarray


@lru_cache(maxsize=1)
def _trained(folder: Path) -> _Trained:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    with np.load(folder / "vectors.npz") as stored:
        version, small = str(stored["version"]), stored["vectors"]
        scales = stored["scales"][:, None].astype(np.float32)
    vectors, lengths = np.empty(small.shape, np.float32), np.empty(len(small), np.float32)
    for start in range(0, len(small), AT_ONCE):  # whole arrays in between would take longer than the rest
        some = slice(start, start + AT_ONCE)
        np.multiply(small[some], scales[some], out=vectors[some])
        lengths[some] = np.linalg.norm(vectors[some], axis=1)
    lengths += 1e-9
    for array in (vectors, lengths):
        array.setflags(write=False)
    return _Trained(version, tokenizer, vectors, lengths)


class StaticEmbedding:
    """Embeddings of unit length, deterministic; loaded once per process, at the first construction.

    Its methods are those of LangChain's Embeddings, a class that takes a tenth of a second to load.
    """

    name = "tablerag-static"
    is_embedded = True

    def __init__(self, folder: Path = FOLDER) -> None:
        self.version, self._tokenizer, self._vectors, self._lengths = _trained(folder)
        self.dimensions = self._vectors.shape[1]
        self._unknown_id = self._tokenizer.token_to_id(UNKNOWN)
        self._unknown_length = float(np.quantile(self._lengths, 0.75))  # the length for a rare token

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return unit vectors (len(texts), dimensions), float32; zeros for texts without words."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, encoded in enumerate(self._tokenizer.encode_batch(list(texts), add_special_tokens=False)):
            if not encoded.ids:
                continue
            ids, counts = np.unique(np.array(encoded.ids, dtype=np.int64), return_counts=True)
            weights = damped(counts).astype(np.float32)
            if self._unknown_id in encoded.ids:
                weights[ids == self._unknown_id] = 0.0
                vectors[row] += self._unknown_sum(texts[row], encoded)
            vectors[row] += weights @ self._vectors[ids]
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths > 0, lengths, 1.0)

    def _unknown_sum(self, text: str, encoded: Encoding) -> np.ndarray:
        pairs = zip(encoded.ids, encoded.offsets, strict=True)
        words = {text[start:end].casefold() for i, (start, end) in pairs if i == self._unknown_id}
        unknown = (_unknown(w, self.dimensions, self._unknown_length) for w in sorted(words))
        return sum(unknown, np.zeros(self.dimensions, np.float32))

    def soft_overlap(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return, for each text, the mean similarity of the query's tokens to their nearest tokens in the text.

        This is ColBERT's MaxSim (arXiv 2004.12832) with static vectors, 0 to 1. Tokens are weighted by the length of
        their vectors: training makes those of significant tokens long.
        """
        asked = self._ids([query])[0]
        if not len(asked) or not texts:
            return [0.0] * len(texts)
        lengths = self._lengths[asked]
        directions = self._vectors[asked] / lengths[:, None]
        per_text = self._ids(texts)
        used = np.unique(np.concatenate(per_text))
        near = products(directions, self._vectors[used] / self._lengths[used][:, None])
        places = (np.searchsorted(used, ids) for ids in per_text)
        nearest = (near[:, p].max(axis=1) if len(p) else np.zeros(len(asked)) for p in places)
        return [float(np.clip(n, 0.0, 1.0) @ lengths / lengths.sum()) for n in nearest]

    def _ids(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Return the distinct known tokens of each text."""
        encoded = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [np.array(sorted({*e.ids} - {self._unknown_id}), dtype=np.int64) for e in encoded]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one unit vector per text."""
        return self.embed(texts).tolist()

    def embed_query(self, text: str) -> list[float]:
        """Return the unit vector of a question."""
        return self.embed([text])[0].tolist()
