"""What a made-up workbook consists of: its builder, the truth about its tables, and helpers to place cells."""

import io
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.utils import column_index_from_string, get_column_letter, range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

__all__ = ["Book", "Truth", "book", "derive", "form", "indent", "merge", "number_in", "put", "show", "sums", "table"]

SAVED = datetime(2024, 6, 3, 9, 30)
"""When each workbook claims to have been saved: files are the same in every run."""
LINE_BREAK = "⏎"
"""How a line break within a cell is written in the grids of this package."""
RESULT = " => "
"""What parts a formula from its value; the archive holds both, as when a spreadsheet program saved it."""
FORMULA = re.compile(r"<f>([^<]*?) =&gt; ([^<]*)</f><v ?(?:/>|></v>)")
MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")

CellValue = str | int | float | bool | date | datetime | time


@dataclass(frozen=True, slots=True)
class Truth:
    """What a person who looks at the sheet says of one table; rows and columns are the sheet's own, from 1.

    Conventions: a title or a line such as "in EUR" above the columns' names is no header row; a row of group
    names, of units or of column numbers between the names and the first row is one. Section rows, subtotals
    and totals (also when they stand right below the names) are data; notes, sources and signatures below are
    not. A blank row between header and data belongs to neither. A legend is a form; a
    single line of labels and values above a table ("Department: Stores, March 2024") is no table.
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
        """Return the first and last row of header and data together."""
        return (self.header[0] if self.header else self.data[0], self.data[1])


@dataclass(frozen=True, slots=True)
class Book:
    """A workbook that is built anew on each run, and what is true of it."""

    name: str
    language: str
    """ISO 639-1."""
    build: Callable[[Workbook], None]
    truths: tuple[Truth, ...]

    def write(self, folder: Path) -> Path:
        """Write the workbook to a folder; the file's bytes are the same each time."""
        workbook = Workbook()
        workbook.remove(workbook.active)
        workbook.properties.created = SAVED
        self.build(workbook)
        buffer = io.BytesIO()
        workbook.save(buffer)
        path = folder / f"{self.name}.xlsx"
        _settle(buffer, path)
        return path


def book(name: str, language: str, *truths: Truth) -> Callable[[Callable[[Workbook], None]], Book]:
    """Make a builder a book: the truth stands in the decorator, right above what it is about."""
    return lambda build: Book(name, language, build, truths)


def table(sheet: str, columns: str, header: tuple[int, int] | int | None, data: tuple[int, int]) -> Truth:
    """State a table: columns as letters ("B:H"), header rows as one number or first and last."""
    return Truth(sheet, (header, header) if isinstance(header, int) else header, data, _columns(columns))


def form(sheet: str, columns: str, rows: tuple[int, int]) -> Truth:
    """State a key-value form."""
    return Truth(sheet, None, rows, _columns(columns), is_form=True)


def _columns(letters: str) -> tuple[int, int]:
    first, last = letters.split(":")
    return column_index_from_string(first), column_index_from_string(last)


def put(sheet: Worksheet, at: str, grid: str, bold: int = 0) -> None:
    """Write a grid of lines with cells parted by "|" from a cell on; the first ``bold`` rows are set bold.

    A cell that reads as a number, percentage, ISO date or time becomes one, with its usual format; an
    apostrophe in front keeps it text. A blank line is a blank row.
    """
    left, top, _, _ = range_boundaries(at)
    lines = grid.strip("\n").splitlines()
    if lines and not lines[-1].strip():
        lines.pop()
    for row, line in enumerate(lines, start=top):
        for column, text in enumerate(line.split("|"), start=left):
            value, number_format = _value(text.strip())
            if value is None:
                continue
            cell = sheet.cell(row, column, value)
            if number_format:
                cell.number_format = number_format
            if isinstance(value, str) and "\n" in value:
                cell.alignment = Alignment(wrap_text=True)
            if row < top + bold:
                cell.font = Font(bold=True)


def _value(text: str) -> tuple[CellValue | None, str]:
    """Return what a cell's text means, and its number format where it is not the usual one."""
    if not text:
        return None, ""
    if text.startswith("'"):
        return text[1:], ""
    if re.fullmatch(r"-?(0|[1-9]\d*)", text):
        return int(text), ""
    if re.fullmatch(r"-?\d+\.\d+", text):
        return float(text), ""
    if found := re.fullmatch(r"(-?\d+)(?:\.(\d+))?%", text):
        digits = len(found[2] or "")
        return round(float(text[:-1]) / 100, digits + 2), f"0.{'0' * digits}%" if digits else "0%"
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return date.fromisoformat(text), "yyyy-mm-dd"
    if re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", text):
        return datetime.fromisoformat(text), "yyyy-mm-dd hh:mm"
    if re.fullmatch(r"\d\d:\d\d", text):
        return time.fromisoformat(text), "hh:mm"
    return text.replace(LINE_BREAK, "\n"), ""


def merge(sheet: Worksheet, *ranges: str) -> None:
    """Merge ranges; their first cell's text is centred, as people do."""
    for cells in ranges:
        sheet.merge_cells(cells)
        first = sheet[cells.split(":")[0]]
        first.alignment = Alignment(horizontal="center", vertical="center", wrap_text=True)


def show(sheet: Worksheet, cells: str, number_format: str) -> None:
    """Give the numbers of a range a number format."""
    for row in sheet[cells]:
        for cell in row:
            if cell.data_type == "n" or _is_formula(cell.value):
                cell.number_format = number_format


def indent(sheet: Worksheet, cells: str, level: int = 1) -> None:
    """Indent the cells of a range."""
    for row in sheet[cells]:
        for cell in row:
            cell.alignment = Alignment(indent=level)


def sums(sheet: Worksheet, cells: str, rows: tuple[int, int], bold: bool = True) -> None:
    """Write into each cell of one row the formula that adds up the rows given, with its value."""
    left, top, right, _ = range_boundaries(cells)
    for column in range(left, right + 1):
        letter = get_column_letter(column)
        amount = sum(_number(sheet.cell(row, column).value) for row in range(rows[0], rows[1] + 1))
        cell = sheet.cell(top, column, f"=SUM({letter}{rows[0]}:{letter}{rows[1]}){RESULT}{amount:.10g}")
        cell.font = Font(bold=bold)


def derive(
    sheet: Worksheet, cells: str, formula: str, inputs: Sequence[str], function: Callable[..., float | int]
) -> None:
    """Write into each cell of one column a formula of its row ("=C{0}-D{0}") with the value computed from inputs.

    Rows that lack one of the inputs are left as they are.
    """
    column, top, _, bottom = range_boundaries(cells)
    for row in range(top, bottom + 1):
        values = [sheet[f"{letter}{row}"].value for letter in inputs]
        if any(v is None or (isinstance(v, str) and not _is_formula(v)) for v in values):
            continue
        result = function(*map(_number, values))
        sheet.cell(row, column, f"{formula.format(row)}{RESULT}{result:.10g}")


def number_in(sheet: Worksheet, cell: str) -> float | int:
    """Return the number that a cell holds or that its formula was written with."""
    return _number(sheet[cell].value)


def _is_formula(value: object) -> bool:
    return isinstance(value, str) and value.startswith("=") and RESULT in value


def _number(value: object) -> float | int:
    """Return a cell's number, that of a formula too; 0 for anything else."""
    if isinstance(value, str) and _is_formula(value):
        return float(value.split(RESULT)[1])
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0


def _settle(buffer: io.BytesIO, path: Path) -> None:
    """Write the archive anew: formulas with their values, and without the time of writing."""
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for member in source.namelist():
            content = source.read(member)
            if member.startswith("xl/worksheets/"):
                content = FORMULA.sub(r"<f>\1</f><v>\2</v>", content.decode()).encode()
            elif member == "docProps/core.xml":
                content = MODIFIED.sub(rb"\g<1>" + f"{SAVED.isoformat()}Z".encode(), content)
            target.writestr(zipfile.ZipInfo(member, (1980, 1, 1, 0, 0, 0)), content)
