"""Connections to the first of several hosts that takes them, beginning with the last that did."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from mysql.connector.errors import Error, OperationalError

from tablerag.tools.sql.backends.hosts import Host

__all__ = ["Hosts"]

ROUND_S = 0.25
"""How long hosts that are not ready are left alone before they are asked again."""
VARIABLES = "SHOW VARIABLES WHERE Variable_name IN ('wsrep_on', 'read_only')"
STATUS = "SHOW STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_local_state_comment')"
DONOR = "Donor/Desynced"
NOT_READY = "is not ready"
NO_HOST = 2003
"""The driver's number for a server that does not answer."""


class Hosts:
    """The hosts of one URL. Safe to share between threads.

    ``seconds`` bounds how long a connection may take, over all hosts. A node of a Galera cluster that takes no
    statements is passed over, and so is a server that only reads if the connection ``writes``.
    """

    def __init__(self, hosts: Sequence[Host], seconds: int, *, writes: bool) -> None:
        self._hosts, self._seconds, self._writes = tuple(hosts), seconds, writes
        self._last = 0

    def connect(self, open_one: Callable[[Host, int], Any]) -> Any:
        """Return a connection of the driver; ``open_one`` makes one to a host in so many seconds at most.

        Raises the driver's error that says what is wrong with each host.
        """
        until = time.monotonic() + self._seconds
        while True:
            told: dict[Host, str] = {}
            connection = self._one_round(open_one, told)
            if connection is not None:
                return connection
            if NOT_READY not in "".join(told.values()) or time.monotonic() > until:
                raise OperationalError(msg="; ".join(f"{host} {why}" for host, why in told.items()), errno=NO_HOST)
            time.sleep(ROUND_S)

    def _one_round(self, open_one: Callable[[Host, int], Any], told: dict[Host, str]) -> Any:
        """Ask each host once; return a connection, or None and why each host was passed over."""
        spare: Any = None
        for place in self._order():
            host = self._hosts[place]
            try:
                connection = open_one(host, max(1, self._seconds // len(self._hosts)))
                trouble = self._trouble(connection)
            except Error as error:
                told[host] = str(getattr(error, "msg", None) or error)
                continue
            if trouble and (trouble != DONOR or spare is not None):
                told[host] = trouble
                _close(connection)
                continue
            if spare is not None:
                _close(spare)
            if not trouble:
                self._last = place
                return connection
            spare = connection  # it answers, if slowly: taken if no other does
        return spare

    def _order(self) -> list[int]:
        """Return the places of the hosts, beginning with the last that took a connection."""
        first = self._last
        return [first, *(p for p in range(len(self._hosts)) if p != first)]

    def _trouble(self, connection: Any) -> str:
        """Return why a server is passed over; "" if it is not, DONOR for one that sends its data to another node."""
        variables = _found(connection, VARIABLES)
        if self._writes and variables.get("read_only") == "ON":
            return "is read-only"
        if variables.get("wsrep_on") != "ON":
            return ""
        status = _found(connection, STATUS)
        state = status.get("wsrep_local_state_comment", "")
        if status.get("wsrep_ready") != "ON":
            return f"{NOT_READY} ({state or 'not in its cluster'})"
        return DONOR if state == DONOR else ""


def _found(connection: Any, sql: str) -> dict[str, str]:
    cursor = connection.cursor()
    try:
        cursor.execute(sql)
        return {str(name).casefold(): str(value) for name, value in cursor.fetchall()}
    finally:
        cursor.close()


def _close(connection: Any) -> None:
    with suppress(Error):
        connection.close()
