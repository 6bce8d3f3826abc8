"""OpenDocument texts and EPUB books: archives of XML parts."""

from pathlib import Path

import pytest

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers import read_document
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import outline, tables, texts
from tests.support import bad_files as bad

SPACES = " ".join(
    f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "text", "table", "style")
)
CELL = "<table:table-cell {1}><text:p>{0}</text:p></table:table-cell>"


def odt(tmp_path: Path, body: str, manifest: str = "<manifest/>") -> Document:
    styles = '<style:style style:name="P1" style:parent-style-name="Table"/>'
    body = f"<office:body><office:text>{body}</office:text></office:body>"
    content = f"<office:document-content {SPACES}>{styles}{body}</office:document-content>"
    path = tmp_path / "t.odt"
    path.write_bytes(bad.archive({"META-INF/manifest.xml": manifest, "content.xml": content}))
    return read_document(path)


def row(*cells: str) -> str:
    return (
        f"<table:table-row>{''.join(c if c.startswith('<') else CELL.format(c, '') for c in cells)}</table:table-row>"
    )


def test_odt_blocks_come_in_order_with_captions_headers_and_merged_cells(tmp_path: Path) -> None:
    wide = CELL.format("2024", 'table:number-columns-spanned="2"') + "<table:covered-table-cell/>"
    table = f"<table:table-header-rows>{row('item', 'Q1', 'Q2')}</table:table-header-rows>{row('nut', wide)}"
    document = odt(
        tmp_path,
        '<text:h text:outline-level="1">Prices</text:h>'
        "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>"
        "<text:p>One<text:s text:c='2'/>two<text:note><text:p>note</text:p></text:note></text:p>"
        "<text:list><text:list-item><text:p>first</text:p></text:list-item></text:list>"
        f'<text:p text:style-name="P1">Table 1: sales</text:p><table:table>{table}</table:table><text:p>End</text:p>',
    )
    assert outline(document) == ["Prices", "One  two", "- first", "TABLE item", "End"]
    (read,) = tables(document)
    assert (read.caption, read.header_rows, read.grid[1]) == ("Table 1: sales", 1, ["nut", "2024", "2024"])
    assert (str(read.locator), document.title) == ("rows 1-2, Prices", "Prices")


def caption(text: str) -> str:
    return f'<text:p text:style-name="P1">{text}</text:p>'


def test_odt_captions_without_a_table_below_are_texts(tmp_path: Path) -> None:
    table = f"<table:table>{row('item', 'price')}{row('nut', '2')}</table:table>"
    heading = '<text:h text:outline-level="1">Next</text:h>'
    body = f"{table}{caption('below it')}{caption('first')}{caption('second')}{table}{caption('third')}{heading}"
    document = odt(tmp_path, f"{body}{caption('last')}")
    assert outline(document) == ["TABLE item", "below it", "first", "TABLE item", "third", "Next", "last"]
    assert [t.caption for t in tables(document)] == ["", "second"]
    assert str(document.blocks[4].locator) == ""


def test_odt_rows_that_repeat_are_all_there_and_bounded(tmp_path: Path) -> None:
    def repeated(rows: int, columns: int = 1) -> str:
        line = row("nut", CELL.format("2", f'table:number-columns-repeated="{columns}"'))
        line = line.replace("<table:table-row", f'<table:table-row table:number-rows-repeated="{rows}"')
        return f"<table:table>{row('item', 'price')}{line}</table:table>"

    assert len(tables(odt(tmp_path, repeated(2500)))[0].grid) == 2501
    for body, most in ((repeated(100_000), "100,000 rows"), (repeated(1, 1000), "1,000 columns")):
        with pytest.raises(UnreadableDocument) as caught:
            odt(tmp_path, body)
        assert str(caught.value) == f"has a table of more than {most}: save it as .ods or .csv"


def test_odt_cells_merged_over_many_rows_are_filled(tmp_path: Path) -> None:
    tall = row(CELL.format("2024", 'table:number-rows-spanned="1500"'), "1")
    covered = "<table:covered-table-cell/>"
    rest = "".join(row(covered, str(i)) for i in range(1499))
    (table,) = tables(odt(tmp_path, f"<table:table>{row('year', 'n')}{tall}{rest}{row('', '7')}</table:table>"))
    assert [table.grid[i][0] for i in (1, 1500, 1501)] == ["2024", "2024", None]
    assert table.warnings == ("1 merged cell was filled with its value",)


def test_an_odt_table_of_one_row_is_a_line_of_text(tmp_path: Path) -> None:
    document = odt(tmp_path, f"<table:table>{row('yes', 'no', 'yes')}</table:table>")
    assert (tables(document), texts(document)) == ([], ["yes | no | yes"])


@pytest.mark.parametrize(
    ("body", "manifest", "problem"),
    [
        ("", "<manifest:encryption-data/>", "is encrypted"),
        ("<text:section>" * 5000, "<a/>", "cannot be read as an ODT"),
        ('<table:table><table:table-row table:number-rows-repeated="9">', "<a/>", "cannot be read"),
        ("", "<a/>", "no text and no tables"),
    ],
)
def test_hostile_odt_is_one_line(tmp_path: Path, body: str, manifest: str, problem: str) -> None:
    with pytest.raises(UnreadableDocument, match=problem) as caught:
        odt(tmp_path, body, manifest)
    assert "\n" not in str(caught.value)


def epub(tmp_path: Path, *chapters: str, **more: str) -> Document:
    items = "".join(
        f'<item id="c{i}" href="ch%20{i}.xhtml" media-type="application/xhtml+xml"/>' for i in range(len(chapters))
    )
    items += '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    order = "".join(f'<itemref idref="c{i}"/>' for i in reversed(range(len(chapters))))
    head = '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>On nuts</dc:title></metadata>'
    book = f'<package>{head}<manifest>{items}</manifest><spine><itemref idref="nav"/>{order}</spine></package>'
    parts = {
        "META-INF/container.xml": '<c xmlns="urn:x"><rootfiles><rootfile full-path="O/book.opf"/></rootfiles></c>',
        "O/book.opf": book,
        "O/nav.xhtml": "<html><body><p>Contents</p></body></html>",
        **{f"O/ch {i}.xhtml": f'<?xml version="1.0"?><html><body>{c}</body></html>' for i, c in enumerate(chapters)},
        **{name.replace("__", "/"): content for name, content in more.items()},
    }
    path = tmp_path / "b.epub"
    path.write_bytes(bad.archive(parts))
    return read_document(path)


def test_chapters_come_in_the_order_of_the_spine(tmp_path: Path) -> None:
    table = "<table><tr><th>item</th><th>price</th></tr><tr><td>nut</td><td>2</td></tr></table>"
    document = epub(tmp_path, f"<h1>Prices</h1>{table}", "<h1>Start</h1><p>Hello &amp; welcome.</p>")
    assert (document.title, outline(document)) == ("On nuts", ["Start", "Hello & welcome.", "Prices", "TABLE item"])
    assert str(tables(document)[0].locator) == "Prices"


def test_only_encrypted_chapters_are_protection(tmp_path: Path) -> None:
    def locked(name: str) -> dict[str, str]:
        return {"META-INF__encryption.xml": f'<e><CipherReference URI="{name}"/></e>'}

    assert texts(epub(tmp_path, "<p>words</p>", **locked("O/font.ttf"))) == ["words"]
    with pytest.raises(UnreadableDocument, match="protected by DRM"):
        epub(tmp_path, "<p>words</p>", **locked("O/ch%200.xhtml"))


def test_a_book_that_names_no_content_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match="cannot be read as an EPUB book"):
        epub(tmp_path, "<p>words</p>", **{"META-INF__container.xml": "<c/>"})


def test_other_archives_and_encrypted_files_are_refused(tmp_path: Path) -> None:
    for name in ("t.odt", "b.epub"):
        for content in (bad.encrypted_office(), bad.xlsx(), b"PK\x03\x04"):
            (tmp_path / name).write_bytes(content)
            with pytest.raises(UnreadableDocument, match=r"encrypted|cannot be read|damaged"):
                read_document(tmp_path / name)
