"""The lexical index of one corpus: what every full-text index does, whoever keeps the words."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from tablerag.tools.records import Chunk, ChunkKind

__all__ = ["LexicalIndex"]


class LexicalIndex(Protocol):
    """Stores one corpus's chunks and finds those that share words with a query (BM25, fields weighted).

    Ids, publication, deletion, processes and errors: as in VectorStore. A query is any text: nothing in it is syntax,
    and inflections (warehouses), compounds (unitPrice) and one wrong letter still match. Adding a chunk replaces the
    one of the same id. The contract is tests/tools/stores/lexical_index_contract.py.
    """

    @property
    def engine(self) -> str:
        """The name and version of what keeps the words."""
        ...

    @property
    def exists(self) -> bool:
        """Whether the index was ever opened; asking does not create it."""
        ...

    def check(self, most: int | None = None) -> None:
        """Raise StoreDamaged if the index is not as it was written; one above ``most`` bytes is only opened."""
        ...

    def discard(self) -> None:
        """Delete the index, to be built again from the others."""
        ...

    def add(self, chunks: Sequence[Chunk]) -> None:
        """Add chunks, replacing those of the same id."""
        ...

    def delete(self, ids: Sequence[str]) -> None:
        """Delete chunks."""
        ...

    def delete_documents(self, document_ids: Sequence[str]) -> None:
        """Delete all chunks of documents."""
        ...

    def search(self, query: str, k: int, kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]:
        """Return the ``k`` best chunks of these kinds, best first; score: weighted BM25."""
        ...

    def scores(self, query: str, ids: Sequence[str]) -> dict[str, float]:
        """Return the score that a search gives each of these chunks; 0 for those that share no word."""
        ...

    def holding(self, text: str, k: int, kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]:
        """Return the ``k`` best chunks that contain every word of a text, best first."""
        ...

    def rarity(self, words: Sequence[str]) -> dict[str, float]:
        """Return each word's inverse document frequency, as BM25 weighs it."""
        ...

    def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return chunks in the order of their ids, score 0; unknown ids are left out."""
        ...

    def of_documents(self, document_ids: Sequence[str], kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]:
        """Return the chunks of documents, of these kinds, in reading order."""
        ...

    def chunk_ids(self) -> dict[str, str]:
        """Return the id of every chunk with that of its document."""
        ...

    def version(self) -> int:
        """Return a number that changes whenever a chunk is added or deleted, by any process."""
        ...

    def count(self) -> int:
        """Count the chunks."""
        ...
