"""Tables put into a database as ingestion does it, for the tests of what reads them."""

from collections.abc import Sequence
from typing import Any

import duckdb
from sqlalchemy import column, select

from tablerag.tools.records import Column, ColumnType, TableSchema
from tablerag.tools.sql.backends.parquet_tables import ParquetTables
from tablerag.tools.sql.backends.tables import StoredColumn
from tablerag.tools.sql.database import Database

__all__ = ["change", "schema_of", "store", "stored_names", "stored_rows"]


def store(
    database: Database, name: str, columns: dict[str, ColumnType], rows: Sequence[Sequence[Any]], table_id: str = ""
) -> TableSchema:
    """Create a table with its ``_row_id`` key, fill it, and return its schema."""
    database.engine.connect().close()  # the catalog's file exists before its tables
    key = StoredColumn("_row_id", "integer", is_key=True)
    described = [
        key,
        *(StoredColumn(n, t, digits=(9, 3), longest=1000, microseconds=False) for n, t in columns.items()),
    ]
    by_column = [[row[i] for row in rows] for i in range(len(columns))]
    database.tables.write(name, described, [[list(range(1, len(rows) + 1)), *by_column]] if rows else [])
    return schema_of(name, columns, rows, table_id)


def schema_of(
    name: str, columns: dict[str, ColumnType], rows: Sequence[Sequence[Any]], table_id: str = ""
) -> TableSchema:
    """Return the schema of a table that ``store`` made."""
    described = tuple(Column(name=n, header=n.title(), type=t) for n, t in columns.items())
    return TableSchema(
        table_id=table_id or f"id_{name}", name=name, columns=described, row_count=len(rows), source=f"{name}.csv"
    )


def stored_names(database: Database) -> set[str]:
    """Return the names of the documents' tables that exist."""
    return {n for n in database.tables.names() if not n.startswith("_tablerag")}


def stored_rows(database: Database, name: str, *columns: str) -> list[tuple[Any, ...]]:
    """Return columns of a stored table, in the order of its rows."""
    wanted = select(*map(column, columns)).select_from(database.tables.source(name))
    return database.select_stored(wanted.order_by(column("_row_id")))


def change(database: Database, name: str, statement: str) -> None:
    """Run a statement that changes a stored table, which the program itself never does."""
    own = database.tables.own
    if not isinstance(own, ParquetTables):
        with database.engine.begin() as connection:
            connection.exec_driver_sql(statement)
        return
    path = own.path(name)
    with duckdb.connect() as connection:
        connection.execute(f'CREATE TABLE "{name}" AS FROM read_parquet(?)', [str(path)])
        connection.execute(statement)
        path.unlink()
        connection.execute(f"COPY \"{name}\" TO '{path}' (FORMAT parquet)")
