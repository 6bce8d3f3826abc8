"""Statements over several databases where the documents are on a server, and over two connected databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag.client import TableRAG
from tablerag.ingestion.connecting import connect
from tablerag.tools.connections.partial_results import planned
from tablerag.tools.errors import SqlFailed
from tablerag.tools.sql.guard import guard
from tests.support.fakes import SALES
from tests.tools.connections.engine_contract import JOINED, PRICES, EngineContract
from tests.tools.connections.shop import created
from tests.tools.connections.test_sqlite import run


@pytest.fixture
def shop(tmp_path: Path) -> str:
    path = tmp_path / "shop.db"
    run(path, *created('"', "TEXT", "REAL", "DATETIME", " REFERENCES customers(id)"))
    return f"sqlite:///{path}"


@pytest.fixture
def rag(tmp_path: Path, shop: str, mysql_url: str) -> Iterator[TableRAG]:
    (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
    with TableRAG(tmp_path / "home", database_url=mysql_url, model="offline") as rag:
        rag.ingest(tmp_path / "prices.csv")
        connect(rag.services, "default", "shop", shop, may_write=True)
        yield rag


def test_documents_on_a_server_are_joined_with_a_file(rag: TableRAG) -> None:
    assert EngineContract().wrong(rag, JOINED) == []


def test_two_databases_are_joined_without_documents(tmp_path: Path, shop: str) -> None:
    run(tmp_path / "crm.db", "CREATE TABLE visits (customer TEXT, minutes INTEGER)")
    run(tmp_path / "crm.db", "INSERT INTO visits VALUES ('DELTA', 30), ('bar aurora', 45), ('delta', 5), ('x', 1)")
    with TableRAG(tmp_path / "home", model="offline") as rag:
        connect(rag.services, "default", "shop", shop, may_write=True)
        connect(rag.services, "default", "crm", f"sqlite:///{tmp_path / 'crm.db'}")
        found = rag.sql(
            "SELECT c.name, SUM(v.minutes) AS m FROM customers AS c JOIN visits AS v ON v.customer = c.name "
            "GROUP BY c.name ORDER BY m"
        )
        assert found.rows == (("delta", 35), ("Bar Aurora", 45))
        assert found.receipt and found.receipt.joined == ("shop", "crm")


def test_nothing_of_a_joined_statement_is_left_behind(tmp_path: Path, shop: str) -> None:
    (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
    with TableRAG(tmp_path / "home", model="offline") as rag:
        rag.ingest(tmp_path / "prices.csv")
        connect(rag.services, "default", "shop", shop, may_write=True)
        before = {p for p in (tmp_path / "home").rglob("*")}
        assert rag.sql(JOINED[0][0]).rows
        with pytest.raises(SqlFailed):
            rag.sql("SELECT CAST(p.product AS SIGNED), (SELECT id FROM orders) FROM prices AS p JOIN orders AS o")
        assert {p for p in (tmp_path / "home").rglob("*") if "joined-" in str(p)} == set()
        assert {p for p in before if p.suffix == ".parquet"} <= {p for p in (tmp_path / "home").rglob("*")}


def test_conditions_are_computed_where_the_rows_are() -> None:
    here, there = SALES, SALES.model_copy(update={"name": "other", "table_id": "2", "stored_as": "erp@other__1_0"})
    amount, region = (c.name for c in SALES.columns if c.name in ("amount", "region"))
    cases = {
        f"o.{amount} > 3 AND s.{amount} > 4": f"(`{amount}` > 3)",
        f"o.{amount} > 3 OR s.{amount} > 4": "",
        f"o.{amount} > 3 AND o.{region} LIKE 'x%'": f"(`{amount}` > 3) AND (`{region}` LIKE 'x%')",
        f"o.{amount} > (SELECT MAX({amount}) FROM sales)": "",
    }
    for condition, kept in cases.items():
        sql = f"SELECT COUNT(*) FROM sales AS s JOIN other AS o ON s.{region} = o.{region} WHERE {condition}"
        guarded = guard(sql, [here, there], row_limit=10)
        (part,) = planned(guarded.expression, guarded.schemas, lambda s: s.name == "sales").parts
        assert part.sql.partition(" WHERE ")[2] == kept, condition


def test_rows_that_an_outer_join_finds_are_not_filtered_before_it() -> None:
    there = SALES.model_copy(update={"name": "other", "table_id": "2", "stored_as": "erp@other__1_0"})
    for join in ("LEFT JOIN other AS o ON o.region = s.region", "RIGHT JOIN other AS o ON o.region = s.region"):
        sql = f"SELECT COUNT(*) FROM sales AS s {join} WHERE o.amount > 3"
        guarded = guard(sql, [SALES, there], row_limit=10)
        (part,) = planned(guarded.expression, guarded.schemas, lambda s: s.name == "sales").parts
        assert " WHERE " not in part.sql
