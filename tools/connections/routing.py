"""Which database a statement runs on: the documents' own, or a connected one, by the stored names of its tables."""

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import FromClause, table
from sqlalchemy.dialects import mysql

from tablerag.tools.connections.engine import CONNECT_S, LOCK_S, SOURCE
from tablerag.tools.connections.patience import is_guessing, is_waited_for
from tablerag.tools.connections.registry import CONNECTED, connection_of
from tablerag.tools.connections.waiting import GLANCE_LOCK_S, GLANCE_S, Waits
from tablerag.tools.errors import TableAway, TableChanged
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.backends.tables import (
    Batch,
    PlainFile,
    Read,
    Rows,
    SessionFacts,
    Statement,
    StoredColumn,
    StoredTables,
)

if TYPE_CHECKING:
    from tablerag.tools.connections.connection import Connection
    from tablerag.tools.connections.engine import ConnectedEngine
    from tablerag.tools.connections.joining import Joiner
    from tablerag.tools.connections.registry import Registry
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["RoutedTables"]

MOST_ROWS = 100_000
ANSWER_S = 1.0
"""How long a server may take to answer, beside what it may take to accept the session."""
OWN_ALIAS = re.compile(rf"(?<!\w)[\"'`]?{SOURCE}\d*[\"'`]?\.")
"""The name of a table in its subquery, before a column: it is in no statement that anybody wrote."""
KEPT = 2_048


class RoutedTables(StoredTables):
    """The documents' tables and those of connected databases; only the former can be written."""

    def __init__(self, own: StoredTables, registry: "Registry") -> None:
        self.own, self._registry = own, registry
        self._schema = lru_cache(maxsize=KEPT)(registry.schema)  # a stored name stands for one version of a schema
        self._lock = threading.Lock()
        self._opened: Joiner | None = None
        self._waits = Waits()

    def write(self, name: str, columns: Sequence[StoredColumn], batches: Iterable[Batch]) -> None:
        self.own.write(name, columns, batches)

    def copy(
        self, name: str, columns: Sequence[tuple[StoredColumn, int]], file: PlainFile, blank: Sequence[str]
    ) -> bool:
        return self.own.copy(name, columns, file, blank)

    def drop(self, names: Sequence[str]) -> None:
        self.own.drop([n for n in names if CONNECTED not in n])

    def names(self) -> set[str]:
        return self.own.names() | self._registry.stored_names()

    def whole(self, names: Iterable[str]) -> set[str]:
        wanted = set(names)
        connected = {n for n in wanted if CONNECTED in n}
        return self.own.whole(wanted - connected) | (connected & self._registry.stored_names() if connected else set())

    def read_files(self, names: Iterable[str], most_bytes: int) -> Read:
        return self.own.read_files([n for n in names if CONNECTED not in n], most_bytes)

    def columns(self, name: str) -> set[str]:
        return set(self._schema(name).stored_columns()) if CONNECTED in name else self.own.columns(name)

    def count_rows(self, name: str) -> int:
        # Of a connected table nothing is stored that could differ.
        return self._schema(name).row_count if CONNECTED in name else self.own.count_rows(name)

    def source(self, name: str) -> FromClause:
        return table(name) if CONNECTED in name else self.own.source(name)

    def select(self, statement: Statement, timeout_s: float) -> list[tuple[Any, ...]]:
        froms = getattr(statement, "get_final_froms", list)()
        name = next((n for f in froms if CONNECTED in (n := str(getattr(f, "name", "")))), "")
        if not name:
            return self.own.select(statement, timeout_s)
        from tablerag.tools.sql.guard import guard

        schema = self._schema(name).model_copy(update={"name": name})
        text = str(statement.compile(dialect=mysql.dialect(), compile_kwargs={"literal_binds": True}))
        guarded = guard(text.replace("%%", "%"), [schema], row_limit=MOST_ROWS)
        with self.running(guarded, timeout_s, MOST_ROWS) as rows:
            return [tuple(row) for row in rows.values]

    def connected_rows(
        self, schema: TableSchema, names: Sequence[str], most: int, timeout_s: float
    ) -> list[tuple[Any, ...]]:
        """Return columns of the first rows of a connected table."""
        with self._trying(connection_of(schema.stored_as), [schema.stored_as]) as (engine, lock_s):
            return engine.rows(schema, names, most, timeout_s, lock_s)

    def shapes(self, connection: "Connection") -> dict[str, str]:
        """Return what tells that the columns of a connected database have changed, by the names of its tables."""
        with self._trying(connection.name, ()) as (engine, lock_s):
            return engine.shapes(connection.database_schema, lock_s)

    def has_failed(self, name: str) -> bool:
        """Return whether a connected table could not be read when it last was to be."""
        return self._waits.has_failed(connection_of(name), name)

    def wait_again(self, *, tables: bool = False) -> None:
        """Wait for locked tables as long as for the first; with ``tables``, also for those waited for in vain."""
        self._waits.forget(tables=tables)

    def texts(self, name: str, column_: str, timeout_s: float) -> list[str]:
        if CONNECTED not in name:
            return self.own.texts(name, column_, timeout_s)
        return [str(value) for _, value in self.distinct([(name, column_)], MOST_ROWS, timeout_s)]

    def distinct(self, columns: Sequence[tuple[str, str]], most: int, timeout_s: float) -> list[tuple[int, Any]]:
        if not any(CONNECTED in name for name, _ in columns):
            return self.own.distinct(columns, most, timeout_s)
        found: list[tuple[int, Any]] = []
        by_table: dict[str, list[int]] = {}
        for place, (name, _) in enumerate(columns):
            by_table.setdefault(name, []).append(place)
        for name, places in by_table.items():
            schema, wanted = self._schema(name), [columns[p][1] for p in places]
            with self._trying(connection_of(name), [name]) as (engine, lock_s):
                values = engine.distinct(schema, wanted, most, timeout_s, lock_s)
                found += [(places[i], value) for i, value in values]
        return found

    def running(self, guarded: "GuardedSql", timeout_s: float, most: int) -> AbstractContextManager[Rows]:
        names = dict.fromkeys(connection_of(name) for name in guarded.stored_tables)
        if len(names) > 1:
            return self._joiner.running(guarded, timeout_s, most)
        name = next(iter(names), "")
        if not name:
            return self.own.running(guarded, timeout_s, most)
        return self._connected(name, guarded, timeout_s, most)

    @contextmanager
    def _connected(self, name: str, guarded: "GuardedSql", timeout_s: float, most: int) -> Iterator[Rows]:
        with (
            self._trying(name, guarded.stored_tables, is_needed=not is_guessing()) as (engine, lock_s),
            engine.running(guarded, timeout_s, most, lock_s) as rows,
        ):
            yield rows

    @contextmanager
    def _trying(
        self, name: str, tables: Iterable[str], *, is_needed: bool = False
    ) -> "Iterator[tuple[ConnectedEngine, float]]":
        """Yield an engine as _told() does; what a question may not need is only waited for if the question names it."""
        waits = is_needed or is_waited_for(name)
        longest = (LOCK_S, CONNECT_S + ANSWER_S) if waits else (GLANCE_LOCK_S, GLANCE_S)
        with self._told(name, tables, *longest) as told:
            yield told

    @contextmanager
    def _told(
        self, name: str, tables: Iterable[str], lock_s: float, answer_s: float
    ) -> "Iterator[tuple[ConnectedEngine, float]]":
        """Yield the engine of a database that answers within so many seconds, and how long to wait for locks.

        Adds to its errors what to do.
        """
        try:
            with self._waits.watched(name, tables, lock_s) as waits_s:
                engine = self._registry.engine(name)
                if engine.is_server:
                    self._waits.check_answers(name, engine.answer, answer_s)
                yield engine, waits_s
        except TableAway as error:
            raise error.once_connected() from error
        except TableChanged as error:
            said = OWN_ALIAS.sub("", str(error))
            told = TableChanged(f"{said}: {TableChanged.advice} {name}`")
            told.connection = name
            raise told from error

    @property
    def _joiner(self) -> "Joiner":
        from tablerag.tools.connections.joining import Joiner

        with self._lock:
            if self._opened is None:
                self._opened = Joiner(self.own, self.running)
            return self._opened

    def session_facts(self) -> SessionFacts:
        return self.own.session_facts()

    def warm(self) -> None:
        self.own.warm()

    def close(self) -> None:
        with self._lock:
            if self._opened is not None:
                self._opened.close()
            self._opened = None
        self.own.close()
        self._registry.close()
