"""Every statement that the guard lets pass answers the same on the embedded database and on a real server."""

import math
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tests.tools.sql.sql_cases import Case, read_cases
from tests.tools.stored import store

SALES = [
    ("North", "a-1", 10, 2.5, date(2024, 1, 31), datetime(2024, 1, 31, 9, 30), True, 1.5),
    ("south", "b-2", 7, 1.25, date(2024, 2, 29), datetime(2024, 2, 29, 18, 5, 7), False, 2.0),
    ("North", "c-3", 30, None, date(2023, 12, 1), None, True, None),
    ("East 12", "d-4", None, 4.0, None, datetime(2023, 1, 1), None, 0.25),
    ("O'Brien", "e-5", -5, -2.75, date(2024, 1, 1), datetime(2024, 1, 1, 0, 0), False, 9.0),
]
SALES_TYPES = {
    "region": "text",
    "order": "text",
    "amount": "integer",
    "price": "decimal",
    "day": "date",
    "at": "datetime",
    "paid": "boolean",
    "größe": "decimal",
}
STORES = [("North", "Ada"), ("South", "Bo"), ("West", None)]
STORES_TYPES = {"region": "text", "manager": "text"}
NOT_EMBEDDED = ("ROLLUP", "<<")
ANY_ROW = ("ANY_VALUE",)
"""Each engine may answer with another row's value."""
NOW = ("CURDATE", "NOW()")


@pytest.fixture(scope="module")
def both(
    tmp_path_factory: pytest.TempPathFactory, mysql_server: Any
) -> Iterator[list[tuple[Database, list[TableSchema]]]]:
    """The same two tables on SQLite and on the private server."""
    with mysql_server.fresh_database() as url:
        path: Path = tmp_path_factory.mktemp("parity") / "t.db"
        opened = [Database(u, timeout_s=10, row_limit=100) for u in (f"sqlite:///{path}", url)]
        yield [(d, [store(d, "sales", SALES_TYPES, SALES), store(d, "stores", STORES_TYPES, STORES)]) for d in opened]
        for database in opened:
            database.close()


def comparable(value: Any) -> Any:
    """Bring a cell to what both engines can agree on: numbers to six digits, truth to 0 and 1, text as it is."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, (int, float)):
        return float(f"{value:.4g}") if math.isfinite(value) else str(value)
    text = str(value) if value is not None else None
    try:
        return float(f"{float(text):.4g}") if text is not None else None
    except ValueError:
        return text.removesuffix(" 00:00:00").casefold()


def unsigned_left_out(sql: str) -> str:
    """A negative number has no unsigned form, and each server has an answer of its own to that."""
    return sql.replace("CAST(price AS UNSIGNED), ", "")


def answer(database: Database, schemas: list[TableSchema], sql: str) -> list[tuple[Any, ...]]:
    rows = database.run(guard(sql, schemas, row_limit=100)).rows
    compared = [tuple(comparable(v) for v in row) for row in rows]
    return sorted(compared, key=repr)  # ties may come in any order


def runs_on_both(case: Case) -> bool:
    return not any(word in case.sql.upper() for word in (*NOT_EMBEDDED, *ANY_ROW, *NOW))


PASSING = [c for c in read_cases("sql_guard.sql", "pass") if runs_on_both(c)]


@pytest.mark.parametrize("case", PASSING, ids=lambda c: c.title)
def test_both_engines_answer_the_same(case: Case, both: list[tuple[Database, list[TableSchema]]]) -> None:
    embedded, server = (answer(database, schemas, unsigned_left_out(case.sql)) for database, schemas in both)
    assert embedded == server


def test_an_order_is_kept(both: list[tuple[Database, list[TableSchema]]]) -> None:
    for database, schemas in both:
        rows = database.run(
            guard("SELECT day FROM sales WHERE day IS NOT NULL ORDER BY day", schemas, row_limit=9)
        ).rows
        assert [str(r[0]) for r in rows] == ["2023-12-01", "2024-01-01", "2024-01-31", "2024-02-29"]


@pytest.mark.parametrize("called", ["FLOOR({})", "CEIL({})", "ROUND({}, 2)", "{} + 0", "CAST({} AS DOUBLE)", "ABS({})"])
@pytest.mark.parametrize("text", ["1e99999999", "-1e400", "1.7976931348623157e308", "1e308"])
def test_numbers_of_texts_out_of_range_are_the_largest(
    both: list[tuple[Database, list[TableSchema]]], called: str, text: str
) -> None:
    sql = "SELECT " + called.format(f"'{text}'")
    embedded, server = (d.run(guard(sql, schemas, row_limit=9)).rows for d, schemas in both)
    assert embedded == server
    assert math.isfinite(embedded[0][0])


@pytest.mark.parametrize(
    "text", ["1e99999999", "-1e400", "1e39", "1e-99999999", "0e99999999", "1e000000000000005", "9" * 60]
)
@pytest.mark.parametrize("to", ["DECIMAL", "DECIMAL(20, 5)", "DECIMAL(38, 0)", "DECIMAL(38, 12)"])
def test_a_decimal_of_a_text_out_of_range_is_the_largest(
    both: list[tuple[Database, list[TableSchema]]], text: str, to: str
) -> None:
    embedded, server = (
        d.run(guard(f"SELECT CAST('{text}' AS {to})", schemas, row_limit=9)).rows for d, schemas in both
    )
    assert embedded == server


@pytest.mark.parametrize("called", ["'zz', 36, 99", "NULL, 10, 2", "'7', NULL, 2", "'7', 10, 1"])
def test_digits_in_no_base_are_null(both: list[tuple[Database, list[TableSchema]]], called: str) -> None:
    for database, schemas in both:
        assert database.run(guard(f"SELECT CONV({called})", schemas, row_limit=9)).rows == ((None,),)
