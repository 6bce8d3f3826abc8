"""A folder that several processes write to in turn, each noticing the others' writes."""

import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from tablerag.tools.errors import StoreUnavailable
from tablerag.tools.private_folder import make_private
from tablerag.tools.stores.damage import folder_trouble

__all__ = ["SharedFolder"]

LOCK_WAIT_S = 120.0
_THREADS = threading.RLock()
"""A file lock belongs to the process, not to one of its threads."""


class SharedFolder:
    """Locks a folder against other processes and tracks generations of the content of one store."""

    def __init__(self, path: Path, store: str) -> None:
        self.path = path
        self._file = path / f"{store}.generation"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder, waiting for others up to two minutes; raise StoreUnavailable if that fails."""
        with _THREADS:
            lock = self._acquired()
            try:
                yield
            finally:
                lock.release()

    def _acquired(self) -> BaseFileLock:
        try:
            make_private(self.path)
            lock = FileLock(self.path / "lock", timeout=LOCK_WAIT_S, is_singleton=True)
            lock.acquire()
        except Timeout as error:
            raise StoreUnavailable(
                f"another process has locked {self.path} for {LOCK_WAIT_S:.0f} s: try again when it has finished"
            ) from error
        except OSError as error:
            raise folder_trouble("the vector index", self.path, "locked", error) from error
        return lock

    def generation(self) -> str:
        """Return the mark of the last write by any process; empty before the first."""
        try:
            return self._file.read_text(encoding="ascii", errors="replace")
        except FileNotFoundError:
            return ""

    def advance(self) -> str:
        """Mark the content as changed and return the new mark."""
        generation = uuid.uuid4().hex
        written = self._file.with_suffix(f".{generation}")
        written.write_text(generation, encoding="ascii")
        written.replace(self._file)
        return generation
