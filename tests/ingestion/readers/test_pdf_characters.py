"""PDF characters: words set tightly, letter-spaced, printed twice, turned or upright beside sideways ones."""

from pathlib import Path

import pdfplumber
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table

from tablerag.ingestion.readers import read_document
from tablerag.ingestion.readers.pdf_characters import BY_SIZE, characters_of, words_of
from tests.ingestion.readers.blocks import tables, texts
from tests.ingestion.readers.pdfs import RULED, build, drawn, text

SENTENCE = "The northern depot handles most parcels"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.pdf"


def set_apart(canvas: Canvas, words: str, size: float, gap: float, letter_gap: float = 0.0) -> None:
    """Draw words without space characters, ``gap`` points apart."""
    x = 72.0
    for word in words.split():
        for letter in word:
            canvas.drawString(x, 700, letter)
            x += canvas.stringWidth(letter, "Helvetica", size) + letter_gap
        x += gap


@pytest.mark.parametrize("size", [5, 8, 11, 30])
def test_words_are_told_apart_by_their_size(path: Path, size: float) -> None:
    with drawn(path, size) as canvas:
        set_apart(canvas, "The northern depot", size, gap=0.25 * size)
    assert texts(read_document(path)) == ["The northern depot"]


def test_letter_spaced_words_stay_whole(path: Path) -> None:
    with drawn(path, 10) as canvas:
        set_apart(canvas, "The northern depot", 10, gap=6, letter_gap=2)
    assert texts(read_document(path)) == ["The northern depot"]


def test_cells_of_ruled_tables_keep_their_spaces(path: Path) -> None:
    rows = [["depot of the north", "parcels sent"], ["as of June", "12"]]
    build(path, [text("Words."), Table(rows, style=[*RULED, ("FONTSIZE", (0, 0), (-1, -1), 5)])])
    assert [t.grid for t in tables(read_document(path))] == [rows]


def test_characters_printed_twice_are_read_once(path: Path) -> None:
    with drawn(path) as canvas:
        for x in (72, 72.4):
            canvas.drawString(x, 700, f"{SENTENCE}: 5533 llil")
    assert texts(read_document(path)) == [f"{SENTENCE}: 5533 llil"]


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_page_printed_sideways_is_turned(path: Path, degrees: int) -> None:
    with drawn(path) as canvas:
        canvas.translate(A4[0] / 2, A4[1] / 2)
        canvas.rotate(degrees)
        canvas.drawString(-200, 100, SENTENCE)
        canvas.drawString(-200, 60, "The southern depot closed.")
    assert texts(read_document(path)) == [SENTENCE, "The southern depot closed."]


def draw_upwards(canvas: Canvas, x: float, y: float, words: str) -> None:
    canvas.saveState()
    canvas.translate(x, y)
    canvas.rotate(90)
    canvas.drawString(0, 0, words)
    canvas.restoreState()


def test_sideways_headers_are_read_upwards(path: Path) -> None:
    with drawn(path) as canvas:
        canvas.grid([72, 160, 200, 240], [600, 620, 640, 720])
        for y, row in ((626, ("North", "12", "34")), (606, ("South", "56", "78"))):
            for x, cell in zip((76, 170, 210), row, strict=True):
                canvas.drawString(x, y, cell)
        canvas.drawString(76, 660, "Depot")
        for x, head in ((184, "Parcels sent"), (224, "Parcels lost")):
            draw_upwards(canvas, x, 645, head)
    (read,) = tables(read_document(path))
    assert read.grid[0] == ["Depot", "Parcels sent", "Parcels lost"]


def test_sideways_headers_of_several_lines_are_read_line_by_line(path: Path) -> None:
    with drawn(path) as canvas:
        canvas.grid([140, 230, 290], [600, 620, 640, 740])
        for y, row in ((626, ("North", "12")), (606, ("South", "56"))):
            for x, cell in zip((144, 240), row, strict=True):
                canvas.drawString(x, y, cell)
        canvas.setFont("Helvetica", 9.96)  # whose height is rounded otherwise beyond 256 points
        for x, line in ((248.3, "Total consumption"), (261.48, "requirement (400 g"), (274.7, "for each adult a day)")):
            draw_upwards(canvas, x, 645.13, line)
    (read,) = tables(read_document(path))
    assert read.grid[0] == [None, "Total consumption requirement (400 g for each adult a day)"]


def test_characters_that_stand_for_no_text_are_no_words(path: Path) -> None:
    with drawn(path) as canvas:
        canvas.drawString(72, 700, "North")
        canvas.drawString(172, 700, "x")
    with pdfplumber.open(path) as pdf:
        characters = [{**c, "text": c["text"].strip("x")} for c in pdf.pages[0].chars]
    assert [w.text for w in words_of(characters, BY_SIZE)] == ["North"]


def test_what_is_cut_off_at_the_side_of_a_page_is_not_read(path: Path) -> None:
    with drawn(path) as canvas:
        canvas.drawString(72, 700, "The right page of a spread")
        canvas.drawString(72 - A4[0], 700, "The left page of a spread")
    assert texts(read_document(path)) == ["The right page of a spread"]


def test_letters_in_a_diagram_do_not_glue_the_words_beside_it(path: Path) -> None:
    with drawn(path, 8) as canvas:
        for i in range(18):
            canvas.drawString(72 + 9 * (i % 10), 600 - 9 * (i // 10), "CLUX"[i % 4])
        x = 72
        for word in ("simple", "cells", "stay", "apart"):
            canvas.drawString(x, 700, word)
            x += canvas.stringWidth(word, "Helvetica", 8) + 2.2
    assert texts(read_document(path))[0] == "simple cells stay apart"


def test_spaces_that_fill_up_a_field_do_not_split_what_is_printed_over_them(path: Path) -> None:
    with drawn(path) as canvas:
        canvas.drawString(72, 700, "Sent" + " " * 40)
        canvas.drawString(120.7, 700, "03/25/2016 by the northern depot")
    assert texts(read_document(path)) == ["Sent 03/25/2016 by the northern depot"]


def test_letters_wider_than_their_places_keep_the_spaces_between_them(path: Path) -> None:
    with drawn(path, 14) as canvas:
        canvas.drawString(72, 700, "sales 95 usage", charSpace=-2.5)
    assert texts(read_document(path)) == ["sales 95 usage"]


SCRIPTS = {
    "subscript": ((("CO", 10, 0), ("2", 6, -2), (" was sent", 10, 0)), "CO2 was sent"),
    "ordinal": ((("the 10", 10, 0), ("th", 6, 4), (" of May", 10, 0)), "the 10th of May"),
    "power": ((("about 10", 10, 0), ("6", 6, 4), (" parcels", 10, 0)), "about 10⁶ parcels"),
    "unit": ((("in km", 10, 0), ("2", 6, 4), (" of land", 10, 0)), "in km² of land"),
    "note": ((("the depot", 10, 0), ("2", 6, 4), (" closed", 10, 0)), "the depot 2 closed"),
    "small capitals": ((("N", 12, 0), ("ORTHERN", 9, 0), (" depot", 12, 0)), "NORTHERN depot"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_raised_and_lowered_letters(path: Path, name: str) -> None:
    pieces, whole = SCRIPTS[name]
    with drawn(path) as canvas:
        x = 72.0
        for piece, size, rise in pieces:
            canvas.setFont("Helvetica", size)
            canvas.drawString(x, 700 + rise, piece)
            x += canvas.stringWidth(piece, "Helvetica", size)
    assert texts(read_document(path)) == [whole]


def test_drawn_boxes_around_words_are_no_table_that_cuts_them(path: Path) -> None:
    words = ["spirit", "majority", "registration", "governments", "American", "difficult"]
    with drawn(path) as canvas:
        canvas.grid([60, 66, 72, 84, 90, 98, 106, 130], [596, *(610 + 12 * i for i in range(6))])
        for i, word in enumerate(words):
            canvas.drawString(63, 600 + 12 * i, word)
    document = read_document(path)
    assert tables(document) == []
    assert " ".join(texts(document)).split() == words[::-1]


def test_fonts_that_state_impossible_heights_stand_on_their_line(path: Path) -> None:
    with drawn(path, 10) as canvas:
        canvas.drawString(72, 700, "the depot of the ")
        canvas.setFont("Symbol", 10)
        x = 72 + canvas.stringWidth("the depot of the ", "Helvetica", 10)
        canvas.drawString(x, 700, "abc")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(x + canvas.stringWidth("abc", "Symbol", 10), 700, " coast")
    with pdfplumber.open(path) as pdf:
        page = pdf.pages[0]
        for char in page.chars:
            if char["fontname"] == "Symbol":
                char.update({k: char[k] + 25 for k in ("top", "bottom")}, y0=char["y0"] - 25)
        tops = [c["top"] for c in characters_of(page)]
        assert max(tops) - min(tops) < 3


def test_a_line_on_its_head_is_read_in_its_own_direction(path: Path) -> None:
    with drawn(path) as canvas:
        canvas.drawString(72, 700, SENTENCE)
        canvas.translate(400, 300)
        canvas.rotate(180)
        canvas.drawString(0, 0, "Pay here")
    assert texts(read_document(path)) == [SENTENCE, "Pay here"]
