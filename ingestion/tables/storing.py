"""Typed tables written to SQL; each version of a document has its own table names."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import BigInteger, Boolean, Date, Integer, MetaData, Numeric, Table, Text, inspect, text
from sqlalchemy import Column as SqlColumn
from sqlalchemy.engine import Dialect, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.types import TypeEngine

from tablerag.ingestion.tables.body import BodyRow
from tablerag.ingestion.tables.companions import Companions, hidden_columns
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.ingestion.tables.typing import TypedColumn
from tablerag.tools.errors import StoreUnavailable, UnreadableDocument
from tablerag.tools.records import HIDDEN, HIDDEN_COLUMNS, PAGE, ROW_ID, SOURCE_ROW, TOTAL, ColumnType
from tablerag.tools.sql.backends.backend import SqlBackend
from tablerag.tools.sql.database import Database

__all__ = ["drop_tables", "write_table"]

BATCH_ROWS = 5000
MEMO = 50_000
"""Converted values cached for each column."""
MAX_SCALE = 30
"""Digits after the point of a MySQL DECIMAL."""
MAX_DIGITS = 65
"""Total digits of a MySQL DECIMAL."""


def write_table(database: Database, name: str, table: TypedTable, companions: Sequence[Companions]) -> None:
    """Create and fill a table in batches; it is invisible until the catalog lists it.

    Raises UnreadableDocument if the table does not fit the database, StoreUnavailable if the connection is lost.
    """
    engine, columns = database.engine, _columns(table, companions, database.backend)
    sql_table = Table(name, MetaData(), *columns, mysql_charset="utf8mb4", mysql_collate="utf8mb4_unicode_ci")
    try:
        with engine.begin() as connection:
            sql_table.drop(connection, checkfirst=True)
            sql_table.create(connection)
        statement = _insert(sql_table, engine.dialect)
        for batch in _batches(table, companions, sql_table, engine.dialect):
            with engine.begin() as connection:
                connection.exec_driver_sql(statement, batch)
    except DBAPIError as error:
        drop_tables(engine, [name])
        if error.connection_invalidated:
            raise StoreUnavailable(f"lost the SQL database while writing {table.title!r}: {error.orig}") from error
        raise UnreadableDocument(f"table {table.title!r} does not fit the database: {error.orig}") from error


def _columns(table: TypedTable, companions: Sequence[Companions], backend: SqlBackend) -> list[SqlColumn[Any]]:
    columns = [SqlColumn(ROW_ID, Integer, primary_key=True, autoincrement=False)]
    columns += [SqlColumn(h, _plain_type(HIDDEN_COLUMNS[h])) for h in hidden_columns(table) if h != ROW_ID]
    for name, column, beside in zip(table.names, table.columns, companions, strict=True):
        columns.append(SqlColumn(name, _sql_type(column, backend)))
        columns += [SqlColumn(beside.raw, backend.text_type(column.longest))] if beside.raw else []
        columns += [SqlColumn(n, _plain_type(column.bounds or "text")) for n in (beside.low, beside.high) if n]
    return columns


def _plain_type(type_: ColumnType) -> TypeEngine[Any]:
    return {"integer": BigInteger(), "boolean": Boolean(), "decimal": Numeric(38, 6, asdecimal=False)}.get(
        type_, Text()
    )


def _sql_type(column: TypedColumn, backend: SqlBackend) -> TypeEngine[Any]:
    match column.type:
        case "integer":
            return BigInteger()
        case "decimal":
            return _decimal(*column.digits) or backend.double_type()
        case "date":
            return Date()
        case "datetime":
            return backend.datetime_type(column.has_microseconds)
        case "boolean":
            return Boolean()
    return backend.text_type(column.longest)


def _decimal(whole: int, scale: int) -> TypeEngine[Any] | None:
    """Return a DECIMAL that holds every value exactly; None if there is none."""
    if scale > MAX_SCALE or whole + scale > MAX_DIGITS:
        return None
    return Numeric(max(max(whole, 0) + scale, 1), scale, asdecimal=False)


def _batches(
    table: TypedTable, companions: Sequence[Companions], sql_table: Table, dialect: Dialect
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield rows for the database, in the order of its columns."""
    readers = _readers(table, companions)
    bind = [_Bound(readers[c.name], c, dialect) for c in sql_table.columns if c.name != ROW_ID]
    rows = iter(table.rows())
    first = 1
    while batch := list(islice(rows, BATCH_ROWS)):
        columns = [bound.values(batch) for bound in bind]
        yield list(zip(range(first, first + len(batch)), *columns, strict=True))
        first += len(batch)


class _Bound:
    """A column's values as the driver needs them; each distinct cell is converted once."""

    def __init__(self, read: "_Reader", column: SqlColumn[Any], dialect: Dialect) -> None:
        self._read = read
        self._convert = column.type.dialect_impl(dialect).bind_processor(dialect)
        self._known: dict[Any, Any] = {}

    def values(self, rows: Sequence[BodyRow]) -> list[Any]:
        if self._read.place is None:
            return [self._bound(self._read.of(row)) for row in rows]
        place, known = self._read.place, self._known
        if len(known) > MEMO:
            known.clear()
        found = []
        for row in rows:
            cell = row.cells[place]
            key = cell if type(cell) is str else (type(cell), cell)
            if key not in known:
                known[key] = self._bound(self._read.of(cell))
            found.append(known[key])
        return found

    def _bound(self, value: Any) -> Any:
        return value if value is None or self._convert is None else self._convert(value)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Makes a column's value from the cell at a place, or from the whole row if there is none."""

    of: Callable[[Any], Any]
    place: int | None = None


def _readers(table: TypedTable, companions: Sequence[Companions]) -> dict[str, _Reader]:
    """Return the reader of each stored column except the key."""
    block = table.block
    source_rows, pages = block.source_rows or (), block.pages or ()
    readers: dict[str, _Reader] = {
        SOURCE_ROW: _Reader(lambda row: source_rows[row.index]),
        PAGE: _Reader(lambda row: pages[row.index]),
        HIDDEN: _Reader(lambda row: row.index in block.hidden_rows),
        TOTAL: _Reader(lambda row: row.index in table.totals),
    }
    for i, (name, column, beside) in enumerate(zip(table.names, table.columns, companions, strict=True)):
        readers[name] = _Reader(column.value, i)
        readers[beside.raw] = _Reader(column.raw, i)
        readers[beside.low] = _Reader(lambda cell, c=column: c.ends(cell)[0], i)
        readers[beside.high] = _Reader(lambda cell, c=column: c.ends(cell)[1], i)
    return readers


def _insert(sql_table: Table, dialect: Dialect) -> str:
    """Return an INSERT with one placeholder per column, in the driver's style."""
    quote = dialect.identifier_preparer.quote_identifier
    place = "?" if dialect.paramstyle == "qmark" else "%s"
    # The driver interprets % in a statement.
    names = [quote(n).replace("%", "%%" if place == "%s" else "%") for n in (sql_table.name, *sql_table.columns.keys())]
    columns = ", ".join(names[1:])
    return f"INSERT INTO {names[0]} ({columns}) VALUES ({', '.join([place] * len(names[1:]))})"


def _literal(quoted: str) -> str:
    """Escape colons, which text() reads as parameters."""
    return quoted.replace(":", r"\:")


def drop_tables(engine: Engine, names: Sequence[str]) -> None:
    """Drop the tables that exist among the given names."""
    try:
        with engine.begin() as connection:
            quote = connection.dialect.identifier_preparer.quote_identifier
            present = set(inspect(connection).get_table_names())
            for name in (n for n in names if n in present):
                connection.execute(text(f"DROP TABLE IF EXISTS {_literal(quote(name))}"))
    except SQLAlchemyError as error:
        raise StoreUnavailable(f"cannot drop tables: {error}") from error
