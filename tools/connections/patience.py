"""Which databases are waited for: those whose tables a question names. Others, which it may not need, get a glance."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from tablerag.tools.connections.registry import connection_of
from tablerag.tools.linking.keys import key_of, singular_key
from tablerag.tools.records import TableSchema

if TYPE_CHECKING:
    from tablerag.tools.connections.routing import RoutedTables

__all__ = ["guessing", "is_guessing", "is_waited_for", "naming", "unread", "waiting_for"]

_waited_for: ContextVar[frozenset[str]] = ContextVar("waited_for", default=frozenset())
_guessing: ContextVar[bool] = ContextVar("guessing", default=False)
LEAST_CHARS = 3
"""Characters of a word that can name a table."""
TELLING_CHARS = 4
"""Characters of a word of a header that says something of a table: "id" and "no" are in many."""


def is_waited_for(connection: str) -> bool:
    """Return whether a database is waited for in this context."""
    return connection in _waited_for.get()


def is_guessing() -> bool:
    """Return whether statements of this context only show which one is meant."""
    return _guessing.get()


@contextmanager
def guessing() -> Iterator[None]:
    """Run statements that only show which one is meant."""
    token = _guessing.set(True)
    try:
        yield
    finally:
        _guessing.reset(token)


@contextmanager
def waiting_for(schemas: Collection[TableSchema]) -> Iterator[None]:
    """Wait for the databases of tables, as long as their statements do."""
    names = frozenset(connection_of(s.stored_as) for s in schemas if s.origin)
    token = _waited_for.set(_waited_for.get() | names)
    try:
        yield
    finally:
        _waited_for.reset(token)


def naming(text: str, schemas: Sequence[TableSchema]) -> list[TableSchema]:
    """Return the connected tables that a text names by a word of their names."""
    return [s for s in schemas if s.origin and _shares_word(text, f"{s.title} {s.name}", LEAST_CHARS)]


def unread(tables: "RoutedTables", text: str, schemas: Sequence[TableSchema]) -> list[str]:
    """Return what to say of connected tables that a text may be about, by a word of a name, and that cannot be read."""
    failed = [s for s in schemas if s.origin and tables.has_failed(s.stored_as)]
    about = [
        s for s in failed if _shares_word(text, " ".join([s.title, *(c.header for c in s.columns)]), TELLING_CHARS)
    ]
    return [f"Table “{s.title}” of {s.source} could not be read: the text was not compared with it." for s in about]


def _shares_word(text: str, names: str, least: int) -> bool:
    return any(len(w) >= least for w in _words(names) & _words(text))


def _words(text: str) -> set[str]:
    return set(singular_key(key_of(text.replace("_", " "))).split())
