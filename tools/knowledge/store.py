"""Keeps the knowledge file of each corpus in the SQL database, where every host reads the same."""

import threading
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, delete, insert, select

from tablerag.tools.catalog_tables import KNOWLEDGE
from tablerag.tools.knowledge.entries import Knowledge
from tablerag.tools.knowledge.parsing import parse
from tablerag.tools.sql.database import Database

__all__ = ["KnowledgeStore"]

MOST_FILE_CHARS = 200
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

    def save(self, corpus: str, text: str, file: str) -> Knowledge:
        """Replace a corpus's file and return its entries; raise ConfigError if it cannot be parsed."""
        knowledge = parse(text, file[-MOST_FILE_CHARS:])
        with self._lock, self._database.writing("keep the knowledge of a corpus") as connection:
            KNOWLEDGE.create(connection, checkfirst=True)
            connection.execute(delete(KNOWLEDGE).where(KNOWLEDGE.c.corpus == corpus))
            connection.execute(insert(KNOWLEDGE).values(corpus=corpus, file=knowledge.file, text=text))
        return knowledge

    def remove(self, corpus: str) -> bool:
        """Delete a corpus's file; return whether there was one."""
        if not self._is_there():
            return False
        with self._database.writing("remove the knowledge of a corpus") as connection:
            return bool(connection.execute(delete(KNOWLEDGE).where(KNOWLEDGE.c.corpus == corpus)).rowcount)

    def _is_there(self) -> bool:
        self._exists = self._exists or self._database.has_table(KNOWLEDGE.name)
        return self._exists
