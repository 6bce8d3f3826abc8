"""SQLAlchemy engines on SQLite, MySQL and MariaDB: one to write with, one to read with."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, QueuePool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from tablerag.tools.errors import ConfigError, StoreUnavailable
from tablerag.tools.sql import mysql_session, sqlite_session

__all__ = ["open_reader", "open_writer", "parse_url", "shown", "sqlite_file"]

SERVERS = ("mysql+mysqlconnector", "mariadb+mysqlconnector")
FILES = ("sqlite", "sqlite+pysqlite")
RECYCLE_S = 1800


def parse_url(url: str, setting: str) -> URL:
    """Return a database URL; raise ConfigError, naming the setting, for one that cannot be used."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise ConfigError(
            f"{setting} is not a database URL: write sqlite:///PATH or mysql+mysqlconnector://USER:PASSWORD@HOST:PORT/NAME"
        ) from error
    if parsed.drivername in FILES:
        if parsed.database in (None, "", ":memory:"):
            raise ConfigError(f"{setting} is {shown(parsed)}, which keeps nothing: write sqlite:///PATH")
        return parsed
    if parsed.drivername not in SERVERS:
        raise ConfigError(
            f"{setting} has the scheme {parsed.drivername}://, which is not supported: "
            "write mysql+mysqlconnector:// for MySQL and MariaDB, or sqlite:///PATH"
        )
    if not parsed.database:
        raise ConfigError(f"{setting} is {shown(parsed)}, which names no database: write it after the last slash")
    return parsed


def shown(url: URL) -> str:
    """Return a URL as text with its password and options hidden."""
    return url.set(query={}).render_as_string(hide_password=True)


def sqlite_file(url: URL) -> Path | None:
    """Return the file of an SQLite URL, None for a server's."""
    return Path(url.database or "") if url.drivername in FILES else None


def open_writer(url: URL) -> Engine:
    """Open the engine that reads and writes; DDL is part of its transactions on SQLite."""
    path = sqlite_file(url)
    if path is None:
        # Under the default, REPEATABLE READ, writers of different documents deadlock over gaps between rows.
        isolation = {"isolation_level": "READ COMMITTED"}
        return _server_engine(url, mysql_session.writer_options(), lambda _: mysql_session.writer_set_up(), **isolation)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"cannot create the folder {path.parent}: {error.strerror}") from error
    engine = create_engine(url)
    event.listen(engine, "connect", lambda connection, _: sqlite_session.set_up_writer(connection))
    # IMMEDIATE, as a transaction that has read already cannot wait for another writer to finish.
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


def open_reader(url: URL, timeout_s: float, grace_s: float) -> Engine:
    """Open an engine whose sessions only read; the client waits ``grace_s`` longer than the server runs."""
    path = sqlite_file(url)
    if path is not None:
        return create_engine(
            "sqlite://",
            creator=lambda: sqlite_session.open_reader(path),
            poolclass=QueuePool,
            isolation_level="AUTOCOMMIT",
        )
    return _server_engine(
        url,
        mysql_session.reader_options(timeout_s + grace_s),
        lambda version: mysql_session.limits_for(version, timeout_s),
        isolation_level="AUTOCOMMIT",
    )


def _server_engine(url: URL, options: dict[str, Any], statements: Any, **arguments: Any) -> Engine:
    engine = create_engine(url, connect_args=options, pool_pre_ping=True, pool_recycle=RECYCLE_S, **arguments)

    def set_up(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        cursor.execute("SELECT VERSION()")
        version = str(cursor.fetchone()[0])
        _run_all(cursor, statements(version))
        cursor.close()

    event.listen(engine, "connect", set_up)
    return engine


def _run_all(cursor: Any, statements: Sequence[str]) -> None:
    for statement in statements:
        cursor.execute(statement)
