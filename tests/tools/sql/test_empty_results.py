"""Why a statement found nothing, over real SQLite and a MySQL-compatible server."""

from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from tablerag.tools.evidence import run_sql
from tablerag.tools.records import EmptyReason, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.mysql_server import MysqlServer
from tests.tools.stored import store

ROWS = [("North", 10, "2024"), ("South", 20, "2024"), ("Upper Harbour", 5, "2023"), ("O'Brien Street", 7, "2022")]


@pytest.fixture(scope="module", params=["sqlite", "server"])
def both(
    request: pytest.FixtureRequest, mysql_server: MysqlServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Services]:
    """Return services over each engine that no test writes to but `sales`."""
    with ExitStack() as stack:
        url = stack.enter_context(mysql_server.fresh_database()) if request.param == "server" else ""
        home = tmp_path_factory.mktemp("home")
        settings = Settings(home=home, model="offline", database_url=url, sql_timeout_s=60, _env_file=None)
        yield stack.enter_context(closing(Services(settings)))


@pytest.fixture(scope="module")
def sales(both: Services) -> TableSchema:
    return store(both.database, "sales", {"region": "text", "amount": "integer", "year": "text"}, ROWS)


def reason(both: Services, sales: TableSchema, where: str, what: str = "amount") -> EmptyReason | None:
    result, _ = run_sql(both, f"SELECT {what} FROM sales WHERE {where}", [sales])
    return result.empty


@pytest.mark.parametrize(
    ("where", "says", "missing"),
    [
        ("region = 'Nroth'", "no row of `sales` has `region` = 'Nroth'; the nearest stored values are 'North'", True),
        ("region = 'harbor' AND amount > 1", "the nearest stored values are 'Upper Harbour'", True),
        ("region IN ('Harbour', 'East')", "the nearest stored values are 'Upper Harbour'", True),
        ("region LIKE '%obrien%'", "the nearest stored values are 'O''Brien Street'", True),
        ("region = 'Zanzibar'", "no stored value is similar", True),
        ("amount > 100", "no row of `sales` has `amount` > 100; its values range from 5 to 20", False),
        ("region = 'North' AND amount > 15", "each condition matches rows of `sales`, but no row matches all", False),
        ("region = 'North' AND year = '2031'", "no row of `sales` has `year` = '2031'", True),
    ],
)
@pytest.mark.parametrize("what", ["amount", "SUM(amount)", "COUNT(*)"])
def test_the_condition_that_nothing_meets_is_named(
    both: Services, sales: TableSchema, where: str, says: str, missing: bool, what: str
) -> None:
    found = reason(both, sales, where, what)
    assert found is not None
    assert says in found.says
    assert found.missing == missing


def test_what_found_something_has_no_reason(both: Services, sales: TableSchema) -> None:
    assert reason(both, sales, "region = 'north'") is None
    assert reason(both, sales, "region = 'north'", "COUNT(*)") is None
    assert reason(both, sales, "amount = 5", "NULL") is None


JOINED = "FROM sales a JOIN sales b ON a.amount = b.amount"


@pytest.mark.parametrize(
    ("statement", "says", "missing"),
    [
        (f"SELECT a.amount {JOINED} WHERE a.region = 'Nroth'", "has `region` = 'Nroth'; the nearest", True),
        (f"SELECT SUM(a.amount) {JOINED} WHERE b.region = 'Nroth' AND a.amount > 1", "are 'North'", True),
        (f"SELECT a.amount {JOINED} + 1 WHERE a.region = 'North'", "the join of `sales`, `sales` is empty", False),
        (
            "SELECT amount FROM sales WHERE amount > 1 AND amount > (SELECT MAX(amount) FROM sales)",
            "no row matches",
            False,
        ),
    ],
)
def test_of_a_join_the_condition_that_no_row_of_its_table_meets_is_named(
    both: Services, sales: TableSchema, statement: str, says: str, missing: bool
) -> None:
    found, _ = run_sql(both, statement, [sales])
    assert says in found.empty.says
    assert found.empty.missing == missing


def test_a_count_over_a_join_of_nothing_found_nothing(both: Services, sales: TableSchema) -> None:
    joined = "SELECT COUNT(*) FROM sales a JOIN sales b ON a.amount = b.amount WHERE"
    assert run_sql(both, f"{joined} a.region = 'x'", [sales])[0].empty is not None
    assert run_sql(both, f"{joined} a.region = 'North'", [sales])[0].empty is None
