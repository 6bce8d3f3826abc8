"""RTF documents."""

from pathlib import Path

import pytest

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers import read_document
from tablerag.tools.errors import UnreadableDocument
from tests.ingestion.readers.blocks import outline, tables, texts

HEAD = (
    r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 MS;}}"
    r"{\stylesheet{\s0 Normal;}{\s1\b heading 1;}}{\info{\title The manual}{\author Ada}}"
)


def read(tmp_path: Path, body: str, head: str = HEAD) -> Document:
    path = tmp_path / "t.rtf"
    path.write_bytes((head + body + "}").encode("latin-1"))
    return read_document(path)


def row(*cells: str, edges: tuple[str, ...] = ("1000", "2000"), marks: str = "") -> str:
    ends = "".join(rf"\cellx{e}" for e in edges)
    return rf"\trowd{marks}{ends}" + "".join(rf"\pard\intbl {c}\cell" for c in cells) + r"\row "


def test_headings_paragraphs_lists_and_tables(tmp_path: Path) -> None:
    table = row("item", "price", marks=r"\trhdr") + row("nut", r"2\par EUR")
    document = read(
        tmp_path,
        r"{\header top}\pard\s1 Prices\par\pard One {\b two}\~three{\footnote x}\par"
        rf"\pard\ls1 {{\listtext *}}first\par {table}\pard End",
    )
    assert document.title == "The manual"
    assert outline(document) == ["Prices", "One two\xa0three", "- first", "TABLE item", "End"]
    (found,) = tables(document)
    assert (found.grid[1], found.header_rows, str(found.locator)) == (["nut", "2\nEUR"], 1, "rows 1-2, Prices")


def test_wider_and_merged_cells_are_filled(tmp_path: Path) -> None:
    wide = row("2024", "total", edges=("2000", "3000"))
    rest = [row("Q1", "Q2", "all", edges=("1010", "2000", "3000")), row("1", "2", "", edges=("1000", "2000", "3000"))]
    (table,) = tables(read(tmp_path, wide + "".join(rest)))
    assert table.grid == [["2024", "2024", "total"], ["Q1", "Q2", "all"], ["1", "2", None]]


def test_characters_of_all_kinds(tmp_path: Path) -> None:
    body = r"\pard\f0 Gr\'fc\'dfe \u8364? \u-10179?\u-8704? {\f1 \'cc\'e8\'f0} {\f2 \'93\'fa\'96\'7b}"
    assert texts(read(tmp_path, body + r"{\v hidden}\par {\pict 00ff}x")) == ["Grüße € 😀 Мир 日本", "x"]


@pytest.mark.parametrize(
    ("head", "body"),
    [("words", ""), ("", "{" * 20_000), (HEAD, r"{\pict " + "00" * 500_000 + "}"), (HEAD, r"\bin99999999999 x")],
)
def test_hostile_and_other_files_are_one_line(tmp_path: Path, head: str, body: str) -> None:
    with pytest.raises(UnreadableDocument, match=r"not an RTF|no text and no tables"):
        read(tmp_path, body, head or "{\\rtf1")
