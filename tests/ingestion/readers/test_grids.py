"""Sheets cut into tables: what stands beside, below and around one another, with the places of all of it."""

import sys

from tablerag.ingestion.document import TableBlock, TextBlock
from tablerag.ingestion.readers.grids import Sheet, grid_blocks, padded
from tablerag.ingestion.tables.introduced import stated_units
from tablerag.ingestion.tables.table import build_table

ORDERS = [["Order", "Amount"], ["A1", 10], ["A2", 20], ["A3", 30]]
STAFF = [["Name", "Role"], ["Ada", "chief"], ["Bo", "clerk"], ["Cy", "clerk"]]


def blocks(rows: list[list], **facts: object) -> list[TableBlock | TextBlock]:
    return grid_blocks(padded(rows), Sheet("S", is_lettered=True, **facts))


def beside(left: list[list], right: list[list], gap: int = 1) -> list[list]:
    return [a + [None] * gap + b for a, b in zip(left, right, strict=True)]


def test_tables_side_by_side_are_two_with_their_places() -> None:
    first, second = blocks(beside(ORDERS, STAFF))
    assert (first.grid, second.grid) == (ORDERS, STAFF)
    assert [str(b.locator) for b in (first, second)] == ["sheet S, cells A1:B4", "sheet S, cells D1:E4"]
    assert list(second.source_columns) == [4, 5]


def test_a_title_over_tables_side_by_side_is_said_of_both() -> None:
    rows = [["Branch 7", None, None, None, None], *beside(ORDERS, STAFF)]
    first, second = blocks(rows)
    assert (first.grid, second.grid) == (ORDERS, STAFF)
    assert (first.caption, second.caption) == ("Branch 7", "Branch 7")


def test_tables_side_by_side_of_different_heights() -> None:
    longer = [*ORDERS, ["A4", 40], ["A5", 50]]
    rows = [a + [None] + b for a, b in zip(longer, [*STAFF, [None, None], [None, None]], strict=True)]
    first, second = blocks(rows)
    assert (first.grid, second.grid) == (longer, STAFF)


def test_a_blank_column_inside_one_table_is_left_out() -> None:
    rows = [["Name", None, "Q1", "Q2"], ["Ada", None, 1, 2], ["Bo", None, 3, 4]]
    (table,) = blocks(rows)
    assert table.grid == [["Name", "Q1", "Q2"], ["Ada", 1, 2], ["Bo", 3, 4]]
    assert list(table.source_columns) == [1, 3, 4]


def test_a_blank_column_between_two_of_words_and_two_of_numbers_is_a_spacer() -> None:
    rows = [["Name", "Team", None, "Q1", "Q2"], ["Ada", "Red", None, 1, 2], ["Bo", "Blue", None, 3, 4]]
    (table,) = blocks(rows)
    assert table.grid[0] == ["Name", "Team", "Q1", "Q2"]


def test_several_blank_rows_may_part_the_rows_of_one_table() -> None:
    blank = [None, None]
    words = [["Term", "Meaning"], ["mean", "the sum by the count"], blank, ["mode", "the most frequent"]]
    (table,) = blocks([*words, blank, ["range", "from least to most"], ["rank", "the place in an order"]])
    assert len(table.grid) == 7
    (table,) = blocks([*ORDERS, blank, ["A4", 40], ["A5", 50], blank, ["A6", 60], ["A7", 70]], is_records=True)
    assert [row for row in table.grid if row != blank] == [*ORDERS, ["A4", 40], ["A5", 50], ["A6", 60], ["A7", 70]]


def test_a_header_amid_numbers_begins_a_new_table() -> None:
    rows = [*ORDERS, ["Costs of 2024", None], ["Item", "Cost"], ["pens", 5], ["ink", 7]]
    first, second = blocks(rows)
    assert first.grid == ORDERS
    assert (second.caption, second.grid) == ("Costs of 2024", [["Item", "Cost"], ["pens", 5], ["ink", 7]])


def test_a_repeated_header_begins_none() -> None:
    (table,) = blocks([*ORDERS, ["Order", "Amount"], ["A4", 40], ["A5", 50]])
    assert len(table.grid) == 7


def test_labels_above_a_table_are_text_before_it() -> None:
    rows = [
        ["Department:", "Sales", None],
        ["Month:", "May", None],
        ["Name", "Day", "Hours"],
        ["Ada", 1, 8],
        ["Bo", 1, 7],
    ]
    first, second, table = blocks(rows)
    assert [first.text, second.text] == ["Department: | Sales", "Month: | May"]
    assert table.grid[0] == ["Name", "Day", "Hours"]
    assert list(table.source_rows) == [3, 4, 5]


def test_long_notes_below_are_text() -> None:
    note = "Figures are provisional and will be revised when the auditors have finished their work."
    rows = [["Item", "2020", "2021"], ["Pay", 1, 2], ["Rent", 3, 4], [note, None, None]]
    table, text = blocks(rows)
    assert len(table.grid) == 3
    assert text.text == note


def test_hidden_rows_and_indentation_go_with_their_rows() -> None:
    rows = [[None, None], *STAFF]
    (table,) = blocks(rows, hidden_rows=frozenset({4}), indents={3: 1, 4: 2})
    assert table.hidden_rows == {2}
    assert table.indents == [0, 1, 2, 0]


def test_captions_over_tables_side_by_side_stay_with_their_tables() -> None:
    left = [["Round bars", "Round bars"], ["mm", "kg"], [6, 0.2], [8, 0.4], [10, 0.6]]
    right = [["Square bars", "Square bars"], ["mm", "kg"], [8, 0.5], [10, 0.8], [12, 1.1]]
    first, second = blocks(beside(left, right))
    assert (first.caption, first.grid[0], second.caption, second.grid[0]) == (
        "Round bars",
        ["mm", "kg"],
        "Square bars",
        ["mm", "kg"],
    )


def test_groups_of_one_table_with_a_spacer_between_stay_together() -> None:
    head = [["Day", "Day", None, "Stalls", "Stalls"], ["Name", "Hour", None, "Sold", "Takings"]]
    rows = [["Mon", 19, None, 120, 900], ["Tue", 19, None, 80, 610], ["Wed", 20, None, 95, 700]]
    (table,) = blocks([*head, *rows])
    assert len(table.grid[0]) == 4


def test_a_legend_beside_a_table_is_a_piece_of_its_own() -> None:
    table = [["Name", "Score"], *[[n, 5] for n in "ABCDEFGH"]]
    legend = [["5", "very good"], ["4", "good"], ["1", "to be repeated"], *[[None, None]] * 6]
    first, second = blocks(beside(table, legend))
    assert (first.grid, second.grid) == (table, legend[:3])


def test_columns_merged_throughout_are_one() -> None:
    rows = [["Day", "Work", "Work", "Cost"], ["1 May", "oil", "oil", 5], ["2 May", "belt", "belt", 7]]
    (table,) = blocks(rows)
    assert table.grid == [["Day", "Work", "Cost"], ["1 May", "oil", 5], ["2 May", "belt", 7]]


def test_a_row_of_equal_words_amid_numbers_begins_no_table() -> None:
    fares = [["Who", "Peak", "Other"], ["Adult", 14, 11], ["Child", 7, 5], ["Baby", "free", "free"], ["Dog", 3, 3]]
    (table,) = blocks([*fares, ["Bike", 2, 2]])
    assert len(table.grid) == 6


def test_a_row_of_words_amid_records_is_no_header() -> None:
    rows = ["id,val,cmt", "1,10,a", "2,20,b", "n/a,see note,c", "3,30,d", "4,40,e", "5,50,f"]
    (table,) = blocks([row.split(",") for row in rows])
    assert len(table.grid) == 7
    rows = ["name,party,since", "Ann,A,1990", "Bo,B,1991", "Cy,C,1992", "Di,D,1931–40, 1949", "Ed,E,1994", "Flo,F,1995"]
    (table,) = blocks([row.split(",", 2) for row in rows])
    assert len(table.grid) == 7


def calls_to_split(rows: list[list]) -> int:
    """Count the calls of Python functions that it takes to cut a sheet."""
    count = 0

    def count_call(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    grid = padded(rows)
    before = sys.getprofile()
    sys.setprofile(count_call)
    try:
        grid_blocks(grid, Sheet("S"))
    finally:
        sys.setprofile(before)
    return count


def test_twice_as_many_lone_rows_take_twice_the_work() -> None:
    def below(count: int) -> list[list]:
        return [["Item", "Cost"], ["nut", 1], ["bolt", 2], *([f"Note: {i}", None] for i in range(count))]

    def above(count: int) -> list[list]:
        return [*([f"Month {i}:", "May"] for i in range(count)), ["Item", "Kind", "Cost"], ["nut", "steel", 1]]

    for rows in (below, above):
        assert calls_to_split(rows(400)) < 2.2 * calls_to_split(rows(200))


def test_a_header_above_a_blank_row_belongs_to_the_numbers_below() -> None:
    head = [["In millions of CHF", None, "2023"], [None, "Sales", "Profit"]]
    rows = [["Water", 10, 2], ["Milk", 20, 3], ["Total", 30, 5]]
    blank = [None] * 3
    (table,) = blocks([["Results", None, None], blank, *head, blank, *rows])
    assert (table.caption, table.grid) == ("Results", [*head, blank, *rows])
    built = build_table(table)
    assert [c.header for c in built.columns[1:]] == ["2023 > Sales", "2023 > Profit"]
    assert [(c.unit, c.scale) for c in built.columns[1:]] == [("CHF", "millions")] * 2
    assert built.row_count == 3


def test_groups_above_a_blank_row_tell_equal_names_below_it_apart() -> None:
    title = ["5", "Earnings and expenditure by month", None, None, None, None]
    groups = [None, None, "Arrivals", "Arrivals", "Departures", "Departures"]
    names = [None, None, "NSA", "SA", "NSA", "SA"]
    rows = [[2012, "Jan", 1.5, 2, 3.5, 4], [None, "Feb", 5.5, 6, 7.5, 8], [None, "Mar", 5.5, 6, 7.5, 8]]
    (table,) = blocks([title, [*[None] * 5, "£ million"], groups, [None] * 6, names, *rows])
    built = build_table(table)
    assert [c.header for c in built.columns[2:]] == [
        "Arrivals > NSA", "Arrivals > SA", "Departures > NSA", "Departures > SA",
    ]  # fmt: skip
    assert {(c.unit, c.scale) for c in built.columns[2:]} == {("£", "millions")}


def test_words_above_a_blank_row_that_name_no_columns_stay_apart() -> None:
    rows = [["nut", 10, 2], ["bolt", 20, 3], ["all", 30, 5]]
    for above in (["Author:", "Ada", None], ["Written by", None, "Bo"], ["Item", "Cost:", "Count:"]):
        assert len(blocks([above, above, [None] * 3, *rows])) > 1


def test_a_word_among_the_numbers_below_a_blank_row_continues_the_table() -> None:
    rows = [["Region", "Share", "Count", "Median"], ["Asia", 10, 2, 900], ["Europe", 20, 3, 800], [None] * 4]
    (table,) = blocks([*rows, ["Africa", 1, 1, "too few"], [None] * 4, ["Total", 31, 6, 850]])
    assert len(table.grid) == 7


def test_a_blank_column_inside_a_group_is_no_column() -> None:
    rows = [
        ["Month", "Visits", "Visits", "Visits"],
        [None, "NSA", None, "SA"],
        ["Jan", 1.5, None, 2],
        ["Feb", 3, None, 4],
    ]
    (table,) = blocks([["Visits – all", None, None, None], ["thousands", None, None, None], *rows])
    built = build_table(table)
    assert [(c.header, c.scale) for c in built.columns] == [
        ("Month", ""), ("Visits > NSA", "thousands"), ("Visits > SA", "thousands"),
    ]  # fmt: skip


def test_what_is_said_beside_a_table_of_all_of_it_is_no_column() -> None:
    loans = [["Loan", "Amount", "Rate (%)"], ["A", 1200, 3.5], ["B", 900, 4], ["C", 700, 4]]
    for said, is_note in (("All loans are in EUR", True), ("late", False)):
        for at in (0, 1):
            found = blocks([[*row, said if i == at else None] for i, row in enumerate(loans)])
            table = next(b for b in found if isinstance(b, TableBlock))
            assert (len(table.grid[0]) == 3) is is_note
            if is_note:
                assert [b.text for b in found if isinstance(b, TextBlock)] == [said]
                assert build_table(table, stated=stated_units(found)[0]).columns[1].unit == "EUR"


def test_lines_above_a_header_that_names_all_columns_are_titles() -> None:
    head = ["No.", "Hotel", "Class", "Room", "Board"]
    rows = [[1, "Dhigu", "5*", "Villa", "BB"], [2, "Veli", "4*", "Bungalow", "HB"]]
    address = [["MALDIVES"] * 4 + ["mail@example.com"], ["Flights each day"] * 4 + ["044 583"]]
    (table,) = blocks([*address, head, *rows])
    assert table.grid == [head, *rows]
    assert table.caption == "MALDIVES | mail@example.com – Flights each day | 044 583"
    groups = [None, "Place", "Place", "Offer", "Offer"]
    (table,) = blocks([groups, head, *rows])
    assert table.grid[0] == groups


def test_the_header_of_a_pivot_table_may_be_numbers() -> None:
    head = ["Row Labels", 10, 14, "Grand Total"]
    rows = [["buzz", 1, None, 1], ["fizz", 1, 2, 3], ["Grand Total", 2, 2, 4]]
    (table,) = blocks([["Count of Qux", "Column Labels", None, None], head, *rows])
    assert (table.caption, table.header_rows, table.grid) == ("Count of Qux | Column Labels", 1, [head, *rows])
    assert [c.header for c in build_table(table).columns] == ["Row Labels", "10", "14", "Grand Total"]


def test_a_legend_below_a_table_is_text() -> None:
    rows = [
        ["sex", "age", "no", "yes"],
        ["m", "15 - 24", 12, 37],
        ["f", "15 - 24", 10, 43],
        ["Legend:"],
        ["s:", "secret"],
    ]
    table, *below = blocks(rows)
    assert isinstance(table, TableBlock)
    assert len(table.grid) == 3
    assert [b.text for b in below if isinstance(b, TextBlock)] == ["Legend:", "s: | secret"]


def test_letters_in_place_of_numbers_around_a_blank_row_do_not_end_a_table() -> None:
    rows = [["kind", 2018, 2019], ["wind", 700, 300], ["both", 100, "c"], [], ["waste", 5700, 5800], ["bio", "c", "x"]]
    (table,) = blocks(rows)
    assert isinstance(table, TableBlock)
    assert len(table.grid) == 6
