"""Outlook mails."""

import sys
from pathlib import Path

import pytest

from tablerag.ingestion.readers import read_document
from tablerag.ingestion.readers.msg import attachments
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import tables, texts
from tests.ingestion.readers.msgs import properties, write_msg
from tests.support import bad_files as bad

MAIL = {
    "__properties_version1.0": properties(133_537_536_000_000_000),
    "__substg1.0_0037001F": "Prices",
    "__substg1.0_0C1A001F": "Ada",
    "__substg1.0_5D01001F": "ada@example.com",
    "__substg1.0_0E04001F": "Bob",
    "__substg1.0_1000001F": "Hello Bob,\r\n\r\nsee below.",
}
CSV = "item,price\n" + "nut,2\n" * 800


def test_a_file_names_the_package_that_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "olefile", None)
    with pytest.raises(UnreadableDocument, match=r'pip install "tablerag\[msg\]", or save it as \.eml'):
        read_document(write_msg(tmp_path / "m.msg", MAIL))


def test_headers_are_fields_and_the_body_is_text(tmp_path: Path) -> None:
    pytest.importorskip("olefile")
    document = read_document(write_msg(tmp_path / "m.msg", MAIL))
    assert document.title == "Prices"
    assert texts(document) == [
        "From: Ada <ada@example.com>",
        "To: Bob",
        "Date: Fri, 01 Mar 2024 08:00:00 +0000",
        "Subject: Prices",
        "Hello Bob,",
        "see below.",
    ]


@pytest.mark.parametrize(("page", "encoding"), [(1251, "cp1251"), (65001, "utf-8")])
def test_texts_are_in_the_code_page_and_tables_in_html(tmp_path: Path, page: int, encoding: str) -> None:
    pytest.importorskip("olefile")
    mail = {
        "__properties_version1.0": properties(code_page=page),
        "__substg1.0_0037001E": "Цены".encode(encoding),
        "__substg1.0_10130102": b"<table><tr><th>item<th>price<tr><td>nut<td>2</table>",
    }
    document = read_document(write_msg(tmp_path / "m.msg", mail))
    assert (document.title, tables(document)[0].grid[1]) == ("Цены", ["nut", "2"])


def test_attached_files_and_mails_are_members(tmp_path: Path) -> None:
    pytest.importorskip("olefile")
    attached = {"__substg1.0_3707001F": "prices.csv", "__substg1.0_37010102": CSV.encode()}
    inner = {**MAIL, "__substg1.0_0037001F": "Re: prices", "__attach_version1.0_#00000000": attached}
    mail = {
        **MAIL,
        "__attach_version1.0_#00000000": attached,
        "__attach_version1.0_#00000001": {"__substg1.0_3701000D": inner},
        "__attach_version1.0_#00000002": {
            "__substg1.0_3707001F": "logo.png", "__substg1.0_3712001F": "<1@x>", "__substg1.0_37010102": b"x",
        },
    }  # fmt: skip
    (name, content), (mailed, eml) = attachments(write_msg(tmp_path / "m.msg", mail))
    assert (name, content.decode(), mailed) == ("prices.csv", CSV, "Re prices.eml")
    (tmp_path / "inner.eml").write_bytes(eml)
    assert texts(read_document(tmp_path / "inner.eml"))[-3:] == ["Attachments: prices.csv", "Hello Bob,", "see below."]


def test_other_and_damaged_files_are_one_line(tmp_path: Path) -> None:
    pytest.importorskip("olefile")
    path = write_msg(tmp_path / "m.msg", MAIL)
    for content, problem in (
        (bad.encrypted_office(), "cannot be read|not an Outlook mail"),
        (path.read_bytes()[:3000], "cannot be read"),
        (b"words", "not an Outlook mail"),
    ):
        path.write_bytes(content)
        with pytest.raises(UnreadableDocument, match=problem) as caught:
            read_document(path)
        assert "\n" not in str(caught.value)
