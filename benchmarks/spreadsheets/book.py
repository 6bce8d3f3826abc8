"""Synthetic workbooks for the header benchmark, and the expected tables in each."""

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path

from openpyxl import Workbook
from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

__all__ = ["Book", "Sheet", "Truth"]

SAVED = datetime(2024, 6, 3, 9, 30)
"""The time of saving that each workbook states, so that every run writes the same bytes."""
LINE_BREAK = "⏎"
"""Stands for a line break within a cell."""
RESULT = " => "
"""Separates a formula from its value; the archive holds both, as when a spreadsheet program saved it."""
FORMULA = re.compile(r"<f>([^<]*?) =&gt; ([^<]*)</f><v ?(?:/>|></v>)")
MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")

CellValue = str | int | float | date | datetime | time


@dataclass(frozen=True, slots=True)
class Truth:
    """One table as a person would mark it; rows and columns are the sheet's own, from 1.

    Conventions: a title, or a line such as "in EUR" above the column names, is not a header row; a row of group
    names, units or column numbers between the names and the first row is. Section rows, subtotals and totals
    (also directly below the names) are data; notes, sources and signatures below are not. A blank row between
    header and data belongs to neither. A legend is a form; a single line of labels and values above a table
    ("Department: Stores, March 2024") is not a table.
    """

    sheet: str
    header: tuple[int, int] | None
    """First and last header row; None for a form or a table without header."""
    data: tuple[int, int]
    columns: tuple[int, int]
    is_form: bool = False
    """Whether it is a key-value form: labels with one value each."""

    @property
    def rows(self) -> tuple[int, int]:
        """The first and last row of header and data together."""
        return (self.header[0] if self.header else self.data[0], self.data[1])


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as its file describes it: settings such as ``merge`` with their arguments, and rows of cells."""

    name: str
    settings: Sequence[tuple[str, Sequence[str]]]
    start: str
    """The first cell of ``lines``."""
    lines: Sequence[str]

    def build(self, sheet: Worksheet) -> None:
        """Fill an empty sheet; a setting applies after the cells, in the file's order."""
        left, top, _, _ = range_boundaries(self.start)
        for row, line in enumerate(self.lines, start=top):
            for column, text in enumerate(line.split("|"), start=left):
                if text.strip():
                    _fill(sheet.cell(row, column), text.strip())
        for name, arguments in self.settings:
            _apply(sheet, name, arguments)


@dataclass(frozen=True, slots=True)
class Book:
    """A workbook with the tables that a reader should find in it."""

    name: str
    language: str
    """ISO 639-1."""
    about: str
    sheets: Sequence[Sheet]
    truths: Sequence[Truth]

    def write(self, folder: Path) -> Path:
        """Write the workbook to a folder; every call writes the same bytes."""
        workbook = Workbook()
        workbook.remove(workbook.active)
        workbook.properties.created = SAVED
        for sheet in self.sheets:
            sheet.build(workbook.create_sheet(sheet.name))
        buffer = io.BytesIO()
        workbook.save(buffer)
        path = folder / f"{self.name}.xlsx"
        _settle(buffer, path)
        return path


def _fill(cell: Cell, text: str) -> None:
    cell.value, number_format = _value(text)
    if number_format:
        cell.number_format = number_format
    if isinstance(cell.value, str) and "\n" in cell.value:
        cell.alignment = Alignment(wrap_text=True)


def _value(text: str) -> tuple[CellValue, str]:
    """Return the value that a cell's text stands for, and its number format unless it is General."""
    if text.startswith("'"):
        return text[1:].replace(LINE_BREAK, "\n"), ""
    if re.fullmatch(r"-?(0|[1-9]\d*)", text):
        return int(text), ""
    if re.fullmatch(r"-?\d+\.\d+", text):
        return float(text), ""
    if found := re.fullmatch(r"(-?\d+)(?:\.(\d+))?%", text):
        digits = len(found[2] or "")
        return round(float(text[:-1]) / 100, digits + 2), f"0.{'0' * digits}%" if digits else "0%"
    for kind, number_format in ((date, "yyyy-mm-dd"), (datetime, "yyyy-mm-dd hh:mm"), (time, "hh:mm")):
        if re.fullmatch(re.sub(r"[ymdh]", r"\\d", number_format), text):
            return kind.fromisoformat(text), number_format
    return text.replace(LINE_BREAK, "\n"), ""


def _apply(sheet: Worksheet, name: str, arguments: Sequence[str]) -> None:
    """Carry out one setting of a sheet; parsing.py lists them."""
    match name, arguments:
        case "merge", _:
            for cells in arguments:
                sheet.merge_cells(cells)
                corner = sheet[cells.split(":")[0]]
                corner.alignment = Alignment(horizontal="center", vertical="center", wrap_text=True)
        case "bold", _:
            for cell in _cells(sheet, arguments):
                if cell.value is not None:
                    cell.font = Font(bold=True)
        case "indent", (level, *ranges):
            for cell in _cells(sheet, ranges):
                cell.alignment = Alignment(indent=int(level))
        case "format", (*ranges, number_format):
            for cell in _cells(sheet, ranges):
                if cell.data_type in ("n", "d", "f"):
                    cell.number_format = number_format
        case "width", (width, *columns):
            for column in columns:
                sheet.column_dimensions[column].width = float(width)
        case "hide", _:
            for place in arguments:
                hidden = sheet.row_dimensions[int(place)] if place.isdigit() else sheet.column_dimensions[place]
                hidden.hidden = True
        case "freeze", (cell,):
            sheet.freeze_panes = cell
        case "filter", (cells,):
            sheet.auto_filter.ref = cells
        case "hidden", ():
            sheet.sheet_state = "hidden"
        case _:
            raise ValueError(f"sheet {sheet.title!r}: unknown setting {name!r} with {arguments}")


def _cells(sheet: Worksheet, ranges: Sequence[str]) -> Iterator[Cell | MergedCell]:
    """Yield the cells of ranges such as B4:C9, B4, or 1:3 for whole rows."""
    for cells in ranges:
        left, top, right, bottom = range_boundaries(cells)
        for row in sheet.iter_rows(top, bottom, left, right):
            yield from row


def _settle(buffer: io.BytesIO, path: Path) -> None:
    """Rewrite the archive with the value of each formula and without the time of writing."""
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for member in source.namelist():
            content = source.read(member)
            if member.startswith("xl/worksheets/"):
                content = FORMULA.sub(r"<f>\1</f><v>\2</v>", content.decode()).encode()
            elif member == "docProps/core.xml":
                content = MODIFIED.sub(rb"\g<1>" + f"{SAVED.isoformat()}Z".encode(), content)
            target.writestr(zipfile.ZipInfo(member, (1980, 1, 1, 0, 0, 0)), content)
