"""The database of the server's threads: TABLERAG_CHECKPOINT_URL."""

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from tablerag.tools.errors import ConfigError, StoreUnavailable
from tablerag.tools.sql.backends.backend import shown

__all__ = ["POSTGRESQL", "away", "no_package", "ping", "threads_url"]

POSTGRESQL = "postgresql"
ENGINES = {"postgresql": POSTGRESQL, "postgres": POSTGRESQL, "mysql": "mysql", "mariadb": "mysql"}
EXPECTED = "write postgresql://USER:PASSWORD@HOST/DATABASE or mysql://USER:PASSWORD@HOST/DATABASE"
CONNECT_S = 5


def threads_url(url: str) -> URL:
    """Return the parsed URL, its drivername ``postgresql`` or ``mysql``; raise ConfigError for another database."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise ConfigError(f"TABLERAG_CHECKPOINT_URL is not a database URL: {EXPECTED}") from None
    engine = ENGINES.get(parsed.get_backend_name())
    if engine is None or (engine == POSTGRESQL and "+" in parsed.drivername):
        raise ConfigError(f"TABLERAG_CHECKPOINT_URL has the scheme {parsed.drivername}://: {EXPECTED}")
    if not parsed.database:
        raise ConfigError(f"TABLERAG_CHECKPOINT_URL names no database: {EXPECTED}")
    return parsed.set(drivername=engine)


def ping(url: str) -> str:
    """Connect once; return the URL without its password. Raises ConfigError, StoreUnavailable if nothing answers."""
    parsed = threads_url(url)
    try:
        (_try_postgresql if parsed.drivername == POSTGRESQL else _try_mysql)(parsed, url)
    except ImportError:
        raise no_package() from None
    return shown(parsed)


def _try_postgresql(parsed: URL, url: str) -> None:
    import psycopg

    try:
        psycopg.connect(url, connect_timeout=CONNECT_S).close()
    except psycopg.Error as error:
        raise away(parsed, error) from None


def _try_mysql(parsed: URL, _: str) -> None:
    import mysql.connector

    given = parsed.translate_connect_args(username="user")
    try:
        mysql.connector.connect(**given, connection_timeout=CONNECT_S).close()
    except mysql.connector.Error as error:
        raise away(parsed, error) from None


def away(parsed: URL, error: Exception | None = None) -> StoreUnavailable:
    """Return the error for a database that cannot be connected to, with what it said."""
    said = f" ({' '.join(str(error).split())[:200]})" if error else ""
    return StoreUnavailable(
        f"the database of the threads, {shown(parsed)}, does not answer{said}: check TABLERAG_CHECKPOINT_URL and the "
        "server"
    )


def no_package() -> ConfigError:
    """Return the error for a missing package."""
    return ConfigError('TABLERAG_CHECKPOINT_URL needs a package: pip install "tablerag[cluster]"')
