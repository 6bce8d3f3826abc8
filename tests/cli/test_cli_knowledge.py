"""tablerag knowledge."""

from pathlib import Path

from tests.support.command_line import CommandLine
from tests.tools.connections.test_sqlite import run

FILE = """\
terms: {ARR: annual recurring revenue}
metrics:
  - {name: basket size, table: orders,
     expression: SUM(amount) / COUNT(*)}
"""


def test_a_file_is_imported_checked_shown_exported_and_removed(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("order,amount\n1,10\n2,20\n")
    (tmp_path / "knowledge.yaml").write_text(FILE)
    assert command_line("ingest", "orders.csv", TABLERAG_MODEL="offline", TABLERAG_HOME=str(tmp_path / "home"))[0] == 0
    status, _, told = command_line("knowledge", "list")
    assert status == 2
    assert "corpus 'default' has no entries: run `tablerag knowledge import FILE` first" in told
    assert "knowledge.yaml: 1 term, 1 metric for corpus 'default'" in command_line("knowledge", "import")[1]
    assert "1 metric, all of them fit" in command_line("knowledge", "check")[1]
    listed = command_line("knowledge", "list")[1]
    assert "annual recurring revenue" in listed
    shown = command_line("knowledge", "show", "Basket size")[1]
    assert [line.split()[0] for line in shown.splitlines()] == ["3", "4"]
    assert "15" in command_line("ask", "What is the basket size?")[1]
    assert command_line("knowledge", "export", "out.yaml")[0] == 0
    assert (tmp_path / "out.yaml").read_text() == FILE
    assert command_line("knowledge", "export", "-")[1] == FILE
    assert "pass --yes" in command_line("knowledge", "remove")[2]
    assert "removed" in command_line("knowledge", "remove", "--yes")[1]
    assert command_line("knowledge", "check")[0] == 2


def test_bad_files_are_one_line(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("order,amount\n1,10\n2,20\n")
    command_line("ingest", "orders.csv", TABLERAG_MODEL="offline", TABLERAG_HOME=str(tmp_path / "home"))
    (tmp_path / "bad.yaml").write_bytes(b"terms: {A: \xff}")
    for name, says in (
        ("bad.yaml", "is not UTF-8 text (byte 11)"),
        ("none.yaml", "No such file"),
        (".", "cannot read"),
    ):
        status, _, told = command_line("knowledge", "import", name)
        assert (status, told.count("\n")) == (2, 1)
        assert says in told
    (tmp_path / "odd.yaml").write_text("metrics: [{name: m, table: ordrs, expression: SUM(amount)}]")
    status, _, told = command_line("knowledge", "check", "odd.yaml")
    assert status == 1
    assert told.startswith("odd.yaml, line 1: no table is called 'ordrs': expected one such as orders")


def test_an_answer_is_confirmed_corrected_and_replayed(command_line: CommandLine, tmp_path: Path) -> None:
    orders = tmp_path / "orders.csv"
    orders.write_text("order,buyer,amount\n1,Ann,10\n2,Bob,20\n3,Ann,40\n")
    (tmp_path / "knowledge.yaml").write_text("# ours\nconfirmed: []\nterms: {A: b}  # kept\n")
    command_line("ingest", "orders.csv", TABLERAG_MODEL="offline", TABLERAG_HOME=str(tmp_path / "home"))
    assert "has no confirmed answers" in command_line("eval", "replay")[2]
    command_line("knowledge", "import")
    (tmp_path / "a.json").write_text('{"question": "What came in from Ann?", "answer": "", "steps": [], "sql": []}')
    assert "has no SQL: give the right statement with --sql" in command_line("confirm", "a.json")[2]
    assert "only SELECT is allowed" in command_line("confirm", "a.json", "--sql", "DROP TABLE orders")[2]
    right = ("--sql", "SELECT SUM(amount) FROM orders WHERE buyer = 'Ann'", "--by", "Cid")
    assert "confirmed: What came in from Ann? -> 50" in command_line("confirm", "a.json", *right)[1]
    command_line("confirm", "a.json", *right)  # again: it takes the place of the first
    printed = command_line("ask", "What came in from Ann?")[1]
    assert "50" in printed and "knowledge.yaml as exported, line 5" in " ".join(printed.split())
    assert "1 of 1 the same" in command_line("eval", "replay")[1]
    command_line("knowledge", "export", "out.yaml")
    kept, _, added = (tmp_path / "out.yaml").read_text().partition("confirmed:\n")
    assert kept == "# ours\n\nterms: {A: b}  # kept\n", "the lines keep the numbers that answers cite"
    assert added.startswith("- question: What came in from Ann?\n  sql: SELECT SUM(`amount`) FROM `orders`")
    orders.write_text("order,buyer,amount\n1,Ann,11\n2,Bob,20\n")
    command_line("ingest", "orders.csv")
    status, printed, _ = command_line("eval", "replay")
    assert (status, "data changed" in printed) == (1, True)
    orders.write_text("order,client,amount\n1,Ann,11\n2,Bob,20\n")
    command_line("ingest", "orders.csv")
    assert "statement fails" in command_line("eval", "replay")[1]
    status, _, told = command_line("knowledge", "check")
    assert (status, "the answer of 'What came in from Ann?' fails: unknown column" in told) == (1, True)
    assert "removed" in command_line("knowledge", "remove", "what came in from ann")[1]
    assert "no answer is confirmed for 'x'" in command_line("knowledge", "remove", "x")[2]


def test_a_file_without_confirmed_answers_leaves_those_of_the_corpus(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("order,amount\n1,10\n2,20\n")
    command_line("ingest", "orders.csv", TABLERAG_MODEL="offline", TABLERAG_HOME=str(tmp_path / "home"))
    (tmp_path / "answer.json").write_text(command_line("ask", "What is the total amount?", "--json")[1])
    assert "confirmed: What is the total amount?" in command_line("confirm", "answer.json")[1]
    (tmp_path / "knowledge.yaml").write_text("terms: {ARR: annual recurring revenue}\n")
    assert "1 term, 1 confirmed answer for corpus" in command_line("knowledge", "import")[1]
    assert "1 of 1 the same" in command_line("eval", "replay")[1]
    (tmp_path / "knowledge.yaml").write_text(
        'confirmed: [{question: "Other?", sql: "SELECT MAX(amount) FROM orders"}]\n'
    )
    status, _, told = command_line("knowledge", "import")
    assert (status, "confirmed answer 'What is the total amount?'" in told) == (2, True)
    assert "term 'ARR'" in told and "pass --yes" in told
    assert "ARR" in command_line("knowledge", "list")[1], "nothing is deleted before somebody agrees"
    assert "knowledge.yaml: 1 confirmed answer for corpus" in command_line("knowledge", "import", "--yes")[1]
    assert "Other?" in command_line("knowledge", "list")[1]


def test_a_draft_deletes_nothing_without_a_word(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("order,amount\n1,10\n2,20\n")
    (tmp_path / "notes.md").write_text("# Notes\n\nWe report annual recurring revenue (ARR).\n")
    command_line("ingest", "orders.csv", "notes.md", TABLERAG_MODEL="offline", TABLERAG_HOME=str(tmp_path / "home"))
    assert "knowledge export" not in command_line("knowledge", "draft")[1]
    (tmp_path / "k.yaml").write_text("synonyms: {turnover: amount}\n")
    command_line("knowledge", "import", "k.yaml")
    drafted = command_line("knowledge", "draft")[1]
    assert "This corpus has a file: `tablerag knowledge export knowledge.yaml` writes it" in drafted
    (tmp_path / "knowledge.yaml").write_text(drafted)
    status, _, told = command_line("knowledge", "import")
    assert (status, "synonym 'turnover'" in told) == (2, True)


def test_what_is_no_answer_is_told(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("order,amount\n1,10\n2,20\n")
    command_line("ingest", "orders.csv", TABLERAG_MODEL="offline", TABLERAG_HOME=str(tmp_path / "home"))
    for name, content in (("a.json", "{"), ("b.json", "[1]"), ("c.json", '{"question": 7}'), ("d.json", None)):
        if content is not None:
            (tmp_path / name).write_text(content)
        status, _, told = command_line("confirm", name, "--sql", "SELECT 1")
        assert (status, told.count("\n")) == (2, 1)
        assert name in told
    (tmp_path / "flow.yaml").write_text("{terms: {A: b}}")
    command_line("knowledge", "import", "flow.yaml")
    (tmp_path / "e.json").write_text(
        '{"question": "How much?", "answer": "30", "steps": [], "sql": ["SELECT SUM(amount) FROM orders"]}'
    )
    assert "cannot add to flow.yaml: write its sections on lines of their own" in command_line("confirm", "e.json")[2]


def test_entries_are_checked_over_a_database_as_it_is_now(command_line: CommandLine, tmp_path: Path) -> None:
    shop = tmp_path / "shop.db"
    run(shop, "CREATE TABLE orders (no INTEGER PRIMARY KEY, pieces INTEGER)", "INSERT INTO orders VALUES (1, 4)")
    command_line("connect", "shop", f"sqlite:///{shop}", TABLERAG_MODEL="offline", TABLERAG_HOME=str(tmp_path / "home"))
    (tmp_path / "k.yaml").write_text("metrics: [{name: size, table: orders, expression: SUM(pieces)}]")
    assert "all of them fit" in command_line("knowledge", "check", "k.yaml")[1]
    run(shop, "ALTER TABLE orders RENAME COLUMN pieces TO items")
    for _ in range(2):
        status, _, told = command_line("knowledge", "check", "k.yaml")
        assert status == 1
        assert told.endswith("column 'pieces' is not one of its columns: no, items\n")
    told = command_line("sql", "SELECT SUM(pieces) FROM orders")[2]
    assert "items" in told and "_row_id" not in told


def test_tables_with_columns_only_are_listed(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("order,state\n1,O\n2,C\n")
    (tmp_path / "knowledge.yaml").write_text('tables: {orders: {columns: {state: "O: open; C: cancelled"}}}')
    command_line("ingest", "orders.csv", TABLERAG_MODEL="offline", TABLERAG_HOME=str(tmp_path / "home"))
    command_line("knowledge", "import")
    assert "column state: O: open; C: cancelled" in command_line("knowledge", "list")[1]


def test_an_empty_statement_confirms_nothing(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("order,amount\n1,10\n2,20\n")
    command_line("ingest", "orders.csv", TABLERAG_MODEL="offline", TABLERAG_HOME=str(tmp_path / "home"))
    (tmp_path / "answer.json").write_text(command_line("ask", "What is the total amount?", "--json")[1])
    status, out, told = command_line("confirm", "answer.json", "--sql", " ")
    assert (status, out, told.startswith("error: --sql is empty: ")) == (2, "", True)
