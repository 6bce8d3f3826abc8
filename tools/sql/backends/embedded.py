"""The embedded database: a catalog in one SQLite file, and the documents' tables as files beside it."""

import importlib.metadata
import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Engine, QueuePool, create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from tablerag.tools.errors import ChangesLost, ConfigError, StoreDamaged, StoreUnavailable
from tablerag.tools.private_folder import make_private
from tablerag.tools.sql.backends.backend import (
    ACCEPT_LOSS,
    CONNECT_S,
    SET_ASIDE,
    Check,
    Reading,
    Recorded,
    SqlBackend,
    Trouble,
    shown,
)
from tablerag.tools.sql.backends.commit_count import COUNT, COUNT_END, commits, lost_commits, note_commits
from tablerag.tools.sql.backends.migrating import migrate, old_tables
from tablerag.tools.sql.backends.tables import Connections, StoredTables

__all__ = ["EmbeddedBackend", "tables_folder"]

BUSY_TIMEOUT_S = 30.0
"""How long a writer waits for another one; publishing holds the lock for milliseconds."""
SETTLING_S = 1.0
"""How long the end of a run waits for those who read, to empty the log."""
STEPS_BETWEEN_CHECKS = 2_000
BROKEN = ("not a database", "malformed", "disk I/O", "unable to open", "is locked")
"""Parts of SQLite's messages about a file that cannot be used."""
DAMAGED = (
    "not a database",
    "malformed",
    "disk I/O",
    "Could not decode",
    "codec can't decode",
    "no such table: _tablerag",
)
"""Parts of its messages about a file that is damaged; the program's own statements name tables and columns that are."""
SIDE_FILES = ("", "-wal", "-shm", COUNT_END)
TEXT = rb'("(?:[^"\\\x00-\x1f]|\\.)*")'
FOLDER = re.compile(rb'"folder":' + TEXT)
"""Matches the folder in the record of a document."""
RECORD = re.compile(rb",".join(rb'"%s":' % name.encode() + TEXT for name in Recorded._fields))
"""Matches the beginning of such a record."""


def tables_folder(path: Path) -> Path:
    """Return the folder of the documents' tables for the file of a catalog."""
    return path.with_suffix(".parquet")


class EmbeddedBackend(SqlBackend):
    """A SqlBackend on one SQLite file and one folder of Parquet files."""

    name = "SQLite and DuckDB"
    hint = "check that the file can be read and written"

    def __init__(self, url: URL, query_url: URL) -> None:
        self._url = url
        self._path = Path(url.database or "")

    @staticmethod
    def check_url(url: URL, setting: str) -> None:
        if url.database in (None, "", ":memory:"):
            raise ConfigError(f"{setting} is {shown(url)}, which stores nothing: write sqlite:///PATH")

    @property
    def missing(self) -> bool:
        return not self._path.exists()

    def open_writer(self) -> Engine:
        """Return an engine that reads and writes, with DDL in its transactions."""
        try:
            make_private(self._path.parent)
        except OSError as error:
            raise StoreUnavailable(f"cannot create the folder {self._path.parent}: {error.strerror}") from error
        if self.missing:
            note_commits(self._path, 0)
        engine = create_engine(self._url)
        event.listen(engine, "connect", lambda connection, _: _set_up_writer(connection))
        event.listen(engine, "begin", _begin)
        event.listen(engine, "commit", _count_commit)
        return engine

    def open_reader(self, timeout_s: float, connect_s: int = CONNECT_S, *, own: bool = False) -> Engine:
        return create_engine(
            "sqlite://", creator=lambda: _open_reader(self._path), poolclass=QueuePool, isolation_level="AUTOCOMMIT"
        )

    def open_tables(self, database: Connections) -> StoredTables:
        # here: most commands only read the catalog
        from tablerag.tools.sql.backends.parquet_tables import ParquetTables

        folder = tables_folder(self._path)
        if not folder.exists() and old_tables(self._path):
            raise ConfigError(f"{self._path} was written by an older version: run `tablerag migrate` once")
        return ParquetTables(folder, database.lists)

    def migrate(self) -> Iterator[tuple[int, str]]:
        """Move the tables that an older version wrote."""
        yield from migrate(self._path, tables_folder(self._path))

    def session(self, connection: Connection, timeout_s: float, rows: int | None) -> AbstractContextManager[None]:
        return _deadline(connection.connection.dbapi_connection, timeout_s)

    def damage(self, said: str) -> str:
        is_damaged = self._path.exists() and any(part in said for part in DAMAGED)
        return f"the catalog {self._path} is damaged ({said}): {SET_ASIDE}" if is_damaged else ""

    def settle(self) -> None:
        with suppress(sqlite3.Error), closing(sqlite3.connect(self._path, timeout=SETTLING_S)) as connection:
            number = commits(connection)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what others still read stays in the log
            note_commits(self._path, number)

    def check(self) -> None:
        if self.missing:
            return
        try:
            with closing(_opened(self._path)) as connection:
                said = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
                if said == "ok":
                    _check_commits(self._path, connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # a message names what is damaged
            said = str(error)
        if said != "ok":
            raise StoreDamaged(self.damage(said) or f"the catalog {self._path} is damaged ({said}): {SET_ASIDE}")

    def accept_loss(self) -> list[str]:
        files = [self._path.with_name(self._path.name + end) for end in SIDE_FILES]
        folders = {folder for file in files if file.exists() for folder in _folders_in(file.read_bytes())}
        self.settle()
        return sorted(folders)

    def set_aside(self) -> tuple[Path, list[str]]:
        number = next(n for n in count(1) if not self._path.with_suffix(f".damaged{n}").exists())
        aside = self._path.with_suffix(f".damaged{number}")
        folders: set[str] = set()
        for end in SIDE_FILES:
            file = self._path.with_name(self._path.name + end)
            if file.exists():
                folders |= _folders_in(file.read_bytes())
                file.rename(aside.with_name(aside.name + end))
        return aside, sorted(folders)

    def set_aside_records(self) -> tuple[list[Path], list[Recorded]]:
        aside = sorted(self._path.parent.glob(f"{self._path.stem}.damaged*"))
        files = [f for f in aside if f.suffix.removeprefix(".damaged").isdecimal()]
        return files, [r for file in aside for r in _records_in(file.read_bytes())]

    def trouble(self, error: DBAPIError) -> Trouble:
        said = str(error.orig)
        if "interrupted" in said:
            return "timed out"
        return "unavailable" if error.connection_invalidated or any(b in said for b in BROKEN) else "refused"

    def version(self, connection: Connection) -> str:
        sqlite = connection.exec_driver_sql("SELECT SQLITE_VERSION()").scalar()
        return f"SQLite {sqlite}, DuckDB {importlib.metadata.version('duckdb')}"

    def user_checks(self, reading: Reading) -> Iterator[Check]:
        yield Check("query user", "ok", "queries read the files of tables only: no other file, no setting, no network")


def _folders_in(content: bytes) -> set[str]:
    """Return the folders of documents that a damaged file still names, if they exist."""
    found = set()
    for name in set(FOLDER.findall(content)):
        with suppress(ValueError):
            found.add(json.loads(name))
    return {name for name in found if Path(name).is_dir()}


def _records_in(content: bytes) -> Iterator[Recorded]:
    for found in RECORD.finditer(content):
        with suppress(ValueError):
            yield Recorded(*map(json.loads, found.groups()))


def _set_up_writer(connection: sqlite3.Connection) -> None:
    """Set up a read-write connection: WAL, so that readers and one writer do not wait for each other."""
    # SQLAlchemy sends BEGIN itself: the module's own transactions leave DDL out.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT_S * 1000)}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: Connection) -> None:
    # IMMEDIATE, as a transaction that has read already cannot wait for another writer to finish.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    connection.info["changes"] = _changes(connection)


def _count_commit(connection: Connection) -> None:
    """Count what is committed, if it changes a row; every part of the log then tells how old it is."""
    if _changes(connection) > connection.info["changes"]:
        connection.exec_driver_sql(f"{COUNT} = {connection.exec_driver_sql(COUNT).scalar_one() + 1}")


def _changes(connection: Connection) -> int:
    """Return how many rows were changed on a connection."""
    return connection.exec_driver_sql("SELECT total_changes()").scalar_one()


def _open_reader(path: Path) -> sqlite3.Connection:
    """Open a connection that cannot change the file; raise ChangesLost."""
    connection = _opened(path)
    try:
        _check_commits(path, connection)
    except ChangesLost:
        connection.close()
        raise
    except sqlite3.Error:
        pass  # the first statement fails as well, and says why
    return connection


def _check_commits(path: Path, connection: sqlite3.Connection) -> None:
    if lost_commits(path, connection):
        raise ChangesLost(f"the catalog {path} is older than the last completed run: {ACCEPT_LOSS}")


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S, check_same_thread=False
    )
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


@contextmanager
def _deadline(connection: Any, seconds: float) -> Iterator[None]:
    """Interrupt what runs on the connection after so many seconds."""
    end = time.monotonic() + seconds
    # A handler that returns 1 interrupts the statement.
    connection.set_progress_handler(lambda: int(time.monotonic() > end), STEPS_BETWEEN_CHECKS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)
