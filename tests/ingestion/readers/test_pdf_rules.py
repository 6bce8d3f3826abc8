"""PDF: what the lines of a table leave out at its sides and between rows, and heads that only a rule tells."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.platypus import Table

from tablerag.ingestion.readers import read_document
from tests.ingestion.readers.blocks import tables
from tests.ingestion.readers.pdfs import LOREM, RULED, build, draw_rows, drawn, text

YEARS = [["", "2000", "2002"], ["Trades", "15,455", "13,951"], ["Crafts", "35,190", "44,307"], ["Seas", "27", "22"]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.pdf"


def grid(path: Path) -> Sequence[Sequence[object]]:
    (read,) = tables(read_document(path))
    return read.grid


def test_a_table_open_at_its_sides_keeps_its_outer_columns(path: Path) -> None:
    level = [("LINEABOVE", (1, 0), (-1, 0), 1, colors.black), ("LINEBELOW", (0, 0), (-1, -1), 1, colors.black)]
    style = [*level, ("LINEAFTER", (0, 0), (1, -1), 1, colors.black)]
    build(path, [text(LOREM), Table(YEARS, colWidths=[150, 70, 70], style=style)])
    assert grid(path) == [[None, *YEARS[0][1:]], *YEARS[1:]]


def test_labels_left_of_the_lines_are_the_first_column(path: Path) -> None:
    build(path, [Table(YEARS, colWidths=[150, 70, 70], style=[("GRID", (1, 0), (-1, -1), 1, colors.black)])])
    assert grid(path) == [[None, *YEARS[0][1:]], *YEARS[1:]]


def test_text_left_of_a_table_is_no_column_of_labels(path: Path) -> None:
    with drawn(path) as canvas:
        draw_rows(canvas, [["The crew works in two shifts, and"], ["the depot handles parcels, and"]] * 2, [60], 700)
        table = Table([row[1:] for row in YEARS], colWidths=[70, 70], rowHeights=20, style=RULED)
        table.wrapOn(canvas, 200, 200)
        table.drawOn(canvas, 300, 640)
    assert grid(path) == [row[1:] for row in YEARS]


def test_rows_that_no_line_parts_are_several_rows(path: Path) -> None:
    months = ["Apr\nMay\nJun", "653\n686\n667", "107.5\n110.9\n108.0"]
    rows = [["Month", "Guests", "%"], months, ["Quarter", "2,006", "108.8"]]
    build(path, [Table(rows, colWidths=[90, 60, 60], style=RULED)])
    parted = [list(row) for row in zip(*(cell.split("\n") for cell in months), strict=True)]
    assert grid(path) == [rows[0], *parted, rows[2]]


def test_rows_that_no_line_parts_share_a_cell_over_all_of_them(path: Path) -> None:
    rows = [["", "Route", "Guests"], ["Group", "Oslo\nBergen", "12\n13"], ["", "Total", "25"]]
    build(path, [Table(rows, colWidths=[60, 60, 60], style=[*RULED, ("SPAN", (0, 1), (0, 2))])])
    assert grid(path)[1:] == [["Group", "Oslo", "12"], ["Group", "Bergen", "13"], ["Group", "Total", "25"]]


def test_a_cell_of_several_lines_stays_one(path: Path) -> None:
    rows = [["Item", "Note", "Price"], ["Rope", "12 m long\nand 3 cm wide", "45"], ["Chain", "4 m", "70"]]
    build(path, [Table(rows, colWidths=[60, 90, 60], style=RULED)])
    assert grid(path) == rows


def test_years_above_a_rule_are_a_head(path: Path) -> None:
    rows = [["Male", "61,206", "2,862", "60,721", "2,962"], ["Female", "49,486", "2,909", "51,084", "2,795"]]
    with drawn(path) as canvas:
        canvas.line(60, 740, 460, 740)
        for middle, year in ((220, "2007"), (400, "2009")):
            canvas.drawCentredString(middle, 726, year)
            canvas.line(middle - 70, 722, middle + 60, 722)
        draw_rows(canvas, [["Sex", "Units", "Bad", "Units", "Bad"]], [60, -200, -270, -380, -450], 700)
        canvas.line(60, 694, 460, 694)
        draw_rows(canvas, rows * 3, [60, -200, -270, -380, -450], 680)
    head = [[None, "2007", "2007", "2009", "2009"], ["Sex", "Units", "Bad", "Units", "Bad"]]
    assert grid(path) == [*head, *rows * 3]


def test_typed_rules_part_the_heads_of_two_tables(path: Path) -> None:
    rows = [["0.99", "800", "880", "960"], ["0.95", "160", "176", "192"], ["0.90", "80", "88", "96"]]
    with drawn(path) as canvas:
        canvas.setFont("Courier", 10)
        top = draw_rows(canvas, [["Table 1. Recommended sizes of samples,"], ["by effect of the design"]], [60], 740)
        for steps in (["1.0", "1.1", "1.2"], ["1.7", "1.8", "1.9"]):
            canvas.drawCentredString(245, top - 13, "Design effect")
            top = draw_rows(canvas, [["Proportion", *steps]], [60, -220, -255, -290], top - 26)
            top = draw_rows(canvas, [["-" * 39]], [60], top)
            top = draw_rows(canvas, rows, [60, -220, -255, -290], top)
    first, second = tables(read_document(path))
    assert first.grid == [[None, *["Design effect"] * 3], ["Proportion", "1.0", "1.1", "1.2"], *rows]
    assert second.grid == [[None, *["Design effect"] * 3], ["Proportion", "1.7", "1.8", "1.9"], *rows]
    assert first.header_rows == second.header_rows == 2
    assert first.caption == "Table 1. Recommended sizes of samples, by effect of the design"


@pytest.mark.parametrize("total", [["Total", "10", "20", "30"], ["All", "44.8", "7", "33,200"]], ids=["series", "any"])
def test_a_ruled_off_row_of_numbers_is_no_head(path: Path, total: list[str]) -> None:
    rows = [["North", "4", "9", "25"], ["South", "6", "11", "5"]]
    places = [60, -200, -300, -400]
    with drawn(path) as canvas:
        draw_rows(canvas, [["", "Boats", "Vans", "Carts"], total], places, 740)
        canvas.line(60, 722, 400, 722)
        draw_rows(canvas, rows, places, 710)
    assert grid(path) == [[None, "Boats", "Vans", "Carts"], total, *rows]


def test_a_section_further_left_does_not_end_the_label_above(path: Path) -> None:
    rows = [
        ["Total", "43.1", "18"],
        ["Kind of school", "", ""],
        [" Public", "44.4", "25"],
        [" Other", "41.3", "11"],
        ["Subject", "", ""],
        [" Trade and", "", ""],
        [" management", "34.3", "28"],
        [" Other", "47.4", "12"],
    ]
    with drawn(path) as canvas:
        draw_rows(canvas, [["", "Percent", "Amount"]], [60, -240, -300], 740)
        draw_rows(canvas, rows, [60, -240, -300], 727, leading=11)
    joined = [*rows[:5], [" Trade and management", "34.3", "28"], rows[7]]
    assert grid(path)[1:] == [[label.strip(), *(c or None for c in cells)] for label, *cells in joined]
