"""The rows behind the statements of the files of cases: the same on the embedded database and on a real server."""

from collections.abc import Iterator
from typing import Any

import pytest

from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tablerag.tools.sql.lineage.contributing import contributing_rows
from tests.tools.sql.parity_tables import CUSTOMERS, CUSTOMERS_TYPES, ORDERS, ORDERS_TYPES
from tests.tools.sql.sql_cases import Case, read_cases
from tests.tools.sql.test_parity import PASSING, SALES, SALES_TYPES, STORES, STORES_TYPES
from tests.tools.stored import store

NOT_TAKEN_APART = ("EXCEPT", "INTERSECT", "UNION ALL SELECT name FROM customers ORDER BY w LIMIT")
EVERY = [*PASSING, *read_cases("sql_parity.sql", "equal")]
SAMPLED = 3
Staged = tuple[Database, list[TableSchema]]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, mysql_server: Any) -> Iterator[list[Staged]]:
    with mysql_server.fresh_database() as url:
        path = tmp_path_factory.mktemp("lineage") / "t.db"
        opened = [Database(u, timeout_s=10, row_limit=100) for u in (f"sqlite:///{path}", url)]
        yield [(database, staged(database)) for database in opened]
        for database in opened:
            database.close()


def staged(database: Database) -> list[TableSchema]:
    return [
        store(database, "sales", SALES_TYPES, SALES),
        store(database, "stores", STORES_TYPES, STORES),
        store(database, "orders", ORDERS_TYPES, ORDERS),
        store(database, "customers", CUSTOMERS_TYPES, CUSTOMERS),
    ]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Take one case in ``SAMPLED``, or every case of an exhaustive run."""
    cases = EVERY if metafunc.config.getoption("--exhaustive") else EVERY[::SAMPLED]
    metafunc.parametrize("case", cases, ids=lambda c: c.title)


def test_both_engines_name_the_same_rows(case: Case, both: list[Staged]) -> None:
    found = []
    for database, schemas in both:
        guarded = guard(case.sql, schemas, row_limit=100)
        rows = contributing_rows(guarded, database.run(guarded), schemas, database).tables
        assert {r.table for r in rows} == set(guarded.tables)
        if not any(words in case.sql for words in NOT_TAKEN_APART):
            assert all(not r.untold and r.row_count == len(r.row_ids) for r in rows), rows
        found.append({r.table: (sorted(r.row_ids), r.columns, r.chooses, r.untold) for r in rows})
    assert found[0] == found[1]
