"""Which backend a database URL stands for; each imports its driver when it is opened."""

from collections.abc import Callable

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from tablerag.tools.errors import ConfigError
from tablerag.tools.sql.backends.backend import SqlBackend, shown
from tablerag.tools.sql.backends.hosts import with_one_host

__all__ = ["BACKENDS", "open_backend", "parse_url"]


def _embedded() -> type[SqlBackend]:
    from tablerag.tools.sql.backends.embedded import EmbeddedBackend

    return EmbeddedBackend


def _mysql() -> type[SqlBackend]:
    from tablerag.tools.sql.backends.mysql import MysqlBackend

    return MysqlBackend


BACKENDS: dict[str, Callable[[], type[SqlBackend]]] = {
    "sqlite": _embedded,
    "sqlite+pysqlite": _embedded,
    "mysql+mysqlconnector": _mysql,
    "mariadb+mysqlconnector": _mysql,
}
"""By URL scheme."""


def parse_url(url: str, setting: str) -> URL:
    """Return a database URL; raise ConfigError, naming the setting, for one that cannot be used.

    Several hosts, apart by commas, are one text in place of its host: hosts_of() tells them apart.
    """
    one, hosts = with_one_host(url, setting)
    try:
        parsed = make_url(one)
    except (ArgumentError, ValueError) as error:
        raise ConfigError(
            f"{setting} is not a database URL: write sqlite:///PATH or mysql+mysqlconnector://USER:PASSWORD@HOST:PORT/NAME"
        ) from error
    if hosts:
        parsed = parsed.set(host=hosts)
    if parsed.drivername not in BACKENDS:
        raise ConfigError(
            f"{setting} has the scheme {parsed.drivername}://, which is not supported: "
            "write mysql+mysqlconnector:// for MySQL and MariaDB, or sqlite:///PATH"
        )
    if hosts and parsed.get_backend_name() == "sqlite":
        raise ConfigError(f"{setting} names several hosts for SQLite, which has none: write sqlite:///PATH")
    BACKENDS[parsed.drivername]().check_url(parsed, setting)
    return parsed


def open_backend(url: str, query_url: str) -> tuple[SqlBackend, URL, URL]:
    """Return the backend of a URL, that URL, and that of queries, by default the same; raise ConfigError."""
    own = parse_url(url, "TABLERAG_DATABASE_URL")
    query = parse_url(query_url, "TABLERAG_QUERY_DATABASE_URL") if query_url else own
    made = BACKENDS[own.drivername]
    if BACKENDS[query.drivername] is not made or query.database != own.database:
        raise ConfigError(
            f"TABLERAG_QUERY_DATABASE_URL is {shown(query)}: it must name the same database as "
            f"TABLERAG_DATABASE_URL, {shown(own)}"
        )
    return made()(own, query), own, query
