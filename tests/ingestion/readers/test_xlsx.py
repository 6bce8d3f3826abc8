"""XLSX: sheets, formats, merges, several tables on a sheet, damaged and hostile files."""

import random
import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.styles import Alignment, numbers

from tablerag.ingestion.document import Amount, Document
from tablerag.ingestion.readers import read_document, xlsx, xlsx_cells
from tablerag.ingestion.readers.xlsx import read_xlsx
from tablerag.ingestion.readers.xlsx_cells import OddXml, SheetRow
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import outline, tables, texts


def saved(workbook: Workbook, tmp_path: Path) -> Path:
    path = tmp_path / "book.xlsx"
    workbook.save(path)
    return path


def sheet_of(rows: list[list[object]], tmp_path: Path) -> Document:
    workbook = Workbook()
    for row in rows:
        workbook.active.append(row)
    return read_xlsx(saved(workbook, tmp_path))


def test_all_sheets_with_rows_and_hidden_ones_told(tmp_path: Path) -> None:
    workbook = Workbook()
    orders = workbook.active
    orders.title = "Orders"
    for row in [[], ["", "id", "amount"], ["", 1, 9.5], ["", 2, 7]]:
        orders.append(row)
    secret = workbook.create_sheet("Secret")
    secret.sheet_state = "hidden"
    secret.append(["who", "what"])
    secret.append(["Ann", "cake"])
    workbook.create_sheet("Empty")
    workbook.properties.title = "The orders"
    document = read_xlsx(saved(workbook, tmp_path))
    first, second = tables(document)
    assert (document.title, document.warnings) == ("The orders", ("sheet Secret is hidden",))
    assert first.grid == [["id", "amount"], [1, 9.5], [2, 7]]
    assert str(first.locator) == "sheet Orders, cells B2:C4"
    assert second.locator.sheet == "Secret"


def test_formats_that_tell_more_than_the_value(tmp_path: Path) -> None:
    workbook = Workbook()
    sheet = workbook.active
    sheet.append(["share", "day", "moment", "code", "price", "flag"])
    sheet.append([0.125, datetime(2024, 3, 1), datetime(2024, 3, 1, 14, 30), 42, 9.99, True])
    sheet.append([0.07, date(2024, 3, 2), datetime(2024, 3, 2), 7, 1, False])
    for row in (2, 3):
        sheet.cell(row, 1).number_format = numbers.FORMAT_PERCENTAGE_00
        sheet.cell(row, 2).number_format = "dd.mm.yyyy"
        sheet.cell(row, 3).number_format = "dd.mm.yyyy hh:mm"
        sheet.cell(row, 4).number_format = "00000"
        sheet.cell(row, 5).number_format = '"$"#,##0.00'
    (table,) = tables(read_xlsx(saved(workbook, tmp_path)))
    assert table.grid[1:] == [
        [Amount(12.5, "%"), date(2024, 3, 1), datetime(2024, 3, 1, 14, 30), "00042", Amount(9.99, "$"), True],
        [Amount(7, "%"), date(2024, 3, 2), datetime(2024, 3, 2), "00007", Amount(1, "$"), False],
    ]


def test_formulas_never_computed_are_told(tmp_path: Path) -> None:
    document = sheet_of([["a", "b"], [1, "=A2*2"], [2, "=A3*2"]], tmp_path)
    assert tables(document)[0].grid[0][0] == "a"
    assert document.warnings[0].startswith("2 formulas have no stored value")


def test_merged_cells_are_filled_but_a_title_is_not(tmp_path: Path) -> None:
    workbook = Workbook()
    sheet = workbook.active
    for row in [
        ["Headcount", None, None],
        ["site", "2023", None],
        ["site", "men", "women"],
        ["Bern", 3, 4],
        [None, 5, 6],
    ]:
        sheet.append(row)
    for cells in ("A1:C1", "B2:C2", "A4:A5"):
        sheet.merge_cells(cells)
    (table,) = tables(read_xlsx(saved(workbook, tmp_path)))
    assert table.caption == "Headcount"
    assert table.grid == [["site", "2023", "2023"], ["site", "men", "women"], ["Bern", 3, 4], ["Bern", 5, 6]]
    assert table.warnings == ("2 merged ranges were filled with their value",)


def test_tables_below_one_another_are_kept_apart_with_their_titles(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["Quarterly report"],
        [],
        [],
        [],
        ["Sales"],
        ["region", "amount"],
        ["North", 1],
        ["South", 2],
        ["Source: the ledger"],
        [],
        ["Staff"],
        [],
        ["person", "role", "since"],
        ["Ann", "lead", 2019],
        ["Bob", "clerk", 2020],
    ]
    document = sheet_of(rows, tmp_path)
    assert outline(document) == ["Quarterly report", "TABLE region", "Source: the ledger", "TABLE person"]
    assert [t.caption for t in tables(document)] == ["Sales", "Staff"]
    assert [t.locator.rows for t in tables(document)] == [(6, 8), (13, 15)]


def test_tables_beside_one_another_are_kept_apart(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["region", "amount", None, "person", "role"],
        ["North", 1, None, "Ann", "lead"],
        ["South", 2, None, "Bob", "clerk"],
        ["West", 3, None, None, None],
    ]
    left, right = tables(sheet_of(rows, tmp_path))
    assert left.grid == [["region", "amount"], ["North", 1], ["South", 2], ["West", 3]]
    assert right.grid == [["person", "role"], ["Ann", "lead"], ["Bob", "clerk"]]


def test_spacer_columns_and_a_spaced_total_stay_in_one_table(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["item", None, "2022", None, "2023"],
        ["sales", None, 10, None, 12],
        ["costs", None, 4, None, 5],
        [],
        ["Total", None, 6, None, 7],
    ]
    (table,) = tables(sheet_of(rows, tmp_path))
    assert table.grid[0] == ["item", "2022", "2023"]
    assert table.grid[-1] == ["Total", 6, 7]
    assert table.locator.rows == (1, 5)


def test_a_second_table_headed_by_years_is_not_glued(tmp_path: Path) -> None:
    rows: list[list[object]] = [["item", 2021, 2022], ["a", 1, 2], ["b", 3, 4], [], ["cost", 2021, 2022], ["c", 5, 6]]
    assert len(tables(sheet_of(rows, tmp_path))) == 2


def test_an_error_cell_is_read_as_empty_and_told(tmp_path: Path) -> None:
    (table,) = tables(sheet_of([["a", "b"], [1, "#DIV/0!"], [2, 3]], tmp_path))
    assert table.grid[1] == [1, None]
    assert "1 cell with a spreadsheet error" in table.warnings[0]


def test_a_cell_at_the_far_end_of_a_sheet_costs_little(tmp_path: Path) -> None:
    workbook = Workbook()
    sheet = workbook.active
    for row in [["a", "b"], [1, 2], [3, 4]]:
        sheet.append(row)
    sheet.cell(200_000, 3, "remark")
    document = read_xlsx(saved(workbook, tmp_path))
    assert tables(document)[0].grid == [["a", "b"], [1, 2], [3, 4]]
    assert texts(document) == ["remark"]


def test_a_sheet_spread_over_all_its_cells_is_refused(tmp_path: Path) -> None:
    workbook = Workbook()
    workbook.active.append(["a", "b"])
    workbook.active.cell(1_048_576, 16_384, "far")
    with pytest.raises(UnreadableDocument, match="sheet Sheet spans 1,048,576 rows x 16,384 columns"):
        read_xlsx(saved(workbook, tmp_path))


def test_an_unreadable_style_sheet_costs_the_formats_only(tmp_path: Path) -> None:
    workbook = Workbook()
    for row in [["a", "b"], [1, 2], [3, 4]]:
        workbook.active.append(row)
    whole, path = saved(workbook, tmp_path), tmp_path / "odd.xlsx"
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(path, "w") as new:
        for member in old.infolist():
            content = old.read(member)
            new.writestr(
                member,
                content.replace(b'family val="2"', b'family val="99"') if "styles" in member.filename else content,
            )
    document = read_xlsx(path)
    assert tables(document)[0].grid == [["a", "b"], [1, 2], [3, 4]]
    assert document.warnings == ("number formats could not be read: percentages are given as fractions",)


def test_elements_with_a_prefix_are_read(tmp_path: Path) -> None:
    workbook = Workbook()
    for row in [["name", "share"], ["Ann", 0.25], ["Bo", 0.5]]:
        workbook.active.append(row)
    workbook.active["B2"].number_format = workbook.active["B3"].number_format = "0%"
    main = 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    shared = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    listed = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{shared}"/></Types>'
    whole, path = saved(workbook, tmp_path), tmp_path / "prefixed.xlsx"
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(path, "w") as new:
        for member in old.infolist():
            content = old.read(member).decode().replace("</Types>", listed)
            if "sheet1" in member.filename:
                content = content.replace('t="inlineStr"><is><t>Ann</t></is>', 't="s"><v>0</v>')
                content = re.sub(r"<(/?)(?=\w)", r"<\1x:", content).replace("xmlns=", "xmlns:x=")
            new.writestr(member, content)
        new.writestr("xl/sharedStrings.xml", f"<x:sst {main}><x:si><x:t>Ann</x:t></x:si></x:sst>")
    document = read_xlsx(path)
    assert tables(document)[0].grid == [["name", "share"], ["Ann", Amount(25.0, "%")], ["Bo", Amount(50.0, "%")]]
    assert document.warnings == ()


def test_what_is_no_workbook_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    cases = {
        b"<html><table></table></html>": "is an HTML page, not an XLSX workbook",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600): "is encrypted",
        b"name,city\nAnn,Bern\n": "is not an XLSX workbook",
        b"PK\x03\x04 and then nothing": "damaged or truncated",
    }
    for content, expected in cases.items():
        path.write_bytes(content)
        with pytest.raises(UnreadableDocument, match=expected) as caught:
            read_document(path)
        assert "\n" not in str(caught.value)


def test_a_truncated_workbook_is_refused(tmp_path: Path) -> None:
    workbook = Workbook()
    workbook.active.append(["a", "b"])
    path = saved(workbook, tmp_path)
    path.write_bytes(path.read_bytes()[:-400])
    with pytest.raises(UnreadableDocument, match="damaged or truncated"):
        read_document(path)


def test_a_zip_without_a_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("hello.txt", "hello")
    with pytest.raises(UnreadableDocument, match="cannot be read as an XLSX workbook"):
        read_document(path)


def test_a_zip_bomb_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 60_000_000)
    with pytest.raises(UnreadableDocument, match="looks like a ZIP bomb"):
        read_document(path)


def test_a_workbook_without_cells_holds_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match="contains no text and no tables"):
        read_document(saved(Workbook(), tmp_path))


def test_cells_are_the_same_with_and_without_openpyxl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    rows = [
        ["name", "day", "at", "share", "price", "code", "on", "sum"],
        ["a & <b>", date(2024, 5, 1), datetime(2024, 5, 1), 0.125, 12, 7, True, "=1+1"],
        [None, None, datetime(2024, 5, 1, 12, 30), 5, 1e17, 12.0, False, "#DIV/0!"],
        ["line\nbreak", "text", None, "", -3.5, 123456789012345678, None, None],
    ]
    for row in rows:
        sheet.append(row)
    formats = ["General", "yyyy-mm-dd", "yyyy-mm-dd hh:mm", "0.0%", "$#,##0", "00000", "General", "General"]
    for cells in sheet.iter_rows(min_row=2):
        for cell, number_format in zip(cells, formats, strict=True):
            cell.number_format = number_format
    sheet["A4"].alignment = Alignment(indent=2)
    book.save(tmp_path / "book.xlsx")
    fast = read_xlsx(tmp_path / "book.xlsx")
    used = []

    def odd(*_: object) -> Iterator[SheetRow]:
        used.append("openpyxl")
        raise OddXml

    monkeypatch.setattr(xlsx, "rows_of_sheet", odd)
    assert read_xlsx(tmp_path / "book.xlsx") == fast
    assert used == ["openpyxl"]


def test_cells_read_by_column_are_those_read_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(7)
    book = Workbook()
    kinds = [
        lambda i: i,
        lambda i: round(chance.random(), 3),
        lambda i: chance.choice(["a & b", " x", "", "line\nbreak", "été"]),
        lambda i: date(2024, 1, 1) + timedelta(days=i),
        lambda i: chance.choice([None, True, "#N/A", 5, "word", 1e17]),
    ]
    for ragged in (False, True):
        sheet = book.create_sheet()
        sheet.append([f"column {i}" for i in range(30)])
        for i in range(1500):
            row = [kinds[(i % 7 == 0) + j % 4](i) for j in range(30)]
            sheet.append(row[: chance.randrange(30)] if ragged else row)
    book.save(tmp_path / "book.xlsx")
    monkeypatch.setattr(xlsx_cells, "PIECE_BYTES", 100_000)
    by_column = xlsx_cells._Cells._by_column
    pieces: list[bool] = []

    def counted(cells: xlsx_cells._Cells, text: str) -> list[SheetRow]:
        rows = by_column(cells, text)
        pieces.append(bool(rows))
        return rows

    monkeypatch.setattr(xlsx_cells._Cells, "_by_column", counted)
    found = read_xlsx(tmp_path / "book.xlsx")
    assert len(pieces) > 20
    assert all(pieces)
    monkeypatch.setattr(xlsx_cells._Cells, "_by_column", lambda *_: [])
    assert read_xlsx(tmp_path / "book.xlsx") == found
