"""A question over a million rows: bounded by what is read, right by what is run."""

import time

import pytest
from sqlalchemy import text

from tablerag.agent.offline.reasoner import OfflineReasoner
from tablerag.agent.reasoning import SqlTask
from tablerag.tools.evidence import run_sql
from tablerag.tools.records import ROW_ID, Column, TableSchema, ValueHint
from tablerag.tools.services import Services
from tablerag.tools.table_rows import MOST_ROWS, RowReader

ROWS = 1_000_000
ORDERS = TableSchema(
    table_id="o:t0",
    name="orders",
    stored_as="orders",
    columns=(
        Column(name="customer", header="Customer", type="text"),
        Column(name="city", header="City", type="text"),
        Column(name="amount", header="Amount", type="integer"),
    ),
    row_count=ROWS,
    source="orders.csv",
    hidden_columns=(ROW_ID,),
)
LAST = ValueHint(table="orders", column="customer", value="customer 999999", phrase="customer 999999", score=1.0)


@pytest.fixture
def orders(services: Services) -> Services:
    services.settings.home.mkdir(parents=True, exist_ok=True)
    with services.database.engine.begin() as connection:
        connection.execute(text(f"CREATE TABLE orders ({ROW_ID} INTEGER PRIMARY KEY, customer, city, amount INTEGER)"))
        connection.execute(
            text(
                f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS}) "
                "INSERT INTO orders SELECT i, 'customer ' || i, 'city ' || (i % 500), (i * 7919) % 1000003 FROM n"
            )
        )
    return services


def test_a_million_rows_are_answered_in_bounded_time(orders: Services) -> None:
    read = RowReader(orders.database)
    reasoner = OfflineReasoner(read, orders.embedding.embed)
    question = "What is the city of customer 999999?"
    started = time.process_time()
    choice = reasoner.choose(SqlTask(question, question, (ORDERS,), (LAST,)))
    assert choice is not None
    result, _ = run_sql(orders, choice.sql, [ORDERS])
    assert time.process_time() - started < 3
    assert result.rows == (("city 499",),)
    assert len(read(ORDERS, ()).rows) == MOST_ROWS
