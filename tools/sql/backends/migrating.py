"""Homes of older versions, whose SQLite file holds the documents' tables too: moved to files of their own."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tablerag.tools.errors import StoreUnavailable
from tablerag.tools.records import ROW_ID, ColumnType
from tablerag.tools.sql.backends.parquet_unions import identifier
from tablerag.tools.sql.backends.tables import Batch, StoredColumn

__all__ = ["migrate", "old_tables"]

STORED_NAME = re.compile(r".+__[0-9a-f]{12}_\d+")
BATCH_ROWS = 5_000
SHOWN_DIGITS = 15
DIGITS = re.compile(r"NUMERIC\((\d+), (\d+)\)")
TYPES: dict[str, ColumnType] = {
    "BIGINT": "integer",
    "INTEGER": "integer",
    "DATE": "date",
    "DATETIME": "datetime",
    "BOOLEAN": "boolean",
    "NUMERIC": "decimal",
}
UNBOUNDED = (300, 10)
"""Digits of a column that was declared without any: they fit no DECIMAL, so its values stay floating-point."""


def old_tables(path: Path) -> list[str]:
    """Return the names of the documents' tables in the SQLite file of a catalog."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    except sqlite3.Error:
        return []  # Whoever opens it to read the catalog says what is wrong.
    return [name for (name,) in names if STORED_NAME.fullmatch(name)]


def migrate(path: Path, folder: Path) -> Iterator[tuple[int, str]]:
    """Move the documents' tables of a catalog's file to a folder; yield their number and the name of each.

    Nothing is deleted before all are moved; an interrupted migration begins again. Raises StoreUnavailable.
    """
    from tablerag.tools.sql.backends.parquet_files import ParquetFiles

    names = old_tables(path)
    moved = ParquetFiles(folder.with_name(f"{folder.name}.part"))
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            if names and not folder.exists():
                for name in names:
                    columns = _columns(connection, name)
                    moved.write(name, columns, _batches(connection, name, columns))
                    yield len(names), name
                moved.close()
                moved.folder.rename(folder)
            dropped = "".join(f"DROP TABLE {identifier(name)};" for name in names)
            connection.executescript(f"BEGIN IMMEDIATE;{dropped}COMMIT;")
            connection.execute("VACUUM")
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(f"cannot migrate {path}: {error}. Its tables are as they were") from error


def _columns(connection: sqlite3.Connection, name: str) -> list[StoredColumn]:
    found = connection.execute("SELECT name, type FROM pragma_table_info(?) ORDER BY cid", [name]).fetchall()
    return [_column(column, declared) for column, declared in found]


def _column(name: str, declared: str) -> StoredColumn:
    digits = DIGITS.match(declared)
    scale = int(digits[2]) if digits else 0
    return StoredColumn(
        name,
        TYPES.get(declared.partition("(")[0], "text"),
        digits=(int(digits[1]) - scale, scale) if digits else UNBOUNDED,
        is_key=name == ROW_ID,
    )


def _batches(connection: sqlite3.Connection, name: str, columns: Sequence[StoredColumn]) -> Iterator[Batch]:
    rows = connection.execute(f"SELECT * FROM {identifier(name)} ORDER BY {identifier(ROW_ID)}")
    while batch := rows.fetchmany(BATCH_ROWS):
        values = zip(*batch, strict=True)
        yield [_shown(v, c.digits) if c.type == "decimal" else v for c, v in zip(columns, values, strict=True)]


def _shown(values: Sequence[Any], digits: tuple[int, int]) -> list[Any]:
    """Return numbers as they were shown, with 15 digits: SQLite keeps 0.3 as 0.30000000000000004 if a sheet does."""
    number = Decimal if digits != UNBOUNDED and sum(digits) > SHOWN_DIGITS else float
    most = 10**SHOWN_DIGITS
    return [number(f"{v:.{SHOWN_DIGITS}g}") if isinstance(v, float) and abs(v) < most else v for v in values]
