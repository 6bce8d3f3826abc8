"""Reads the header benchmark's data files: one block of text for each workbook.

    === energy_audit | en | What is difficult about this workbook.
    --- Sheet name
    table A:F header 10-11 data 12-18     an expected table; no ``header`` where it has none
    form A:D data 3-7                     an expected key-value form
    bold 1:2 C14                          whole rows, cells or ranges
    merge A1:D1 A10:A11
    indent 1 A8:A10
    format B8:B20 C3 = #,##0.00
    cells A1                              then the cells from A1, one row a line, separated by "|"

Further settings: ``width 2 D F``, ``hide 17 K`` (rows and columns), ``freeze C2``, ``filter A1:N61``, ``hidden`` (the
sheet). Cells that read as a number, percentage, ISO date or time become one; an apostrophe in front keeps them text.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from openpyxl.utils import column_index_from_string

from benchmarks.spreadsheets.book import Book, Sheet, Truth

__all__ = ["read_books"]

BOOK, SHEET, CELLS = "=== ", "--- ", "cells "


def read_books(path: Path) -> tuple[Book, ...]:
    """Read the workbooks of one file; raise ValueError for a line that does not fit."""
    return tuple(_book(lines) for lines in _parts(path.read_text(encoding="utf-8").splitlines(), BOOK))


def _parts(lines: Sequence[str], mark: str) -> Iterator[list[str]]:
    """Yield the parts of some lines, each begun by a mark, which is left out."""
    starts = [i for i, line in enumerate(lines) if line.startswith(mark)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield [lines[start].removeprefix(mark), *lines[start + 1 : end]]


def _book(lines: Sequence[str]) -> Book:
    name, language, about = lines[0].split(" | ")
    read = [_sheet(part) for part in _parts(lines, SHEET)]
    return Book(name, language, about, [s for s, _ in read], [t for _, truths in read for t in truths])


def _sheet(lines: Sequence[str]) -> tuple[Sheet, list[Truth]]:
    name, *body = lines
    start = next(i for i, line in enumerate(body) if line.startswith(CELLS))
    truths, settings = [], []
    for line in body[:start]:
        word, *arguments = line.split()
        if word in ("table", "form"):
            truths.append(_truth(name, word, arguments))
        elif word == "format":
            ranges, number_format = line.removeprefix("format ").split(" = ")
            settings.append((word, [*ranges.split(), number_format]))
        else:
            settings.append((word, arguments))
    return Sheet(name, settings, body[start].removeprefix(CELLS), body[start + 1 :]), truths


def _truth(sheet: str, kind: str, arguments: Sequence[str]) -> Truth:
    """Read ``table B:H header 4-5 data 6-14``, without header where there is none, or ``form B:C data 6-14``."""
    columns, *rest = arguments
    rows = dict(zip(rest[::2], map(_rows, rest[1::2]), strict=True))
    first, last = map(column_index_from_string, columns.split(":"))
    return Truth(sheet, rows.get("header"), rows["data"], (first, last), is_form=kind == "form")


def _rows(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first), int(last or first)
