"""tablerag knowledge."""

from pathlib import Path

from tests.support.command_line import CommandLine

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
    assert told.startswith("odd.yaml, line 1: no table is called 'ordrs', expected one such as orders")
