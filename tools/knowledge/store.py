"""Keeps the knowledge file of each corpus in the SQL database, where every host reads the same."""

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, delete, insert, select

from tablerag.tools.catalog_tables import KNOWLEDGE
from tablerag.tools.knowledge.entries import ConfirmedEntry, Knowledge
from tablerag.tools.knowledge.parsing import parse
from tablerag.tools.knowledge.writing import with_confirmed
from tablerag.tools.linking.keys import key_of
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.repeating import repeated

__all__ = ["KnowledgeStore"]

MOST_FILE_CHARS = 200
DEFAULT_FILE = "knowledge.yaml"
_parsed = lru_cache(maxsize=64)(parse)


class KnowledgeStore:
    """The knowledge of corpora: one file each. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._exists = False
        self._lock = threading.Lock()

    def of(self, corpus: str) -> Knowledge:
        """Return the entries of a corpus; none if it has no file."""
        text, file = self.text(corpus)
        return _parsed(text, file) if text else Knowledge()

    def text(self, corpus: str) -> tuple[str, str]:
        """Return a corpus's file and its name, both empty if it has none."""
        if not self._is_there():
            return "", ""
        wanted: Select[Any] = select(KNOWLEDGE).where(KNOWLEDGE.c.corpus == corpus)
        return next(((str(r.text), str(r.file)) for r in self._database.select(wanted)), ("", ""))

    @repeated
    def save(self, corpus: str, text: str, file: str) -> Knowledge:
        """Replace a corpus's file and return its entries; raise ConfigError if it cannot be parsed."""
        knowledge = parse(text, file[-MOST_FILE_CHARS:])
        with self._lock, self._database.writing("keep the knowledge of a corpus") as connection:
            KNOWLEDGE.create(connection, checkfirst=True)
            connection.execute(delete(KNOWLEDGE).where(KNOWLEDGE.c.corpus == corpus))
            connection.execute(insert(KNOWLEDGE).values(corpus=corpus, file=knowledge.file, text=text))
        return knowledge

    def confirm(self, corpus: str, entry: ConfirmedEntry) -> None:
        """Add a confirmed answer to a corpus's file, in place of an earlier one for the same question."""
        self._change(corpus, lambda known: [*_without(known, entry.question), entry])

    def withdraw(self, corpus: str, question: str) -> bool:
        """Delete the confirmed answer of a question; return whether there was one."""
        known = self.of(corpus)
        if len(_without(known, question)) == len(known.confirmed):
            return False
        self._change(corpus, lambda known: _without(known, question))
        return True

    @repeated
    def _change(self, corpus: str, change: Callable[[Knowledge], list[ConfirmedEntry]]) -> None:
        """Write the confirmed answers at the end of the file; all else stays as it is."""
        with self._lock, self._database.writing("keep a confirmed answer") as connection:
            KNOWLEDGE.create(connection, checkfirst=True)
            found = connection.execute(select(KNOWLEDGE).where(KNOWLEDGE.c.corpus == corpus).with_for_update()).first()
            text, file = (str(found.text), str(found.file)) if found else ("", DEFAULT_FILE)
            text = with_confirmed(text, change(parse(text, file)), file)
            parse(text, file)
            connection.execute(delete(KNOWLEDGE).where(KNOWLEDGE.c.corpus == corpus))
            connection.execute(insert(KNOWLEDGE).values(corpus=corpus, file=file, text=text))

    @repeated
    def remove(self, corpus: str) -> bool:
        """Delete a corpus's file; return whether there was one."""
        if not self._is_there():
            return False
        with self._database.writing("remove the knowledge of a corpus") as connection:
            return bool(connection.execute(delete(KNOWLEDGE).where(KNOWLEDGE.c.corpus == corpus)).rowcount)

    def _is_there(self) -> bool:
        self._exists = self._exists or self._database.has_table(KNOWLEDGE.name)
        return self._exists


def _without(known: Knowledge, question: str) -> list[ConfirmedEntry]:
    return [e for e in known.confirmed if key_of(e.question) != key_of(question)]
