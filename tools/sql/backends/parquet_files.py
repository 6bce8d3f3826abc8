"""The files of stored tables: one Parquet file each, in one folder, complete once it has its name."""

import errno
import os
import shutil
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any

import _duckdb as duckdb  # the package around it takes a third of a second to import
import numpy as np

from tablerag.tools.errors import DiskFull, StoreUnavailable, UnreadableDocument
from tablerag.tools.full_disk import FREE_SPACE, is_full
from tablerag.tools.private_folder import make_private
from tablerag.tools.records import ROW_ID, SOURCE_ROW, ColumnType
from tablerag.tools.sql.backends.parquet_unions import escaped, identifier, literal
from tablerag.tools.sql.backends.seals import SEALED, seal
from tablerag.tools.sql.backends.tables import Batch, PlainFile, StoredColumn

__all__ = ["LITERALS", "ParquetFiles", "file_records"]

SUFFIX = ".parquet"
UNFINISHED = ".part"
COPIED = ".copy"
"""An unfinished file too. The engine may delete that of a failed copy late, when there is another under the name."""
MAX_DIGITS = 38
"""Total digits of a DuckDB DECIMAL."""
WRITER_MEMORY = "512MB"
"""A table that needs more while it is written is kept in a file beside it until it is complete."""
LITERALS: dict[ColumnType, str] = {
    "text": r"[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*",
    "integer": r"-?(?:0|[1-9][0-9]{0,14})",
    "decimal": r"-?(?:0|[1-9][0-9]{0,10})(?:\.[0-9]{1,15})?",
    "date": r"[1-9][0-9]{3}-[01][0-9]-[0-3][0-9]",
    "datetime": r"[1-9][0-9]{3}-[01][0-9]-[0-3][0-9][ T](?:[01][0-9]|2[0-3])(?::[0-5][0-9]){1,2}",
}
"""The cells that are copied as they are, by type: none with another reading, and no text that would be cleaned."""
NOT_PLAIN = (duckdb.InvalidInputException, duckdb.ConversionException, duckdb.OutOfRangeException)


class ParquetFiles:
    """Write, list and delete the files of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._opened: duckdb.DuckDBPyConnection | None = None
        self._lock = threading.Lock()

    def path(self, name: str) -> Path:
        """Return the file of a table."""
        return self.folder / f"{name}{SUFFIX}"

    def write(self, name: str, columns: Sequence[StoredColumn], batches: Iterable[Batch]) -> None:
        """Write a table; raise UnreadableDocument if a value does not fit, StoreUnavailable if the disk does not."""
        with self._written(name) as part, self._writer() as cursor:
            left, to = iter(batches), f"TO {literal(str(part))} (FORMAT parquet, {SEALED})"
            start = list(islice(left, 2))
            if len(start) == 1:  # most tables are short: one statement does
                given = _given(start[0])  # noqa: F841
                values = ", ".join(f"CAST(c{i} AS {_type(c)}) AS {identifier(c.name)}" for i, c in enumerate(columns))
                cursor.execute(f"COPY (SELECT {values} FROM given) {to}")
                return
            described = ", ".join(f"{identifier(c.name)} {_type(c)}" for c in columns)
            cursor.execute(f"CREATE TEMP TABLE written ({described})")
            for batch in chain(start, left):
                given = _given(batch)  # noqa: F841
                cursor.execute("INSERT INTO written SELECT * FROM given")
            cursor.execute(f"COPY written {to}")

    def copy(
        self, name: str, columns: Sequence[tuple[StoredColumn, int]], file: PlainFile, blank: Sequence[str]
    ) -> bool:
        """Write a table from a file, as StoredTables.copy() says."""
        if any(c.type not in LITERALS for c, _ in columns):
            return False
        values = ", ".join(f"{_copied(c, place, file, blank)} AS {identifier(c.name)}" for c, place in columns)
        try:
            with self._written(name, COPIED) as part, self._writer() as cursor:
                selected = f"SELECT {values} FROM {file_records(file)}"
                copied = f"COPY ({selected}) TO {literal(str(part))} (FORMAT parquet, {SEALED})"
                if _count(cursor, copied) != file.count:
                    raise _NotPlain
        except _NotPlain:
            return False
        return True

    @contextmanager
    def _written(self, name: str, unfinished: str = UNFINISHED) -> Iterator[Path]:
        """Yield the file to write a table to, which gets the table's name once it is on the disk."""
        part = self.folder / f"{name}{unfinished}"
        try:
            make_private(self.folder)
            yield part
            seal(part)
            _synced(part)
            part.replace(self.path(name))
        except (OSError, duckdb.IOException, duckdb.OutOfMemoryException) as error:
            _removed(part)
            says = f"cannot write to {self.folder} ({_line(error)})"
            if is_full(error, self.folder):
                raise DiskFull(f"{says}: {FREE_SPACE}") from error
            if isinstance(error, duckdb.OutOfMemoryException):
                raise UnreadableDocument(f"needs more than {WRITER_MEMORY} of memory: split the file") from error
            raise StoreUnavailable(f"{says}: check that the folder can be written") from error
        except _NotPlain:
            _removed(part)
            raise
        except (duckdb.Error, UnicodeError) as error:
            _removed(part)
            if "INT64" in str(error):
                advice = "has a whole number of more than 64 bits: set its column to text in tablerag.yaml"
                raise UnreadableDocument(advice) from error
            raise UnreadableDocument(f"does not fit the database: {_line(error)}") from error

    def drop(self, names: Sequence[str]) -> None:
        """Delete the files of tables, complete or not, that exist."""
        try:
            for name in names:
                for suffix in (SUFFIX, UNFINISHED, COPIED):
                    _deleted(self.folder / f"{name}{suffix}")
        except OSError as error:
            raise StoreUnavailable(f"cannot delete tables in {self.folder}: {error.strerror}") from error

    def close(self) -> None:
        """Close the engine that writes."""
        with self._lock:
            if self._opened:
                self._opened.close()
            self._opened = None

    def _writer(self) -> duckdb.DuckDBPyConnection:
        """Return a cursor of the engine that writes."""
        with self._lock:
            if self._opened is None:
                spilled = str(self.folder / "spilled")
                self._opened = duckdb.connect(config={"memory_limit": WRITER_MEMORY, "temp_directory": spilled})
            cursor = self._opened.cursor()
        # What is not an array of numbers is passed as text, no type is guessed from a sample: a setting of the cursor.
        cursor.execute("SET pandas_analyze_sample = 0")
        return cursor


class _NotPlain(Exception):
    """A file has other cells or rows than was said."""


def _count(cursor: duckdb.DuckDBPyConnection, copied: str) -> int:
    try:
        return cursor.execute(copied).fetchall()[0][0]
    except NOT_PLAIN as error:
        raise _NotPlain from error


def file_records(file: PlainFile) -> str:
    """Return what reads the records of a file, every cell as text, from the first row on; it refuses any other form."""
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(file.width))
    form = f"delim = {literal(file.delimiter)}, quote = '', escape = '', header = false"
    form += ", auto_detect = false, compression = 'none'"
    return f"read_csv({literal(escaped(str(file.path)))}, columns = {{{columns}}}, skip = {file.first}, {form})"


def _copied(column: StoredColumn, place: int, file: PlainFile, blank: Sequence[str]) -> str:
    """Return a column's values, or an error for a cell that is no literal of its type."""
    if column.name in (ROW_ID, SOURCE_ROW):
        return f"row_number() OVER () + {0 if column.name == ROW_ID else file.source_row - 1}"
    cell, other = f"c{place}", "error('no literal')"
    if column.type != "text" and blank:
        other = f"CASE WHEN lower({cell}) NOT IN ({', '.join(map(literal, blank))}) THEN {other} END"
    fits = f"regexp_full_match({cell}, {literal(LITERALS[column.type])})"
    return f"CASE WHEN {fits} THEN CAST({cell} AS {_type(column)}) WHEN {cell} IS NOT NULL THEN {other} END"


def _type(column: StoredColumn) -> str:
    match column.type:
        case "integer":
            return "BIGINT"
        case "decimal":
            whole, scale = max(column.digits[0], 0), column.digits[1]
            return f"DECIMAL({max(whole + scale, 1)}, {scale})" if whole + scale <= MAX_DIGITS else "DOUBLE"
        case "date":
            return "DATE"
        case "datetime":
            return "TIMESTAMP"
        case "boolean":
            return "BOOLEAN"
    return "VARCHAR"


def _given(batch: Batch) -> dict[str, "np.ndarray[Any, Any]"]:
    """Return a batch as DuckDB reads it, by the name of a local variable."""
    return {f"c{i}": _array(column) for i, column in enumerate(batch)}


def _array(column: Sequence[Any]) -> "np.ndarray[Any, Any]":
    """Return a column's values; whole numbers of 64 bits and floats as such, if none is missing."""
    kinds = {int} if isinstance(column, range) else set(map(type, column))
    if kinds in ({int}, {float}):
        with suppress(OverflowError):
            return np.array(column, dtype=np.int64 if kinds == {int} else np.float64)
    made = np.empty(len(column), dtype=object)
    made[:] = column
    return made


def _removed(path: Path) -> None:
    with suppress(OSError):
        _deleted(path)


def _deleted(path: Path) -> None:
    """Delete what is there under a name, even a folder that took a file's place."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _synced(path: Path) -> None:
    """Wait until a file is on the disk: the catalog must not outlive it when the power fails."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _line(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    full = os.strerror(errno.ENOSPC)
    if full in text:  # DuckDB says so in an object in JSON
        return full
    return " ".join(text.split())[:300]
