"""Headers found and tables built from grids."""

from decimal import Decimal

import pytest

from tablerag.ingestion.document import Amount, Locator, TableBlock
from tablerag.ingestion.readers.grids import grid_blocks, padded
from tablerag.ingestion.tables.overrides import TableWishes
from tablerag.ingestion.tables.table import build_table
from tablerag.ingestion.tables.typed_table import TypedTable

ROWS = [["Ada", "36", "1.5"], ["Bo", "41", "2.5"], ["Cy", "50", "3.5"]]


def built(grid: list[list], **fields: object) -> TypedTable | None:
    return build_table(TableBlock(grid, Locator(), **fields))


def headers(grid: list[list], **fields: object) -> list[str]:
    table = built(grid, **fields)
    return [c.header for c in table.columns]


def test_a_plain_header() -> None:
    table = built([["Name", "Age", "Score"], *ROWS])
    assert [(c.header, c.type) for c in table.columns] == [("Name", "text"), ("Age", "integer"), ("Score", "decimal")]
    assert [c.value(cell) for c, cell in zip(table.columns, list(table.rows())[1].cells, strict=True)][:2] == ["Bo", 41]
    assert table.warnings == ()


def test_endless_headers_and_captions_are_cut() -> None:
    table = built([["Name", "Age" + " (" * 10_000, "Score"], *ROWS], caption="Staff " * 1_000)
    assert max(len(c.header) for c in table.columns) == len(table.title) == 500
    assert any("500 characters are cut" in w for w in table.warnings)


def test_no_header_gets_numbered_columns() -> None:
    table = built([["1", "36"], ["2", "41"], ["3", "50"]])
    assert [c.header for c in table.columns] == ["column_1", "column_2"]
    assert table.row_count == 3
    assert "no header row found" in table.warnings[0]


def test_years_over_numbers_are_a_header() -> None:
    assert headers([["Item", "2019", "2020"], ["Costs", "1", "2"], ["Sales", "3", "4"]]) == ["Item", "2019", "2020"]


def test_title_rows_above_become_the_title() -> None:
    table = built([["Staff of 2024", None, None], ["Name", "Age", "Score"], *ROWS])
    assert table.title == "Staff of 2024"
    assert [c.header for c in table.columns] == ["Name", "Age", "Score"]


def test_marked_header_rows_are_joined_to_paths() -> None:
    grid = [["", "2019", "2019"], ["Item", "Q1", "Q2"], ["Costs", "1", "2"], ["Sales", "3", "4"]]
    table = built(grid, header_rows=2)
    assert [c.header for c in table.columns] == ["Item", "2019 > Q1", "2019 > Q2"]
    assert "2 header rows were joined" in table.warnings


def test_empty_rows_and_repeated_headers_are_left_out() -> None:
    header = ["Name", "Age", "Score"]
    table = built([header, ROWS[0], ["", None, " "], header, ROWS[1]])
    assert table.row_count == 2
    assert "1 repeated header rows" in table.warnings[0]


def test_a_column_without_name_or_cells_is_dropped() -> None:
    assert headers([["Name", "", "Age"], ["Ada", None, "36"], ["Bo", "", "41"]]) == ["Name", "Age"]


def test_duplicate_headers_keep_their_words() -> None:
    table = built([["Name", "Score", "Score"], *ROWS])
    assert [c.header for c in table.columns] == ["Name", "Score", "Score"]
    assert table.names == ["name", "score", "score_2"]


def test_a_total_row_is_kept_and_warned_of() -> None:
    table = built([["Name", "Age", "Score"], *ROWS, ["Total", "127", "7.5"]])
    assert table.row_count == 4
    assert table.totals == {4}
    assert any("`_total`" in w for w in table.warnings)


@pytest.mark.parametrize("grid", [[], [["a", "b"]], [["only"]], [["", ""], ["", ""]]], ids=str)
def test_what_is_no_table(grid: list[list]) -> None:
    assert built(grid) is None


def test_row_numbers_of_the_source_are_kept() -> None:
    block = TableBlock([["Name", "Age", "Score"], *ROWS], Locator(rows=(10, 13)), source_rows=[10, 11, 12, 13])
    table = build_table(block)
    assert [table.block.source_rows[row.index] for row in table.rows()] == [11, 12, 13]


def test_columns_of_one_table_write_decimals_in_one_way() -> None:
    table = built([["Item", "Count", "Price"], ["A", "3", "1,50"], ["B", "12", "2,25"], ["C", "1.000", "990,10"]])
    assert [(c.type, c.value(row)) for c, row in zip(table.columns[1:], ("1.000", "990,10"), strict=True)] == [
        ("integer", 1000),
        ("decimal", Decimal("990.10")),
    ]
    alone = built([["Item", "Count"], ["A", "3.500"], ["B", "12.000"]])
    assert "if they are thousands" in alone.warnings[0]


def test_a_row_that_is_not_indented_leaves_the_section_above() -> None:
    grid = [["Item", "2024"], ["Taxes", None], ["  Property", 5], ["  Trade", 7], ["Fees", 3], ["Fines", 1]]
    assert [row[0] for row in built(grid).display_rows()] == ["Taxes", "Taxes", "", ""]


def test_a_form_with_a_number_is_not_cut_at_a_word() -> None:
    rows = [["Company name:", "Acme"], ["Employees:", "1,250"], ["Turnover:", 12500000], ["Certified:", "yes"]]
    (block,) = grid_blocks(padded([*rows, ["Phone:", "0049 30"]]))
    assert [list(r)[0] for r in build_table(block).display_rows()] == [
        "Company name",
        "Employees",
        "Turnover",
        "Certified",
        "Phone",
    ]


def test_the_label_of_a_total_row_does_not_decide_its_column_type() -> None:
    table = built([["Date", "Sales"], ["2024-01-01", "10"], ["2024-01-02", "20"], ["Total", "30"]])
    assert table is not None
    assert [c.type for c in table.columns] == ["date", "integer"]
    day = table.columns[0]
    assert (day.value("Total"), day.raw("Total"), day.keeps_raw, day.unfit) == (None, "Total", True, 1)
    assert table.totals == {3}
    assert any("label of a total row is NULL" in w for w in table.warnings)


def test_where_cells_are_divided_by_semicolons_points_group_thousands() -> None:
    grid = [["Stadt", "Einwohner"], ["Bonn", "331.885"], ["Essen", "569.396"]]
    german, plain = built(grid, decimal_comma=True), built(grid)
    assert german is not None
    assert plain is not None
    assert german.columns[1].value("331.885") == 331885
    assert plain.columns[1].value("331.885") == Decimal("331.885")
    assert "were read as thousands" in german.warnings[0]
    assert "were read as decimals" in plain.warnings[0]
    told = build_table(TableBlock(grid, Locator()), TableWishes(decimal=","))
    assert told is not None
    assert told.columns[1].value("331.885") == 331885
    assert not told.warnings
    shown = built([*grid, ["Jena", "0.5"]], decimal_comma=True)
    assert shown is not None
    assert shown.columns[1].type == "decimal"


def test_one_slip_of_the_pen_does_not_divide_a_table_by_a_thousand() -> None:
    rows = [[f"r{i}", f"{i},{100 + i}", f"{i + 1},{200 + i}"] for i in range(1, 25)]
    rows[3][1] = "1,1024"
    table = built([["Club", "Home", "Away"], *rows])
    assert table is not None
    assert [c.type for c in table.columns] == ["text", "integer", "integer"]
    assert (table.columns[1].value("2,102"), table.columns[1].value("1,1024"), table.columns[1].unfit) == (
        2102,
        None,
        1,
    )
    assert table.columns[2].value("2,201") == 2201


def test_a_plural_in_brackets_is_no_unit() -> None:
    table = built([["Episode(s)", "Length (s)"], ["3.09", "12"], ["4.10", "13"]])
    assert table is not None
    assert [c.unit for c in table.columns] == ["", "s"]


def test_soft_hyphens_are_no_part_of_words() -> None:
    table = built([["Sub\xaddivisions", "Seat"], ["Ober\xadbayern", "1"], ["Schwa\xadben", "x"], ["Total", "?"]])
    assert table is not None
    assert (table.names[0], table.columns[0].header) == ("subdivisions", "Subdivisions")
    assert [table.columns[0].value(row.cells[0]) for row in table.rows()][:2] == ["Oberbayern", "Schwaben"]
    assert next(table.display_rows()) == ("Oberbayern", "1")


def test_counts_and_percentages_of_one_column_get_a_column_each() -> None:
    grid = [["", "All", "Men"], ["Asked", 3912, 1929], ["Jobs", Amount(23.9, "%"), Amount(28.5, "%")]]
    grid += [["Health", Amount(19.7, "%"), Amount(16.8, "%")]]
    table = built(grid)
    assert [(c.header, c.type, c.unit) for c in table.columns[1:]] == [
        ("All", "integer", ""),
        ("All (%)", "decimal", "%"),
        ("Men", "integer", ""),
        ("Men (%)", "decimal", "%"),
    ]
    rows = [[c.value(cell) for c, cell in zip(table.columns, row.cells, strict=True)] for row in table.rows()]
    assert [row[1:3] for row in rows] == [[3912, None], [None, Decimal("23.9")], [None, Decimal("19.7")]]
    assert list(table.display_rows())[0] == ("Asked", "3912", "", "1929", "")
    assert "added 2 columns for numbers whose unit differs from others in their column" in table.warnings


def test_amounts_with_their_margins_and_amounts_of_several_currencies_are_divided_by_units() -> None:
    rows = [["Sales", "$1,200", "$1"], ["Cost", "900", "1"], ["Margin", "25%", "0%"]]
    table = built([["(in millions)", "2024", "2023"], *rows])
    assert [(c.header, c.unit, c.scale) for c in table.columns[1:3]] == [
        ("2024", "$", "millions"),
        ("2024 (%)", "%", ""),
    ]
    assert [table.columns[1].value(row.cells[1]) for row in table.rows()] == [1200, 900, None]
    table = built([["Bond", "Paid"], ["first", "A$1,050"], ["second", "$260"], ["third", "CHF600"]])
    assert [c.header for c in table.columns[1:]] == ["Paid (A$)", "Paid ($)", "Paid (CHF)"]
    assert [c.value("CHF600") for c in table.columns[1:]] == [None, None, 600]


def test_percentages_of_which_only_the_first_has_its_sign() -> None:
    (_, column) = built(
        [["Region", "2024"], ["US", "47%"], ["EMEA", "29"], ["Asia", "17"], ["Rest", "7"], ["All", "100%"]]
    ).columns
    assert (column.type, column.unit, column.value("29")) == ("integer", "%", 29)
