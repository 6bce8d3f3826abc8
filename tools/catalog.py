"""What has been ingested: one row per document and one per SQL table, beside the tables themselves.

The catalog alone decides what is seen. A version of a document is written to SQL and to both indexes first,
under an id of its own and noted as unfinished; one transaction then publishes it in place of the old one, which
is noted as unfinished in turn until all of it is deleted. So a process may die at any moment: what it left
behind is in the notes, and nobody sees it.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ConfigDict
from sqlalchemy import Select, delete, func, inspect, or_, select, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from tablerag.tools.catalog_tables import DOCUMENTS, METADATA, QUESTIONS, TABLES, UNFINISHED, DocumentRecord, signature
from tablerag.tools.errors import ConfigError, StoreUnavailable
from tablerag.tools.publishing import Published, parsed, publish, unfinished_row, withdraw
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database

__all__ = ["Catalog", "DocumentRecord", "Published", "Unfinished", "model_text_key", "signature"]

IDS_PER_QUERY = 500
PUBLISH_TRIES = 5


def model_text_key(model: str, prompt: str) -> str:
    """Return the key under which what a model wrote about a table is kept: the prompt holds the table."""
    return hashlib.sha256(f"{model}\0{prompt}".encode("utf-8", "replace")).hexdigest()


class Unfinished(BaseModel):
    """A version of a document that is not to be seen: not yet, or no more."""

    model_config = ConfigDict(frozen=True)

    document_id: str
    corpus: str
    run: str
    """Which ingest wrote it; it alone may clean up while it lives."""
    stored_tables: tuple[str, ...]


class Catalog:
    """Reads and writes the catalog; a database that was never ingested into reads as empty."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._exists = False

    def create(self) -> None:
        """Create the catalog's tables unless they are there."""
        with self._wrapped("create the catalog"):
            if self._database.has_table(DOCUMENTS.name):
                columns = {c["name"] for c in inspect(self._database.engine).get_columns(DOCUMENTS.name)}
                if "path_key" not in columns:
                    raise ConfigError(
                        f"the documents in {self._database.shown_url} were ingested by an older version: begin anew "
                        "with another database, or with another or an emptied TABLERAG_HOME"
                    )
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
        return parsed(rows)

    def schemas_by_id(self, corpus: str, table_ids: Sequence[str]) -> list[TableSchema]:
        """Return the schemas of those tables, in the order of the ids; unknown ids are left out."""
        found: dict[str, TableSchema] = {}
        for start in range(0, len(table_ids), IDS_PER_QUERY):
            some = TABLES.c.table_id.in_(table_ids[start : start + IDS_PER_QUERY])
            rows = self._read(select(TABLES.c.table_schema).where(TABLES.c.corpus == corpus, some))
            found |= {s.table_id: s for s in parsed(rows)}
        return [found[i] for i in dict.fromkeys(table_ids) if i in found]

    def corpus_of(self, table_id: str) -> str | None:
        """Return the corpus that a table is of; None for an unknown one."""
        rows = self._read(select(TABLES.c.corpus).where(TABLES.c.table_id == table_id))
        return rows[0].corpus if rows else None

    def schemas_of_document(self, document_id: str) -> list[TableSchema]:
        """Return the schemas of one document's tables, in reading order."""
        wanted = select(TABLES.c.table_schema).where(TABLES.c.document_id == document_id).order_by(TABLES.c.position)
        return parsed(self._read(wanted))

    def schemas_alike(self, corpus: str, signatures: Collection[str]) -> list[TableSchema]:
        """Return the schemas of all tables that have one of those signatures, by SQL name."""
        some = TABLES.c.signature.in_(list(signatures))
        rows = self._read(select(TABLES.c.table_schema).where(TABLES.c.corpus == corpus, some).order_by(TABLES.c.name))
        return parsed(rows)

    def schemas_with_columns(self, corpus: str, names: Sequence[str]) -> list[TableSchema]:
        """Return the tables that have a column of one of these SQL names, whatever its case."""
        held = [func.lower(TABLES.c.table_schema).contains(f'"name":"{n.lower()}"', autoescape=True) for n in names]
        select_ = select(TABLES.c.table_schema).where(TABLES.c.corpus == corpus, or_(*held)).order_by(TABLES.c.name)
        wanted = set(map(str.casefold, names))
        return [s for s in parsed(self._read(select_)) if any(c.name.casefold() in wanted for c in s.columns)]

    def schemas_named(self, corpus: str) -> list[str]:
        """Return the SQL names of the corpus's tables."""
        return sorted(r.name for r in self._read(select(TABLES.c.name).where(TABLES.c.corpus == corpus)))

    def published(self, corpus: str, document_ids: Iterable[str]) -> set[str]:
        """Return which of those versions of documents are to be seen."""
        ids = list(dict.fromkeys(document_ids))
        found: set[str] = set()
        for start in range(0, len(ids), IDS_PER_QUERY):
            some = DOCUMENTS.c.document_id.in_(ids[start : start + IDS_PER_QUERY])
            found |= {
                r.document_id
                for r in self._read(select(DOCUMENTS.c.document_id).where(DOCUMENTS.c.corpus == corpus, some))
            }
        return found

    def corpora(self) -> list[str]:
        """Return the names of the corpora that hold documents."""
        return sorted(r.corpus for r in self._read(select(DOCUMENTS.c.corpus).distinct()))

    def begin(self, run: str, corpus: str, versions: Mapping[str, Sequence[str]]) -> None:
        """Note versions, by document id with the names of their stored tables, before anything of them is written."""
        rows = [unfinished_row(i, corpus, run, names) for i, names in versions.items()]
        with self._wrapped("note what begins"), self._database.engine.begin() as connection:
            for row in rows:  # a run may write a version a second time, under another source
                mine = (UNFINISHED.c.document_id == row["document_id"]) & (UNFINISHED.c.run == run)
                connection.execute(delete(UNFINISHED).where(mine))
            if rows:
                connection.execute(UNFINISHED.insert(), rows)

    def publish(self, run: str, documents: Sequence[tuple[DocumentRecord, Sequence[TableSchema]]]) -> list[Published]:
        """Let versions be seen in place of those of the same files, in one transaction.

        A version that is not published stays unfinished, as do those replaced.
        """
        for left in reversed(range(PUBLISH_TRIES)):
            try:
                with self._wrapped("publish documents"), self._database.engine.begin() as connection:
                    return [publish(connection, run, record, schemas) for record, schemas in documents]
            except StoreUnavailable as error:
                # Two processes chose the same name, or wrote the same source, at the same time.
                if not left or not isinstance(error.__cause__, IntegrityError):
                    raise
        raise AssertionError("the last try returns or raises")

    def doubt(self, document_ids: Sequence[str]) -> None:
        """Have the next ingest read those documents again, changed or not."""
        with self._wrapped("mark documents"), self._database.engine.begin() as connection:
            for document_id in document_ids:
                same = DOCUMENTS.c.document_id == document_id
                for row in connection.execute(select(DOCUMENTS.c.record).where(same)).all():
                    record = DocumentRecord.model_validate_json(row.record).model_copy(update={"content_hash": ""})
                    connection.execute(update(DOCUMENTS).where(same).values(record=record.model_dump_json()))

    def save_document(self, record: DocumentRecord, schemas: Sequence[TableSchema]) -> None:
        """Publish one document that has nothing in the indexes."""
        self.publish("", [(record, schemas)])

    def delete_document(self, document_id: str, run: str = "") -> None:
        """Let a document be seen no more, in one transaction; nothing happens when it is not there."""
        if not self._is_there():
            return
        with self._wrapped("delete a document"), self._database.engine.begin() as connection:
            withdraw(connection, run, document_id)

    def unfinished(self) -> list[Unfinished]:
        """Return the versions that are written or deleted just now, or were when a process died."""
        return [
            Unfinished(document_id=r.document_id, corpus=r.corpus, run=r.run, stored_tables=json.loads(r.stored_tables))
            for r in self._read(select(UNFINISHED))
        ]

    def finish(self, document_ids: Sequence[str]) -> None:
        """Forget versions of which nothing is left, or which were published."""
        with self._wrapped("note what is finished"), self._database.engine.begin() as connection:
            for start in range(0, len(document_ids), IDS_PER_QUERY):
                some = UNFINISHED.c.document_id.in_(document_ids[start : start + IDS_PER_QUERY])
                connection.execute(delete(UNFINISHED).where(some))

    def stored_tables(self) -> set[str]:
        """Return the database's names of all tables that are to be seen, in all corpora."""
        return {s.stored_as or s.name for s in parsed(self._read(select(TABLES.c.table_schema)))}

    def model_texts(self, keys: Sequence[str]) -> dict[str, list[str]]:
        """Return the texts that a model wrote, kept under those keys."""
        found: dict[str, list[str]] = {}
        for start in range(0, len(keys), IDS_PER_QUERY):
            some = QUESTIONS.c.question_key.in_(keys[start : start + IDS_PER_QUERY])
            rows = self._read(select(QUESTIONS.c.question_key, QUESTIONS.c.questions).where(some))
            found |= {r.question_key: json.loads(r.questions) for r in rows}
        return found

    def save_model_texts(self, key: str, texts: Sequence[str]) -> None:
        """Keep what a model wrote under a key."""
        row = {"question_key": key, "questions": json.dumps(list(texts), ensure_ascii=False)}
        with self._wrapped("save texts"), self._database.engine.begin() as connection:
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

    def note_summaries(self, corpus: str, document_ids: Collection[str], level: str) -> None:
        """Note that documents have summaries of a level; those that are gone are left out."""
        with self._wrapped("note summaries"), self._database.engine.begin() as connection:
            for document_id in document_ids:
                same = (DOCUMENTS.c.corpus == corpus) & (DOCUMENTS.c.document_id == document_id)
                for row in connection.execute(select(DOCUMENTS.c.record).where(same)).all():
                    record = DocumentRecord.model_validate_json(row.record)
                    levels = tuple(dict.fromkeys((*record.summaries, level)))
                    noted = record.model_copy(update={"summaries": levels})
                    connection.execute(update(DOCUMENTS).where(same).values(record=noted.model_dump_json()))

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
