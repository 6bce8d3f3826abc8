"""PostgreSQL as a connected database."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tablerag.client import TableRAG
from tablerag.tools.connections import postgresql
from tests.tools.connections.engine_contract import EngineContract
from tests.tools.connections.shop import created

NUMBERS = itertools.count(1)


class TestPostgresql(EngineContract):
    engine = "PostgreSQL"
    commented = (
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, state VARCHAR(9), zone INTEGER, weight INTEGER)",
        "COMMENT ON COLUMN parcels.state IS 'Where it is: O = open, C = cancelled'",
        "COMMENT ON COLUMN parcels.zone IS 'Delivery zone, 1 - near, 2 - remote'",
    )
    breaks_view = "UPDATE base SET n = 0"

    @pytest.fixture(scope="class")
    @classmethod
    def server(cls, postgres_url: str) -> str:
        return postgres_url

    @classmethod
    @contextmanager
    def shop(cls, folder: Path, server: str) -> Iterator[str]:
        name = f"shop_{next(NUMBERS)}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        url = server.replace("/postgres?", f"/{name}?")
        for statement in created('"', "TEXT", "DOUBLE PRECISION", "TIMESTAMP"):
            cls.change(url, statement)
        yield url
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    @staticmethod
    def change(url: str, statement: str) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement)

    @contextmanager
    def locked(self, url: str) -> Iterator[None]:
        with psycopg.connect(url) as connection:
            connection.execute("LOCK TABLE orders IN ACCESS EXCLUSIVE MODE")
            yield

    def test_short_reals_are_the_numbers_that_they_are_written_as(self, rag: TableRAG, url: str) -> None:
        self.change(url, "CREATE TABLE freight (id INTEGER PRIMARY KEY, cost REAL)")
        self.change(url, "INSERT INTO freight VALUES (1, 32.38), (2, 0.1), (3, 65.83)")
        rag.sync("shop")
        assert rag.sql("SELECT cost FROM freight ORDER BY id").rows == ((32.38,), (0.1,), (65.83,))
        assert rag.ask("What is the total cost of all freight?").text == "98.31"

    def test_an_estimate_that_moved_is_no_change(self, rag: TableRAG, url: str) -> None:
        for _ in range(2):
            self.change(url, "ANALYZE")
            assert rag.connect("shop", url, allow_writable_user=True).replaced == []

    def test_a_count_that_becomes_an_estimate_is_no_change(
        self, rag: TableRAG, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.change(url, "ANALYZE")
        rag.sync("shop")
        monkeypatch.setattr(postgresql, "EXACT_ROWS", 1)
        assert rag.sync("shop")[0].replaced == []
        monkeypatch.undo()
        assert rag.sync("shop")[0].replaced == []
        self.change(url, "INSERT INTO customers VALUES (9, 'new', 'Rome')")
        assert rag.sync("shop")[0].replaced == ["shop (database)/public.customers"]
