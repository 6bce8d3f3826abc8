"""Leases of runs in SQL: who writes shows signs of life, and only runs whose lease has expired are cleaned up after.

A lease that was revoked cannot be renewed, so a run that wakes up after that publishes nothing. All times are those of
the database's clock.
"""

import os
import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import BigInteger, and_, delete, select, true, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from tablerag.tools.catalog_tables import RUNS, UNFINISHED
from tablerag.tools.errors import LeaseLost, StoreUnavailable
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.repeating import repeated, repeated_if_undone

__all__ = ["LOST", "Leases", "fence"]

LOST = (
    "this run did not renew its lease in the database in time, and another run has deleted what it had not published: "
    "run the command again"
)

BEATS = 4
"""Renewals in the time of a lease."""
REVOKED = -1
EXPIRED = 0
FORGOTTEN_S = 86_400.0
"""How long the lease of a run that has left nothing is kept after it has expired."""
OLD_RUN_S = 3600.0
"""How long a run of a version without leases is believed to be alive, on a server."""


class _Now(FunctionElement[int]):
    """The database's clock in milliseconds since 1970."""

    type = BigInteger()
    inherit_cache = True


@compiles(_Now, "sqlite")
def _sqlite(element: _Now, compiler: Any, **_: Any) -> str:
    return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"


@compiles(_Now, "mysql")
@compiles(_Now, "mariadb")
def _mysql(element: _Now, compiler: Any, **_: Any) -> str:
    return "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000)"


def fence(connection: Connection, run: str) -> None:
    """Keep a run's lease from being revoked until this transaction ends; raise LeaseLost if it was.

    By a change: a cluster takes no notice, on its other nodes, of rows that are only locked.
    """
    mine = and_(RUNS.c.run == run, RUNS.c.expires != REVOKED)
    if run and not connection.execute(update(RUNS).where(mine).values(expires=RUNS.c.expires + 1)).rowcount:
        raise LeaseLost(LOST)


class Leases:
    """The leases of one database; each lasts ``seconds`` from its last renewal."""

    def __init__(self, database: Database, seconds: float) -> None:
        self._database = database
        self._seconds = seconds

    @contextmanager
    def held(self, run: str) -> Iterator[threading.Event]:
        """Hold a run's lease and renew it; yield what is set when it was lost. It expires if the run fails."""
        self._take(run)
        with self._kept(run) as lost:
            yield lost

    @contextmanager
    def alone(self, name: str) -> Iterator[bool]:
        """Hold and renew the only lease of a name (at most 64 characters); yield False if another process holds it."""
        if self._taken_over(name):
            with self._kept(name):
                yield True
        else:
            yield False

    @contextmanager
    def _kept(self, run: str) -> Iterator[threading.Event]:
        ended, lost = threading.Event(), threading.Event()

        def renew() -> None:
            while not ended.wait(self._seconds / BEATS) and not lost.is_set():
                with suppress(StoreUnavailable):  # may answer again before the lease expires
                    if not self._set(run, self._until(self._seconds)):
                        lost.set()

        beats = threading.Thread(target=renew, name=f"lease of {run}", daemon=True)

        def stop() -> None:
            ended.set()
            beats.join(self._seconds)

        beats.start()
        try:
            yield lost
        except BaseException:
            stop()  # first: a renewal in progress would undo what follows
            with suppress(StoreUnavailable):
                self._set(run, EXPIRED)
            raise
        stop()
        self.end({run})

    @repeated
    def _take(self, run: str) -> None:
        old = RUNS.c.expires < _Now() - int(FORGOTTEN_S * 1000)
        idle = select(RUNS.c.run).where(old, RUNS.c.run.not_in(select(UNFINISHED.c.run)))
        with self._database.writing("begin a run") as connection:
            # By their keys: a DELETE that looks through the table waits for whoever is publishing.
            runs = [r.run for r in connection.execute(idle).all()]
            connection.execute(delete(RUNS).where(RUNS.c.run == run))  # of an earlier try
            connection.execute(delete(RUNS).where(RUNS.c.run.in_(runs), old))
            connection.execute(RUNS.insert().values(run=run, **self._mine()))

    @repeated_if_undone
    def _taken_over(self, name: str) -> bool:
        """Take a lease that nobody holds, or whose holder has not renewed it; return whether it was taken."""
        named = RUNS.c.run == name
        try:
            with self._database.writing("take a lease") as connection:
                if connection.execute(
                    update(RUNS).where(named, RUNS.c.expires < _Now()).values(**self._mine())
                ).rowcount:
                    return True
                if connection.execute(select(RUNS.c.run).where(named)).first():
                    return False
                connection.execute(RUNS.insert().values(run=name, **self._mine()))
                return True
        except StoreUnavailable as error:
            if isinstance(error.__cause__, IntegrityError):  # another process took it at the same moment
                return False
            raise

    def _mine(self) -> dict[str, Any]:
        return {"host": socket.gethostname()[:255], "pid": os.getpid(), "expires": self._until(self._seconds)}

    @repeated
    def _set(self, run: str, expires: Any) -> bool:
        """Set when a lease expires; return False if it was revoked."""
        mine = and_(RUNS.c.run == run, RUNS.c.expires != REVOKED)
        with self._database.writing("renew the lease of a run") as connection:
            return bool(connection.execute(update(RUNS).where(mine).values(expires=expires)).rowcount)

    def alive(self) -> set[str]:
        """Return the runs whose leases have not expired."""
        if not self._database.has_table(RUNS.name):
            return set()
        return {r.run for r in self._database.select(select(RUNS.c.run).where(RUNS.c.expires >= _Now()))}

    @repeated
    def revoke(self, run: str, *, ended: bool) -> bool:
        """Revoke a run's lease if it has expired, or the run is known to have ended; return whether it is revoked."""
        if not run:
            return True
        due = true() if ended else RUNS.c.expires < _Now()
        with self._database.writing("revoke the lease of a run") as connection:
            if connection.execute(update(RUNS).where(RUNS.c.run == run, due).values(expires=REVOKED)).rowcount:
                return True
            if connection.execute(select(RUNS.c.run).where(RUNS.c.run == run)).first():
                return False
            if ended or not self._database.is_server:
                return True
            # A version without leases wrote this; on a server it may run on another host.
            old = {"run": run, "host": "", "pid": 0}
            connection.execute(RUNS.insert().values(**old, expires=self._until(OLD_RUN_S)))
            return False

    @repeated
    def end(self, runs: Collection[str]) -> None:
        """Delete the leases of runs that have left nothing to clean up."""
        if runs:
            with self._database.writing("end a run") as connection:
                connection.execute(delete(RUNS).where(RUNS.c.run.in_(runs)))

    @staticmethod
    def _until(seconds: float) -> Any:
        return _Now() + int(seconds * 1000)
