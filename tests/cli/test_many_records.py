"""Listings of many rows: the same lines as of few, drawn faster, and nothing read that is not shown."""

import io
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from tablerag import TableRAG
from tablerag.cli import tables
from tablerag.cli.listing import listed_tables
from tablerag.cli.tables import Cell, FittingTable
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services

COLUMNS = ("table", "rows", "source", "a column with a name that is longer than others")
LONG = "core/monthly lists of the office/sales_2024_01_with_a_long_name_that_wraps_in_words.csv"


def lines_of(rows: list[list[Cell]], width: int) -> list[str]:
    out = Console(file=io.StringIO(), width=width)
    out.print(FittingTable(COLUMNS, rows, right=(False, True, False, False)), crop=False)
    return [line.rstrip() for line in out.file.getvalue().splitlines()]  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [60, 90, 100, 200])
def test_many_rows_are_drawn_as_few_are(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cells: list[list[Cell]] = [
        [f"t{i}", f"{i},000", LONG if i % 2 else "größe 漢字.csv", "two\nlines"] for i in range(5)
    ]
    cells.append([Text("t6"), "", Text("[bold]a[/]"), ""])
    few = lines_of(cells, width)
    monkeypatch.setattr(tables, "MANY", 5)
    assert lines_of(cells, width) == few


def test_tables_are_listed_without_their_schemas(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match="has no tables"):
        listed_tables(services)
    (tmp_path / "orders.csv").write_text("order,amount\n1,10\n2,20\n3,5\n")
    TableRAG.over(services).ingest(tmp_path)
    monkeypatch.setattr(TableSchema, "model_validate_json", None)
    assert [tuple(t) for t in listed_tables(services)] == [("orders", 3, 2, "orders.csv", "rows 1-4", False)]
