"""Typed tables written to SQL: created under a staging name, then swapped in under the final one."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import BigInteger, Boolean, Date, DateTime, Integer, MetaData, Numeric, Table, Text, inspect, text
from sqlalchemy import Column as SqlColumn
from sqlalchemy.dialects import mysql, sqlite
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.types import TypeEngine

from ingestion.tables.table import TypedTable
from ingestion.tables.typing import TypedColumn
from tools.errors import StoreUnavailable, UnreadableDocument
from tools.records import ROW_ID

__all__ = ["MAX_COLUMNS", "STAGING_PREFIX", "drop_tables", "stage_table", "swap_in"]

STAGING_PREFIX = "_stage_"
BATCH_ROWS = 2000
MAX_COLUMNS = 190
"""InnoDB fits about 200 TEXT columns with values in a row; the same bound holds on every engine."""
MYSQL_TEXT_BYTES = 65_535
MAX_SCALE = 30
"""Digits after the point that a MySQL DECIMAL keeps."""
MAX_DIGITS = 65
"""Digits in all that a MySQL DECIMAL keeps."""


def stage_table(engine: Engine, name: str, table: TypedTable) -> None:
    """Create a table under a staging name and fill it.

    Raises UnreadableDocument when the database cannot hold it, StoreUnavailable when it is away.
    """
    sql_table = Table(name, MetaData(), *_columns(table), mysql_charset="utf8mb4", mysql_collate="utf8mb4_unicode_ci")
    try:
        with engine.begin() as connection:
            sql_table.drop(connection, checkfirst=True)
            sql_table.create(connection)
            for batch in _batches(table):
                connection.execute(sql_table.insert(), batch)
    except DBAPIError as error:
        drop_tables(engine, [name])
        if error.connection_invalidated:
            raise StoreUnavailable(f"the SQL database went away while writing {table.title!r}: {error.orig}") from error
        raise UnreadableDocument(f"table {table.title!r} does not fit the database: {error.orig}") from error


def _columns(table: TypedTable) -> list[SqlColumn[Any]]:
    key = SqlColumn(ROW_ID, Integer, primary_key=True, autoincrement=False)
    return [key, *(SqlColumn(n, _sql_type(c)) for n, c in zip(table.names, table.columns, strict=True))]


def _sql_type(column: TypedColumn) -> TypeEngine[Any]:
    match column.type:
        case "integer":
            return BigInteger()
        case "decimal":
            return _decimal(column)
        case "date":
            return Date()
        case "datetime":
            whole = not any(v.microsecond for v in column.values if v is not None)
            return (
                DateTime()
                .with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb")
                .with_variant(sqlite.DATETIME(truncate_microseconds=whole), "sqlite")
            )
        case "boolean":
            return Boolean()
    longest = max((len(v) for v in column.values if isinstance(v, str)), default=0)
    long_text = mysql.MEDIUMTEXT() if longest * 4 > MYSQL_TEXT_BYTES else mysql.TEXT()
    # MySQL's utf8mb4_unicode_ci compares text without regard to case: SQLite is told to do the same.
    return Text(collation="NOCASE").with_variant(long_text, "mysql", "mariadb")


def _decimal(column: TypedColumn) -> TypeEngine[Any]:
    """Choose a DECIMAL that holds every value exactly; a DOUBLE where none does."""
    scale = whole = 0
    for value in column.values:
        if value is not None:
            _, digits, exponent = value.as_tuple()
            scale = max(scale, -exponent)
            whole = max(whole, len(digits) + exponent)
    if scale > MAX_SCALE or whole + scale > MAX_DIGITS:
        return mysql.DOUBLE(asdecimal=False).with_variant(Numeric(asdecimal=False), "sqlite")
    return Numeric(max(whole + scale, 1), scale, asdecimal=False)


def _batches(table: TypedTable) -> Iterator[list[dict[str, Any]]]:
    rows = enumerate(table.rows(), start=1)
    while batch := list(islice(rows, BATCH_ROWS)):
        yield [{ROW_ID: i, **dict(zip(table.names, row, strict=True))} for i, row in batch]


def swap_in(connection: Connection, old: Sequence[str], renames: Sequence[tuple[str, str]]) -> None:
    """Drop the old tables and give the staged ones (staging name, final name) their place."""
    quote = connection.dialect.identifier_preparer.quote_identifier
    for name in old:
        connection.execute(text(f"DROP TABLE IF EXISTS {_literal(quote(name))}"))
    for staged, final in renames:
        connection.execute(text(f"ALTER TABLE {_literal(quote(staged))} RENAME TO {_literal(quote(final))}"))


def _literal(quoted: str) -> str:
    """Escape colons, which text() would read as parameters."""
    return quoted.replace(":", r"\:")


def drop_tables(engine: Engine, names: Sequence[str]) -> None:
    """Drop the tables that exist among the given names."""
    try:
        with engine.begin() as connection:
            present = set(inspect(connection).get_table_names())
            swap_in(connection, [n for n in names if n in present], [])
    except SQLAlchemyError as error:
        raise StoreUnavailable(f"cannot drop tables: {error}") from error
