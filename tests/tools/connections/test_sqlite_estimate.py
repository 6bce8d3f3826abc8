"""Statements over SQLite that would examine too many rows are refused before they run."""

import time
from collections.abc import Iterator

import pytest

from tablerag.client import TableRAG
from tablerag.tools.errors import SqlRejected
from tests.tools.connections.test_sqlite import run

ROWS = 32_000
NUMBERS = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS}) "


@pytest.fixture(scope="module")
def rag(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableRAG]:
    folder = tmp_path_factory.mktemp("estimate")
    run(
        folder / "shop.db",
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, buyer INTEGER, amount INTEGER)",
        "CREATE TABLE buyers (id INTEGER PRIMARY KEY, code TEXT UNIQUE, points INTEGER)",
        f"INSERT INTO orders {NUMBERS} SELECT i, i % 500, i % 7 FROM n",
        f"INSERT INTO buyers {NUMBERS} SELECT i, 'B' || i, i % 11 FROM n",
        "CREATE INDEX orders_buyer ON orders(buyer)",
    )
    with TableRAG(folder / "home", model="offline") as rag:
        rag.connect("shop", f"sqlite:///{folder / 'shop.db'}")
        yield rag


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT COUNT(*) FROM orders AS a JOIN buyers AS b ON a.amount < b.points",
        "SELECT SUM(a.amount * b.points) FROM orders AS a, buyers AS b",
        "SELECT COUNT(*) FROM orders AS a WHERE amount > (SELECT AVG(points) FROM buyers WHERE points > a.amount)",
    ],
)
def test_nested_scans_are_refused_at_once(rag: TableRAG, statement: str) -> None:
    begun = time.monotonic()
    with pytest.raises(SqlRejected, match=r"would examine about 1,024,\d+,\d+ rows, more than 200,000,000"):
        rag.sql(statement)
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize(
    ("statement", "result"),
    [
        ("SELECT COUNT(*) FROM orders AS a JOIN buyers AS b ON b.id = a.buyer WHERE a.amount = 3", 4_562),
        ("SELECT COUNT(*) FROM orders AS a JOIN buyers AS b ON b.points = a.id", 29_091),
        ("SELECT COUNT(*) FROM buyers AS b WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.buyer = b.id)", 499),
        ("SELECT COUNT(*) FROM (SELECT buyer, SUM(amount) AS n FROM orders GROUP BY buyer) AS s, buyers AS b "
         "WHERE b.id = s.buyer", 499),
        ("SELECT COUNT(*) FROM orders WHERE buyer IN (SELECT id FROM buyers WHERE points = 1)", 2_944),
        ("SELECT COUNT(*) FROM orders AS a JOIN buyers AS b ON b.code = 'B7' AND a.buyer = b.id", 64),
    ],
)  # fmt: skip
def test_joins_by_keys_run(rag: TableRAG, statement: str, result: int) -> None:
    assert rag.sql(statement).rows == ((result,),)
