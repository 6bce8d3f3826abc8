"""What one file contributes to the stores; apart from what reads it, which the process that stores does without."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from tablerag.ingestion.tables.companions import Companions
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.tools.records import Chunk, TableSchema

if TYPE_CHECKING:
    import numpy as np

__all__ = ["AS_TEXT", "ChunkVectors", "DocumentContent", "StoredTable"]

AS_TEXT = "kept as text only"
"""In the notes on grids that are no SQL table."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table with its schema and its companion columns."""

    table: TypedTable
    schema: TableSchema
    companions: tuple[Companions, ...]


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """The vectors of chunks, made where their document was read."""

    version: str
    """The version of the embedding."""
    counts: tuple[int, ...]
    """How many windows each chunk has."""
    vectors: "np.ndarray"
    """Unit vectors (windows of all chunks, dimensions), float32."""

    def by_chunk(self, chunks: Sequence[Chunk]) -> "dict[str, np.ndarray]":
        """Return the vectors of each of the same chunks, by its id."""
        ends = accumulate(self.counts)
        return {c.id: self.vectors[end - n : end] for c, end, n in zip(chunks, ends, self.counts, strict=True)}


@dataclass(frozen=True, slots=True)
class DocumentContent:
    """One file's tables and its chunks, in reading order."""

    document_id: str
    title: str
    tables: tuple[StoredTable, ...]
    chunks: tuple[Chunk, ...]
    warnings: tuple[str, ...]
    packed: int = 0
    """The bytes of its pickle, 0 for a small one: what it takes is up to ten times as much."""
    vectors: ChunkVectors | None = None
    """Those of its chunks; None if whoever stores it is to make them."""

    @property
    def row_count(self) -> int:
        """How many rows its tables have together."""
        return sum(t.table.row_count for t in self.tables)
