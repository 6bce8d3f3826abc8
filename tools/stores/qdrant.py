"""Vectors in Qdrant's local mode: a folder for each corpus, no server. For up to about 20,000 windows a corpus."""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from qdrant_client import QdrantClient, models

from tablerag.tools.errors import StoreUnavailable, TableRagError
from tablerag.tools.stores.shared_folder import SharedFolder
from tablerag.tools.stores.vector_store import NamedEmbedding
from tablerag.tools.stores.window_store import Part, Where, Window, WindowStore, collection_name

__all__ = ["QdrantStore"]

COLLECTION = "windows"
POINTS = uuid.UUID("6f1c9f0e-7a0e-4c1b-9a54-3d1f0d2b8e11")
"""Qdrant's ids are UUIDs: a window's is derived from its id, which its payload keeps."""
EVERYTHING = 1_000_000_000
MIGRATED = 1000


class QdrantStore(WindowStore):
    """A VectorStore in files of Qdrant's local mode.

    One client at a time may hold such files, so each write opens and closes them, and reads go to a copy in memory,
    taken again once anybody has written.
    """

    def __init__(self, corpus: str, embedding: NamedEmbedding, path: Path) -> None:
        super().__init__(corpus, embedding)
        self._path = path / collection_name(corpus)
        self._folder = SharedFolder(self._path, COLLECTION)
        self._copy: QdrantClient | None = None
        self._seen = ""

    @property
    def place(self) -> str:
        return str(self._path)

    @property
    def engine(self) -> str:
        return f"Qdrant (local) {version('qdrant-client')}"

    def drop(self) -> None:
        with self._held() as client:
            client.delete_collection(COLLECTION)
            self._folder.advance()

    def take(self, other: Self) -> None:
        with self._held() as client, other._held() as source:
            client.delete_collection(COLLECTION)
            source.migrate(client, batch_size=MIGRATED)
            source.delete_collection(COLLECTION)
            self._folder.advance()
            other._folder.advance()

    def _upsert(self, rows: Sequence[Window]) -> None:
        points = [models.PointStruct(id=_point(w.id), vector=list(w.vector), payload=_payload(w)) for w in rows]
        with self._writing() as client:
            client.upsert(COLLECTION, points)

    def _remove(self, where: Where) -> None:
        with self._writing() as client:
            client.delete(COLLECTION, models.FilterSelector(filter=_condition(where)))

    def _fetch(self, where: Where, *parts: Part) -> list[Window]:
        found: list[Any]
        if set(where) == {"id"}:
            wanted = [_point(str(i)) for i in where["id"]]
            found = self._reading().retrieve(COLLECTION, wanted, with_vectors="vector" in parts)
        else:
            found, _ = self._reading().scroll(
                COLLECTION, _condition(where), limit=EVERYTHING, with_vectors="vector" in parts
            )
        return [Window(r.payload["id"], r.payload, r.payload["text"], r.vector or ()) for r in found]

    def _nearest(self, vector: Sequence[float], count: int, where: Where) -> list[tuple[Window, float]]:
        found = self._reading().query_points(COLLECTION, list(vector), query_filter=_condition(where), limit=count)
        payloads = ((p.payload or {}, p.score) for p in found.points)
        return [(Window(payload["id"], payload, payload["text"]), score) for payload, score in payloads]

    def _reading(self) -> QdrantClient:
        """Return a copy of the collection in memory, as of the last write by any process."""
        if self._copy is None or self._folder.generation() != self._seen:
            with self._files() as client:
                copy = QdrantClient(":memory:")
                client.migrate(copy, batch_size=MIGRATED)
                self._copy, self._seen = copy, self._folder.generation()
        return self._copy

    @contextmanager
    def _writing(self) -> Iterator[QdrantClient]:
        with self._files() as client:
            try:
                yield client
            finally:
                self._folder.advance()

    @contextmanager
    def _files(self) -> Iterator[QdrantClient]:
        """Open the files as _held() does; the first to do so creates the collection."""
        with self._held() as client:
            if not client.collection_exists(COLLECTION):
                size = len(self._embedding.embed_query("size"))
                form = models.VectorParams(size=size, distance=models.Distance.COSINE)
                client.create_collection(COLLECTION, vectors_config=form, metadata=self._made_by)
            self._check_embedding(client.get_collection(COLLECTION).config.metadata or {})
            yield client

    @contextmanager
    def _held(self) -> Iterator[QdrantClient]:
        """Open the files, for one thread of one process at a time."""
        with self._wrapped(), self._folder.locked():
            client = QdrantClient(path=str(self._path), force_disable_check_same_thread=True)
            with closing(client):
                yield client

    @contextmanager
    def _wrapped(self) -> Iterator[None]:
        """Turn Qdrant's errors into StoreUnavailable; RuntimeError is what it raises for files in use."""
        try:
            yield
        except (RuntimeError, OSError, ValueError) as error:
            if isinstance(error, TableRagError):
                raise
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise StoreUnavailable(
                f"Qdrant cannot use {self._path}: {reason}; check that the folder can be written and that no other "
                "program has it open"
            ) from error


def _payload(window: Window) -> dict[str, Any]:
    return {**window.metadata, "id": window.id, "text": window.text}


def _point(window_id: str) -> str:
    return str(uuid.uuid5(POINTS, window_id))


def _condition(where: Where) -> models.Filter:
    conditions = [models.FieldCondition(key=k, match=models.MatchAny(any=list(v))) for k, v in where.items()]
    return models.Filter(must=[*conditions])
