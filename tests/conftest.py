"""Fixtures for all tests: a private SQL server, services over real stores, no network but loopback."""

import itertools
import socket
from collections.abc import Iterator

import pytest

from tests.support.mysql_server import MysqlServer

pytest_plugins = ["tests.support.fixtures_services"]
_NUMBER = itertools.count(1)


@pytest.fixture(scope="session")
def mysql_server() -> Iterator[MysqlServer]:
    """A private MySQL-compatible server; without one installed the tests fail, they do not skip."""
    server = MysqlServer()
    try:
        yield server.start()
    finally:
        server.stop()


@pytest.fixture
def mysql_url(mysql_server: MysqlServer) -> Iterator[str]:
    """The URL of a fresh database."""
    name = f"test_{next(_NUMBER)}"
    mysql_server.execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci")
    yield mysql_server.url(name)
    mysql_server.execute(f"DROP DATABASE {name}")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: object) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test reaches out to {address}")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the developer's own settings out of the tests."""
    import os

    for name in list(os.environ):
        if name.startswith("TABLERAG_") or name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
            monkeypatch.delenv(name)
