"""Write the value index: columns with more distinct values than the linker keeps in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from sqlalchemy import column, func, select

from tablerag.tools.linking.values import MAX_DISTINCT, linked_columns
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database

if TYPE_CHECKING:
    from tablerag.tools.services import Services

__all__ = ["index_values", "large_columns"]


def large_columns(database: Database, schema: TableSchema) -> Iterator[tuple[str, int]]:
    """Yield the text columns of a stored table with more than MAX_DISTINCT values, and their number of values."""
    if schema.row_count <= MAX_DISTINCT or schema.origin:  # nothing of a connected database is copied
        return
    for name in linked_columns(schema):
        source = database.tables.source(schema.stored_as or schema.name)
        ((count,),) = database.select_stored(select(func.count(column(name).distinct())).select_from(source))
        if count > MAX_DISTINCT:
            yield name, count


def index_values(
    services: Services,
    document_id: str,
    schemas: Iterable[TableSchema],
    large: Collection[tuple[str, str]] | None = None,
) -> None:
    """Add the large columns of one document's tables to the value index.

    ``large`` are the columns that may be large, each with its stored table; None if that is not known.
    """
    found = [
        (stored_as, name)
        for s in schemas
        if s.row_count > MAX_DISTINCT
        for stored_as, name in ((s.stored_as or s.name, n) for n in linked_columns(s))
        if large is None or (stored_as, name) in large
    ]
    columns = _large_values(services.database, found)
    first = next(columns, None)
    if first:
        services.large_values.add(document_id, chain([first], columns))


def _large_values(database: Database, columns: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield the stored table, name and distinct values of each large column, to be read one after the other."""
    for stored_as, name in columns:
        values = database.texts(stored_as, name)
        if len(values) > MAX_DISTINCT:
            yield stored_as, name, values
