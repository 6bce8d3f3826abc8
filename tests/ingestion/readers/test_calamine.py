"""ODS through calamine, and workbooks that are none."""

import struct
import zipfile
from datetime import date
from pathlib import Path

import pytest

from tablerag.ingestion.readers import read_document
from tablerag.ingestion.readers.archives import check_xml
from tablerag.ingestion.readers.calamine import cell_value, read_calamine
from tablerag.ingestion.readers.ods_extent import spanned_cells
from tablerag.ingestion.readers.ole_chains import check_chains
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import tables
from tests.support import bad_files as bad
from tests.support.cpu import cpu_seconds

CONTENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 office:version="1.2"><office:body><office:spreadsheet><table:table table:name="Trips">
<table:table-row><table:table-cell/>
<table:table-cell office:value-type="string"><text:p>town</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>km</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>day</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell/>
<table:table-cell office:value-type="string"><text:p>Bern</text:p></table:table-cell>
<table:table-cell office:value-type="float" office:value="120.5"><text:p>120.5</text:p></table:table-cell>
<table:table-cell office:value-type="date" office:date-value="2024-05-01"><text:p>1 May</text:p></table:table-cell>
</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"""
MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>"""


@pytest.fixture
def ods(tmp_path: Path) -> Path:
    path = tmp_path / "trips.ods"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", CONTENT.replace("\n", ""))
        archive.writestr("META-INF/manifest.xml", MANIFEST)
    return path


def test_an_ods_sheet_keeps_types_and_place(ods: Path) -> None:
    (table,) = tables(read_calamine(ods))
    assert table.grid == [["town", "km", "day"], ["Bern", 120.5, date(2024, 5, 1)]]
    assert str(table.locator) == "sheet Trips, cells B1:D2"


def test_a_damaged_xls_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000))
    with pytest.raises(UnreadableDocument, match="cannot be read as a workbook"):
        read_calamine(path)


SECTOR = 512
END, FREE, LIST = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD


def ole(chains: list[int], size: int = 4096, first: int = 2, minis: int = END) -> bytes:
    """Return an OLE file of a list of sectors, a directory with one stream, and eight sectors of that stream."""
    head = struct.pack(
        "<8s16sHHHHH6sIIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", bytes(16), 0x3E, 3, 0xFFFE, 9, 6, bytes(6),
        0, 1, 1, 0, 4096, minis, 1, END, 0, 0,
    )  # fmt: skip
    entries = b""
    for name, kind, start, length in (("Root Entry", 5, END, 0), ("Workbook", 2, first, size)):
        text = name.encode("utf-16-le")
        entries += struct.pack("<64sHBBIII36xII4x", text, len(text) + 2, kind, 1, FREE, FREE, 1, start, length)
    numbers = [*chains, *[FREE] * (128 - len(chains))]
    rest = struct.pack("<108I", *[FREE] * 108) + struct.pack("<128I", *numbers) + entries.ljust(SECTOR, b"\0")
    return head + rest + struct.pack("<4096B", *[0, 2] * 2048)


WHOLE = [LIST, END, 3, 4, 5, 6, 7, 8, 9, END]


DAMAGED = {
    "a directory that begins again": ole([LIST, 1]),
    "a stream that begins again": ole([LIST, END, 3, 4, 5, 2]),
    "a stream of two gigabytes": ole(WHOLE, size=0x7FFFFFFF),
    "a directory outside the file": ole([LIST, 99]),
    "half a header": ole(WHOLE)[:70],
}


@pytest.mark.parametrize("name", DAMAGED)
def test_chains_of_sectors_that_never_end_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "old.xls"
    path.write_bytes(DAMAGED[name])
    with pytest.raises(UnreadableDocument, match="cannot be read as a workbook"):
        check_chains(path)


def test_whole_chains_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "old.xls"
    path.write_bytes(ole(WHOLE))
    check_chains(path)


def test_a_long_value_is_parsed_at_once(tmp_path: Path) -> None:
    path = tmp_path / "long.ods"
    path.write_bytes(bad.ods(f'<table:table table:name="{"x" * 10_000_000}"/>'))
    started = cpu_seconds()
    check_xml(path)
    assert spanned_cells(path) == 0
    assert cpu_seconds() - started < 5


def test_a_workbook_that_makes_the_library_panic_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.xls"
    path.write_bytes(ole(WHOLE)[:1274])  # within the second entry of the directory
    with pytest.raises(UnreadableDocument, match="cannot be read as a workbook: open it and save it again"):
        read_calamine(path)


@pytest.mark.timeout(20)
def test_an_ods_whose_xml_breaks_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.ods"
    content = CONTENT.replace("\n", "")
    for end in range(97, len(content), 97):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
            archive.writestr("content.xml", content[:end])
            archive.writestr("META-INF/manifest.xml", MANIFEST)
        with pytest.raises(UnreadableDocument):
            read_calamine(path)


def test_an_ods_with_empty_content_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.ods"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", "")
        archive.writestr("META-INF/manifest.xml", MANIFEST)
    with pytest.raises(UnreadableDocument, match="contains no text and no tables"):
        read_document(path)


def test_text_of_two_bytes_a_character_is_read_as_such() -> None:
    assert cell_value("T\0o\0t\0a\0l\0") == "Total"
    assert cell_value("Total") == "Total"
