"""Word: order of the body, heading paths, lists, merged cells, nested tables."""

from pathlib import Path

import pytest
from docx import Document as new_docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from tablerag.ingestion.document import TextBlock
from tablerag.ingestion.readers import read_document
from tablerag.ingestion.readers.docx import read_docx
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import outline, tables, texts


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.docx"


def fill(table: object, rows: list[list[str]]) -> None:
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            table.cell(r, c).text = text  # type: ignore[attr-defined]


def test_blocks_come_in_reading_order_under_their_headings(path: Path) -> None:
    word = new_docx()
    word.add_heading("Annual report", level=1)
    word.add_paragraph("Before the table.")
    word.add_heading("Sales", level=2)
    word.add_paragraph("Table 1: Sales by region", style="Caption")
    fill(word.add_table(rows=2, cols=2), [["region", "amount"], ["North", "1,200"]])
    word.add_paragraph("first point", style="List Bullet")
    word.save(str(path))
    document = read_docx(path)
    assert outline(document) == ["Annual report", "Before the table.", "Sales", "TABLE region", "- first point"]
    assert [isinstance(b, TextBlock) and b.is_heading for b in document.blocks] == [True, False, True, False, False]
    (table,) = tables(document)
    assert table.caption == "Table 1: Sales by region"
    assert table.grid == [["region", "amount"], ["North", "1,200"]]
    assert str(table.locator) == "Annual report > Sales"
    assert document.title == "Annual report"


def test_merged_cells_are_filled(path: Path) -> None:
    word = new_docx()
    table = word.add_table(rows=3, cols=3)
    fill(table, [["site", "2023", ""], ["Bern", "1", "2"], ["", "3", "4"]])
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(1, 0).merge(table.cell(2, 0))
    word.save(str(path))
    (read,) = tables(read_docx(path))
    assert read.grid == [["site", "2023", "2023"], ["Bern", "1", "2"], ["Bern", "3", "4"]]
    assert read.warnings == ("2 merged cells were filled with their value",)


def test_repeated_header_rows_are_the_header(path: Path) -> None:
    word = new_docx()
    table = word.add_table(rows=2, cols=2)
    fill(table, [["a", "b"], ["1", "2"]])
    table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    word.save(str(path))
    assert tables(read_docx(path))[0].header_rows == 1


def test_nested_tables_and_frames_become_text(path: Path) -> None:
    word = new_docx()
    outer = word.add_table(rows=2, cols=2)
    fill(outer, [["item", "parts"], ["desk", ""]])
    fill(outer.cell(1, 1).add_table(rows=1, cols=2), [["leg", "4"]])
    frame = word.add_table(rows=1, cols=1)
    frame.cell(0, 0).text = "A framed remark."
    word.save(str(path))
    document = read_docx(path)
    assert tables(document)[0].grid[1] == ["desk", "leg | 4"]
    assert texts(document) == ["A framed remark."]


def test_inserted_words_stay_and_deleted_ones_go(path: Path) -> None:
    word = new_docx()
    paragraph = word.add_paragraph("kept ")._p
    for tag, text_tag, words in (("w:ins", "w:t", "added"), ("w:del", "w:delText", "gone")):
        change, run, text = OxmlElement(tag), OxmlElement("w:r"), OxmlElement(text_tag)
        text.text = words
        run.append(text)
        change.append(run)
        paragraph.append(change)
    control, content = OxmlElement("w:sdt"), OxmlElement("w:sdtContent")
    content.append(word.add_paragraph("in a control")._p)
    control.append(content)
    word.element.body.insert(1, control)
    word.save(str(path))
    assert qn("w:sdt") == control.tag
    assert texts(read_docx(path)) == ["kept added", "in a control"]


def test_the_stated_title_wins(path: Path) -> None:
    word = new_docx()
    word.core_properties.title = "The year"
    word.add_heading("Chapter", level=1)
    word.save(str(path))
    assert read_docx(path).title == "The year"


def test_an_empty_or_damaged_document_is_refused(path: Path) -> None:
    new_docx().save(str(path))
    with pytest.raises(UnreadableDocument, match="contains no text and no tables"):
        read_document(path)
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(UnreadableDocument, match="damaged or truncated"):
        read_document(path)


def test_superscripts_do_not_run_into_numbers(tmp_path: Path) -> None:
    document = new_docx()
    paragraph = document.add_paragraph("2,800")
    paragraph.add_run("1").font.superscript = True
    document.save(tmp_path / "t.docx")
    assert texts(read_document(tmp_path / "t.docx")) == ["2,800¹"]


def test_a_text_over_most_columns_below_the_names_is_in_the_first_only(path: Path) -> None:
    word = new_docx()
    table = word.add_table(rows=4, cols=5)
    rows = [["No.", "Work", "Code", "Units", "Price"], ["1.", "Inside"], ["1.1", "Paint", "226", "1", "10,8"], ["All"]]
    fill(table, rows)
    table.cell(1, 1).merge(table.cell(1, 4))
    table.cell(3, 0).merge(table.cell(3, 3))
    word.save(str(path))
    (read,) = tables(read_docx(path))
    inside, _, total = read.grid[1:]
    assert inside == ["1.", "Inside", None, None, None]
    assert total == ["All", None, None, None, None]
