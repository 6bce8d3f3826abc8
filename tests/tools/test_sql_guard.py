"""The guard against a file of statements: what it must refuse, with which words, and what it must let pass."""

import pytest

from tests.tools.sql_cases import Case, read_cases
from tools.errors import SqlRejected
from tools.records import Column, TableSchema
from tools.sql_guard import GuardedSql, guard

SALES = {
    "region": "text",
    "order": "text",
    "amount": "integer",
    "price": "decimal",
    "day": "date",
    "at": "datetime",
    "paid": "boolean",
    "größe": "decimal",
}
STORES = {"region": "text", "manager": "text"}


def schema(name: str, columns: dict) -> TableSchema:
    described = tuple(Column(name=n, header=n.title(), type=t) for n, t in columns.items())
    return TableSchema(table_id=f"id_{name}", name=name, columns=described, row_count=1, source=f"{name}.csv")


SCHEMAS = [schema("sales", SALES), schema("stores", STORES)]


@pytest.mark.parametrize("case", read_cases("sql_guard.sql", "refuse"), ids=lambda c: c.title)
def test_refuses(case: Case) -> None:
    with pytest.raises(SqlRejected) as caught:
        guard(case.sql, SCHEMAS, row_limit=100)
    message = str(caught.value)
    assert case.expected.casefold() in message.casefold()
    assert "\n" not in message


@pytest.mark.parametrize("case", read_cases("sql_guard.sql", "pass"), ids=lambda c: c.title)
def test_lets_pass_and_bounds(case: Case) -> None:
    guarded = guard(case.sql, SCHEMAS, row_limit=100)
    assert set(guarded.tables) <= {"sales", "stores"}
    assert "LIMIT" in guarded.sql.upper()


def test_passing_the_guard_twice_changes_nothing_more() -> None:
    for case in read_cases("sql_guard.sql", "pass"):
        shown = guard(case.sql, SCHEMAS, row_limit=100).shown
        assert guard(shown, SCHEMAS, row_limit=100).shown == shown, case.title


def test_nobody_else_makes_guarded_sql() -> None:
    honest = guard("SELECT 1", SCHEMAS, row_limit=1)
    with pytest.raises(SqlRejected):
        GuardedSql("DROP TABLE sales", "SELECT 1", (), honest.expression, honest.stored, ())


@pytest.mark.parametrize(
    "sql",
    ["(" * 5000, "SELECT " + "-" * 15000 + "1", "SELECT " + "NOT " * 4000 + "1", "SELECT 1" + " UNION SELECT 1" * 1200],
    ids=["brackets", "signs", "negations", "unions"],
)
def test_deep_statements_are_refused_and_exhaust_nothing(sql: str) -> None:
    with pytest.raises(SqlRejected):
        guard(sql, SCHEMAS, row_limit=1)
