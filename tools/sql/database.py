"""The SQL database: one engine that writes, and limited sessions in which guarded SELECTs run."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, Row, Select, inspect
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from tablerag.tools.cells import json_cell
from tablerag.tools.errors import ConfigError, SqlFailed, StoreUnavailable
from tablerag.tools.records import Cell, SqlResult
from tablerag.tools.sql import mysql_session, sqlite_session
from tablerag.tools.sql.engines import open_reader, open_writer, parse_url, shown, sqlite_file
from tablerag.tools.sql.functions.refusals import last_refusal

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql
    from tablerag.tools.sql.transpiler import Dialect

__all__ = ["Database"]

CLIENT_GRACE_S = 3.0
"""How much longer than the server's own time limit the client waits before it gives a query up."""
MAX_MESSAGE = 300
MAX_RESULT_BYTES = 64_000_000


class Database:
    """One SQLite file, or one database of a MySQL or MariaDB server; opened at first use.

    ``query_url`` names the same database for a user who may only SELECT; without it the queries of
    models run as the user of ``url``, in limited sessions all the same. Safe to share between threads.
    """

    def __init__(self, url: str, *, query_url: str = "", timeout_s: float = 10.0, row_limit: int = 1000) -> None:
        self._url = parse_url(url, "TABLERAG_DATABASE_URL")
        self._query_url = parse_url(query_url, "TABLERAG_QUERY_DATABASE_URL") if query_url else self._url
        self._file = sqlite_file(self._url)
        if sqlite_file(self._query_url) != self._file or self._query_url.database != self._url.database:
            raise ConfigError(
                f"TABLERAG_QUERY_DATABASE_URL is {shown(self._query_url)}: it must name the same database as "
                f"TABLERAG_DATABASE_URL, {shown(self._url)}"
            )
        self.timeout_s = timeout_s
        self.row_limit = row_limit
        self._engines: dict[str, Engine] = {}
        self._dialect: Dialect | None = "sqlite" if self._file else None
        self._lock = threading.RLock()

    @property
    def shown_url(self) -> str:
        """The URL without its password."""
        return shown(self._url)

    @property
    def name(self) -> str:
        """The database's name, on SQLite its path."""
        return self._url.database or ""

    @property
    def dialect(self) -> "Dialect":
        """What the database speaks; asks the server at first use."""
        if self._dialect is None:
            with self._connected(self._reader) as connection:
                self._dialect = "mariadb" if getattr(connection.dialect, "is_mariadb", False) else "mysql"
        return self._dialect

    @property
    def engine(self) -> Engine:
        """The engine that reads and writes."""
        return self._once("write", lambda: open_writer(self._url))

    @property
    def _reader(self) -> Engine:
        return self._once("read", lambda: open_reader(self._query_url, self.timeout_s, CLIENT_GRACE_S))

    def run(self, guarded: "GuardedSql") -> SqlResult:
        """Run a guarded SELECT in a read-only session and return at most ``row_limit`` rows.

        Raises SqlFailed when the database refuses it or it runs too long, StoreUnavailable when
        the database is not there.
        """
        sql = self._emitted(guarded)
        with self._reading(self.row_limit + 1) as connection, self._fence(connection, guarded):
            result = connection.exec_driver_sql(sql)
            columns, rows = tuple(result.keys()), _bounded(result, self.row_limit + 1)
            if not self._file:
                _check_patterns(connection, sql)
        cells = tuple(tuple(json_cell(v) for v in row) for row in rows[: self.row_limit])
        return SqlResult(sql=guarded.shown, columns=columns, rows=cells, truncated=len(rows) > self.row_limit)

    def scan(self, guarded: "GuardedSql") -> Iterator[tuple[Cell, ...]]:
        """Yield a guarded SELECT's rows up to its own LIMIT, however many; raises as run() does."""
        sql = self._emitted(guarded)
        most = int(guarded.expression.args["limit"].expression.name)
        with self._reading(most) as connection, self._fence(connection, guarded):
            for row in connection.exec_driver_sql(sql):
                yield tuple(json_cell(v) for v in row)

    def select(self, statement: Select[Any]) -> list[Row[Any]]:
        """Run a SELECT of the project's own, under the same time limit; raises as run() does."""
        with self._reading() as connection:
            return list(connection.execute(statement).all())

    def has_table(self, name: str) -> bool:
        """Tell whether a table exists; never creates the SQLite file."""
        if self._file and not self._file.exists():
            return False
        with self._reading() as connection:
            return inspect(connection).has_table(name)

    def ping(self) -> str:
        """Return the server and its version; raise StoreUnavailable when one of the users cannot connect."""
        if self._file and not self._file.exists():
            return "SQLite, made by the first ingest"
        with self._connected(self.engine):
            pass
        function = "SQLITE_VERSION()" if self._file else "VERSION()"
        with self._reading() as connection:
            version = connection.exec_driver_sql(f"SELECT {function}").scalar()
        name = {"sqlite": "SQLite", "mysql": "MySQL", "mariadb": "MariaDB"}[self.dialect]
        return f"{name} {version}"

    def rights_beyond_reading(self) -> list[str]:
        """Return what the user of queries may do beside reading, by itself or in a role; nothing on SQLite."""
        return sorted({p for grant in self.query_grants() for p in mysql_session.writing_privileges(grant)})

    def query_grants(self) -> list[str]:
        """Return the lines of SHOW GRANTS for the user of queries and, in turn, for the roles it was given."""
        if self._file:
            return []
        grants = self._grants("SHOW GRANTS")
        asked: set[str] = set()
        for grant in grants:  # which grows while roles are found
            role = mysql_session.granted_role(grant)
            if role and role not in asked:
                asked.add(role)
                try:
                    grants += self._role_grants(role)
                except (SqlFailed, StoreUnavailable):
                    # What a role may do and does not tell has to be taken for anything.
                    grants.append(f"GRANT ALL PRIVILEGES OF ROLE {role} ON *.* TO CURRENT_USER")
        return grants

    def _grants(self, sql: str) -> list[str]:
        with self._reading() as connection:
            return [str(row[0]) for row in connection.exec_driver_sql(sql)]

    def _role_grants(self, role: str) -> list[str]:
        if self.dialect == "mysql":
            return self._grants(f"SHOW GRANTS FOR CURRENT_USER USING {role}")
        with self._reading() as connection:
            # MariaDB tells of a role only to whoever has taken it; the connection is not used again.
            connection.exec_driver_sql(f"SET ROLE {role}")
            grants = [str(row[0]) for row in connection.exec_driver_sql("SHOW GRANTS")]
            connection.invalidate()
            return grants

    def session_facts(self) -> dict[str, str]:
        """Return what limits a session of queries, as the database itself says."""
        with self._reading(1) as connection:
            if self._file:
                return {"query_only": str(connection.exec_driver_sql("PRAGMA query_only").scalar())}
            names = ("max_statement_time", "max_execution_time", "tx_read_only", "transaction_read_only")
            said: list[Row[Any]] = []
            for name in names:
                said += connection.exec_driver_sql(f"SHOW SESSION VARIABLES LIKE '{name}'").all()
            return {str(name): str(value) for name, value in said}

    @property
    def query_user_is_separate(self) -> bool:
        """Whether queries run as another user than writes; on SQLite their sessions are other ones anyway."""
        return bool(self._file) or self._query_url.username != self._url.username

    def close(self) -> None:
        """Close every connection; the next use opens new ones."""
        with self._lock:
            for engine in self._engines.values():
                engine.dispose()
            self._engines.clear()

    def _once(self, key: str, make: Callable[[], Engine]) -> Engine:
        with self._lock:
            if key not in self._engines:
                self._engines[key] = make()
            return self._engines[key]

    def _emitted(self, guarded: "GuardedSql") -> str:
        # here: the catalog's own statements need no parser, and it takes longer to load than they do to run
        from tablerag.tools.sql.transpiler import emit

        return emit(guarded, self.dialect)

    def _fence(self, connection: Connection, guarded: "GuardedSql") -> AbstractContextManager[None]:
        if self._file:
            return sqlite_session.only_reading(_driver_connection(connection), guarded.stored_tables)
        return nullcontext()

    @contextmanager
    def _connected(self, engine: Engine) -> Iterator[Connection]:
        try:
            connection = engine.connect()
        except SQLAlchemyError as error:
            raise self._unavailable(error) from error
        with connection:
            yield connection

    @contextmanager
    def _reading(self, rows: int | None = None) -> Iterator[Connection]:
        """Give a connection that only reads, for one statement: bounded in time, and in rows if asked."""
        with self._connected(self._reader) as connection:
            driver = _driver_connection(connection)
            session_id = getattr(driver, "connection_id", None)
            watch = sqlite_session.deadline(driver, self.timeout_s) if self._file else nullcontext()
            try:
                with watch:
                    if not self._file:
                        connection.exec_driver_sql(f"SET SESSION sql_select_limit = {rows or 'DEFAULT'}")
                    yield connection
            except DBAPIError as error:
                if mysql_session.client_gave_up(error.orig):
                    connection.invalidate()
                    self._kill(session_id)
                raise self._refusal(error) from error
            except MemoryError as error:
                raise SqlFailed(
                    "the statement needs more memory than there is: join and repeat shorter texts"
                ) from error

    def _kill(self, connection_id: int) -> None:
        """End the statement that the client no longer waits for."""
        with self._connected(self._reader) as connection:
            try:
                connection.exec_driver_sql(f"KILL {int(connection_id)}")
            except DBAPIError:
                return  # It ended by itself in between.

    def _refusal(self, error: DBAPIError) -> SqlFailed | StoreUnavailable:
        number = getattr(error.orig, "errno", None)
        interrupted = self._file and "interrupted" in str(error.orig)
        if interrupted or number in mysql_session.TIMED_OUT or mysql_session.client_gave_up(error.orig):
            return SqlFailed(
                f"the statement ran longer than {self.timeout_s:g} s: filter earlier, or join on equal columns"
            )
        if error.connection_invalidated or number in mysql_session.UNREACHABLE or _file_is_broken(error):
            return self._unavailable(error)
        if "user-defined" in str(error.orig) and self._file:
            by_function = last_refusal() or "a function was given more than it may work through: shorten texts first"
            return SqlFailed(f"the database refused the statement: {by_function}")
        return SqlFailed(f"the database refused the statement: {_message(error)}")

    def _unavailable(self, error: SQLAlchemyError) -> StoreUnavailable:
        if self._file and not self._file.exists():
            return StoreUnavailable(f"there is no database at {self._file} yet: run `tablerag ingest PATH` first")
        name = f"the SQL database {self._file or shown(self._query_url)} does not answer"
        mend = "see that the file can be read" if self._file else "start the server"
        of_its_own = self._query_url != self._url
        variable = "TABLERAG_QUERY_DATABASE_URL" if of_its_own else "TABLERAG_DATABASE_URL"
        return StoreUnavailable(f"{name} ({_message(error)}): {mend}, or mend {variable}")


def _driver_connection(connection: Connection) -> Any:
    return connection.connection.dbapi_connection


def _bounded(result: Any, count: int) -> list[Row[Any]]:
    """Fetch up to ``count`` rows; raise SqlFailed when they take more memory than a result may."""
    rows: list[Row[Any]] = []
    size = 0
    while len(rows) < count and (row := result.fetchone()) is not None:
        size += sum(len(v) for v in row if isinstance(v, str | bytes | bytearray))
        if size > MAX_RESULT_BYTES:
            raise SqlFailed(f"the result is larger than {MAX_RESULT_BYTES // 1_000_000} MB: select fewer columns")
        rows.append(row)
    return rows


def _check_patterns(connection: Connection, sql: str) -> None:
    """Raise SqlFailed where the server gave a regular expression up: it says "no match" then, with a warning."""
    if "REGEXP" not in sql.upper():
        return
    for warning in connection.exec_driver_sql("SHOW WARNINGS"):
        if int(warning[1]) == mysql_session.PATTERN_GIVEN_UP:
            raise SqlFailed(f"the server gave a regular expression up ({warning[2]}): write a simpler pattern")


def _file_is_broken(error: DBAPIError) -> bool:
    return any(
        sign in str(error.orig) for sign in ("not a database", "malformed", "disk I/O", "unable to open", "is locked")
    )


def _message(error: SQLAlchemyError) -> str:
    """Return the database's own message, in one line, without the statement."""
    original = getattr(error, "orig", None) or error
    text = str(getattr(original, "msg", None) or original)
    line = " ".join(text.split())
    return line if len(line) <= MAX_MESSAGE else line[: MAX_MESSAGE - 1] + "…"
