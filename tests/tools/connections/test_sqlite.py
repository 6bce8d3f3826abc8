"""SQLite files as connected databases."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.tools.connections.engine_contract import EngineContract
from tests.tools.connections.shop import created


def run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


class TestSqlite(EngineContract):
    engine = "SQLite"
    after = " WITHOUT ROWID"

    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        path = tmp_path / "shop.db"
        run(path, *created('"', "TEXT", "REAL", "DATETIME", " REFERENCES customers(id)"))
        return f"sqlite:///{path}"

    def change(self, url: str, statement: str) -> None:
        run(Path(url.removeprefix("sqlite:///")), statement)

    @contextmanager
    def locked(self, url: str) -> Iterator[None]:
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            yield
