"""The synthetic spreadsheets of the header benchmark: deterministic, with plausible expected tables."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from benchmarks.spreadsheets import BOOKS, HELD_OUT, HELD_OUT_TWO, Book, Truth

ALL = [*BOOKS, *HELD_OUT, *HELD_OUT_TWO]
IDS = [book.name for book in ALL]


def test_there_are_forty_books_in_six_languages() -> None:
    assert len(BOOKS) == len({book.name for book in BOOKS}) == 40
    assert sum(len(book.truths) for book in BOOKS) >= 60
    languages = [book.language for book in BOOKS]
    assert languages.count("zh") >= 10
    assert set(languages) == {"en", "zh", "de", "fr", "es", "ja"}


def test_fourteen_more_books_are_held_out() -> None:
    assert len(HELD_OUT) == 14
    assert len(set(IDS)) == len(ALL)
    assert sum(len(book.truths) for book in HELD_OUT) >= 30
    languages = [book.language for book in HELD_OUT]
    assert languages.count("zh") >= 4
    assert set(languages) == {"en", "zh", "de", "ru", "it"}


def test_eight_more_books_are_held_out_in_a_second_set() -> None:
    assert len(HELD_OUT_TWO) == 8
    assert sum(len(book.truths) for book in HELD_OUT_TWO) >= 30
    languages = [book.language for book in HELD_OUT_TWO]
    assert languages.count("zh") == 3
    assert set(languages) == {"en", "zh", "fr", "pt"}


@pytest.mark.parametrize("book", ALL, ids=IDS)
def test_a_book_is_the_same_each_time(book: Book, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    assert book.write(first).read_bytes() == book.write(second).read_bytes()


@pytest.mark.parametrize("book", ALL, ids=IDS)
def test_truths_stand_on_filled_cells_and_apart(book: Book, tmp_path: Path) -> None:
    workbook = load_workbook(book.write(tmp_path), data_only=True)
    assert {truth.sheet for truth in book.truths} == set(workbook.sheetnames)
    for truth in book.truths:
        cells = filled_cells(workbook[truth.sheet])
        edges = [truth.rows[0], truth.rows[1], *(truth.header or ()), truth.data[0]]
        assert all(any(inside(cells[row - 1], truth)) for row in edges)
        body = [inside(row, truth) for row in cells[truth.rows[0] - 1 : truth.rows[1]]]
        assert any(row[0] is not None for row in body)
        assert any(row[-1] is not None for row in body)
        assert truth.header is None or truth.header[1] < truth.data[0]
    tables = [(t, other) for i, t in enumerate(book.truths) for other in book.truths[:i] if t.sheet == other.sheet]
    assert not any(overlap(a.rows, b.rows) and overlap(a.columns, b.columns) for a, b in tables)


def filled_cells(sheet: Worksheet) -> list[list[object]]:
    """Return a sheet's cells, with merged ones filled."""
    cells = [[c.value for c in row] for row in sheet.iter_rows()]
    for merged in sheet.merged_cells.ranges:
        for row, column in merged.cells:
            cells[row - 1][column - 1] = cells[merged.min_row - 1][merged.min_col - 1]
    return cells


def inside(row: Sequence[object], truth: Truth) -> Sequence[object]:
    """Return a row's cells in the expected columns."""
    return row[truth.columns[0] - 1 : truth.columns[1]]


def overlap(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]
