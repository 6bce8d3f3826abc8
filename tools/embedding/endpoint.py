"""An embedding by any OpenAI-compatible ``/embeddings`` endpoint, in place of the embedded one."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from tablerag.tools.errors import ModelUnavailable
from tablerag.tools.models import embedding_errors, open_embeddings
from tablerag.tools.settings import Settings

__all__ = ["EndpointEmbedding"]

QUERIES = 1_000
"""Queries whose vectors are kept: a question is searched for several times."""


class EndpointEmbedding:
    """Vectors of unit length from a server; a collection records the model's name, not the server's."""

    version = "1"
    is_embedded = False

    def __init__(self, name: str, settings: Settings) -> None:
        """Take ``openai:NAME``; raise ConfigError for another name, or if there is neither a key nor a server."""
        self.name = name
        self._client = open_embeddings(name, settings)
        self._query = lru_cache(QUERIES)(self._asked)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one unit vector per text; raise ModelUnavailable."""
        with embedding_errors(self.name):
            found = self._client.embed_documents(texts)
        return self._unit(found, len(texts)).tolist()

    def embed_query(self, text: str) -> list[float]:
        """Return the unit vector of a question; raise ModelUnavailable."""
        return list(self._query(text))

    def _asked(self, text: str) -> tuple[float, ...]:
        return tuple(self.embed_documents([text])[0])

    def _unit(self, found: Sequence[Sequence[float]], count: int) -> np.ndarray:
        try:
            vectors = np.asarray(found, dtype=np.float32)
        except (TypeError, ValueError):
            vectors = np.zeros(0)
        if vectors.ndim != 2 or len(vectors) != count or not vectors.size or not np.isfinite(vectors).all():
            raise ModelUnavailable(
                f"embedding {self.name}: expected {count} vectors of the same length from the server: check that it is "
                "an /embeddings endpoint and TABLERAG_EMBEDDING the name of an embedding"
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths > 0, lengths, 1.0)
