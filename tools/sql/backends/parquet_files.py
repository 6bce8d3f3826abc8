"""The files of stored tables: one Parquet file each, in one folder, complete once it has its name."""

import os
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from tablerag.tools.errors import StoreUnavailable, UnreadableDocument
from tablerag.tools.sql.backends.parquet_unions import identifier, literal
from tablerag.tools.sql.backends.tables import Batch, StoredColumn

__all__ = ["ParquetFiles"]

SUFFIX = ".parquet"
UNFINISHED = ".part"
MAX_DIGITS = 38
"""Total digits of a DuckDB DECIMAL."""
WRITER_MEMORY = "512MB"
"""A table that needs more while it is written is kept in a file beside it until it is complete."""


class ParquetFiles:
    """Write, list and delete the files of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._opened: duckdb.DuckDBPyConnection | None = None
        self._lock = threading.Lock()

    def path(self, name: str) -> Path:
        """Return the file of a table."""
        return self.folder / f"{name}{SUFFIX}"

    def names(self) -> set[str]:
        """Return the names of the tables that are complete."""
        return {p.stem for p in self.folder.glob(f"*{SUFFIX}")}

    def write(self, name: str, columns: Sequence[StoredColumn], batches: Iterable[Batch]) -> None:
        """Write a table; raise UnreadableDocument if a value does not fit, StoreUnavailable if the disk does not."""
        part = self.folder / f"{name}{UNFINISHED}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._writer() as cursor:
                described = ", ".join(f"{identifier(c.name)} {_type(c)}" for c in columns)
                cursor.execute(f"CREATE TEMP TABLE written ({described})")
                for batch in batches:
                    _insert(cursor, batch)
                cursor.execute(f"COPY written TO {literal(str(part))} (FORMAT parquet)")
            _synced(part)
            part.replace(self.path(name))
        except (OSError, duckdb.IOException, duckdb.OutOfMemoryException) as error:
            _removed(part)
            raise StoreUnavailable(f"cannot write to {self.folder} ({_line(error)}): free space on its disk") from error
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
                self.path(name).unlink(missing_ok=True)
                (self.folder / f"{name}{UNFINISHED}").unlink(missing_ok=True)
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
                # What is not an array of numbers is passed as text: no type is guessed from a sample.
                self._opened.execute("SET pandas_analyze_sample = 0")
            return self._opened.cursor()


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


def _insert(cursor: duckdb.DuckDBPyConnection, batch: Batch) -> None:
    """Append a batch; DuckDB finds ``given`` by its name."""
    given = {f"c{i}": _array(column) for i, column in enumerate(batch)}  # noqa: F841
    cursor.execute("INSERT INTO written SELECT * FROM given")


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
        path.unlink(missing_ok=True)


def _synced(path: Path) -> None:
    """Wait until a file is on the disk: the catalog must not outlive it when the power fails."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _line(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split())[:300]
