"""What has been ingested: one row per document and one per SQL table, beside the tables themselves."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Column, Integer, MetaData, Select, String, Table, Text, delete, select, update
from sqlalchemy.dialects import mysql
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import SQLAlchemyError

from tools.database import Database
from tools.errors import StoreUnavailable
from tools.records import TableSchema

__all__ = ["Catalog", "DocumentRecord", "question_key"]

_LONG = Text().with_variant(mysql.MEDIUMTEXT(), "mysql", "mariadb")
# Binary collation: corpora and sources that differ in case or accents only are different ones.
_UTF8 = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin"}
IDS_PER_QUERY = 500
METADATA = MetaData()
DOCUMENTS = Table(
    "_tablerag_documents",
    METADATA,
    Column("document_id", String(64), primary_key=True),
    Column("corpus", String(120), nullable=False, index=True),
    Column("source", Text, nullable=False),
    Column("record", _LONG, nullable=False),
    **_UTF8,
)
TABLES = Table(
    "_tablerag_tables",
    METADATA,
    Column("table_id", String(80), primary_key=True),
    Column("document_id", String(64), nullable=False, index=True),
    Column("corpus", String(120), nullable=False, index=True),
    Column("name", String(64), nullable=False),
    Column("position", Integer, nullable=False),
    Column("table_schema", _LONG, nullable=False),
    **_UTF8,
)

QUESTIONS = Table(
    "_tablerag_questions",
    METADATA,
    Column("question_key", String(64), primary_key=True),
    Column("questions", _LONG, nullable=False),
    **_UTF8,
)


def question_key(model: str, prompt: str) -> str:
    """Return the key under which a model's questions about a table are kept: the prompt holds the table."""
    return hashlib.sha256(f"{model}\0{prompt}".encode("utf-8", "replace")).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class DocumentRecord(BaseModel):
    """The manifest row of one document: one file in one corpus."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    document_id: str
    """Of this version: changes with the content."""
    corpus: str
    source: str
    """The name under which answers cite it, unique in its corpus."""
    path: str = ""
    """Absolute path of the file."""
    content_hash: str
    status: str = "ready"
    format: str
    title: str = ""
    size_bytes: int = 0
    chunk_count: int = 0
    table_count: int = 0
    warnings: tuple[str, ...] = ()
    ingested_at: str = Field(default_factory=_now)
    """ISO 8601, UTC."""


class Catalog:
    """Reads and writes the catalog; a database that was never ingested into reads as empty."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._exists = False

    def create(self) -> None:
        """Create the catalog's tables unless they are there."""
        with self._wrapped("create the catalog"):
            METADATA.create_all(self._database.engine)

    def documents(self, corpus: str) -> list[DocumentRecord]:
        """Return the corpus's documents, by source."""
        rows = self._read(select(DOCUMENTS.c.record).where(DOCUMENTS.c.corpus == corpus))
        return sorted((DocumentRecord.model_validate_json(r.record) for r in rows), key=lambda d: d.source)

    def document(self, corpus: str, source: str) -> DocumentRecord | None:
        """Return the document of that source, or None."""
        wanted = select(DOCUMENTS.c.record).where(DOCUMENTS.c.corpus == corpus, DOCUMENTS.c.source == source)
        rows = self._read(wanted)
        return DocumentRecord.model_validate_json(rows[0].record) if rows else None

    def schemas(self, corpus: str) -> list[TableSchema]:
        """Return the schemas of all tables of the corpus, by SQL name."""
        rows = self._read(select(TABLES.c.table_schema).where(TABLES.c.corpus == corpus).order_by(TABLES.c.name))
        return _parsed(rows)

    def schemas_by_id(self, corpus: str, table_ids: Sequence[str]) -> list[TableSchema]:
        """Return the schemas of those tables, in the order of the ids; unknown ids are left out."""
        found: dict[str, TableSchema] = {}
        for start in range(0, len(table_ids), IDS_PER_QUERY):
            some = TABLES.c.table_id.in_(table_ids[start : start + IDS_PER_QUERY])
            rows = self._read(select(TABLES.c.table_schema).where(TABLES.c.corpus == corpus, some))
            found |= {s.table_id: s for s in _parsed(rows)}
        return [found[i] for i in dict.fromkeys(table_ids) if i in found]

    def schemas_of_document(self, document_id: str) -> list[TableSchema]:
        """Return the schemas of one document's tables, in reading order."""
        wanted = select(TABLES.c.table_schema).where(TABLES.c.document_id == document_id).order_by(TABLES.c.position)
        return _parsed(self._read(wanted))

    def table_names(self) -> set[str]:
        """Return the SQL names of all tables of all corpora."""
        return {r.name for r in self._read(select(TABLES.c.name))}

    def corpora(self) -> list[str]:
        """Return the names of the corpora that hold documents."""
        return sorted(r.corpus for r in self._read(select(DOCUMENTS.c.corpus).distinct()))

    def save_document(self, record: DocumentRecord, schemas: Sequence[TableSchema]) -> None:
        """Write a document and its tables in one transaction.

        They take the place of what was recorded under the same id, or for the same source of the corpus.
        """
        tables = [_table_row(record, i, s) for i, s in enumerate(schemas)]
        row = record.model_dump(include={"document_id", "corpus", "source"}) | {"record": record.model_dump_json()}
        same_source = (DOCUMENTS.c.corpus == record.corpus) & (DOCUMENTS.c.source == record.source)
        with self._wrapped(f"save {record.source}"), self._database.engine.begin() as connection:
            earlier = connection.execute(select(DOCUMENTS.c.document_id).where(same_source)).scalars().all()
            for document_id in {record.document_id, *earlier}:
                _delete(connection, document_id)
            connection.execute(DOCUMENTS.insert(), row)
            if tables:
                connection.execute(TABLES.insert(), tables)

    def delete_document(self, document_id: str) -> None:
        """Delete a document's rows in one transaction; nothing happens when there are none."""
        if not self._is_there():
            return
        with self._wrapped("delete a document"), self._database.engine.begin() as connection:
            _delete(connection, document_id)

    def questions(self, keys: Sequence[str]) -> dict[str, list[str]]:
        """Return the questions kept under those keys."""
        found: dict[str, list[str]] = {}
        for start in range(0, len(keys), IDS_PER_QUERY):
            some = QUESTIONS.c.question_key.in_(keys[start : start + IDS_PER_QUERY])
            rows = self._read(select(QUESTIONS.c.question_key, QUESTIONS.c.questions).where(some))
            found |= {r.question_key: json.loads(r.questions) for r in rows}
        return found

    def save_questions(self, key: str, questions: Sequence[str]) -> None:
        """Keep questions under a key."""
        row = {"question_key": key, "questions": json.dumps(list(questions), ensure_ascii=False)}
        with self._wrapped("save questions"), self._database.engine.begin() as connection:
            connection.execute(delete(QUESTIONS).where(QUESTIONS.c.question_key == key))
            connection.execute(QUESTIONS.insert(), row)

    def add_to_chunk_counts(self, corpus: str, added: Mapping[str, int]) -> None:
        """Count chunks that were added to documents after they were ingested."""
        with self._wrapped("count chunks"), self._database.engine.begin() as connection:
            for document in self.documents(corpus):
                more = added.get(document.document_id, 0)
                if more:
                    counted = document.model_copy(update={"chunk_count": document.chunk_count + more})
                    same = DOCUMENTS.c.document_id == document.document_id
                    connection.execute(update(DOCUMENTS).where(same).values(record=counted.model_dump_json()))

    def _is_there(self) -> bool:
        self._exists = self._exists or self._database.has_table(TABLES.name)
        return self._exists

    def _read(self, statement: Select[Any]) -> list[Row[Any]]:
        return self._database.select(statement) if self._is_there() else []

    @contextmanager
    def _wrapped(self, doing: str) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            reason = " ".join(str(getattr(error, "orig", None) or error).split())
            raise StoreUnavailable(f"the SQL database cannot {doing}: {reason}. Try `tablerag doctor`") from error


def _parsed(rows: Sequence[Row[Any]]) -> list[TableSchema]:
    return [TableSchema.model_validate_json(r.table_schema) for r in rows]


def _table_row(record: DocumentRecord, position: int, schema: TableSchema) -> dict[str, Any]:
    return {
        "table_id": schema.table_id,
        "document_id": record.document_id,
        "corpus": record.corpus,
        "name": schema.name,
        "position": position,
        "table_schema": schema.model_dump_json(),
    }


def _delete(connection: Connection, document_id: str) -> None:
    connection.execute(delete(TABLES).where(TABLES.c.document_id == document_id))
    connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.document_id == document_id))
