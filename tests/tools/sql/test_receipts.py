"""Receipts over real SQLite and a MySQL-compatible server: an answer's numbers computed again."""

from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest, remove
from tablerag.tools.evidence import run_sql
from tablerag.tools.records import Receipt
from tablerag.tools.services import Services
from tablerag.tools.sql.lineage import contributing
from tablerag.tools.sql.receipts import verified
from tablerag.tools.uniting import united
from tests.tools.sql.conftest import SALES as ROWS


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
    (rows,) = given.rows
    assert (rows.table, rows.columns, rows.row_count, rows.row_ids) == ("sales", ("region", "amount"), 2, (1, 3))
    assert given.sql == "SELECT SUM(`amount`) AS `total` FROM `sales` WHERE `region` = 'north'"
    assert check(both, given) == ("same", "the result and its rows are unchanged")


def test_rows_in_another_order_are_the_same(both: Services, file: Path) -> None:
    given = receipt(both, "SELECT region, amount FROM sales")
    assert check(both, given)[0] == "same"
    assert given.rows[0].row_ids == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("rows", "status", "says"),
    [
        (ROWS.replace("North,5", "North,6"), "changed", "the result has changed"),
        (ROWS + "North,1\n", "changed", "the result has changed: 3 rows of sales contribute, previously 2"),
        (
            ROWS.replace("North,10", "North,9").replace("North,5", "North,6"),
            "same",
            "but computed from other rows of sales",
        ),
        (ROWS.replace("East,7", "East,8"), "same", "the result and its rows are unchanged"),
        (ROWS.replace("amount", "price"), "changed", "no longer runs: unknown column 'amount'"),
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
    assert check(both, given) == ("gone", "no longer in the corpus: sales")


def test_united_tables_have_receipts(both: Services, file: Path) -> None:
    for year in (2023, 2024):
        (file.parent / f"costs_{year}.csv").write_text(f"item,cost\npens,{year}\nink,5\n", encoding="utf-8")
    ingest([file.parent], both, "default")
    summed = receipt(both, "SELECT SUM(cost) FROM all_costs WHERE item = 'pens'")
    assert (summed.sources, summed.rows[0].row_count) == (("costs_2023.csv", "costs_2024.csv"), 2)
    assert (summed.rows[0].row_ids, summed.rows[0].members) == ((1, 1), ("costs_2023", "costs_2024"))
    assert check(both, summed)[0] == "same"
    rewritten(file.parent / "costs_2024.csv", "item,cost\npens,1\nink,5\n", both)
    assert check(both, summed)[0] == "changed"


@pytest.mark.parametrize(
    ("table", "rows", "status", "says"),
    [
        ("sales", ROWS + "South,1\n", "changed", "the result has changed: 2 rows of sales contribute, previously 1"),
        ("sales", ROWS + "North,1\n", "same", "the result and its rows are unchanged"),
        ("sales", ROWS.replace("South,20", "South,21"), "changed", "the result has changed"),
        (
            "regions",
            "region,country\nSouth,Spain\nNorth,Spain\n",
            "changed",
            "3 rows of sales contribute, previously 1; 2 rows",
        ),
        ("regions", "region,country\nSouth,Spain\n", "same", "the result and its rows are unchanged"),
        (
            "regions",
            "region,country\nNorth,Norway\nSouth,Spain\n",
            "same",
            "but computed from other rows of regions",
        ),
    ],
)
def test_a_join_is_held_against_both_tables(
    both: Services, file: Path, table: str, rows: str, status: str, says: str
) -> None:
    regions = file.parent / "regions.csv"
    rewritten(regions, "region,country\nSouth,Spain\nNorth,Norway\n", both)
    sql = "SELECT SUM(s.amount) FROM sales s JOIN regions r ON r.region = s.region WHERE r.country = 'Spain'"
    given = receipt(both, sql)
    assert [(r.table, r.row_count) for r in given.rows] == [("sales", 1), ("regions", 1)]
    assert check(both, given) == ("same", "the result and its rows are unchanged")
    rewritten({"sales": file, "regions": regions}[table], rows, both)
    found = check(both, given)
    assert (found[0], says in found[1]) == (status, True), found


def test_a_join_is_gone_with_one_of_its_tables(both: Services, file: Path) -> None:
    rewritten(file.parent / "regions.csv", "region,country\nSouth,Spain\n", both)
    given = receipt(both, "SELECT COUNT(*) FROM sales s JOIN regions r ON r.region = s.region")
    remove("regions.csv", both, "default")
    assert check(both, given) == ("gone", "no longer in the corpus: regions")


def test_older_receipts_are_read(both: Services, file: Path) -> None:
    given = receipt(both, "SELECT SUM(amount) FROM sales WHERE region = 'north'")
    own = given.rows[0].model_dump()
    older = given.model_dump(exclude={"rows"}) | {k: own[k] for k in ("row_count", "row_ids", "rows_hash")}
    read = Receipt.model_validate(older)
    assert (read.rows[0].table, read.rows[0].rows_hash) == ("sales", given.rows[0].rows_hash)
    assert check(both, read) == ("same", "the result and its rows are unchanged")
    rewritten(file, ROWS.replace("North,10", "North,9").replace("North,5", "North,6"), both)
    assert check(both, read) == ("same", "the result is unchanged, but computed from other rows of sales")
    unknown = Receipt.model_validate(older | {"row_count": None, "row_ids": [], "rows_hash": ""})
    nested = Receipt.model_validate(older | {"sql": "SELECT 15 FROM sales WHERE amount > (SELECT MAX(5) FROM sales)"})
    assert unknown.rows == nested.rows == ()
    assert check(both, unknown) == ("same", "the result and its rows are unchanged")


def test_rows_that_are_not_known_any_more_are_told(both: Services, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = receipt(both, "SELECT COUNT(*) FROM sales a JOIN sales b ON a.region = b.region")
    monkeypatch.setattr(contributing, "MOST_JOINED", 3)
    says = "are unknown: the join has more than 3 rows"
    assert check(both, given) == ("same", f"the result is unchanged: the rows of sales {says}")


def test_too_many_rows_are_counted_only(both: Services, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contributing, "MOST_HASHED", 3)
    given = receipt(both, "SELECT SUM(amount) FROM sales")
    assert (given.rows[0].row_count, given.rows[0].rows_hash) == (4, "")
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
    assert (given.rows[0].row_count, len(given.rows[0].row_ids)) == (1100, contributing.MOST_IDS)
    assert check(both, given)[0] == "same"
