"""A WITH query is never read instead of a stored table, whatever its name is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tests.tools.stored import store

STORED = "sales__0123456789ab"
TAKEN = "with__1"
"""A stored table with a name that a WITH query would get."""


@pytest.fixture(params=["embedded", "server"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Database, list[TableSchema]]]:
    """Return a database with the table ``sales``, stored under another name: the amounts are 10 and 20."""
    embedded = request.param == "embedded"
    url = f"sqlite:///{tmp_path / 't.db'}" if embedded else request.getfixturevalue("mysql_url")
    database = Database(url, timeout_s=10, row_limit=100)
    sales = store(database, STORED, {"amount": "integer"}, [(10,), (20,)])
    sales = sales.model_copy(update={"name": "sales", "stored_as": STORED})
    yield database, [sales, store(database, TAKEN, {"amount": "integer"}, [(1,)])]
    database.close()


def answer(opened: tuple[Database, list[TableSchema]], sql: str) -> Any:
    database, schemas = opened
    rows = database.run(guard(sql, schemas, row_limit=100)).rows
    return [tuple(int(str(v)) for v in row) for row in rows]


@pytest.mark.parametrize("name", [STORED, STORED.upper(), f"`{STORED}`", f"`{STORED.title()}`", "sälés__0123456789ab"])
def test_the_stored_table_is_read(opened: tuple[Database, list[TableSchema]], name: str) -> None:
    assert answer(opened, f"WITH {name} AS (SELECT 999 AS amount) SELECT SUM(amount) FROM sales") == [(30,)]
    assert answer(opened, f"WITH {name} AS (SELECT 999 AS amount) SELECT SUM(amount) AS a FROM {name}") == [(999,)]
    both = f"WITH {name} AS (SELECT 999 AS amount) SELECT SUM(s.amount), MAX(w.amount) FROM sales s, {name} w"
    assert answer(opened, both) == [(30, 999)]
    nested = f"SELECT (WITH {name} AS (SELECT 999 AS amount) SELECT SUM(amount) FROM sales) AS a FROM sales"
    assert answer(opened, nested) == [(30,), (30,)]
    derived = f"SELECT * FROM (WITH {name}(amount) AS (SELECT 999) SELECT SUM(amount) AS a FROM sales) AS t"
    assert answer(opened, derived) == [(30,)]


def test_an_inner_with_query_hides_an_outer_one(opened: tuple[Database, list[TableSchema]]) -> None:
    sql = (
        "WITH c AS (SELECT 1 AS a), d AS (WITH C AS (SELECT 2 AS a) SELECT c.a FROM c) "
        "SELECT c.a AS one, d.a AS two FROM c JOIN d ON c.a < d.a"
    )
    assert answer(opened, sql) == [(1, 2)]


def test_a_with_query_gets_no_name_of_a_stored_table(opened: tuple[Database, list[TableSchema]]) -> None:
    assert answer(opened, f"WITH c AS (SELECT 999 AS amount) SELECT c.amount, t.amount FROM {TAKEN} t, c") == [(999, 1)]


def test_names_in_quotes_that_differ_by_case_only_are_one(opened: tuple[Database, list[TableSchema]]) -> None:
    sql = "WITH `Totals` AS (SELECT SUM(amount) AS a FROM sales) SELECT `TOTALS`.a FROM `totals` AS `TOTALS`"
    assert answer(opened, sql) == [(30,)]
