"""The dense index: one Chroma collection per corpus, embedded or on a server. Only this module knows Chroma."""

import hashlib
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import chromadb
import httpx
from chromadb.config import Settings as ChromaSettings
from chromadb.errors import ChromaError

from tools.errors import ConfigError, EmbeddingMismatch, StoreUnavailable
from tools.records import Chunk, ChunkKind

__all__ = ["NamedEmbedding", "VectorStore"]

BATCH = 500
_OPENING = threading.Lock()
"""Chroma's embedded client is set up once in a process: two threads that open it at once both fail."""
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

    @property
    def place(self) -> str:
        """Where the collection is kept."""
        return self._url or str(self._path)

    def _collection(self) -> Any:
        if self._opened is None:
            with _OPENING, self._wrapped("be opened"):
                opened = self._open()
            self._check_embedding(opened.metadata or {})
            self._opened = opened
        return self._opened

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
            return chromadb.PersistentClient(path=str(self._path), settings=quiet)
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
                "ingest into another corpus, or delete this one's collection and ingest again"
            )

    def add(self, chunks: Sequence[Chunk]) -> None:
        """Add chunks, replacing those of the same id."""
        collection = self._collection()
        for batch in batched_list(chunks, BATCH):
            vectors = self._embedding.embed_documents([_embedded_text(c) for c in batch])
            with self._wrapped("be written"):
                collection.upsert(
                    ids=[c.id for c in batch],
                    embeddings=vectors,
                    documents=[c.text for c in batch],
                    metadatas=[_metadata(c) for c in batch],
                )

    def delete_document(self, document_id: str) -> None:
        """Delete all chunks of a document."""
        with self._wrapped("be written"):
            self._collection().delete(where={"document_id": document_id})

    def search(self, query: str, k: int, kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]:
        """Return the ``k`` nearest chunks with their cosine similarity, best first."""
        where = {"kind": {"$in": sorted(kinds)}} if kinds else None
        with self._wrapped("be searched"):
            found = self._collection().query(
                query_embeddings=[self._embedding.embed_query(query)],
                n_results=k,
                where=where,
                include=["documents", "metadatas", "distances"],
            )
        rows = zip(found["ids"][0], found["documents"][0], found["metadatas"][0], found["distances"][0], strict=True)
        return [_chunk(i, text, meta, 1.0 - distance) for i, text, meta, distance in rows]

    def scores(self, query: str, ids: Sequence[str]) -> dict[str, float]:
        """Return the cosine similarity of given chunks to a query."""
        if not ids:
            return {}
        with self._wrapped("be searched"):
            found = self._collection().get(ids=list(ids), include=["embeddings"])
        wanted = self._embedding.embed_query(query)
        vectors = found["embeddings"]
        return {
            i: float(sum(a * b for a, b in zip(wanted, v, strict=True)))
            for i, v in zip(found["ids"], vectors, strict=True)
        }

    def get(self, ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks of those ids, in their order; unknown ids are left out."""
        with self._wrapped("be read"):
            found = self._collection().get(ids=list(ids), include=["documents", "metadatas"]) if ids else None
        if not found:
            return []
        rows = zip(found["ids"], found["documents"], found["metadatas"], strict=True)
        by_id = {i: _chunk(i, text, meta, 0.0) for i, text, meta in rows}
        return [by_id[i] for i in ids if i in by_id]

    def count(self) -> int:
        """Return how many chunks there are."""
        with self._wrapped("be read"):
            return self._collection().count()

    def document_ids(self) -> set[str]:
        """Return the ids of the documents that have chunks here."""
        with self._wrapped("be read"):
            return {m["document_id"] for m in self._collection().get(include=["metadatas"])["metadatas"]}

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


def batched_list(chunks: Sequence[Chunk], size: int) -> Iterator[Sequence[Chunk]]:
    """Cut a sequence into runs of at most ``size``."""
    return (chunks[i : i + size] for i in range(0, len(chunks), size))


def _embedded_text(chunk: Chunk) -> str:
    return f"{chunk.title}\n{chunk.text}" if chunk.title else chunk.text


def _metadata(chunk: Chunk) -> dict[str, str]:
    plain = {name: getattr(chunk, name) for name in FIELDS}
    return plain | ({"table_id": chunk.table_id} if chunk.table_id else {})


def _chunk(chunk_id: str, text: str, metadata: dict[str, Any], score: float) -> Chunk:
    fields = {name: metadata.get(name, "") for name in FIELDS}
    return Chunk(id=chunk_id, text=text, table_id=metadata.get("table_id"), score=score, **fields)
