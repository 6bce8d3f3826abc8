"""The dense index of one corpus: what every vector store does, whoever keeps the vectors."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, Self

from tablerag.tools.records import Chunk, ChunkKind

if TYPE_CHECKING:
    import numpy as np

__all__ = ["NOBODY", "NamedEmbedding", "Owner", "VectorStore"]


class NamedEmbedding(Protocol):
    """LangChain's Embeddings with a name and version, which a store records."""

    name: str
    version: str
    is_embedded: bool
    """Whether a text has the same vector at any time, at no cost."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]: ...

    def embed_query(self, text: str) -> list[float]: ...


class Owner(Protocol):
    """The deployment whose documents a store holds."""

    def deployment_id(self) -> str:
        """Return its id; empty if it has none yet."""
        ...

    def known(self, document_ids: Iterable[str]) -> bool:
        """Return whether one of these documents is its own."""
        ...


class _Nobody:
    def deployment_id(self) -> str:
        return ""

    def known(self, document_ids: Iterable[str]) -> bool:
        return False


NOBODY: Owner = _Nobody()
"""For stores outside a deployment."""


class VectorStore(Protocol):
    """Stores one corpus's chunks and finds those nearest to a query.

    Opening: nothing is opened before the first call; corpora never share chunks, whatever their names.
    Ids: a chunk's id is unique in its corpus, any non-empty text, and comes back as it was given.
    Windows: a chunk is embedded as its windows (tools/embedding/windows.py) and counts by its nearest one.
    Publication: the store keeps all that is added; which documents are visible is the catalog's business.
    Deletion: deleting removes every window of a chunk; unknown ids are ignored.
    Processes: several may use one store at once, and several threads one object. A call sees every write that had
    finished when it began, and one that runs beside a write returns chunks from before or after it, never an error.
    Embedding: a store that another embedding or version wrote raises EmbeddingMismatch.
    Ownership: a store on a server belongs to the deployment that writes to it first; another one raises ForeignStore.
    Errors: StoreUnavailable when the store does not answer, ConfigError for a wrong setting; the library's own errors
    never get out. The contract is tests/tools/stores/vector_store_contract.py.
    """

    @property
    def engine(self) -> str:
        """The name and version of what keeps the vectors, which need not answer."""
        ...

    @property
    def place(self) -> str:
        """The folder or URL that holds the vectors."""
        ...

    def check(self) -> None:
        """Raise StoreDamaged if the store is not as it was written; do nothing on a server."""
        ...

    def discard(self) -> None:
        """Delete the vectors of all corpora in the folder, to be built again; do nothing on a server."""
        ...

    def drop(self) -> None:
        """Delete all chunks of the corpus, by whichever embedding."""
        ...

    def take(self, other: Self) -> None:
        """Take the chunks of another store of the same place, and their embedding, in place of the own ones.

        Whoever reads meanwhile finds the old chunks or the new ones. The other store is empty then.
        """
        ...

    def misplaced(self, chunks: Sequence[Chunk]) -> list[str]:
        """Return the ids of chunks whose vectors are not those of their texts; none for an embedding at a server."""
        ...

    def add(self, chunks: Sequence[Chunk], vectors: "Mapping[str, np.ndarray] | None" = None) -> None:
        """Add chunks, replacing those of the same id and text.

        ``vectors`` are those of windows (windows, dimensions) by chunk id, made by the store's own embedding; the
        other chunks are embedded here.
        """
        ...

    def delete(self, ids: Sequence[str]) -> None:
        """Delete chunks."""
        ...

    def delete_documents(self, document_ids: Sequence[str]) -> None:
        """Delete all chunks of documents."""
        ...

    def search(
        self,
        query: str,
        k: int,
        kinds: Iterable[ChunkKind] | None = None,
        documents: Sequence[str] | None = None,
    ) -> list[Chunk]:
        """Return the ``k`` nearest chunks of these kinds and documents (ids), best first; score: cosine similarity."""
        ...

    def scores(self, query: str, ids: Sequence[str]) -> dict[str, float]:
        """Return the score that a search gives each of these chunks; unknown ids are left out."""
        ...

    def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return chunks in the order of their ids, score 0; unknown ids are left out."""
        ...

    def of_documents(self, document_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks of documents, score 0."""
        ...

    def chunk_ids(self) -> dict[str, str]:
        """Return the id of every chunk with that of its document."""
        ...

    def window_counts(self) -> dict[str, int]:
        """Return how many windows of each chunk are stored."""
        ...

    def count(self) -> int:
        """Count the chunks."""
        ...

    def generation(self) -> str:
        """Return a mark that changes with every write by any process; empty if the store has none."""
        ...
