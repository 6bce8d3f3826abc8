"""Creates the tables of the catalog: of a new one all, of one that an older version created those that it lacks."""

from collections.abc import Collection

from sqlalchemy import Table
from sqlalchemy.engine import Connection, Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from tablerag.tools.catalog_tables import METADATA

__all__ = ["create_missing"]

_written: dict[tuple[str, object, str], tuple[str, ...]] = {}
"""The statements that create a table, by dialect, version of the server, and table: writing them takes as long as
running them in SQLite."""


def create_missing(connection: Connection, found: Collection[str]) -> None:
    """Create the tables whose names were not found, with their indexes; fail if another host creates one meanwhile."""
    for table in METADATA.sorted_tables:
        if table.name not in found:
            for statement in _statements(table, connection.dialect):
                connection.exec_driver_sql(statement)


def _statements(table: Table, dialect: Dialect) -> tuple[str, ...]:
    key = (dialect.name, dialect.server_version_info, table.name)
    if key not in _written:
        indexes = sorted(table.indexes, key=lambda index: str(index.name))
        wanted = (CreateTable(table), *map(CreateIndex, indexes))
        _written[key] = tuple(str(one.compile(dialect=dialect)) for one in wanted)
    return _written[key]
