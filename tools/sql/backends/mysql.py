"""MySQL and MariaDB: driver options, the limits set on each connection, and what the query user may do."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from mysql.connector.errors import ConnectionTimeoutError, ReadTimeoutError
from sqlalchemy import URL, Engine
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from tablerag.tools.errors import ConfigError, SqlFailed, StoreUnavailable
from tablerag.tools.sql.backends.backend import (
    CONNECT_S,
    MAX_JOINED_TEXT,
    MAX_STEPS,
    Check,
    Interruption,
    Reading,
    SqlBackend,
    Trouble,
    shown,
)
from tablerag.tools.sql.backends.grants import granted_role, reads_beyond, writing_privileges
from tablerag.tools.sql.backends.hosts import hosts_of
from tablerag.tools.sql.backends.mysql_engines import ELSEWHERE, Session, driver_options, kill, open_engine, session_of
from tablerag.tools.sql.backends.server_tables import ServerTables, collation_of
from tablerag.tools.sql.backends.tables import VERSION, Connections, StoredTables

__all__ = ["MysqlBackend", "limits_for"]

CLIENT_GRACE_S = 3.0
"""How much longer than the server's own time limit the client waits for a result."""
MOST_OVERDUE = 2
"""Statements that may run on after KILL; then no more are begun until one ends."""
TIMED_OUT = frozenset({1317, 1969, 3024})
"""Error numbers of an ended statement: interrupted, MariaDB's and MySQL's time limit."""
UNREACHABLE = frozenset({1040, 1044, 1045, 1047, 1049, 1129, 1130, 1226, 1698, 2002, 2003, 2005, 2006, 2013, 2055})
"""Error numbers of a server or database that cannot be used, whatever the statement."""
CONFLICTS = frozenset({1020, 1180, 1205, 1213, 1412})
"""Error numbers of a transaction that was rolled back for another's sake, on this node of a cluster or another."""
LOST = frozenset({1053, 1927, 2006, 2013, 2055})
"""Error numbers of a connection that the server or the network has ended."""
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

    def unusable(self, database: str, message: str, variable: str) -> str:
        if "Unknown database" in message:
            made = f"CREATE DATABASE {self._url.database} CHARACTER SET utf8mb4"
            return f"the SQL database {database} does not exist: {made}, or fix {variable}"
        if "Access denied" in message:
            return f"the SQL database {database} refuses the user ({message}): fix {variable}"
        return super().unusable(database, message, variable)

    def __init__(self, url: URL, query_url: URL) -> None:
        self._url, self._query_url = url, query_url
        self._timeout_s = 0.0
        self._overdue: set[Session] = set()
        """Sessions whose statement was killed; a server ends some functions only when they are done."""

    @staticmethod
    def check_url(url: URL, setting: str) -> None:
        if not url.database:
            raise ConfigError(f"{setting} is {shown(url)}, which names no database: write it after the last slash")

    def open_writer(self) -> Engine:
        """Return an engine that reads and writes; no value is cut or changed to fit its column."""
        mode = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'"
        # Under the default, REPEATABLE READ, writers of different documents deadlock over gaps between rows.
        return open_engine(self._url, driver_options(), lambda _: [mode], "READ COMMITTED")

    @property
    def queries_elsewhere(self) -> bool:
        return set(hosts_of(self._query_url)) != set(hosts_of(self._url))

    def open_reader(self, timeout_s: float, connect_s: int = CONNECT_S, *, own: bool = False) -> Engine:
        """Return an engine whose sessions only read; the client waits a little longer than the server runs."""
        self._timeout_s = timeout_s
        url = self._url if own else self._query_url
        options = driver_options() | {
            "connection_timeout": connect_s,
            "read_timeout": max(1, round(timeout_s + CLIENT_GRACE_S)),
        }
        return open_engine(url, options, lambda version: limits_for(version, timeout_s), "AUTOCOMMIT")

    def open_tables(self, database: Connections) -> StoredTables:
        return ServerTables(database)

    @contextmanager
    def session(self, connection: Connection, timeout_s: float, rows: int | None) -> Iterator[None]:
        """Limit the rows, and the time if it is shorter than the session's. End what the client no longer waits for."""
        session = session_of(connection)
        shorter, mariadb = timeout_s < self._timeout_s, _is_mariadb(connection)
        self._watch(connection, session)
        try:
            connection.exec_driver_sql(f"SET SESSION sql_select_limit = {rows or 'DEFAULT'}")
            if shorter:
                connection.exec_driver_sql(f"SET SESSION {_time_limit(mariadb, timeout_s)}")
            yield
        except DBAPIError as error:
            if isinstance(error.orig, ReadTimeoutError):
                connection.invalidate()
                kill(connection.engine, session)
                self._overdue.add(session)
            raise
        finally:
            if shorter and not connection.invalidated:
                connection.exec_driver_sql(f"SET SESSION {_time_limit(mariadb, self._timeout_s)}")

    def _watch(self, connection: Connection, session: Session) -> None:
        """Raise StoreUnavailable while MOST_OVERDUE statements still run on a host: each holds a core of the server."""
        here = {s for s in self._overdue if s.host == session.host}
        if len(here) < MOST_OVERDUE:
            return
        rows = connection.exec_driver_sql("SELECT id FROM information_schema.processlist WHERE info IS NOT NULL")
        running = {int(number) for (number,) in rows}
        over = {s for s in here if s.number not in running}
        self._overdue -= over
        if len(here - over) >= MOST_OVERDUE:
            numbers = ", ".join(str(n) for n in sorted(s.number for s in here - over))
            raise StoreUnavailable(
                f"the server still runs {MOST_OVERDUE} statements that were killed after their time limit: try again "
                f"later, or restart the server (connections {numbers})"
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

    def interruption(self, error: DBAPIError) -> Interruption:
        number = getattr(error.orig, "errno", None)
        if number in CONFLICTS:
            return "rolled back"
        return "lost" if error.connection_invalidated or number in LOST | ELSEWHERE else ""

    def is_race(self, error: DBAPIError) -> bool:
        return getattr(error.orig, "errno", None) in RACES

    def own_tables(self, connection: Connection) -> set[str]:
        # LIKE: the documents' tables are in the same database, and may be thousands.
        return set(connection.exec_driver_sql(r"SHOW TABLES LIKE '\_tablerag\_%'").scalars())

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
