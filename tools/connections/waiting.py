"""What was waited for in vain is not waited for again at once: a locked table, a server that does not answer."""

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tablerag.tools.errors import TableLocked, TableLost

__all__ = ["Waits"]

KEPT_S = 3.0
"""A question reads a table many times."""
LONG_S = 1.0
"""What fails sooner may be tried again."""


class Waits:
    """The last waits in vain of one deployment. Safe to share between threads."""

    def __init__(self) -> None:
        self._vain: dict[frozenset[str], tuple[float, TableLost]] = {}
        self._lock = threading.Lock()

    @contextmanager
    def watched(self, connection: str, tables: Iterable[str]) -> Iterator[None]:
        """Raise the error of an earlier statement over some of these tables, or note that of this one."""
        names, begun = frozenset(tables), time.monotonic()
        with self._lock:
            self._vain = {key: known for key, known in self._vain.items() if known[0] > begun}
            found = next((e for key, (_, e) in self._vain.items() if key <= names | {connection}), None)
        if found is not None:
            raise type(found)(str(found))
        try:
            yield
        except TableLost as lost:
            now = time.monotonic()
            if isinstance(lost, TableLocked) or now - begun > LONG_S:
                key = names if isinstance(lost, TableLocked) else frozenset({connection})
                with self._lock:
                    self._vain[key] = now + KEPT_S, lost
            raise
