"""Receipts whose rows would take too long: marked, and found when they are opened or verified."""

from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import SqlFailed
from tablerag.tools.evidence import run_sql
from tablerag.tools.records import Receipt, SqlResult
from tablerag.tools.services import Services
from tablerag.tools.sql import receipts
from tablerag.tools.sql.guard import guard
from tablerag.tools.sql.receipts import seconds_for_rows, verified
from tests.tools.sql.conftest import SALES as ROWS
from tests.tools.stored import schema_of

SUM = "SELECT SUM(amount) AS total FROM sales WHERE region = 'North'"
JOIN = "SELECT SUM(a.amount) FROM sales a JOIN sales b ON a.region = b.region"
SALES = schema_of("sales", {"region": "text", "amount": "integer"}, [])
FOUND = SqlResult(sql="", columns=("n",), rows=((1,),))


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no time for the rows, as behind a slow statement over a large table."""
    monkeypatch.setattr(receipts, "SMALL_ROWS", -1)
    monkeypatch.setattr(receipts, "LEAST_S", 0.0)
    monkeypatch.setattr(receipts, "SHARE", 0.0)


def receipt(both: Services, sql: str) -> Receipt:
    result, supporting = run_sql(both, sql, both.catalog.schemas("default"))
    assert result.receipt is not None
    assert len(supporting) == sum(r.row_count is not None for r in result.receipt.rows)
    return result.receipt


def check(both: Services, given: Receipt) -> receipts.Verified:
    return verified(given, both.catalog.schemas("default"), both.database, row_limit=both.settings.row_limit)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(("sql", "rows"), [(SUM, 2), (JOIN, 4)])
def test_rows_without_time_are_marked_and_found_on_opening(both: Services, file: Path, sql: str, rows: int) -> None:
    (later,) = receipt(both, sql).rows
    assert (later.deferred, later.row_count, later.untold) == (True, None, "computed when opened")
    assert later.columns == ("region", "amount")
    found = check(both, receipt(both, sql))
    assert (found.status, [(r.row_count, r.deferred) for r in found.rows]) == ("same", [(rows, False)])
    assert found.says == f"the result is unchanged: computed from {rows} rows of sales"


@pytest.mark.usefixtures("hurried")
def test_a_changed_document_is_told_without_its_earlier_rows(both: Services, file: Path) -> None:
    given = Receipt.model_validate_json(receipt(both, SUM).model_dump_json())
    file.write_text(ROWS.replace("North,5", "North,6"), encoding="utf-8")
    ingest([file.parent], both, "default")
    found = check(both, given)
    assert (found.status, found.says) == ("changed", "the result has changed: computed from 2 rows of sales")


@pytest.mark.usefixtures("hurried")
def test_a_result_that_may_be_of_no_rows_has_its_rows_at_once(both: Services, file: Path) -> None:
    result, _ = run_sql(both, "SELECT COUNT(*) FROM sales WHERE region = 'Wets'", both.catalog.schemas("default"))
    assert result.empty is not None and result.empty.missing
    assert result.receipt is not None and not result.receipt.rows[0].deferred


def test_rows_of_small_tables_are_found_with_the_answer(both: Services, file: Path) -> None:
    (rows,) = receipt(both, JOIN).rows
    assert (rows.deferred, rows.row_count) == (False, 4)


@pytest.mark.parametrize(
    ("took", "rows", "seconds"),
    [
        (2.0, 10**6, 0.5),  # a share of the statement's own time
        (0.01, 10**6, 0.05),
        (9.0, 10**6, 1.0),  # together never longer than the limit of 10 s
        (11.0, 10**6, 0.0),
        (0.01, 10, 2.0),
        (9.5, 10, 0.5),
    ],
)
def test_the_time_for_rows_is_a_share_within_the_limit(took: float, rows: int, seconds: float) -> None:
    sales = SALES.model_copy(update={"row_count": rows})
    guarded = guard("SELECT COUNT(*) FROM sales", [sales], row_limit=10)
    assert seconds_for_rows(guarded, FOUND, [sales], took, 10.0) == pytest.approx(seconds)


def test_a_statement_may_have_less_time_than_others(both: Services, file: Path) -> None:
    schemas = both.catalog.schemas("default")
    pairs = " CROSS JOIN ".join(f"sales s{i}" for i in range(18))
    slow = guard(f"SELECT SUM(s0.amount + s1.amount * s2.amount) FROM {pairs}", schemas, row_limit=5)
    with pytest.raises(SqlFailed, match=r"ran longer than 0\.2 s"):
        list(both.database.scan(slow, 0.2))
    quick = guard("SELECT COUNT(*) FROM sales", schemas, row_limit=5)
    for _ in range(6):  # in every connection the limit is that of others again
        assert list(both.database.scan(quick)) == [(4,)]
    facts = both.database.tables.session_facts()
    assert facts.timed and "0.200" not in facts.says
