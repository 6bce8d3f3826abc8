"""The files that could not be read, by corpus, so that they can be read again alone."""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import delete, insert, select

from tablerag.tools.catalog_tables import FAILED, now
from tablerag.tools.errors import StoreUnavailable
from tablerag.tools.sql.database import Database

__all__ = ["FailedFile", "FailedFiles"]


class FailedFile(BaseModel):
    """A file that could not be read, or an archive with one."""

    model_config = ConfigDict(frozen=True)

    path: str
    """Absolute path or URL."""
    source: str
    """The name under which it was found."""
    folder: str
    """The folder that was ingested."""
    reason: str
    failed_at: str = Field(default_factory=now)
    """ISO 8601, UTC."""


class FailedFiles:
    """The list in the SQL database, which all hosts share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, corpus: str) -> list[FailedFile]:
        """Return the failed files of a corpus, by path; raise StoreUnavailable."""
        if not self._database.has_table(FAILED.name):
            return []
        rows = self._database.select(select(FAILED.c.record).where(FAILED.c.corpus == corpus))
        return sorted((FailedFile.model_validate_json(r.record) for r in rows), key=lambda f: f.path)

    def note(self, corpus: str, failed: Sequence[FailedFile], is_settled: Callable[[str], bool]) -> None:
        """Add files, and take out those whose path is settled: they were read, or are gone."""
        before = {f.path: f for f in self.of(corpus)}
        new = {f.path: f for f in failed if f.path not in before or before[f.path].reason != f.reason}
        kept = {f.path for f in failed}
        old = [path for path in before if path in new or (path not in kept and is_settled(path))]
        if not new and not old:
            return
        keys = [_key(corpus, path) for path in {*old, *new}]
        rows = [
            {"path_key": _key(corpus, f.path), "corpus": corpus, "record": f.model_dump_json()} for f in new.values()
        ]
        with suppress(StoreUnavailable), self._database.writing("note failed files") as connection:
            # Another run that notes the same file at the same time has noted it.
            for key in keys:
                connection.execute(delete(FAILED).where(FAILED.c.path_key == key))
            if rows:
                connection.execute(insert(FAILED), rows)


def _key(corpus: str, path: str) -> str:
    return hashlib.sha256(f"{corpus}\0{path}".encode("utf-8", "replace")).hexdigest()
