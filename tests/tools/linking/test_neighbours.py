"""Tables that a key column joins to those that were found."""

from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import SqlRejected
from tablerag.tools.evidence import run_sql, search
from tablerag.tools.linking.neighbours import neighbours
from tablerag.tools.services import Services


@pytest.fixture
def shop(services: Services, tmp_path: Path) -> Services:
    files = {
        "customers.csv": "customer_id,name,country\n1,Ann,Spain\n2,Bo,Italy\n",
        "orders.csv": "order_id,customer_id,amount\n1,1,10\n2,1,20\n3,2,30\n",
        "weather.csv": "day,rain\n1,3\n2,4\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    ingest([tmp_path / name for name in files], services, "default")
    return services


def test_a_table_with_a_shared_key_is_added(shop: Services) -> None:
    (customers,) = [s for s in shop.catalog.schemas("default") if s.name == "customers"]
    assert [s.name for s in neighbours(shop.catalog, "default", [customers])] == ["orders"]
    (weather,) = [s for s in shop.catalog.schemas("default") if s.name == "weather"]
    assert neighbours(shop.catalog, "default", [weather]) == []


def test_a_search_that_finds_one_table_offers_the_one_that_it_joins(shop: Services) -> None:
    _, schemas = search(shop, "names by country", corpus="default", recall_n=30, top_k=1)
    assert {"customers", "orders"} <= {s.name for s in schemas}


def test_what_shows_nothing_that_is_stored_is_no_result(shop: Services) -> None:
    schemas = shop.catalog.schemas("default")
    for statement in ("SELECT 42", "SELECT 42 AS revenue FROM orders", "SELECT 'x', 1 + 2 FROM orders LIMIT 1"):
        with pytest.raises(SqlRejected, match="selects only constants"):
            run_sql(shop, statement, schemas, of_stored=True)
    for statement in ("SELECT COUNT(*) FROM orders", "SELECT 'all', SUM(amount) FROM orders", "SELECT * FROM orders"):
        assert run_sql(shop, statement, schemas, of_stored=True)[0].rows
