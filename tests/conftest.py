"""Fixtures for every test: the network fence and the private MySQL-compatible server."""

import gc
import ipaddress
import os
import socket
import ssl
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.mysql_server import MysqlServer, running_server

pytest_plugins = [
    "tests.support.aegra",
    "tests.support.chroma_server",
    "tests.support.command_line",
    "tests.support.fixtures_services",
    "tests.support.galera",
    "tests.support.model_server",
    "tests.support.graph_server",
    "tests.support.postgres_server",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that repeats the random and large tests more often: ``make test-all``."""
    parser.addoption("--exhaustive", action="store_true", help="more kills, more rows, more of everything random")


def pytest_xdist_auto_num_workers() -> int:
    """Run one worker more than there are cores: a third of the time, tests wait for servers and processes."""
    return (os.cpu_count() or 1) + 1


COLLECTED_AFTER = 20_000, 20, 20
"""Python's own 700 new objects are a collection for every few hundred lines that run."""
SERVERS = ("graph_server", "keyed_server")
"""The fixtures that take longest to start, once in each worker."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the modules that share a server side by side: one worker then starts it for all of them, or few do."""
    used: dict[Path, set[str]] = {}
    for item in items:
        used.setdefault(item.path, set()).update(getattr(item, "fixturenames", ()))
    items.sort(key=lambda item: [name not in used[item.path] for name in SERVERS])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from the ten thousand tests and their modules, which stay until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*COLLECTED_AFTER)
        gc.enable()


def pytest_unconfigure() -> None:
    """Give the objects back to the collector: an extension reports what is not freed at the end."""
    gc.unfreeze()


@pytest.fixture(scope="session")
def exhaustive(request: pytest.FixtureRequest) -> bool:
    """Return whether the sweeps are to be exhaustive."""
    return bool(request.config.getoption("--exhaustive"))


OTHERS = ("TABLERAG_", "OPENAI_", "ANTHROPIC_", "AZURE_", "GOOGLE_", "MISTRAL_", "OLLAMA_", "LANGSMITH_", "LANGCHAIN_")
"""Beginnings of the variables that name deployments and models."""


class OutsideNetwork(RuntimeError):
    """A test tried to reach another machine."""


def _stays_here(family: int, address: Any) -> bool:
    if family not in (socket.AF_INET, socket.AF_INET6):
        return True
    host = str(address[0]).partition("%")[0]
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _fenced(connect: Callable[[socket.socket, Any], Any]) -> Callable[[socket.socket, Any], Any]:
    def fenced(self: socket.socket, address: Any) -> Any:
        if not _stays_here(self.family, address):
            raise OutsideNetwork(f"tests may reach loopback only, not {address!r}")
        return connect(self, address)

    return fenced


@pytest.fixture(scope="session", autouse=True)
def network_fence() -> Iterator[None]:
    """Refuse every connection but to loopback."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _fenced(socket.socket.connect))
        patch.setattr(socket.socket, "connect_ex", _fenced(socket.socket.connect_ex))
        yield


@pytest.fixture(scope="session", autouse=True)
def certificates_read_once() -> Iterator[None]:
    """Share what clients know of certificates: each would read those of all authorities again, and none is needed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def settings_of_nobody() -> Iterator[None]:
    """Forget what the shell says of deployments and models: each test names its own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(OTHERS):
                patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def mysql_server() -> Iterator[MysqlServer]:
    """Return a private server, shared by the whole run; it fails, never skips, where none is installed."""
    with running_server() as server:
        yield server


@pytest.fixture
def mysql_url(mysql_server: MysqlServer) -> Iterator[str]:
    """Return the URL of an empty database of the private server, dropped after the test."""
    with mysql_server.fresh_database() as url:
        yield url
