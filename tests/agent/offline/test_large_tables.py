"""A question over a million rows: bounded by what is read, right by what is run."""

import time

import pytest

from tablerag.agent.offline.reasoner import OfflineReasoner
from tablerag.agent.reasoning import SqlTask
from tablerag.tools.evidence import run_sql
from tablerag.tools.records import ROW_ID, Column, TableSchema, ValueHint
from tablerag.tools.services import Services
from tablerag.tools.sql.backends.tables import StoredColumn
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
    services.database.engine.connect().close()
    numbers = range(1, ROWS + 1)
    columns = [
        StoredColumn(ROW_ID, "integer", is_key=True),
        StoredColumn("customer", "text"),
        StoredColumn("city", "text"),
    ]
    values = [[f"customer {i}" for i in numbers], [f"city {i % 500}" for i in numbers]]
    amounts = [(i * 7919) % 1000003 for i in numbers]
    services.database.tables.write(
        "orders", [*columns, StoredColumn("amount", "integer")], [[numbers, *values, amounts]]
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
