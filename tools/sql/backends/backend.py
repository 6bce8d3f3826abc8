"""What the program asks of a SQL database, whichever it is."""

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from sqlalchemy import URL, Engine
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeEngine

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["Check", "Reading", "SessionFacts", "SqlBackend", "Trouble", "shown"]

Reading = Callable[[], AbstractContextManager[Connection]]
"""Opens a limited session, for one statement."""
Trouble = Literal["timed out", "unavailable", "refused"]


@dataclass(frozen=True)
class Check:
    """One property of the deployment, for the security self-test."""

    what: str
    state: Literal["ok", "warning", "broken"]
    says: str


@dataclass(frozen=True)
class SessionFacts:
    """What limits a session of queries, as the database itself reports."""

    read_only: bool
    timed: bool
    says: str


class SqlBackend(Protocol):
    """One kind of SQL database, opened by URL; keeps no connection itself.

    Writing: the writer's transactions serialise writers, refuse values that do not fit a column, and see DDL of others
    at once. Readers never wait for a writer.
    Reading: a reader's session cannot write, even without the guard in front of it. session() ends a statement after
    ``timeout_s``, on the server too, and only_tables() lets it read nothing else where the database can check that.
    Processes: any number may open the same database. SQL: guarded statements are MySQL; emit() returns the database's
    own dialect with MySQL's results, or raises SqlRejected. Errors: the driver's are sorted by trouble().
    A backend inherits this class and overrides what differs. The contract is
    tests/tools/sql/backends/backend_contract.py.
    """

    name: ClassVar[str]
    hint: ClassVar[str]
    """How to fix a database that does not answer."""

    def __init__(self, url: URL, query_url: URL) -> None:
        """Take the URL for writing and that for queries, the same where queries have no user of their own."""
        ...

    @staticmethod
    def check_url(url: URL, setting: str) -> None:
        """Raise ConfigError, naming the setting, for a URL of this scheme that cannot be used."""
        ...

    @property
    def missing(self) -> bool:
        """Whether the database is only created by the first ingest."""
        return False

    def open_writer(self) -> Engine:
        """Return an engine that reads and writes."""
        ...

    def open_reader(self, timeout_s: float) -> Engine:
        """Return an engine whose sessions only read."""
        ...

    def session(self, connection: Connection, timeout_s: float, rows: int | None) -> AbstractContextManager[None]:
        """Limit what runs on a reader's connection in time, and in rows where the database can."""
        ...

    def only_tables(self, connection: Connection, tables: Collection[str]) -> AbstractContextManager[None]:
        """Let the connection read these tables only, where the database can."""
        return nullcontext()

    def emit(self, guarded: "GuardedSql", connection: Connection) -> str:
        """Return the statement in the dialect that the connection speaks; raise SqlRejected for what it cannot do."""
        ...

    def check_result(self, connection: Connection, sql: str) -> None:
        """Raise SqlFailed when the statement that just ended gave a wrong result with a mere warning."""

    def trouble(self, error: DBAPIError) -> Trouble:
        """Return what an error of the driver means."""
        ...

    def reason(self, error: DBAPIError) -> str:
        """Return why a statement was refused; empty: the driver's own message says it."""
        return ""

    def version(self, connection: Connection) -> str:
        """Return the database's name and version."""
        ...

    def session_facts(self, connection: Connection) -> SessionFacts:
        """Return what limits the session of a reader's connection."""
        ...

    def rights_beyond_reading(self, reading: Reading) -> list[str]:
        """Return what the user of queries may do besides reading, directly or through a role."""
        return []

    def user_checks(self, reading: Reading) -> Iterator[Check]:
        """Check what the user of queries may do."""
        ...

    def text_type(self, longest: int) -> TypeEngine[Any]:
        """Return a type for texts of up to ``longest`` characters that compares without regard to case."""
        ...

    def datetime_type(self, microseconds: bool) -> TypeEngine[Any]:
        """Return a type for dates with times."""
        ...

    def double_type(self) -> TypeEngine[Any]:
        """Return a type for numbers that no DECIMAL holds."""
        ...


def shown(url: URL) -> str:
    """Return a URL as text with its password and options hidden."""
    return url.set(query={}).render_as_string(hide_password=True)
