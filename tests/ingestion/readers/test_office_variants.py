"""Office files other than the usual ones: Strict Open XML, macros, binary workbooks, and those of before 2007."""

import os
import re
import struct
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from docx import Document as new_docx
from openpyxl import Workbook

from tablerag.ingestion.readers import libreoffice, read_document, xlsb_extent
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import tables, texts

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
BIFF3 = bytes((9, 2, 6, 0)) + bytes(64)
ROWS = [["Item", "Cost"], ["nut", 1], ["bolt", 2]]


def rewritten(source: Path, target: Path, pattern: bytes, replacement: bytes) -> Path:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            new.writestr(name, re.sub(pattern, replacement, old.read(name)))
    return target


def strict(source: Path) -> Path:
    """Write a transitional file again with the namespaces of the strict kind."""
    usual = rb"http://schemas\.openxmlformats\.org/(wordprocessingml|spreadsheetml|drawingml|officeDocument)/2006/"
    return rewritten(source, source.with_stem("strict"), usual, rb"http://purl.oclc.org/ooxml/\1/")


@pytest.fixture
def docx(tmp_path: Path) -> Path:
    word = new_docx()
    word.add_paragraph("Costs of parts")
    table = word.add_table(rows=3, cols=2)
    for r, row in enumerate(ROWS):
        for c, cell in enumerate(row):
            table.cell(r, c).text = str(cell)
    word.save(str(tmp_path / "parts.docx"))
    return tmp_path / "parts.docx"


def test_strict_workbooks_are_read(tmp_path: Path) -> None:
    book = Workbook()
    for row in ROWS:
        book.active.append(row)
    book.active["B2"].number_format = "0%"
    book.save(tmp_path / "parts.xlsx")
    (table,) = tables(read_document(strict(tmp_path / "parts.xlsx")))
    assert [[str(c) for c in row] for row in table.grid] == [["Item", "Cost"], ["nut", "100%"], ["bolt", "2"]]


def test_strict_documents_are_read(docx: Path) -> None:
    document = read_document(strict(docx))
    assert texts(document) == ["Costs of parts"]
    assert tables(document)[0].grid[1] == ["nut", "1"]


def test_documents_with_macros_are_read(docx: Path) -> None:
    usual = rb"application/vnd\.openxmlformats-officedocument\.wordprocessingml\.document\.main\+xml"
    macros = b"application/vnd.ms-word.document.macroEnabled.main+xml"
    path = rewritten(docx, docx.with_suffix(".docm"), usual, macros)
    assert tables(read_document(path))[0].grid[2] == ["bolt", "2"]


def record(kind: int, data: bytes = b"") -> bytes:
    head = bytes((kind,)) if kind < 0x80 else bytes((kind & 0x7F | 0x80, kind >> 7))
    return head + bytes((len(data),)) + data


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def xlsb(path: Path, sheet: bytes) -> Path:
    """Write a binary workbook of one sheet."""
    listed = record(0x8F) + record(0x9C, struct.pack("<II", 0, 1) + wide("rId1") + wide("Parts")) + record(0x90)
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.bin", record(0x83) + listed + record(0x84))
        archive.writestr(
            "xl/_rels/workbook.bin.rels",
            f'<Relationships xmlns="{relations}">'
            f'<Relationship Id="rId1" Type="{kind}" Target="worksheets/sheet1.bin"/></Relationships>',
        )
        archive.writestr("xl/worksheets/sheet1.bin", sheet)
    return path


def sheet_of(rows: list[list], first: int = 0) -> bytes:
    body = b""
    for r, row in enumerate(rows, start=first):
        body += record(0, struct.pack("<I", r) + bytes(13))
        for c, cell in enumerate(row):
            place = struct.pack("<II", c, 0)
            is_text = isinstance(cell, str)
            body += record(6, place + wide(cell)) if is_text else record(5, place + struct.pack("<d", cell))
    extent = struct.pack("<IIII", first, first + len(rows) - 1, 0, len(rows[0]) - 1)
    return record(0x81) + record(0x94, extent) + record(0x91) + body + record(0x92) + record(0x82)


def test_binary_workbooks_are_read(tmp_path: Path) -> None:
    (table,) = tables(read_document(xlsb(tmp_path / "parts.xlsb", sheet_of(ROWS))))
    assert table.grid == ROWS
    assert str(table.locator) == "sheet Parts, cells A1:B3"


def test_a_binary_workbook_with_a_cell_far_away_is_refused(tmp_path: Path) -> None:
    far = sheet_of([["x"] * 200], first=1_000_000)
    assert xlsb_extent.spanned_cells(xlsb(tmp_path / "far.xlsb", far)) == 1_000_001 * 200
    with pytest.raises(UnreadableDocument, match="more than 30,000,000 cells"):
        read_document(tmp_path / "far.xlsb")
    with pytest.raises(UnreadableDocument, match="damaged records"):
        read_document(xlsb(tmp_path / "cut.xlsb", sheet_of(ROWS)[:-20]))


def can_cut_off() -> bool:
    """Return whether a program can be run without network here."""
    with suppress(UnreadableDocument, OSError):
        libreoffice._run(["/bin/true"])
        return True
    return False


CAN_CUT_OFF = sys.platform == "linux" and can_cut_off()


def program(folder: Path, script: str) -> None:
    """Put a program in place of LibreOffice; its last argument is the file, the one before it the folder."""
    path = folder / "soffice"
    path.write_text(f"#!/bin/sh\nfor last; do folder=$given; given=$last; done\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/bin")
    monkeypatch.setattr(libreoffice, "PROGRAMS", ("soffice",))
    return folder


@pytest.mark.skipif(not CAN_CUT_OFF, reason="needs Linux and a network namespace")
@pytest.mark.parametrize(("name", "content"), [("old.doc", OLE + bytes(512)), ("old.xls", BIFF3)])
def test_old_files_are_read_through_libreoffice(
    tmp_path: Path, bin_folder: Path, docx: Path, name: str, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableDocument, match=r"install LibreOffice \(on Linux\).*save it as (DOC|XLS)X"):
        read_document(path)
    book = Workbook()
    for row in ROWS:
        book.active.append(row)
    book.save(tmp_path / "made.xlsx")
    made = docx if name.endswith("doc") else tmp_path / "made.xlsx"
    program(bin_folder, f'mkdir -p "$folder" && cp {made} "$folder/source{made.suffix}"')
    document = read_document(path)
    assert (document.path, document.title, len(tables(document)[0].grid)) == (path, "old", 3)
    program(bin_folder, "exit 1")
    with pytest.raises(UnreadableDocument, match="cannot be converted by LibreOffice"):
        read_document(path)


@pytest.mark.skipif(not CAN_CUT_OFF, reason="needs Linux and a network namespace")
def test_a_conversion_that_takes_too_long_is_ended(
    tmp_path: Path, bin_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libreoffice, "MOST_SECONDS", 0.2)
    (tmp_path / "old.doc").write_bytes(OLE + bytes(512))
    program(bin_folder, f"echo $$ > {tmp_path}/pid; while true; do :; done")
    with pytest.raises(UnreadableDocument, match=r"was not converted by LibreOffice within 0.2 s: save it"):
        read_document(tmp_path / "old.doc")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.skipif(not CAN_CUT_OFF, reason="needs Linux and a network namespace")
def test_a_conversion_has_no_network(tmp_path: Path, bin_folder: Path) -> None:
    (tmp_path / "old.doc").write_bytes(OLE + bytes(512))
    program(bin_folder, f"cat /proc/self/net/dev > {tmp_path}/devices")
    with pytest.raises(UnreadableDocument, match="cannot be converted by LibreOffice"):
        read_document(tmp_path / "old.doc")
    devices = re.findall(r"(\w+): *(\d+)", (tmp_path / "devices").read_text())
    assert [(name, received) for name, received in devices if received != "0"] == []
    assert "lo" in dict(devices)


def test_without_a_way_to_cut_off_the_network_nothing_runs(
    tmp_path: Path, bin_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> None:
        raise OSError

    monkeypatch.setattr(libreoffice, "_cut_off", refused)
    monkeypatch.setattr(sys, "platform", "linux")
    (tmp_path / "old.doc").write_bytes(OLE + bytes(512))
    program(bin_folder, f"touch {tmp_path}/ran")
    with pytest.raises(UnreadableDocument, match="cannot run LibreOffice without network access: save it"):
        read_document(tmp_path / "old.doc")
    assert not (tmp_path / "ran").exists()
