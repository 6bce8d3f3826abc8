"""ODS through calamine, and workbooks that are none."""

import zipfile
from datetime import date
from pathlib import Path

import pytest

from tablerag.ingestion.readers.calamine import read_calamine
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import tables

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
