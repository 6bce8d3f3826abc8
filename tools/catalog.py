"""The catalog: which documents have been ingested, and the schemas of their tables."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import Field
from sqlalchemy import BigInteger, Column, Integer, MetaData, Row, String, Table, Text, delete, select
from sqlalchemy.dialects.mysql import MEDIUMTEXT
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql import Select

from tools.database import Database
from tools.errors import StoreUnavailable
from tools.records import Record, TableSchema

__all__ = ["METADATA", "Catalog", "DocumentRecord"]

METADATA = MetaData()
LONG_TEXT = Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb")
# Binary collation: corpora and sources that differ in case or accents only are different ones.
SERVER_OPTIONS = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin", "mysql_engine": "InnoDB"}
SERVER_OPTIONS |= {key.replace("mysql", "mariadb"): value for key, value in SERVER_OPTIONS.items()}

DOCUMENTS = Table(
    "_tablerag_documents",
    METADATA,
    Column("document_id", String(64), primary_key=True),
    Column("corpus", String(190), nullable=False, index=True),
    Column("source", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("status", String(16), nullable=False),
    Column("format", String(32), nullable=False),
    Column("title", Text, nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("chunk_count", Integer, nullable=False),
    Column("table_count", Integer, nullable=False),
    Column("warnings", LONG_TEXT, nullable=False),
    Column("ingested_at", String(40), nullable=False),
    **SERVER_OPTIONS,
)
TABLES = Table(
    "_tablerag_tables",
    METADATA,
    Column("table_id", String(80), primary_key=True),
    Column("document_id", String(64), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("name", String(64), nullable=False),
    Column("schema", LONG_TEXT, nullable=False),
    **SERVER_OPTIONS,
)
IDS_PER_QUERY = 500


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


class DocumentRecord(Record):
    """One ingested document: the manifest's row."""

    document_id: str
    """Names one version of the document; its tables and chunks carry it."""
    corpus: str
    source: str
    """Its name in citations, unique in the corpus."""
    path: str = ""
    """Where the file lay when it was ingested."""
    content_hash: str
    status: Literal["ready"] = "ready"
    format: str
    """The file's suffix without its dot, lower case."""
    title: str = ""
    size_bytes: int = 0
    chunk_count: int = 0
    table_count: int = 0
    warnings: tuple[str, ...] = ()
    ingested_at: str = Field(default_factory=_now)
    """When it was ingested: UTC, ISO 8601."""


class Catalog:
    """The documents and tables of every corpus, kept beside the tables in the SQL database.

    A database into which nothing was ever ingested reads as empty.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._created = False

    def create(self) -> None:
        """Make the catalog's tables where they do not exist yet."""
        with self._writing() as connection:
            METADATA.create_all(connection)
        self._created = True

    def corpora(self) -> list[str]:
        """Return the names of the corpora that hold documents, sorted."""
        return [row.corpus for row in self._rows(select(DOCUMENTS.c.corpus).distinct().order_by(DOCUMENTS.c.corpus))]

    def documents(self, corpus: str) -> list[DocumentRecord]:
        """Return a corpus's documents, sorted by source."""
        rows = self._rows(select(DOCUMENTS).where(DOCUMENTS.c.corpus == corpus))
        return sorted((_document(row) for row in rows), key=lambda d: (d.source, d.ingested_at))

    def document(self, corpus: str, source: str) -> DocumentRecord | None:
        """Return the document of that source, or None."""
        found = self._rows(select(DOCUMENTS).where(DOCUMENTS.c.corpus == corpus, DOCUMENTS.c.source == source))
        return _document(found[0]) if found else None

    def schemas(self, corpus: str) -> list[TableSchema]:
        """Return the schemas of a corpus's tables, sorted by source, in the documents' order."""
        rows = self._rows(_schemas_of(DOCUMENTS.c.corpus == corpus))
        return [
            TableSchema.model_validate_json(row.schema) for row in sorted(rows, key=lambda r: (r.source, r.position))
        ]

    def schemas_of_document(self, document_id: str) -> list[TableSchema]:
        """Return the schemas of one document's tables, in its order."""
        rows = self._rows(_schemas_of(TABLES.c.document_id == document_id).order_by(TABLES.c.position))
        return [TableSchema.model_validate_json(row.schema) for row in rows]

    def schemas_by_id(self, corpus: str, ids: Sequence[str]) -> list[TableSchema]:
        """Return the schemas of those tables of a corpus, in the order of the ids; unknown ids are left out."""
        found: dict[str, TableSchema] = {}
        for start in range(0, len(ids), IDS_PER_QUERY):
            wanted = TABLES.c.table_id.in_(ids[start : start + IDS_PER_QUERY])
            for row in self._rows(_schemas_of(wanted, DOCUMENTS.c.corpus == corpus)):
                found[row.table_id] = TableSchema.model_validate_json(row.schema)
        return [found[i] for i in dict.fromkeys(ids) if i in found]

    def table_names(self) -> set[str]:
        """Return the SQL names of the tables of all corpora."""
        return {row.name for row in self._rows(select(TABLES.c.name))}

    def save_document(self, record: DocumentRecord, schemas: Sequence[TableSchema]) -> None:
        """Record a document and its tables, in one transaction.

        What was recorded under the same id, or for the same source of the corpus, is replaced.
        """
        self.create()
        row = {**record.model_dump(exclude={"warnings"}), "warnings": "\n".join(map(_one_line, record.warnings))}
        same = (DOCUMENTS.c.corpus == record.corpus) & (DOCUMENTS.c.source == record.source)
        with self._writing() as connection:
            earlier = connection.execute(select(DOCUMENTS.c.document_id).where(same)).scalars().all()
            for document_id in {record.document_id, *earlier}:
                _delete(connection, document_id)
            connection.execute(DOCUMENTS.insert(), row)
            if schemas:
                connection.execute(TABLES.insert(), [_table_row(record, i, s) for i, s in enumerate(schemas)])

    def delete_document(self, document_id: str) -> None:
        """Forget a document and its tables; nothing happens when it is not known."""
        if not self._exists():
            return
        with self._writing() as connection:
            _delete(connection, document_id)

    def _exists(self) -> bool:
        self._created = self._created or self._database.has_table(TABLES.name)
        return self._created

    def _rows(self, statement: Select[Any]) -> Sequence[Row[Any]]:
        return self._database.select(statement) if self._exists() else []

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        try:
            with self._database.engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            reason = " ".join(str(getattr(error, "orig", None) or error).split())[:300]
            raise StoreUnavailable(f"the catalog cannot be written: {reason}. Try `tablerag doctor`") from error


def _schemas_of(*conditions: Any) -> Select[Any]:
    joined = select(TABLES.c.table_id, TABLES.c.schema, TABLES.c.position, DOCUMENTS.c.source)
    return joined.join_from(TABLES, DOCUMENTS, TABLES.c.document_id == DOCUMENTS.c.document_id).where(*conditions)


def _document(row: Row[Any]) -> DocumentRecord:
    values = dict(row._mapping)
    return DocumentRecord(**{**values, "warnings": tuple(values["warnings"].splitlines())})


def _one_line(warning: str) -> str:
    return " ".join(warning.split())


def _table_row(record: DocumentRecord, position: int, schema: TableSchema) -> dict[str, Any]:
    return {
        "table_id": schema.table_id,
        "document_id": record.document_id,
        "position": position,
        "name": schema.name,
        "schema": schema.model_dump_json(),
    }


def _delete(connection: Connection, document_id: str) -> None:
    connection.execute(delete(TABLES).where(TABLES.c.document_id == document_id))
    connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.document_id == document_id))
