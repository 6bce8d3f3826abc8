"""SQLite files, opened read-only for each statement; SQLite and MySQL's functions run in this process."""

import math
import re
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tablerag.tools.connections.connection import Connection
from tablerag.tools.connections.engine import (
    LOCK_S,
    PROFILE_S,
    SAMPLE_ROWS,
    ConnectedEngine,
    FoundColumn,
    FoundTable,
    Profile,
    check_estimate,
    locked,
    shapes_of,
    unreadable,
)
from tablerag.tools.connections.relations import (
    SOURCE,
    emitted,
    first_rows,
    joined_rows,
    quoter,
    read_columns,
    relation,
)
from tablerag.tools.connections.sqlite_columns import READS, TYPED_ROWS, column_of, typing_query
from tablerag.tools.connections.sqlite_estimate import plan_rows
from tablerag.tools.errors import ConfigError, SqlFailed, TableAway, TableChanged
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.backends.tables import Rows
from tablerag.tools.sql.dialect.lite.functions.refusals import last_refusal
from tablerag.tools.sql.dialect.lite.functions.time_limit import TIME_IS_UP, TimeLimit
from tablerag.tools.sql.dialect.lite.registered import SQLITE_FUNCTIONS, register_functions

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["SqliteEngine"]

quoted = quoter('"')
STEPS_BETWEEN_CHECKS = 1_000
MAX_VALUE_BYTES = 16_000_000
MAX_STATEMENT_BYTES = 1_000_000
COLUMNS_AT_ONCE = 150
"""Columns whose values are counted by one statement; SQLite limits the columns of a result."""
CHANGED = re.compile(r"no such (?:table|column)", re.IGNORECASE)
LOCKED = re.compile(r"(?:database|table) is locked")
NO_FUNCTION = re.compile(r"no such function: (\w+)|not authorized to use function: (\w+)")
NUMBERED = "rowid"


class SqliteEngine(ConnectedEngine):
    """A SQLite file."""

    name = "SQLite"

    def __init__(self, connection: Connection, most_examined: int) -> None:
        self._connection, self._most = connection, most_examined
        self._path = Path(connection.url.removeprefix("sqlite:///")).expanduser()

    @property
    def place(self) -> str:
        return f"sqlite:///{self._path}"

    def tables(self, schema: str = "") -> tuple[list[FoundTable], list[str]]:
        if not self._path.is_file():
            raise ConfigError(f"{self._path}: {'is a folder' if self._path.is_dir() else 'no such file'}")
        found, left_out = [], []
        try:
            with self._opened(PROFILE_S) as connection:
                wanted = "SELECT name, type FROM main.sqlite_schema WHERE type IN ('table', 'view') ORDER BY name"
                for name, type_ in connection.execute(wanted).fetchall():
                    if name.startswith("sqlite_"):
                        continue
                    try:
                        found.append(_table(connection, name, type_ == "view"))
                    except sqlite3.Error as error:
                        left_out.append(f"{name}: {error}")
        except sqlite3.DatabaseError as error:
            raise ConfigError(f"{self._path} cannot be read as a SQLite database: {error}") from error
        return found, left_out

    def shapes(self, schema: str = "", lock_s: float = LOCK_S) -> dict[str, str]:
        with self._opened(PROFILE_S, lock_s) as connection, self._failures(PROFILE_S):
            rows = connection.execute("SELECT name, sql FROM main.sqlite_schema WHERE type IN ('table', 'view')")
            return shapes_of((f"main.{name}", sql) for name, sql in rows if not name.startswith("sqlite_"))

    def profile(self, table: FoundTable) -> Profile:
        source = _source(table.path)
        with self._opened(PROFILE_S) as connection, self._failures(PROFILE_S):
            columns: list[FoundColumn] = []
            for start in range(0, len(table.columns), COLUMNS_AT_ONCE):
                some = table.columns[start : start + COLUMNS_AT_ONCE]
                row = connection.execute(typing_query([c.name for c in some], source)).fetchone()
                width = len(row) // len(some)
                columns += [column_of(c, row[i * width : (i + 1) * width]) for i, c in enumerate(some)]
            kept = tuple(c for c in columns if c.type)
            shown = [READS.get(c.reads, "{}").replace("{}", quoted(c.name)) for c in kept]
            sample = f"SELECT {', '.join(shown) or '1'} FROM {source} LIMIT {SAMPLE_ROWS}"
            rows = connection.execute(sample).fetchall() if kept else []
            count, counted = _count(connection, source, bool(table.key))
        return Profile(kept, count, counted, rows)

    @contextmanager
    def running(self, guarded: "GuardedSql", timeout_s: float, most: int, lock_s: float = LOCK_S) -> Iterator[Rows]:
        from tablerag.tools.sql.dialect.sqlite import ASCII_RULES, SQLITE_RULES

        schemas = [schema for _, schema in guarded.stored.connected]
        reads = _reads(guarded, schemas)
        rules = ASCII_RULES if reads is READS else SQLITE_RULES
        sql = emitted(guarded, "sqlite", rules, lambda s, names: _written(s, names, reads))
        with (
            self._opened(timeout_s, lock_s) as connection,
            self._failures(timeout_s),
            _only_reading(connection, schemas),
        ):
            if joined_rows(guarded) > self._most:
                aliases = {s.name: f"{SOURCE}{place}" for place, s in enumerate(schemas)}
                named = partial(_aliased, aliases, reads)  # by which a plan tells tables apart
                plan = connection.execute(f"EXPLAIN QUERY PLAN {emitted(guarded, 'sqlite', rules, named)}").fetchall()
                check_estimate(plan_rows(plan, {aliases[s.name]: s.row_count for s in schemas}), self._most)
            cursor = connection.execute(sql)
            yield Rows(tuple(c[0] for c in cursor.description), iter(cursor))

    def distinct(
        self, schema: TableSchema, columns: Sequence[str], most: int, timeout_s: float, lock_s: float = LOCK_S
    ) -> Iterator[Any]:
        assert schema.origin
        with self._opened(timeout_s, lock_s) as connection, self._failures(timeout_s):
            for place, name in enumerate(columns):
                inner = _written(schema, [name], READS, TYPED_ROWS)
                value = quoted(name)
                sql = f"SELECT DISTINCT {value} FROM {inner} WHERE {value} IS NOT NULL LIMIT {int(most)}"
                yield from ((place, value) for (value,) in connection.execute(sql))

    def rows(
        self, schema: TableSchema, names: Sequence[str], most: int, timeout_s: float, lock_s: float = LOCK_S
    ) -> list[tuple[Any, ...]]:
        with self._opened(timeout_s, lock_s) as connection, self._failures(timeout_s):
            return connection.execute(first_rows(_written(schema, names, READS), names, quoted, most)).fetchall()

    @contextmanager
    def _opened(self, seconds: float, lock_s: float = LOCK_S) -> Iterator[sqlite3.Connection]:
        """Yield a connection that cannot change the file, for statements that together end after so many seconds."""
        if not self._path.is_file():
            raise self._gone(f"there is no file {self._path}")
        try:
            connection = sqlite3.connect(
                f"file:{quote(str(self._path.resolve()))}?mode=ro",
                uri=True,
                timeout=min(lock_s, seconds),
                check_same_thread=False,
            )
        except sqlite3.Error as error:
            raise self._gone(str(error)) from error
        with closing(connection):
            limit = TimeLimit()
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
            connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT_BYTES)
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            register_functions(connection, limit)
            with _deadline(connection, limit, seconds):
                yield connection

    @contextmanager
    def _failures(self, seconds: float) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            said = " ".join(str(error).split())
            reason = last_refusal() if "user-defined" in said else None
            if "interrupted" in said or reason == TIME_IS_UP:
                raise SqlFailed(
                    f"the statement ran longer than {seconds:g} s: filter earlier, or join on equal columns"
                ) from error
            if LOCKED.search(said):
                raise locked(self._connection.name) from error
            if found := NO_FUNCTION.search(said):
                raise SqlFailed(f"{(found[1] or found[2]).upper()} is not available on SQLite") from error
            if CHANGED.search(said):
                raise TableChanged(f"SQLite refused the statement: {said}") from error
            if "unable to open" in said or "not a database" in said or "disk I/O" in said:
                raise self._gone(said) from error
            raise SqlFailed(f"SQLite refused the statement: {reason or said}") from error

    def _gone(self, said: str) -> TableAway:
        return unreadable(self._connection.name, said)


def _table(connection: sqlite3.Connection, name: str, is_view: bool) -> FoundTable:
    listed = connection.execute(f"PRAGMA main.table_xinfo({quoted(name)})").fetchall()
    columns = tuple(FoundColumn(c[1], c[2] or "", "text") for c in listed if c[6] != 1)
    keys = [c[1] for c in sorted(listed, key=lambda c: c[5]) if c[5]]
    number = next((c for c in listed if c[5] and c[2].upper() == "INTEGER"), None)
    key = number[1] if number and len(keys) == 1 else ""
    if not (key or is_view):
        try:
            free = not any(c[1].casefold() == NUMBERED for c in listed)
            connection.execute(f"SELECT {NUMBERED} FROM main.{quoted(name)} LIMIT 0")
            key = NUMBERED if free else ""
        except sqlite3.Error:
            pass  # WITHOUT ROWID
    references = tuple(
        f"{row[3]} -> {row[2]}.{row[4] or 'key'}"
        for row in connection.execute(f"PRAGMA main.foreign_key_list({quoted(name)})")
    )
    if is_view:
        connection.execute(f"SELECT * FROM main.{quoted(name)} LIMIT 0")
    return FoundTable(("main", name), columns, key, tuple(keys), references, is_view=is_view)


def _count(connection: sqlite3.Connection, source: str, numbered: bool) -> tuple[int, bool]:
    """Return the number of rows; of a table that takes long to count, its last row number."""
    try:
        return connection.execute(f"SELECT count(*) FROM {source}").fetchone()[0], True
    except sqlite3.OperationalError:
        if not numbered:
            raise
    return connection.execute(f"SELECT max({NUMBERED}) FROM {source}").fetchone()[0] or 0, False


def _source(path: tuple[str, ...]) -> str:
    return ".".join(map(quoted, path))


def _reads(guarded: "GuardedSql", schemas: Sequence[TableSchema]) -> dict[str, str]:
    """Return how columns are read: with one collation for all texts, SQLite's own and faster one if all are ASCII."""
    read = read_columns(guarded)
    words = {
        schema.origin.reads.get(c.name, "")
        for schema in schemas
        for c in schema.columns
        if schema.origin and c.type == "text" and c.name.casefold() in read
    }
    if words <= {"ascii"}:
        return READS
    return READS | {"ascii": READS["fold"]}


def _aliased(aliases: dict[str, str], reads: dict[str, str], schema: TableSchema, names: Sequence[str]) -> str:
    return _written(schema, names, reads, alias=aliases[schema.name])


def _written(
    schema: TableSchema, names: Sequence[str], reads: dict[str, str], most: int = 0, *, alias: str = SOURCE
) -> str:
    assert schema.origin
    key = f"{alias}.{NUMBERED}" if schema.origin.key == NUMBERED else ""
    return relation(schema, names, _source(schema.origin.table), quoted, reads, key=key, most=most, alias=alias)


@contextmanager
def _only_reading(connection: sqlite3.Connection, schemas: Sequence[TableSchema]) -> Iterator[None]:
    """Let statements read this file with the known functions, and do nothing else."""

    def authorize(action: int, first: str | None, second: str | None, schema: str | None, _: str | None) -> int:
        if action == sqlite3.SQLITE_SELECT:
            permitted = True
        elif action == sqlite3.SQLITE_READ:
            permitted = schema in (None, "main")
        elif action == sqlite3.SQLITE_FUNCTION:
            permitted = (second or "").casefold() in SQLITE_FUNCTIONS
        else:
            permitted = False
        return sqlite3.SQLITE_OK if permitted else sqlite3.SQLITE_DENY

    views = any(s.origin and not s.origin.key for s in schemas)
    if not views:  # a view may call functions of its own
        connection.set_authorizer(authorize)
    try:
        yield
    finally:
        connection.set_authorizer(None)


@contextmanager
def _deadline(connection: sqlite3.Connection, limit: TimeLimit, seconds: float) -> Iterator[None]:
    """Interrupt what runs on the connection after so many seconds, in SQLite and in our functions."""
    limit.end = end = time.monotonic() + seconds
    connection.set_progress_handler(lambda: int(time.monotonic() > end), STEPS_BETWEEN_CHECKS)
    # The handler's steps are hundreds of rows, which may take seconds each where texts are long.
    timer = threading.Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        connection.set_progress_handler(None, 0)
        limit.end = math.inf
