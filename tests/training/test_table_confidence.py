"""The truth of tables that the confidence learns from, and what it may learn."""

from pathlib import Path

import pytest

from tablerag.ingestion.document import Locator, TableBlock
from tablerag.ingestion.tables.table import build_table
from training.printed_tables import STYLES, PrintedTable, write_pdf
from training.table_confidence import SHARES, fitted
from training.table_labels import Labelled, is_right, joined_columns, turned_names

ROWS = [
    ["Region", "Product", "Amount", "Sold"],
    ["North", "oak chair", "1200", "31"],
    ["South", "pine table", "800", "12"],
    ["East", "reading lamp", "4100", "7"],
    ["West", "book shelf", "350", "40"],
]


@pytest.mark.parametrize("damage", [None, turned_names, joined_columns])
def test_only_a_whole_table_is_right(damage: object) -> None:
    grid = [[*row] for row in ROWS]
    table = build_table(TableBlock(damage(grid) if callable(damage) else grid, Locator(page=1), ruled=True))
    assert table is not None
    assert is_right([ROWS], table) is (damage is None)
    assert not is_right([[["Year", "Rate"], ["2020", "1.5"], ["2021", "2.5"], ["2022", "3.5"]]], table)


def test_tables_are_printed_in_every_style(tmp_path: Path) -> None:
    for style in STYLES:
        path = write_pdf(PrintedTable("sales", ROWS, style, 3), tmp_path / f"{style}.pdf")
        assert path.read_bytes().startswith(b"%PDF")


def test_what_tells_against_a_table_gets_no_weight_for_it() -> None:
    source = next(iter(SHARES))
    odd = [Labelled(source, "pdf", "a", {"bias": 1.0, "prose": 1.0}, 1.0, True)] * 9
    plain = [Labelled(source, "pdf", "b", {"bias": 1.0, "unnamed": n % 2}, 1.0, n % 2 == 0) for n in range(20)]
    weights = fitted([*odd, *plain])
    assert "prose" not in weights, "a few lucky tables do not make sentences a good sign"
    assert weights["unnamed"] < 0 < weights["bias"]
