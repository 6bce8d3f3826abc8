"""Every entry of a knowledge file is resolved and run."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from tablerag import TableRAG
from tablerag.agent.confirming import changed_since, confirmed_entry, run_confirmed
from tablerag.agent.model.rendering import tables_text
from tablerag.ingestion.connecting import connect
from tablerag.ingestion.refreshing import LOOKED_S, refreshing
from tablerag.tools.knowledge.checking import failures
from tablerag.tools.knowledge.drafting import abbreviations_in, drafted
from tablerag.tools.knowledge.parsing import parse
from tablerag.tools.knowledge.resolving import with_rules
from tablerag.tools.services import Services
from tests.tools.connections.test_sqlite import run


@pytest.fixture(scope="module")
def filled(services_read: Services, tmp_path_factory: pytest.TempPathFactory) -> Services:
    folder = tmp_path_factory.mktemp("checked")
    (folder / "orders.csv").write_text(
        "Ordered,Shipped,Revenue,Costs\n2025-01-02,2025-01-05,10,4\n2025-02-02,2025-02-05,20,9\n"
    )
    (folder / "notes.md").write_text(
        "# Notes\n\nWe report annual recurring revenue (ARR) and the NPS (net promoter score).\n"
    )
    TableRAG.over(services_read).ingest([folder / "orders.csv", folder / "notes.md"])
    return services_read


def test_entries_that_fit_are_not_reported(filled: Services) -> None:
    metric = "metrics: [{name: m, table: Orders, expression: SUM(Revenue)}]"
    text = f"{metric}\ntables: {{orders.csv: {{default_date: Shipped}}}}"
    assert failures(filled, "default", parse(text, "k.yaml")) == []


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("metrics: [{name: m, table: ordrs, expression: SUM(revenue)}]", "no table is called 'ordrs': expected one"),
        ("metrics: [{name: m, table: orders, expression: SUM(revenu)}]", "column 'revenu' is not one of its columns"),
        ("metrics: [{name: m, table: orders, expression: revenue}]", "expected an expression over aggregates"),
        ("metrics: [{name: m, table: orders, expression: SUM(revenue) + (SELECT 1)}]", "expected an expression over"),
        ("metrics: [{name: revenue, table: orders, expression: SUM(costs)}]", "its name is already that of a column"),
        ("metrics: [{name: m, table: orders, expression: 'SUM(revenue); DROP TABLE orders'}]", "is not valid SQL"),
        ("metrics: [{name: m, table: orders, expression: SUM(SLEEP(9))}]", "metric 'm': "),
        ("tables: {orders: {default_date: revenue}}", "is integer, expected a column of dates"),
        ("tables: {orders: {exclude: '1 = 1'}}", "expected a condition on columns of the table"),
        ("tables: {orders: {columns: {Stat: open}}}", "column 'Stat' of table orders is not one of its columns"),
        ("tables: {orders: {exclude: 'revenue > (SELECT 1)'}}", "expected a condition on columns of the table"),
    ],
)  # fmt: skip
def test_entries_that_do_not_fit_are_reported(filled: Services, entry: str, says: str) -> None:
    (problem,) = failures(filled, "default", parse(entry, "k.yaml"))
    assert says in problem.says
    assert problem.where == "k.yaml, line 1"


def test_a_draft_can_be_imported(filled: Services) -> None:
    text = drafted(filled, "default")
    known = parse(text, "k.yaml")
    assert [(w.word, w.means) for w in known.words] == [
        ("ARR", ("annual recurring revenue",)),
        ("NPS", ("net promoter score",)),
    ]
    assert [m.name for m in known.metrics] == ["margin"]
    assert [t.default_date for t in known.tables] == ["ordered"]
    assert failures(filled, "default", known) == []


def test_only_matching_initials_are_abbreviations() -> None:
    assert list(abbreviations_in("Our new office (HQ), and the Bank of England (BE).")) == [("BE", "Bank of England")]
    assert list(abbreviations_in("a-" * 20_000 + " (AB)")) == []
    said = "PPL stands for private pilot licence, AOG means aircraft on ground and MTOW is a weight."
    assert list(abbreviations_in(said)) == [("PPL", "private pilot licence"), ("AOG", "aircraft on ground")]


CODES = """# Handbook

The lines: State: O open, C cancelled, B sent back (by the customer), and Q where nobody knows.
Conditions are A (good) and B = worn. Colours: A amber.
"""


def test_a_draft_has_the_codes_that_texts_explain(services: Services, tmp_path: Path) -> None:
    (tmp_path / "lines.csv").write_text(
        "No,State,Cond,Size\n" + "".join(f"{i},{'OCB'[i % 3]},{'AB'[i % 2]},{'XYZ'[i % 3]}\n" for i in range(12))
    )
    (tmp_path / "handbook.md").write_text(CODES)
    TableRAG.over(services).ingest([tmp_path / "lines.csv", tmp_path / "handbook.md"])
    (table,) = parse(drafted(services, "default"), "k.yaml").tables
    assert table.columns == {"state": "B: sent back; C: cancelled; O: open", "cond": "A: good; B: worn"}
    services.knowledge.save("default", drafted(services, "default"), "k.yaml")
    (schema,) = with_rules(services.catalog.schemas("default"), services.knowledge.of("default"))
    assert [c.about for c in schema.columns] == ["", "B: sent back; C: cancelled; O: open", "A: good; B: worn", ""]
    assert '"B: sent back; C: cancelled; O: open"' in tables_text([schema])


def test_the_comment_of_a_column_comes_before_what_texts_say(services: Services, tmp_path: Path) -> None:
    database = tmp_path / "shop.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute("CREATE TABLE tickets (id INTEGER PRIMARY KEY, status VARCHAR, zone VARCHAR, lane VARCHAR)")
        connection.execute("INSERT INTO tickets VALUES (1, 'O', 'N', 'A'), (2, 'C', 'F', 'B'), (3, 'C', 'X', 'B')")
        for column, says in (("status", "O open, C closed"), ("zone", "N = near, F = far"), ("lane", "A fast, B slow")):
            connection.execute(f"COMMENT ON COLUMN tickets.{column} IS '{column}: {says}'")
    connect(services, "default", "shop", f"duckdb:///{database}", may_write=True)
    (tmp_path / "handbook.md").write_text(
        "# Handbook\n\nAn order is O: open or C: cancelled. Zones: N near, F far, X abroad. Lanes: A fast, B slow.\n"
    )
    TableRAG.over(services).ingest(tmp_path / "handbook.md")
    text = drafted(services, "default")
    (table,) = parse(text, "k.yaml").tables
    assert table.columns == {"zone": "F: far; N: near; X: abroad"}
    assert '# status: its comment says "C: closed", handbook.md says "C: cancelled"' in text
    assert "lane" not in text
    (tmp_path / "handbook.md").write_text("# Handbook\n\nAn order is O: open or C: cancelled.\n")
    TableRAG.over(services).ingest(tmp_path / "handbook.md")
    assert not parse(drafted(services, "default"), "k.yaml"), "notes alone can be imported, too"


def test_a_confirmed_answer_names_its_table_when_the_columns_change(services: Services, tmp_path: Path) -> None:
    rag = TableRAG.over(services)
    file = tmp_path / "orders.csv"
    file.write_text("Customer,Amount\nKiel,10\nOslo,20\n")
    rag.ingest(file)
    entry, _ = confirmed_entry(services, "default", rag.tables(), "Total?", "SELECT SUM(amount) FROM orders", "Ann")
    services.knowledge.confirm("default", entry)
    assert set(services.knowledge.of("default").confirmed[0].tables) == {"orders"}
    file.write_text("Customer,Amount\nKiel,30\nOslo,20\n")
    rag.ingest(file)
    assert failures(services, "default", services.knowledge.of("default")) == []
    file.write_text("Customer,Status,Amount\nKiel,open,30\nOslo,void,20\n")
    rag.ingest(file)
    (problem,) = failures(services, "default", services.knowledge.of("default"))
    assert problem.says == "columns of orders changed since 'Total?' was confirmed: confirm it again"


def test_questions_use_the_words_that_codes_stand_for(services: Services, tmp_path: Path) -> None:
    weights = [i * 37 % 101 for i in range(30)]
    rows = "".join(f"SO-{1000 + i},{'OCB'[i % 3]},{weight}\n" for i, weight in enumerate(weights))
    (tmp_path / "order_lines.csv").write_text(f"Line No,State,Weight (kg)\n{rows}")
    meanings = 'columns: {state: "O: open; C: cancelled; B: returned; Z: audited"}'
    services.knowledge.save("default", f"tables: {{order_lines: {{{meanings}}}}}", "k.yaml")
    rag = TableRAG.over(services)
    rag.ingest(tmp_path / "order_lines.csv")
    answer = rag.ask("How many order lines were cancelled?")
    assert answer.value == 10
    assert "State “C” means “cancelled”, as defined in k.yaml, line 1." in answer.explanation
    assert rag.ask("What is the total weight of returned order lines?").value == sum(weights[2::3])
    assert rag.ask("How many order lines were audited?").value is None


SHOP = "tables: {orders: {exclude: quantity > 5}}\nmetrics: [{name: worth, table: orders, expression: SUM(quantity)}]\n"


@pytest.fixture
def shop(services: Services, tmp_path: Path) -> Path:
    """Return a connected file with a table that two entries and a confirmed answer read."""
    made = "CREATE TABLE orders (id INTEGER PRIMARY KEY, quantity INTEGER)"
    run(tmp_path / "shop.db", made, "INSERT INTO orders VALUES (1, 3), (2, 4)")
    connect(services, "default", "shop", f"sqlite:///{tmp_path / 'shop.db'}")
    services.knowledge.save("default", SHOP, "k.yaml")
    sql = "SELECT SUM(quantity) FROM orders"
    entry, _ = confirmed_entry(services, "default", services.catalog.tables("default"), "Total?", sql, "Ann")
    services.knowledge.confirm("default", entry)
    return tmp_path / "shop.db"


def test_entries_over_a_locked_table_could_not_be_checked(services: Services, shop: Path) -> None:
    known = services.knowledge.of("default")
    with closing(sqlite3.connect(shop)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        found = failures(services, "default", known)
    assert [p.unchecked for p in found] == [True] * 3
    assert all("could not be checked: the connected database 'shop' is locked" in p.says for p in found)
    # What was just waited for in vain says nothing of now.
    assert failures(services, "default", known) == []


def test_a_renamed_column_is_described_again_by_a_check(services: Services, shop: Path) -> None:
    refreshing(services)
    assert failures(services, "default", services.knowledge.of("default")) == []
    time.sleep(LOOKED_S)
    run(shop, "ALTER TABLE orders RENAME COLUMN quantity TO pieces")
    found = failures(services, "default", services.knowledge.of("default"))
    assert len(found) == 3 and not any(p.unchecked for p in found)
    assert all("pieces" in p.says for p in found)


@pytest.mark.parametrize(
    ("now", "inserted", "changed"),
    [
        (SHOP, "", ""),
        (SHOP.replace("> 5", "> 3"), "", "definition"),
        (SHOP, "INSERT INTO orders VALUES (3, 2)", "data"),
        (SHOP.replace("> 5", "> 3"), "INSERT INTO orders VALUES (3, 2)", "data"),
    ],
)
def test_what_changed_since_an_answer_was_confirmed(
    services: Services, tmp_path: Path, now: str, inserted: str, changed: str
) -> None:
    path, sql = tmp_path / "shop.db", "SELECT SUM(id) FROM orders"
    run(
        path,
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, quantity INTEGER)",
        "INSERT INTO orders VALUES (1, 3), (2, 4)",
    )
    connect(services, "default", "shop", f"sqlite:///{path}")
    tables = services.catalog.tables("default")
    entry, _ = confirmed_entry(services, "default", tables, "Total?", sql, "Ann")
    services.knowledge.save("default", now, "k.yaml")
    if inserted:
        run(path, inserted)
    result, value = run_confirmed(services, "default", tables, entry.sql)
    assert changed_since(services, "default", tables, entry, value) == changed


def test_a_definition_of_then_is_in_a_confirmed_statement(services: Services, shop: Path) -> None:
    services.knowledge.save("default", SHOP.replace("> 5", "> 3"), "k.yaml")
    tables = services.catalog.tables("default")
    entry, result = confirmed_entry(services, "default", tables, "Total?", "SELECT SUM(id) FROM orders", "Ann")
    assert (result.rows, entry.excluded) == (((1,),), {"orders": "`quantity` > 3"})
    services.knowledge.confirm("default", entry)
    (kept,) = (e for e in services.knowledge.of("default").confirmed if e.question == "Total?")
    assert changed_since(services, "default", tables, kept, "1") == ""
    services.knowledge.save("default", SHOP, "k.yaml")
    assert changed_since(services, "default", tables, kept, "1") == "definition"


def test_a_confirmed_answer_keeps_who_confirmed_it_and_the_name_of_the_key(services: Services, shop: Path) -> None:
    given, sql = ("default", services.catalog.tables("default"), "Sum?"), "SELECT SUM(quantity) FROM orders"
    for by, key, kept in (("Ann", "desk", ("Ann", "desk")), ("", "desk", ("desk", "")), ("desk", "desk", ("desk", ""))):
        entry, _ = confirmed_entry(services, *given, sql, by, key)
        assert (entry.by, entry.key) == kept
    entry, _ = confirmed_entry(services, *given, sql, "Ann", "EMEA desk")
    services.knowledge.confirm("default", entry)
    answer = TableRAG.over(services, model="offline").ask("Sum?")
    assert "As confirmed by Ann with the key “EMEA desk” on " in answer.explanation
