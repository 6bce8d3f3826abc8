"""Listings of many rows: the same lines as of few, drawn faster."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from tablerag.cli import tables
from tablerag.cli.tables import FittingTable

COLUMNS = ("table", "rows", "source", "a column with a name that is longer than others")


def lines_of(rows: list[list[Text]]) -> list[str]:
    out = Console(file=io.StringIO(), width=60)
    out.print(FittingTable(COLUMNS, rows))
    return [line.rstrip() for line in out.file.getvalue().splitlines()]  # type: ignore[attr-defined]


def test_many_records_are_drawn_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "core/monthly lists of the office/sales_2024_01_with_a_long_name_that_wraps_in_words.csv"
    rows = [[Text(f"t{i}"), Text("12"), Text(long if i % 2 else "a.csv"), Text("two\nlines")] for i in range(6)]
    few = lines_of(rows)
    monkeypatch.setattr(tables, "MANY", 5)
    assert lines_of(rows) == few
