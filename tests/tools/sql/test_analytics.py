"""Analytic queries answer the same on the embedded database and on a MySQL-compatible server, row by row.

What cannot be the same is listed by name in the same file: refused with the reason, or different as stated.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablerag.tools.errors import SqlFailed, SqlRejected
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tests.tools.sql.parity_tables import CUSTOMERS, CUSTOMERS_TYPES, ORDERS, ORDERS_TYPES
from tests.tools.sql.sql_cases import Case, read_cases
from tests.tools.sql.test_parity import SALES, SALES_TYPES, STORES, STORES_TYPES
from tests.tools.stored import store

FILES = ("sql_parity.sql", "sql_analyst.sql")
EQUAL = [c for f in FILES for c in read_cases(f, "equal")]
REFUSED = [c for f in FILES for c in read_cases(f, "refused")]
DIFFERENT = [c for f in FILES for c in read_cases(f, "differs")]
TABLES: list[tuple[str, Any, Any]] = [
    ("orders", ORDERS_TYPES, ORDERS),
    ("customers", CUSTOMERS_TYPES, CUSTOMERS),
    ("sales", SALES_TYPES, SALES),
    ("stores", STORES_TYPES, STORES),
]
Opened = tuple[Database, list[TableSchema]]


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    path: Path = tmp_path_factory.mktemp("analytics") / "t.db"
    yield from _opened(f"sqlite:///{path}")


@pytest.fixture(scope="module")
def server(mysql_server: Any) -> Iterator[Opened]:
    with mysql_server.fresh_database() as url:
        yield from _opened(url)


def _opened(url: str) -> Iterator[Opened]:
    database = Database(url, timeout_s=10, row_limit=200)
    yield (
        database,
        [store(database, name, types, rows) for name, types, rows in TABLES],
    )
    database.close()


def answer(opened: Opened, sql: str) -> list[list[Any]]:
    """Return the rows; in an order of our own where the statement has none."""
    database, schemas = opened
    guarded = guard(sql, schemas, row_limit=200)
    rows = [list(row) for row in database.run(guarded).rows]
    return rows if guarded.expression.args.get("order") else sorted(rows, key=repr)


def same(one: Any, other: Any) -> bool:
    """Tell whether two cells are the same: numbers to nine digits, texts to the letter."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one == other)


@pytest.mark.parametrize("case", EQUAL, ids=lambda c: c.title)
def test_both_answer_the_same(case: Case, embedded: Opened, server: Opened) -> None:
    ours, theirs = answer(embedded, case.sql), answer(server, case.sql)
    assert len(ours) == len(theirs)
    apart = [(a, b) for a, b in zip(ours, theirs, strict=True) if not all(map(same, a, b))]
    assert not apart


@pytest.mark.parametrize("case", REFUSED, ids=lambda c: c.title)
def test_what_cannot_be_the_same_is_refused(case: Case, embedded: Opened) -> None:
    with pytest.raises((SqlRejected, SqlFailed)) as refusal:
        answer(embedded, case.sql)
    assert case.expected in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("case", DIFFERENT, ids=lambda c: c.title)
def test_what_differs_differs_as_stated(case: Case, embedded: Opened, server: Opened) -> None:
    ours, theirs = (json.loads(stated) for stated in case.expected.split(" <> "))
    assert answer(embedded, case.sql) == ours
    assert answer(server, case.sql) == theirs


def test_the_suite_is_large() -> None:
    assert len(EQUAL) >= 400
    assert len({c.title for c in (*EQUAL, *REFUSED, *DIFFERENT)}) == len(EQUAL) + len(REFUSED) + len(DIFFERENT)
