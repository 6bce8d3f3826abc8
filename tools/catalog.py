"""The catalog: one row per ingested document and one per SQL table, in the same database as the tables.

Only what the catalog lists is visible. A version of a document is first written to SQL and to both indexes under its
own id and recorded as unfinished. One transaction then publishes it and records the version it replaces as
unfinished until that is deleted. If a process dies at any point, its leftovers are recorded and invisible.
"""

import hashlib
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ConfigDict
from sqlalchemy import ColumnElement, Select, Table, delete, inspect, select, update
from sqlalchemy.engine import Connection, Row
from sqlalchemy.exc import DBAPIError, IntegrityError

from tablerag.tools import deployment
from tablerag.tools.catalog_creation import create_missing
from tablerag.tools.catalog_listing import ListedDocument, ListedTable, documents_of, tables_of, unions_of
from tablerag.tools.catalog_tables import (
    DEPLOYMENT,
    DOCUMENTS,
    GENERATIONS,
    KEYS,
    LONG,
    QUESTIONS,
    TABLES,
    UNFINISHED,
    UNIONS,
    UNITED,
    WORDS,
    DocumentRecord,
)
from tablerag.tools.catalog_unions import IDS_PER_QUERY, LAST, advance, parsed, record_of, share_profiles
from tablerag.tools.errors import CommitUnknown, ConfigError, Interrupted, StoreUnavailable
from tablerag.tools.leases import fence
from tablerag.tools.publishing import Change, Published, publish, unfinished_row, withdraw
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.repeating import TRIES, pause, repeated, repeated_if_undone

__all__ = ["Catalog", "DocumentRecord", "Published", "Unfinished", "model_text_key"]

PUBLISH_TRIES = TRIES
CREATE_TRIES = 10
CREATE_WAIT_S = 0.2
CACHED_UNIONS = 256
UNION = (UNIONS.c.union_id, UNIONS.c.name, UNIONS.c.corpus)


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

    def __init__(self, database: Database, home_id: Callable[[], str] = str) -> None:
        """Take the database; ``home_id`` returns the id of a deployment whose catalog was lost, or an empty text."""
        self._database = database
        self._home_id = home_id
        self._id = ""
        self._exists = False
        self._whole: set[str] = set()
        self._complete: set[str] = set()
        self._unions: OrderedDict[str, TableSchema] = OrderedDict()
        self._aside: dict[str, tuple[int, list[TableSchema]]] = {}

    def create(self) -> None:
        """Create the catalog's tables if they do not exist."""
        for left in reversed(range(CREATE_TRIES)):
            try:
                with self._database.writing("create the catalog") as connection:
                    found = self._database.backend.own_tables(connection)
                    self._check(connection, found)
                    create_missing(connection, found)
                    deployment.note(connection, self._home_id())
                return
            except StoreUnavailable as error:
                cause = error.__cause__
                race = isinstance(cause, DBAPIError) and self._database.backend.is_race(cause)
                if not (left and (race or isinstance(error, Interrupted))):
                    raise
                time.sleep(CREATE_WAIT_S)

    def note_vectors(self, *, on_server: bool) -> None:
        """Note where the chunks are; raise ConfigError if another host keeps them on a server and this one does not."""
        try:
            with self._database.writing("note the deployment") as connection:
                deployment.note_vectors(connection, on_server)
        except StoreUnavailable as error:
            if not isinstance(error.__cause__, IntegrityError):  # another host noted the same at the same moment
                raise

    def check_vectors(self, *, on_server: bool) -> None:
        """Raise ConfigError if the other hosts keep the chunks on a server and this one does not."""
        if self._database.has_table(DEPLOYMENT.name):
            noted = next((r.value for r in self._database.select(deployment.VECTORS)), None)
            deployment.check_vectors(noted, on_server=on_server)

    def _check(self, connection: Connection, found: Collection[str]) -> None:
        """Raise ConfigError unless this version can write the catalog, of which these tables exist."""
        url = self._database.shown_url
        if DEPLOYMENT.name in found:
            deployment.check(connection, url)
        elif DOCUMENTS.name in found:
            columns = {c["name"] for c in inspect(connection).get_columns(DOCUMENTS.name)}
            if "path_key" not in columns:
                raise ConfigError(
                    f"{url} was written by an older version: use another database, or another or an empty "
                    "TABLERAG_HOME, and ingest the documents again"
                )

    def deployment_id(self) -> str:
        """Return the id of the deployment that this catalog is; empty before the first ingest."""
        if not self._id and self._database.has_table(DEPLOYMENT.name):
            self._id = next((r.value for r in self._database.select(deployment.ID)), "")
        return self._id or self._home_id()

    def generation(self, corpus: str) -> int:
        """Return a number that grows with every change of a corpus's documents; 0 before the first."""
        rows = self._read(select(GENERATIONS.c.number).where(GENERATIONS.c.corpus == corpus))
        return rows[0].number if rows else 0

    def known(self, document_ids: Iterable[str]) -> bool:
        """Return whether one of these versions of documents is or was to be published, in any corpus."""
        ids = list(document_ids)
        tables = (DOCUMENTS.c.document_id, UNFINISHED.c.document_id)
        return any(True for column in tables for _ in self._read_keys(select(column), column, ids))

    def documents(self, corpus: str) -> list[DocumentRecord]:
        """Return the documents of a corpus, sorted by source."""
        rows = self._read(select(DOCUMENTS.c.record).where(DOCUMENTS.c.corpus == corpus))
        return sorted((record_of(DocumentRecord, r.record) for r in rows), key=lambda d: d.source)

    def listed_documents(self, corpus: str) -> list[ListedDocument]:
        """Return the documents of a corpus without their records, sorted by source."""
        return [ListedDocument(*row) for row in self._read(documents_of(corpus))]

    def document(self, corpus: str, source: str) -> DocumentRecord | None:
        """Return the document with this source, or None."""
        wanted = select(DOCUMENTS.c.record).where(DOCUMENTS.c.corpus == corpus, DOCUMENTS.c.source == source)
        rows = self._read(wanted)
        return record_of(DocumentRecord, rows[0].record) if rows else None

    def schemas(self, corpus: str) -> list[TableSchema]:
        """Return the schemas of the stored tables of a corpus, sorted by SQL name."""
        return self._schemas(TABLES.c.corpus == corpus)

    def few_schemas(self, corpus: str, most: int) -> list[TableSchema]:
        """Return the schemas of a corpus as schemas() does; none if there are more than ``most``."""
        wanted = select(TABLES.c.table_schema).where(TABLES.c.corpus == corpus).order_by(TABLES.c.name)
        rows = self._read(wanted.limit(most + 1))
        return parsed(rows) if len(rows) <= most else []

    def unsearched(self, corpus: str, text: str) -> list[TableSchema]:
        """Return the tables near to a text whose chunks are not searched: none, but for API keys with rights."""
        return []

    def set_aside(self, corpus: str) -> list[TableSchema]:
        """Return the tables that answers leave out; kept until the corpus changes, since every answer asks for them."""
        generation = self.generation(corpus)
        known = self._aside.get(corpus)
        if known is None or known[0] != generation:
            marked = TABLES.c.table_schema.contains('"set_aside":true,', autoescape=True)
            self._aside[corpus] = known = generation, self._schemas(TABLES.c.corpus == corpus, marked)
        return known[1]

    def tables(self, corpus: str) -> list[TableSchema]:
        """Return all tables that a statement can read: the stored tables, then those that unite several of them."""
        schemas = self.schemas(corpus)
        unions = self._united(select(*UNION).where(UNIONS.c.corpus == corpus), corpus)
        return [*schemas, *sorted(unions.values(), key=lambda u: u.name)]

    def listed_tables(self, corpus: str) -> list[ListedTable]:
        """Return the tables that tables() does, in its order, without their schemas."""
        unions = self._read(unions_of(corpus)) if self._is_complete(corpus) else []
        listed = [ListedTable(*row) for row in (*self._read(tables_of(corpus)), *unions)]
        return [t._replace(set_aside=bool(t.set_aside)) for t in listed]  # databases differ in how they tell

    def connected_names(self, corpus: str, most: int) -> list[str]:
        """Return the SQL names of a corpus's connected tables, sorted; the first ``most`` + 1 if it has more."""
        connected = TABLES.c.table_schema.contains('"origin":{', autoescape=True)
        wanted = select(TABLES.c.name).where(TABLES.c.corpus == corpus, connected).order_by(TABLES.c.name)
        return [r.name for r in self._read(wanted.limit(most + 1))]

    def named(self, corpus: str, names: Iterable[str]) -> list[TableSchema]:
        """Return the tables of a corpus with these names, unions too; unknown names are left out."""
        wanted = list(dict.fromkeys(names))
        of = select(TABLES.c.table_schema).where(TABLES.c.corpus == corpus)
        found = parsed(self._read_keys(of, TABLES.c.name, wanted))
        unions = select(*UNION).where(UNIONS.c.corpus == corpus, UNIONS.c.name.in_(wanted))
        return [*found, *self._united(unions, corpus).values()]

    def with_unions(self, corpus: str, schemas: Sequence[TableSchema]) -> list[TableSchema]:
        """Return the schemas, each union of some of them before its first member."""
        if not schemas:
            return []
        joined = select(UNITED.c.table_id, *UNION).join(UNITED, UNITED.c.union_id == UNIONS.c.union_id)
        wanted = joined.where(UNITED.c.table_id.in_([s.table_id for s in schemas]))
        unions = self._united(wanted, corpus, by="table_id")
        found: dict[str, TableSchema] = {}
        for schema in schemas:
            for table in filter(None, (unions.get(schema.table_id), schema)):
                found.setdefault(table.table_id, table)
        return list(found.values())

    def _united(self, wanted: Select, corpus: str, by: str = "union_id") -> dict[str, TableSchema]:
        """Return the unions in rows of UNION, by a column of the rows. The members of an id never change."""
        rows = [r for r in self._read(wanted) if r.corpus == corpus] if self._is_complete(corpus) else []
        of = select(UNIONS.c.union_id, UNIONS.c.table_schema)
        new = self._read_keys(of, UNIONS.c.union_id, sorted({r.union_id for r in rows} - self._unions.keys()))
        read = {r.union_id: record_of(TableSchema, r.table_schema) for r in new}
        found = {}
        for row in rows:
            union = read.get(row.union_id) or self._unions.get(row.union_id)
            if union is not None:  # None: replaced just now
                found[getattr(row, by)] = union.model_copy(update={"name": row.name})
        self._unions |= read
        while len(self._unions) > CACHED_UNIONS:
            self._unions.popitem(last=False)
        return found

    def _is_complete(self, corpus: str) -> bool:
        """Return whether a corpus has tables; complete a catalog of an older version."""
        if corpus in self._complete:
            return True
        if not self._read(select(TABLES.c.table_id).where(TABLES.c.corpus == corpus).limit(1)):
            return False
        mine = select(GENERATIONS.c.number).where(GENERATIONS.c.corpus == corpus)
        self._have_all()
        if not self._read(mine):
            self._make_complete(corpus)
        self._complete.add(corpus)
        return True

    @repeated
    def _make_complete(self, corpus: str) -> None:
        with self._writing("complete the catalog") as connection:
            change = Change(connection, corpus)
            if change.first:
                change.finish()

    def _have_all(self, last: Table = GENERATIONS) -> None:
        """Create the tables that a catalog of an older version lacks, if it lacks this one."""
        if last.name not in self._whole and not self._database.has_table(last.name):
            self.create()
        self._whole.add(last.name)

    def schemas_by_id(self, corpus: str, table_ids: Sequence[str]) -> list[TableSchema]:
        """Return the schemas with these ids, in the order of the ids; unknown ids are left out."""
        rows = self._of_corpus(corpus, select(TABLES.c.table_schema, TABLES.c.corpus), TABLES.c.table_id, table_ids)
        found = {s.table_id: s for s in parsed(rows)}
        return [found[i] for i in dict.fromkeys(table_ids) if i in found]

    def corpus_of(self, table_id: str) -> str | None:
        """Return the corpus of a table; None if the table is unknown."""
        rows = self._read(select(TABLES.c.corpus).where(TABLES.c.table_id == table_id))
        return rows[0].corpus if rows else None

    def schemas_of_document(self, document_id: str) -> list[TableSchema]:
        """Return the schemas of one document's tables, in reading order."""
        return self._schemas(TABLES.c.document_id == document_id, by=TABLES.c.position)

    def with_key(self, corpus: str, name: str, most: int) -> list[str]:
        """Return the ids of the tables with a key column of this name, casefolded; none if more than ``most``."""
        wanted = select(KEYS.c.table_id).where(KEYS.c.corpus == corpus, KEYS.c.name == name).limit(most + 1)
        rows = self._read(wanted) if self._is_complete(corpus) else []
        return [r.table_id for r in rows] if len(rows) <= most else []

    def long_tables(self, corpus: str) -> list[TableSchema]:
        """Return the tables with so many rows that the indexes may hold only the first ones, by SQL name."""
        if not self._is_complete(corpus):
            return []
        wanted = select(TABLES.c.table_schema).join(LONG, LONG.c.table_id == TABLES.c.table_id)
        return parsed(self._read(wanted.where(LONG.c.corpus == corpus).order_by(TABLES.c.name)))

    def is_named(self, corpus: str, spellings: Collection[str], beginning: str) -> bool:
        """Return whether a word of the names of tables and columns is one of these, or begins so if not ""."""
        same = WORDS.c.word.in_(spellings)
        begins = (WORDS.c.word >= beginning) & (WORDS.c.word < beginning + LAST)
        wanted = select(WORDS.c.word).where(WORDS.c.corpus == corpus, same | begins if beginning else same).limit(1)
        return self._is_complete(corpus) and bool(self._read(wanted))

    def schemas_by_document(self, document_ids: Sequence[str]) -> dict[str, list[TableSchema]]:
        """Return the schemas of the tables of documents, in reading order."""
        found: dict[str, list[TableSchema]] = {i: [] for i in document_ids}
        wanted = select(TABLES.c.document_id, TABLES.c.table_schema).order_by(TABLES.c.position)
        for row in self._read_keys(wanted, TABLES.c.document_id, document_ids):
            found[row.document_id] += parsed([row])
        return found

    def published(self, corpus: str, document_ids: Iterable[str]) -> set[str]:
        """Return which of these versions of documents are published."""
        wanted = select(DOCUMENTS.c.document_id, DOCUMENTS.c.corpus)
        found = self._of_corpus(corpus, wanted, DOCUMENTS.c.document_id, list(dict.fromkeys(document_ids)))
        return {r.document_id for r in found}

    def corpora(self) -> list[str]:
        """Return the names of the corpora that have documents."""
        return sorted(r.corpus for r in self._read(select(DOCUMENTS.c.corpus).distinct()))

    @repeated
    def begin(self, run: str, corpus: str, versions: Mapping[str, Sequence[str]]) -> None:
        """Record versions as unfinished before they are written: document ids with the names of their stored tables."""
        rows = [unfinished_row(i, corpus, run, names) for i, names in versions.items()]
        with self._writing("record new versions", run) as connection:
            for row in rows:  # a run may write a version twice, under two sources
                connection.execute(delete(UNFINISHED).where(UNFINISHED.c.document_id == row["document_id"]))
            if rows:
                connection.execute(UNFINISHED.insert(), rows)

    def publish(self, run: str, documents: Sequence[tuple[DocumentRecord, Sequence[TableSchema]]]) -> list[Published]:
        """Publish versions in place of earlier ones of the same files, in one transaction.

        A version that is not published stays unfinished, and so does a version that is replaced.
        """
        done: list[Published] = []
        unknown = False
        for tries in range(PUBLISH_TRIES):
            try:
                with self._writing("publish documents", run) as connection:
                    if unknown and not self._awaited(connection, run, documents, done):
                        return done
                    changes = {c: Change(connection, c) for c in sorted({record.corpus for record, _ in documents})}
                    done = [publish(changes[record.corpus], run, record, schemas) for record, schemas in documents]
                    for change in changes.values():
                        change.finish()
                return done
            except StoreUnavailable as error:
                # Two processes chose the same name or wrote the same source at the same time.
                same = isinstance(error, Interrupted) or isinstance(error.__cause__, IntegrityError)
                if tries == PUBLISH_TRIES - 1 or not same:
                    raise
                unknown = unknown or isinstance(error, CommitUnknown)
                pause(tries)
        raise AssertionError("the last try returns or raises")

    @staticmethod
    def _awaited(
        connection: Connection,
        run: str,
        documents: Sequence[tuple[DocumentRecord, Sequence[TableSchema]]],
        done: Sequence[Published],
    ) -> bool:
        """Return whether what was to be published is still unfinished: then its transaction was not committed.

        It must not be repeated otherwise: another host may have replaced these versions and deleted their tables.
        """
        pairs = zip(documents, done, strict=True)
        ids = [record.document_id for (record, _), found in pairs if found.outcome == "published"]
        some = UNFINISHED.c.document_id.in_(ids[:IDS_PER_QUERY])
        return not ids or bool(connection.execute(select(UNFINISHED).where(some, UNFINISHED.c.run == run)).first())

    @repeated
    def doubt(self, document_ids: Sequence[str]) -> None:
        """Make the next ingest read these documents again, even if they did not change."""
        self._update("mark documents", document_ids, lambda record: {"content_hash": ""})

    @repeated
    def note_times(self, times: Mapping[str, Mapping[str, int | str]]) -> None:
        """Record when the files of documents were modified that did not change: mtime_ns and read_as, by id."""
        if times:
            self._update("record times of files", times, lambda record: dict(times[record.document_id]))

    @repeated
    def delete_document(self, document_id: str, run: str = "") -> None:
        """Unpublish a document in one transaction; do nothing if there is no such document."""
        of = self._read(select(DOCUMENTS.c.corpus).where(DOCUMENTS.c.document_id == document_id))
        if of:
            with self._writing("delete a document", run) as connection:
                change = Change(connection, of[0].corpus)
                withdraw(change, run, document_id)
                change.finish()

    def unfinished(self) -> list[Unfinished]:
        """Return the versions that are being written or deleted, or were when a process died."""
        return [
            Unfinished(document_id=r.document_id, corpus=r.corpus, run=r.run, stored_tables=json.loads(r.stored_tables))
            for r in self._read(select(UNFINISHED))
        ]

    @repeated
    def finish(self, corpora: Iterable[str], document_ids: Sequence[str]) -> None:
        """Remove the records of versions that were deleted completely; their corpora begin a new generation."""
        with self._writing("record finished versions") as connection:
            for corpus in sorted(corpora):
                advance(connection, corpus)
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

    @repeated
    def save_model_texts(self, key: str, texts: Sequence[str]) -> None:
        """Save texts that a model wrote."""
        row = {"question_key": key, "questions": json.dumps(list(texts), ensure_ascii=False)}
        with self._writing("save texts") as connection:
            connection.execute(delete(QUESTIONS).where(QUESTIONS.c.question_key == key))
            connection.execute(QUESTIONS.insert(), row)

    @repeated_if_undone
    def add_to_chunk_counts(self, corpus: str, added: Mapping[str, int]) -> None:
        """Add to the chunk counts of a corpus's documents, by document id."""
        self._update("count chunks", added, lambda d: {"chunk_count": d.chunk_count + added[d.document_id]}, corpus)

    @repeated
    def save_profiles(self, corpus: str, model: str, profiles: Mapping[str, Mapping[str, str]]) -> None:
        """Save what a model drafted that columns mean, by table id and SQL name; tables that are gone are left out."""
        with self._writing("save column profiles") as connection:
            advance(connection, corpus)  # first, as publishing does
            for table_id, meant in profiles.items():
                same = (TABLES.c.table_id == table_id) & (TABLES.c.corpus == corpus)
                for schema in parsed(connection.execute(select(TABLES.c.table_schema).where(same)).all()):
                    columns = tuple(c.model_copy(update={"profile": meant.get(c.name, "")}) for c in schema.columns)
                    changed = schema.model_copy(update={"columns": columns, "profiled_by": model})
                    connection.execute(update(TABLES).where(same).values(table_schema=changed.model_dump_json()))
                    for union_id in share_profiles(connection, changed):
                        self._unions.pop(union_id, None)

    @repeated
    def note_summaries(self, corpus: str, document_ids: Collection[str], level: str) -> None:
        """Record that documents have summaries of a level; deleted documents are left out."""

        def with_level(record: DocumentRecord) -> dict[str, Any]:
            return {"summaries": tuple(dict.fromkeys((*record.summaries, level)))}

        self._update("record summaries", document_ids, with_level, corpus)

    def _update(
        self,
        doing: str,
        document_ids: Iterable[str],
        change: Callable[[DocumentRecord], dict[str, Any]],
        corpus: str = "",
    ) -> None:
        """Change fields of the records of documents, in one transaction; those of a corpus begin a new generation."""
        conditions = [DOCUMENTS.c.corpus == corpus] if corpus else []
        with self._writing(doing) as connection:
            if corpus:  # first, as publishing does
                advance(connection, corpus)
            for document_id in document_ids:
                same = DOCUMENTS.c.document_id == document_id
                for row in connection.execute(select(DOCUMENTS.c.record).where(same, *conditions)).all():
                    record = record_of(DocumentRecord, row.record)
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

    def _of_corpus(
        self, corpus: str, wanted: Select, column: ColumnElement[str], keys: Sequence[str]
    ) -> Iterator[Row[Any]]:
        """Yield the rows of a corpus with one of the keys, given a SELECT that includes the corpus.

        SQLite has no statistics: told the corpus as well, it reads all its rows rather than look up a dozen keys.
        """
        return (row for row in self._read_keys(wanted, column, keys) if row.corpus == corpus)

    def _schemas(self, *conditions: ColumnElement[bool], by: ColumnElement[Any] = TABLES.c.name) -> list[TableSchema]:
        return parsed(self._read(select(TABLES.c.table_schema).where(*conditions).order_by(by)))

    @contextmanager
    def _writing(self, doing: str, run: str = "") -> Iterator[Connection]:
        """Yield a connection in a transaction, for a run that holds its lease until then, or for none."""
        self._have_all(DEPLOYMENT)
        with self._database.writing(doing) as connection:
            deployment.check(connection, self._database.shown_url)
            fence(connection, run)
            yield connection
