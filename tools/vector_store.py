"""The dense index: one Chroma collection per corpus, embedded or on a server. Only this module knows Chroma."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Protocol, TypeVar

import chromadb
import chromadb.api.client
import httpx
import numpy as np
from chromadb.config import Settings as ChromaSettings
from chromadb.errors import ChromaError

from tablerag.tools.embedding.windows import windows
from tablerag.tools.errors import ConfigError, EmbeddingMismatch, StoreUnavailable
from tablerag.tools.records import Chunk, ChunkKind
from tablerag.tools.shared_folder import SharedFolder

__all__ = ["NamedEmbedding", "VectorStore"]

T = TypeVar("T")
BATCH = 500
READS = 3
MOST_WINDOWS = 2000
FIELDS = ("kind", "document_id", "source", "locator", "title")


class NamedEmbedding(Protocol):
    """LangChain's Embeddings with a name and version, which a collection records."""

    name: str
    version: str

    def embed_documents(self, texts: list[str]) -> list[list[float]]: ...

    def embed_query(self, text: str) -> list[float]: ...


def collection_name(corpus: str) -> str:
    """Return a name that Chroma takes, telling apart corpora whose letters had to be replaced."""
    safe = re.sub(r"[^A-Za-z0-9-]+", "-", corpus).strip("-")[:40]
    if safe == corpus:
        return f"tablerag-{safe}"
    return f"tablerag-{safe}-{hashlib.sha256(corpus.encode()).hexdigest()[:8]}".replace("--", "-")


class VectorStore:
    """Stores and searches one corpus's chunks; opened at first use."""

    def __init__(self, corpus: str, embedding: NamedEmbedding, *, path: Path | None = None, url: str = "") -> None:
        self.corpus = corpus
        self._embedding = embedding
        self._path = path
        self._url = url
        self._opened: Any = None
        self._seen = ""
        self._folder = None if url else SharedFolder(path, collection_name(corpus))

    @property
    def place(self) -> str:
        """Where the collection is kept."""
        return self._url or str(self._path)

    def _collection(self) -> Any:
        """Return the collection as it is now: embedded, it is opened anew once another process has written.

        Embedded Chroma keeps vectors in the memory of each process and never looks back at the disk.
        """
        if self._opened is None or (self._folder and self._folder.generation() != self._seen):
            with self._alone(), self._wrapped("be opened"):
                generation = self._folder.generation() if self._folder else ""
                if self._opened is None or generation != self._seen:
                    opened = self._open()
                    self._check_embedding(opened.metadata or {})
                    if self._folder:
                        _load(opened)
                    self._opened, self._seen = opened, generation
        return self._opened

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the embedded store against other processes and threads; a server sees to that itself."""
        with self._folder.locked() if self._folder else nullcontext():
            yield

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """Yield the collection to one writer at a time, each beginning with all that others have written."""
        with self._alone(), self._wrapped("be written"):
            collection = self._collection()
            if self._folder:
                # Also before: a writer that dies half way has changed what others hold in memory.
                self._seen = self._folder.advance()
            try:
                yield collection
            finally:
                if self._folder:
                    self._seen = self._folder.advance()

    def _read(self, doing: str, ask: Callable[[Any], T]) -> T:
        """Ask the collection; once more when another process was writing meanwhile and it is half old, half new."""
        for left in reversed(range(READS)):
            with self._wrapped(doing):
                collection = self._collection()
                try:
                    return ask(collection)
                except ChromaError:
                    if not self._folder or not left:
                        raise
            self._wait_for_writer()
        raise AssertionError("the last try returns or raises")

    def _wait_for_writer(self) -> None:
        """Wait until nobody writes; what they wrote is then opened."""
        with self._alone():
            if self._folder.generation() == self._seen:
                self._seen = "stale"

    def _open(self) -> Any:
        made_by = {"embedding": self._embedding.name, "embedding_version": self._embedding.version}
        return self._client().get_or_create_collection(
            collection_name(self.corpus),
            metadata={"corpus": self.corpus, **made_by},
            configuration={"hnsw": {"space": "cosine"}},
            embedding_function=None,
        )

    def _client(self) -> Any:
        quiet = ChromaSettings(anonymized_telemetry=False)
        if not self._url:
            self._path.mkdir(parents=True, exist_ok=True)
            # Chroma keeps what it has opened in this process, whatever others have written since.
            chromadb.api.client.SharedSystemClient.clear_system_cache()
            return chromadb.PersistentClient(path=str(self._path.resolve()), settings=quiet)
        parts = httpx.URL(self._url)
        if parts.scheme not in ("http", "https") or not parts.host:
            raise ConfigError(f"TABLERAG_CHROMA_URL is no URL: got {self._url!r}, expected http://HOST:PORT")
        port = parts.port or (443 if parts.scheme == "https" else 8000)
        return chromadb.HttpClient(host=parts.host, port=port, ssl=parts.scheme == "https", settings=quiet)

    def _check_embedding(self, metadata: dict[str, Any]) -> None:
        made_by = f"{metadata.get('embedding')} {metadata.get('embedding_version')}"
        configured = f"{self._embedding.name} {self._embedding.version}"
        if made_by != configured:
            raise EmbeddingMismatch(
                f"corpus {self.corpus!r} was indexed with the embedding {made_by}, but {configured} is configured: "
                "ingest into another corpus (--corpus), or begin anew with another or an emptied TABLERAG_HOME"
            )

    def add(self, chunks: Sequence[Chunk]) -> None:
        """Add chunks, replacing those of the same id and text; each is embedded as its windows."""
        pieces = [(c, i, text) for c in chunks for i, text in enumerate(windows(c))]
        for batch in batched_list(pieces, BATCH):
            vectors = self._embedding.embed_documents([text for _, _, text in batch])
            with self._writing() as collection:
                collection.upsert(
                    ids=[f"{c.id}#{i}" if i else c.id for c, i, _ in batch],
                    embeddings=vectors,
                    documents=["" if i else c.text for c, i, _ in batch],
                    metadatas=[_metadata(c, i) for c, i, _ in batch],
                )

    def delete_document(self, document_id: str) -> None:
        """Delete all chunks of a document."""
        self.delete_documents([document_id])

    def delete_documents(self, document_ids: Sequence[str]) -> None:
        """Delete all chunks of documents."""
        for some in batched_list(list(document_ids), 50):
            with self._writing() as collection:
                collection.delete(where={"document_id": {"$in": list(some)}})

    def delete(self, ids: Sequence[str]) -> None:
        """Delete single chunks."""
        for some in batched_list(list(ids), 50):
            with self._writing() as collection:
                collection.delete(where={"chunk_id": {"$in": list(some)}})

    def chunk_ids(self) -> dict[str, str]:
        """Return the ids of all chunks, each with its document's."""
        found = self._read("be read", lambda c: c.get(where={"window": 0}, include=["metadatas"]))
        return {m["chunk_id"]: m["document_id"] for m in found["metadatas"]}

    def window_counts(self) -> dict[str, int]:
        """Return how many windows are indexed of each chunk."""
        found = self._read("be read", lambda c: c.get(include=["metadatas"]))
        return dict(Counter(m["chunk_id"] for m in found["metadatas"]))

    def search(
        self,
        query: str,
        k: int,
        kinds: Iterable[ChunkKind] | None = None,
        documents: Sequence[str] | None = None,
    ) -> list[Chunk]:
        """Return the ``k`` nearest chunks, of those kinds and documents (ids), as near as their nearest windows."""
        wanted_of = {"kind": sorted(kinds or ()), "document_id": list(documents or ())}
        among = [{name: {"$in": values}} for name, values in wanted_of.items() if values]
        where = {"$and": among} if len(among) > 1 else among[0] if among else None
        wanted = self._embedding.embed_query(query)
        windows_wanted, best = 2 * k, {}
        while True:
            asked: dict[str, Any] = {"query_embeddings": [wanted], "n_results": windows_wanted, "where": where}
            found = self._read("be searched", lambda c, a=asked: c.query(**a, include=["metadatas", "distances"]))
            distances = found["distances"][0]
            for meta, distance in zip(found["metadatas"][0], distances, strict=True):
                if meta is not None:  # deleted by another process just now
                    best.setdefault(meta["chunk_id"], 1.0 - distance)
            if len(best) >= k or len(distances) < windows_wanted or windows_wanted >= MOST_WINDOWS:
                break
            windows_wanted *= 4  # many windows of few chunks: look further
        return [c.model_copy(update={"score": best[c.id]}) for c in self.get(list(best)[:k])]

    def scores(self, query: str, ids: Sequence[str]) -> dict[str, float]:
        """Return the cosine similarity of given chunks to a query."""
        if not ids:
            return {}
        where = {"chunk_id": {"$in": list(ids)}}
        found = self._read("be searched", lambda c: c.get(where=where, include=["embeddings", "metadatas"]))
        if not found["ids"]:
            return {}
        nearness = np.asarray(found["embeddings"]) @ np.asarray(self._embedding.embed_query(query))
        best: dict[str, float] = {}
        for meta, near in zip(found["metadatas"], nearness.tolist(), strict=True):
            best[meta["chunk_id"]] = max(near, best.get(meta["chunk_id"], -1.0))
        return best

    def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks of those ids, in their order; unknown ids are left out."""
        if not ids:
            return []
        found = self._read("be read", lambda c: c.get(ids=list(ids), include=["documents", "metadatas"]))
        rows = zip(found["ids"], found["documents"], found["metadatas"], strict=True)
        by_id = {i: _chunk(i, text, meta, 0.0) for i, text, meta in rows}
        return [by_id[i] for i in ids if i in by_id]

    def count(self) -> int:
        """Return how many chunks there are."""
        return len(self._read("be read", lambda c: c.get(where={"window": 0}, include=[]))["ids"])

    def document_ids(self) -> set[str]:
        """Return the ids of the documents that have chunks here."""
        found = self._read("be read", lambda c: c.get(where={"window": 0}, include=["metadatas"]))
        return {m["document_id"] for m in found["metadatas"]}

    def ping(self) -> str:
        """Say what answers; raise StoreUnavailable, ConfigError or EmbeddingMismatch."""
        return f"Chroma {chromadb.__version__}, {self.count()} chunks in {self.corpus!r}"

    @contextmanager
    def _wrapped(self, doing: str) -> Iterator[None]:
        try:
            yield
        except (ChromaError, httpx.HTTPError, OSError, ValueError) as error:
            if isinstance(error, ConfigError):
                raise
            hint = "start it or mend TABLERAG_CHROMA_URL" if self._url else "see that the folder can be written"
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise StoreUnavailable(f"Chroma at {self.place} cannot {doing}: {reason}; {hint}") from error


def _load(collection: Any) -> None:
    """Have Chroma read the vectors now, while no other process writes them."""
    one = collection.get(limit=1, include=["embeddings"])["embeddings"]
    if len(one):
        collection.query(query_embeddings=one, n_results=1, include=[])


def batched_list(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Cut a sequence into runs of at most ``size``."""
    return (items[i : i + size] for i in range(0, len(items), size))


def _metadata(chunk: Chunk, window: int) -> dict[str, str | int]:
    """Describe a chunk with its first window; the others say only whose they are."""
    names = ("kind", "document_id") if window else FIELDS
    plain = {name: getattr(chunk, name) for name in names} | {"chunk_id": chunk.id, "window": window}
    return plain | ({"table_id": chunk.table_id} if chunk.table_id and not window else {})


def _chunk(chunk_id: str, text: str, metadata: dict[str, Any], score: float) -> Chunk:
    fields = {name: metadata.get(name, "") for name in FIELDS}
    return Chunk(id=chunk_id, text=text, table_id=metadata.get("table_id"), score=score, **fields)
