"""A corpus's knowledge as an API key with rights may see it, and the answers that only this key has confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.tools.errors import AccessDenied, SqlProblem
from tablerag.tools.knowledge.entries import ConfirmedEntry, Knowledge
from tablerag.tools.knowledge.store import KnowledgeStore
from tablerag.tools.linking.keys import key_of
from tablerag.tools.sql.guard import guard

if TYPE_CHECKING:
    from tablerag.tools.records import TableSchema

__all__ = ["RestrictedKnowledge"]

DENIED = "this API key may not use corpus {!r}: choose one of its own"


class Seen(Protocol):
    """What a key sees: its corpora, and their tables by SQL name."""

    def may_use(self, corpus: str) -> bool: ...

    def map(self, corpus: str) -> Mapping[str, TableSchema]: ...

    def check_may_write(self, corpus: str) -> None: ...


class RestrictedKnowledge(KnowledgeStore):
    """The knowledge of corpora without confirmed answers over what a key does not see as a whole.

    Those that such a key confirms are kept beside it, in a file of the key's own, and serve no other key: they were
    computed from what this one sees. A key that sees all tables confirms for everyone.
    """

    def __init__(self, whole: KnowledgeStore, catalog: Seen, owner: str, *, sees_all: bool) -> None:
        self._whole, self._catalog, self._owner, self._sees_all = whole, catalog, owner, sees_all

    def of(self, corpus: str) -> Knowledge:
        if not self._catalog.may_use(corpus):
            return Knowledge()
        known = self._whole.of(corpus)
        own = () if self._sees_all else self._whole.of(self._place(corpus)).confirmed
        mine = {key_of(e.question) for e in own}
        shared = (e for e in known.confirmed if key_of(e.question) not in mine and self._is_seen(corpus, e))
        return known.model_copy(update={"confirmed": (*shared, *own)})

    def confirm(self, corpus: str, entry: ConfirmedEntry) -> None:
        self._whole.confirm(self._place(corpus), entry)

    def withdraw(self, corpus: str, question: str) -> bool:
        return self._whole.withdraw(self._place(corpus), question)

    def save(self, corpus: str, text: str, file: str) -> Knowledge:
        self._catalog.check_may_write(corpus)
        return self._whole.save(corpus, text, file)

    def remove(self, corpus: str) -> bool:
        self._catalog.check_may_write(corpus)
        return self._whole.remove(corpus)

    def text(self, corpus: str) -> tuple[str, str]:
        """Return nothing: the file of a corpus may quote what is hidden."""
        return "", ""

    def _place(self, corpus: str) -> str:
        """Return where what the key confirms is kept. No corpus has a slash in its name."""
        if not self._catalog.may_use(corpus):
            raise AccessDenied(DENIED.format(corpus))
        return corpus if self._sees_all else f"{corpus}/{self._owner}"

    def _is_seen(self, corpus: str, entry: ConfirmedEntry) -> bool:
        """Tell whether a statement reads only tables that are seen as a whole: its texts may be values of others."""
        try:
            names = {t.name for t in sqlglot.parse_one(entry.sql, read="mysql").find_all(exp.Table)}
        except (SqlglotError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
            return False
        whole = self._whole_tables(corpus)
        common = {n.casefold() for n in names} - {s.name.casefold() for s in whole}
        try:
            return not common or bool(guard(entry.sql, whole, row_limit=1))
        except SqlProblem:
            return False

    def _whole_tables(self, corpus: str) -> list[TableSchema]:
        return [s for s in self._catalog.map(corpus).values() if s.row_filter is None]
