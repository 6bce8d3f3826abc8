"""Receipts over real SQLite and a MySQL-compatible server: an answer's numbers computed again."""

from pathlib import Path

import pytest

from ingestion.pipeline import ingest, remove
from tools import receipts
from tools.evidence import run_sql
from tools.receipts import verified
from tools.records import Receipt
from tools.services import Services
from tools.uniting import united

ROWS = "region,amount\nNorth,10\nSouth,20\nNorth,5\nEast,7\n"


@pytest.fixture
def file(tmp_path: Path, both: Services) -> Path:
    path = tmp_path / "docs" / "sales.csv"
    path.parent.mkdir()
    path.write_text(ROWS, encoding="utf-8")
    ingest([path.parent], both, "default")
    return path


def rewritten(file: Path, rows: str, both: Services) -> None:
    file.write_text(rows, encoding="utf-8")
    ingest([file.parent], both, "default")


def receipt(both: Services, sql: str) -> Receipt:
    schemas = both.catalog.schemas("default")
    result, _ = run_sql(both, sql, [*schemas, *united(schemas)])
    assert result.receipt is not None
    return result.receipt


def check(both: Services, given: Receipt) -> tuple[str, str]:
    schemas = both.catalog.schemas("default")
    found = verified(given, [*schemas, *united(schemas)], both.database, row_limit=both.settings.row_limit)
    return found.status, found.says


def test_a_receipt_names_rows_and_sources(both: Services, file: Path) -> None:
    given = receipt(both, "SELECT SUM(amount) AS total FROM sales WHERE region = 'north'")
    assert (given.tables, given.sources) == (("sales",), ("sales.csv",))
    assert (given.row_count, given.row_ids) == (2, (1, 3))
    assert given.sql == "SELECT SUM(`amount`) AS `total` FROM `sales` WHERE `region` = 'north'"
    assert check(both, given) == ("same", "result and rows are as they were")


def test_rows_in_another_order_are_the_same(both: Services, file: Path) -> None:
    given = receipt(both, "SELECT region, amount FROM sales")
    assert check(both, given)[0] == "same"
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
def test_a_changed_document_is_told(both: Services, file: Path, rows: str, status: str, says: str) -> None:
    given = receipt(both, "SELECT SUM(amount) AS total FROM sales WHERE region = 'north'")
    rewritten(file, rows, both)
    found = check(both, given)
    assert found[0] == status
    assert says in found[1]


def test_a_removed_document_is_gone(both: Services, file: Path) -> None:
    given = receipt(both, "SELECT COUNT(*) FROM sales")
    remove("sales.csv", both, "default")
    assert check(both, given) == ("gone", "the corpus has no table sales any more")


def test_united_tables_and_joins_have_receipts(both: Services, file: Path) -> None:
    for year in (2023, 2024):
        (file.parent / f"costs_{year}.csv").write_text(f"item,cost\npens,{year}\nink,5\n", encoding="utf-8")
    ingest([file.parent], both, "default")
    summed = receipt(both, "SELECT SUM(cost) FROM all_costs WHERE item = 'pens'")
    assert (summed.sources, summed.row_count) == (("costs_2023.csv", "costs_2024.csv"), 2)
    joined = receipt(both, "SELECT COUNT(*) FROM costs_2023 a JOIN costs_2024 b ON a.item = b.item")
    assert (joined.row_count, joined.rows_hash) == (None, "")
    assert check(both, summed)[0] == check(both, joined)[0] == "same"
    rewritten(file.parent / "costs_2024.csv", "item,cost\npens,1\nink,5\n", both)
    assert check(both, summed)[0] == "changed"


def test_too_many_rows_are_counted_only(both: Services, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipts, "MOST_HASHED", 3)
    given = receipt(both, "SELECT SUM(amount) FROM sales")
    assert (given.row_count, given.row_ids, given.rows_hash) == (4, (), "")
    assert check(both, given)[0] == "same"


def test_a_receipt_of_somebody_else_passes_the_guard_or_not_at_all(both: Services, file: Path) -> None:
    given = receipt(both, "SELECT COUNT(*) FROM sales").model_copy(update={"sql": "DROP TABLE sales"})
    status, says = check(both, given)
    assert status == "changed"
    assert "only SELECT is allowed" in says


def test_of_a_result_that_was_cut_all_rows_are_counted(both: Services, tmp_path: Path) -> None:
    path = tmp_path / "docs" / "many.csv"
    path.parent.mkdir()
    path.write_text("name,n\n" + "".join(f"a{i},{i}\n" for i in range(1200)), encoding="utf-8")
    ingest([path.parent], both, "default")
    given = receipt(both, "SELECT name FROM many WHERE n >= 100")
    assert (given.row_count, len(given.row_ids)) == (1100, receipts.MOST_IDS)
    assert check(both, given)[0] == "same"
