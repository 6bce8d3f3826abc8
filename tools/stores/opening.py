"""Which vector store a name stands for; each imports its library when it is opened."""

from collections.abc import Callable
from pathlib import Path

from tablerag.tools.errors import ConfigError
from tablerag.tools.stores.vector_store import NOBODY, NamedEmbedding, Owner, VectorStore

__all__ = ["VECTOR_STORES", "open_vector_store"]


def _chroma(corpus: str, embedding: NamedEmbedding, home: Path, url: str, owner: Owner) -> VectorStore:
    from tablerag.tools.stores.chroma import ChromaStore

    return ChromaStore(corpus, embedding, home / "chroma", url, owner)


def _qdrant(corpus: str, embedding: NamedEmbedding, home: Path, url: str, _: Owner) -> VectorStore:
    if url:
        raise ConfigError(f"TABLERAG_VECTOR_STORE must be qdrant, got qdrant+{url}: only its local mode is supported")
    try:
        from tablerag.tools.stores.qdrant import QdrantStore
    except ModuleNotFoundError as error:
        raise ConfigError("TABLERAG_VECTOR_STORE=qdrant needs qdrant-client: pip install 'tablerag[qdrant]'") from error
    return QdrantStore(corpus, embedding, home / "qdrant")


VECTOR_STORES: dict[str, Callable[[str, NamedEmbedding, Path, str, Owner], VectorStore]] = {
    "chroma": _chroma,
    "qdrant": _qdrant,
}
"""Each takes the corpus, its embedding, the home folder, the server's URL, empty for none, and the owner."""


def open_vector_store(
    named: str, corpus: str, embedding: NamedEmbedding, home: Path, owner: Owner = NOBODY
) -> VectorStore:
    """Return a corpus's store, named NAME, or NAME+URL on a server; raise ConfigError for an unknown name."""
    name, _, url = named.partition("+")
    if name not in VECTOR_STORES:
        raise ConfigError(
            f"TABLERAG_VECTOR_STORE must be {' or '.join(VECTOR_STORES)}, with +URL for a server, got {named!r}"
        )
    return VECTOR_STORES[name](corpus, embedding, home, url, owner)
