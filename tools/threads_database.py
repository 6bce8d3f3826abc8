"""The database of the server's threads: TABLERAG_CHECKPOINT_URL."""

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from tablerag.tools.errors import ConfigError, StoreUnavailable
from tablerag.tools.sql.backends.backend import shown

__all__ = ["away", "no_package", "ping", "shown_url"]

EXPECTED = "write postgresql://USER:PASSWORD@HOST/DATABASE"
CONNECT_S = 5


def shown_url(url: str) -> str:
    """Return a URL without its password; raise ConfigError for one that names no PostgreSQL database."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise ConfigError(f"TABLERAG_CHECKPOINT_URL is not a database URL: {EXPECTED}") from None
    if parsed.drivername not in ("postgresql", "postgres"):
        raise ConfigError(f"TABLERAG_CHECKPOINT_URL has the scheme {parsed.drivername}://: {EXPECTED}")
    return shown(parsed)


def ping(url: str) -> str:
    """Connect once; return the URL without its password. Raises ConfigError, StoreUnavailable if nothing answers."""
    named = shown_url(url)
    try:
        import psycopg
    except ImportError:
        raise no_package() from None
    try:
        psycopg.connect(url, connect_timeout=CONNECT_S).close()
    except psycopg.Error as error:
        raise away(named, error) from None
    return named


def away(named: str, error: Exception | None = None) -> StoreUnavailable:
    """Return the error for a database that cannot be connected to, with what it said."""
    said = f" ({' '.join(str(error).split())[:200]})" if error else ""
    return StoreUnavailable(
        f"the database of the threads, {named}, does not answer{said}: check TABLERAG_CHECKPOINT_URL and the server"
    )


def no_package() -> ConfigError:
    """Return the error for a missing package."""
    return ConfigError('TABLERAG_CHECKPOINT_URL needs a package: pip install "tablerag[cluster]"')
