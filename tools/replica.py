"""The local indexes of one host: brought up to date with what other hosts have published, before they are read.

SQL is the truth: it lists the documents of a corpus, counts its generations and keeps the texts of chunks. Only what an
older version has ingested is in the vector store alone.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING

from pydantic import BaseModel

from tablerag.tools.counting import counted
from tablerag.tools.errors import SqlProblem, StoreUnavailable
from tablerag.tools.linking.indexing import index_values
from tablerag.tools.stores.shared_folder import SharedFolder
from tablerag.tools.stores.window_store import batches
from tablerag.tools.summary_corpora import LEVELS, summary_corpus

if TYPE_CHECKING:
    from pathlib import Path

    from tablerag.tools.records import Chunk
    from tablerag.tools.services import Services

__all__ = ["Replica"]

FRESH_S = 0.2
"""One question opens the index several times; this long, SQL is not asked again for the generation."""
DOCUMENTS_AT_ONCE = 200
AT_ONCE = 20_000
"""Chunks that are brought while a question waits: a few seconds' work."""
WAIT_S = 30.0
NOTES = "followed.json"
"""The file of _Notes, in the index's folder."""
UNKNOWN = -1
"""A generation, or a number of chunks."""


class _Notes(BaseModel):
    """The generation that an index has followed, and the number of chunks of each document then."""

    generation: int
    documents: dict[str, int]


class Replica:
    """One corpus on one host, with its summaries. Safe to share between threads; processes take turns."""

    def __init__(self, services: Services, corpus: str) -> None:
        self._services = services
        self._corpus = corpus
        self._lock = threading.Lock()
        self._looked = float("-inf")
        self._seen: tuple[int, int] | None = None
        self._copying: Future[None] | None = None
        """What brings much in the background, once it was begun."""

    def follow(self) -> None:
        """Bring the indexes up to date, if there is a new generation; raises StoreUnavailable.

        Where services do not wait, more than AT_ONCE chunks are brought in the background: until then a host that has
        followed before reads what it has, and a new one waits for WAIT_S before it raises.
        """
        with self._lock:
            if time.monotonic() < self._looked + FRESH_S:
                return
            generation = self._services.catalog.generation(self._corpus)
            if self._seen == (generation, self._written()):
                self._looked = time.monotonic()
                return
            if self._services.waits_for_indexes or self._lacking() <= AT_ONCE:
                self._bring(generation)
                self._seen = generation, self._written()
                self._looked = time.monotonic()
                return
            if self._copying and self._copying.done():
                ended, self._copying = self._copying, None
                ended.result()  # raises what has stopped it
            self._copying = self._copying or _in_background(lambda: self._bring(generation))
            copying, is_new = self._copying, self._generation() == UNKNOWN
        if is_new:
            self._wait(copying)

    def _wait(self, copying: Future[None]) -> None:
        try:
            copying.result(WAIT_S)
        except TimeoutError:
            raise StoreUnavailable(
                f"this host is still copying the search index of corpus {self._corpus!r} "
                f"({counted(self._lacking(), 'chunk')} to go): ask again in a minute"
            ) from None

    def _lacking(self) -> int:
        """Return about how many chunks the corpus's index lacks, as far as it has been noted or written."""
        index = self._services.own_lexical_index(self._corpus)
        notes = _notes(index.path)
        documents = self._services.catalog.listed_documents(self._corpus)
        if notes is None:
            return sum(d.chunk_count for d in documents) - (index.count() if index.exists else 0)
        return sum(d.chunk_count for d in documents if notes.documents.get(d.document_id) != d.chunk_count)

    def _bring(self, generation: int) -> None:
        with SharedFolder(self._services.home / "replica", "replica").locked():
            if self._generation() != generation:
                self._follow_all(generation)

    def _follow_all(self, generation: int) -> None:
        summaries = [summary_corpus(self._corpus, level) for level in LEVELS]
        # What this host holds is read first: what it begins to write after that is not taken for deleted.
        held = {name: self._held(name) for name in (self._corpus, *summaries)}
        passing = {v.document_id for v in self._services.catalog.unfinished()}
        documents = self._services.catalog.listed_documents(self._corpus)
        for name, level in zip(summaries, LEVELS, strict=True):
            self._follow(name, held[name], {d.document_id: 0 for d in documents if level in d.summaries}, passing)
        self._follow(self._corpus, held[self._corpus], {d.document_id: d.chunk_count for d in documents}, passing)
        for name, counts in held.items():
            self._note(name, generation, counts)

    def _follow(self, name: str, held: dict[str, int], wanted: Mapping[str, int], passing: set[str]) -> None:
        """Add the documents that an index lacks, and delete those that are gone; 0 chunks stand for any number."""
        index = self._services.own_lexical_index(name)
        gone = sorted(held.keys() - wanted.keys() - passing)
        if gone:
            index.delete_documents(gone)
            self._services.large_values.delete_documents(gone)
            for document_id in gone:
                del held[document_id]
        for some in batches([i for i, count in wanted.items() if held.get(i) != count], DOCUMENTS_AT_ONCE):
            there = Counter(c.document_id for c in index.of_documents(some)) if index.exists else Counter[str]()
            new = [i for i in some if not there[i] or there[i] != (wanted[i] or there[i])]
            chunks = self._chunks(name, new)
            index.add(chunks)
            if name == self._corpus:
                self._index_values([i for i in new if not there[i]])
            there |= Counter(c.document_id for c in chunks)
            held |= {i: there[i] if wanted[i] else 0 for i in some}

    def _chunks(self, name: str, document_ids: Sequence[str]) -> list[Chunk]:
        chunks = self._services.chunk_texts.of_documents(name, document_ids)
        older = sorted(set(document_ids) - {c.document_id for c in chunks})
        return [*chunks, *(self._services.vector_store(name).of_documents(older) if older else ())]

    def _index_values(self, document_ids: Sequence[str]) -> None:
        self._services.large_values.delete_documents(document_ids)
        for document_id, schemas in self._services.catalog.schemas_by_document(document_ids).items():
            with suppress(SqlProblem):  # replaced just now
                index_values(self._services, document_id, schemas)

    def _held(self, name: str) -> dict[str, int]:
        """Return the number of chunks of each document in an index: as noted, else as counted."""
        index = self._services.own_lexical_index(name)
        if not index.exists:
            return {}
        written = index.written.take() if index.written else set()
        if (notes := _notes(index.path)) is not None:
            return dict.fromkeys(written, UNKNOWN) | notes.documents
        return dict(Counter(index.chunk_ids().values()))

    def _note(self, name: str, generation: int, counts: Mapping[str, int]) -> None:
        index = self._services.own_lexical_index(name)
        if index.exists:
            path = index.path / NOTES
            part = path.with_suffix(".part")
            part.write_text(_Notes(generation=generation, documents=dict(counts)).model_dump_json(), encoding="utf-8")
            part.replace(path)
            if index.written:
                index.written.forget()

    def _generation(self) -> int:
        """Return the generation that another process of this host has followed; -1 if none has."""
        notes = _notes(self._path.parent)
        return notes.generation if notes else UNKNOWN

    def _written(self) -> int:
        with suppress(OSError):
            return self._path.stat().st_mtime_ns
        return 0

    @property
    def _path(self) -> Path:
        return self._services.own_lexical_index(self._corpus).path / NOTES


def _in_background(work: Callable[[], None]) -> Future[None]:
    """Start work in a thread that ends with the process."""
    done: Future[None] = Future()

    def run() -> None:
        try:
            work()
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(None)

    threading.Thread(target=run, name="tablerag replica", daemon=True).start()
    return done


def _notes(folder: Path) -> _Notes | None:
    """Return what an index has noted; None if it has not, or the file is damaged."""
    with suppress(OSError, ValueError):
        return _Notes.model_validate_json((folder / NOTES).read_bytes())
    return None
