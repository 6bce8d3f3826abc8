"""PostgreSQL servers: read-only sessions with a time limit of the server's own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import make_url

from tablerag.tools.connections.connection import Connection
from tablerag.tools.connections.engine import (
    CONNECT_S,
    EXACT_ROWS,
    LOCK_S,
    PROFILE_S,
    SAMPLE_ROWS,
    ConnectedEngine,
    FoundTable,
    Profile,
    check_estimate,
    locked,
    shapes_of,
    unlisted,
    unreachable,
)
from tablerag.tools.connections.postgresql_tables import READS, SHAPES, examined, found, rights
from tablerag.tools.connections.relations import emitted, first_rows, joined_rows, quoter, relation
from tablerag.tools.errors import ConfigError, SqlFailed, SqlProblem, TableChanged
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.backends.tables import Rows

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["PostgresEngine"]

quoted = quoter('"')
ALIVE = {"keepalives_idle": 30, "tcp_user_timeout": 30_000}
"""A server that is gone is noticed: after 30 s without a sign of life."""
MOST_IDLE = 4
DISTINCT_ROWS = 200_000
MESSAGE_CHARS = 300
SETTINGS = (
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
    "SET default_transaction_read_only = on",
    "SET timezone = 'UTC'",
    "SET datestyle = 'ISO'",
    "SET standard_conforming_strings = on",
    "SET lc_messages = 'C'",
    "SET lc_time = 'C'",
    "SET search_path = pg_catalog",
    "SET synchronize_seqscans = off",
)
"""With synchronized scans, the first rows of a large table would be others each time that it is described."""
COLLATIONS = ("und-x-icu", "unicode", "pg_unicode_fast", "pg_c_utf8", "C.utf8", "en_US.utf8", "default")
OPTIONAL = frozenset({"SET lc_messages = 'C'"})
"""Only a superuser may choose the language of messages."""
TIMED_OUT, LOCKED, CHANGED = "57014", "55P03", frozenset({"42P01", "42703", "3F000"})


class PostgresEngine(ConnectedEngine):
    """A PostgreSQL database."""

    name = "PostgreSQL"
    is_server = True

    def __init__(self, connection: Connection, password: str, most_examined: int) -> None:
        self._connection, self._password, self._most = connection, password, most_examined
        url = make_url(connection.url)
        given: dict[str, Any] = dict(ALIVE) | {
            "host": url.host,
            "port": url.port,
            "user": url.username,
            "dbname": url.database,
        }
        given |= {name: str(value) for name, value in url.query.items()}
        self._options = {name: value for name, value in given.items() if value}
        self._idle: list[Any] = []
        self._lock = Lock()
        self._collation = ""

    @property
    def place(self) -> str:
        return self._connection.url

    def answer(self) -> None:
        with self._reading(PROFILE_S):
            pass

    def tables(self, schema: str = "") -> tuple[list[FoundTable], list[str]]:
        try:
            with self._reading(PROFILE_S) as connection:
                return found(connection, schema)
        except SqlProblem as problem:
            raise unlisted(self.place, problem) from problem

    def shapes(self, schema: str = "", lock_s: float = LOCK_S) -> dict[str, str]:
        with self._reading(PROFILE_S, lock_s) as connection:
            return shapes_of(connection.execute(SHAPES, {"schema": schema}).fetchall())

    def profile(self, table: FoundTable) -> Profile:
        kept = tuple(c for c in table.columns if c.type)
        source = ".".join(map(quoted, table.path))
        shown = [READS.get(c.reads, "{}").replace("{}", quoted(c.name)) for c in kept]
        with self._reading(PROFILE_S) as connection:
            sample = f"SELECT {', '.join(shown)} FROM {source} LIMIT {SAMPLE_ROWS}"
            rows = connection.execute(sample).fetchall() if kept else []
        if table.estimate is not None and table.estimate > EXACT_ROWS:
            return Profile(kept, table.estimate, False, rows)
        try:
            with self._reading(PROFILE_S) as connection:
                ((count,),) = connection.execute(f"SELECT count(*) FROM {source}").fetchall()
        except SqlFailed:
            if table.estimate is None:
                raise
            return Profile(kept, table.estimate, False, rows)
        return Profile(kept, count, True, rows)

    @contextmanager
    def running(self, guarded: "GuardedSql", timeout_s: float, most: int, lock_s: float = LOCK_S) -> Iterator[Rows]:
        from tablerag.tools.sql.dialect.pg.functions import FOLDING
        from tablerag.tools.sql.dialect.postgresql import POSTGRES_RULES, PostgreSql

        written = emitted(guarded, PostgreSql, POSTGRES_RULES, _written)
        with self._reading(timeout_s, lock_s) as connection:
            sql = written.replace(FOLDING, self._folding(connection))
            tables = [schema for _, schema in guarded.stored.connected]
            if joined_rows(guarded) > self._most:
                ((plan,),) = connection.execute(f"EXPLAIN (FORMAT JSON) {sql}").fetchall()
                sizes = {s.origin.table[-1]: s.row_count for s in tables if s.origin}
                check_estimate(examined(plan[0]["Plan"], sizes), self._most)
            cursor = connection.execute(sql)
            yield Rows(tuple(c.name for c in cursor.description or ()), iter(cursor))

    def distinct(
        self, schema: TableSchema, columns: Sequence[str], most: int, timeout_s: float, lock_s: float = LOCK_S
    ) -> Iterator[Any]:
        with self._reading(timeout_s, lock_s) as connection:
            for place, name in enumerate(columns):
                inner, value = _written(schema, [name], DISTINCT_ROWS), quoted(name)
                sql = f"SELECT DISTINCT {value} FROM {inner} AS t WHERE {value} IS NOT NULL LIMIT {int(most)}"
                yield from [(place, row[0]) for row in connection.execute(sql).fetchall()]

    def rows(
        self, schema: TableSchema, names: Sequence[str], most: int, timeout_s: float, lock_s: float = LOCK_S
    ) -> list[tuple[Any, ...]]:
        with self._reading(timeout_s, lock_s) as connection:
            return connection.execute(first_rows(_written(schema, names), names, quoted, most)).fetchall()

    def writing_rights(self) -> list[str]:
        try:
            with self._reading(PROFILE_S) as connection:
                return rights(connection)
        except SqlProblem as problem:
            return [f"unknown: {problem}"]

    def close(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    def _folding(self, connection: Any) -> str:
        """Return the collation that knows the case of most letters; servers differ in those that they have."""
        if not self._collation:
            self._collation = next((c for c in COLLATIONS if _knows_case(connection, c)), "default")
        return self._collation

    @contextmanager
    def _reading(self, timeout_s: float, lock_s: float = LOCK_S) -> Iterator[Any]:
        """Yield a connection whose statements only read and end after so many seconds; translate its errors."""
        psycopg = _driver()
        seconds = max(timeout_s, 0.001)
        connection = None
        try:
            connection = self._taken()
            waits = int(min(lock_s, seconds) * 1000) or 1
            connection.execute(f"SET statement_timeout = {int(seconds * 1000) or 1}; SET lock_timeout = {waits}")
            yield connection
        except psycopg.Error as error:
            if connection is not None:
                with suppress(psycopg.Error):
                    connection.close()
            raise self._failure(error, seconds) from None
        finally:
            if connection is not None and not connection.closed:
                with self._lock:
                    self._idle.append(connection)
                    spare = self._idle.pop(0) if len(self._idle) > MOST_IDLE else None
                if spare is not None:
                    spare.close()

    def _taken(self) -> Any:
        psycopg = _driver()
        with self._lock:
            while self._idle:
                connection = self._idle.pop()
                if not connection.closed:
                    return connection
        options = self._options | ({"password": self._password} if self._password else {})
        connection = psycopg.connect(**options, connect_timeout=CONNECT_S, autocommit=True, application_name="tablerag")
        for statement in SETTINGS:
            try:
                connection.execute(statement)
            except psycopg.Error:
                if statement not in OPTIONAL:
                    connection.close()
                    raise
        return connection

    def _failure(self, error: Any, seconds: float) -> SqlFailed:
        state = getattr(error, "sqlstate", None)
        said = " ".join(str(error.diag.message_primary or error).split())[:MESSAGE_CHARS]
        said = said.replace(self._password, "***") if self._password else said
        if state == TIMED_OUT:
            return SqlFailed(f"the statement ran longer than {seconds:g} s: filter earlier, or join on equal columns")
        if state == LOCKED:
            return locked(self._connection.name)
        if state is None or state.startswith(("08", "28", "3D", "57P")):
            return unreachable(self._connection.name, said)
        return (TableChanged if state in CHANGED else SqlFailed)(f"PostgreSQL refused the statement: {said}")


def _knows_case(connection: Any, collation: str) -> bool:
    """Return whether a server has a collation, can use it, and knows letters beyond ASCII by it."""
    try:
        ((known,),) = connection.execute(f"SELECT lower('Ж' COLLATE {quoted(collation)}) = 'ж'").fetchall()
    except _driver().Error:
        return False
    return bool(known)


def _written(schema: TableSchema, names: Sequence[str], most: int = 0) -> str:
    assert schema.origin
    return relation(schema, names, ".".join(map(quoted, schema.origin.table)), quoted, READS, most=most)


def _driver() -> Any:
    try:
        import psycopg
    except ImportError as error:
        raise ConfigError("PostgreSQL needs its driver: run `pip install 'tablerag[postgresql]'`") from error
    return psycopg
