"""What people keep on the page, in the SQL database: saved questions and boards, of each API key in each corpus."""

import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from tablerag.tools.catalog_tables import SAVED
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Record
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.repeating import repeated, repeated_if_undone

__all__ = ["MOST_ITEMS", "SavedItem", "SavedItems"]

Kind = Literal["question", "board"]
MOST_ITEMS = 500
"""Of one kind, of one owner in one corpus."""
DOING = "keep what was saved"


class SavedItem(Record):
    """A saved question or a board."""

    item_id: str
    title: str
    record: dict[str, Any]
    saved_at: str
    """When it was saved or last changed, ISO 8601, UTC."""


class SavedItems:
    """The items of one kind, of one owner in one corpus; nobody else sees them."""

    def __init__(self, database: Database, owner: str, corpus: str, kind: Kind) -> None:
        """Take whose they are; ``owner`` is "" where no keys are needed."""
        self._database = database
        self._owner, self._corpus, self._kind = owner, corpus, kind

    def every(self) -> list[SavedItem]:
        """Return the items, the latest first."""
        return self._found(*self._mine()) if self._database.has_table(SAVED.name) else []

    def one(self, item_id: str) -> SavedItem | None:
        """Return an item; None if there is none of this id."""
        if not self._database.has_table(SAVED.name):
            return None
        return next(iter(self._found(*self._mine(), SAVED.c.item_id == item_id)), None)

    @repeated_if_undone
    def add(self, title: str, record: Mapping[str, Any]) -> SavedItem:
        """Keep a new item; raise ConfigError if there are too many."""
        item = SavedItem(item_id=uuid.uuid4().hex, title=title, record=dict(record), saved_at=_now())
        whose = {"owner": self._owner, "corpus": self._corpus, "kind": self._kind}
        with self._database.writing(DOING) as connection:
            SAVED.create(connection, checkfirst=True)
            counted = select(func.count()).select_from(SAVED).where(*self._mine())
            if connection.execute(counted).scalar_one() >= MOST_ITEMS:
                raise ConfigError(f"{MOST_ITEMS} are saved already, the limit: delete one first")
            connection.execute(insert(SAVED).values(**whose, **_columns(item)))
        return item

    @repeated
    def replace(self, item_id: str, title: str, record: Mapping[str, Any]) -> SavedItem | None:
        """Change an item; return None if there is none of this id."""
        if self.one(item_id) is None:
            return None
        item = SavedItem(item_id=item_id, title=title, record=dict(record), saved_at=_now())
        with self._database.writing(DOING) as connection:
            changing = update(SAVED).where(*self._mine(), SAVED.c.item_id == item_id).values(**_columns(item))
            return item if connection.execute(changing).rowcount else None

    @repeated
    def remove(self, item_id: str) -> bool:
        """Delete an item; return whether there was one."""
        if self.one(item_id) is None:
            return False
        with self._database.writing(DOING) as connection:
            return bool(connection.execute(delete(SAVED).where(*self._mine(), SAVED.c.item_id == item_id)).rowcount)

    def _mine(self) -> tuple[ColumnElement[bool], ...]:
        return SAVED.c.owner == self._owner, SAVED.c.corpus == self._corpus, SAVED.c.kind == self._kind

    def _found(self, *conditions: ColumnElement[bool]) -> list[SavedItem]:
        wanted = select(SAVED).where(*conditions).order_by(SAVED.c.saved_at.desc(), SAVED.c.item_id)
        return [
            SavedItem(item_id=r.item_id, title=r.title, record=json.loads(r.record), saved_at=r.saved_at)
            for r in self._database.select(wanted)
        ]


def _columns(item: SavedItem) -> dict[str, str]:
    return item.model_dump(include={"item_id", "title", "saved_at"}) | {"record": json.dumps(item.record)}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
