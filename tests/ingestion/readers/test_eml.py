"""Mails: headers, bodies and attachments."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.ingestion.readers import read_document
from tablerag.ingestion.readers.eml import attachments
from tablerag.tools.errors import UnreadableDocument
from tablerag.tools.services import Services
from tests.ingestion.readers.blocks import outline, tables, texts

TABLE = "<p>Prices:</p><table><tr><th>item<th>price<tr><td>nut<td>2<tr><td>bolt<td>3</table>"


def mail(html: str = "", subject: str = "Prices of März") -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Ada <ada@example.com>", "bob@example.com, cy@example.com", subject
    made["Date"] = "Fri, 01 Mar 2024 10:00:00 +0100"
    made.set_content("Hello Bob,\n\nthe prices are\nbelow.\n")
    if html:
        made.add_alternative(html, subtype="html")
    return made


def test_headers_are_fields_and_the_body_is_text(tmp_path: Path) -> None:
    (tmp_path / "m.eml").write_bytes(bytes(mail("<p>Hello Bob</p>")))
    document = read_document(tmp_path / "m.eml")
    assert document.title == "Prices of März"
    assert texts(document) == [
        "From: Ada <ada@example.com>",
        "To: bob@example.com, cy@example.com",
        "Date: Fri, 01 Mar 2024 10:00:00 +0100",
        "Subject: Prices of März",
        "Hello Bob,",
        "the prices are\nbelow.",
    ]


def test_an_html_body_is_read_for_its_tables(tmp_path: Path) -> None:
    (tmp_path / "m.eml").write_bytes(bytes(mail(TABLE)))
    document = read_document(tmp_path / "m.eml")
    assert tables(document)[0].grid[1:] == [["nut", "2"], ["bolt", "3"]]
    assert outline(document)[-2:] == ["Prices:", "TABLE item"]


def test_attachments_are_documents_below_their_mail(services: Services, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    inner = mail(subject="Old: prices")
    inner.add_attachment(b"item,price\nnut,1\n", maintype="text", subtype="csv", filename="old.csv")
    outer = mail()
    outer.add_attachment(b"item,price\nnut,2\nbolt,3\n", maintype="text", subtype="csv", filename="../new.csv")
    outer.add_attachment(b"x", maintype="image", subtype="png", filename="logo.png", cid="<1@x>")
    outer.add_attachment(b"x", maintype="audio", subtype="mpeg", filename="call.mp3")
    outer.add_attachment(inner)
    (folder / "m.eml").write_bytes(bytes(outer))
    found = {e.source: (e.status, e.rows) for e in ingest([folder], services, "default").entries}
    assert found == {
        "m.eml": ("added", 0),
        "m.eml/new.csv": ("added", 2),
        "m.eml/call.mp3": ("skipped", 0),
        "m.eml/Old prices.eml": ("added", 0),
        "m.eml/Old prices.eml/old.csv": ("added", 1),
    }
    assert {e.status for e in ingest([folder], services, "default").entries} == {"unchanged", "skipped"}


def test_a_charset_that_is_no_name_is_guessed(tmp_path: Path) -> None:
    (tmp_path / "m.eml").write_bytes(
        b'From: a@b.c\nContent-Type: text/plain; charset="u\0tf-8"\n\nGr\xc3\xbc\xc3\x9fe\n'
    )
    assert texts(read_document(tmp_path / "m.eml"))[-1] == "Grüße"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1"])
def test_odd_encodings(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "m.eml").write_bytes("From: a@b.c\nSubject: Prices\n\nGrüße\n".encode(encoding))
    assert texts(read_document(tmp_path / "m.eml"))[-1] == "Grüße"


def test_an_encrypted_body_is_noted(tmp_path: Path) -> None:
    head = "From: a@b.c\nContent-Type: multipart/encrypted; boundary=x\n\n--x\n\nVersion: 1\n--x--\n"
    (tmp_path / "m.eml").write_text(head, encoding="ascii")
    assert "encrypted" in read_document(tmp_path / "m.eml").warnings[0]


@pytest.mark.parametrize(
    "content",
    [
        "just words\n\nand more\n",
        "From: a@b.c\n" + "Content-Type: multipart/mixed; boundary=x\n\n" + "--x\n\na\n" * 2000,
    ],
)
def test_no_mails_and_hostile_ones_are_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "m.eml").write_text(content, encoding="utf-8")
    with pytest.raises(UnreadableDocument, match=r"is not a mail|more than 1000 parts"):
        read_document(tmp_path / "m.eml")


def test_parts_in_parts_and_broken_headers_do_not_stop_the_reader(tmp_path: Path) -> None:
    nested = "".join(f"Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n" for i in range(300))
    odd = "From: =?utf-9?b?!!?= <a@b\nSubject: =?utf-8?q?=FF?=\nContent-Disposition: attachment; filename*=x''%\n"
    (tmp_path / "m.eml").write_text(odd + nested + "\nwords\n", encoding="utf-8")
    document = read_document(tmp_path / "m.eml")
    assert texts(document)[0].startswith("From:")
    assert list(attachments(tmp_path / "m.eml")) == []
