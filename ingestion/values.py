"""The value index at ingest: columns with more distinct values than the linker keeps in memory."""

from collections.abc import Iterable, Iterator

from sqlalchemy import column, func, select, table
from sqlalchemy.engine import Connection

from tablerag.tools.linking.values import MAX_DISTINCT, linked_columns
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services

__all__ = ["index_values", "large_columns"]

BATCH = 10_000


def large_columns(connection: Connection, schema: TableSchema) -> Iterator[tuple[str, int]]:
    """Yield the text columns of a stored table with more than MAX_DISTINCT values, and their number of values."""
    if schema.row_count <= MAX_DISTINCT:
        return
    for name in linked_columns(schema):
        stored = column(name)
        counted = select(func.count(stored.distinct())).select_from(table(schema.stored_as or schema.name))
        count = int(connection.execute(counted).scalar() or 0)
        if count > MAX_DISTINCT:
            yield name, count


def index_values(services: Services, document_id: str, schemas: Iterable[TableSchema]) -> None:
    """Add the large columns of one document's tables to the value index."""
    large = [s for s in schemas if s.row_count > MAX_DISTINCT]
    if not large:
        return
    with services.database.engine.connect() as connection:
        found = [(s.stored_as or s.name, name) for s in large for name, _ in large_columns(connection, s)]
        if found:
            columns = ((name, own, _values(connection, name, own)) for name, own in found)
            services.large_values.add(document_id, columns)


def _values(connection: Connection, stored_as: str, name: str) -> Iterator[str]:
    stored = column(name)
    wanted = select(stored).select_from(table(stored_as)).where(stored.is_not(None)).distinct()
    result = connection.execution_options(yield_per=BATCH).execute(wanted)
    yield from (str(row[0]) for row in result)
