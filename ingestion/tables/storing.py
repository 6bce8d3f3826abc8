"""Typed tables written to SQL; each version of a document has its own table names."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from tablerag.ingestion.tables.companions import Companions, hidden_columns
from tablerag.ingestion.tables.copied import copied_places, plain_file
from tablerag.ingestion.tables.stored_columns import stored_columns
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.ingestion.tables.typing.cells import MISSING
from tablerag.tools.errors import UnreadableDocument
from tablerag.tools.records import HIDDEN_COLUMNS, ROW_ID
from tablerag.tools.sql.backends.tables import Batch, StoredColumn
from tablerag.tools.sql.database import Database

__all__ = ["write_table"]

BATCH_ROWS = 5000
MOST_DIGITS = 38
LEAST_DECIMALS, MOST_DECIMALS = 6, 30
"""Decimals of the ends of ranges."""
EXACT_DIGITS = 15
"""A float represents every decimal of so many digits, and is made faster than a Decimal."""


def write_table(database: Database, name: str, table: TypedTable, companions: Sequence[Companions]) -> None:
    """Create and fill a table in batches; it is invisible until the catalog lists it.

    Raises UnreadableDocument if the table does not fit the database, StoreUnavailable if it cannot be written.
    """
    columns = list(_columns(table, companions))
    file = plain_file(table, companions)
    try:
        if file:
            placed = list(zip(columns, copied_places(table, companions), strict=True))
            if database.tables.copy(name, placed, file, sorted(MISSING)):
                return
        database.tables.write(name, columns, _batches(table, companions, columns))
    except UnreadableDocument as error:
        raise UnreadableDocument(f"table {table.title or name.rpartition('__')[0]!r} {error}") from error


def _columns(table: TypedTable, companions: Sequence[Companions]) -> Iterator[StoredColumn]:
    for name in hidden_columns(table):
        yield StoredColumn(name, HIDDEN_COLUMNS[name], is_key=name == ROW_ID)
    for name, column, beside in zip(table.names, table.columns, companions, strict=True):
        yield StoredColumn(name, column.type, column.digits, column.longest, column.has_microseconds)
        if beside.raw:
            yield StoredColumn(beside.raw, "text", longest=column.longest)
        for end in (beside.low, beside.high):
            if end:
                after = min(max(LEAST_DECIMALS, column.digits[1]), MOST_DECIMALS)
                yield StoredColumn(end, column.bounds or "text", (MOST_DIGITS - after, after))


def _batches(table: TypedTable, companions: Sequence[Companions], columns: Sequence[StoredColumn]) -> Iterator[Batch]:
    """Yield the values of rows by column, in the order of the columns."""
    numbers = {c.name: float if sum(c.digits) <= EXACT_DIGITS else Decimal for c in columns}
    first = 1
    for values in stored_columns(table, companions, BATCH_ROWS, numbers):
        count = len(next(iter(values.values()))) if values else 0
        yield [range(first, first + count) if c.name == ROW_ID else values[c.name] for c in columns]
        first += count
