"""Publish and unpublish versions of documents, in one transaction of the catalog."""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import delete, or_, select
from sqlalchemy.engine import Connection, Row

from tablerag.tools.catalog_tables import DOCUMENTS, TABLES, UNFINISHED, DocumentRecord
from tablerag.tools.records import TableSchema

__all__ = ["Published", "parsed", "publish", "unfinished_row", "withdraw"]

MAX_NAME = 64


@dataclass(frozen=True, slots=True)
class Published:
    """The outcome of publishing a version."""

    outcome: Literal["published", "same content", "source taken"]
    """Another process may have published the same content, or another file with the same source."""
    schemas: tuple[TableSchema, ...] = ()
    """With names that are unique in the corpus."""


def parsed(rows: Sequence[Row[Any]]) -> list[TableSchema]:
    """Return the schemas in rows of the catalog."""
    return [TableSchema.model_validate_json(r.table_schema) for r in rows]


def _key(corpus: str, name: str) -> str:
    return hashlib.sha256(f"{corpus}\0{name}".encode("utf-8", "replace")).hexdigest()


def unfinished_row(document_id: str, corpus: str, run: str, names: Sequence[str]) -> dict[str, Any]:
    """Return the row that records a version as unfinished, with the names of its stored tables."""
    return {"document_id": document_id, "corpus": corpus, "run": run, "stored_tables": json.dumps(list(names))}


def publish(connection: Connection, run: str, record: DocumentRecord, schemas: Sequence[TableSchema]) -> Published:
    """Publish a version in place of earlier ones of the same file or source."""
    keys = {
        "source_key": _key(record.corpus, record.source),
        "path_key": _key(record.corpus, record.path or record.source),
    }
    same = or_(DOCUMENTS.c.source_key == keys["source_key"], DOCUMENTS.c.path_key == keys["path_key"])
    earlier = connection.execute(select(DOCUMENTS.c.record).where(same)).all()
    found = [DocumentRecord.model_validate_json(row.record) for row in earlier]
    if any(d.path != record.path and Path(d.path).exists() for d in found if d.path):
        return Published("source taken")
    if any(d.content_hash == record.content_hash and d.document_id != record.document_id for d in found):
        return Published("same content")
    for document in found:
        if document.document_id == record.document_id:
            _delete(connection, document.document_id)
        else:
            withdraw(connection, run, document.document_id)
    taken = {r.name for r in connection.execute(select(TABLES.c.name).where(TABLES.c.corpus == record.corpus)).all()}
    named = []
    for schema in schemas:
        name = _free_name(schema.name, taken)
        taken.add(name)
        named.append(schema.model_copy(update={"name": name, "stored_as": schema.stored_as or schema.name}))
    row = record.model_dump(include={"document_id", "corpus", "source"})
    connection.execute(DOCUMENTS.insert(), row | keys | {"record": record.model_dump_json()})
    if named:
        connection.execute(TABLES.insert(), [_table_row(record, i, s) for i, s in enumerate(named)])
    connection.execute(delete(UNFINISHED).where(UNFINISHED.c.document_id == record.document_id))
    return Published("published", tuple(named))


def _free_name(name: str, taken: Collection[str]) -> str:
    """Return an unused name, with a number appended if necessary."""
    found, number = name, 1
    while found in taken:
        number += 1
        suffix = f"_{number}"
        found = name[: MAX_NAME - len(suffix)] + suffix
    return found


def withdraw(connection: Connection, run: str, document_id: str) -> None:
    """Unpublish a version and record what remains to be deleted."""
    found = connection.execute(select(DOCUMENTS.c.corpus).where(DOCUMENTS.c.document_id == document_id)).all()
    if not found:
        return
    tables = connection.execute(select(TABLES.c.table_schema).where(TABLES.c.document_id == document_id)).all()
    names = [s.stored_as or s.name for s in parsed(tables)]
    _delete(connection, document_id)
    connection.execute(UNFINISHED.insert(), unfinished_row(document_id, found[0].corpus, run, names))


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


def _delete(connection: Connection, document_id: str) -> None:
    connection.execute(delete(TABLES).where(TABLES.c.document_id == document_id))
    connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.document_id == document_id))
