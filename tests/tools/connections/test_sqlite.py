"""SQLite files as connected databases."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tablerag.client import TableRAG
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

    @classmethod
    @contextmanager
    def shop(cls, folder: Path, server: None) -> Iterator[str]:
        path = folder / "shop.db"
        run(path, *created('"', "TEXT", "REAL", "DATETIME", " REFERENCES customers(id)"))
        yield f"sqlite:///{path}"

    def change(self, url: str, statement: str) -> None:
        run(Path(url.removeprefix("sqlite:///")), statement)

    def test_rows_are_cited_by_a_key_of_texts(self, rag: TableRAG, url: str) -> None:
        self.change(url, "CREATE TABLE stock (code VARCHAR(9) PRIMARY KEY, boxes INTEGER, worth_eur REAL)")
        self.change(url, "INSERT INTO stock VALUES ('A-1', 4, 8.5), ('B-2', 9, 2), ('C-3', 8, 1.5)")
        rag.sync("shop")
        assert {c.name: (c.kind, c.unit) for c in rag.describe("stock").columns}["worth_eur"] == ("money", "EUR")
        assert rag.ask("What is the stock worth in total?").text == "EUR 12"
        cited = rag.ask("What is the total number of boxes in stock with code B-2?").citations
        assert [c.locator for c in cited] == ["main.stock, rows B-2"]

    @contextmanager
    def locked(self, url: str) -> Iterator[None]:
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            yield
