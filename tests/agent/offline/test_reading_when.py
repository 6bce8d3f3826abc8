"""A time that is asked for is not answered by a place, and groups without names answer nothing."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tablerag import TableRAG

ORDERS = [(i, ("Aurora Ltd", "Lumen AG")[i % 2], ("Oslo", "Graz")[i % 2], f"2024-0{1 + i % 9}-11") for i in range(20)]
ADDRESSES = [(i, "", f"street {i}", "Oslo" if i % 2 else "Bergen") for i in range(12)]


@pytest.fixture(scope="module")
def connected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableRAG]:
    folder: Path = tmp_path_factory.mktemp("when")
    with closing(sqlite3.connect(folder / "shop.db")) as database:
        database.execute(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, ship_name TEXT, ship_city TEXT, order_date DATE)"
        )
        database.execute("CREATE TABLE address (id INTEGER PRIMARY KEY, district TEXT, street TEXT, city TEXT)")
        database.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", ORDERS)
        database.executemany("INSERT INTO address VALUES (?, ?, ?, ?)", ADDRESSES)
        database.commit()
    with TableRAG(folder / "home", model="offline") as rag:
        rag.connect("shop", f"sqlite:///{folder / 'shop.db'}")
        yield rag


def test_when_is_no_place(connected: TableRAG) -> None:
    assert connected.ask("When did Aurora Ltd last place an order?").verdict == "none"


def test_groups_without_names_answer_nothing(connected: TableRAG) -> None:
    assert connected.ask("How many addresses are there in each district?").verdict == "none"
    assert connected.ask("How many addresses are there in each city?").verdict == "sql_only"
