"""Tables of connected databases that have changed are described again when a statement over them fails."""

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


class Refresher:
    """Describes tables again, for one deployment. Safe to share between threads; one at a time for each connection."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._locks: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._futile: dict[str, float] = {}

    def __call__(self, name: str, tables: Sequence[TableSchema], sought: str = "") -> bool:
        """Return whether the catalog now has others; False if nothing changed, or nothing may be written."""
        from tablerag.ingestion.connecting import refresh
        from tablerag.tools.access.restricted import check_may_write  # both are slow to import

        with self._locks[name]:
            try:
                if not {t.stored_as for t in tables} <= self._services.database.connections.stored_names():
                    return True  # another run has described them again
                if time.monotonic() < self._futile.get(name, 0.0):
                    return False
                check_may_write(self._services)
                changed = refresh(self._services, name, {t.locator for t in tables}, sought)
            except TableRagError:
                changed = False  # the first error has the advice
            if not changed:
                self._futile[name] = time.monotonic() + QUIET_S
            return changed


def refreshing(services: Services) -> Services:
    """Have services describe changed tables again, and return them."""
    if services.refresh is None:
        services.refresh = Refresher(services)
    return services
