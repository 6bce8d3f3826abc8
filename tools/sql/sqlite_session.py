"""Sessions on SQLite: how writers and readers are set up, and what a guarded SELECT may touch."""

import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from tablerag.tools.sql.registered import SQLITE_FUNCTIONS, register_functions

__all__ = ["Deadline", "deadline", "only_reading", "open_reader", "set_up_writer"]

BUSY_TIMEOUT_S = 30.0
"""How long a writer waits for another one; ingestion holds the lock for one table at a time."""
STEPS_BETWEEN_CHECKS = 2_000
MAX_VALUE_BYTES = 8_000_000
"""Bytes of a text: within one, SQLite's own functions cannot be interrupted."""
MAX_STATEMENT_BYTES = 1_000_000
MAX_LIKE_PATTERN = 250


class Deadline:
    """When a statement must be done; a progress handler that interrupts it afterwards."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self.passed = False

    def __call__(self) -> int:
        """Return 1, which interrupts the statement, once the time is over."""
        self.passed = self.passed or time.monotonic() > self._end
        return int(self.passed)


def set_up_writer(connection: sqlite3.Connection) -> None:
    """Set a new read-write connection up: WAL, so that readers and one writer do not wait for each other."""
    # SQLAlchemy sends BEGIN itself (see Database): the module's own transactions leave DDL out.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT_S * 1000)}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a connection that cannot change the file, attach others or load code."""
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S, check_same_thread=False
    )
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MAX_LIKE_PATTERN)
    register_functions(connection)
    return connection


@contextmanager
def deadline(connection: sqlite3.Connection, seconds: float) -> Iterator[Deadline]:
    """Interrupt what runs on the connection after that many seconds."""
    limit = Deadline(seconds)
    connection.set_progress_handler(limit, STEPS_BETWEEN_CHECKS)
    try:
        yield limit
    finally:
        connection.set_progress_handler(None, 0)


@contextmanager
def only_reading(connection: sqlite3.Connection, tables: Collection[str]) -> Iterator[None]:
    """Let statements read these tables with the known functions, and do nothing else."""
    allowed = {t.casefold() for t in tables}

    def authorize(action: int, first: str | None, second: str | None, schema: str | None, _: str | None) -> int:
        if action == sqlite3.SQLITE_SELECT:
            permitted = True
        elif action == sqlite3.SQLITE_READ:
            # Columns of subqueries and common table expressions come with an empty table name.
            permitted = not first or (first.casefold() in allowed and schema in (None, "main"))
        elif action == sqlite3.SQLITE_FUNCTION:
            permitted = (second or "").casefold() in SQLITE_FUNCTIONS
        else:
            permitted = False
        return sqlite3.SQLITE_OK if permitted else sqlite3.SQLITE_DENY

    connection.set_authorizer(authorize)
    try:
        yield
    finally:
        connection.set_authorizer(None)
