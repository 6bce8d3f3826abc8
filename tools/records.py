"""The records that pass between rooms: columns, schemas, chunks, SQL results, citations.

All are frozen pydantic models: ``model_dump()`` gives the plain dict that graph state holds, and
``Model(**plain)`` brings the record back.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict

__all__ = [
    "Cell",
    "Chunk",
    "ChunkKind",
    "Citation",
    "Column",
    "ColumnType",
    "SqlResult",
    "SupportingRows",
    "TableSchema",
    "ValueHint",
]

ColumnType = Literal["integer", "decimal", "date", "datetime", "boolean", "text"]
ChunkKind = Literal["text", "table", "questions", "summary"]
Cell = str | int | float | bool | None
"""One value of a SQL result, JSON-safe: dates are ISO 8601 strings, decimals int or float."""

ROW_ID = "_row_id"
"""The key that every SQL table carries: 1 for its first data row, in the source's order."""


class Record(BaseModel):
    """A frozen record."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Column(Record):
    """One column of a SQL table."""

    name: str
    """SQL name: safe, unique in its table without regard to case."""
    header: str
    """The header as the document has it."""
    type: ColumnType
    examples: tuple[str, ...] = ()
    """Up to five distinct values, as stored (dates ISO 8601)."""
    unit: str = ""
    """What was taken off the cells when they were typed: "%", "$", "EUR" ... or ""."""


class TableSchema(Record):
    """S(D) of the TableRAG paper (arXiv 2506.10380, section 3.1): one SQL table as a model sees it."""

    table_id: str
    name: str
    """SQL name: unique in the database."""
    columns: tuple[Column, ...]
    row_count: int
    title: str = ""
    """The table's own title: caption, sheet name or nearest heading; else the file's name."""
    source: str
    """The document's path as ingested, relative to the ingested folder."""
    locator: str = ""
    """Where the table stands in its document, e.g. "sheet Orders, rows 1-241"."""
    first_row: int | None = None
    """Number, in the source's own count, of the first data row; None where rows have no number."""
    warnings: tuple[str, ...] = ()

    def column(self, name: str) -> Column | None:
        """Return the column of that SQL name (case-insensitive), or None."""
        return next((c for c in self.columns if c.name.casefold() == name.casefold()), None)


class Chunk(Record):
    """What is indexed and retrieved."""

    id: str
    text: str
    """The text as stored and shown; a table chunk is Markdown with its header row."""
    kind: ChunkKind
    document_id: str
    source: str
    locator: str = ""
    title: str = ""
    """Heading path, caption or sheet: embedded and indexed in front of the text."""
    table_id: str | None = None
    """The mapping f: which table's schema this chunk belongs to; None for text."""
    score: float = 0.0
    """Set by retrieval; comparable within one search only."""
    dense: float = 0.0
    """Cosine similarity of the search that found it."""
    lexical: float = 0.0
    """BM25 score in the search that found it, divided by the best one's."""


class SqlResult(Record):
    """What one guarded SELECT returned."""

    sql: str
    """The statement in MySQL's dialect, as guarded."""
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    truncated: bool = False
    """True when more rows existed than the row limit let through."""


class SupportingRows(Record):
    """The rows of one table that a SELECT's result was computed from."""

    table: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    row_ids: tuple[int, ...]
    """``_row_id`` of the rows shown, parallel to ``rows``."""
    total: int
    """How many rows contribute; more than ``len(rows)`` when only the first are shown."""


class ValueHint(Record):
    """A stored cell value that the question seems to mention."""

    table: str
    column: str
    value: str
    """The exact stored spelling."""
    phrase: str
    """The words of the question that it matches."""
    score: float
    """1.0 for an exact match (case and punctuation aside), less for looser ones."""


class Citation(Record):
    """Where a part of an answer comes from."""

    source: str
    locator: str = ""
    quote: str = ""
