"""XML: records, texts with markup, and hostile files."""

from pathlib import Path

import pytest

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers import read_document
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import outline, tables, texts

ORDERS = """<?xml version="1.0"?>
<s:shop xmlns:s="urn:x" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b">
  <s:name>Nuts &amp; Bolts</s:name>
  <!-- a comment -->
  <s:orders>
    <s:order id="7" paid="true"><s:customer><s:city>Bern</s:city></s:customer>
      <s:line n="2">nut</s:line><s:line n="1">bolt</s:line></s:order>
    <s:order id="9"><s:customer><s:city>Basel</s:city></s:customer><s:line n="5">nut</s:line></s:order>
  </s:orders>
</s:shop>"""


def read(tmp_path: Path, content: str | bytes) -> Document:
    path = tmp_path / "shop.xml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_repeated_elements_are_rows_and_those_in_them_child_tables(tmp_path: Path, encoding: str) -> None:
    document = read(tmp_path, ORDERS.replace('<?xml version="1.0"?>', "").encode(encoding))
    orders, lines = tables(document)
    assert orders.caption == "orders"
    assert orders.grid == [["id", "paid", "customer.city"], ["7", "true", "Bern"], ["9", None, "Basel"]]
    assert lines.grid == [["order id", "n", "value"], ["7", "2", "nut"], ["7", "1", "bolt"], ["9", "5", "nut"]]
    assert texts(document) == ["name: Nuts & Bolts"]


def test_a_text_with_markup_is_read_as_a_page(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        "<article><front><article-title>On nuts</article-title></front><sec><title>Prices</title>"
        "<p>The <b>price</b> of a nut is 2 EUR and that of a bolt is 3 EUR.</p>"
        "<table-wrap><table><tr><th>item</th><th>price</th></tr><tr><td>nut</td><td>2</td></tr></table></table-wrap>"
        "</sec></article>",
    )
    assert document.title == "On nuts"
    assert outline(document)[-2:] == ["The price of a nut is 2 EUR and that of a bolt is 3 EUR.", "TABLE item"]
    assert str(tables(document)[0].locator) == "On nuts > Prices"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><a><x>&b;</x><x>2</x></a>', "entities of its own"),
        ('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'.encode("utf-16"), "entities of its own"),
        ("<a>" * 5000 + "</a>" * 5000, "not well-formed XML"),
        ("<a><b>1</b>", "not well-formed XML at line 1"),
        ('<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>', r"save it as \.xlsx"),
        ("<a/>", "no text and no tables"),
    ],
)
def test_hostile_damaged_and_office_xml_is_one_line(tmp_path: Path, content: str | bytes, problem: str) -> None:
    with pytest.raises(UnreadableDocument, match=problem) as caught:
        read(tmp_path, content)
    assert "\n" not in str(caught.value)


def test_a_dtd_is_not_fetched(tmp_path: Path) -> None:
    (tmp_path / "x.dtd").write_text('<!ENTITY b "stolen">', encoding="ascii")
    content = f'<!DOCTYPE a SYSTEM "{tmp_path}/x.dtd"><a><c>1 &b;</c><d>2</d></a>'
    assert "stolen" not in " ".join(texts(read(tmp_path, content)))
