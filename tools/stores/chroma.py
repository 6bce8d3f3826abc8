"""Vectors in Chroma, embedded or on a server: one collection for each corpus."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn, Self, TypeVar

from tablerag.tools.errors import ConfigError, DiskFull, EmbeddingMismatch, ForeignStore, StoreUnavailable
from tablerag.tools.full_disk import FREE_SPACE, has_room
from tablerag.tools.private_folder import make_private
from tablerag.tools.stores.chroma_compacting import OLD, TEXT, compact, delete, is_due, recover
from tablerag.tools.stores.chroma_engine import guarded, look, probe
from tablerag.tools.stores.chroma_graph import FILE, STORE
from tablerag.tools.stores.damage import Damage, discard_content, folder_trouble, panics_as
from tablerag.tools.stores.shared_folder import SharedFolder
from tablerag.tools.stores.vector_store import NOBODY, NamedEmbedding, Owner
from tablerag.tools.stores.window_store import (
    BATCH,
    Metadata,
    Part,
    Where,
    Window,
    WindowStore,
    batches,
    collection_name,
)

__all__ = ["ChromaStore"]

T = TypeVar("T")
READS = 3
MOST_READ = 10_000
"""Windows in one answer with more than ids: Chroma fails above 32,766, which is how many variables its SQL may have."""
WIDER = 4
"""How many times as many windows are looked through for those of some kinds."""
NEEDED = {"chunk_id", "document_id", "kind", "window"}
PARTS: dict[Part, Sequence[str]] = {
    "metadata": ["metadatas"],
    "text": ["metadatas", "documents"],
    "vector": ["embeddings"],
}
HNSW: dict[str, Any] = {"space": "cosine"}
IDS = "*/index_metadata.pickle"
DIMENSIONS = re.compile(r"dimension of (\d+), got (\d+)")
"""How Chroma refuses vectors of another length."""
OWNER = "deployment"
"""The field of a server's collection that names whose it is."""


class ChromaStore(WindowStore):
    """A VectorStore in Chroma: in a folder, or on the server of a URL."""

    def __init__(
        self, corpus: str, embedding: NamedEmbedding, path: Path, url: str = "", owner: Owner = NOBODY
    ) -> None:
        super().__init__(corpus, embedding)
        self._owner = owner
        self._path = path
        self._url = url
        self._opened: Any = None
        self._embedded: Any = None
        """The client of the opened collection, in a folder."""
        self._server: Any = None
        self._seen = ""
        self._folder = None if url else SharedFolder(path, collection_name(corpus))

    @property
    def place(self) -> str:
        return self._url or str(self._path)

    @property
    def engine(self) -> str:
        return f"Chroma {version('chromadb')}"

    def count(self) -> int:
        if self._folder and self._opened is None:
            with self._wrapped("opened"), self._alone(), guarded(self._path, collection_name(self.corpus)):
                seen = look(self._path, collection_name(self.corpus))
            if seen is not None:
                self._check_embedding(seen.metadata)
                return seen.chunks
        return super().count()

    def check(self) -> None:
        file = self._path / FILE
        if self._folder and file.exists():
            with self._alone(), self._wrapped("read"), closing(sqlite3.connect(file)) as connection:
                if (said := connection.execute("PRAGMA integrity_check(1)").fetchone()[0]) != "ok":
                    raise Damage(said.removeprefix("*** in database main ***\n"))
                probe(self._path, collection_name(self.corpus))
        super().check()
        for some in batches([w.id for w in self._fetch({})], BATCH):
            self._fetch({"id": some}, "text", "vector")

    def discard(self) -> None:
        """Delete the vectors of all corpora, to be built again; do nothing on a server."""
        if self._folder:
            from chromadb.api.shared_system_client import SharedSystemClient

            with self._alone():
                SharedSystemClient.clear_system_cache()
                self._close()
                self._seen = "stale"
                discard_content(self._path, keep=("lock",))

    def drop(self) -> None:
        with self._renaming() as client:
            self._delete(client, collection_name(self.corpus))

    def take(self, other: Self) -> None:
        with self._renaming(), other._renaming() as client:
            name = collection_name(self.corpus)
            new = client.get_collection(collection_name(other.corpus), embedding_function=None)
            with suppress(*_client_errors()):  # there is none yet
                client.get_collection(name, embedding_function=None).modify(name=name + OLD)
            new.modify(name=name, metadata={**new.metadata, "corpus": self.corpus})
            self._delete(client, name + OLD)

    @contextmanager
    def _renaming(self) -> Iterator[Any]:
        """Yield the client, while no other process reads or writes a folder; what is open is opened again."""
        with self._alone(), self._wrapped("written"):
            if self._folder:
                self._folder.advance()
            else:
                self._check_owner(self._open().metadata)
            self._close()
            try:
                yield self._client()
            finally:
                self._close()
                if self._folder:
                    self._folder.advance()

    def _delete(self, client: Any, name: str) -> None:
        with suppress(*_client_errors()):  # there is none
            if self._folder:
                delete(self._path, client, name)
            else:
                client.delete_collection(name)

    def _upsert(self, rows: Sequence[Window]) -> None:
        self._check_room()
        with self._writing() as collection:
            collection.upsert(
                ids=[w.id for w in rows],
                embeddings=[w.vector for w in rows],
                metadatas=[{**w.metadata, TEXT: w.text} if w.text else w.metadata for w in rows],
            )

    def _check_room(self) -> None:
        """Raise DiskFull before Chroma fills the disk: it writes its ids in place and cannot read half of them."""
        if self._folder and not self._has_room(IDS):
            raise DiskFull(f"Chroma at {self.place} needs more room: {FREE_SPACE}")

    def _has_room(self, files: str) -> bool:
        return has_room(self._path, sum(f.stat().st_size for f in self._path.glob(files)))

    def _remove(self, where: Where) -> None:
        with self._writing() as collection:
            collection.delete(where=_condition(where))
            if self._folder and is_due(self._path, collection) and self._has_room("*/*"):
                compact(self._path, self._embedded, collection, self._made)
                self._close()

    def _close(self) -> None:
        """Have embedded Chroma free its memory now: its objects refer to each other, and are collected late."""
        opened, self._opened = self._opened, None
        if opened is not None and self._folder:
            opened._client.stop()

    def _fetch(self, where: Where, *parts: Part) -> list[Window]:
        fields = {name: values for name, values in where.items() if name != "id"}
        included = sorted({name for p in parts for name in PARTS[p]})
        asked = {"where": _condition(fields), "include": included}
        if "id" in where:
            return self._got(included, **asked, ids=list(where["id"]))
        found = self._got(included, **asked, limit=MOST_READ)
        if len(found) < MOST_READ:
            return found
        # Not by pages: what is deleted between two of them would move others out of the next.
        ids = [w.id for w in self._got([], where=_condition(fields), include=[])]
        return [w for some in batches(ids, MOST_READ) for w in self._got(included, include=included, ids=list(some))]

    def _got(self, included: Sequence[str], **asked: Any) -> list[Window]:
        found = self._read("read", lambda c: c.get(**asked))
        columns = [found[name] for name in included]
        rows = zip(found["ids"], *columns, strict=True)
        with self._wrapped("read"):
            return [_window(i, dict(zip(included, row, strict=True))) for i, *row in rows]

    def generation(self) -> str:
        return self._folder.generation() if self._folder else ""

    def _nearest(self, vector: Sequence[float], count: int, where: Where) -> list[tuple[Window, float]]:
        if where.keys() == {"kind"}:
            # Chroma lists all windows that meet a filter before it searches; most kinds are among the nearest anyway.
            found = self._queried(vector, WIDER * count, {})
            fitting = [(window, near) for window, near in found if window.metadata["kind"] in where["kind"]]
            if len(fitting) >= count or len(found) < WIDER * count:
                return fitting[:count]
        return self._queried(vector, count, where)

    def _queried(self, vector: Sequence[float], count: int, where: Where) -> list[tuple[Window, float]]:
        asked: dict[str, Any] = {"query_embeddings": [vector], "n_results": count, "where": _condition(where)}
        included = [*PARTS["text"], "distances"]
        found = self._read("searched", lambda c: c.query(**asked, include=included))
        columns = [found[name][0] for name in PARTS["text"]]
        rows = zip(found["ids"][0], found["distances"][0], *columns, strict=True)
        windows = ((i, dict(zip(PARTS["text"], parts, strict=True)), 1.0 - distance) for i, distance, *parts in rows)
        with self._wrapped("searched"):
            # A window that another process deleted just now has no metadata.
            return [(_window(i, parts), near) for i, parts, near in windows if parts["metadatas"] is not None]

    def _collection(self) -> Any:
        """Return the current collection; embedded, reopen it once another process has written.

        Embedded Chroma keeps vectors in the memory of each process and never looks back at the disk.
        """
        if self._opened is None or (self._folder and self._folder.generation() != self._seen):
            with self._alone(), self._wrapped("opened"):
                generation = self._folder.generation() if self._folder else ""
                if self._opened is None or generation != self._seen:
                    self._close()
                    with guarded(self._path, collection_name(self.corpus)) if self._folder else nullcontext():
                        opened = self._open()
                        self._check_embedding(opened.metadata or {})
                        if self._folder:
                            _load(opened)
                        else:
                            self._check_owner(opened.metadata)
                    self._opened, self._seen = opened, generation
        return self._opened

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock the embedded store against other processes and threads; a server does so itself."""
        with self._folder.locked() if self._folder else nullcontext():
            yield

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """Yield the collection to one writer at a time, each starting from all that others have written."""
        with self._alone(), self._wrapped("written"):
            collection = self._collection() if self._folder else self._claimed()
            if self._folder:
                # Also before: a writer that dies half way has changed what others hold in memory.
                self._seen = self._folder.advance()
            try:
                yield collection
            finally:
                if self._folder:
                    self._seen = self._folder.advance()

    def _read(self, doing: str, ask: Callable[[Any], T]) -> T:
        """Read from the collection; retry when another process wrote meanwhile, or made it again on the server."""
        for left in reversed(range(READS)):
            with self._wrapped(doing):
                collection = self._collection()
                try:
                    return ask(collection)
                except (AttributeError, *_client_errors()) as error:  # the first if its client was closed meanwhile
                    if not left or not (self._folder or _is_gone(error)):
                        raise
            if self._folder:
                self._wait_for_writer()
            else:
                self._opened = None
        raise AssertionError("the last try returns or raises")

    def _wait_for_writer(self) -> None:
        """Wait until nobody writes, and have the collection reopened."""
        with self._alone():
            if self._folder and self._folder.generation() == self._seen:
                self._seen = "stale"

    def _open(self) -> Any:
        client, name = self._client(), collection_name(self.corpus)
        if self._folder:
            self._embedded = client
            recover(self._path, client, name, _client_errors())
        return self._made(name, client)

    def _made(self, name: str, client: Any = None) -> Any:
        return (client or self._embedded).get_or_create_collection(
            name,
            metadata={"corpus": self.corpus, **self._made_by},
            configuration={"hnsw": HNSW},
            embedding_function=None,
        )

    def _claimed(self) -> Any:
        """Return the server's collection to write to it, as this deployment's own.

        One without an owner is new or of an older version: whoever knows what it holds takes it.
        """
        collection = self._open()
        self._check_embedding(collection.metadata)
        mine = self._owner.deployment_id()
        if mine and OWNER not in collection.metadata:
            held = collection.get(limit=BATCH, include=["metadatas"])["metadatas"]
            if not held or self._owner.known({str(m["document_id"]) for m in held}):
                collection.modify(metadata={**collection.metadata, OWNER: mine})
                collection = self._open()  # another deployment may have done the same
            else:
                self._refuse()
        self._check_owner(collection.metadata)
        return collection

    def _check_owner(self, recorded: Metadata) -> None:
        if recorded.get(OWNER, self._owner.deployment_id()) != self._owner.deployment_id():
            self._refuse()

    def _refuse(self) -> NoReturn:
        raise ForeignStore(
            f"the collection {collection_name(self.corpus)} of Chroma at {self.place} belongs to another deployment: "
            "set TABLERAG_DATABASE_URL to that one's database, TABLERAG_CHROMA_URL to another server, or --corpus to "
            "another name"
        )

    def _client(self) -> Any:
        import chromadb  # here: it takes half a second, and counting does without it
        import httpx
        from chromadb.api.shared_system_client import SharedSystemClient
        from chromadb.config import Settings as ChromaSettings

        quiet = ChromaSettings(anonymized_telemetry=False)
        if not self._url:
            make_private(self._path)
            # Chroma caches what it has opened in this process, whatever others have written since.
            SharedSystemClient.clear_system_cache()
            return chromadb.PersistentClient(path=str(self._path.resolve()), settings=quiet)
        parts = httpx.URL(self._url)
        if parts.scheme not in ("http", "https") or not parts.host:
            raise ConfigError(f"TABLERAG_CHROMA_URL must be a URL such as http://HOST:PORT, got {self._url!r}")
        port, secure = parts.port or (443 if parts.scheme == "https" else 8000), parts.scheme == "https"
        self._server = self._server or chromadb.HttpClient(host=parts.host, port=port, ssl=secure, settings=quiet)
        return self._server

    @contextmanager
    def _wrapped(self, doing: str) -> Iterator[None]:
        """Turn Chroma's errors into StoreUnavailable."""
        try:
            with panics_as(ValueError):
                yield
        except (sqlite3.Error, OSError, ValueError, KeyError, TypeError, *_client_errors()) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            if found := DIMENSIONS.search(reason):
                raise EmbeddingMismatch(
                    f"corpus {self.corpus!r} has vectors of {found[1]} numbers, and {self._embedding.name} gives "
                    f"{found[2]} now: name another embedding, whose vectors are kept apart, or set it back"
                ) from error
            if not self._url:
                raise folder_trouble(STORE, self._path, doing, error) from error
            raise StoreUnavailable(
                f"Chroma at {self.place} cannot be {doing}: {reason}; start it or fix TABLERAG_CHROMA_URL"
            ) from error


def _client_errors() -> tuple[type[Exception], ...]:
    """Return what Chroma's client raises; imported only to catch it."""
    import httpx
    from chromadb.errors import ChromaError

    return ChromaError, httpx.HTTPError


def _is_gone(error: Exception) -> bool:
    """Return whether a server says that it has no such collection: somebody has deleted it."""
    from chromadb.errors import NotFoundError

    return isinstance(error, NotFoundError)


def _condition(where: Where) -> dict[str, Any] | None:
    """Return Chroma's filter; None when every window is wanted."""
    conditions = [{name: {"$in": list(values)}} for name, values in where.items()]
    return {"$and": conditions} if len(conditions) > 1 else conditions[0] if conditions else None


def _window(window_id: str, found: Mapping[str, Any]) -> Window:
    """Return a window from the columns that Chroma gave."""
    metadata = found.get("metadatas") or {}
    if "metadatas" in found and not metadata.keys() >= NEEDED:
        raise Damage(f"a record lacks its {', '.join(sorted(NEEDED - metadata.keys()))}")
    text = metadata.get(TEXT) or found.get("documents") or ""
    vector = found.get("embeddings")
    return Window(window_id, _without_text(metadata), text, () if vector is None else vector)


def _without_text(metadata: Metadata) -> Metadata:
    return {name: value for name, value in metadata.items() if name != TEXT}


def _load(collection: Any) -> None:
    """Have Chroma read the vectors now, while no other process writes them."""
    one = collection.get(limit=1, include=["embeddings"])["embeddings"]
    if len(one):
        collection.query(query_embeddings=one, n_results=1, include=[])
