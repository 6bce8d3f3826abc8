"""The texts of chunks in SQL, which all hosts share: what the indexes of a host and the vectors are made from.

A document's chunks are kept together, compressed, as the indexes read them by document and never one by one.
"""

import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence

from pydantic import TypeAdapter
from sqlalchemy import delete, func, select

from tablerag.tools.catalog_tables import CHUNKS
from tablerag.tools.records import Chunk
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.repeating import repeated

__all__ = ["ChunkTexts"]

PART_CHARS = 400_000
"""A document with longer texts is kept in several rows."""
MOST_BYTES = 1_000_000
"""Rows are sent together up to this size, as servers refuse statements above a limit."""
DOCUMENTS_AT_ONCE = 50
_CHUNKS = TypeAdapter(list[Chunk])
_FIELDS = {"__all__": {"score", "dense", "lexical"}}
"""What only a search fills."""


class ChunkTexts:
    """The texts of one deployment, by the name of their index (a corpus or a summary corpus) and document."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @repeated
    def add(self, name: str, chunks: Sequence[Chunk]) -> None:
        """Add chunks; one of an id that a document has already takes its place. Raises StoreUnavailable."""
        by_document: dict[str, list[Chunk]] = defaultdict(list)
        for chunk in chunks:
            by_document[chunk.document_id].append(chunk)
        if not by_document:
            return
        named = (CHUNKS.c.name == name) & CHUNKS.c.document_id.in_(by_document)
        with self._database.writing("store the texts of chunks") as connection:
            parts = select(CHUNKS.c.document_id, func.count().label("parts")).where(named)
            found = connection.execute(parts.group_by(CHUNKS.c.document_id)).all()
            known = {row.document_id: row.parts for row in found}
            rows = (
                {"name": name, "document_id": i, "part": number, "chunks": packed}
                for i, own in by_document.items()
                for number, packed in enumerate(_packed(own), start=known.get(i, 0))
            )
            for some in _sent_together(rows):
                connection.execute(CHUNKS.insert(), some)

    def of_documents(self, name: str, document_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks of documents in the order in which they were added; of unknown documents, none."""
        found: dict[str, Chunk] = {}
        if not self._database.has_table(CHUNKS.name):
            return []
        for at in range(0, len(document_ids), DOCUMENTS_AT_ONCE):
            some = CHUNKS.c.document_id.in_(document_ids[at : at + DOCUMENTS_AT_ONCE])
            wanted = select(CHUNKS.c.chunks).where(CHUNKS.c.name == name, some)
            for row in self._database.select(wanted.order_by(CHUNKS.c.document_id, CHUNKS.c.part)):
                found |= {c.id: c for c in _CHUNKS.validate_json(zlib.decompress(row.chunks))}
        return list(found.values())

    def documents(self, name: str) -> set[str]:
        """Return the ids of the documents that have texts."""
        if not self._database.has_table(CHUNKS.name):
            return set()
        wanted = select(CHUNKS.c.document_id).where(CHUNKS.c.name == name).distinct()
        return {r.document_id for r in self._database.select(wanted)}

    @repeated
    def delete_documents(self, name: str, document_ids: Sequence[str]) -> None:
        """Delete the texts of documents; unknown ids are ignored."""
        with self._database.writing("delete the texts of chunks") as connection:
            for at in range(0, len(document_ids), DOCUMENTS_AT_ONCE):
                some = CHUNKS.c.document_id.in_(document_ids[at : at + DOCUMENTS_AT_ONCE])
                connection.execute(delete(CHUNKS).where(CHUNKS.c.name == name, some))


def _packed(chunks: Sequence[Chunk]) -> Iterator[bytes]:
    """Yield chunks compressed, in parts of bounded length."""
    part: list[Chunk] = []
    chars = 0
    for chunk in chunks:
        if part and chars + len(chunk.text) > PART_CHARS:
            yield _compressed(part)
            part, chars = [], 0
        part.append(chunk)
        chars += len(chunk.text)
    yield _compressed(part)


def _compressed(part: list[Chunk]) -> bytes:
    # The lowest level: two thirds of what the highest saves, in a fifth of its time.
    return zlib.compress(_CHUNKS.dump_json(part, exclude=_FIELDS), 1)


def _sent_together(rows: Iterator[dict[str, object]]) -> Iterator[list[dict[str, object]]]:
    some: list[dict[str, object]] = []
    size = 0
    for row in rows:
        packed = row["chunks"]
        assert isinstance(packed, bytes)
        if some and size + len(packed) > MOST_BYTES:
            yield some
            some, size = [], 0
        some.append(row)
        size += len(packed)
    if some:
        yield some
