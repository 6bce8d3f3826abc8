"""Leases of runs in SQL."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy.engine import Connection

from tablerag.tools.leases import BEATS, Leases
from tablerag.tools.services import Services


def test_a_renewal_in_progress_does_not_keep_the_lease_of_a_failed_run(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.catalog.create()
    leases, renewing = Leases(services.database, 1.0), threading.Event()
    write = services.database.writing

    @contextmanager
    def slow(doing: str) -> Iterator[Connection]:
        if threading.current_thread() is not threading.main_thread():
            renewing.set()
            time.sleep(1.0 / BEATS)
        with write(doing) as connection:
            yield connection

    monkeypatch.setattr(services.database, "writing", slow)
    with pytest.raises(ZeroDivisionError), leases.held("a"):
        assert renewing.wait(10)
        raise ZeroDivisionError
    time.sleep(1.0 / BEATS)  # as long as the renewal takes
    assert leases.alive() == set()
