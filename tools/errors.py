"""Every error that the project raises on purpose.

TableRagError                     the root; its message says what is wrong and how to fix it
|-- ConfigError                   a setting is invalid or missing: stops, exit status 2
|   |-- DatabaseAway              a database that is connected, or was to be, cannot be read
|   |-- EmbeddingMismatch         the collection has vectors of another embedding
|   `-- ForeignStore              a store belongs to another deployment
|-- AccessDenied                  the API key of a served run has no access: stops
|-- StoreUnavailable              SQL, the vector store or the lexical index is not available: stops
|   |-- DiskFull                  a store has no room left: a file whose table does not fit fails on its own
|   |-- Interrupted               a transaction was rolled back, or its connection was lost: it is tried again
|   |   `-- CommitUnknown         while it was committed: it may be done, or not
|   |-- LeaseLost                 another host has cleaned up after this run, which was silent for too long
|   `-- StoreDamaged              its files are damaged: the message says how to restore them
|       `-- ChangesLost           they are whole, but older than what was written
|-- ModelUnavailable              no connection, 401, quota, timeout after retries: stops
|-- UnreadableDocument            one file cannot be read: reported, the batch goes on
|-- ReplyInvalid                  a model's reply does not match its schema: asked again, then stops
|-- FormulaRefused                the calculator cannot compute a formula: the number in the reply is used, if any
|-- ProgramFailed                 a sandboxed program failed: goes back to the model
`-- SqlProblem                    goes back to the model, which can fix its statement
    |-- SqlRejected               the guard refused the statement
    |   `-- UnknownName           it names a table or column that there is not
    `-- SqlFailed                 the database refused it, or it ran out of time
        |-- TableChanged          a table or column of a connected database is no longer there
        `-- TableLost             a table that it reads is damaged or gone
            `-- TableAway         it is of a connected database that cannot be read
                `-- TableLocked   another session of that database has locked it
"""

from typing import Self

__all__ = [
    "AccessDenied",
    "ChangesLost",
    "CommitUnknown",
    "ConfigError",
    "DatabaseAway",
    "DiskFull",
    "EmbeddingMismatch",
    "ForeignStore",
    "FormulaRefused",
    "Interrupted",
    "LeaseLost",
    "ModelUnavailable",
    "ProgramFailed",
    "ReplyInvalid",
    "SqlFailed",
    "SqlProblem",
    "SqlRejected",
    "StoreDamaged",
    "StoreUnavailable",
    "TableAway",
    "TableChanged",
    "TableLocked",
    "TableLost",
    "TableRagError",
    "UnknownName",
    "UnreadableDocument",
]


class TableRagError(RuntimeError):
    """The root of all errors raised on purpose.

    A RuntimeError because the LangGraph server only passes on the messages of built-in kinds of errors; for others
    clients see "An internal error occurred".
    """


class ConfigError(TableRagError):
    """A setting is invalid or missing."""


class DatabaseAway(ConfigError):
    """A database that is connected, or was to be, cannot be read."""


class EmbeddingMismatch(ConfigError):
    """The collection has vectors of another embedding than the configured one."""


class ForeignStore(ConfigError):
    """A store belongs to another deployment than the SQL database."""


class AccessDenied(TableRagError):
    """The API key of a served run has no access to what it asks for."""


class StoreUnavailable(TableRagError):
    """A store (SQL, vectors, lexical index) is not available."""


class StoreDamaged(StoreUnavailable):
    """The files of a store are damaged."""


class ChangesLost(StoreDamaged):
    """A store's files are whole, but older than what was written."""


class DiskFull(StoreUnavailable):
    """A store has no room left on its disk."""


class Interrupted(StoreUnavailable):
    """A statement or transaction of the program itself did not end, for a reason that may be gone by the next try."""


class CommitUnknown(Interrupted):
    """The connection was lost while a transaction was committed: whether it is, is not known."""


class LeaseLost(StoreUnavailable):
    """A run was silent for longer than its lease, and another host has cleaned up after it."""


class ModelUnavailable(TableRagError):
    """The language model cannot be used."""


class UnreadableDocument(TableRagError):
    """One file cannot be read."""


class ReplyInvalid(TableRagError):
    """A model's reply does not match its schema."""


class FormulaRefused(TableRagError):
    """The calculator cannot compute a formula; the message can be shown to the model."""


class ProgramFailed(TableRagError):
    """A program in the sandbox failed; the message can be shown to the model that wrote it."""


class SqlProblem(TableRagError):
    """A statement did not run; the message can be shown to the model."""


class SqlRejected(SqlProblem):
    """The guard refused the statement."""


class UnknownName(SqlRejected):
    """A statement names a table or column that there is not."""

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name


class SqlFailed(SqlProblem):
    """The database refused the statement, or it ran out of time."""


class TableChanged(SqlFailed):
    """A table or column of a connected database is no longer as it was when it was connected."""

    connection = ""
    """The name of the connection, if known."""
    advice = "the database has changed, run `tablerag sync"


class TableLost(SqlFailed):
    """A table that a statement reads is damaged or gone; the message ends with the advice."""

    advice = "run `tablerag doctor --fix`"
    replaced = "was replaced or removed while the question was asked: ask again"

    away = "the connected database"
    """How the message begins if it is of a connected database that cannot be read."""

    @classmethod
    def of(cls, name: str, *, is_listed: bool) -> Self:
        """Return the error for a stored table that is not there; the catalog no longer lists one that was replaced."""
        return cls(f"table {name} " + (f"is not in the database: {cls.advice}" if is_listed else cls.replaced))

    @classmethod
    def is_told_by(cls, error: str) -> bool:
        """Return whether an error message is one of a table that is damaged or gone."""
        told = (cls.advice, cls.replaced, TableChanged.advice)
        return error.startswith(cls.away) or any(advice in error for advice in told)


class TableAway(TableLost):
    """A table of a connected database that cannot be read for now: it may be whole."""

    def __init__(self, connection: str, says: str) -> None:
        super().__init__(f"{self.away} {connection!r} {says}")
        self.connection, self.says = connection, says

    def again(self) -> Self:
        """Return the same error once more, to be raised elsewhere."""
        return type(self)(self.connection, self.says)

    def once_connected(self) -> Self:
        """Return the error with the last advice for a database that is connected already: to give it up."""
        return type(self)(self.connection, f"{self.says}, or run `tablerag disconnect {self.connection}`")


class TableLocked(TableAway):
    """A table of a connected database is locked by another session."""

    def once_connected(self) -> Self:
        """Return the error as it is: a lock ends."""
        return self
