"""Labels that are printed once for each group of rows."""

import pytest

from tablerag.ingestion.document import Locator, RawCell, TableBlock
from tablerag.ingestion.tables.group_labels import with_group_labels
from tablerag.ingestion.tables.table import build_table

Grid = list[list[RawCell]]


def grid(text: str) -> Grid:
    """Return the rows of a text whose cells are between "|"."""
    return [[cell.strip() or None for cell in line.split("|")] for line in text.strip().splitlines()]


def labels(text: str, columns: int = 1) -> list[list[RawCell]]:
    block = TableBlock(grid(text), Locator(), is_records=True)
    return [row[:columns] for row in with_group_labels(block, 1).grid[1:]]


def test_a_label_is_repeated_in_the_rows_of_its_group() -> None:
    text = "Region|Product|Sales\nNorth|Apples|1\n|Pears|2\nSouth|Apples|3\n|Pears|4\n|Plums|5"
    assert labels(text) == [["North"], ["North"], ["South"], ["South"], ["South"]]
    (note,) = with_group_labels(TableBlock(grid(text), Locator()), 1).warnings
    assert note == "column 'Region': 3 blank cells filled with the label above, printed once a group"


def test_groups_within_groups() -> None:
    text = "Country|City|Quarter|Net\nDE|Berlin|Q1|1\n||Q2|2\n|Hamburg|Q1|3\n||Q2|4\n"
    text += "FR|Paris|Q1|5\n||Q2|6\n|Lyon|Q1|7\n||Q2|8"
    expected = [["DE", "Berlin"], ["DE", "Hamburg"], ["FR", "Paris"], ["FR", "Lyon"]]
    assert labels(text, 2) == [pair for pair in expected for _ in range(2)]


def test_a_label_that_goes_on_after_a_page_break_is_printed_again() -> None:
    text = "Order|Item|Pieces\n1001|Bolt|1\n|Nut|2\n1002|Bolt|3\n|Nut|4\n1002|Washer|5\n|Screw|6"
    assert labels(text) == [["1001"]] * 2 + [["1002"]] * 4


@pytest.mark.parametrize(
    "text",
    [
        "Nickname|Name|Age\nAnnie|Ann|3\n|Bob|4\nCiddy|Cid|5\nDo|Dora|6\nEvi|Eve|7",  # some are missing
        "Grade|Name|Age\nA|Ann|3\n|Bob|4\n|Cid|5\nB|Dora|6\n|Eve|7\nA|Flo|8",  # values that come again
        "Comment|Name|Age\npaid|Ann|3\n|Bob|4\n|Cid|5\nlate|Dora|6\n|Eve|7",
        "Region|Name|Age\n|Ann|3\nNorth|Bob|4\n|Cid|5\nSouth|Dora|6\n|Eve|7",  # the first row has none
        "Region|2023|2024\nNorth|3|4\n|4|5\nSouth|5|6\n|6|7\n|7|8",  # nothing names the rows
        "Region|Name|Age|Pay\nNorth|Ann|3|4\n|Bob||\nSouth|Dora|6|7\n|Eve||",  # lines that go on
        "Squad|Role|Name|Age\n1|Wing|Ann|3\n2|Back|Bob|4\n3|Wing|Cid|5\n|Back|Dora|6\n5|Wing|Eve|7",
        "Number|Name|Age\n1.5|Ann|3\n|Bob|4\n2.5|Cid|5\n|Dora|6",  # measures
    ],
)
def test_missing_values_stay_missing(text: str) -> None:
    assert labels(text, 1) == [row[:1] for row in grid(text)[1:]]


def test_the_totals_of_groups_are_totals() -> None:
    text = "Region|Product|Sales\nNorth|Apples|10\n|Pears|20\nNorth Total||30\n"
    text += "South|Apples|40\n|Pears|50\nSouth Total||90\nGrand Total||120"
    table = build_table(TableBlock(grid(text), Locator(), is_records=True))
    assert table is not None
    assert [row[0] for row in table.display_rows()] == [
        "North", "North", "North Total", "South", "South", "South Total", "Grand Total"
    ]  # fmt: skip
    assert table.totals == {3, 6, 7}


def test_the_total_of_another_group_among_records_is_a_record() -> None:
    text = "Name|Kind|Sales\nOil|a|10\nTotal Recall|b|10\nTotal Oil|a|20"
    table = build_table(TableBlock(grid(text), Locator(), is_records=True))
    assert table is not None and table.totals == frozenset()


def test_bands_of_ages_are_items() -> None:
    text = "Degree|Age|No|Yes\nPhD|15 - 24|1|2\n|25 - 64|3|4\n|65+|5|6\nBachelor|15 - 24|1|2\n|25 - 64|3|4\n|65+|7|8"
    assert labels(text) == [["PhD"]] * 3 + [["Bachelor"]] * 3
