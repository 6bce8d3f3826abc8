"""Excluded rows and metrics in statements, on both engines."""

import pytest

from tablerag import TableRAG
from tablerag.tools.errors import SqlRejected
from tablerag.tools.evidence import result_of
from tablerag.tools.knowledge.parsing import parse
from tablerag.tools.knowledge.resolving import with_rules
from tablerag.tools.knowledge.rewriting import applied, expanded, metrics_shown, without_excluded
from tablerag.tools.records import TableRules, TableSchema
from tablerag.tools.services import Services

KNOWN = parse(
    """\
metrics:
  - {name: order value, table: orders, unit: EUR, expression: SUM(`Amount (EUR)`) / COUNT(*)}
  - {name: share of large ones, table: orders, unit: "%",
     expression: "SUM(CASE WHEN `amount (EUR)` > 30 THEN 1 ELSE 0 END) / COUNT(*)"}
tables:
  orders: {exclude: "Status = 'cancelled'"}
""",
    "k.yaml",
)
ORDERS = "Order,Customer,Status,Amount (EUR)\n1,A,open,10\n2,A,cancelled,500\n3,B,,30\n4,B,shipped,50\n"
CUSTOMERS = "Customer,City\nA,Bern\nB,Basel\nC,Chur\n"
VALUE = "SUM(`amount_eur`) / COUNT(*)"


@pytest.fixture(scope="module")
def tables(both_read: Services, tmp_path_factory: pytest.TempPathFactory) -> tuple[Services, list[TableSchema]]:
    folder = tmp_path_factory.mktemp("orders")
    (folder / "orders.csv").write_text(ORDERS)
    (folder / "customers.csv").write_text(CUSTOMERS)
    TableRAG.over(both_read).ingest([folder / "orders.csv", folder / "customers.csv"])
    return both_read, with_rules(both_read.catalog.schemas("default"), KNOWN)


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT COUNT(*) FROM orders", [(3,)]),
        ("SELECT SUM(amount_eur) FROM orders WHERE customer = 'A' OR customer = 'B'", [(90,)]),
        ("SELECT COUNT(*) FROM orders WHERE status = 'cancelled'", [(1,)]),
        ("SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY 2, 1", [(None, 1), ("cancelled", 1)]),
        ("SELECT COUNT(*) FROM (SELECT amount_eur FROM orders) AS t WHERE amount_eur > 20", [(2,)]),
        ("SELECT (SELECT MAX(amount_eur) FROM orders) - MIN(o.amount_eur) FROM orders AS o", [(40,)]),
        ("SELECT c.city, o.amount_eur FROM customers c JOIN orders o ON c.customer = o.customer ORDER BY 2 DESC",
         [("Basel", 50), ("Basel", 30), ("Bern", 10)]),
        ("SELECT c.city, o.amount_eur FROM customers c LEFT JOIN orders o ON c.customer = o.customer AND"
         " o.amount_eur > 40 ORDER BY 1", [("Basel", 50), ("Bern", None), ("Chur", None)]),
        ("SELECT c.city, o.amount_eur FROM customers c RIGHT JOIN orders o ON c.customer = o.customer ORDER BY 2",
         [("Bern", 10), ("Basel", 30), ("Basel", 50)]),
        ("SELECT c.city, o.amount_eur FROM orders o RIGHT JOIN customers c ON c.customer = o.customer AND"
         " o.amount_eur > 40 ORDER BY 1", [("Basel", 50), ("Bern", None), ("Chur", None)]),
        ("WITH t AS (SELECT amount_eur AS a FROM orders) SELECT SUM(a) FROM t", [(90,)]),
        ("SELECT COUNT(*) FROM customers", [(3,)]),
    ],
)  # fmt: skip
def test_excluded_rows_do_not_count_unless_they_are_asked_for(
    tables: tuple[Services, list[TableSchema]], sql: str, rows: list[tuple[object, ...]]
) -> None:
    services, schemas = tables
    assert list(result_of(services, sql, schemas).rows)[: len(rows)] == rows


def test_metrics_are_written_out_over_groups(tables: tuple[Services, list[TableSchema]]) -> None:
    services, schemas = tables
    sql = "SELECT customer, SUM(order_value), AVG(`share_of_large_ones`) FROM orders GROUP BY customer"
    result = result_of(services, expanded(sql, schemas), schemas)
    assert sorted(result.rows) == [("A", 10, 0), ("B", 40, 50)]
    shown = {place: (m.name, m.unit) for place, m in metrics_shown(result.sql, schemas).items()}
    assert shown == {1: ("order value", "EUR"), 2: ("share of large ones", "%")}


def test_a_statement_says_what_it_takes_from_the_file(tables: tuple[Services, list[TableSchema]]) -> None:
    services, schemas = tables
    told = list(applied(result_of(services, f"SELECT {VALUE} FROM orders", schemas).sql, schemas))
    assert told == [
        "Order value as defined in k.yaml, line 2.",
        "Without rows where Status = 'cancelled', as defined in k.yaml, line 6.",
    ]
    asked = result_of(services, "SELECT COUNT(*) FROM orders WHERE status = 'cancelled'", schemas)
    assert list(applied(asked.sql, schemas)) == []


def test_a_metric_of_single_rows_is_refused(tables: tuple[Services, list[TableSchema]]) -> None:
    with pytest.raises(SqlRejected, match="metric 'order value' is computed over groups of rows"):
        expanded("SELECT order_value FROM orders", tables[1])


@pytest.mark.parametrize("sql", ["SELECT", "DROP TABLE orders", "SELECT 1; SELECT 2", "SELECT ((((", "(" * 900])
def test_what_the_guard_refuses_passes_unchanged(sql: str) -> None:
    schema = TableSchema(table_id="t", name="orders", columns=(), row_count=1, source="o.csv")
    assert without_excluded(sql, [schema]) == sql


@pytest.mark.parametrize("text", ["1 = 1) OR (SELECT", "(" * 900, "status = 'x'; DROP TABLE orders"])
def test_a_forged_entry_is_refused(text: str) -> None:
    rules = TableRules(exclude=text, exclude_where="k.yaml, line 1")
    schema = TableSchema(table_id="t", name="orders", columns=(), row_count=1, source="o.csv", rules=rules)
    with pytest.raises(SqlRejected):
        without_excluded("SELECT COUNT(*) FROM orders", [schema])
