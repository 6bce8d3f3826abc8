"""Records: columns, schemas, chunks, SQL results, citations.

All are frozen pydantic models. Graph state has them as dicts: ``model_dump()`` and ``Model(**record)`` convert them.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = [
    "HIDDEN",
    "HIDDEN_COLUMNS",
    "MEMBER",
    "OCR",
    "OCR_WORD",
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
    "Found",
    "MetricRule",
    "Origin",
    "Receipt",
    "SqlResult",
    "SupportingRows",
    "TableExtract",
    "TableRules",
    "TableSchema",
    "ValueHint",
]

ColumnType = Literal["integer", "decimal", "date", "datetime", "boolean", "text"]
ColumnKind = Literal[
    "", "money", "percent", "quantity", "year", "date", "partial date", "yearless date", "datetime", "duration",
    "clock", "range", "score", "boolean", "id", "metric",
]  # fmt: skip
"""What the cells of a column are, in addition to their type; "" for other numbers and texts."""
ChunkKind = Literal["text", "table", "questions", "summary", "profile"]
Cell = str | int | float | bool | None
"""One value of a SQL result, JSON-safe: dates are ISO 8601 strings, decimals int or float."""

ROW_ID = "_row_id"
"""The key of every SQL table: 1 for its first data row, in the order of the source."""
SOURCE_ROW = "_source_row"
"""The row number of the source, if its format has one: the row of the sheet, the record of the file."""
PAGE = "_page"
"""The page of a row, if its table spans several."""
HIDDEN = "_hidden"
"""True for rows that are hidden in the source."""
TOTAL = "_total"
"""True for rows that summarise others: totals, subtotals, averages."""
OCR = "_ocr"
"""How sure OCR is of the least sure word of a row, in percent; NULL if the row is text in the file."""
OCR_WORD = "_ocr_word"
"""That word."""
MEMBER = "_table"
"""In a union: the SQL name of the table of a row."""
UNION_SOURCE = ("source_file", "source_place")
"""The columns of a union that hold the source of each row."""
OLDER_ROWS = ("row_count", "row_ids", "rows_hash")
"""Fields of earlier versions of receipts, for the rows of their only table."""
HIDDEN_COLUMNS: Mapping[str, ColumnType] = MappingProxyType(
    {
        ROW_ID: "integer",
        SOURCE_ROW: "integer",
        PAGE: "integer",
        HIDDEN: "boolean",
        TOTAL: "boolean",
        OCR: "integer",
        OCR_WORD: "text",
        MEMBER: "text",
    }
)
"""Columns that a table can have in addition to those of the document; ``SELECT *`` omits them."""


class Record(BaseModel):
    """A frozen record."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Column(Record):
    """One column of a SQL table."""

    name: str
    """SQL name: safe, unique in its table ignoring case."""
    header: str
    """The header in the document."""
    type: ColumnType
    examples: tuple[str, ...] = ()
    """Up to five distinct values, as stored (dates ISO 8601)."""
    unit: str = ""
    """The unit of the numbers, from the cells or the header: "%", "$", "km"; "s" for durations."""
    scale: str = ""
    """The scale of the numbers, which are stored as printed: "thousands", "millions"."""
    kind: ColumnKind = ""
    path: tuple[str, ...] = ()
    """The path of the header, outermost first: HD-RAG's H_t (arXiv 2504.09554, section 3.1)."""
    raw: str = ""
    """SQL name of the column with the original text of the cells; "" if nothing was changed."""
    low: str = ""
    high: str = ""
    """SQL names of the columns with the ends of a range."""
    ends: ColumnType | None = None
    """The type of both ends."""
    place: int | None = None
    """The column number of the source, from 1: 3 is column C of a sheet."""
    coerced: int = 0
    """Number of cells whose text differs from the stored value."""
    unfit: int = 0
    """Number of cells that do not match the type: they are NULL, or the reason why the column is text."""
    missing: int = 0
    """Number of cells with a mark for "no value"."""
    about: str = ""
    """What it means: the comment on it in a connected database, or its line in knowledge.yaml."""
    profile: str = ""
    """What a model drafted that it means; nobody has accepted it."""

    def all_names(self) -> list[str]:
        """Return the SQL names of the column and its companions."""
        return [self.name, *(name for name, _ in self.companions())]

    def companions(self) -> Iterator[tuple[str, ColumnType]]:
        """Yield the names and types of the columns with its original text and the ends of its range."""
        if self.raw:
            yield self.raw, "text"
        for name in (self.low, self.high):
            if name and self.ends:
                yield name, self.ends


class MetricRule(Record):
    """A metric of knowledge.yaml over the columns of one table."""

    name: str
    column: str
    """The SQL name of the column that stands for it while a statement is written."""
    expression: str
    """SQL over aggregates; a share is multiplied by 100 if its unit is "%"."""
    unit: str = ""
    where: str
    """The place of its definition: "knowledge.yaml, line 4"."""


class TableRules(Record):
    """What knowledge.yaml says of one table; columns by their SQL names."""

    description: str = ""
    default_date: str = ""
    date_where: str = ""
    exclude: str = ""
    """A condition: rows that meet it do not count, unless a statement reads one of its columns."""
    exclude_where: str = ""
    metrics: tuple[MetricRule, ...] = ()
    columns_where: dict[str, str] = {}
    """Where the columns are described, by their SQL names."""
    code_columns: tuple[str, ...] = ()
    """The columns with codes and with what they mean, if its rows explain the codes of other tables."""


class Origin(Record):
    """The place of a table in a connected database."""

    connection: str
    """The name of the connection."""
    engine: str
    """The kind of database, as its users write it: "SQLite"."""
    table: tuple[str, ...]
    """The schema and the table; for Parquet, the path below the folder."""
    names: dict[str, str]
    """The names of the columns in the database, by SQL name."""
    reads: dict[str, str] = {}
    """How a column is read if not as it is, by SQL name; each engine has words of its own."""
    key: str = ""
    """The column of the database that is ``_row_id``; "" if there is none."""
    keys: tuple[str, ...] = ()
    """The SQL names of the columns of the primary key, unless that is ``key``; empty if there is none."""
    references: tuple[tuple[str, str, str], ...] = ()
    """Its foreign keys of one column: the SQL name, and the table and column of the database that it refers to."""


class RowFilter(Record):
    """What an API key sees of a table: only its schema's columns, and the rows that meet a condition."""

    condition: str
    """In MySQL's dialect, by SQL names; its columns need not be shown."""
    whole: "TableSchema"
    """The table as it is."""


class Found(Record):
    """How a doubtful table was found, for people to compare it with: its places on pages, or its cells as printed."""

    regions: tuple[tuple[int, float, float, float, float], ...] = ()
    """Page, left, top, right and bottom of each part, in points."""
    cells: tuple[tuple[str, ...], ...] = ()
    """The first rows of its grid, header included; empty if it has regions."""


class TableSchema(Record):
    """S(D) of the TableRAG paper (arXiv 2506.10380, section 3.1): one SQL table, as shown to models."""

    table_id: str
    name: str
    """SQL name: unique in the database."""
    columns: tuple[Column, ...]
    row_count: int
    title: str = ""
    """The title of the table: caption, sheet name or nearest heading; otherwise the name of the file."""
    source: str
    """The path of the document, relative to the ingested folder."""
    locator: str = ""
    """The place of the table in its document, e.g. "sheet Orders, cells A1:F241"."""
    within: str = ""
    """The same without pages and cells: "sheet Orders"."""
    warnings: tuple[str, ...] = ()
    stored_as: str = ""
    """The name of the SQL table in the database, different for each version of its document; "" means ``name``."""
    hidden_columns: tuple[str, ...] = (ROW_ID,)
    """Which of HIDDEN_COLUMNS the table has."""
    row_path: tuple[str, ...] = ()
    """SQL names of the columns with the sections of a row, outermost first: HD-RAG's H_l."""
    header_rows: int = 1
    confidence: float = 1.0
    """The chance that the table was read rightly, from 0 to 1; of older versions, that its header was found."""
    doubts: tuple[str, ...] = ()
    """What tells against it, the weightiest first; empty if its confidence is high."""
    set_aside: bool = False
    """Whether it is stored and shown but left out of answers, because it is doubtful or on request."""
    found: Found | None = None
    """How it was found, if it is doubtful."""
    profiled_by: str = ""
    """The model that drafted the profiles of the columns; "" if none was asked."""
    members: tuple["Member", ...] = ()
    """The members of a union of tables with the same schema; a union has no rows of its own in the database."""
    rules: TableRules | None = None
    """What knowledge.yaml says of it; only set while a question is answered."""
    origin: Origin | None = None
    """The place of a table that is not stored but read in a connected database."""
    row_filter: RowFilter | None = Field(default=None, exclude=True)
    """What limits the key of the current run or request. It is never written, and what a client's state says of it does
    not count: its schemas are read from the catalog again."""

    def stored_columns(self) -> dict[str, ColumnType]:
        """Return the types of all columns by name, including those that are not in the document."""
        own: dict[str, ColumnType] = {c.name: c.type for c in self.columns}
        beside: dict[str, ColumnType] = {name: type_ for c in self.columns for name, type_ in c.companions()}
        hidden: dict[str, ColumnType] = {name: HIDDEN_COLUMNS[name] for name in self.hidden_columns}
        return own | beside | hidden

    @property
    def row_key(self) -> tuple[str, ...]:
        """The columns that tell its rows apart; empty if none do."""
        hidden = tuple(name for name in (ROW_ID, MEMBER) if name in self.hidden_columns)
        own = self.origin.keys if self.origin else ()
        return hidden or (own if {c.name for c in self.columns}.issuperset(own) else ())

    @property
    def own_key(self) -> str:
        """The one column of a connected table that is its primary key, by its SQL name; "" if there is none."""
        if self.origin is None:
            return ""
        by_real = {real: name for name, real in self.origin.names.items()}
        return by_real.get(self.origin.key, "") or (self.origin.keys[0] if len(self.origin.keys) == 1 else "")

    def unseen_columns(self) -> list[str]:
        """Return the columns that ``SELECT *`` omits."""
        own = {c.name for c in self.columns}
        return [name for name in self.stored_columns() if name not in own]

    @property
    def signature(self) -> str:
        """A hash of the headers in any order, case aside: tables that share it can be united."""
        headers = "\0".join(sorted(c.header.casefold() for c in self.columns))
        headers += f"\0\0{self.table_id}" if self.origin else ""  # tables of a database are not united
        return hashlib.sha256(headers.encode("utf-8", "replace")).hexdigest()

    def column(self, name: str) -> Column | None:
        """Return the column with this SQL name, ignoring case, or None."""
        return next((c for c in self.columns if c.name.casefold() == name.casefold()), None)

    def meaning(self, column: Column) -> str:
        """Return what is known of a column's meaning, and who drafted it if nobody has accepted it; "" if nothing."""
        drafted = f"{column.profile} (drafted by {self.profiled_by or 'a model'})" if column.profile else ""
        return column.about or drafted


class Member(Record):
    """One of the tables of a union."""

    name: str
    stored_as: str
    source: str
    locator: str = ""
    columns: dict[str, str]
    """Its own names of the columns of the union and their companions, without the source columns."""
    as_text: tuple[str, ...] = ()
    """Columns that are text in the union but not in this table."""
    places: dict[str, int] = {}
    """The column numbers of the source, by the names of the union."""
    within: str = ""
    row_count: int = 0
    hidden_columns: tuple[str, ...] = (ROW_ID,)


class Chunk(Record):
    """A piece of a document that is indexed and retrieved."""

    id: str
    text: str
    """The stored text; a table chunk is Markdown with its header row."""
    kind: ChunkKind
    document_id: str
    source: str
    locator: str = ""
    title: str = ""
    """Heading path, caption or sheet; embedded and indexed before the text."""
    table_id: str | None = None
    """The mapping f: the table of this chunk; None for text."""
    score: float = 0.0
    """Set by retrieval; only comparable within one search."""
    dense: float = 0.0
    """Cosine similarity in the search that found it."""
    lexical: float = 0.0
    """BM25 score in the search that found it, divided by the best score."""

    @property
    def reading_place(self) -> tuple[tuple[int, str], ...]:
        """A key that sorts the chunks of a document in reading order: the id, with numbers compared as numbers."""
        parts = re.split(r"(\d+)", self.id)
        return tuple((int(p), "") if p.isdigit() else (-1, p) for p in parts)


class ContributingRows(Record):
    """The stored rows of one table that a result was computed from."""

    table: str
    columns: tuple[str, ...] = ()
    """The columns that the statement reads."""
    row_count: int | None = None
    """Number of distinct rows; None if unknown, with the reason in ``untold``."""
    row_ids: tuple[int, ...] = ()
    """``_row_id`` of the first rows."""
    keys: tuple[tuple[Cell, ...], ...] = ()
    """The keys of the first rows of a connected table that has no ``_row_id``."""
    members: tuple[str, ...] = ()
    """For a union: the table of each of these rows."""
    rows_hash: str = ""
    """Hash of all rows, their ids and the columns read; "" if there are too many, or if they are unknown."""
    chooses: bool = False
    """Whether the table is only used in conditions: its rows select others, but are not in the result."""
    untold: str = ""
    """Why the rows are unknown."""
    deferred: bool = False
    """Whether the rows are only found when the receipt is opened or verified: the answer would have waited for them."""


class Receipt(Record):
    """What the result of a statement was computed from."""

    sql: str
    """The statement for readers; it passes the guard again."""
    tables: tuple[str, ...]
    sources: tuple[str, ...]
    result_hash: str
    """Hash of the rows of the result, in any order."""
    computed_at: str = ""
    """When it was computed, ISO 8601, UTC, if it reads a connected database, which may change; otherwise ""."""
    joined: tuple[str, ...] = ()
    """The connections whose partial results were joined, "" for the documents; empty if it reads one database."""
    rows: tuple[ContributingRows, ...] = ()
    """The contributing rows of each table; empty in receipts of earlier versions with several tables."""

    @model_validator(mode="before")
    @classmethod
    def _from_older(cls, given: Any) -> Any:
        """Read receipts of earlier versions, with the rows of one table in separate fields."""
        if not isinstance(given, dict) or "row_count" not in given:
            return given
        kept = {k: v for k, v in given.items() if k not in OLDER_ROWS}
        # Earlier versions did not count the rows of subqueries, so their hashes cannot be compared.
        if given["row_count"] is None or str(given.get("sql", "")).upper().count("SELECT") > 1:
            return kept
        rows = {k: given[k] for k in OLDER_ROWS if k in given}
        return kept | {"rows": [{"table": table} | rows for table in given.get("tables") or ()]}


class EmptyReason(Record):
    """Why a statement found nothing."""

    says: str
    missing: bool = False
    """Whether it compares with a text that is not stored, usually because of another spelling."""


class SqlResult(Record):
    """The result of one guarded SELECT."""

    sql: str
    """The guarded statement in MySQL's dialect."""
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    truncated: bool = False
    """True if there are more rows than the row limit."""
    receipt: Receipt | None = None
    empty: EmptyReason | None = None
    """Why it found nothing; None if it found something."""


class SupportingRows(Record):
    """The rows of one table that the result of a SELECT was computed from."""

    table: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    row_ids: tuple[int, ...]
    """``_row_id`` of each row; empty if the table has none."""
    keys: tuple[tuple[Cell, ...], ...] = ()
    """The key of each row of a connected table without ``_row_id``."""
    used: tuple[str, ...] = ()
    """The columns that the statement reads."""
    units: tuple[str, ...] = ()
    """The scale and unit of each column: "thousands $"; "" if unknown."""
    members: tuple[str, ...] = ()
    """For a union: the table of each row."""
    headers: tuple[str, ...] = ()
    """The columns' headers in the document."""
    source_rows: tuple[int, ...] = ()
    """The row numbers of the source; empty if it has none."""
    pages: tuple[int, ...] = ()
    """The pages of the rows, if the table spans several."""
    ocr: tuple[tuple[int, str] | None, ...] = ()
    """How sure OCR is of the least sure word of each row, in percent, and the word; empty for other tables."""
    total: int
    """Number of contributing rows; more than ``len(rows)`` if only the first are included."""


class TableExtract(Record):
    """Rows of a table as a model is shown them: all of a short one, otherwise those that fit the question."""

    table: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    complete: bool = False
    """Whether these are all rows."""
    matching: int = 0
    """How many rows contain most values of the question, of which these are the first; 0 if these are any rows."""
    values: dict[str, tuple[str, ...]] = {}
    """All distinct values of short text columns of a table that is not shown completely."""


class ValueHint(Record):
    """A stored cell value that the question seems to mention."""

    table: str
    column: str
    value: str
    """The exact stored spelling."""
    phrase: str
    """The matching words of the question."""
    score: float
    """1.0 for an exact match (ignoring case and punctuation), less for others."""


class JoinHint(Record):
    """Two columns that can join tables."""

    left: str
    left_column: str
    right: str
    right_column: str
    share: float
    """Share of the values of the smaller column that are in the other one."""
    same_name: bool = False
    declared: bool = False
    """Whether it is a foreign key of a connected database."""
    keyed: bool = False
    """Whether the left column is called like the right one, which is the primary key of its table."""


class Citation(Record):
    """The source of a part of an answer."""

    source: str
    locator: str = ""
    quote: str = ""
    chunk_id: str = ""
    """The chunk with the quote; "" for rows of a table."""
    table: str = ""
    """SQL name of the cited table; "" for text."""
    row_ids: tuple[int, ...] = ()
    """``_row_id`` of the first cited rows; empty for the whole table, or if unknown."""
    columns: tuple[str, ...] = ()
    """SQL names of the columns that were read; empty for all, or if unknown."""
