"""What the program asks of a SQL database, whichever it is."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, Protocol

from sqlalchemy import URL, Engine, inspect
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from tablerag.tools.sql.backends.tables import Connections, StoredTables

__all__ = [
    "ACCEPT_LOSS",
    "CONNECT_S",
    "MAX_JOINED_TEXT",
    "MAX_STEPS",
    "SET_ASIDE",
    "Check",
    "Interruption",
    "Reading",
    "Recorded",
    "SqlBackend",
    "Trouble",
    "shown",
]

CONNECT_S = 10
"""Seconds that a server may take to accept a session, where nothing else is said."""
MAX_STEPS = 10_000
"""Rounds of a recursion, its first rows included; a longer one is an error."""
MAX_JOINED_TEXT = 262_144
"""Bytes of a text that an aggregate joins; a longer one is an error."""
SET_ASIDE = "run `tablerag doctor --fix`, which sets the catalog aside and says what to ingest again"
ACCEPT_LOSS = "run `tablerag doctor --fix`, which says what to ingest again"

Reading = Callable[[], AbstractContextManager[Connection]]
"""Opens a limited session, for one statement."""
Trouble = Literal["timed out", "unavailable", "refused"]
Interruption = Literal["", "rolled back", "lost"]
"""What ended a transaction that may succeed when it is repeated: another one, or the end of its connection."""


class Recorded(NamedTuple):
    """What the record of a document begins with, as the catalog writes it."""

    document_id: str
    corpus: str
    source: str
    path: str
    folder: str


@dataclass(frozen=True)
class Check:
    """One property of the deployment, for the security self-test."""

    what: str
    state: Literal["ok", "warning", "broken"]
    says: str


class SqlBackend(Protocol):
    """One kind of SQL database, opened by URL; keeps no connection itself.

    Writing: the writer's transactions serialise writers, refuse values that do not fit a column, and see DDL of others
    at once. Readers never wait for a writer.
    Reading: a reader's session cannot write, even without the guard in front of it. session() ends a statement after
    ``timeout_s``, on the server too. The documents' tables, and the statements of models on them, are open_tables()'s.
    Processes: any number may open the same database. Errors: the driver's are sorted by trouble().
    A backend inherits this class and overrides what differs. The contract is
    tests/tools/sql/backends/backend_contract.py.
    """

    name: ClassVar[str]
    hint: ClassVar[str]
    """How to fix a database that does not answer; ``{variable}`` is the setting of its URL."""

    def unusable(self, database: str, message: str, variable: str) -> str:
        """Return what is wrong with a database, as it is shown, that said ``message``, and what to do."""
        return f"the SQL database {database} does not answer ({message}): {self.hint.format(variable=variable)}"

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

    @property
    def queries_elsewhere(self) -> bool:
        """Whether the queries of models run on other hosts, which may be behind."""
        return False

    def open_reader(self, timeout_s: float, connect_s: int = CONNECT_S, *, own: bool = False) -> Engine:
        """Return an engine whose sessions only read; a server may take ``connect_s`` seconds to accept one.

        It is for queries, or for the program's ``own`` reading of what it writes.
        """
        ...

    def open_tables(self, database: Connections) -> StoredTables:
        """Return the documents' tables of a database."""
        ...

    def migrate(self) -> Iterator[tuple[int, str]]:
        """Bring tables that an older version wrote to the form of this one; yield their number and each one's name."""
        yield from ()

    def session(self, connection: Connection, timeout_s: float, rows: int | None) -> AbstractContextManager[None]:
        """Limit what runs on a reader's connection in time, and in rows where the database can."""
        ...

    def damage(self, said: str) -> str:
        """Return what to do if a message of the driver means that the files are damaged, else ""."""
        return ""

    def settle(self) -> None:
        """Bring all that was written into the catalog's own file, for whoever copies it; do nothing on a server."""

    def check(self) -> None:
        """Raise StoreDamaged if the files of the catalog are damaged, ChangesLost; do nothing on a server."""

    def accept_loss(self) -> list[str]:
        """Use a catalog that lost its last changes as it is; return the folders that its files name."""
        raise NotImplementedError(f"{self.name} keeps what was committed")

    def set_aside(self) -> tuple[Path, list[str]]:
        """Rename the files of a damaged catalog; return the new name, and the folders that it still names."""
        raise NotImplementedError(f"{self.name} restores its own files")

    def set_aside_records(self) -> tuple[list[Path], list[Recorded]]:
        """Return the catalogs that were set aside, and what they still tell of documents."""
        return [], []

    def trouble(self, error: DBAPIError) -> Trouble:
        """Return what an error of the driver means."""
        ...

    def interruption(self, error: DBAPIError) -> Interruption:
        """Return why a transaction may succeed when it is repeated; "" if it would not."""
        return ""

    def missing_table(self, error: Exception) -> str:
        """Return the name of the table that does not exist according to an error; "" if it is about something else."""
        return ""

    def is_race(self, error: DBAPIError) -> bool:
        """Return whether an error says that another host created the same tables at the same time."""
        return False

    def own_tables(self, connection: Connection) -> set[str]:
        """Return the names of the tables, of the product's own ones at least."""
        return set(inspect(connection).get_table_names())

    def version(self, connection: Connection) -> str:
        """Return the database's name and version."""
        ...

    def rights_beyond_reading(self, reading: Reading) -> list[str]:
        """Return what the user of queries may do besides reading, directly or through a role."""
        return []

    def user_checks(self, reading: Reading) -> Iterator[Check]:
        """Check what the user of queries may do."""
        ...


def shown(url: URL) -> str:
    """Return a URL as text with its password and options hidden."""
    text, hosts = url.set(query={}).render_as_string(hide_password=True), url.host or ""
    # SQLAlchemy takes a list of hosts for an IPv6 address.
    return text.replace(f"[{hosts}]", hosts, 1) if "," in hosts else text
