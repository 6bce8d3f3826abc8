"""Tables put into a database as ingestion does it, for the tests of what reads them."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import BigInteger, Boolean, Date, DateTime, Integer, MetaData, Numeric, Table
from sqlalchemy import Column as SqlColumn
from sqlalchemy.dialects.sqlite import DATETIME

from tablerag.tools.records import Column, ColumnType, TableSchema
from tablerag.tools.sql.backends.backend import SqlBackend
from tablerag.tools.sql.database import Database

__all__ = ["schema_of", "store"]

SQL_TYPES: dict[ColumnType, Callable[[SqlBackend], Any]] = {
    "integer": lambda _: BigInteger(),
    "decimal": lambda _: Numeric(12, 3, asdecimal=False),
    "date": lambda _: Date(),
    "datetime": lambda _: DateTime().with_variant(DATETIME(truncate_microseconds=True), "sqlite"),
    "boolean": lambda _: Boolean(),
    "text": lambda backend: backend.text_type(1000),
}


def store(
    database: Database, name: str, columns: dict[str, ColumnType], rows: Sequence[Sequence[Any]], table_id: str = ""
) -> TableSchema:
    """Create a table with its ``_row_id`` key, fill it, and return its schema."""
    key = SqlColumn("_row_id", Integer, primary_key=True, autoincrement=False)
    options = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_unicode_ci"}
    table = Table(
        name, MetaData(), key, *(SqlColumn(n, SQL_TYPES[t](database.backend)) for n, t in columns.items()), **options
    )
    with database.engine.begin() as connection:
        table.create(connection)
        if rows:
            values = [{"_row_id": i, **dict(zip(columns, row, strict=True))} for i, row in enumerate(rows, 1)]
            connection.execute(table.insert(), values)
    return schema_of(name, columns, rows, table_id)


def schema_of(
    name: str, columns: dict[str, ColumnType], rows: Sequence[Sequence[Any]], table_id: str = ""
) -> TableSchema:
    """Return the schema of a table that ``store`` made."""
    described = tuple(Column(name=n, header=n.title(), type=t) for n, t in columns.items())
    return TableSchema(
        table_id=table_id or f"id_{name}", name=name, columns=described, row_count=len(rows), source=f"{name}.csv"
    )
