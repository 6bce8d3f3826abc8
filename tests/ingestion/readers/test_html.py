"""HTML: reading order, what is dropped, spans, layouts, nesting, encodings."""

from pathlib import Path

import pytest

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers import read_document
from tablerag.ingestion.tables.table import build_table
from tests.ingestion.readers.blocks import outline, tables, texts


def read(tmp_path: Path, content: str | bytes) -> Document:
    path = tmp_path / "page.html"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(path)


def test_blocks_come_in_reading_order_under_their_headings(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        """<html><head><title>The  shop</title></head><body><h1>Shop</h1>loose <b>words</b>
        <h2>Prices<span class="mw-editsection">[edit]</span></h2><p>All in<br>euro.<sup class="reference">[1]</sup></p>
        <table><caption>Price list</caption><thead><tr><th>item<th>price</thead><tr><td>nut<td>1</table>
        tail<ul><li>one<ul><li>inner</ul><li>two</ul></body></html>""",
    )
    assert document.title == "The shop"
    assert outline(document) == [
        "Shop",
        "loose words",
        "Prices",
        "All in\neuro.",
        "TABLE item",
        "tail",
        "- one",
        "- inner",
        "- two",
    ]
    (table,) = tables(document)
    assert (table.caption, table.header_rows) == ("Price list", 1)
    assert str(table.locator) == "Shop > Prices"


def test_scripts_navigation_and_hidden_parts_are_dropped(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        """<p>seen<span style="display: none">hidden</span> text</p><script>var x = "<p>no</p>"</script>
        <style>p {}</style><nav>menu</nav><div role="navigation">more</div><table class="navbox"><tr><td>a<td>b
        <tr><td>c<td>d</table><p hidden>no</p><!-- remark -->end<sup>2</sup><sup>[3]</sup>""",
    )
    assert texts(document) == ["seen text", "end²"]
    assert not tables(document)


def test_spans_are_expanded(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        """<table><tr><th rowspan=2>site<th colspan=2>2023<tr><th>men<th>women
        <tr><td rowspan=0>Bern<td>1<td>2<tr><td colspan=2>none</table>""",
    )
    (table,) = tables(document)
    assert table.grid == [
        ["site", "2023", "2023"],
        ["site", "men", "women"],
        ["Bern", "1", "2"],
        ["Bern", "none", "none"],
    ]
    assert table.header_rows == 2
    assert table.warnings == ("2 spanning cells were filled with their value",)


def test_spans_of_the_header_alone_are_not_told(tmp_path: Path) -> None:
    (table,) = tables(read(tmp_path, "<table><tr><th>a<th colspan=2>b<tr><td>1<td>2<td>3</table>"))
    assert table.warnings == ()


def test_a_row_over_all_columns_is_title_or_section(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        """<table><tr><th colspan=2>Teams<tr><th>team<th>points<tr><td colspan=2>East<tr><td>A<td>1</table>""",
    )
    (table,) = tables(document)
    assert table.caption == "Teams"
    assert table.grid == [["team", "points"], ["East", None], ["A", "1"]]
    assert table.header_rows == 1
    assert table.warnings == ("1 row across all columns: the text is in the first column",)


def test_row_headers_are_not_header_rows(tmp_path: Path) -> None:
    (table,) = tables(read(tmp_path, "<table><tr><th>born<td>1900<tr><th>died<td>1980</table>"))
    assert table.header_rows is None


def test_layout_tables_are_walked_through_and_nested_tables_read(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        """<table><tr><td><h2>Left</h2><p>words</p></td><td><table><tr><th>a<th>b<tr><td>1<td>2</table></td></tr></table>
        <table><tr><th>item<th>parts<tr><td>desk<td>see<table><tr><th>part<th>n<tr><td>leg<td>4</table>
        <tr><td>lamp<td>none</table>""",
    )
    assert outline(document) == ["Left", "words", "TABLE a", "TABLE item", "TABLE part"]
    assert tables(document)[1].grid == [["item", "parts"], ["desk", "see"], ["lamp", "none"]]


def test_an_infobox_becomes_lines(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        """<table class="infobox vcard"><tr><th colspan=2>Ada</th></tr><tr><th>Born:</th><td>1815<br>London</td></tr>
        </table><p>Text.</p>""",
    )
    assert texts(document) == ["Ada\nBorn: 1815 London", "Text."]


def test_an_infobox_becomes_a_key_value_table(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        """<table class="infobox"><tr><th colspan=2>Ada</th></tr><tr><td colspan=2><img src=x>In 1840</td></tr>
        <tr><th>Born</th><td>1815</td></tr><tr><th colspan=2>Work</th></tr><tr><th>Field</th><td>Mathematics</td></tr>
        <tr><th>Known for</th><td>Notes<br>on the engine</td></tr></table>""",
    )
    (block,) = tables(document)
    assert (block.caption, block.is_form) == ("Ada", True)
    assert block.grid == [
        ["Born", "1815"],
        ["Work", None],
        ["Field", "Mathematics"],
        ["Known for", "Notes on the engine"],
    ]
    assert texts(document) == ["In 1840"]
    table = build_table(block)
    assert table.names == ["section", "field", "value"]
    assert list(table.display_rows())[1] == ("Work", "Field", "Mathematics")


def test_indentation_by_style_or_hard_spaces_is_kept(tmp_path: Path) -> None:
    rows = "<tr><td>Costs</td><td></td></tr><tr><td style='padding-left: 2em'>Pay</td><td>5</td></tr>"
    rows += "<tr><td>&nbsp;&nbsp;Rent</td><td>7</td></tr>"
    (block,) = tables(read(tmp_path, f"<table><tr><th>Item</th><th>2020</th></tr>{rows}</table>"))
    assert block.indents == [0, 0, 5, 2]


def test_columns_of_pictures_are_left_out_and_told(tmp_path: Path) -> None:
    rows = "<tr><td>Oslo</td><td><img src=a.png></td><td>7</td></tr>" * 2
    (block,) = tables(read(tmp_path, f"<table><tr><th>City<th>Image<th>Size</tr>{rows}</table>"))
    assert block.grid == [["City", "Size"], ["Oslo", "7"], ["Oslo", "7"]]
    assert block.warnings == ("1 column without text below the header left out: 'Image'",)


@pytest.mark.parametrize(
    "page",
    [
        '<meta charset="windows-1251"><p>Москва</p>'.encode("cp1251"),
        "<p>Москва</p>".encode(),
        '<?xml version="1.0" encoding="utf-8"?><html><body><p>Москва</p></body></html>'.encode(),
        "\ufeff<p>Москва</p>".encode("utf-16"),
    ],
)
def test_the_encoding_is_as_stated_or_found(tmp_path: Path, page: bytes) -> None:
    assert texts(read(tmp_path, page)) == ["Москва"]


def test_preformatted_text_keeps_its_lines(tmp_path: Path) -> None:
    assert texts(read(tmp_path, "<pre>\n a\n   b\n</pre>after")) == [" a\n   b", "after"]


def test_depth_spans_and_entities_made_to_hurt_do_not(tmp_path: Path) -> None:
    deep = "<div>" * 50_000 + "<p>bottom</p>"
    assert read(tmp_path, f"<p>top</p>{deep}").blocks
    nested = "<table><tr><td>x" * 3000
    assert read(tmp_path, nested).blocks
    wide = "<table>" + "<tr><td rowspan=60000 colspan=1000>x<td>y" * 3000 + "</table>"
    assert read(tmp_path, wide).blocks
    bomb = '<!DOCTYPE html [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><p>&b; and &amp; x</p>'
    assert sum(map(len, texts(read(tmp_path, bomb)))) < 200


def test_nothing_outside_the_file_is_opened(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("hush", encoding="utf-8")
    page = f'<!DOCTYPE html [<!ENTITY x SYSTEM "file://{tmp_path}/secret.txt">]><p>&x;</p><p>end</p>'
    assert "hush" not in " ".join(texts(read(tmp_path, page)))


def test_control_characters_by_reference_do_no_harm(tmp_path: Path) -> None:
    assert "end" in texts(read(tmp_path, "<p>a&#1;b<script>x</script>&#2;<br>&#11;</p>end"))


def test_a_column_of_colours_is_left_out(tmp_path: Path) -> None:
    page = "<table><tr><th colspan=2>party<th>votes<tr><td><td>Red<td>3<tr><td><td>Blue<td>4</table>"
    (table,) = tables(read(tmp_path, page))
    assert table.grid == [["party", "votes"], ["Red", "3"], ["Blue", "4"]]


def test_superscripts_do_not_run_into_numbers_and_deleted_text_is_left_out(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        """<table><tr><th>City<th>People<th>Area<th>Place
        <tr><td>Rome<td>2,800<sup>1</sup><td>12 km<sup>2</sup><td>4<sup>th</sup>
        <tr><td>Oslo<td><del>900</del><ins>700</ins><sup><a>2</a></sup><td>10<sup>6</sup> m<sup>2</sup><td>1<sup>a</sup>
        <tr hidden><td>Bonn<td>1<td>2<td>3</table>""",
    )
    (table,) = tables(document)
    assert table.grid[1:] == [["Rome", "2,800¹", "12 km²", "4th"], ["Oslo", "700²", "10⁶ m²", "1"]]
    assert document.warnings == ("1 hidden table rows were left out",)


FILING = """<table>
<tr><td></td><td colspan="3">2024</td><td></td><td colspan="3">2023</td></tr>
<tr><td>Sales</td><td>$</td><td>1,200</td><td></td><td></td><td>$</td><td>(1,100</td><td>)</td></tr>
<tr><td>Costs</td><td colspan="2">900</td><td></td><td></td><td colspan="2">(800</td><td>)</td></tr>
<tr><td>Margin</td><td colspan="2">25</td><td>%</td><td></td><td colspan="2">27.5</td><td>%</td></tr>
<tr><td>Other</td><td>$</td><td>&#8212;</td><td></td><td></td><td>A$</td><td>5</td><td></td></tr>
</table>"""


def test_signs_in_cells_of_their_own_go_with_their_numbers(tmp_path: Path) -> None:
    (table,) = tables(read(tmp_path, FILING))
    assert table.grid == [
        [None, "2024", "2023"],
        ["Sales", "$1,200", "$(1,100)"],
        ["Costs", "900", "(800)"],
        ["Margin", "25%", "27.5%"],
        ["Other", "—", "A$5"],
    ]


def test_signs_that_name_columns_stay(tmp_path: Path) -> None:
    page = """<table><tr><td>Item<td>2024<td>%<td>$<tr><td>nut<td>10<td>5<td>7<tr><td>2025<td>%<td>12<td>3</table>"""
    (table,) = tables(read(tmp_path, page))
    assert table.grid == [["Item", "2024", "%", "$"], ["nut", "10", "5", "7"], ["2025", "%", "12", "3"]]


def test_blank_cells_with_a_zero_width_space_are_blank(tmp_path: Path) -> None:
    page = "<table><tr><td>Item<td>&#8203;<td>Cost<tr><td>nut<td>&#8203;<td>1<tr><td>bolt<td>&#8203;<td>2</table>"
    (table,) = tables(read(tmp_path, page))
    assert table.grid == [["Item", "Cost"], ["nut", "1"], ["bolt", "2"]]


def test_a_hanging_first_line_is_no_indentation(tmp_path: Path) -> None:
    page = """<table><tr><td>Item<td>Cost<tr><td style="padding:2px 1pt 2px 10pt;text-indent:-9pt">a<td>1
    <tr><td style="padding:2px 1pt"><div style="padding-left:9pt;text-indent:-9pt">b</div><td>2
    <tr><td style="padding:2px 1pt 2px 19pt">c<td>3<tr><td style="padding-left:9pt">d<td>4</table>"""
    (table,) = tables(read(tmp_path, page))
    assert list(table.indents) == [0, 0, 0, 4, 2]


def test_a_table_that_a_script_shows_from_its_template_is_read(tmp_path: Path) -> None:
    table = "<table><thead><tr><th>zone<th>visited</thead><tr><td>Bo<td>27</table>"
    page = f"<div id=host></div><template>{table}</template><template><table><tr><td>{{{{ zone }}}}</table></template>"
    (read_table,) = tables(read(tmp_path, page))
    assert read_table.grid == [["zone", "visited"], ["Bo", "27"]]


def test_names_in_a_table_of_their_own_are_the_header_of_the_one_below(tmp_path: Path) -> None:
    names = "<table><tr><td>Code<td>Ministry<td>Budget<td>Spent</table>"
    rows = "<table><tr><td>14<td>Elections<td>115,437<td>105,980</table>"
    (table,) = tables(read(tmp_path, f"<center>{names}<br>{rows}</center>"))
    assert table.header_rows == 1
    assert table.grid == [["Code", "Ministry", "Budget", "Spent"], ["14", "Elections", "115,437", "105,980"]]


@pytest.mark.parametrize("between", ["<p>In all:</p>", "and"])
def test_a_text_between_keeps_two_tables_apart(tmp_path: Path, between: str) -> None:
    names = "<table><tr><td>Code<td>Ministry<td>Budget</table>"
    rows = "<table><tr><td>14<td>Elections<td>115,437<tr><td>15<td>Courts<td>98</table>"
    (table,) = tables(read(tmp_path, names + between + rows))
    assert [row[0] for row in table.grid] == ["14", "15"]
