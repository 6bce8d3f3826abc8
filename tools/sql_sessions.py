"""Read-only sessions, one opener per engine: what a model's statement may touch, and for how long."""

import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from tools.sql_functions import SQLITE_FUNCTIONS, register_functions

__all__ = ["mysql_engine", "mysql_session_limits", "open_sqlite_readonly", "register_sqlite_pragmas"]

PROGRESS_STEPS = 10_000
"""SQLite's virtual machine steps between two looks at the clock."""
MAX_VALUE_BYTES = 50_000_000
MYSQL_ARGS = {
    "use_pure": True,  # the C extension needs a newer OpenSSL than stable systems have
    "charset": "utf8mb4",
    "collation": "utf8mb4_unicode_ci",  # MariaDB does not know MySQL 8's default
    "connection_timeout": 10,
    "allow_local_infile": False,
}


def open_sqlite_readonly(path: Path, tables: Iterable[str], timeout_s: float) -> sqlite3.Connection:
    """Open a connection that can read the given tables, and nothing else, for ``timeout_s`` seconds."""
    connection = sqlite3.connect(f"file:{_uri_path(path)}?mode=ro", uri=True, timeout=timeout_s, isolation_level=None)
    connection.execute("PRAGMA query_only=1")
    connection.execute("PRAGMA case_sensitive_like=0")
    register_functions(connection)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    connection.set_authorizer(_authorizer(frozenset(t.casefold() for t in tables)))
    deadline = time.monotonic() + timeout_s
    connection.set_progress_handler(lambda: time.monotonic() > deadline, PROGRESS_STEPS)
    return connection


def _uri_path(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _authorizer(tables: frozenset[str]) -> Callable[..., int]:
    def decide(action: int, first: str | None, second: str | None, *_: Any) -> int:
        if action == sqlite3.SQLITE_SELECT:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ and ((first or "").casefold() in tables or not first):
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in SQLITE_FUNCTIONS:
            return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY

    return decide


def mysql_engine(url: URL, *, read_timeout_s: float | None = None) -> Engine:
    """Make an engine without the driver's dangerous defaults: several statements, local files."""
    from mysql.connector.constants import ClientFlag

    args: dict[str, Any] = MYSQL_ARGS | {"client_flags": [-ClientFlag.MULTI_STATEMENTS, -ClientFlag.LOCAL_FILES]}
    if read_timeout_s is not None:
        # Reads wait no longer; pooled connections would come back half-read, so there is no pool.
        args |= {"read_timeout": int(read_timeout_s) + 2, "write_timeout": 10}
        return create_engine(url, connect_args=args, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    return create_engine(url, connect_args=args, pool_pre_ping=True, pool_recycle=1800)


def mysql_session_limits(engine: Engine, timeout_s: float, rows: int) -> None:
    """Have every connection of the engine begin read-only and bounded in time and rows."""

    @event.listens_for(engine, "connect")
    def limit(connection: Any, _record: Any) -> None:
        mariadb = "mariadb" in str(connection.server_info).lower()
        slow = f"max_statement_time = {timeout_s:.3f}" if mariadb else f"max_execution_time = {int(timeout_s * 1000)}"
        recursion = "max_recursive_iterations" if mariadb else "cte_max_recursion_depth"
        cursor = connection.cursor()
        for setting in (slow, f"{recursion} = 100", "lock_wait_timeout = 5", f"sql_select_limit = {rows}"):
            cursor.execute(f"SET SESSION {setting}")
        # Strict as MySQL's default, less ONLY_FULL_GROUP_BY, which MariaDB does not set either.
        cursor.execute("SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ENGINE_SUBSTITUTION'")
        cursor.execute("SET SESSION TRANSACTION READ ONLY")
        cursor.close()


def register_sqlite_pragmas(engine: Engine) -> None:
    """Let readers work while one process writes, and writers wait for each other."""

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA busy_timeout=30000")
        connection.execute("PRAGMA synchronous=NORMAL")
