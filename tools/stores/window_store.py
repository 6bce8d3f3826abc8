"""Chunks kept as windows: all of a vector store but where the vectors lie."""

import hashlib
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from tablerag.tools.embedding.windows import windows
from tablerag.tools.errors import EmbeddingMismatch
from tablerag.tools.records import Chunk, ChunkKind
from tablerag.tools.stores.vector_store import NamedEmbedding, VectorStore

__all__ = ["BATCH", "Metadata", "Part", "Where", "Window", "WindowStore", "batches", "collection_name", "filled"]

T = TypeVar("T")
Metadata = Mapping[str, Any]
Where = Mapping[str, Sequence[Any]]
"""Metadata fields, each with the values that it may have; windows must meet all."""
Part = Literal["metadata", "text", "vector"]
BATCH = 500
BATCH_CHARS = 1_000_000
"""The most characters of a batch of several windows: one character may be a token, which takes 200 bytes."""
MOST_DELETED = 50
"""Values in one delete."""
MOST_WINDOWS = 2000
NEAR = 1e-3
"""How much a number of a vector may change on its way through a store."""
FIELDS = ("kind", "document_id", "source", "locator", "title")


@dataclass(frozen=True, slots=True)
class Window:
    """One window; read back, only the parts that were asked for are filled."""

    id: str
    """The chunk's own id for its first window, ID#n for the others."""
    metadata: Metadata
    text: str = ""
    """The whole chunk's text, in its first window only."""
    vector: Sequence[float] = ()


def collection_name(corpus: str) -> str:
    """Return 3 to 63 letters, digits and hyphens that no other corpus has."""
    safe = re.sub(r"[^A-Za-z0-9-]+", "-", corpus).strip("-")[:40]
    if safe and safe == corpus:
        return f"tablerag-{safe}"
    return f"tablerag-{safe}-{hashlib.sha256(corpus.encode()).hexdigest()[:8]}".replace("--", "-")


class WindowStore(VectorStore):
    """A VectorStore over five operations on windows, which a subclass implements."""

    def __init__(self, corpus: str, embedding: NamedEmbedding) -> None:
        self.corpus = corpus
        self._embedding = embedding

    @abstractmethod
    def _upsert(self, rows: Sequence[Window]) -> None:
        """Store windows, replacing those of the same ids."""

    @abstractmethod
    def _remove(self, where: Where) -> None:
        """Delete windows."""

    @abstractmethod
    def _fetch(self, where: Where, *parts: Part) -> list[Window]:
        """Return windows with the named parts; ``id`` is a field like the others."""

    @abstractmethod
    def _nearest(self, vector: Sequence[float], count: int, where: Where) -> list[tuple[Window, float]]:
        """Return the nearest windows, metadata and text, with their cosine similarity, best first."""

    @property
    def _made_by(self) -> dict[str, str]:
        """What a collection records of the embedding."""
        return {"embedding": self._embedding.name, "embedding_version": self._embedding.version}

    def _check_embedding(self, recorded: Metadata) -> None:
        """Raise EmbeddingMismatch unless a collection was made by this embedding."""
        if any(recorded.get(name) != value for name, value in self._made_by.items()):
            found = f"{recorded.get('embedding')} {recorded.get('embedding_version')}"
            corpus = self.corpus.partition("~")[0]
            raise EmbeddingMismatch(
                f"corpus {self.corpus!r} was indexed with the embedding {found}, but {self._embedding.name} "
                f"{self._embedding.version} is configured: run `tablerag reindex --corpus {corpus}` to embed it "
                "again, or set TABLERAG_EMBEDDING back"
            )

    def add(self, chunks: Sequence[Chunk], vectors: Mapping[str, np.ndarray] | None = None) -> None:
        made = vectors or {}
        texts = ((c, [""] * len(made[c.id]) if c.id in made else windows(c)) for c in chunks)
        for batch in filled((c, i, text) for c, of_chunk in texts for i, text in enumerate(of_chunk)):
            lacking = [text for c, _, text in batch if c.id not in made]
            new = iter(self._embedding.embed_documents(lacking) if lacking else ())
            self._upsert([_window(c, i, made[c.id][i].tolist() if c.id in made else next(new)) for c, i, _ in batch])

    def delete(self, ids: Sequence[str]) -> None:
        for some in batches(ids, MOST_DELETED):
            self._remove({"chunk_id": some})

    def delete_documents(self, document_ids: Sequence[str]) -> None:
        for some in batches(document_ids, MOST_DELETED):
            self._remove({"document_id": some})

    def search(
        self,
        query: str,
        k: int,
        kinds: Iterable[ChunkKind] | None = None,
        documents: Sequence[str] | None = None,
    ) -> list[Chunk]:
        among = {"kind": sorted(kinds or ()), "document_id": list(documents or ())}
        where = {name: values for name, values in among.items() if values}
        vector = self._embedding.embed_query(query)
        wanted, best, windows = 2 * k, {}, {}
        while True:
            found = self._nearest(vector, wanted, where)
            for window, near in found:
                best.setdefault(window.metadata["chunk_id"], near)
            windows = {window.id: window for window, _ in found}
            if len(best) >= k or len(found) < wanted or wanted >= MOST_WINDOWS:
                break
            wanted *= 4  # many windows of few chunks: look further
        ids = list(best)[:k]
        # A chunk's first window has its id and text, but another one may have been nearer.
        first = {i: _chunk(windows[i]) for i in ids if i in windows}
        first |= {c.id: c for c in self.get([i for i in ids if i not in first])}
        return [first[i].model_copy(update={"score": best[i]}) for i in ids if i in first]

    def scores(self, query: str, ids: Sequence[str]) -> dict[str, float]:
        # Only the vectors: metadata have the texts, which take as long to read again.
        found = self._fetch({"chunk_id": ids}, "vector") if ids else []
        if not found:
            return {}
        wanted = set(ids)
        nearness = np.asarray([w.vector for w in found]) @ np.asarray(self._embedding.embed_query(query))
        best: dict[str, float] = {}
        for window, near in zip(found, nearness.tolist(), strict=True):
            chunk_id = window.id if window.id in wanted else window.id.rpartition("#")[0]
            best[chunk_id] = max(near, best.get(chunk_id, -1.0))
        return best

    def get(self, ids: Sequence[str]) -> list[Chunk]:
        found = self._fetch({"id": ids}, "metadata", "text") if ids else []
        by_id = {w.id: _chunk(w) for w in found}
        return [by_id[i] for i in ids if i in by_id]

    def of_documents(self, document_ids: Sequence[str]) -> list[Chunk]:
        among = {"window": [0], "document_id": list(document_ids)}
        return [_chunk(w) for w in self._fetch(among, "metadata", "text")] if document_ids else []

    def check(self) -> None:
        self.chunk_ids()
        self.window_counts()

    def discard(self) -> None:
        """Keep a store that others may keep, too."""

    def misplaced(self, chunks: Sequence[Chunk]) -> list[str]:
        found: list[str] = []
        for batch in batches(chunks, BATCH) if self._embedding.is_embedded else ():
            texts = {(c.id if not i else f"{c.id}#{i}"): text for c in batch for i, text in enumerate(windows(c))}
            vectors = dict(zip(texts, self._embedding.embed_documents(list(texts.values())), strict=True))
            for window in self._fetch({"chunk_id": [c.id for c in batch]}, "vector"):
                expected = vectors.get(window.id)
                if expected is None or not np.allclose(window.vector, expected, atol=NEAR):
                    found.append(window.id.partition("#")[0])
        return list(dict.fromkeys(found))

    def chunk_ids(self) -> dict[str, str]:
        return {w.id: w.metadata["document_id"] for w in self._fetch({"window": [0]}, "metadata")}

    def window_counts(self) -> dict[str, int]:
        return dict(Counter(w.metadata["chunk_id"] for w in self._fetch({}, "metadata")))

    def generation(self) -> str:
        return ""

    def count(self) -> int:
        return len(self._fetch({"window": [0]}))


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield the items in runs of a size."""
    return (items[i : i + size] for i in range(0, len(items), size))


def filled(pieces: Iterable[tuple[Chunk, int, str]]) -> Iterator[list[tuple[Chunk, int, str]]]:
    """Yield the windows of chunks in batches of bounded number and length; only one batch is in memory."""
    batch: list[tuple[Chunk, int, str]] = []
    chars = 0
    for piece in pieces:
        if batch and (len(batch) == BATCH or chars + len(piece[2]) > BATCH_CHARS):
            yield batch
            batch, chars = [], 0
        batch.append(piece)
        chars += len(piece[2])
    if batch:
        yield batch


def _window(chunk: Chunk, number: int, vector: Sequence[float]) -> Window:
    """Return one window: the first describes its chunk, the others only name it."""
    names = ("kind", "document_id") if number else FIELDS
    metadata = {name: getattr(chunk, name) for name in names} | {"chunk_id": chunk.id, "window": number}
    if number:
        return Window(f"{chunk.id}#{number}", metadata, "", vector)
    return Window(chunk.id, metadata | ({"table_id": chunk.table_id} if chunk.table_id else {}), chunk.text, vector)


def _chunk(first: Window) -> Chunk:
    fields = {name: first.metadata.get(name, "") for name in FIELDS}
    return Chunk(id=first.id, text=first.text, table_id=first.metadata.get("table_id"), score=0.0, **fields)
