"""MySQL and MariaDB: driver options, the limits set on each connection, and what the query user may do."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from mysql.connector.constants import ClientFlag
from mysql.connector.errors import ConnectionTimeoutError, ReadTimeoutError
from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from tablerag.tools.errors import ConfigError, SqlFailed, StoreUnavailable
from tablerag.tools.sql.backends.backend import (
    CONNECT_S,
    MAX_JOINED_TEXT,
    MAX_STEPS,
    Check,
    Reading,
    SqlBackend,
    Trouble,
    shown,
)
from tablerag.tools.sql.backends.grants import granted_role, reads_beyond, writing_privileges
from tablerag.tools.sql.backends.server_tables import ServerTables, collation_of
from tablerag.tools.sql.backends.tables import VERSION, Connections, StoredTables

__all__ = ["MysqlBackend", "limits_for"]

CONNECTED = "utf8mb4_unicode_ci"
"""Collation in which a connection begins: the driver does not know those of MariaDB."""
RECYCLE_S = 1800
CLIENT_GRACE_S = 3.0
"""How much longer than the server's own time limit the client waits for a result."""
MOST_OVERDUE = 2
"""Statements that may run on after KILL; then no more are begun until one ends."""
TIMED_OUT = frozenset({1317, 1969, 3024})
"""Error numbers of an ended statement: interrupted, MariaDB's and MySQL's time limit."""
UNREACHABLE = frozenset({1040, 1044, 1045, 1049, 1129, 1130, 1226, 2002, 2003, 2005, 2006, 2013, 2055})
"""Error numbers of a server or database that cannot be used, whatever the statement."""
RACES = frozenset({1007, 1020, 1050, 1060, 1061, 1062, 1146, 1205, 1213, 1412, 1684})
"""Error numbers of hosts that create tables together, as servers do so outside of transactions: what exists already,
what is not visible yet, and what waits for the other host."""
NO_TABLE = 1146
MISSING = re.compile(r"Table '[^'.]*\.([^']+)'")
FIX_USER = "set TABLERAG_QUERY_DATABASE_URL to a SELECT-only user"


class MysqlBackend(SqlBackend):
    """A SqlBackend on one database of a MySQL or MariaDB server."""

    name = "MySQL or MariaDB"
    hint = "start the server, or fix {variable}"

    def __init__(self, url: URL, query_url: URL) -> None:
        self._url, self._query_url = url, query_url
        self._timeout_s = 0.0
        self._overdue: set[int] = set()
        """Connections whose statement was killed; a server ends some functions only when they are done."""

    @staticmethod
    def check_url(url: URL, setting: str) -> None:
        if not url.database:
            raise ConfigError(f"{setting} is {shown(url)}, which names no database: write it after the last slash")

    def open_writer(self) -> Engine:
        """Return an engine that reads and writes; no value is cut or changed to fit its column."""
        mode = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'"
        # Under the default, REPEATABLE READ, writers of different documents deadlock over gaps between rows.
        return _engine(self._url, _options(), lambda _: [mode], "READ COMMITTED")

    def open_reader(self, timeout_s: float, connect_s: int = CONNECT_S) -> Engine:
        """Return an engine whose sessions only read; the client waits a little longer than the server runs."""
        self._timeout_s = timeout_s
        options = _options() | {
            "connection_timeout": connect_s,
            "read_timeout": max(1, round(timeout_s + CLIENT_GRACE_S)),
        }
        return _engine(self._query_url, options, lambda version: limits_for(version, timeout_s), "AUTOCOMMIT")

    def open_tables(self, database: Connections) -> StoredTables:
        return ServerTables(database)

    @contextmanager
    def session(self, connection: Connection, timeout_s: float, rows: int | None) -> Iterator[None]:
        """Limit the rows, and the time if it is shorter than the session's. End what the client no longer waits for."""
        driver: Any = connection.connection.dbapi_connection
        number = driver.connection_id
        shorter, mariadb = timeout_s < self._timeout_s, _is_mariadb(connection)
        self._watch(connection)
        try:
            connection.exec_driver_sql(f"SET SESSION sql_select_limit = {rows or 'DEFAULT'}")
            if shorter:
                connection.exec_driver_sql(f"SET SESSION {_time_limit(mariadb, timeout_s)}")
            yield
        except DBAPIError as error:
            if isinstance(error.orig, ReadTimeoutError):
                connection.invalidate()
                _kill(connection.engine, number)
                self._overdue.add(number)
            raise
        finally:
            if shorter and not connection.invalidated:
                connection.exec_driver_sql(f"SET SESSION {_time_limit(mariadb, self._timeout_s)}")

    def _watch(self, connection: Connection) -> None:
        """Raise StoreUnavailable while MOST_OVERDUE statements still run: each holds a core of the server."""
        if len(self._overdue) < MOST_OVERDUE:
            return
        rows = connection.exec_driver_sql("SELECT id FROM information_schema.processlist WHERE info IS NOT NULL")
        self._overdue &= {int(number) for (number,) in rows}
        if len(self._overdue) >= MOST_OVERDUE:
            raise StoreUnavailable(
                f"the server still runs {MOST_OVERDUE} statements that were killed after their time limit: try again "
                f"later, or restart the server (connections {', '.join(map(str, sorted(self._overdue)))})"
            )

    def trouble(self, error: DBAPIError) -> Trouble:
        number = getattr(error.orig, "errno", None)
        if isinstance(error.orig, ConnectionTimeoutError):
            return "unavailable"  # its number is that of a slow statement
        if number in TIMED_OUT or isinstance(error.orig, ReadTimeoutError):
            return "timed out"
        return "unavailable" if error.connection_invalidated or number in UNREACHABLE else "refused"

    def missing_table(self, error: Exception) -> str:
        cause = getattr(error, "orig", None)
        found = MISSING.search(str(cause)) if getattr(cause, "errno", None) == NO_TABLE else None
        return found[1] if found else ""

    def is_race(self, error: DBAPIError) -> bool:
        return getattr(error.orig, "errno", None) in RACES

    def migrate(self) -> Iterator[tuple[int, str]]:
        """Give tables that an older version wrote the collation of new ones, as texts of both cannot be compared."""
        engine = self.open_writer()
        with engine.connect() as connection:
            collation = collation_of(str(connection.exec_driver_sql("SELECT VERSION()").scalar()))
            found = connection.exec_driver_sql(
                "SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = DATABASE()"
                " AND collation_name <> %s",
                (collation,),
            )
            names = [str(name) for (name,) in found if VERSION.search(str(name))]
            for name in names:
                quoted = connection.dialect.identifier_preparer.quote_identifier(name).replace("%", "%%")
                connection.exec_driver_sql(f"ALTER TABLE {quoted} CONVERT TO CHARACTER SET utf8mb4 COLLATE {collation}")
                yield len(names), name
        engine.dispose()

    def version(self, connection: Connection) -> str:
        name = "MariaDB" if _is_mariadb(connection) else "MySQL"
        return f"{name} {connection.exec_driver_sql('SELECT VERSION()').scalar()}"

    def rights_beyond_reading(self, reading: Reading) -> list[str]:
        return sorted({p for grant in _query_grants(reading) for p in writing_privileges(grant)})

    def user_checks(self, reading: Reading) -> Iterator[Check]:
        """Check that queries run as a user of their own, who reads this database and does nothing else."""
        separate = self._query_url.username != self._url.username
        says = "yes" if separate else f"no: {FIX_USER}"
        yield Check("query user is separate", "ok" if separate else "warning", says)
        grants, name = _query_grants(reading), self._url.database or ""
        rights = sorted({p for grant in grants for p in writing_privileges(grant)})
        says = f"it may {', '.join(rights[:8])}: {FIX_USER}" if rights else "SELECT only"
        yield Check("query user can only read", "warning" if rights else "ok", says)
        beyond = any(reads_beyond(g, name) for g in grants)
        more, only = f"it reads more than {name}: grant SELECT on {name}.* only", f"it reads {name} and nothing else"
        yield Check("query user reads this database", "warning" if beyond else "ok", more if beyond else only)
        sees = any("PROCESS" in g or "ALL PRIVILEGES" in g for g in grants)
        yield Check(
            "query user sees no other sessions", "warning" if sees else "ok", "it has PROCESS" if sees else "yes"
        )
        yield _server_limit(reading)


def _server_limit(reading: Reading) -> Check:
    """Check that the server ends statements too: a session's own limit is only as good as what sets it."""
    what = "server limits the time of statements"
    with reading() as connection:
        name, unit = ("max_statement_time", "s") if _is_mariadb(connection) else ("max_execution_time", "ms")
        found = connection.exec_driver_sql(f"SHOW GLOBAL VARIABLES LIKE '{name}'").all()
    limit = float(found[0][1]) if found else 0.0
    if limit > 0:
        return Check(what, "ok", f"{name} is {limit:g} {unit}")
    return Check(what, "warning", f"{name} is not set: SET GLOBAL {name}, and add it to the server's configuration")


def _is_mariadb(connection: Connection) -> bool:
    return getattr(connection.dialect, "is_mariadb", False)


def _options() -> dict[str, Any]:
    """Return the driver's options."""
    # The defaults would run "SELECT 1; DROP TABLE t" as two statements, and read files for the server.
    flags = ClientFlag.get_default() & ~ClientFlag.MULTI_STATEMENTS & ~ClientFlag.LOCAL_FILES
    return {
        # The C extension silently fails to load where OpenSSL is older than 3.2.
        "use_pure": True,
        "client_flags": flags | ClientFlag.FOUND_ROWS,
        "allow_local_infile": False,
        "collation": CONNECTED,
        "connection_timeout": CONNECT_S,
    }


def _time_limit(mariadb: bool, seconds: float) -> str:
    """Return the assignment of a time limit, of at least a millisecond: 0 is none."""
    seconds = max(seconds, 0.001)
    return f"max_statement_time = {seconds:.3f}" if mariadb else f"max_execution_time = {int(seconds * 1000)}"


def limits_for(version: str, timeout_s: float) -> list[str]:
    """Return the statements that limit a session, on a server of that version, to bounded reading."""
    seconds = max(timeout_s, 0.001)
    if "mariadb" in version.casefold():
        bounds = [_time_limit(True, seconds), f"max_recursive_iterations = {MAX_STEPS}"]
    else:
        bounds = [_time_limit(False, seconds), f"cte_max_recursion_depth = {MAX_STEPS}"]
    return [
        f"SET SESSION collation_connection = '{collation_of(version)}'",
        # Without ONLY_FULL_GROUP_BY, a column outside GROUP BY silently shows any row's value.
        "SET SESSION sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
        *(f"SET SESSION {bound}" for bound in bounds),
        f"SET SESSION lock_wait_timeout = {max(1, round(seconds))}",
        f"SET SESSION group_concat_max_len = {MAX_JOINED_TEXT}",
        # The default cuts quotients and averages at four digits more than their operands have.
        "SET SESSION div_precision_increment = 12",
        "SET SESSION TRANSACTION READ ONLY",
    ]


def _engine(url: URL, options: dict[str, Any], statements: Callable[[str], Sequence[str]], isolation: str) -> Engine:
    """Return an engine that runs statements, chosen by the server's version, on each new connection."""
    engine = create_engine(
        url, connect_args=options, pool_pre_ping=True, pool_recycle=RECYCLE_S, isolation_level=isolation
    )

    def set_up(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        cursor.execute("SELECT VERSION()")
        for statement in statements(str(cursor.fetchone()[0])):
            cursor.execute(statement)
        cursor.close()

    event.listen(engine, "connect", set_up)
    return engine


def _kill(engine: Engine, number: int) -> None:
    """End a statement that the client no longer waits for."""
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(f"KILL {int(number)}")
    except DBAPIError:
        return  # It ended by itself in between.


def _query_grants(reading: Reading) -> list[str]:
    """Return the lines of SHOW GRANTS for the user of queries and, in turn, for the roles that it was given."""
    with reading() as connection:
        grants = _lines(connection, "SHOW GRANTS")
    asked: set[str] = set()
    for grant in grants:  # which grows while roles are found
        role = granted_role(grant)
        if role and role not in asked:
            asked.add(role)
            try:
                grants += _role_grants(reading, role)
            except (SqlFailed, StoreUnavailable):
                # A role whose rights cannot be read may have any.
                grants.append(f"GRANT ALL PRIVILEGES OF ROLE {role} ON *.* TO CURRENT_USER")
    return grants


def _role_grants(reading: Reading, role: str) -> list[str]:
    with reading() as connection:
        if not _is_mariadb(connection):
            return _lines(connection, f"SHOW GRANTS FOR CURRENT_USER USING {role}")
        # MariaDB shows a role's grants only to whoever has taken it; the connection is not used again.
        connection.exec_driver_sql(f"SET ROLE {role}")
        grants = _lines(connection, "SHOW GRANTS")
        connection.invalidate()
        return grants


def _lines(connection: Connection, sql: str) -> list[str]:
    return [str(row[0]) for row in connection.exec_driver_sql(sql)]
