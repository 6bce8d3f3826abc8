"""The SQL database: one engine that writes, and limited sessions in which guarded SELECTs run."""

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from sqlalchemy import Engine, Row, inspect, select
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from tablerag.tools.catalog_tables import TABLES
from tablerag.tools.cells import json_cell
from tablerag.tools.connections.registry import MOST_EXAMINED, Registry
from tablerag.tools.connections.routing import RoutedTables
from tablerag.tools.errors import (
    CommitUnknown,
    DiskFull,
    Interrupted,
    SqlFailed,
    StoreDamaged,
    StoreUnavailable,
    TableLost,
)
from tablerag.tools.full_disk import FREE_SPACE, is_full
from tablerag.tools.records import Cell, SqlResult
from tablerag.tools.sql.backends.backend import Check, shown
from tablerag.tools.sql.backends.opening import open_backend
from tablerag.tools.sql.backends.tables import VERSION, Rows, Statement
from tablerag.tools.sql.query_host import QueryHost
from tablerag.tools.sql.repeating import repeated

if TYPE_CHECKING:
    from tablerag.tools.records import TableSchema
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["Database"]

T = TypeVar("T")
Stage = Literal["connecting", "working", "committing"]
"""How far a transaction has come."""
MAX_MESSAGE = 300
MAX_RESULT_BYTES = 64_000_000


class Database:
    """One SQL database, opened at first use. Safe to share between threads.

    ``query_url`` names the same database for a user who may only SELECT, and may name replicas of it; without it the
    queries of models run as the user of ``url``, in limited sessions all the same. What the program reads for itself
    comes from the hosts of ``url``, as runs rely on it when they write. All that depends on the kind of database is in
    ``backend``.
    """

    def __init__(
        self,
        url: str,
        *,
        query_url: str = "",
        timeout_s: float = 10.0,
        row_limit: int = 1000,
        most_examined: int = MOST_EXAMINED,
    ) -> None:
        self.most_examined = most_examined
        self.backend, self._url, self._query_url = open_backend(url, query_url)
        self.timeout_s = timeout_s
        self.row_limit = row_limit
        self._query_host = QueryHost(self.select, self.has_table, timeout_s)
        self._opened: dict[str, Any] = {}
        self._lock = threading.RLock()

    @property
    def shown_url(self) -> str:
        """The URL without its password."""
        return shown(self._url)

    @property
    def is_server(self) -> bool:
        """Whether other hosts may use it too."""
        return self._url.get_backend_name() != "sqlite"

    @property
    def engine(self) -> Engine:
        """The engine that reads and writes."""
        return self._once("write", self.backend.open_writer)

    @property
    def _reader(self) -> Engine:
        return self._once("read", lambda: self.backend.open_reader(self.timeout_s))

    @property
    def _own_reader(self) -> Engine:
        """The engine with which the program reads what it writes: never from hosts that may be behind."""
        if not self.backend.queries_elsewhere:
            return self._reader
        return self._once("read own", lambda: self.backend.open_reader(self.timeout_s, own=True))

    @property
    def tables(self) -> RoutedTables:
        """The documents' tables and those of connected databases."""
        return self._once("tables", self._open_tables)

    @property
    def connections(self) -> Registry:
        """The connected databases."""
        return self._once("connections", lambda: Registry(self, self.most_examined, self.timeout_s))

    def _open_tables(self) -> RoutedTables:
        return RoutedTables(self.backend.open_tables(self), self.connections)

    def lists(self, stored: str) -> bool:
        """Return whether the catalog lists a stored table: a new version of its document has others."""
        named = TABLES.c.table_schema.contains(f'"{stored}"', autoescape=True)
        return not self.has_table(TABLES.name) or bool(self.select(select(TABLES.c.name).where(named).limit(1)))

    def warm(self) -> None:
        """Start what statements run in, to be ready when the first comes; do nothing if there is no database yet."""
        if not self.backend.missing:
            self.tables.warm()

    def run(self, guarded: "GuardedSql") -> SqlResult:
        """Run a guarded SELECT in a read-only session and return at most ``row_limit`` rows.

        Raises SqlFailed when the database refuses it or it runs too long, StoreUnavailable when the database does not
        answer.
        """
        with self._running(guarded, self.row_limit + 1) as result:
            columns, rows = result.columns, _bounded(result.values, self.row_limit + 1)
        cells = tuple(tuple(json_cell(v) for v in row) for row in rows[: self.row_limit])
        return SqlResult(sql=guarded.shown, columns=columns, rows=cells, truncated=len(rows) > self.row_limit)

    def scan(self, guarded: "GuardedSql", timeout_s: float | None = None) -> Iterator[tuple[Cell, ...]]:
        """Yield a guarded SELECT's rows up to its own LIMIT, however many; raises as run() does.

        ``timeout_s`` is a time limit below that of other statements.
        """
        most = int(guarded.expression.args["limit"].expression.name)
        with self._running(guarded, most, timeout_s) as result:
            for row in result.values:
                yield tuple(json_cell(v) for v in row)

    def select_stored(self, statement: Statement) -> list[tuple[Any, ...]]:
        """Run a SELECT of the program itself over tables.source()s, under the same time limit; raises as run() does."""
        self._check_exists()
        return self.tables.select(statement, self.timeout_s)

    def connected_rows(self, schema: "TableSchema", names: Sequence[str], most: int) -> list[tuple[Any, ...]]:
        """Return columns of the first rows of a connected table; raises as run() does."""
        return self.tables.connected_rows(schema, names, most, self.timeout_s)

    def texts(self, name: str, column: str) -> list[str]:
        """Return the distinct values of a stored column as text, without NULL; raises as run() does."""
        self._check_exists()
        return self.tables.texts(name, column, self.timeout_s)

    def distinct(self, columns: Sequence[tuple[str, str]], most: int) -> list[tuple[int, Any]]:
        """Return the distinct values of stored columns, each given with its table: (place of the column, value).

        At most ``most`` of each column, and no NULL; raises as run() does. Columns of one name may share a place.
        """
        self._check_exists()
        return self.tables.distinct(columns, most, self.timeout_s)

    @repeated
    def select(self, statement: Statement) -> list[Row[Any]]:
        """Run a SELECT of the program itself over the catalog, under the same time limit; raises as run() does."""
        with self._reading_own() as connection:
            return list(connection.execute(statement).all())

    @contextmanager
    def writing(self, doing: str) -> Iterator[Connection]:
        """Yield a connection in a transaction of the program itself; ``doing`` names it in errors.

        Raises Interrupted if the transaction may succeed when it is repeated: see tools/sql/repeating.py.
        """
        stage: Stage = "connecting"
        try:
            with self.engine.connect() as connection, connection.begin() as transaction:
                stage = "working"
                yield connection
                stage = "committing"
                try:
                    transaction.commit()
                except DBAPIError as error:
                    connection.invalidate(error)  # what it may still hold must not be part of the next transaction
                    raise
        except (SQLAlchemyError, UnicodeDecodeError) as error:
            raise self._not_written(doing, error, stage) from error

    def _not_written(self, doing: str, error: SQLAlchemyError | UnicodeDecodeError, stage: Stage) -> StoreUnavailable:
        if stage == "connecting" and self.is_server:
            return StoreUnavailable(str(self._unavailable(error, own=True)))  # nothing was begun that could be repeated
        says = f"could not {doing} in the SQL database: {_message(error)}"
        if is_full(error):
            return DiskFull(f"{says}: {FREE_SPACE}")
        if damage := self.backend.damage(_message(error)):
            return StoreDamaged(damage)
        why = self.backend.interruption(error) if isinstance(error, DBAPIError) and stage != "connecting" else ""
        if why == "lost" and stage == "committing":
            return CommitUnknown(f"{says}. Whether it was done is not known: run the command again")
        return (Interrupted if why else StoreUnavailable)(f"{says}. Try `tablerag doctor`")

    @repeated
    def has_table(self, name: str) -> bool:
        """Tell whether a table exists; never creates the database."""
        if self.backend.missing:
            return False
        with self._reading_own() as connection:
            return inspect(connection).has_table(name)

    def ping(self) -> str:
        """Return the database's name and version; raise StoreUnavailable when one of the users cannot connect."""
        if self.backend.missing:
            return f"{self.backend.name}, created by the first ingest"
        with self._connected(self.engine, own=True):
            pass
        with self.reading() as connection:
            return self.backend.version(connection)

    def rights_beyond_reading(self) -> list[str]:
        """Return what the user of queries may do besides reading, directly or through a role."""
        return self.backend.rights_beyond_reading(self.reading)

    def user_checks(self) -> Iterator[Check]:
        """Check what the user of queries may do."""
        return self.backend.user_checks(self.reading)

    def close(self) -> None:
        """Close every connection; the next use opens new ones."""
        with self._lock:
            for opened in self._opened.values():
                opened.dispose() if isinstance(opened, Engine) else opened.close()
            self._opened.clear()

    def _once(self, key: str, make: Callable[[], T]) -> T:
        with self._lock:
            if key not in self._opened:
                self._opened[key] = make()
            return self._opened[key]

    @contextmanager
    def _connected(self, engine: Engine, *, own: bool = False) -> Iterator[Connection]:
        try:
            connection = engine.connect()
        except (SQLAlchemyError, UnicodeDecodeError) as error:
            raise self._unavailable(error, own) from error
        try:
            yield connection
        finally:
            with suppress(DBAPIError):  # of a server that died after its answer
                connection.close()

    def _check_exists(self) -> None:
        if self.backend.missing:
            raise StoreUnavailable(self._no_database())

    @contextmanager
    def _running(self, guarded: "GuardedSql", most: int, timeout_s: float | None = None) -> Iterator[Rows]:
        self._check_exists()
        try:
            with ExitStack() as stack:
                yield self._begun(stack, guarded, self._seconds(timeout_s), most)
        except MemoryError as error:
            raise SqlFailed("the statement needs more memory than there is: join and repeat shorter texts") from error

    @repeated
    def _begun(self, stack: ExitStack, guarded: "GuardedSql", seconds: float, most: int) -> Rows:
        return stack.enter_context(self.tables.running(guarded, seconds, most))

    @contextmanager
    def reading(self, rows: int | None = None, timeout_s: float | None = None) -> Iterator[Connection]:
        """Yield a connection for a query, which only reads: limited in time, and in rows if asked."""
        with self._connected(self._reader) as connection:
            if self.backend.queries_elsewhere:
                with self._limited(connection, None):
                    self._query_host.catch_up(connection)
            with self._limited(connection, rows, timeout_s):
                yield connection

    @contextmanager
    def _reading_own(self) -> Iterator[Connection]:
        with self._connected(self._own_reader, own=True) as connection, self._limited(connection, None, own=True):
            yield connection

    def _seconds(self, timeout_s: float | None) -> float:
        return self.timeout_s if timeout_s is None else min(timeout_s, self.timeout_s)

    @contextmanager
    def _limited(
        self, connection: Connection, rows: int | None, timeout_s: float | None = None, *, own: bool = False
    ) -> Iterator[None]:
        """Limit a connection, and turn the driver's errors into the project's."""
        seconds = self._seconds(timeout_s)
        try:
            with self.backend.session(connection, seconds, rows):
                yield
        except (DBAPIError, UnicodeDecodeError) as error:
            raise self._failure(error, seconds, own) from error

    def _failure(
        self, error: DBAPIError | UnicodeDecodeError, seconds: float, own: bool
    ) -> SqlFailed | StoreUnavailable:
        # SQLite's message about a damaged schema quotes it, in bytes that need not be UTF-8.
        match self.backend.trouble(error) if isinstance(error, DBAPIError) else "refused":
            case "timed out":
                return SqlFailed(
                    f"the statement ran longer than {seconds:g} s: filter earlier, or join on equal columns"
                )
            case "unavailable":
                return self._unavailable(error, own)
            case "refused" if isinstance(error, DBAPIError) and self.backend.interruption(error):
                return Interrupted(f"the SQL database interrupted a statement: {_message(error)}")
            case "refused" if damage := self.backend.damage(_message(error)):
                return StoreDamaged(damage)
            case "refused" if VERSION.search(gone := self.backend.missing_table(error)):
                return TableLost.of(VERSION.sub("", gone), is_listed=self.lists(gone))
        return SqlFailed(f"the database refused the statement: {_message(error)}")

    def _no_database(self) -> str:
        return f"there is no database at {self._url.database} yet: run `tablerag ingest PATH` first"

    def _unavailable(self, error: SQLAlchemyError | UnicodeDecodeError, own: bool) -> StoreUnavailable:
        if self.backend.missing:
            return StoreUnavailable(self._no_database())
        if damage := self.backend.damage(_message(error)):
            return StoreDamaged(damage)
        url = self._url if own and self.backend.queries_elsewhere else self._query_url
        variable = "TABLERAG_DATABASE_URL" if url == self._url else "TABLERAG_QUERY_DATABASE_URL"
        lost = isinstance(error, DBAPIError) and self.backend.interruption(error)
        says = self.backend.unusable(shown(url), _message(error), variable)
        return (Interrupted if lost else StoreUnavailable)(says)


def _bounded(found: Iterator[Sequence[Any]], count: int) -> list[Sequence[Any]]:
    """Fetch up to ``count`` rows; raise SqlFailed for too much memory and for infinite numbers."""
    rows: list[Sequence[Any]] = []
    size = 0
    for row in islice(found, count):
        size += sum(len(v) for v in row if isinstance(v, str | bytes | bytearray))
        if size > MAX_RESULT_BYTES:
            raise SqlFailed(f"the result is larger than {MAX_RESULT_BYTES // 1_000_000} MB: select fewer columns")
        if any(isinstance(v, float) and math.isinf(v) for v in row):
            # MySQL fails; DuckDB calculates on with infinity.
            raise SqlFailed("a result is out of range: DOUBLE holds at most 1.797e308")
        rows.append(row)
    return rows


def _message(error: SQLAlchemyError | UnicodeDecodeError) -> str:
    """Return the database's own message, in one line, without the statement."""
    original = getattr(error, "orig", None) or error
    text = str(getattr(original, "msg", None) or original)
    line = " ".join(text.split())
    return line if len(line) <= MAX_MESSAGE else line[: MAX_MESSAGE - 1] + "…"
