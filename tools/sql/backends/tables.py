"""The stored tables of a database: written once by ingestion, then only read."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import CompoundSelect, Engine, FromClause, Row, Select, column, select
from sqlalchemy.engine import Connection

from tablerag.tools.records import ColumnType

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql

__all__ = [
    "VERSION",
    "Batch",
    "Connections",
    "PlainFile",
    "Read",
    "Rows",
    "SessionFacts",
    "Statement",
    "StoredColumn",
    "StoredTables",
]

VERSION = re.compile(r"__[0-9a-f]{12}_[0-9]+$")
"""Matches what follows a table's readable name in its stored name."""
Statement = Select[Any] | CompoundSelect[Any]
Batch = Sequence[Sequence[Any]]
"""Values by column: as many columns as the table has, each as long as the others."""


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """A column of a stored table, with what its type must hold."""

    name: str
    type: ColumnType
    digits: tuple[int, int] = (32, 6)
    """Decimals: most digits before and after the point."""
    longest: int = 0
    """Texts: characters of the longest value, if it is compared with others; 0 for texts that are only shown."""
    microseconds: bool = True
    is_key: bool = False


@dataclass(frozen=True, slots=True)
class PlainFile:
    """Records that an engine can split by itself: lines of UTF-8, their cells apart by a delimiter, nothing quoted."""

    path: Path
    delimiter: str
    width: int
    """The number of cells of each record."""
    first: int
    """The records before the first row."""
    count: int
    """The number of rows, up to the end of the file."""
    source_row: int
    """The number that the file itself gives the first row."""


@dataclass(frozen=True, slots=True)
class Read:
    """How many files of tables are as they were written or were too many to read, and the names of the other tables."""

    sound: int = 0
    damaged: tuple[str, ...] = ()
    unread: int = 0


class Connections(Protocol):
    """What a server's tables need of their database."""

    @property
    def engine(self) -> Engine:
        """The engine that reads and writes."""
        ...

    def writing(self, doing: str) -> AbstractContextManager[Connection]:
        """Yield a connection in a transaction; ``doing`` names it in errors."""
        ...

    def reading(self, rows: int | None = None, timeout_s: float | None = None) -> AbstractContextManager[Connection]:
        """Yield a connection that only reads, for one statement: limited in time, and in rows if asked."""
        ...

    def select(self, statement: Statement) -> list[Row[Any]]:
        """Run a SELECT of the program itself."""
        ...

    def lists(self, stored: str) -> bool:
        """Return whether the catalog lists a stored table."""
        ...


@dataclass(frozen=True, slots=True)
class Rows:
    """What a statement returns: the names of its columns, and its rows while it runs."""

    columns: tuple[str, ...]
    values: Iterator[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What limits a session of queries, as the database itself reports."""

    read_only: bool
    timed: bool
    says: str


class StoredTables(Protocol):
    """The documents' tables of one database.

    A table is written once, under a name of its own, and never changed. Readers never wait for a writer, in any
    process; they cannot write, read other tables or files, or run longer than they may. Errors: SqlFailed for a
    statement that is refused or takes too long, StoreUnavailable for a database or file that cannot be used.
    The contract is tests/tools/sql/backends/backend_contract.py.
    """

    def write(self, name: str, columns: Sequence[StoredColumn], batches: Iterable[Batch]) -> None:
        """Write a table in place of one of that name; raise UnreadableDocument if its values do not fit."""
        ...

    def copy(
        self, name: str, columns: Sequence[tuple[StoredColumn, int]], file: PlainFile, blank: Sequence[str]
    ) -> bool:
        """Write a table from a file, each column from the cells of a place in its records; return whether that is done.

        Empty cells are NULL, and so are texts of ``blank`` in a column that is no text. It is not done by an engine
        that cannot, or if a cell is no literal of its column's type; then nothing is written. Raises like write().
        """
        return False

    def drop(self, names: Sequence[str]) -> None:
        """Delete the tables that exist among the given names."""
        ...

    def names(self) -> set[str]:
        """Return the names of the tables that exist."""
        ...

    def whole(self, names: Iterable[str]) -> set[str]:
        """Return which of the named tables exist and were not cut off, without reading their rows."""
        ...

    def read_files(self, names: Iterable[str], most_bytes: int) -> Read:
        """Compare the files of tables with what was written; do nothing on a server."""
        return Read()

    def columns(self, name: str) -> set[str]:
        """Return the names of a table's columns; raise TableLost if there is no such table."""
        ...

    def count_rows(self, name: str) -> int:
        """Return the number of a table's rows, having read all of them; raise TableLost if that fails."""
        ...

    def source(self, name: str) -> FromClause:
        """Return what select() reads a table from."""
        ...

    def select(self, statement: Statement, timeout_s: float) -> list[tuple[Any, ...]]:
        """Run a SELECT of the program itself over source()s."""
        ...

    def texts(self, name: str, column_: str, timeout_s: float) -> list[str]:
        """Return the distinct values of one column as text, without NULL."""
        stored = column(column_)
        wanted = select(stored).select_from(self.source(name)).where(stored.is_not(None)).distinct()
        return [str(value) for (value,) in self.select(wanted, timeout_s)]

    def distinct(self, columns: Sequence[tuple[str, str]], most: int, timeout_s: float) -> list[tuple[int, Any]]:
        """Return up to ``most`` distinct values of each column, given with its table, after the column's place."""
        ...

    def running(self, guarded: "GuardedSql", timeout_s: float, most: int) -> AbstractContextManager[Rows]:
        """Run a guarded SELECT; its rows can be read, at most ``most`` of them, until the context ends."""
        ...

    def session_facts(self) -> SessionFacts:
        """Return what limits a session of queries, as the database itself reports."""
        ...

    def warm(self) -> None:
        """Start what statements run in."""

    def close(self) -> None:
        """Close what was opened; the next use opens it again."""
        ...
