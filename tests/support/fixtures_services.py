"""Services over real stores in a temporary home."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

__all__ = ["both", "services"]


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Return services over SQLite, Chroma and tantivy in a folder of their own."""
    opened = Services(Settings(home=tmp_path / "home", model="offline", _env_file=None))
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "server"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Services]:
    """Return services over SQLite, and over a private MySQL-compatible server, each in turn."""
    url = request.getfixturevalue("mysql_url") if request.param == "server" else ""
    opened = Services(Settings(home=tmp_path / "home", model="offline", database_url=url, _env_file=None))
    yield opened
    opened.close()
