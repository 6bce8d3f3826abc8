"""A tantivy index in a folder: opened at first use, one writer at a time. Its users build schemas and queries."""

import hashlib
import json
import os
import re
import struct
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import tantivy

from tablerag.tools.errors import StoreDamaged
from tablerag.tools.private_folder import make_private
from tablerag.tools.stores.damage import REBUILD, Damage, discard_content, folder_trouble, panics_as

__all__ = ["TantivyFolder", "folder_name"]

WRITER_BYTES = 50_000_000
LOCK_WAIT_S = 60.0
CHECKED_BYTES = 64_000_000
"""A larger index is checked by the doctor only: a fifteenth of a second for each question is enough."""
PART_BYTES = 1_000_000
FOOTER = struct.Struct("<II")
"""At the end of a file: the length of the JSON before it, and a magic number."""


def folder_name(corpus: str) -> str:
    """Return a safe folder name, telling apart corpora whose letters had to be replaced."""
    safe = re.sub(r"[^A-Za-z0-9-]+", "-", corpus)[:40]
    return safe if safe == corpus else f"{safe}-{hashlib.sha256(corpus.encode()).hexdigest()[:8]}"


class TantivyFolder:
    """One index of one layout; ``says`` is its name in messages."""

    def __init__(self, path: Path, schema: tantivy.Schema, layout: str, says: str, remedy: str = REBUILD) -> None:
        self.path = path
        self.schema = schema
        self._layout = layout
        self._says = says
        self._remedy = remedy
        self._opened: tantivy.Index | None = None
        self._searcher: tuple[object, Any] | None = None
        self._checked: set[Path] = set()
        self._unsound: set[Path] = set()
        self._lock = threading.RLock()

    def _index(self) -> tantivy.Index:
        with self._lock:
            if self._opened is None:
                with self.wrapped("opened"):
                    make_private(self.path)
                    self._check_layout()
                    self._check_segments()  # first: the library prints Rust's messages where damage makes it panic
                    self._opened = tantivy.Index(self.schema, path=str(self.path))
            return self._opened

    @property
    def outdated(self) -> bool:
        """Whether another version has written it."""
        marker = self.path / "layout"
        if not marker.exists():
            return (self.path / "meta.json").exists()
        return marker.read_bytes() != self._layout.encode()

    def _check_layout(self) -> None:
        marker = self.path / "layout"
        if marker.exists() and not marker.read_bytes().isdigit():
            raise Damage("layout has changed")
        if self.outdated:
            raise StoreDamaged(f"{self._says} in {self.path} was made by another version: {self._remedy}")
        if marker.exists():
            if not (self.path / "meta.json").exists() and any(self.path.glob("*.store")):
                raise Damage("meta.json is gone")  # the library would begin an empty index
        else:
            written = marker.with_suffix(".part")
            written.write_text(self._layout, encoding="utf-8")
            written.replace(marker)  # on a full disk, an empty file would be taken for another version's

    @contextmanager
    def writer(self) -> Iterator[Any]:
        """Yield the index's only writer, after that of another process, and commit at the end."""
        with self._lock:
            index = self._index()
            deadline = time.monotonic() + LOCK_WAIT_S
            while True:
                try:
                    with panics_as(ValueError):
                        writer = index.writer(WRITER_BYTES, 1)
                    break
                except ValueError as error:
                    if "lock" not in str(error).lower() or time.monotonic() > deadline:
                        raise folder_trouble(self._says, self.path, "written", error) from error
                    time.sleep(0.05)
            with self.wrapped("written"):
                try:
                    # A writer that was killed may have left files that a new one would write under the same names.
                    writer.garbage_collect_files()
                    yield writer
                    writer.commit()
                finally:
                    writer.wait_merging_threads()  # gives the lock back, even if a full disk ended the writer

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
            self._check_segments()
            index.reload()
            known = self._searcher = committed, index.searcher()
        return known[1]

    def discard(self) -> None:
        """Delete the index, to be built again."""
        with self._lock:
            self._opened = self._searcher = None
            self._checked.clear()
            self._unsound.clear()
            discard_content(self.path)

    def check(self, most: int | None = None) -> None:
        """Raise StoreDamaged if a file is not as it was written; files of more than ``most`` bytes are not read."""
        if self.path.exists():
            self._check_segments(most)
            with self.wrapped("read"):
                self.searcher()

    def _check_segments(self, most: int | None = CHECKED_BYTES) -> None:
        """Raise StoreDamaged if a segment's file differs from its checksum, which tantivy never looks at.

        Files never change once they are written. Those of an index above ``most`` bytes are not read.
        """
        committed = self._segment_files()
        self._checked = self._checked & set(committed)  # else the names of all files that ever were would be kept
        files = [f for f in committed if f not in self._checked]
        known = [f for f in files if f in self._unsound]
        if not known and most is not None and sum(f.stat().st_size for f in files) > most:
            return
        for file in known or files:
            with suppress(FileNotFoundError):  # merged by another process just now
                if not _is_sound(file):
                    self._unsound.add(file)
                    raise folder_trouble(self._says, self.path, "read", Damage(f"{file.name} has changed"))
                self._checked.add(file)

    def _segment_files(self) -> list[Path]:
        """Return the files of the committed segments; those of a writer that was killed are not among them."""
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
            meta = json.loads((self.path / "meta.json").read_bytes())
            segments = {s["segment_id"].replace("-", "") for s in meta["segments"]}
            return [f for f in self.path.glob("*.*") if f.name.partition(".")[0] in segments]
        return []  # tantivy says what is wrong with the file

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
            with panics_as(ValueError):
                yield
        except (ValueError, OSError, SystemError) as error:
            raise folder_trouble(self._says, self.path, doing, error) from error


def _is_sound(file: Path) -> bool:
    """Return whether a file has the checksum that its footer states."""
    with file.open("rb") as stream:
        try:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(size - FOOTER.size)
            length, _ = FOOTER.unpack(stream.read())
            end = stream.seek(size - FOOTER.size - length)
            stated = json.loads(stream.read(length))["crc"]
            stream.seek(0)
            crc = 0
            while end > 0:
                part = stream.read(min(end, PART_BYTES))
                if not part:
                    return False
                crc, end = zlib.crc32(part, crc), end - len(part)
            return crc == stated
        except (struct.error, ValueError, LookupError, TypeError, OSError):
            return False
