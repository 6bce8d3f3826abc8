"""What the program asks of a connected database, whichever it is."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Protocol

from tablerag.tools.connections.connection import password_variable
from tablerag.tools.errors import ConfigError, DatabaseAway, SqlProblem, SqlRejected, TableAway, TableLocked
from tablerag.tools.records import ColumnType, TableSchema
from tablerag.tools.sql.backends.tables import Rows

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql

__all__ = [
    "CONNECT_S",
    "SOURCE",
    "EXACT_ROWS",
    "LOCK_S",
    "PROFILE_S",
    "SAMPLE_ROWS",
    "ConnectedEngine",
    "FoundColumn",
    "FoundTable",
    "Profile",
    "check_estimate",
    "locked",
    "shapes_of",
    "unlisted",
    "unreachable",
    "unreadable",
]

SAMPLE_ROWS = 500
"""Rows of a table that are read to describe it."""
EXACT_ROWS = 1_000_000
"""Tables with more rows by the engine's estimate are not counted."""
PROFILE_S = 10.0
"""Time limit of a statement that describes a table."""
SOURCE = "s__"
"""The name of a table in its subquery."""
DENIED = re.compile(r"denied|authentication failed|no password", re.IGNORECASE)
"""What a server says that knows the user not, or not by this password."""
GONE = re.compile(r"unknown database|database \"[^\"]*\" does not exist", re.IGNORECASE)
"""What a server says that has no database of that name."""
LOCK_S = 1.0
"""How long a statement waits for locked tables, if it may run longer; whoever locks them for longer is told of."""
CONNECT_S = 3
"""How long a server may take to accept a session."""


@dataclass(frozen=True, slots=True)
class FoundColumn:
    """A column as the database describes it."""

    name: str
    declared: str
    """Its type in the database's words."""
    type: ColumnType | None
    """None for values that are neither numbers, texts nor dates: they are left out."""
    reads: str = ""
    """How it is read if not as it is, in the engine's words."""
    about: str = ""
    """The comment on it."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table or view as the database describes it."""

    path: tuple[str, ...]
    """The schema and the name; for Parquet, the path below the folder."""
    columns: tuple[FoundColumn, ...]
    key: str = ""
    """The column, or the engine's own number of rows, that is a whole number and different in every row."""
    keys: tuple[str, ...] = ()
    """The columns of the primary key."""
    references: tuple[str, ...] = ()
    """The foreign keys: "customer_id -> customers.id"."""
    about: str = ""
    estimate: int | None = None
    """The number of rows by the engine's statistics; None without any."""
    is_view: bool = False

    @property
    def name(self) -> str:
        """The name as a reader writes it: "main.orders"."""
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class Profile:
    """What was read of a table to describe it."""

    columns: tuple[FoundColumn, ...]
    row_count: int
    counted: bool
    """Whether the rows were counted; an estimate otherwise."""
    rows: Sequence[Sequence[Any]] = field(default_factory=list)
    """Up to SAMPLE_ROWS rows, with the columns above."""


class ConnectedEngine(Protocol):
    """A connected database. Safe to share between threads; opens at first use.

    Sessions only read. A statement runs as long as it may and no longer, on a server too. Errors: ConfigError if the
    database cannot be opened when it is connected, SqlRejected for a statement that the engine cannot compute as MySQL
    does, SqlFailed for all that goes wrong with a statement. No message holds a password. The contract is
    tests/tools/connections/engine_contract.py.
    """

    name: str
    """As its users write it: "SQLite"."""

    is_server = False
    """Whether it may not answer, as a file always does."""

    @property
    def place(self) -> str:
        """Its URL, without a password."""
        ...

    def answer(self) -> None:
        """Have the server answer once, however long it takes; raise SqlFailed. Nothing for a file."""

    def tables(self, schema: str = "") -> tuple[list[FoundTable], list[str]]:
        """Return the tables and views that can be read, and a line for each that cannot."""
        ...

    def shapes(self, schema: str = "", lock_s: float = LOCK_S) -> dict[str, str]:
        """Return what tells by one cheap statement that the columns of a table have changed, by the table's name."""
        ...

    def profile(self, table: FoundTable) -> Profile:
        """Read a bounded part of a table; raise SqlFailed for a table or view that cannot be read."""
        ...

    def running(
        self, guarded: "GuardedSql", timeout_s: float, most: int, lock_s: float = LOCK_S
    ) -> AbstractContextManager[Rows]:
        """Run a guarded SELECT over tables of this database; its rows can be read until the context ends.

        It waits for locked tables for ``lock_s``; so do the two below.
        """
        ...

    def distinct(
        self, schema: TableSchema, columns: Sequence[str], most: int, timeout_s: float, lock_s: float = LOCK_S
    ) -> Iterator[Any]:
        """Yield (place, value) for up to ``most`` distinct values of each column, of the first rows of a table."""
        ...

    def rows(
        self, schema: TableSchema, names: Sequence[str], most: int, timeout_s: float, lock_s: float = LOCK_S
    ) -> list[tuple[Any, ...]]:
        """Return some columns of the first ``most`` rows of a table, by their numbers where it has them."""
        ...

    def writing_rights(self) -> list[str]:
        """Return what the user of the connection may do besides reading; nothing for a file, which is opened so."""
        return []

    def close(self) -> None:
        """Close what was opened; the next use opens it again."""


def shapes_of(rows: Iterable[tuple[str, Any]]) -> dict[str, str]:
    """Return a digest of the rows that describe each table, given by the table's name in their order.

    >>> shapes_of([("orders", "id"), ("orders", "day")]) == shapes_of([("orders", "day"), ("orders", "id")])
    False
    """
    digests: dict[str, Any] = defaultdict(lambda: blake2b(digest_size=8))
    for name, row in rows:
        digests[name].update(repr(row).encode("utf-8", "replace"))
    return {name: digest.hexdigest() for name, digest in digests.items()}


def unreadable(name: str, said: str) -> TableAway:
    """Return the error for a file that is gone or damaged."""
    return TableAway(name, f"cannot be read ({said}): restore it")


def unreachable(name: str, said: str) -> TableAway:
    """Return the error for a server that does not answer, that refuses the user, or that has no such database."""
    checked = f"check the user, {password_variable(name)} and the name of the database"
    if GONE.search(said):
        does, first, checked = "is not on its server", "", "restore it, check its name"
    elif DENIED.search(said):
        does, first = "refuses the user", ""
    else:
        does, first = "does not answer", "start it, "
    return TableAway(name, f"{does} ({said}): {first}{checked}")


def unlisted(place: str, problem: SqlProblem) -> ConfigError:
    """Return the error for a server whose tables cannot be listed."""
    kind = DatabaseAway if isinstance(problem, TableAway) else ConfigError
    return kind(f"{place} cannot be read: {problem}")


def locked(name: str) -> TableLocked:
    """Return the error for a table that another session of the database has locked."""
    return TableLocked(name, "is locked by another session: wait until that has ended")


def check_estimate(rows: float, most: int) -> None:
    """Raise SqlRejected if a statement would examine more rows than it may."""
    if rows > most:
        raise SqlRejected(
            f"the statement would examine about {rows:,.0f} rows, more than {most:,} "
            "(TABLERAG_CONNECTION_MOST_ROWS): filter on an indexed column, or join on keys"
        )
