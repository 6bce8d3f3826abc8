"""The SQL database: one engine that writes, and limited sessions in which guarded SELECTs run."""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, Row, Select, inspect
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from tablerag.tools.cells import json_cell
from tablerag.tools.errors import SqlFailed, StoreUnavailable
from tablerag.tools.records import Cell, SqlResult
from tablerag.tools.sql.backends.backend import Check, SessionFacts, shown
from tablerag.tools.sql.backends.opening import open_backend

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["Database"]

MAX_MESSAGE = 300
MAX_RESULT_BYTES = 64_000_000


class Database:
    """One SQL database, opened at first use. Safe to share between threads.

    ``query_url`` names the same database for a user who may only SELECT; without it the queries of models run as the
    user of ``url``, in limited sessions all the same. All that depends on the kind of database is in ``backend``.
    """

    def __init__(self, url: str, *, query_url: str = "", timeout_s: float = 10.0, row_limit: int = 1000) -> None:
        self.backend, self._url, self._query_url = open_backend(url, query_url)
        self.timeout_s = timeout_s
        self.row_limit = row_limit
        self._engines: dict[str, Engine] = {}
        self._lock = threading.RLock()

    @property
    def shown_url(self) -> str:
        """The URL without its password."""
        return shown(self._url)

    @property
    def engine(self) -> Engine:
        """The engine that reads and writes."""
        return self._once("write", self.backend.open_writer)

    @property
    def _reader(self) -> Engine:
        return self._once("read", lambda: self.backend.open_reader(self.timeout_s))

    def run(self, guarded: "GuardedSql") -> SqlResult:
        """Run a guarded SELECT in a read-only session and return at most ``row_limit`` rows.

        Raises SqlFailed when the database refuses it or it runs too long, StoreUnavailable when the database does not
        answer.
        """
        with self._running(guarded, self.row_limit + 1) as (connection, sql):
            result = connection.exec_driver_sql(sql)
            columns, rows = tuple(result.keys()), _bounded(result, self.row_limit + 1)
            self.backend.check_result(connection, sql)
        cells = tuple(tuple(json_cell(v) for v in row) for row in rows[: self.row_limit])
        return SqlResult(sql=guarded.shown, columns=columns, rows=cells, truncated=len(rows) > self.row_limit)

    def scan(self, guarded: "GuardedSql") -> Iterator[tuple[Cell, ...]]:
        """Yield a guarded SELECT's rows up to its own LIMIT, however many; raises as run() does."""
        most = int(guarded.expression.args["limit"].expression.name)
        with self._running(guarded, most) as (connection, sql):
            for row in connection.exec_driver_sql(sql):
                yield tuple(json_cell(v) for v in row)

    def select(self, statement: Select[Any]) -> list[Row[Any]]:
        """Run a SELECT of the program itself, under the same time limit; raises as run() does."""
        with self._reading() as connection:
            return list(connection.execute(statement).all())

    def has_table(self, name: str) -> bool:
        """Tell whether a table exists; never creates the database."""
        if self.backend.missing:
            return False
        with self._reading() as connection:
            return inspect(connection).has_table(name)

    def ping(self) -> str:
        """Return the database's name and version; raise StoreUnavailable when one of the users cannot connect."""
        if self.backend.missing:
            return f"{self.backend.name}, created by the first ingest"
        with self._connected(self.engine):
            pass
        with self._reading() as connection:
            return self.backend.version(connection)

    def rights_beyond_reading(self) -> list[str]:
        """Return what the user of queries may do besides reading, directly or through a role."""
        return self.backend.rights_beyond_reading(self._reading)

    def user_checks(self) -> Iterator[Check]:
        """Check what the user of queries may do."""
        return self.backend.user_checks(self._reading)

    def session_facts(self) -> SessionFacts:
        """Return what limits a session of queries, as the database itself reports."""
        with self._reading(1) as connection:
            return self.backend.session_facts(connection)

    def close(self) -> None:
        """Close every connection; the next use opens new ones."""
        with self._lock:
            for engine in self._engines.values():
                engine.dispose()
            self._engines.clear()

    def _once(self, key: str, make: Callable[[], Engine]) -> Engine:
        with self._lock:
            if key not in self._engines:
                self._engines[key] = make()
            return self._engines[key]

    @contextmanager
    def _connected(self, engine: Engine) -> Iterator[Connection]:
        try:
            connection = engine.connect()
        except SQLAlchemyError as error:
            raise self._unavailable(error) from error
        with connection:
            yield connection

    @contextmanager
    def _running(self, guarded: "GuardedSql", rows: int) -> Iterator[tuple[Connection, str]]:
        """Yield a limited connection that reads the statement's tables only, and the statement in its dialect."""
        with self._connected(self._reader) as connection:
            sql = self.backend.emit(guarded, connection)
            with self._limited(connection, rows), self.backend.only_tables(connection, guarded.stored_tables):
                yield connection, sql

    @contextmanager
    def _reading(self, rows: int | None = None) -> Iterator[Connection]:
        """Yield a connection that only reads, for one statement: limited in time, and in rows if asked."""
        with self._connected(self._reader) as connection, self._limited(connection, rows):
            yield connection

    @contextmanager
    def _limited(self, connection: Connection, rows: int | None) -> Iterator[None]:
        """Limit a connection, and turn the driver's errors into the project's."""
        try:
            with self.backend.session(connection, self.timeout_s, rows):
                yield
        except DBAPIError as error:
            raise self._failure(error) from error
        except MemoryError as error:
            raise SqlFailed("the statement needs more memory than there is: join and repeat shorter texts") from error

    def _failure(self, error: DBAPIError) -> SqlFailed | StoreUnavailable:
        match self.backend.trouble(error):
            case "timed out":
                return SqlFailed(
                    f"the statement ran longer than {self.timeout_s:g} s: filter earlier, or join on equal columns"
                )
            case "unavailable":
                return self._unavailable(error)
        return SqlFailed(f"the database refused the statement: {self.backend.reason(error) or _message(error)}")

    def _unavailable(self, error: SQLAlchemyError) -> StoreUnavailable:
        if self.backend.missing:
            return StoreUnavailable(
                f"there is no database at {self._url.database} yet: run `tablerag ingest PATH` first"
            )
        queries_only = self._query_url != self._url
        variable = "TABLERAG_QUERY_DATABASE_URL" if queries_only else "TABLERAG_DATABASE_URL"
        return StoreUnavailable(
            f"the SQL database {shown(self._query_url)} does not answer ({_message(error)}): {self.backend.hint}, or "
            f"fix {variable}"
        )


def _bounded(result: Any, count: int) -> list[Row[Any]]:
    """Fetch up to ``count`` rows; raise SqlFailed for too much memory and for infinite numbers."""
    rows: list[Row[Any]] = []
    size = 0
    while len(rows) < count and (row := result.fetchone()) is not None:
        size += sum(len(v) for v in row if isinstance(v, str | bytes | bytearray))
        if size > MAX_RESULT_BYTES:
            raise SqlFailed(f"the result is larger than {MAX_RESULT_BYTES // 1_000_000} MB: select fewer columns")
        if any(isinstance(v, float) and math.isinf(v) for v in row):
            # MySQL fails; SQLite calculates on with infinity.
            raise SqlFailed("a result is out of range: DOUBLE holds at most 1.797e308")
        rows.append(row)
    return rows


def _message(error: SQLAlchemyError) -> str:
    """Return the database's own message, in one line, without the statement."""
    original = getattr(error, "orig", None) or error
    text = str(getattr(original, "msg", None) or original)
    line = " ".join(text.split())
    return line if len(line) <= MAX_MESSAGE else line[: MAX_MESSAGE - 1] + "…"
