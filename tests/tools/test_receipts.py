"""Receipts over real SQLite and a MySQL-compatible server: an answer's numbers computed again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.pipeline import ingest, remove
from tools import receipts
from tools.evidence import run_sql
from tools.receipts import verified
from tools.records import Receipt
from tools.services import Services
from tools.settings import Settings
from tools.uniting import united

ROWS = "region,amount\nNorth,10\nSouth,20\nNorth,5\nEast,7\n"


@pytest.fixture(params=["sqlite", "server"])
def services(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Services]:
    url = request.getfixturevalue("mysql_url") if request.param == "server" else ""
    opened = Services(Settings(home=tmp_path / "home", database_url=url, _env_file=None))
    yield opened
    opened.close()


@pytest.fixture
def file(tmp_path: Path, services: Services) -> Path:
    path = tmp_path / "docs" / "sales.csv"
    path.parent.mkdir()
    path.write_text(ROWS, encoding="utf-8")
    ingest([path.parent], services, "default")
    return path


def rewritten(file: Path, rows: str, services: Services) -> None:
    file.write_text(rows, encoding="utf-8")
    ingest([file.parent], services, "default")


def receipt(services: Services, sql: str) -> Receipt:
    schemas = services.catalog.schemas("default")
    result, _ = run_sql(services, sql, [*schemas, *united(schemas)])
    assert result.receipt is not None
    return result.receipt


def check(services: Services, given: Receipt) -> tuple[str, str]:
    schemas = services.catalog.schemas("default")
    found = verified(given, [*schemas, *united(schemas)], services.database, row_limit=100)
    return found.status, found.says


def test_a_receipt_names_rows_and_sources(services: Services, file: Path) -> None:
    given = receipt(services, "SELECT SUM(amount) AS total FROM sales WHERE region = 'north'")
    assert (given.tables, given.sources) == (("sales",), ("sales.csv",))
    assert (given.row_count, given.row_ids) == (2, (1, 3))
    assert given.sql == "SELECT SUM(`amount`) AS `total` FROM `sales` WHERE `region` = 'north'"
    assert check(services, given) == ("same", "result and rows are as they were")


def test_rows_in_another_order_are_the_same(services: Services, file: Path) -> None:
    given = receipt(services, "SELECT region, amount FROM sales")
    assert check(services, given)[0] == "same"
    assert given.row_ids == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("rows", "status", "says"),
    [
        (ROWS.replace("North,5", "North,6"), "changed", "the result is another one"),
        (ROWS + "North,1\n", "changed", "the result is another one: 3 rows contribute, before 2"),
        (ROWS.replace("North,10", "North,9").replace("North,5", "North,6"), "same", "the same, from other rows"),
        (ROWS.replace("East,7", "East,8"), "same", "result and rows are as they were"),
        (ROWS.replace("amount", "price"), "changed", "does not run any more: there is no column 'amount'"),
    ],
)
def test_a_changed_document_is_told(services: Services, file: Path, rows: str, status: str, says: str) -> None:
    given = receipt(services, "SELECT SUM(amount) AS total FROM sales WHERE region = 'north'")
    rewritten(file, rows, services)
    found = check(services, given)
    assert found[0] == status
    assert says in found[1]


def test_a_removed_document_is_gone(services: Services, file: Path) -> None:
    given = receipt(services, "SELECT COUNT(*) FROM sales")
    remove("sales.csv", services, "default")
    assert check(services, given) == ("gone", "the corpus has no table sales any more")


def test_united_tables_and_joins_have_receipts(services: Services, file: Path) -> None:
    for year in (2023, 2024):
        (file.parent / f"costs_{year}.csv").write_text(f"item,cost\npens,{year}\nink,5\n", encoding="utf-8")
    ingest([file.parent], services, "default")
    both = receipt(services, "SELECT SUM(cost) FROM all_costs WHERE item = 'pens'")
    assert (both.sources, both.row_count) == (("costs_2023.csv", "costs_2024.csv"), 2)
    joined = receipt(services, "SELECT COUNT(*) FROM costs_2023 a JOIN costs_2024 b ON a.item = b.item")
    assert (joined.row_count, joined.rows_hash) == (None, "")
    assert check(services, both)[0] == check(services, joined)[0] == "same"
    rewritten(file.parent / "costs_2024.csv", "item,cost\npens,1\nink,5\n", services)
    assert check(services, both)[0] == "changed"


def test_too_many_rows_are_counted_only(services: Services, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipts, "MOST_HASHED", 3)
    given = receipt(services, "SELECT SUM(amount) FROM sales")
    assert (given.row_count, given.row_ids, given.rows_hash) == (4, (), "")
    assert check(services, given)[0] == "same"


def test_a_receipt_of_somebody_else_passes_the_guard_or_not_at_all(services: Services, file: Path) -> None:
    given = receipt(services, "SELECT COUNT(*) FROM sales").model_copy(update={"sql": "DROP TABLE sales"})
    status, says = check(services, given)
    assert status == "changed"
    assert "only SELECT is allowed" in says
