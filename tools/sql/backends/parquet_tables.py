"""Stored tables as Parquet files, read by DuckDB in other processes: an engine that knows no table by name.

A statement names each table by its file. The engine may open files of that folder only, and its settings are locked.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import FromClause, func, literal, literal_column, select
from sqlalchemy.dialects import sqlite

from tablerag.tools.errors import SqlFailed, SqlProblem, TableLost
from tablerag.tools.records import ROW_ID
from tablerag.tools.sql.backends.parquet_unions import escaped, files_of, identifier, united_rows
from tablerag.tools.sql.backends.seals import is_sound
from tablerag.tools.sql.backends.tables import (
    VERSION,
    Batch,
    PlainFile,
    Read,
    Rows,
    SessionFacts,
    Statement,
    StoredColumn,
    StoredTables,
)
from tablerag.tools.sql.backends.worker_messages import Refusal, Setup
from tablerag.tools.sql.backends.worker_rows import refused, worker_rows
from tablerag.tools.sql.backends.workers import QueryWorkers, WorkerDied

if TYPE_CHECKING:
    from tablerag.tools.sql.backends.parquet_files import ParquetFiles
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["ParquetTables"]

MEMORY_BYTES = 1_000_000_000
OWN_S = 10.0
"""Time limit of what the program reads about a table."""
IN_A_ROW = 64
"""Texts that are sent as one: a million of them would each take a tuple, a pickle and three generators."""
MOST_ROWS = 2**40
"""More than any table has."""
MISSING = re.compile(r'No files found.*?([^/"]+)\.parquet')
TABLE_FILE = re.compile(r"([^/\"']+)\.parquet")
KIND_OF_ERROR = re.compile(r'^(?:[A-Z]\w+ )+Error: | Use "SET [^"]*".*')
"""Matches the engine's name for the kind of an error, which says nothing to a reader, and advice on locked settings."""
END = b"PAR1"
SUFFIX = ".parquet"
LOCKED = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "lock_configuration": "true",
}


class ParquetTables(StoredTables):
    """StoredTables in one folder; opened at first use, safe to share between threads."""

    def __init__(self, folder: Path, is_listed: Callable[[str], bool] = bool) -> None:
        """Take the folder, and what tells whether the catalog lists a stored table."""
        self._folder, self._is_listed = folder.resolve(), is_listed
        self._workers = QueryWorkers(self._setup)
        self._sound: dict[str, tuple[int, int]] = {}
        """The time and size of the files that were found to be as they were written."""

    @cached_property
    def _files(self) -> "ParquetFiles":
        from tablerag.tools.sql.backends.parquet_files import ParquetFiles  # here: only writing needs the engine

        return ParquetFiles(self._folder)

    def write(self, name: str, columns: Sequence[StoredColumn], batches: Iterable[Batch]) -> None:
        self._files.write(name, columns, batches)

    def copy(
        self, name: str, columns: Sequence[tuple[StoredColumn, int]], file: PlainFile, blank: Sequence[str]
    ) -> bool:
        return self._files.copy(name, columns, file, blank)

    def drop(self, names: Sequence[str]) -> None:
        self._files.drop(names)
        for name in names:  # a new version of a document has other names
            self._sound.pop(name, None)

    def names(self) -> set[str]:
        if not self._folder.exists():
            return set()
        with os.scandir(self._folder) as files:
            return {file.name.removesuffix(SUFFIX) for file in files if file.name.endswith(SUFFIX)}

    def whole(self, names: Iterable[str]) -> set[str]:
        return {name for name in names if _is_whole(f"{self._folder}/{name}{SUFFIX}")}

    def read_files(self, names: Iterable[str], most_bytes: int) -> Read:
        sound, damaged, unread, left = 0, [], 0, most_bytes
        for name in sorted(names):
            with suppress(OSError):
                left -= self.path(name).stat().st_size
            if left < 0:
                unread += 1
                continue
            try:
                self._check(name)
                sound += 1
            except (TableLost, OSError):
                damaged.append(name)
        return Read(sound, tuple(damaged), unread)

    def columns(self, name: str) -> set[str]:
        with self._started(_text(select(literal_column("*")).select_from(self.source(name)).limit(0)), OWN_S) as rows:
            return set(rows.columns)

    def count_rows(self, name: str) -> int:
        read = f"SELECT count(*), bit_xor(hash(t)) FROM {files_of([self._pattern(name)])} AS t"
        with self._started(read, OWN_S) as rows:
            return next(rows.values)[0]

    def source(self, name: str) -> FromClause:
        return func.read_parquet(literal(self._pattern(name))).table_valued()

    def select(self, statement: Statement, timeout_s: float) -> list[tuple[Any, ...]]:
        with self._started(_text(statement), timeout_s) as rows:
            # As from a server, truths are 1 and 0.
            return [tuple(int(v) if isinstance(v, bool) else v for v in row) for row in rows.values]

    def texts(self, name: str, column_: str, timeout_s: float) -> list[str]:
        value = identifier(column_)
        found = f"SELECT DISTINCT {value} AS v FROM {files_of([self._pattern(name)])} WHERE {value} IS NOT NULL"
        parts = f"SELECT v, row_number() OVER () // {IN_A_ROW} AS part FROM ({found})"
        with self._started(f"SELECT list(CAST(v AS VARCHAR)) FROM ({parts}) GROUP BY part", timeout_s) as rows:
            return [text for (texts,) in rows.values for text in texts]

    def distinct(self, columns: Sequence[tuple[str, str]], most: int, timeout_s: float) -> list[tuple[int, Any]]:
        by_name: dict[str, list[tuple[int, str]]] = {}
        for place, (name, own) in enumerate(columns):
            by_name.setdefault(own, []).append((place, name))
        wanted = []
        for own, found in by_name.items():
            value, files = identifier(own), files_of([self._pattern(name) for _, name in found])
            # Spelled and ordered as first met: texts that only differ in case or accents are one value.
            row = f'CAST(file_index AS BIGINT) * {MOST_ROWS} + "{ROW_ID}"'
            values = f"SELECT {value} AS v, {row} AS r FROM {files} WHERE {value} IS NOT NULL"
            first = f"SELECT {found[0][0]} AS place, arg_min(v, r) AS value FROM ({values}) GROUP BY v"
            wanted.append(f"({first} ORDER BY min(r) LIMIT {int(most)})")
        if not wanted:
            return []
        with self._started(" UNION ALL ".join(wanted), timeout_s) as rows:
            return [(int(place), value) for place, value in rows.values]

    @contextmanager
    def running(self, guarded: "GuardedSql", timeout_s: float, most: int) -> Iterator[Rows]:
        # here: the catalog's own statements need no parser, and it takes longer to load than they do to run
        from tablerag.tools.sql.dialect.duck.orders import in_order, mark_single_rows
        from tablerag.tools.sql.dialect.duckdb import DUCKDB_RULES, DuckDb
        from tablerag.tools.sql.dialect.files import from_files
        from tablerag.tools.sql.transpiler import emit

        stored = guarded.stored
        files = {name: self._pattern(name) for name in stored.tables}
        read = from_files(files, frozenset(place for place, _ in stored.unions))
        mark_single_rows(stored.query)
        keyed = in_order({place for place, union in stored.unions if ROW_ID in union.hidden_columns})
        sql = emit(guarded, DuckDb, (*DUCKDB_RULES, read, keyed), lambda union: united_rows(union, files.__getitem__))
        with self._started(sql, timeout_s) as rows:
            yield rows

    def warm(self) -> None:
        self._workers.start()

    def close(self) -> None:
        if "_files" in self.__dict__:  # opened only by what writes: the engine takes a tenth of a second to load
            self._files.close()
        self._workers.close()

    def attempt(self, sql: str, timeout_s: float) -> None:
        """Run a statement as it is, without the guard, to test the session; raises as running() does."""
        with self._started(sql, timeout_s) as rows:
            next(rows.values, None)

    def session_facts(self) -> SessionFacts:
        names = ", ".join(f"CAST(current_setting('{name}') AS VARCHAR)" for name in LOCKED)
        with self._started(f"SELECT {names}", OWN_S) as rows:
            found = dict(zip(LOCKED, next(rows.values), strict=True))
        return SessionFacts(found == LOCKED, True, str(found))

    def path(self, name: str) -> Path:
        """Return the file of a table."""
        return self._folder / f"{name}.parquet"

    def _pattern(self, name: str) -> str:
        """Return a table's file as read_parquet() takes it, which would read some characters as a pattern.

        Raises TableLost as _check() does.
        """
        with suppress(OSError):  # the engine says so
            self._check(name)
        return escaped(str(self.path(name)))

    def _check(self, name: str) -> None:
        """Raise TableLost if a table's file is gone or not as it was written; it is read once, and when it changes."""
        path = self.path(name)
        try:
            status = path.stat()
        except FileNotFoundError as error:
            raise self._gone(name) from error
        version = status.st_mtime_ns, status.st_size
        if self._sound.get(name) != version:
            if not is_sound(path):
                raise TableLost(_damaged(f"the file of table {_readable(name)}"))
            self._sound[name] = version

    def _setup(self) -> Setup:
        from tablerag.tools.sql.dialect.engine import SETTINGS, macros

        folders = {f"{f}/" for f in (str(self._folder), escaped(str(self._folder)))}
        return Setup(tuple(sorted(folders)), SETTINGS, macros(), LOCKED, MEMORY_BYTES)

    @contextmanager
    def _started(self, sql: str, timeout_s: float) -> Iterator[Rows]:
        """Yield the rows of a statement, which is ended after ``timeout_s``."""
        try:
            with worker_rows(self._workers, sql, timeout_s, lambda r: self._problem(r, timeout_s)) as rows:
                yield rows
        except WorkerDied as died:
            raise self._problem(Refusal("timed out" if died.late else "died", ""), timeout_s) from died

    def _problem(self, refusal: Refusal, timeout_s: float) -> SqlProblem:
        said = " ".join(refusal.says.split("\n\nLINE ")[0].replace(str(self._folder), "").split())
        if known := refused(refusal, timeout_s):
            return known
        if missing := MISSING.search(said):
            return self._gone(missing[1])
        if refusal.why == "file":
            damaged = TABLE_FILE.search(said)
            return TableLost(_damaged(f"the file of table {_readable(damaged[1])}" if damaged else "a table's file"))
        return SqlFailed(f"the database refused the statement: {KIND_OF_ERROR.sub('', said)[:300]}")

    def _gone(self, name: str) -> TableLost:
        return TableLost.of(_readable(name), is_listed=self._is_listed(name))


def _damaged(whose: str) -> str:
    return f"{whose} is damaged: {TableLost.advice}"


def _readable(name: str) -> str:
    """Return a stored table's name without what makes it unique."""
    return VERSION.sub("", name)


def _is_whole(path: str) -> bool:
    """Return whether a file ends as a complete one does."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return os.pread(file, len(END), max(0, os.fstat(file).st_size - len(END))) == END
    except OSError:
        return False
    finally:
        os.close(file)


def _text(statement: Statement) -> str:
    """Return a statement of the program; SQLite's dialect quotes names as DuckDB does."""
    return str(statement.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
