"""What was waited for in vain is not waited for again at once: a locked table, a server that does not answer."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from math import inf

from tablerag.tools.connections.engine import LOCK_S, unreachable
from tablerag.tools.errors import TableAway, TableLocked

__all__ = ["GLANCE_LOCK_S", "GLANCE_S", "Waits"]

KEPT_S = 5.0
"""How long a locked table, and a server that does not answer, are left alone: a question reads a table many times."""
HURRIED_S = 10.0
"""How long no other table of a database is waited for after a locked one."""
LONG_S = 1.0
"""What fails sooner may be tried again."""
GLANCE_S, GLANCE_LOCK_S = 0.4, 0.3
"""How long a server may take to answer, and how long a lock is waited for, where a question may not need the table."""
ANSWERED_S = 1.0
"""How long a server that has answered need not show again that it does."""


class Waits:
    """The last waits in vain of one deployment. Safe to share between threads."""

    def __init__(self) -> None:
        self._vain: dict[frozenset[str], tuple[float, float, TableAway]] = {}
        """Until when an error stands, how long was waited for, and the error."""
        self._hurried: dict[str, tuple[float, float]] = {}
        self._failed: set[frozenset[str]] = set()
        """The tables that could not be read when they last were to be, and their databases."""
        self._answered: dict[str, float] = {}
        self._asked: dict[str, Future[None]] = {}
        """The servers whose answer is still to come."""
        self._lock = threading.Lock()

    @contextmanager
    def watched(self, connection: str, tables: Iterable[str], lock_s: float = LOCK_S) -> Iterator[float]:
        """Yield how long to wait for locks, in seconds: ``lock_s`` or not at all.

        Raises the error of an earlier statement over some of these tables, which waited as long, and notes that of this
        one.
        """
        names, begun = frozenset(tables) or frozenset({connection}), time.monotonic()
        with self._lock:
            self._vain = {key: known for key, known in self._vain.items() if known[0] > begun}
            every = names | {connection}
            found = next((e for key, (_, waited, e) in self._vain.items() if key <= every and waited >= lock_s), None)
            until, waited = self._hurried.get(connection, (0.0, 0.0))
        if found is not None:
            raise found.again()
        try:
            yield 0.0 if until > begun and waited >= lock_s else lock_s
            with self._lock:
                self._failed = {key for key in self._failed if not key <= every}
                self._vain = {key: known for key, known in self._vain.items() if not key <= every}
        except TableLocked as lost:
            self._note(names, lock_s, lost)
            with self._lock:
                self._hurried[connection] = time.monotonic() + HURRIED_S, lock_s
            raise
        except TableAway as lost:
            with self._lock:
                self._failed.add(frozenset({connection}))
            if time.monotonic() - begun > LONG_S:
                self._note(frozenset({connection}), inf, lost)
            raise

    def has_failed(self, connection: str, table: str) -> bool:
        """Return whether a table could not be read when it last was to be."""
        with self._lock:
            return any(key <= {connection, table} for key in self._failed)

    def check_answers(self, connection: str, ask: Callable[[], None], most_s: float) -> None:
        """Raise TableAway if a server does not answer within ``most_s``; ``ask`` then goes on, and nobody waits for it.

        While other servers do not answer, less is waited for this one: a question may glance at many.
        """
        with self._lock:
            if self._answered.get(connection, 0.0) > time.monotonic():
                return
            others = sum(name != connection for name in self._asked)
            answer = self._asked.get(connection)
            is_first = answer is None
            if answer is None:
                answer = self._asked[connection] = Future()
        if is_first:
            threading.Thread(target=self._ask, args=(connection, ask, answer), daemon=True).start()
        elif most_s <= GLANCE_S:
            most_s = 0.0  # another glance has waited
        try:
            answer.result(most_s / 2**others if most_s <= GLANCE_S else most_s)
        except TimeoutError as late:
            raise unreachable(connection, f"no answer within {most_s or GLANCE_S:g} s") from late

    def _ask(self, connection: str, ask: Callable[[], None], answer: "Future[None]") -> None:
        try:
            with self.watched(connection, ()):
                ask()
        except BaseException as error:  # noqa: BLE001  # it is raised by who waits
            self._has_answered(connection, 0.0)
            answer.set_exception(error)
        else:
            self._has_answered(connection, time.monotonic() + ANSWERED_S)
            answer.set_result(None)

    def _has_answered(self, connection: str, until: float) -> None:
        with self._lock:
            self._answered[connection] = until
            self._asked.pop(connection, None)

    def forget(self, *, tables: bool) -> None:
        """Wait for tables as long as before the first wait in vain; with ``tables``, for those of it, too."""
        with self._lock:
            self._hurried.clear()
            if tables:
                self._vain.clear()

    def _note(self, key: frozenset[str], waited: float, lost: TableAway) -> None:
        with self._lock:
            self._failed.add(key)
            self._vain[key] = time.monotonic() + KEPT_S, waited, lost
