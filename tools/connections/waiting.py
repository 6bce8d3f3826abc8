"""What was waited for in vain is not waited for again at once: a locked table, a server that does not answer."""

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tablerag.tools.connections.engine import LOCK_S
from tablerag.tools.errors import TableAway, TableLocked

__all__ = ["Waits"]

KEPT_S = 5.0
"""How long a locked table, and a server that does not answer, are left alone: a question reads a table many times."""
HURRIED_S = 10.0
"""How long no other table of a database is waited for after a locked one."""
LONG_S = 1.0
"""What fails sooner may be tried again."""


class Waits:
    """The last waits in vain of one deployment. Safe to share between threads."""

    def __init__(self) -> None:
        self._vain: dict[frozenset[str], tuple[float, TableAway]] = {}
        self._hurried: dict[str, float] = {}
        self._lock = threading.Lock()

    @contextmanager
    def watched(self, connection: str, tables: Iterable[str]) -> Iterator[float]:
        """Yield how long to wait for locks, in seconds.

        Raises the error of an earlier statement over some of these tables, and notes that of this one.
        """
        names, begun = frozenset(tables) or frozenset({connection}), time.monotonic()
        with self._lock:
            self._vain = {key: known for key, known in self._vain.items() if known[0] > begun}
            found = next((e for key, (_, e) in self._vain.items() if key <= names | {connection}), None)
            lock_s = 0.0 if self._hurried.get(connection, 0.0) > begun else LOCK_S
        if found is not None:
            raise found.again()
        try:
            yield lock_s
        except TableLocked as lost:
            self._note(names, KEPT_S, lost)
            with self._lock:
                self._hurried[connection] = time.monotonic() + HURRIED_S
            raise
        except TableAway as lost:
            if time.monotonic() - begun > LONG_S:
                self._note(frozenset({connection}), KEPT_S, lost)
            raise

    def forget(self, *, tables: bool) -> None:
        """Wait for tables as long as before the first wait in vain; with ``tables``, for those of it, too."""
        with self._lock:
            self._hurried.clear()
            if tables:
                self._vain.clear()

    def _note(self, key: frozenset[str], seconds: float, lost: TableAway) -> None:
        with self._lock:
            self._vain[key] = time.monotonic() + seconds, lost
