"""Hosts that only answer queries: replicas of the database that the program writes, which may be behind it."""

import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.engine import Connection
from sqlalchemy.exc import ProgrammingError

from tablerag.tools.catalog_tables import DEPLOYMENT, GENERATIONS
from tablerag.tools.errors import ConfigError, StoreUnavailable
from tablerag.tools.sql.backends.tables import Statement

__all__ = ["QueryHost"]

LOOK_S = 0.05
ID = select(DEPLOYMENT.c.value).where(DEPLOYMENT.c.name == "id")
CHECKED = "deployment"
"""What a connection is marked with that was found to belong to this deployment."""


class QueryHost:
    """Holds back queries until their host has all that the catalog lists: an answer is never one of yesterday.

    Databases of any kind replicate in the order of commits, and what publishes a document counts the generation of its
    corpus last.
    """

    def __init__(
        self, select_own: Callable[[Statement], list[Row[Any]]], has_own: Callable[[str], bool], patience_s: float
    ) -> None:
        """Take how the catalog is read where it is written, and how long a query waits."""
        self._select, self._has, self._patience_s = select_own, has_own, patience_s

    def catch_up(self, connection: Connection) -> None:
        """Wait until the host of a connection has caught up.

        Raises StoreUnavailable if that takes too long, ConfigError if it belongs to another deployment.
        """
        if not self._has(GENERATIONS.name):
            return
        until = time.monotonic() + self._patience_s
        wanted = _numbers(self._select(select(GENERATIONS)))
        while not self._has_all(connection, wanted):
            if time.monotonic() > until:
                raise StoreUnavailable(
                    f"TABLERAG_QUERY_DATABASE_URL names a server that lacks what was published more than "
                    f"{self._patience_s:g} s ago: check its replication, or remove the setting"
                )
            time.sleep(LOOK_S)

    def _has_all(self, connection: Connection, wanted: dict[str, int]) -> bool:
        try:
            self._check_deployment(connection)
            held = _numbers(connection.execute(select(GENERATIONS)).all())
        except ProgrammingError:
            return False  # the tables are not there yet
        return all(held.get(corpus, 0) >= number for corpus, number in wanted.items())

    def _check_deployment(self, connection: Connection) -> None:
        if CHECKED in connection.info:
            return
        theirs, ours = (next((r.value for r in rows), "") for rows in (connection.execute(ID).all(), self._select(ID)))
        if theirs and ours and theirs != ours:
            raise ConfigError(
                "TABLERAG_QUERY_DATABASE_URL names a server that holds another deployment than TABLERAG_DATABASE_URL: "
                "name a replica of the same database"
            )
        if theirs == ours:
            connection.info[CHECKED] = theirs


def _numbers(rows: Any) -> dict[str, int]:
    return {row.corpus: row.number for row in rows}
