"""Tables of connected databases that have changed are described again: before a question, or when a statement fails."""

import threading
import time
from collections import defaultdict
from collections.abc import Sequence

from tablerag.tools.errors import TableRagError
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services

__all__ = ["Refresher", "refreshing"]

QUIET_S = 60.0
"""How long a connection is left alone after nothing was found to have changed."""
LOOKED_S, SHARE = 1.0, 0.1
"""How long a connection is not looked at again, at least, and the share of the time that looking may take."""


class Refresher:
    """Describes tables again, for one deployment. Safe to share between threads; one at a time for each connection."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._locks: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._futile: dict[str, float] = {}
        self._next_look: dict[str, float] = {}
        self._changed: dict[str, bool] = {}

    def __call__(self, name: str, tables: Sequence[TableSchema], sought: str = "") -> bool:
        """Return whether the catalog now has others; False if nothing changed, or nothing may be written."""
        from tablerag.ingestion.connecting import refresh  # slow to import

        with self._locks[name]:
            try:
                if not {t.stored_as for t in tables} <= self._services.database.connections.stored_names():
                    return True  # another run has described them again
                if time.monotonic() < self._futile.get(name, 0.0):
                    return False
                self._check_may_write()
                changed = refresh(self._services, name, {t.locator for t in tables}, sought)
            except TableRagError:
                changed = False  # the first error has the advice
            if not changed:
                self._futile[name] = time.monotonic() + QUIET_S
            return changed

    def look(self, name: str) -> bool:
        """Return whether the catalog was just given others; at most once in LOOKED_S a database is asked."""
        from tablerag.ingestion.connecting import refresh_changed

        with self._locks[name]:
            begun = time.monotonic()
            if begun < self._next_look.get(name, 0.0):
                return self._changed[name]  # by a question beside this one
            try:
                self._check_may_write()
                self._changed[name] = refresh_changed(self._services, name)
            except TableRagError:
                self._changed[name] = False
            now = time.monotonic()
            # What a change takes to be described, which is long, is no look.
            looked = 0.0 if self._changed[name] else now - begun
            self._next_look[name] = now + max(LOOKED_S, looked / SHARE)
            return self._changed[name]

    def _check_may_write(self) -> None:
        from tablerag.tools.access.restricted import check_may_write

        check_may_write(self._services)


def refreshing(services: Services) -> Services:
    """Have services describe changed tables again, and return them."""
    if services.refresh is None:
        services.refresh = Refresher(services)
    return services
