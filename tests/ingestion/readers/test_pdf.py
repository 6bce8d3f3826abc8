"""PDF: paragraphs, headings and ruled tables in reading order; scans and encrypted files refused."""

from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Table

from tablerag.ingestion.document import TextBlock
from tablerag.ingestion.readers import read_document
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import outline, tables, texts
from tests.ingestion.readers.pdfs import LOREM, RULED, build, drawn, text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.pdf"


def test_text_and_tables_come_in_reading_order(path: Path) -> None:
    table = Table([["depot", "parcels"], ["North", "1,200"], ["South", "800"]], style=RULED)
    build(path, [text("Depots", "Heading1"), text(LOREM), text("Table 1: Parcels"), table, text("After it.")])
    document = read_document(path)
    assert outline(document) == ["Depots", LOREM.strip(), "TABLE depot", "After it."]
    (read,) = tables(document)
    assert read.grid == [["depot", "parcels"], ["North", "1,200"], ["South", "800"]]
    assert read.caption == "Table 1: Parcels"
    assert str(read.locator) == "page 1, Depots"
    assert document.title == "Depots"
    assert isinstance(document.blocks[0], TextBlock) and document.blocks[0].is_heading


def test_merged_cells_are_filled(path: Path) -> None:
    rows = [["site", "2023", ""], ["", "men", "women"], ["Bern", "1", "2"]]
    spans = [("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 0), (0, 1))]
    build(path, [text("Words."), Table(rows, style=[*RULED, *spans])])
    (read,) = tables(read_document(path))
    assert read.grid == [["site", "2023", "2023"], ["site", "men", "women"], ["Bern", "1", "2"]]
    assert "merged cells" in read.warnings[0]


def test_pages_are_counted(path: Path) -> None:
    rows = [["n", "square"]] + [[str(n), str(n * n)] for n in range(60)]
    build(
        path,
        [text("Squares", "Heading1"), Table(rows, style=RULED), PageBreak(), text("The end.")],
        title="All squares",
    )
    document = read_document(path)
    assert document.title == "All squares"
    (read,) = tables(document)
    assert (read.locator.page, read.locator.last_page) == (1, 2)
    assert read.grid == rows
    assert document.blocks[-1].locator.page == 3


def test_two_columns_are_read_one_after_the_other(path: Path) -> None:
    canvas = Canvas(str(path), pagesize=A4)
    canvas.setFont("Helvetica", 10)
    for i in range(30):
        canvas.drawString(60, 760 - 12 * i, f"left column line {i} keeps telling its story")
        canvas.drawString(320, 760 - 12 * i, f"right column line {i} keeps telling another")
    canvas.save()
    joined = " ".join(texts(read_document(path)))
    assert joined.index("left column line 29") < joined.index("right column line 0")


def test_running_titles_are_kept_once_and_page_numbers_not_at_all(path: Path) -> None:
    canvas = Canvas(str(path), pagesize=A4)
    for page in range(1, 6):
        canvas.drawString(60, 820, "Depot handbook")
        canvas.drawString(60, 500, f"Rule number {page} is here.")
        canvas.drawString(300, 20, f"page {page} of 5")
        canvas.showPage()
    canvas.save()
    found = texts(read_document(path))
    assert found.count("Depot handbook") == 1
    assert sum("Rule number" in t for t in found) == 5
    assert not any("of 5" in t for t in found)


def test_a_scan_says_that_it_is_one(path: Path) -> None:
    canvas = Canvas(str(path), pagesize=A4)
    canvas.rect(100, 100, 200, 200, fill=1)
    canvas.showPage()
    canvas.save()
    with pytest.raises(UnreadableDocument, match="has no text on its 1 page, probably a scan"):
        read_document(path)


def test_blanks_are_no_scan(path: Path) -> None:
    canvas = Canvas(str(path), pagesize=A4)
    canvas.drawString(60, 700, " " * 50)
    canvas.save()
    with pytest.raises(UnreadableDocument, match="has no text on its 1 page: save it again with content"):
        read_document(path)


def test_a_page_without_text_is_told(path: Path) -> None:
    canvas = Canvas(str(path), pagesize=A4)
    canvas.drawString(60, 700, "Words.")
    canvas.showPage()
    canvas.showPage()
    canvas.save()
    assert read_document(path).warnings == ("page 2 has no text (blank or scanned)",)


def test_encrypted_and_damaged_files_are_refused(path: Path) -> None:
    canvas = Canvas(str(path), pagesize=A4, encrypt="secret")
    canvas.drawString(60, 700, "Words.")
    canvas.save()
    with pytest.raises(UnreadableDocument, match="is an encrypted PDF"):
        read_document(path)
    for content in (b"%PDF-1.7\nnothing of the kind", b"plain words, no PDF at all"):
        path.write_bytes(content)
        with pytest.raises(UnreadableDocument) as caught:
            read_document(path)
        assert "\n" not in str(caught.value)


def test_doubled_lines_are_one_line(path: Path) -> None:
    rows = [("depot", "parcels", "lost"), ("North", "1,200", "3"), ("South", "800", "1")]
    with drawn(path) as canvas:
        for r, row in enumerate(rows):
            for left, width, cell in zip((72, 184, 284), (100, 88, 66), row, strict=True):
                inset = 0 if r else 4  # the header's frames are drawn apart, the body's in common
                canvas.rect(left + inset, 700 - 20 * r, width - 2 * inset, 20)
                canvas.drawString(left + 14, 706 - 20 * r, cell)
    assert [t.grid for t in tables(read_document(path))] == [[list(row) for row in rows]]


def test_rows_without_lines_between_columns_are_divided(path: Path) -> None:
    rows = [("depot", "parcels", "lost"), ("North East", "1,200", "3"), ("South", "", "1"), ("West", "95", "0")]
    with drawn(path) as canvas:
        canvas.grid([72, 180, 280, 350], [700, 720])
        for r, row in enumerate(rows):
            canvas.rect(72, 700 - 20 * r, 278, 20)
            for left, cell in zip((80, 190, 290), row, strict=True):
                canvas.drawString(left, 706 - 20 * r, cell)
    expected = [[cell or None for cell in row] for row in rows]
    assert [t.grid for t in tables(read_document(path))] == [expected]


def test_a_sentence_across_the_columns_stays_whole(path: Path) -> None:
    note = "All numbers are of the first half of the year"
    rows = [["depot", "parcels", "lost"], ["North", "1,200", "3"], [note, "", ""], ["South", "800", "1"]]
    build(path, [text("Words."), Table(rows, style=[*RULED, ("SPAN", (0, 2), (2, 2))], colWidths=100)])
    (read,) = tables(read_document(path))
    assert read.grid[2] == [note] * 3


def test_columns_that_only_a_header_parts_are_one(path: Path) -> None:
    rows = [
        ["site", "released", "", "to water"],
        ["", "to air", "", ""],
        ["Bern", "10", "", "1"],
        ["Jena", "20", "", "2"],
    ]
    rows += [["Kiel", "30", "", "3"], ["Linz", "40", "", "4"]]
    spans = [("SPAN", (1, 0), (2, 0)), *(("SPAN", (1, r), (2, r)) for r in range(2, 6))]
    build(path, [text("Words."), Table(rows, colWidths=[80, 60, 60, 60], style=[*RULED, *spans])])
    (read,) = tables(read_document(path))
    assert read.grid[0] == ["site", "released", "to water"]
    assert read.grid[2:] == [["Bern", "10", "1"], ["Jena", "20", "2"], ["Kiel", "30", "3"], ["Linz", "40", "4"]]


def test_figures_beside_the_shaded_lines_of_one_label_are_one_row(path: Path) -> None:
    rows = [
        ["item", "2010", "2011"],
        ["Data sets", "47", "272"],
        ["Applications", "11", "237"],
        ["by the public", "", ""],
    ]
    rows += [["Downloads", "5", "652"]]
    spans = [("SPAN", (c, 2), (c, 3)) for c in (1, 2)]
    build(path, [text("Words."), Table(rows, style=[*RULED, *spans])])
    (read,) = tables(read_document(path))
    assert read.grid == [*rows[:2], ["Applications by the public", "11", "237"], rows[4]]
