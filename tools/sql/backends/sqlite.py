"""SQLite: how writers and readers are set up, and what a guarded SELECT may touch."""

import math
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sqlalchemy import URL, Engine, Numeric, QueuePool, Text, create_engine, event
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeEngine

from tablerag.tools.errors import ConfigError, StoreUnavailable
from tablerag.tools.sql.backends.backend import Check, Reading, SessionFacts, SqlBackend, Trouble, shown
from tablerag.tools.sql.functions.refusals import last_refusal, remember
from tablerag.tools.sql.functions.time_limit import TIME_IS_UP, TimeLimit
from tablerag.tools.sql.registered import SQLITE_FUNCTIONS, register_functions

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["SqliteBackend", "deadline", "only_reading", "open_reader"]

BUSY_TIMEOUT_S = 30.0
"""How long a writer waits for another one; ingestion holds the lock for one table at a time."""
STEPS_BETWEEN_CHECKS = 2_000
MAX_VALUE_BYTES = 8_000_000
"""Bytes of a text: within one, SQLite's own functions cannot be interrupted."""
MAX_STATEMENT_BYTES = 1_000_000
MAX_LIKE_PATTERN = 250
BROKEN = ("not a database", "malformed", "disk I/O", "unable to open", "is locked")
"""Parts of SQLite's messages about a file that cannot be used."""


class SqliteBackend(SqlBackend):
    """A SqlBackend on one file."""

    name = "SQLite"
    hint = "check that the file can be read"

    def __init__(self, url: URL, query_url: URL) -> None:
        self._url = url
        self._path = Path(url.database or "")

    @staticmethod
    def check_url(url: URL, setting: str) -> None:
        if url.database in (None, "", ":memory:"):
            raise ConfigError(f"{setting} is {shown(url)}, which stores nothing: write sqlite:///PATH")

    @property
    def missing(self) -> bool:
        return not self._path.exists()

    def open_writer(self) -> Engine:
        """Return an engine that reads and writes, with DDL in its transactions."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"cannot create the folder {self._path.parent}: {error.strerror}") from error
        engine = create_engine(self._url)
        event.listen(engine, "connect", lambda connection, _: _set_up_writer(connection))
        # IMMEDIATE, as a transaction that has read already cannot wait for another writer to finish.
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
        return engine

    def open_reader(self, timeout_s: float) -> Engine:
        return create_engine(
            "sqlite://", creator=lambda: open_reader(self._path), poolclass=QueuePool, isolation_level="AUTOCOMMIT"
        )

    def session(self, connection: Connection, timeout_s: float, rows: int | None) -> AbstractContextManager[None]:
        return deadline(_driver(connection), timeout_s)

    def only_tables(self, connection: Connection, tables: Collection[str]) -> AbstractContextManager[None]:
        return only_reading(_driver(connection), tables)

    def emit(self, guarded: "GuardedSql", connection: Connection) -> str:
        # here: the catalog's own statements need no parser, and it takes longer to load than they do to run
        from tablerag.tools.sql.dialect.sqlite import SQLITE_RULES
        from tablerag.tools.sql.transpiler import emit

        return emit(guarded, "sqlite", SQLITE_RULES)

    def trouble(self, error: DBAPIError) -> Trouble:
        said = str(error.orig)
        if "interrupted" in said or ("user-defined" in said and _out_of_time()):
            return "timed out"
        return "unavailable" if error.connection_invalidated or any(b in said for b in BROKEN) else "refused"

    def reason(self, error: DBAPIError) -> str:
        """Return why one of our functions refused its arguments."""
        if "user-defined" not in str(error.orig):
            return ""
        return last_refusal() or "a function was given more than it may process: shorten texts first"

    def version(self, connection: Connection) -> str:
        return f"SQLite {connection.exec_driver_sql('SELECT SQLITE_VERSION()').scalar()}"

    def session_facts(self, connection: Connection) -> SessionFacts:
        found = connection.exec_driver_sql("PRAGMA query_only").scalar()
        return SessionFacts(found == 1, True, f"query_only is {found}")

    def user_checks(self, reading: Reading) -> Iterator[Check]:
        yield Check("query user", "ok", "queries open the file with mode=ro, query_only and an authorizer")

    def text_type(self, longest: int) -> TypeEngine[Any]:
        """Return TEXT that compares as MySQL's utf8mb4_unicode_ci does with ASCII letters."""
        return Text(collation="NOCASE")

    def datetime_type(self, microseconds: bool) -> TypeEngine[Any]:
        return sqlite.DATETIME(truncate_microseconds=not microseconds)

    def double_type(self) -> TypeEngine[Any]:
        return Numeric(asdecimal=False)


def _out_of_time() -> bool:
    """Return whether a function ended because its time was up; keep any other reason."""
    reason = last_refusal()
    if reason is not None and reason != TIME_IS_UP:
        remember(reason)
    return reason == TIME_IS_UP


class Reader(sqlite3.Connection):
    """A connection of queries, and the time limit of the statement that it runs."""

    limit: TimeLimit


def _driver(connection: Connection) -> Any:
    return connection.connection.dbapi_connection


def _set_up_writer(connection: sqlite3.Connection) -> None:
    """Set up a read-write connection: WAL, so that readers and one writer do not wait for each other."""
    # SQLAlchemy sends BEGIN itself: the module's own transactions leave DDL out.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT_S * 1000)}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def open_reader(path: Path) -> Reader:
    """Open a connection that cannot change the file, attach others or load code."""
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S, check_same_thread=False, factory=Reader
    )
    connection.limit = TimeLimit()
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MAX_LIKE_PATTERN)
    register_functions(connection, connection.limit)
    return connection


@contextmanager
def deadline(connection: Reader, seconds: float) -> Iterator[None]:
    """Interrupt what runs on the connection after so many seconds, in SQLite and in our functions."""
    connection.limit.end = end = time.monotonic() + seconds
    # A handler that returns 1 interrupts the statement.
    connection.set_progress_handler(lambda: int(time.monotonic() > end), STEPS_BETWEEN_CHECKS)
    # The handler's steps are hundreds of rows, which may take seconds each hundred where texts are long; an
    # interruption from outside is seen after every row.
    timer = threading.Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        connection.set_progress_handler(None, 0)
        connection.limit.end = math.inf


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
