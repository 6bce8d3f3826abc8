"""Services over real stores in a temporary home."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.mysql_server import MysqlServer

__all__ = ["both", "both_read", "services", "services_read"]


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Return services over SQLite, Chroma and tantivy in a folder of their own."""
    opened = Services(Settings(home=tmp_path / "home", model="offline", _env_file=None))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def services_read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Return services for all tests of a module: what one of them ingests, the others read and never change."""
    opened = Services(Settings(home=tmp_path_factory.mktemp("read") / "home", model="offline", _env_file=None))
    yield opened
    opened.close()


@pytest.fixture(scope="module", params=["sqlite", "server"])
def both_read(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, mysql_server: MysqlServer
) -> Iterator[Services]:
    """Return services for all tests of a module as ``services_read`` does, over SQLite and over a server in turn."""
    home = tmp_path_factory.mktemp("read") / "home"
    with mysql_server.fresh_database() if request.param == "server" else nullcontext("") as url:
        opened = Services(Settings(home=home, model="offline", database_url=url, _env_file=None))
        yield opened
        opened.close()


@pytest.fixture(params=["sqlite", "server"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Services]:
    """Return services over SQLite, and over a private MySQL-compatible server, each in turn."""
    url = request.getfixturevalue("mysql_url") if request.param == "server" else ""
    opened = Services(Settings(home=tmp_path / "home", model="offline", database_url=url, _env_file=None))
    yield opened
    opened.close()
