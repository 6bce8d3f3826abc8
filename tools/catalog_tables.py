"""The tables of the catalog, and the records in their rows."""

from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, String, Table, Text, UniqueConstraint
from sqlalchemy.dialects import mysql

__all__ = [
    "CHUNKS",
    "CONNECTIONS",
    "DEPLOYMENT",
    "DOCUMENTS",
    "FAILED",
    "GENERATIONS",
    "JOBS",
    "KEYS",
    "KNOWLEDGE",
    "LONG",
    "METADATA",
    "QUESTIONS",
    "RUNS",
    "SAVED",
    "TABLES",
    "TOKENS",
    "UNFINISHED",
    "UNIONS",
    "UNITED",
    "WORDS",
    "DocumentRecord",
    "now",
]

_BYTES = LargeBinary().with_variant(mysql.MEDIUMBLOB(), "mysql", "mariadb")
_LONG = Text().with_variant(mysql.MEDIUMTEXT(), "mysql", "mariadb")
# Binary collation: corpora and sources that only differ in case or accents are different.
_UTF8: dict[str, Any] = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin"}
METADATA = MetaData()
DOCUMENTS = Table(
    "_tablerag_documents",
    METADATA,
    Column("document_id", String(64), primary_key=True),
    Column("corpus", String(120), nullable=False, index=True),
    Column("source_key", String(64), nullable=False, unique=True),
    Column("path_key", String(64), nullable=False, unique=True),
    Column("source", Text, nullable=False),
    Column("record", _LONG, nullable=False),
    **_UTF8,
)
TABLES = Table(
    "_tablerag_tables",
    METADATA,
    Column("table_id", String(80), primary_key=True),
    Column("document_id", String(64), nullable=False, index=True),
    Column("corpus", String(120), nullable=False, index=True),
    Column("name", String(64), nullable=False),
    Column("signature", String(64), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("table_schema", _LONG, nullable=False),
    UniqueConstraint("corpus", "name"),
    **_UTF8,
)
# What follows from the tables is kept beside them, so that no question needs to read all tables.
KEYS = Table(
    "_tablerag_keys",
    METADATA,
    Column("table_id", String(80), primary_key=True),
    Column("name", String(64), primary_key=True),
    Column("corpus", String(120), nullable=False),
    Index("_tablerag_keys_of_corpus", "corpus", "name"),
    **_UTF8,
)
WORDS = Table(
    "_tablerag_words",
    METADATA,
    Column("corpus", String(120), primary_key=True),
    Column("word", String(100), primary_key=True),
    Column("uses", BigInteger, nullable=False),
    **_UTF8,
)
LONG = Table(
    "_tablerag_long",
    METADATA,
    Column("table_id", String(80), primary_key=True),
    Column("corpus", String(120), nullable=False, index=True),
    **_UTF8,
)
UNIONS = Table(
    "_tablerag_unions",
    METADATA,
    # A hash of the members: the union of other members is another one.
    Column("union_id", String(64), primary_key=True),
    Column("corpus", String(120), nullable=False),
    Column("signature", String(64), nullable=False),
    Column("name", String(64), nullable=False),
    Column("wanted", String(64), nullable=False),
    Column("stem", String(64), nullable=False),
    Column("first_name", String(64), nullable=False),
    Column("first_source", Text, nullable=False),
    Column("table_schema", _LONG, nullable=False),
    Index("_tablerag_unions_by_signature", "corpus", "signature"),
    Index("_tablerag_unions_by_stem", "corpus", "stem"),
    Index("_tablerag_unions_by_name", "corpus", "name"),
    **_UTF8,
)
UNITED = Table(
    "_tablerag_united",
    METADATA,
    Column("table_id", String(80), primary_key=True),
    Column("union_id", String(64), nullable=False, index=True),
    **_UTF8,
)
GENERATIONS = Table(
    "_tablerag_generations",
    METADATA,
    Column("corpus", String(120), primary_key=True),
    Column("number", BigInteger, nullable=False),
    **_UTF8,
)
UNFINISHED = Table(
    "_tablerag_unfinished",
    METADATA,
    Column("document_id", String(64), primary_key=True),
    Column("corpus", String(120), nullable=False),
    Column("run", String(64), nullable=False),
    Column("stored_tables", _LONG, nullable=False),
    **_UTF8,
)
DEPLOYMENT = Table(
    "_tablerag_deployment",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("value", String(64), nullable=False),
    **_UTF8,
)
RUNS = Table(
    "_tablerag_runs",
    METADATA,
    Column("run", String(64), primary_key=True),
    Column("host", String(255), nullable=False),
    Column("pid", BigInteger, nullable=False),
    # Milliseconds since 1970 by the database's clock: the hosts' own clocks may differ.
    Column("expires", BigInteger, nullable=False),
    **_UTF8,
)

QUESTIONS = Table(
    "_tablerag_questions",
    METADATA,
    Column("question_key", String(64), primary_key=True),
    Column("questions", _LONG, nullable=False),
    **_UTF8,
)

SAVED = Table(
    "_tablerag_saved",
    METADATA,
    Column("item_id", String(32), primary_key=True),
    Column("owner", String(120), nullable=False),
    Column("corpus", String(120), nullable=False),
    Column("kind", String(12), nullable=False),
    Column("title", Text, nullable=False),
    Column("record", _LONG, nullable=False),
    Column("saved_at", String(40), nullable=False),
    Index("_tablerag_saved_of_owner", "owner", "corpus", "kind"),
    **_UTF8,
)
JOBS = Table(
    "_tablerag_jobs",
    METADATA,
    Column("job_id", String(32), primary_key=True),
    Column("corpus", String(120), nullable=False),
    Column("state", String(12), nullable=False),
    Column("is_cancelled", Integer, nullable=False),
    Column("started_at", String(40), nullable=False, index=True),
    Column("record", _LONG, nullable=False),
    Index("_tablerag_jobs_of_corpus", "corpus", "started_at"),
    **_UTF8,
)
TOKENS = Table(
    "_tablerag_tokens",
    METADATA,
    Column("corpus", String(120), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("tokens", BigInteger, nullable=False),
    **_UTF8,
)

KNOWLEDGE = Table(
    "_tablerag_knowledge",
    METADATA,
    Column("corpus", String(120), primary_key=True),
    Column("file", String(255), nullable=False),
    Column("text", _LONG, nullable=False),
    **_UTF8,
)

FAILED = Table(
    "_tablerag_failed",
    METADATA,
    Column("path_key", String(64), primary_key=True),
    Column("corpus", String(120), nullable=False, index=True),
    Column("record", _LONG, nullable=False),
    **_UTF8,
)

CHUNKS = Table(
    "_tablerag_chunks",
    METADATA,
    Column("document_id", String(64), primary_key=True),
    # A corpus, or one of its summary corpora.
    Column("name", String(130), primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("chunks", _BYTES, nullable=False),
    **_UTF8,
)

CONNECTIONS = Table(
    "_tablerag_connections",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("record", _LONG, nullable=False),
    **_UTF8,
)


def now() -> str:
    """Return the time in ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class DocumentRecord(BaseModel):
    """The catalog's record of one document: one file in one corpus."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    document_id: str
    """The id of this version; it changes with the content."""
    corpus: str
    source: str
    """The name with which answers cite it, unique in its corpus."""
    path: str = ""
    """Absolute path of the file."""
    folder: str = ""
    """Absolute path of the folder that was ingested."""
    content_hash: str
    status: str = "ready"
    format: str
    title: str = ""
    size_bytes: int = 0
    mtime_ns: int = 0
    """When the file was last modified; 0 if that does not tell whether it changed since."""
    read_as: str = ""
    """A hash of the settings and rules that decide what is stored of the file."""
    row_count: int | None = None
    """The rows of its tables; None in a record of an older version."""
    chunk_count: int = 0
    table_count: int = 0
    warnings: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    """The levels of summaries of its tables."""
    ingested_at: str = Field(default_factory=now)
    """ISO 8601, UTC."""
