"""DuckDB files and folders of Parquet, read by the embedded engine in processes of their own."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablerag.tools.connections.connection import Connection
from tablerag.tools.connections.duckdb_columns import READS, typed
from tablerag.tools.connections.duckdb_estimate import joined_estimate
from tablerag.tools.connections.engine import (
    EXACT_ROWS,
    LOCK_S,
    PROFILE_S,
    SAMPLE_ROWS,
    ConnectedEngine,
    FoundColumn,
    FoundTable,
    Profile,
    check_estimate,
    shapes_of,
    unreadable,
)
from tablerag.tools.connections.parquet_folder import files_of, found_tables, reader_of
from tablerag.tools.connections.relations import SOURCE, emitted, first_rows, joined_rows, quoter, relation
from tablerag.tools.errors import ConfigError, SqlFailed, SqlProblem, SqlRejected, TableAway, TableChanged
from tablerag.tools.records import ROW_ID, TableSchema
from tablerag.tools.sql.backends.parquet_tables import KIND_OF_ERROR, LOCKED, MEMORY_BYTES
from tablerag.tools.sql.backends.parquet_unions import escaped
from tablerag.tools.sql.backends.tables import Rows
from tablerag.tools.sql.backends.worker_messages import PLANNED, Refusal, Setup
from tablerag.tools.sql.backends.worker_rows import refused, worker_rows
from tablerag.tools.sql.backends.workers import QueryWorkers, WorkerDied

if TYPE_CHECKING:
    from sqlglot import exp

    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["DuckDbEngine"]

quoted = quoter('"')
FILE_ROW = f"CAST({SOURCE}.file_index AS BIGINT) * 1099511627776 + {SOURCE}.file_row_number + 1"
ATTACHED = "connected"
"""The name under which a file is attached."""
IDLE_S = 2.0
"""How long a file stays open after a statement: nobody can write it meanwhile."""
DISTINCT_ROWS = 200_000
CHANGED = re.compile(
    r"No files found|does not exist|(?:column|table)\b.* not found|Referenced column|does not have a column", re.I
)
LOST = re.compile(r"Could not set lock|Cannot open (?:database|file)|not a valid DuckDB|No such file", re.I)
NUMBERS = frozenset({"file_row_number", "file_index"})
INTEGERS = frozenset({"BIGINT", "INTEGER", "SMALLINT", "TINYINT", "UBIGINT", "UINTEGER", "USMALLINT", "UTINYINT"})


class DuckDbEngine(ConnectedEngine):
    """A DuckDB file, or a folder of Parquet files."""

    name = "DuckDB"

    def __init__(self, connection: Connection, most_examined: int) -> None:
        self._connection, self._most = connection, most_examined
        self._is_folder = connection.engine == "Parquet"
        self.name = connection.engine
        self._path = Path(connection.url.partition(":///")[2])
        self._workers = QueryWorkers(self._setup)
        self._log = self._path.with_name(f"{self._path.name}.wal")
        self._shapes: tuple[list[tuple[int, int]], dict[str, str]] = [], {}
        self._idle: threading.Timer | None = None

    @property
    def place(self) -> str:
        return self._connection.url

    def tables(self, schema: str = "") -> tuple[list[FoundTable], list[str]]:
        if self._is_folder:
            return self._files()
        if not self._path.is_file():
            raise ConfigError(f"{self._path}: {'is a folder' if self._path.is_dir() else 'no such file'}")
        try:
            listed = self._read(
                "SELECT schema_name, table_name, column_name, data_type, comment FROM duckdb_columns() "
                f"WHERE database_name = '{ATTACHED}' AND NOT internal ORDER BY schema_name, table_name, column_index"
            )
            about = self._read(
                "SELECT schema_name, table_name, comment, estimated_size, false FROM duckdb_tables() "
                f"WHERE database_name = '{ATTACHED}' UNION ALL SELECT schema_name, view_name, comment, NULL, true "
                f"FROM duckdb_views() WHERE database_name = '{ATTACHED}' AND NOT internal"
            )
            keys = self._read(
                "SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table, "
                f"referenced_column_names FROM duckdb_constraints() WHERE database_name = '{ATTACHED}'"
            )
        except SqlProblem as problem:
            raise ConfigError(f"{self._path} cannot be read as a DuckDB database: {problem}") from problem
        wanted = [row for row in about if not schema or row[0] == schema]
        return [_table(row, listed, keys) for row in wanted], []

    def _files(self) -> tuple[list[FoundTable], list[str]]:
        if not self._path.is_dir():
            raise ConfigError(f"{self._path}: no such folder")
        found, left_out = [], []
        for name in found_tables(self._path):
            try:
                described = self._read(f"SELECT * FROM (DESCRIBE SELECT * FROM {reader_of(self._path, name)})")
            except SqlProblem as problem:
                left_out.append(f"{name}: {problem}")
                continue
            columns = tuple(FoundColumn(r[0], r[1], *typed(r[1])) for r in described if r[0] not in NUMBERS)
            found.append(FoundTable((name,), columns, ROW_ID))
        return found, left_out

    def shapes(self, schema: str = "", lock_s: float = LOCK_S) -> dict[str, str]:
        if self._is_folder:
            return shapes_of(files_of(self._path))
        written = [(p.stat().st_size, p.stat().st_mtime_ns) for p in (self._path, self._log) if p.is_file()]
        if self._shapes[0] == written:
            return self._shapes[1]
        rows = self._read(
            "SELECT schema_name || '.' || table_name, column_name, data_type, comment FROM duckdb_columns() WHERE "
            f"database_name = '{ATTACHED}' AND NOT internal ORDER BY schema_name, table_name, column_index"
        )
        self._shapes = written, shapes_of((row[0], row[1:]) for row in rows)
        return self._shapes[1]

    def profile(self, table: FoundTable) -> Profile:
        source = self._source(table.path)
        kept = tuple(c for c in table.columns if c.type)
        shown = [READS.get(c.reads, "{}").replace("{}", quoted(c.name)) for c in kept]
        rows = self._read(f"SELECT {', '.join(shown)} FROM {source} LIMIT {SAMPLE_ROWS}") if kept else []
        if table.estimate is not None and table.estimate > EXACT_ROWS:
            return Profile(kept, table.estimate, False, rows)
        ((count,),) = self._read(f"SELECT count(*) FROM {source}")
        return Profile(kept, count, True, rows)

    @contextmanager
    def running(self, guarded: "GuardedSql", timeout_s: float, most: int, lock_s: float = LOCK_S) -> Iterator[Rows]:
        from tablerag.tools.sql.dialect.duck.orders import in_order, mark_single_rows
        from tablerag.tools.sql.dialect.duckdb import DUCKDB_RULES, DuckDb

        stored = guarded.stored
        places = {place for place, _ in stored.connected}
        keyed = in_order({place for place, s in stored.connected if ROW_ID in s.hidden_columns})
        mark_single_rows(stored.query)
        sql = emitted(guarded, DuckDb, (*DUCKDB_RULES, _only(places), keyed), self._written)
        if joined_rows(guarded) > self._most:
            with self._started(f"{PLANNED}{sql}", timeout_s) as rows:
                check_estimate(joined_estimate(next(iter(rows.values))[1]), self._most)
        with self._started(sql, timeout_s) as rows:
            yield rows

    def distinct(
        self, schema: TableSchema, columns: Sequence[str], most: int, timeout_s: float, lock_s: float = LOCK_S
    ) -> Iterator[Any]:
        for place, name in enumerate(columns):
            inner, value = self._written(schema, [name], DISTINCT_ROWS), quoted(name)
            sql = f"SELECT DISTINCT {value} FROM {inner} WHERE {value} IS NOT NULL LIMIT {int(most)}"
            with self._started(sql, timeout_s) as rows:
                yield from ((place, row[0]) for row in rows.values)

    def rows(
        self, schema: TableSchema, names: Sequence[str], most: int, timeout_s: float, lock_s: float = LOCK_S
    ) -> list[tuple[Any, ...]]:
        with self._started(first_rows(self._written(schema, names), names, quoted, most), timeout_s) as rows:
            return [tuple(row) for row in rows.values]

    def close(self) -> None:
        if self._idle:
            self._idle.cancel()
        self._workers.close()

    def _source(self, path: tuple[str, ...]) -> str:
        if self._is_folder:
            return reader_of(self._path, path[0])
        return ".".join(map(quoted, (ATTACHED, *path)))

    def _written(self, schema: TableSchema, names: Sequence[str], most: int = 0) -> str:
        assert schema.origin
        key = FILE_ROW if self._is_folder else ""
        if schema.origin.key == "rowid":
            key = f"{SOURCE}.rowid"
        return relation(schema, names, self._source(schema.origin.table), quoted, READS, key=key, most=most)

    def _setup(self) -> Setup:
        from tablerag.tools.sql.dialect.engine import SETTINGS, macros

        if self._is_folder:
            folders = {f"{f}/" for f in (str(self._path), escaped(str(self._path)))}
            return Setup(tuple(sorted(folders)), SETTINGS, macros(), LOCKED, MEMORY_BYTES)
        path = str(self._path).replace("'", "''")
        attach = f"ATTACH '{path}' AS {ATTACHED} (READ_ONLY)"
        return Setup((), (*SETTINGS, attach), macros(), LOCKED, MEMORY_BYTES)

    def _read(self, sql: str) -> list[tuple[Any, ...]]:
        with self._started(sql, PROFILE_S) as rows:
            return [tuple(row) for row in rows.values]

    @contextmanager
    def _started(self, sql: str, timeout_s: float) -> Iterator[Rows]:
        """Yield the rows of a statement, which is ended after ``timeout_s``."""
        if not (self._path.is_dir() if self._is_folder else self._path.is_file()):
            raise self._gone(f"there is no {'folder' if self._is_folder else 'file'} {self._path}")
        if self._idle:
            self._idle.cancel()
        try:
            with worker_rows(self._workers, sql, timeout_s, lambda r: self._problem(r, timeout_s)) as rows:
                yield rows
        except WorkerDied as died:
            if died.late:
                raise self._problem(Refusal("timed out", ""), timeout_s) from died
            why = "it is damaged, or open for writing in another program" if not self._is_folder else "the engine ended"
            raise self._gone(why) from died
        finally:
            if not self._is_folder:
                self._idle = threading.Timer(IDLE_S, self._workers.close)
                self._idle.daemon = True
                self._idle.start()

    def _problem(self, refusal: Refusal, timeout_s: float) -> SqlProblem:
        said = KIND_OF_ERROR.sub("", " ".join(refusal.says.split("\n\nLINE ")[0].split()))[:300]
        if known := refused(refusal, timeout_s):
            return known
        if LOST.search(said):
            return self._gone(said)
        kind = TableChanged if CHANGED.search(said) else SqlFailed
        return kind(f"{self.name} refused the statement: {said}")

    def _gone(self, said: str) -> TableAway:
        return unreadable(self._connection.name, said)


def _only(places: set[str]) -> "Callable[[exp.Expr], exp.Expr]":
    """Return a rule that refuses any other table."""
    from sqlglot import exp

    from tablerag.tools.sql.common import common_of

    def rule(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Table) and node.name not in places and common_of(node) is None:
            raise SqlRejected(f"unknown table {node.name[:80]!r}")
        return node

    return rule


def _table(row: Sequence[Any], listed: Sequence[Sequence[Any]], keys: Sequence[Sequence[Any]]) -> FoundTable:
    path = (row[0], row[1])
    columns = tuple(FoundColumn(c[2], c[3], *typed(c[3]), about=c[4] or "") for c in listed if (c[0], c[1]) == path)
    own = [k for k in keys if (k[0], k[1]) == path]
    primary = next((tuple(k[3]) for k in own if k[2] == "PRIMARY KEY"), ())
    types = {c.name: c.declared for c in columns}
    key = primary[0] if len(primary) == 1 and types.get(primary[0]) in INTEGERS else "" if row[4] else "rowid"
    references = tuple(
        f"{', '.join(k[3])} -> {k[4]}.{', '.join(k[5] or ())}" for k in own if k[2] == "FOREIGN KEY" and k[4]
    )
    return FoundTable(path, columns, key, primary, references, row[2] or "", row[3], bool(row[4]))
