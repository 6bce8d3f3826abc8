"""Publish and unpublish versions of documents, in one transaction of the catalog."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import delete, or_, select
from sqlalchemy.engine import Connection

from tablerag.tools.catalog_tables import DOCUMENTS, TABLES, UNFINISHED, DocumentRecord
from tablerag.tools.catalog_unions import (
    LAST,
    changed,
    complete,
    count,
    forget,
    keep,
    lock,
    parsed,
    record_of,
    words_of,
)
from tablerag.tools.places import still_there
from tablerag.tools.records import TableSchema

__all__ = ["Change", "Published", "publish", "unfinished_row", "withdraw"]

MAX_NAME = 64
MAX_NUMBER = 8
"""Longest number that is appended to a name, with its underscore."""


@dataclass(frozen=True, slots=True)
class Published:
    """The outcome of publishing a version."""

    outcome: Literal["published", "same content", "source taken"]
    """Another process may have published the same content, or another file with the same source."""
    schemas: tuple[TableSchema, ...] = ()
    """With names that are unique in the corpus."""


@dataclass(slots=True)
class Change:
    """A change of one corpus in a transaction: begun before documents are published or withdrawn, finished after."""

    connection: Connection
    corpus: str
    first: bool = field(init=False)
    signatures: set[str] = field(default_factory=set)
    names: list[str] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.first = lock(self.connection, self.corpus)

    def finish(self) -> None:
        """Bring what is kept beside tables up to date."""
        if self.first:
            complete(self.connection, self.corpus)
        else:
            count(self.connection, self.corpus, self.words)
            changed(self.connection, self.corpus, self.signatures, self.names)


def _key(corpus: str, name: str) -> str:
    return hashlib.sha256(f"{corpus}\0{name}".encode("utf-8", "replace")).hexdigest()


def unfinished_row(document_id: str, corpus: str, run: str, names: Sequence[str]) -> dict[str, Any]:
    """Return the row that records a version as unfinished, with the names of its stored tables."""
    return {"document_id": document_id, "corpus": corpus, "run": run, "stored_tables": json.dumps(list(names))}


def publish(change: Change, run: str, record: DocumentRecord, schemas: Sequence[TableSchema]) -> Published:
    """Publish a version in place of earlier ones of the same file or source."""
    connection = change.connection
    keys = {
        "source_key": _key(record.corpus, record.source),
        "path_key": _key(record.corpus, record.path or record.source),
    }
    same = or_(DOCUMENTS.c.source_key == keys["source_key"], DOCUMENTS.c.path_key == keys["path_key"])
    earlier = connection.execute(select(DOCUMENTS.c.record).where(same)).all()
    found = [record_of(DocumentRecord, row.record) for row in earlier]
    if any(d.path != record.path and still_there(d.path) for d in found if d.path):
        return Published("source taken")
    if any(d.content_hash == record.content_hash and d.document_id != record.document_id for d in found):
        return Published("same content")
    for document in found:
        if document.document_id == record.document_id:
            _delete(change, document.document_id)
        else:
            withdraw(change, run, document.document_id)
    named: list[TableSchema] = []
    for schema in schemas:
        name = _free_name(connection, record.corpus, schema.name, {s.name for s in named})
        named.append(schema.model_copy(update={"name": name, "stored_as": schema.stored_as or schema.name}))
    row = record.model_dump(include={"document_id", "corpus", "source"})
    connection.execute(DOCUMENTS.insert(), row | keys | {"record": record.model_dump_json()})
    if named:
        connection.execute(TABLES.insert(), [_table_row(record, i, s) for i, s in enumerate(named)])
        keep(connection, record.corpus, named)
        change.signatures |= {s.signature for s in named}
        change.names += [s.name for s in named]
        change.words.update(words_of(named))
    connection.execute(delete(UNFINISHED).where(UNFINISHED.c.document_id == record.document_id))
    return Published("published", tuple(named))


def _free_name(connection: Connection, corpus: str, name: str, taken: Collection[str]) -> str:
    """Return a name that no table of the corpus has, with a number appended if necessary."""
    of = TABLES.c.corpus == corpus
    if name not in taken and not connection.execute(select(TABLES.c.name).where(of, TABLES.c.name == name)).all():
        return name
    begins = name[: MAX_NAME - MAX_NUMBER]
    alike = select(TABLES.c.name).where(of, TABLES.c.name >= begins, TABLES.c.name < begins + LAST)
    used = {*taken, *(r.name for r in connection.execute(alike).all())}
    found, number = name, 1
    while found in used:
        number += 1
        suffix = f"_{number}"
        found = name[: MAX_NAME - len(suffix)] + suffix
    return found


def withdraw(change: Change, run: str, document_id: str) -> None:
    """Unpublish a version and record what remains to be deleted."""
    if not change.connection.execute(select(DOCUMENTS.c.corpus).where(DOCUMENTS.c.document_id == document_id)).all():
        return
    names = _delete(change, document_id)
    change.connection.execute(UNFINISHED.insert(), unfinished_row(document_id, change.corpus, run, names))


def _table_row(record: DocumentRecord, position: int, schema: TableSchema) -> dict[str, Any]:
    return {
        "table_id": schema.table_id,
        "document_id": record.document_id,
        "corpus": record.corpus,
        "name": schema.name,
        "signature": schema.signature,
        "position": position,
        "table_schema": schema.model_dump_json(),
    }


def _delete(change: Change, document_id: str) -> list[str]:
    """Delete a document's rows; return the stored names of its tables."""
    connection, own = change.connection, TABLES.c.document_id == document_id
    schemas = parsed(connection.execute(select(TABLES.c.table_schema).where(own)).all())
    change.signatures |= {s.signature for s in schemas}
    change.names += [s.name for s in schemas]
    change.words.subtract(words_of(schemas))
    forget(connection, [s.table_id for s in schemas])
    connection.execute(delete(TABLES).where(own))
    connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.document_id == document_id))
    return [s.stored_as or s.name for s in schemas]
