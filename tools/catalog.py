"""The catalog: one row per ingested document and one per SQL table, in the same database as the tables.

Only what the catalog lists is visible. A version of a document is first written to SQL and to both indexes under its
own id and recorded as unfinished. One transaction then publishes it and records the version it replaces as
unfinished until that is deleted. If a process dies at any point, its leftovers are recorded and invisible.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ConfigDict
from sqlalchemy import ColumnElement, Select, delete, func, inspect, or_, select, update
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from tablerag.tools.catalog_tables import DOCUMENTS, METADATA, QUESTIONS, TABLES, UNFINISHED, DocumentRecord
from tablerag.tools.errors import ConfigError, StoreUnavailable
from tablerag.tools.publishing import Published, parsed, publish, unfinished_row, withdraw
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.uniting import stem_of, united

__all__ = ["Catalog", "DocumentRecord", "Published", "Unfinished", "model_text_key"]

IDS_PER_QUERY = 500
PUBLISH_TRIES = 5


def model_text_key(model: str, prompt: str) -> str:
    """Return the key for texts that a model wrote about a table; the prompt contains the table."""
    return hashlib.sha256(f"{model}\0{prompt}".encode("utf-8", "replace")).hexdigest()


class Unfinished(BaseModel):
    """A version of a document that is not published yet, or not any more."""

    model_config = ConfigDict(frozen=True)

    document_id: str
    corpus: str
    run: str
    """The ingest that wrote it; only that ingest may clean up while it runs."""
    stored_tables: tuple[str, ...]


class Catalog:
    """Read and write the catalog; a database without a catalog reads as empty."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._exists = False

    def create(self) -> None:
        """Create the catalog's tables if they do not exist."""
        with self._wrapped("create the catalog"):
            if self._database.has_table(DOCUMENTS.name):
                columns = {c["name"] for c in inspect(self._database.engine).get_columns(DOCUMENTS.name)}
                if "path_key" not in columns:
                    raise ConfigError(
                        f"{self._database.shown_url} was written by an older version: use another database, or another "
                        "or an empty TABLERAG_HOME, and ingest the documents again"
                    )
            METADATA.create_all(self._database.engine)

    def documents(self, corpus: str) -> list[DocumentRecord]:
        """Return the documents of a corpus, sorted by source."""
        rows = self._read(select(DOCUMENTS.c.record).where(DOCUMENTS.c.corpus == corpus))
        return sorted((DocumentRecord.model_validate_json(r.record) for r in rows), key=lambda d: d.source)

    def document(self, corpus: str, source: str) -> DocumentRecord | None:
        """Return the document with this source, or None."""
        wanted = select(DOCUMENTS.c.record).where(DOCUMENTS.c.corpus == corpus, DOCUMENTS.c.source == source)
        rows = self._read(wanted)
        return DocumentRecord.model_validate_json(rows[0].record) if rows else None

    def schemas(self, corpus: str) -> list[TableSchema]:
        """Return the schemas of the stored tables of a corpus, sorted by SQL name."""
        return self._schemas(TABLES.c.corpus == corpus)

    def few_schemas(self, corpus: str, most: int) -> list[TableSchema]:
        """Return the schemas of a corpus as schemas() does; none if there are more than ``most``."""
        wanted = select(TABLES.c.table_schema).where(TABLES.c.corpus == corpus).order_by(TABLES.c.name)
        rows = self._read(wanted.limit(most + 1))
        return parsed(rows) if len(rows) <= most else []

    def tables(self, corpus: str) -> list[TableSchema]:
        """Return all tables that a statement can read: the stored tables, then those that unite several of them."""
        schemas = self.schemas(corpus)
        return [*schemas, *united(schemas, (s.name for s in schemas))]

    def with_unions(self, corpus: str, schemas: Sequence[TableSchema]) -> list[TableSchema]:
        """Return the schemas, each union of some of them before its first member."""
        names = self._read(select(TABLES.c.name).where(TABLES.c.corpus == corpus)) if schemas else []
        unions = self._unions(corpus, {s.signature for s in schemas}, names)
        if unions:
            # A name is numbered where others begin alike: with these, it is the same for every question.
            stems = [TABLES.c.name.istartswith(stem_of(u.name), autoescape=True) for u in unions]
            rows = self._read(select(TABLES.c.signature).distinct().where(TABLES.c.corpus == corpus, or_(*stems)))
            near = {r.signature for r in rows} | {s.signature for s in schemas}
            unions = self._unions(corpus, near, names)
        found: dict[str, TableSchema] = {}
        for schema in schemas:
            for table in (*(u for u in unions if any(m.name == schema.name for m in u.members)), schema):
                found.setdefault(table.table_id, table)
        return list(found.values())

    def _unions(self, corpus: str, signatures: set[str], names: Sequence[Any]) -> list[TableSchema]:
        """Return the unions of the tables with these signatures."""
        alike = self._schemas(TABLES.c.corpus == corpus, TABLES.c.signature.in_(signatures)) if signatures else []
        return united(alike, (r.name for r in names))

    def schemas_by_id(self, corpus: str, table_ids: Sequence[str]) -> list[TableSchema]:
        """Return the schemas with these ids, in the order of the ids; unknown ids are left out."""
        wanted = select(TABLES.c.table_schema).where(TABLES.c.corpus == corpus)
        found = {s.table_id: s for s in parsed(list(self._read_keys(wanted, TABLES.c.table_id, table_ids)))}
        return [found[i] for i in dict.fromkeys(table_ids) if i in found]

    def corpus_of(self, table_id: str) -> str | None:
        """Return the corpus of a table; None if the table is unknown."""
        rows = self._read(select(TABLES.c.corpus).where(TABLES.c.table_id == table_id))
        return rows[0].corpus if rows else None

    def schemas_of_document(self, document_id: str) -> list[TableSchema]:
        """Return the schemas of one document's tables, in reading order."""
        return self._schemas(TABLES.c.document_id == document_id, by=TABLES.c.position)

    def schemas_with_columns(self, corpus: str, names: Sequence[str]) -> list[TableSchema]:
        """Return the tables that have a column with one of these SQL names, ignoring case."""
        held = [func.lower(TABLES.c.table_schema).contains(f'"name":"{n.lower()}"', autoescape=True) for n in names]
        wanted = set(map(str.casefold, names))
        found = self._schemas(TABLES.c.corpus == corpus, or_(*held))
        return [s for s in found if any(c.name.casefold() in wanted for c in s.columns)]

    def published(self, corpus: str, document_ids: Iterable[str]) -> set[str]:
        """Return which of these versions of documents are published."""
        wanted = select(DOCUMENTS.c.document_id).where(DOCUMENTS.c.corpus == corpus)
        found = self._read_keys(wanted, DOCUMENTS.c.document_id, list(dict.fromkeys(document_ids)))
        return {r.document_id for r in found}

    def corpora(self) -> list[str]:
        """Return the names of the corpora that have documents."""
        return sorted(r.corpus for r in self._read(select(DOCUMENTS.c.corpus).distinct()))

    def begin(self, run: str, corpus: str, versions: Mapping[str, Sequence[str]]) -> None:
        """Record versions as unfinished before they are written: document ids with the names of their stored tables."""
        rows = [unfinished_row(i, corpus, run, names) for i, names in versions.items()]
        with self._writing("record new versions") as connection:
            for row in rows:  # a run may write a version twice, under two sources
                mine = (UNFINISHED.c.document_id == row["document_id"]) & (UNFINISHED.c.run == run)
                connection.execute(delete(UNFINISHED).where(mine))
            if rows:
                connection.execute(UNFINISHED.insert(), rows)

    def publish(self, run: str, documents: Sequence[tuple[DocumentRecord, Sequence[TableSchema]]]) -> list[Published]:
        """Publish versions in place of earlier ones of the same files, in one transaction.

        A version that is not published stays unfinished, and so does a version that is replaced.
        """
        for left in reversed(range(PUBLISH_TRIES)):
            try:
                with self._writing("publish documents") as connection:
                    return [publish(connection, run, record, schemas) for record, schemas in documents]
            except StoreUnavailable as error:
                # Two processes chose the same name or wrote the same source at the same time.
                if not left or not isinstance(error.__cause__, IntegrityError):
                    raise
        raise AssertionError("the last try returns or raises")

    def doubt(self, document_ids: Sequence[str]) -> None:
        """Make the next ingest read these documents again, even if they did not change."""
        self._update("mark documents", document_ids, lambda record: {"content_hash": ""})

    def delete_document(self, document_id: str, run: str = "") -> None:
        """Unpublish a document in one transaction; do nothing if there is no such document."""
        if self._is_there():
            with self._writing("delete a document") as connection:
                withdraw(connection, run, document_id)

    def unfinished(self) -> list[Unfinished]:
        """Return the versions that are being written or deleted, or were when a process died."""
        return [
            Unfinished(document_id=r.document_id, corpus=r.corpus, run=r.run, stored_tables=json.loads(r.stored_tables))
            for r in self._read(select(UNFINISHED))
        ]

    def finish(self, document_ids: Sequence[str]) -> None:
        """Remove the records of versions that were deleted completely or published."""
        with self._writing("record finished versions") as connection:
            for start in range(0, len(document_ids), IDS_PER_QUERY):
                some = UNFINISHED.c.document_id.in_(document_ids[start : start + IDS_PER_QUERY])
                connection.execute(delete(UNFINISHED).where(some))

    def stored_tables(self) -> set[str]:
        """Return the stored names of all published tables, in all corpora."""
        return {s.stored_as or s.name for s in parsed(self._read(select(TABLES.c.table_schema)))}

    def model_texts(self, keys: Sequence[str]) -> dict[str, list[str]]:
        """Return the texts that a model wrote, by key."""
        wanted = select(QUESTIONS.c.question_key, QUESTIONS.c.questions)
        found = self._read_keys(wanted, QUESTIONS.c.question_key, keys)
        return {r.question_key: json.loads(r.questions) for r in found}

    def save_model_texts(self, key: str, texts: Sequence[str]) -> None:
        """Save texts that a model wrote."""
        row = {"question_key": key, "questions": json.dumps(list(texts), ensure_ascii=False)}
        with self._writing("save texts") as connection:
            connection.execute(delete(QUESTIONS).where(QUESTIONS.c.question_key == key))
            connection.execute(QUESTIONS.insert(), row)

    def add_to_chunk_counts(self, corpus: str, added: Mapping[str, int]) -> None:
        """Add to the chunk counts of a corpus's documents, by document id."""
        of_corpus = DOCUMENTS.c.corpus == corpus
        self._update("count chunks", added, lambda d: {"chunk_count": d.chunk_count + added[d.document_id]}, of_corpus)

    def note_summaries(self, corpus: str, document_ids: Collection[str], level: str) -> None:
        """Record that documents have summaries of a level; deleted documents are left out."""

        def with_level(record: DocumentRecord) -> dict[str, Any]:
            return {"summaries": tuple(dict.fromkeys((*record.summaries, level)))}

        self._update("record summaries", document_ids, with_level, DOCUMENTS.c.corpus == corpus)

    def _update(
        self,
        doing: str,
        document_ids: Iterable[str],
        change: Callable[[DocumentRecord], dict[str, Any]],
        *conditions: ColumnElement[bool],
    ) -> None:
        """Change fields of the records of documents, in one transaction."""
        with self._writing(doing) as connection:
            for document_id in document_ids:
                same = DOCUMENTS.c.document_id == document_id
                for row in connection.execute(select(DOCUMENTS.c.record).where(same, *conditions)).all():
                    record = DocumentRecord.model_validate_json(row.record)
                    changed = record.model_copy(update=change(record))
                    connection.execute(update(DOCUMENTS).where(same).values(record=changed.model_dump_json()))

    def _is_there(self) -> bool:
        self._exists = self._exists or self._database.has_table(TABLES.name)
        return self._exists

    def _read(self, statement: Select) -> list[Row[Any]]:
        return self._database.select(statement) if self._is_there() else []

    def _read_keys(self, wanted: Select, column: ColumnElement[str], keys: Sequence[str]) -> Iterator[Row[Any]]:
        """Yield the rows with one of the keys; databases bound the length of IN."""
        for start in range(0, len(keys), IDS_PER_QUERY):
            yield from self._read(wanted.where(column.in_(keys[start : start + IDS_PER_QUERY])))

    def _schemas(self, *conditions: ColumnElement[bool], by: ColumnElement[Any] = TABLES.c.name) -> list[TableSchema]:
        return parsed(self._read(select(TABLES.c.table_schema).where(*conditions).order_by(by)))

    @contextmanager
    def _writing(self, doing: str) -> Iterator[Connection]:
        with self._wrapped(doing), self._database.engine.begin() as connection:
            yield connection

    @contextmanager
    def _wrapped(self, doing: str) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            reason = " ".join(str(getattr(error, "orig", None) or error).split())
            raise StoreUnavailable(f"could not {doing} in the SQL database: {reason}. Try `tablerag doctor`") from error
