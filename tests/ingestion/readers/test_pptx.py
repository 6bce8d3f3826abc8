"""PowerPoint presentations: slides, tables, charts, notes."""

from pathlib import Path

import pytest

from tablerag.ingestion.content import read_content
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.readers import read_document
from tablerag.tools.errors import UnreadableDocument
from tablerag.tools.settings import Settings
from tests.ingestion.readers.blocks import outline, tables, texts
from tests.ingestion.readers.pptxs import chart_xml, frame, shape, table_xml, write_pptx
from tests.support import bad_files as bad


def cell(text: str, marks: str = "") -> str:
    return f"<a:tc {marks}><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"


def row(*texts: str) -> str:
    return "".join(map(cell, texts))


def test_slides_have_titles_texts_tables_and_notes_in_order(tmp_path: Path) -> None:
    prices = frame(table_xml(row("item", "price"), row("nut", "2"), row("bolt", "3")))
    group = f"<p:grpSp>{shape('In a group')}</p:grpSp>"
    first = shape("Points\n  inner") + shape("Prices", "title") + prices + group + shape("12 May", "dt")
    path = write_pptx(tmp_path / "deck.pptx", first, shape("Outlook", "ctrTitle"), notes="Say it slowly.", hidden=1)
    document = read_document(path)
    assert document.title == "Prices"
    assert outline(document) == [
        "Prices",
        "Points\n  inner",
        "TABLE item",
        "In a group",
        "Notes: Say it slowly.",
        "Outlook",
    ]
    (table,) = tables(document)
    assert (table.header_rows, str(table.locator)) == (1, "slide 1, rows 1-3, Prices")
    assert str(document.blocks[-1].locator) == "slide 2, Outlook"
    assert document.warnings == ("slide 2 is hidden",)


def test_the_text_of_each_slide_is_cited_with_its_number(tmp_path: Path) -> None:
    path = write_pptx(tmp_path / "deck.pptx", shape("Plan", "title") + shape("One."), shape("Two."))
    chunks = read_content(SourceFile(path, path.name), "d" * 20, Settings(_env_file=None)).chunks
    assert [(c.text, c.locator) for c in chunks] == [("Plan\nOne.", "slide 1, Plan"), ("Two.", "slide 2")]


def test_merged_cells_are_filled_and_frames_of_one_row_are_text(tmp_path: Path) -> None:
    merged = cell("2024", 'gridSpan="2"') + cell("", 'hMerge="1"') + cell("total", 'rowSpan="2"')
    below = cell("Q1") + cell("Q2") + cell("", 'vMerge="1"')
    shapes = frame(table_xml(merged, below, row("1", "2", "3"))) + frame(table_xml(row("a", "b")))
    document = read_document(write_pptx(tmp_path / "deck.pptx", shapes))
    (table,) = tables(document)
    assert table.grid == [["2024", "2024", "total"], ["Q1", "Q2", "total"], ["1", "2", "3"]]
    assert (table.warnings, texts(document)) == (("2 merged cells were filled with their value",), ["a | b"])


def test_the_numbers_of_a_chart_are_a_table(tmp_path: Path) -> None:
    chart = chart_xml("Sales by year", ["2023", "2024"], Nuts=[1.5, 2], Bolts=[3, 4])
    document = read_document(write_pptx(tmp_path / "deck.pptx", frame('<c:chart r:id="r1"/>'), chart=chart))
    (table,) = tables(document)
    assert table.caption == "Sales by year"
    assert table.grid == [["category", "Nuts", "Bolts"], ["2023", 1.5, 3.0], ["2024", 2.0, 4.0]]


def test_the_text_of_a_diagram_is_read(tmp_path: Path) -> None:
    frames = frame('<d:relIds xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="r2"/>')
    document = read_document(write_pptx(tmp_path / "deck.pptx", frames, diagram=shape("Plan\nBuild")))
    assert texts(document) == ["Plan\nBuild"]


def test_encrypted_foreign_and_hostile_presentations_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "deck.pptx"
    bomb = '<!DOCTYPE a [<!ENTITY e "x">]>'
    write_pptx(path, shape("x"))
    for content, problem in (
        (bad.encrypted_office(), "is encrypted"),
        (bad.xlsx(), "cannot be read as a PPTX"),
        (bad.parts_of(path.read_bytes(), {"ppt/slides/slide1.xml": lambda old: bomb.encode() + old}), "entities"),
        (bad.parts_of(path.read_bytes(), {"ppt/slides/slide1.xml": b"<p:sld" + b"<a>" * 100_000}), "cannot be read"),
        (path.read_bytes()[:200], "damaged"),
    ):
        path.write_bytes(content)
        with pytest.raises(UnreadableDocument, match=problem) as caught:
            read_document(path)
        assert "\n" not in str(caught.value)
