"""Every error that the project raises on purpose.

TableRagError                     the root; its message says what, got, expected, how to mend it
|-- ConfigError                   a setting is wrong or missing: stops, exit status 2
|   `-- EmbeddingMismatch         the collection was made by another embedding
|-- AccessDenied                  the API key of a served run may not use what it asks for: stops
|-- StoreUnavailable              SQL, the vector store or the lexical index does not answer: stops
|-- ModelUnavailable              no connection, 401, quota, timeout after retries: stops
|-- UnreadableDocument            one file cannot be read: reported, the batch goes on
|-- ReplyInvalid                  a model's reply does not fit its form: asked again, then stops
|-- FormulaRefused                the calculator does not compute a formula: the reply's own number is taken, or none
|-- ProgramFailed                 a sandboxed program gave no answer: goes back to the model
`-- SqlProblem                    goes back to the model, which may repair its statement
    |-- SqlRejected               the guard refused the statement
    `-- SqlFailed                 the database refused it, or it ran out of time
"""

__all__ = [
    "AccessDenied",
    "ConfigError",
    "EmbeddingMismatch",
    "FormulaRefused",
    "ModelUnavailable",
    "ProgramFailed",
    "ReplyInvalid",
    "SqlFailed",
    "SqlProblem",
    "SqlRejected",
    "StoreUnavailable",
    "TableRagError",
    "UnreadableDocument",
]


class TableRagError(RuntimeError):
    """The root of all errors raised on purpose.

    A RuntimeError because the LangGraph server passes the words of Python's own kinds of errors on to its clients; of
    all others it says "An internal error occurred".
    """


class ConfigError(TableRagError):
    """A setting is wrong or missing."""


class EmbeddingMismatch(ConfigError):
    """The collection was made by another embedding than the one configured."""


class AccessDenied(TableRagError):
    """The API key of a served run may not use what it asks for."""


class StoreUnavailable(TableRagError):
    """A store (SQL, vectors, lexical index) does not answer."""


class ModelUnavailable(TableRagError):
    """The language model cannot be used."""


class UnreadableDocument(TableRagError):
    """One file cannot be read."""


class ReplyInvalid(TableRagError):
    """A model's reply does not fit the form asked for."""


class FormulaRefused(TableRagError):
    """The calculator does not compute a formula; the message may be shown to the model."""


class ProgramFailed(TableRagError):
    """A program in the sandbox gave no answer; the message may be shown to the model that wrote it."""


class SqlProblem(TableRagError):
    """A statement that did not run; the message may be shown to the model."""


class SqlRejected(SqlProblem):
    """The guard refused the statement."""


class SqlFailed(SqlProblem):
    """The database refused the statement, or it ran out of time."""
