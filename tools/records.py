"""The records that pass between rooms: columns, schemas, chunks, SQL results, citations.

All are frozen pydantic models: ``model_dump()`` gives the plain dict that graph state holds, and
``Model(**plain)`` brings the record back.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, model_validator

__all__ = [
    "HIDDEN",
    "HIDDEN_COLUMNS",
    "MEMBER",
    "PAGE",
    "ROW_ID",
    "SOURCE_ROW",
    "TOTAL",
    "UNION_SOURCE",
    "Cell",
    "Chunk",
    "ChunkKind",
    "Citation",
    "Column",
    "ColumnKind",
    "ColumnType",
    "ContributingRows",
    "Member",
    "Receipt",
    "SqlResult",
    "SupportingRows",
    "TableSchema",
    "ValueHint",
]

ColumnType = Literal["integer", "decimal", "date", "datetime", "boolean", "text"]
ColumnKind = Literal[
    "", "money", "percent", "quantity", "year", "date", "partial date", "yearless date", "datetime", "duration",
    "clock", "range", "score", "boolean", "id",
]  # fmt: skip
"""What a column's cells are beyond their type; "" for plain numbers and texts."""
ChunkKind = Literal["text", "table", "questions", "summary"]
Cell = str | int | float | bool | None
"""One value of a SQL result, JSON-safe: dates are ISO 8601 strings, decimals int or float."""

ROW_ID = "_row_id"
"""The key that every SQL table carries: 1 for its first data row, in the source's order."""
SOURCE_ROW = "_source_row"
"""The source's own number of a row, where the format numbers rows: the sheet's row, the file's record."""
PAGE = "_page"
"""The page that a row stands on, where a table runs over several."""
HIDDEN = "_hidden"
"""True for rows that the source keeps out of sight."""
TOTAL = "_total"
"""True for rows that sum up others: totals, subtotals, averages."""
MEMBER = "_table"
"""In a table that unites others: the SQL name of the one that a row is from."""
UNION_SOURCE = ("source_file", "source_place")
"""The columns by which a uniting table says where a row is from."""
OLDER_ROWS = ("row_count", "row_ids", "rows_hash")
"""Fields of receipts of before, for the rows of their one table."""
HIDDEN_COLUMNS: Mapping[str, ColumnType] = MappingProxyType(
    {ROW_ID: "integer", SOURCE_ROW: "integer", PAGE: "integer", HIDDEN: "boolean", TOTAL: "boolean", MEMBER: "text"}
)
"""What a table may carry beside its document's columns; ``SELECT *`` leaves them out."""


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
    """What the numbers count, off the cells or out of the header: "%", "$", "km"; "s" for durations."""
    scale: str = ""
    """ "thousands", "millions": what the numbers, stored as printed, are counted in."""
    kind: ColumnKind = ""
    path: tuple[str, ...] = ()
    """The header's path, outermost first: HD-RAG's H_t (arXiv 2504.09554, section 3.1)."""
    raw: str = ""
    """SQL name of the column that keeps the cells' own text; "" where nothing was changed."""
    low: str = ""
    high: str = ""
    """SQL names of the columns that hold both ends of a range."""
    ends: ColumnType | None = None
    """The type of both ends."""
    place: int | None = None
    """The source's own number of the column, from 1: 3 is a sheet's column C."""
    coerced: int = 0
    """Cells whose text says more than what is stored, or says it otherwise."""
    unfit: int = 0
    """Filled cells that do not fit the type and are NULL, or that kept a nearly typed column text."""
    missing: int = 0
    """Cells with a mark for "no value"."""

    def all_names(self) -> list[str]:
        """Return the SQL names of the column and of those beside it."""
        return [self.name, *(name for name, _ in self.companions())]

    def companions(self) -> Iterator[tuple[str, ColumnType]]:
        """Yield the name and type of the columns that stand beside this one."""
        if self.raw:
            yield self.raw, "text"
        for name in (self.low, self.high):
            if name and self.ends:
                yield name, self.ends


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
    """Where the table stands in its document, e.g. "sheet Orders, cells A1:F241"."""
    within: str = ""
    """What of the document it stands in, without its pages and cells: "sheet Orders"."""
    warnings: tuple[str, ...] = ()
    stored_as: str = ""
    """The name of the SQL table in the database, made anew for every version of its document; "" for ``name``."""
    hidden_columns: tuple[str, ...] = (ROW_ID,)
    """Which of HIDDEN_COLUMNS the table has."""
    row_path: tuple[str, ...] = ()
    """SQL names of the columns that hold the sections a row stands in, outermost first: HD-RAG's H_l."""
    header_rows: int = 1
    confidence: float = 1.0
    """How sure the header's detection is, from 0 to 1."""
    members: tuple["Member", ...] = ()
    """For a table that unites others of one schema: those; it has no rows of its own in the database."""

    def stored_columns(self) -> dict[str, ColumnType]:
        """Return all columns by name, those beside the document's own included."""
        own: dict[str, ColumnType] = {c.name: c.type for c in self.columns}
        beside: dict[str, ColumnType] = {name: type_ for c in self.columns for name, type_ in c.companions()}
        return own | beside | {name: HIDDEN_COLUMNS[name] for name in self.hidden_columns}

    def unseen_columns(self) -> list[str]:
        """Return the columns that ``SELECT *`` leaves out."""
        own = {c.name for c in self.columns}
        return [name for name in self.stored_columns() if name not in own]

    @property
    def signature(self) -> str:
        """A hash of the headers in any order, case aside: tables that share it can be united."""
        headers = "\0".join(sorted(c.header.casefold() for c in self.columns))
        return hashlib.sha256(headers.encode("utf-8", "replace")).hexdigest()

    def column(self, name: str) -> Column | None:
        """Return the column of that SQL name (case-insensitive), or None."""
        return next((c for c in self.columns if c.name.casefold() == name.casefold()), None)


class Member(Record):
    """One of the tables that a uniting table stands for."""

    name: str
    stored_as: str
    source: str
    locator: str = ""
    columns: dict[str, str]
    """Its own names by those of the uniting table, of the columns beside them too; the source columns left out."""
    as_text: tuple[str, ...] = ()
    """Columns of the uniting table that are text where this one's are not."""
    places: dict[str, int] = {}
    """The source's own numbers of the columns, by the uniting table's names."""
    within: str = ""
    row_count: int = 0
    hidden_columns: tuple[str, ...] = (ROW_ID,)


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

    @property
    def reading_place(self) -> tuple[tuple[int, str], ...]:
        """What sorts a document's chunks in the order in which they were made: its id, numbers as numbers."""
        parts = re.split(r"(\d+)", self.id)
        return tuple((int(p), "") if p.isdigit() else (-1, p) for p in parts)


class ContributingRows(Record):
    """The stored rows of one table that a result was computed from."""

    table: str
    columns: tuple[str, ...] = ()
    """The columns that the statement reads."""
    row_count: int | None = None
    """How many there are, each counted once; None where ``untold`` says why that is not known."""
    row_ids: tuple[int, ...] = ()
    """``_row_id`` of the first of them."""
    members: tuple[str, ...] = ()
    """For a table that unites others: which of them each of those is from."""
    rows_hash: str = ""
    """Of all of them, ids and the columns that were read; "" where there are too many, or they are not known."""
    chooses: bool = False
    """Whether the table stands in conditions only: its rows choose others, and are not shown themselves."""
    untold: str = ""
    """Why the rows are not known."""


class Receipt(Record):
    """What a statement's result was computed from."""

    sql: str
    """As people read it; runs again through the guard."""
    tables: tuple[str, ...]
    sources: tuple[str, ...]
    result_hash: str
    """Of the result's rows, in any order."""
    rows: tuple[ContributingRows, ...] = ()
    """The rows that contribute, for each table; empty in older receipts of what was not one table alone."""

    @model_validator(mode="before")
    @classmethod
    def _from_older(cls, given: Any) -> Any:
        """Read receipts that knew the rows of one table only, in fields of their own."""
        if not isinstance(given, dict) or "row_count" not in given:
            return given
        kept = {k: v for k, v in given.items() if k not in OLDER_ROWS}
        # The rows of sub-selects counted for nothing then: what was hashed is not what is hashed now.
        if given["row_count"] is None or str(given.get("sql", "")).upper().count("SELECT") > 1:
            return kept
        rows = {k: given[k] for k in OLDER_ROWS if k in given}
        return kept | {"rows": [{"table": table} | rows for table in given.get("tables") or ()]}


class EmptyReason(Record):
    """Why a statement found nothing."""

    says: str
    missing: bool = False
    """Whether a text that it compares with is stored nowhere: mostly another spelling is meant."""


class SqlResult(Record):
    """What one guarded SELECT returned."""

    sql: str
    """The statement in MySQL's dialect, as guarded."""
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    truncated: bool = False
    """True when more rows existed than the row limit let through."""
    receipt: Receipt | None = None
    empty: EmptyReason | None = None
    """Why it found nothing; None where it found something."""


class SupportingRows(Record):
    """The rows of one table that a SELECT's result was computed from."""

    table: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    row_ids: tuple[int, ...]
    """``_row_id`` of the rows shown, parallel to ``rows``."""
    used: tuple[str, ...] = ()
    """The columns that the statement reads."""
    units: tuple[str, ...] = ()
    """What each column's numbers count, scale first: "thousands $"; "" where nothing is known."""
    members: tuple[str, ...] = ()
    """For a table that unites others: which of them each row is from."""
    source_rows: tuple[int, ...] = ()
    """The source's own numbers of the rows shown; empty where it has none."""
    pages: tuple[int, ...] = ()
    """Their pages, where the table runs over several."""
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


class JoinHint(Record):
    """Two columns by which tables may be joined."""

    left: str
    left_column: str
    right: str
    right_column: str
    share: float
    """How much of the smaller column's values the other one has, from 0 to 1."""
    same_name: bool = False


class Citation(Record):
    """Where a part of an answer comes from."""

    source: str
    locator: str = ""
    quote: str = ""
    chunk_id: str = ""
    """Of the chunk that the quote stands in; "" for rows of a table."""
    table: str = ""
    """SQL name of the table whose rows are cited; "" for text."""
    row_ids: tuple[int, ...] = ()
    """``_row_id`` of the first of them; empty where the whole table is meant, or they are not known."""
    columns: tuple[str, ...] = ()
    """SQL names of the table's columns that were read; empty where all are meant, or they are not known."""
