"""A tantivy index in a folder: opened at first use, one writer at a time. Its users build schemas and queries."""

import hashlib
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tantivy

from tablerag.tools.errors import StoreUnavailable

__all__ = ["TantivyFolder", "folder_name"]

WRITER_BYTES = 50_000_000
LOCK_WAIT_S = 60.0
START_OVER = "start over with another or an emptied TABLERAG_HOME"


def folder_name(corpus: str) -> str:
    """Return a safe folder name, telling apart corpora whose letters had to be replaced."""
    safe = re.sub(r"[^A-Za-z0-9-]+", "-", corpus)[:40]
    return safe if safe == corpus else f"{safe}-{hashlib.sha256(corpus.encode()).hexdigest()[:8]}"


class TantivyFolder:
    """One index of one layout; ``says`` is its name in messages."""

    def __init__(self, path: Path, schema: tantivy.Schema, layout: str, says: str, remedy: str = START_OVER) -> None:
        self.path = path
        self.schema = schema
        self._layout = layout
        self._says = says
        self._remedy = remedy
        self._opened: tantivy.Index | None = None
        self._searcher: tuple[object, Any] | None = None
        self._lock = threading.RLock()

    def _index(self) -> tantivy.Index:
        with self._lock:
            if self._opened is None:
                with self.wrapped("opened"):
                    self.path.mkdir(parents=True, exist_ok=True)
                    self._check_layout()
                    self._opened = tantivy.Index(self.schema, path=str(self.path))
            return self._opened

    @property
    def outdated(self) -> bool:
        """Whether another version has written it."""
        marker = self.path / "layout"
        if not marker.exists():
            return (self.path / "meta.json").exists()
        return marker.read_text(encoding="utf-8") != self._layout

    def _check_layout(self) -> None:
        if self.outdated:
            raise StoreUnavailable(f"{self._says} in {self.path} was made by another version: {self._remedy}")
        marker = self.path / "layout"
        if not marker.exists():
            marker.write_text(self._layout, encoding="utf-8")

    @contextmanager
    def writer(self) -> Iterator[Any]:
        """Yield the index's only writer, after that of another process, and commit at the end."""
        with self._lock:
            index = self._index()
            deadline = time.monotonic() + LOCK_WAIT_S
            while True:
                try:
                    writer = index.writer(WRITER_BYTES, 1)
                    break
                except ValueError as error:
                    if "lock" not in str(error).lower() or time.monotonic() > deadline:
                        raise self._unusable("written", error) from error
                    time.sleep(0.05)
            with self.wrapped("written"):
                # A writer that was killed may have left files that a new one would write under the same names.
                writer.garbage_collect_files()
                yield writer
                writer.commit()
                writer.wait_merging_threads()

    def delete(self, field: str, values: list[str]) -> None:
        """Delete documents with one of these values in a field."""
        if not values:
            return
        with self.writer() as writer:
            for value in values:
                writer.delete_documents_by_term(field, value)

    def searcher(self) -> Any:
        """Return a searcher over all that is committed now."""
        index, committed = self._index(), self._committed()
        known = self._searcher
        if known is None or known[0] != committed:  # another process may have committed since
            index.reload()
            known = self._searcher = committed, index.searcher()
        return known[1]

    def _committed(self) -> tuple[int, int]:
        """Return what tells the last commit from earlier ones, even within one tick of the file system's clock."""
        try:
            meta = (self.path / "meta.json").stat()  # each commit replaces the file
        except FileNotFoundError:
            return 0, 0
        return meta.st_mtime_ns, meta.st_ino

    def version(self) -> int:
        """Return a number that changes with every commit by any process; 0 before the first."""
        return self._committed()[0]

    def term(self, field: str, value: str) -> Any:
        """Return the query for one value of a field."""
        return tantivy.Query.term_query(self.schema, field, value)

    @contextmanager
    def wrapped(self, doing: str) -> Iterator[None]:
        """Turn tantivy's errors into StoreUnavailable."""
        try:
            yield
        except (ValueError, OSError, SystemError) as error:
            raise self._unusable(doing, error) from error

    def _unusable(self, doing: str, error: Exception) -> StoreUnavailable:
        reason = str(error).splitlines()[0]
        return StoreUnavailable(f"{self._says} in {self.path} cannot be {doing}: {reason}")
