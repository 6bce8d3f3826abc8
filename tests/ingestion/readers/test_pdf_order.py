"""PDF pages in columns: read one column after the other, between what spans them."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from tablerag.ingestion.readers import read_document
from tests.ingestion.readers.blocks import tables, texts
from tests.ingestion.readers.pdfs import draw_rows, drawn


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.pdf"


def draw_lines(canvas: Canvas, left: float, top: float, lines: Iterable[str]) -> float:
    return draw_rows(canvas, [[line] for line in lines], [left], top, leading=12)


def column(name: str, count: int) -> list[str]:
    return [f"{name} column line {i} keeps telling its story" for i in range(count)]


def in_order(path: Path, *parts: str) -> bool:
    joined = " ".join(" ".join(texts(read_document(path))).split())
    places = [joined.index(part) for part in parts]
    return places == sorted(places)


def test_columns_need_not_be_side_by_side_line_by_line(path: Path) -> None:
    with drawn(path) as canvas:
        draw_lines(canvas, 60, 760, column("left", 30))
        draw_lines(canvas, 320, 755, column("right", 30))
    assert in_order(path, "left column line 0", "left column line 29", "right column line 0", "right column line 29")


def test_columns_on_less_than_half_of_a_page(path: Path) -> None:
    with drawn(path) as canvas:
        across = [
            f"abstract line {i} is set over the whole width of the page and says what was done" for i in range(30)
        ]
        draw_lines(canvas, 60, 780, [f"{line} and found by whom" for line in across])
        draw_lines(canvas, 60, 400, column("left", 8))
        draw_lines(canvas, 320, 400, column("right", 8))
    assert in_order(path, "abstract line 29", "left column line 0", "left column line 7", "right column line 0")


def test_three_columns(path: Path) -> None:
    with drawn(path, 8) as canvas:
        for left, name in ((50, "first"), (220, "second"), (390, "third")):
            draw_lines(canvas, left, 760, column(name, 20))
    parts = [f"{name} column line {i} " for name in ("first", "second", "third") for i in (0, 19)]
    assert in_order(path, *parts)


def test_a_heading_over_both_columns_parts_them(path: Path) -> None:
    with drawn(path) as canvas:
        draw_lines(canvas, 60, 780, column("upper left", 10))
        draw_lines(canvas, 320, 780, column("upper right", 10))
        canvas.setFont("Helvetica", 16)
        canvas.drawCentredString(300, 630, "What the southern depot does differently")
        canvas.setFont("Helvetica", 10)
        draw_lines(canvas, 60, 600, column("lower left", 10))
        draw_lines(canvas, 320, 600, column("lower right", 10))
    parts = ["upper left column line 9", "upper right column line 0", "What the southern", "lower left", "lower right"]
    assert in_order(path, *parts)


def test_words_cut_at_the_end_of_a_column_are_joined(path: Path) -> None:
    with drawn(path) as canvas:
        draw_lines(canvas, 60, 760, [*column("left", 20), "the last line on the left ends in the ware-"])
        draw_lines(canvas, 320, 760, ["house, where the right column begins now", *column("right", 20)])
    assert in_order(path, "left ends in the warehouse, where")


def test_columns_of_a_table_are_no_columns_of_text(path: Path) -> None:
    rows = [["depot", "parcels", "lost"], *([f"Depot {i}", f"{i}00", f"{i}"] for i in range(1, 9))]
    with drawn(path) as canvas:
        draw_lines(canvas, 60, 780, column("left", 12))
        draw_lines(canvas, 320, 780, column("right", 12))
        draw_rows(canvas, rows, [60, -260, -420], 600)
    assert [t.grid for t in tables(read_document(path))] == [rows]


def test_names_beside_each_other_stay_beside_each_other(path: Path) -> None:
    names = [("Anna Berg, Bern", "head of the northern depot"), ("Bo Chan, Kiel", "head of the southern depot")] * 5
    with drawn(path) as canvas:
        draw_rows(canvas, names, [60, 320], 760)
    assert in_order(path, "Anna Berg, Bern head of the northern", "Bo Chan, Kiel head of the southern")


def test_footnotes_come_after_the_text_of_both_columns(path: Path) -> None:
    with drawn(path) as canvas:
        draw_lines(canvas, 60, 760, column("left", 20))
        draw_lines(canvas, 320, 760, column("right", 20))
        canvas.setFont("Helvetica", 8)
        draw_lines(canvas, 60, 505, ["1 The figures of the depot were", "kept by hand until the spring."])
    found = texts(read_document(path))
    assert found[-1].split() == "1 The figures of the depot were kept by hand until the spring.".split()
    assert in_order(path, "left column line 19", "right column line 0", "right column line 19", "1 The figures")


def test_chapter_titles_over_few_pages_are_kept_once_each(path: Path) -> None:
    with drawn(path) as canvas:
        for page in range(1, 13):
            canvas.setFont("Helvetica", 10)
            canvas.drawString(60, 805, f"Chapter of the {'north' if page < 5 else 'south'}")
            draw_lines(canvas, 60, 740, [f"Rule {page} is about parcels."])
            canvas.drawString(300, 20, f"{page}")
            canvas.showPage()
    found = texts(read_document(path))
    assert [t for t in found if "Chapter" in t] == ["Chapter of the north", "Chapter of the south"]
    assert not any(t.isdigit() for t in found)
    assert sum("Rule" in t for t in found) == 12


def test_numbered_headings_at_the_top_of_pages_stay(path: Path) -> None:
    with drawn(path) as canvas:
        for page in range(1, 5):
            canvas.setFont("Helvetica", 10)
            canvas.drawString(60, 805, "2024" if page == 2 else f"Section {page * page}")
            draw_lines(canvas, 60, 740, [f"Rule {page} is about parcels."])
            canvas.showPage()
    found = texts(read_document(path))
    assert "2024" in found
    assert [t for t in found if "Section" in t] == ["Section 1", "Section 9", "Section 16"]


def test_an_initial_over_three_lines_joins_none_of_them(path: Path) -> None:
    with drawn(path) as canvas:
        canvas.setFont("Helvetica", 42)
        canvas.drawString(60, 700, "T")
        canvas.setFont("Helvetica", 10)
        draw_lines(canvas, 90, 724, column("first", 3))
    assert in_order(path, "first column line 0 keeps", "first column line 1 keeps", "first column line 2 keeps")


def test_an_initial_is_joined_to_the_word_that_it_begins(path: Path) -> None:
    with drawn(path) as canvas:
        canvas.setFont("Helvetica", 42)
        canvas.drawString(60, 700, "T")
        canvas.setFont("Helvetica", 10)
        draw_lines(canvas, 88, 724, ["his release of the figures", "was announced in spring and", "delayed until June"])
    assert in_order(path, "This release of the figures was announced in spring and delayed")


def test_a_narrow_note_beside_the_text_is_read_apart(path: Path) -> None:
    note = ["Anna Berg is an", "economist in the", "office of depots", "and harbours,", "city of Kiel."]
    with drawn(path) as canvas:
        draw_lines(canvas, 180, 760, [f"{line} and says what was done" for line in column("wide", 30)])
        canvas.setFont("Helvetica", 8)
        draw_rows(canvas, [[line] for line in note], [60], 480, leading=9.5)
    assert in_order(path, "Anna Berg is an economist in the office of depots and harbours, city of Kiel.")


@pytest.mark.parametrize("degrees", [90, -90])
def test_a_stamp_in_the_margin_comes_once_after_the_text(path: Path, degrees: int) -> None:
    with drawn(path) as canvas:
        for _ in range(2):
            canvas.setFont("Helvetica", 10)
            draw_lines(canvas, 60, 760, column("left", 20))
            draw_lines(canvas, 320, 760, column("right", 20))
            canvas.translate(30, 400)
            canvas.rotate(degrees)
            canvas.drawString(-50, 0, "Received on 21 June")
            canvas.showPage()
    joined = " ".join(" ".join(texts(read_document(path))).split())
    assert joined.count("right column line 19 keeps telling its story Received on 21 June") == 1
    assert joined.count("Received") == 1
