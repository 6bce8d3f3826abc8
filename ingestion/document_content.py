"""What one file contributes to the stores; apart from what reads it, which the process that stores does without."""

from dataclasses import dataclass

from tablerag.ingestion.tables.companions import Companions
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.tools.records import Chunk, TableSchema

__all__ = ["AS_TEXT", "DocumentContent", "StoredTable"]

AS_TEXT = "kept as text only"
"""In the notes on grids that are no SQL table."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table with its schema and its companion columns."""

    table: TypedTable
    schema: TableSchema
    companions: tuple[Companions, ...]


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

    @property
    def row_count(self) -> int:
        """How many rows its tables have together."""
        return sum(t.table.row_count for t in self.tables)
