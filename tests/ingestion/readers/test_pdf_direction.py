"""PDF text in Arabic and Hebrew is read in logical order, with the numbers and Latin words in it."""

from pathlib import Path

import pytest

from tablerag.ingestion.readers import read_document
from tests.ingestion.readers.blocks import tables, texts
from tests.ingestion.readers.pdfs import write_glyphs

LINES = {
    "hebrew": ("ילקיתהתהנש", "שנהתהתיקלי"),
    "number in hebrew": (".2024 תנשב םולש", "שלום בשנת 2024."),
    "percentage": ("%12.5 לש היילע", "עלייה של %12.5"),
    "date and time": ("09:30 העשב 12/05/2024 םויב", "ביום 12/05/2024 בשעה 09:30"),
    "brackets": ("(הרעה) הלימ (2024 תנש)", "(שנת 2024) מילה (הערה)"),
    "latin phrase": (".Big Data, Python תפשב םישדח םידומיל", "לימודים חדשים בשפת Big Data, Python."),
    "glued latin": ("Pythonו R תפש", "שפת R ו Python"),
    "hyphen": ("ביבא-לת ריע", "עיר תל-אביב"),
    "arabic": ("ةيبرعلا ةغللا", "اللغة العربية"),
    "arabic digits": ("٢٠٢٤ ةنس", "سنة ٢٠٢٤"),
    "shaped arabic": ("\ufef2\ufe91\ufeae\ufecb", "عربي"),
    "shaped ligature": ("\ufedf\ufe8e\ufed3 \ufefb", "لا فال"),
    "hebrew in english": ("The word םולש תכרב (peace) ends", "The word ברכת שלום (peace) ends"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.pdf"


@pytest.mark.parametrize("name", LINES)
def test_lines_are_read_in_logical_order(path: Path, name: str) -> None:
    shown, logical = LINES[name]
    write_glyphs(path, [(60, 700, shown)])
    assert texts(read_document(path)) == [logical]


def test_vowel_signs_stay_with_their_letters(path: Path) -> None:
    write_glyphs(path, [(60, 700, "איב"), (73, 700, "\u05b8"), (78, 700, " םולש")])
    assert texts(read_document(path)) == ["שלום ב\u05b8יא"]


def test_the_right_column_is_read_first(path: Path) -> None:
    left = [(60, 700 - 12 * i, "ילאמש רוטב תכשמנש הרוש") for i in range(12)]
    right = [(320, 700 - 12 * i, "ינמי רוטב תכשמנש הרוש") for i in range(12)]
    write_glyphs(path, [*left, *right])
    joined = " ".join(texts(read_document(path)))
    assert joined.rindex("ימני") < joined.index("שמאלי")


def test_cells_are_read_in_logical_order(path: Path) -> None:
    rows = [("םוכס", "ריע"), ("12", "ביבא לת"), ("34", "הפיח")]
    rules = [f"{x} 665 m {x} 713 l S" for x in (56, 190, 300)]
    rules += [f"56 {y} m 300 {y} l S" for y in (713, 697, 681, 665)]
    lines = [(x, 701 - 16 * i, cell) for i, row in enumerate(rows) for x, cell in zip((60, 200), row, strict=True)]
    write_glyphs(path, lines, " ".join(rules))
    (table,) = tables(read_document(path))
    assert table.grid == [["סכום", "עיר"], ["12", "תל אביב"], ["34", "חיפה"]]
