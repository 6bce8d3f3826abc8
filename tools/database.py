"""The SQL database: one engine that writes, and read-only sessions for what models write."""

import sqlite3
import threading
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, Row, Select, create_engine, inspect, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from tools.errors import ConfigError, SqlFailed, StoreUnavailable
from tools.records import Cell, SqlResult
from tools.sql_dialect import Dialect, emit
from tools.sql_guard import GuardedSql
from tools.sql_sessions import mysql_engine, mysql_session_limits, open_sqlite_readonly, register_sqlite_pragmas

__all__ = ["Database"]

EXPECTED = "sqlite:///FILE or mysql+mysqlconnector://USER:PASSWORD@HOST:PORT/DATABASE"
ENDED_BY_LIMIT = {1317, 1969, 3024}
"""Server error numbers: query interrupted; statement time exceeded (MariaDB; MySQL)."""
AWAY = {2002, 2003, 2005, 2006, 2013, 2055, 1045, 1044, 1049, 1040}
"""Client and server error numbers: no connection, lost connection, access denied, no such database."""


class Database:
    """A SQLite file, or a MySQL-compatible server, by URL; opened at first use, shared by threads."""

    def __init__(self, url: str, *, query_url: str = "", timeout_s: float = 10.0, row_limit: int = 1000) -> None:
        self._url = _checked(url)
        self._query_url = _checked(query_url) if query_url else self._url
        if self._query_url.get_backend_name() != self._url.get_backend_name():
            raise ConfigError(
                "TABLERAG_QUERY_DATABASE_URL must name the same kind of database as TABLERAG_DATABASE_URL"
            )
        self.timeout_s = timeout_s
        self.row_limit = row_limit
        self._engine: Engine | None = None
        self._query_engine: Engine | None = None
        self._lock = threading.Lock()

    @property
    def shown_url(self) -> str:
        """The URL without its password."""
        return self._url.render_as_string(hide_password=True)

    @property
    def engine(self) -> Engine:
        """The engine that writes: for ingestion only."""
        with self._lock:
            if self._engine is None:
                self._engine = self._open()
            return self._engine

    def _open(self) -> Engine:
        if self._url.get_backend_name() == "mysql":
            return mysql_engine(self._url)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(self._url, connect_args={"timeout": 30})
        register_sqlite_pragmas(engine)
        return engine

    @property
    def _file(self) -> Path:
        return Path(self._url.database or "").resolve()

    @property
    def dialect(self) -> Dialect:
        """Which of the dialects the engine speaks; asks a MySQL-compatible server once."""
        if self._url.get_backend_name() == "sqlite":
            return "sqlite"
        if not self.engine.dialect.server_version_info:
            self.ping()
        return "mariadb" if self.engine.dialect.is_mariadb else "mysql"

    def run(self, guarded: GuardedSql) -> SqlResult:
        """Run a guarded statement read-only, within time and rows.

        Raises SqlFailed with the database's own words, StoreUnavailable when it is away.
        """
        sql = emit(guarded, self.dialect)
        columns, rows = self._run_sqlite(sql, guarded) if self.dialect == "sqlite" else self._run_mysql(sql)
        kept = tuple(tuple(json_safe(v) for v in row) for row in rows[: self.row_limit])
        return SqlResult(sql=guarded.shown, columns=tuple(columns), rows=kept, truncated=len(rows) > self.row_limit)

    def _run_sqlite(self, sql: str, guarded: GuardedSql) -> tuple[list[str], Sequence[Sequence[Any]]]:
        if not self._file.exists():
            raise StoreUnavailable(f"{self._file} does not exist: ingest documents first")
        connection = open_sqlite_readonly(self._file, guarded.tables, self.timeout_s)
        try:
            cursor = connection.execute(sql)
            return [d[0] for d in cursor.description], cursor.fetchmany(self.row_limit + 1)
        except sqlite3.OperationalError as error:
            if "interrupted" in str(error):
                raise SqlFailed(self._too_slow()) from error
            raise SqlFailed(str(error)) from error
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise SqlFailed(str(error)) from error
        finally:
            connection.close()

    def _too_slow(self) -> str:
        return f"the statement ran longer than {self.timeout_s:g} s and was ended: filter or aggregate more"

    def _run_mysql(self, sql: str) -> tuple[list[str], Sequence[Sequence[Any]]]:
        with self._lock:
            if self._query_engine is None:
                self._query_engine = mysql_engine(self._query_url, read_timeout_s=self.timeout_s)
                mysql_session_limits(self._query_engine, self.timeout_s, self.row_limit + 1)
        try:
            with self._query_engine.connect() as connection:
                result = connection.exec_driver_sql(sql)
                return list(result.keys()), result.fetchmany(self.row_limit + 1)
        except DBAPIError as error:
            number = getattr(error.orig, "errno", None)
            if number in ENDED_BY_LIMIT:
                raise SqlFailed(self._too_slow()) from error
            if number in AWAY:
                raise self._away(error) from error
            raise SqlFailed(str(getattr(error.orig, "msg", error.orig))) from error

    def select(self, statement: Select[Any]) -> list[Row[Any]]:
        """Run a statement of our own."""
        try:
            with self.engine.connect() as connection:
                return list(connection.execute(statement).all())
        except SQLAlchemyError as error:
            raise self._away(error) from error

    def has_table(self, name: str) -> bool:
        """Say whether a table exists; False also when the SQLite file does not exist yet."""
        if self._url.get_backend_name() == "sqlite" and not self._file.exists():
            return False
        try:
            return inspect(self.engine).has_table(name)
        except SQLAlchemyError as error:
            raise self._away(error) from error

    def ping(self) -> str:
        """Return what answers, for example "SQLite 3.40.1" or "MariaDB 10.11.6"; raise StoreUnavailable."""
        if self._url.get_backend_name() == "sqlite":
            return f"SQLite {sqlite3.sqlite_version}"
        try:
            with self.engine.connect() as connection:
                version = ".".join(map(str, connection.dialect.server_version_info or ()))
                return f"{'MariaDB' if connection.dialect.is_mariadb else 'MySQL'} {version}"
        except SQLAlchemyError as error:
            raise self._away(error) from error

    def query_user_can_write(self) -> bool:
        """Say whether the user that runs models' statements could write; False on SQLite, opened read-only."""
        if self.dialect == "sqlite":
            return False
        try:
            with mysql_engine(self._query_url).connect() as connection:
                grants = [row[0].upper() for row in connection.exec_driver_sql("SHOW GRANTS")]
        except SQLAlchemyError as error:
            raise self._away(error) from error
        allowed = {"USAGE", "SELECT", "SHOW VIEW"}
        rights = {
            right.strip() for g in grants if g.startswith("GRANT ") for right in g[6:].split(" ON ")[0].split(",")
        }
        return bool(rights - allowed)

    def _away(self, error: SQLAlchemyError) -> StoreUnavailable:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        return StoreUnavailable(
            f"the SQL database {self.shown_url} cannot be used: {reason}. Start it, or mend TABLERAG_DATABASE_URL"
        )

    def close(self) -> None:
        """Close the engines' connections."""
        with self._lock:
            for engine in (self._engine, self._query_engine):
                if engine is not None:
                    engine.dispose()
            self._engine = self._query_engine = None


def _checked(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise ConfigError(f"TABLERAG_DATABASE_URL is no database URL: expected {EXPECTED}") from error
    if parsed.drivername not in ("sqlite", "mysql+mysqlconnector"):
        raise ConfigError(f"TABLERAG_DATABASE_URL has {parsed.drivername}://: expected {EXPECTED}")
    if not parsed.database or parsed.database == ":memory:":
        raise ConfigError(f"TABLERAG_DATABASE_URL names no database: expected {EXPECTED}")
    return parsed


def json_safe(value: Any) -> Cell:
    """Return a database value as JSON has it: decimals as numbers, dates as ISO 8601 text."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return round(value, 10) if abs(value) < 1e15 else value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, (bytes, bytearray)):
        return _readable(bytes(value))
    return str(value)


def _readable(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.hex()
