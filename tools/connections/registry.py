"""The connections of a deployment, kept in its catalog, and their engines, opened at first use."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import ValidationError
from sqlalchemy import Row, Select, delete, select

from tablerag.tools.catalog_tables import CONNECTIONS, TABLES
from tablerag.tools.connections.connection import SERVERS, Connection, password_variable
from tablerag.tools.connections.kept_passwords import password_in_keyring
from tablerag.tools.errors import ConfigError, SqlFailed, StoreDamaged, TableLost
from tablerag.tools.records import TableSchema
from tablerag.tools.settings import password_in
from tablerag.tools.sql.repeating import repeated

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from sqlalchemy.engine import Connection as SqlConnection

    from tablerag.tools.connections.engine import ConnectedEngine

__all__ = ["CONNECTED", "MOST_EXAMINED", "Registry", "connection_of", "open_engine", "stored_name"]

CONNECTED = "@"
"""In the stored names of connected tables: ``connection@table__document_0``; no table of a document has it."""
MOST_EXAMINED = 200_000_000
TIMEOUT_S = 10.0
ID_CHARS = 12


class Catalogued(Protocol):
    """What a registry needs of the database of the catalog."""

    def select(self, statement: Select) -> list[Row[Any]]: ...

    def has_table(self, name: str) -> bool: ...

    def writing(self, doing: str) -> "AbstractContextManager[SqlConnection]": ...


def stored_name(connection: str, name: str, document_id: str) -> str:
    """Return the stored name of a connected table."""
    return f"{connection}{CONNECTED}{name}__{document_id[:ID_CHARS]}_0"


def connection_of(stored: str) -> str:
    """Return the connection of a stored table; "" for a table of a document."""
    name, found, _ = stored.partition(CONNECTED)
    return name if found else ""


class Registry:
    """Reads and writes the connections; keeps one engine for each. Safe to share between threads."""

    def __init__(self, database: Catalogued, most_examined: int = MOST_EXAMINED, timeout_s: float = TIMEOUT_S) -> None:
        self._database, self._most, self._timeout_s = database, most_examined, timeout_s
        self._engines: dict[tuple[str, str], ConnectedEngine] = {}
        self._lock = threading.RLock()

    def all(self) -> list[Connection]:
        """Return the connections by name."""
        if not self._database.has_table(CONNECTIONS.name):
            return []
        rows = self._database.select(select(CONNECTIONS.c.record).order_by(CONNECTIONS.c.name))
        return [_read(r.record) for r in rows]

    def get(self, name: str) -> Connection:
        """Return a connection; raise ConfigError for an unknown one."""
        every = self.all()
        found = next((c for c in every if c.name.casefold() == name.casefold()), None)
        if found is None:
            known = f"expected one of {', '.join(c.name for c in every)}" if every else "there is none"
            raise ConfigError(f"unknown connection {name[:40]!r}: {known}")
        return found

    @repeated
    def save(self, connection: Connection) -> None:
        """Write a connection in place of one of its name."""
        with self._database.writing("save a connection") as writer:
            writer.execute(delete(CONNECTIONS).where(CONNECTIONS.c.name == connection.name))
            writer.execute(CONNECTIONS.insert(), {"name": connection.name, "record": connection.model_dump_json()})

    @repeated
    def delete(self, name: str) -> None:
        """Forget a connection."""
        with self._database.writing("delete a connection") as writer:
            writer.execute(delete(CONNECTIONS).where(CONNECTIONS.c.name == name))

    def engine(self, name: str) -> "ConnectedEngine":
        """Return the engine of a connection; raise SqlFailed if there is no such connection any more."""
        try:
            connection = self.get(name)
        except ConfigError as error:
            raise SqlFailed(str(error)) from error
        return self._engine(connection, lambda: self._open(connection))

    def _open(self, connection: Connection) -> "ConnectedEngine":
        return open_engine(connection, most_examined=self._most, timeout_s=self._timeout_s)

    def _engine(self, connection: Connection, made: "Callable[[], ConnectedEngine]") -> "ConnectedEngine":
        with self._lock:
            key = connection.name, connection.url
            if key not in self._engines:
                self._engines[key] = made()
            return self._engines[key]

    def schema(self, stored: str) -> TableSchema:
        """Return the schema of a connected table by its stored name; raise TableLost without one."""
        begins = stored.rpartition("__")[2].partition("_")[0]
        of = (TABLES.c.table_id >= begins) & (TABLES.c.table_id < f"{begins}~")
        if self._database.has_table(TABLES.name):
            for row in self._database.select(select(TABLES.c.table_schema).where(of)):
                schema = TableSchema.model_validate_json(row.table_schema)
                if schema.stored_as == stored:
                    return schema
        raise TableLost.of(stored.partition(CONNECTED)[2].rpartition("__")[0], is_listed=False)

    def stored_names(self) -> set[str]:
        """Return the stored names of all connected tables."""
        if not (self._database.has_table(TABLES.name) and self.all()):
            return set()
        like = TABLES.c.table_schema.contains('"origin":{', autoescape=True)
        rows = self._database.select(select(TABLES.c.table_schema).where(like))
        found = (TableSchema.model_validate_json(r.table_schema) for r in rows)
        return {s.stored_as for s in found if s.origin}

    def close(self) -> None:
        """Close the engines."""
        with self._lock:
            while self._engines:
                self._engines.popitem()[1].close()


def open_engine(
    connection: Connection,
    password: str = "",
    *,
    most_examined: int = MOST_EXAMINED,
    timeout_s: float = TIMEOUT_S,
) -> "ConnectedEngine":
    """Return the engine of a connection, not opened yet."""
    if not password and connection.url.partition(":")[0] in SERVERS:
        password = password_in(password_variable(connection.name)) or password_in_keyring(connection.name)
    match connection.engine:
        case "SQLite":
            from tablerag.tools.connections.sqlite import SqliteEngine

            return SqliteEngine(connection, most_examined)
        case "DuckDB" | "Parquet":
            from tablerag.tools.connections.duckdb import DuckDbEngine

            return DuckDbEngine(connection, most_examined)
        case "MySQL":
            from tablerag.tools.connections.mysql import MysqlEngine

            return MysqlEngine(connection, password, most_examined, timeout_s)
        case _:
            from tablerag.tools.connections.postgresql import PostgresEngine

            return PostgresEngine(connection, password, most_examined)


def _read(text: str) -> Connection:
    try:
        return Connection.model_validate_json(text)
    except ValidationError as error:
        raise StoreDamaged("the catalog has a damaged connection: disconnect it and connect it again") from error
