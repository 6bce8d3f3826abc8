"""XLSX workbooks: values with their formats, through openpyxl."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from openpyxl.cell import Cell, MergedCell
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.workbook import Workbook
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from tablerag.ingestion.document import Amount, Block, Document, RawCell
from tablerag.ingestion.readers.archives import DAMAGE, check_archive, unreadable
from tablerag.ingestion.readers.calamine import read_calamine
from tablerag.ingestion.readers.grids import MAX_CELLS, Grid, Sheet, grid_blocks, is_blank, padded
from tablerag.ingestion.readers.merges import fill_merges, merge_warnings
from tablerag.ingestion.readers.office_parts import opened
from tablerag.ingestion.readers.xlsx_cells import OddXml, SheetRow, WorkbookReader, rows_of_sheet
from tablerag.ingestion.readers.xlsx_parts import formulas_without_value, sheet_layout, spanned_cells
from tablerag.tools.counting import counted
from tablerag.tools.errors import UnreadableDocument
from tablerag.tools.number_words import SIGNS

__all__ = ["read_xlsx"]

ERRORS = (InvalidFileException, OSError, *DAMAGE)
MAX_ROWS = 1_048_576
"""The most rows of a worksheet; one with more is made to exhaust memory."""
MAX_SEEN = 2 * MAX_CELLS
"""The most cells visited, including those that pad a row to its last cell: about fifteen seconds."""
CURRENCY_CODE = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
SCALING = re.compile(r"[0#?],+(?![0#?])")
WORDED_UNIT = re.compile(rf"[^\W\d_]{{1,6}}[²³]?(?:/[^\W\d_]{{1,4}}[²³]?)?|[{SIGNS}°]|°[CF]")
"""Matches quoted text of a number format that may be a unit."""


def read_xlsx(path: Path) -> Document:
    """Read all worksheets; formulas give their last computed values."""
    check_archive(path, "an XLSX workbook")
    try:
        reader = WorkbookReader(opened(path), read_only=True, data_only=True, keep_links=False)
        try:
            reader.read()
            return _document(path, reader.wb, reader.archive)
        finally:
            reader.archive.close()
    except ERRORS as error:
        return _second_reading(path, error)


def _second_reading(path: Path, error: Exception) -> Document:
    """Read only the values of a workbook that openpyxl cannot; raise UnreadableDocument if that fails too."""
    try:
        # python-calamine allocates memory for all cells from A1 to the last one, filled or not.
        if spanned_cells(path) > MAX_CELLS:
            raise error
        document = read_calamine(path)
    except (UnreadableDocument, *ERRORS):
        raise unreadable("an XLSX workbook") from error
    warning = "number formats could not be read: percentages are given as fractions"
    return Document(path, document.title, document.blocks, (*document.warnings, warning))


def _document(path: Path, workbook: Workbook, archive: ZipFile) -> Document:
    blocks: list[Block] = []
    warnings = []
    missing = 0
    for sheet in workbook.worksheets:
        if sheet.sheet_state != "visible":
            warnings.append(f"sheet {sheet.title} is hidden")
        content = archive.read(sheet._worksheet_path)  # pyright: ignore[reportAttributeAccessIssue]
        missing += formulas_without_value(content)
        blocks += _sheet_blocks(sheet, content)
    if missing:
        warnings.append(f"{missing} formulas have no stored value and are empty: open the workbook and save it once")
    title = workbook.properties.title if isinstance(workbook.properties.title, str) else ""
    return Document(path, title.strip() or path.stem, blocks, tuple(warnings))


def _sheet_blocks(sheet: ReadOnlyWorksheet, content: bytes) -> list[Block]:
    try:
        rows, indents, errors = _collected(sheet, rows_of_sheet(sheet, content, _typed))
    except OddXml:
        rows, indents, errors = _collected(sheet, _slow_rows(sheet))
    grid = padded(rows, f"sheet {sheet.title}")
    layout = sheet_layout(content)
    warnings = merge_warnings(fill_merges(grid, layout.merges))
    if errors:
        warnings += (f"{counted(errors, 'cell')} with a spreadsheet error such as #DIV/0!: read as empty",)
    if layout.hidden_columns:
        warnings += (f"{layout.hidden_columns} hidden columns were kept",)
    facts = Sheet(
        sheet.title,
        is_lettered=True,
        warnings=warnings,
        hidden=sheet.sheet_state != "visible",
        hidden_rows=layout.hidden_rows,
        indents=indents,
    )
    return grid_blocks(grid, facts)


def _slow_rows(sheet: ReadOnlyWorksheet) -> Iterator[SheetRow]:
    for row in sheet.iter_rows():
        yield SheetRow([_value(c) for c in row], sum(c.data_type == "e" for c in row), _indent(row))


def _collected(sheet: ReadOnlyWorksheet, found: Iterable[SheetRow]) -> tuple[Grid, dict[int, int], int]:
    """Return the rows up to the last filled one, their indentations by number, and the number of errors."""
    rows: Grid = []
    indents: dict[int, int] = {}
    errors = used = cells = 0
    for number, row in enumerate(found, start=1):
        values, width = row.values, len(row.values)
        errors += row.errors
        while values and is_blank(values[-1]):
            values.pop()
        rows.append(values)
        cells += width
        if number > MAX_ROWS or cells > MAX_SEEN:
            raise UnreadableDocument(
                f"sheet {sheet.title} spans more than {min(number, MAX_ROWS):,} rows x {width:,} columns: "
                "delete cells far from the tables, or split the file"
            )
        if values:
            used = len(rows)
            if row.indent:
                indents[number] = row.indent
    return rows[:used], indents, errors


def _indent(row: Sequence[Cell | MergedCell]) -> int:
    """Return the indentation of the row's first filled cell."""
    first = next((c for c in row if c.value is not None), None)
    if first is None or not isinstance(first.value, str) or not first.has_style:
        return 0
    return int(first.alignment.indent or 0)


def _value(cell: Cell | MergedCell) -> RawCell:
    """Return a cell's value with what its format adds: days, units, leading zeros."""
    value = cell.value
    if value is None or isinstance(value, (str, bool)):
        return None if cell.data_type == "e" else value
    return _typed(value, cell.number_format)


def _typed(value: Any, number_format: str) -> RawCell:
    """Return a number or time with what its format adds."""
    if isinstance(value, datetime):
        return value.date() if value.time() == time() and not re.search("[hHsS]", number_format) else value
    if isinstance(value, timedelta):
        return _span(value)
    if isinstance(value, (int, float)):
        return _formatted(value, number_format)
    return value if isinstance(value, (date, time, Decimal)) else str(value)


def _span(value: timedelta) -> str:
    """Return a span of time as h:mm:ss."""
    seconds = round(value.total_seconds())
    sign = "-" if seconds < 0 else ""
    return f"{sign}{abs(seconds) // 3600}:{abs(seconds) // 60 % 60:02d}:{abs(seconds) % 60:02d}"


def _formatted(value: int | float, number_format: str) -> RawCell:
    if number_format == "General":
        return value
    unit = unit_of_format(number_format)
    if unit == "%":
        # Spreadsheets have 15 digits; more would show binary rounding errors.
        return Amount(float(f"{value * 100:.15g}"), "%")
    if unit:
        return Amount(value, unit)
    if isinstance(value, int) and value >= 0 and re.fullmatch("00+", number_format):
        return str(value).zfill(len(number_format))
    return value


@lru_cache(maxsize=1000)
def unit_of_format(number_format: str) -> str:
    """Return the unit of a number format: %, a currency or a short quoted word."""
    shown = number_format.split(";")[0]
    marked = CURRENCY_CODE.findall(shown)
    quoted = [q.strip() for q in re.findall(r'"([^"]*)"', shown)]
    bare = re.sub(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]', "", shown)
    if "%" in bare:
        return "%"
    if currency := next((m for m in [*marked, *re.findall(f"[{SIGNS}]", bare)] if m.strip()), ""):
        return currency.strip()
    if SCALING.search(bare):
        return ""  # trailing commas divide the number shown, so its word is not the unit of the value
    return next((q for q in quoted if WORDED_UNIT.fullmatch(q)), "")
