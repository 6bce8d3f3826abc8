"""Engines over MySQL and MariaDB servers: the driver's options, the statements of a new connection, and fail-over."""

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from mysql.connector.constants import ClientFlag
from mysql.connector.errors import Error
from sqlalchemy import URL, Dialect, Engine, create_engine, event
from sqlalchemy.engine import Connection, ExceptionContext

from tablerag.tools.sql.backends.backend import CONNECT_S
from tablerag.tools.sql.backends.failover import Hosts
from tablerag.tools.sql.backends.hosts import Host, hosts_of, one_host

__all__ = ["ELSEWHERE", "Session", "driver_options", "kill", "open_engine", "session_of"]

CONNECTED = "utf8mb4_unicode_ci"
"""Collation in which a connection begins: the driver does not know those of MariaDB."""
RECYCLE_S = 1800
NO_CONNECTION = "MySQL Connection not available"
"""What the driver says when a server answers its ping with an error, as Galera does for a transaction in conflict."""
ELSEWHERE = frozenset({1047, 1290, 1836})
"""Error numbers of a host that no longer takes what it took before: it has left its cluster, or only reads now."""
CAUSAL = 15
"""Galera's wsrep_sync_wait: every statement first waits for what other nodes have committed."""


class Session(NamedTuple):
    """A connection as its server knows it: those of two servers may have the same number."""

    host: tuple[str, int]
    number: int


def driver_options() -> dict[str, Any]:
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


def open_engine(
    url: URL, options: dict[str, Any], statements: Callable[[str], Sequence[str]], isolation: str
) -> Engine:
    """Return an engine that runs statements, chosen by the server's version, on each new connection."""
    engine = create_engine(
        one_host(url), connect_args=options, pool_pre_ping=True, pool_recycle=RECYCLE_S, isolation_level=isolation
    )
    if len(listed := hosts_of(url)) > 1:
        _fail_over(engine, Hosts(listed, options["connection_timeout"], writes=isolation != "AUTOCOMMIT"))

    def set_up(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        cursor.execute("SHOW VARIABLES LIKE 'wsrep_on'")
        if [value for _, value in cursor.fetchall()] == ["ON"]:
            cursor.execute(f"SET SESSION wsrep_sync_wait = {CAUSAL}")
        cursor.execute("SELECT VERSION()")
        for statement in statements(str(cursor.fetchone()[0])):
            cursor.execute(statement)
        cursor.close()

    event.listen(engine, "connect", set_up)
    event.listen(engine, "handle_error", _recognise_loss)
    return engine


def _fail_over(engine: Engine, hosts: Hosts) -> None:
    """Connect an engine to any of several hosts, and to another one when the one that it uses can no longer be used."""

    def connect(dialect: Dialect, _: object, given: Sequence[Any], options: dict[str, Any]) -> Any:
        def open_one(host: Host, seconds: int) -> Any:
            own = {"host": host.name, "port": host.port, "connection_timeout": seconds}
            return dialect.connect(*given, **(options | own))

        return hosts.connect(open_one)

    event.listen(engine, "do_connect", connect)


def _recognise_loss(context: ExceptionContext) -> None:
    """Tell SQLAlchemy of connections that can no longer be used; it knows the driver's message with another end."""
    error = context.original_exception
    if getattr(error, "errno", None) in ELSEWHERE or NO_CONNECTION in str(error):
        context.is_disconnect = True


def session_of(connection: Connection) -> Session:
    """Return the session of a connection."""
    driver: Any = connection.connection.dbapi_connection
    return Session((str(driver.server_host), int(driver.server_port)), int(driver.connection_id))


def kill(engine: Engine, session: Session) -> None:
    """End a statement that the client no longer waits for, on the host where it runs."""
    given, options = engine.dialect.create_connect_args(engine.url)
    own = dict(zip(("host", "port"), session.host, strict=True))
    try:
        connection: Any = engine.dialect.connect(*given, **{**options, **driver_options(), **own})
        with closing(connection), closing(connection.cursor()) as cursor:
            cursor.execute(f"KILL {session.number}")
    except Error:
        return  # It ended by itself in between.
