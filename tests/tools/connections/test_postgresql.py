"""PostgreSQL as a connected database."""

import itertools
from collections.abc import Iterator

import psycopg
import pytest

from tests.tools.connections.engine_contract import EngineContract
from tests.tools.connections.shop import created

NUMBERS = itertools.count(1)


class TestPostgresql(EngineContract):
    engine = "PostgreSQL"

    @pytest.fixture
    def url(self, postgres_url: str) -> Iterator[str]:
        name = f"shop_{next(NUMBERS)}"
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        url = postgres_url.replace("/postgres?", f"/{name}?")
        for statement in created('"', "TEXT", "DOUBLE PRECISION", "TIMESTAMP"):
            self.change(url, statement)
        yield url
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def change(self, url: str, statement: str) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement)
