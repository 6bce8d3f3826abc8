"""XLSX workbooks: values with their formats, through openpyxl."""

import re
import zipfile
import zlib
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from functools import lru_cache
from pathlib import Path

from openpyxl import load_workbook
from openpyxl.cell import Cell
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.workbook import Workbook
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from tablerag.ingestion.document import Amount, Block, Document, RawCell
from tablerag.ingestion.readers.archives import check_archive
from tablerag.ingestion.readers.calamine import read_calamine
from tablerag.ingestion.readers.grids import MAX_CELLS, Grid, Sheet, grid_blocks, is_blank, padded
from tablerag.ingestion.readers.merges import fill_merges, merge_warnings
from tablerag.ingestion.readers.xlsx_parts import formulas_without_value, sheet_layout, spanned_cells
from tablerag.tools.errors import UnreadableDocument
from tablerag.tools.number_words import SIGNS

__all__ = ["read_xlsx"]

ERRORS = (
    InvalidFileException,
    zipfile.BadZipFile,
    SyntaxError,
    zlib.error,
    AttributeError,
    EOFError,
    IndexError,
    KeyError,
    NotImplementedError,
    OSError,
    TypeError,
    ValueError,
)
"""What openpyxl lets through of a damaged or unusual workbook; XML parsers' errors are SyntaxErrors."""


MAX_ROWS = 1_048_576
"""Rows that a worksheet may have; one that states more is made to exhaust memory."""
MAX_SEEN = 2 * MAX_CELLS
"""Cells gone through, those that pad a row to its last one counted: some fifteen seconds."""
CURRENCY_CODE = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
SCALING = re.compile(r"[0#?],+(?![0#?])")
WORDED_UNIT = re.compile(rf"[^\W\d_]{{1,6}}[²³]?(?:/[^\W\d_]{{1,4}}[²³]?)?|[{SIGNS}°]|°[CF]")
"""What may stand in quotes beside a number and be its unit."""


def read_xlsx(path: Path) -> Document:
    """Read all worksheets; formulas are read as the values last computed."""
    check_archive(path, "an XLSX workbook")
    try:
        workbook = load_workbook(path, read_only=True, data_only=True, keep_links=False)
        try:
            return _document(path, workbook)
        finally:
            workbook.close()
    except ERRORS as error:
        return _second_reading(path, error)


def _second_reading(path: Path, error: Exception) -> Document:
    """Read what openpyxl cannot by values alone; raise UnreadableDocument when that fails too."""
    try:
        # python-calamine sets memory aside for all cells from A1 to the last one, filled or not.
        if spanned_cells(path) > MAX_CELLS:
            raise error
        document = read_calamine(path)
    except (UnreadableDocument, *ERRORS):
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise UnreadableDocument(
            f"is no XLSX workbook that can be read ({reason}): open it and save it anew"
        ) from error
    warning = "number formats could not be read: percentages are given as fractions"
    return Document(path, document.title, document.blocks, (*document.warnings, warning))


def _document(path: Path, workbook: Workbook) -> Document:
    blocks: list[Block] = []
    warnings = []
    for sheet in workbook.worksheets:
        if sheet.sheet_state != "visible":
            warnings.append(f"sheet {sheet.title} is hidden")
        blocks += _sheet_blocks(sheet, path)
    missing = formulas_without_value(path)
    if missing:
        warnings.append(f"{missing} formulas have no stored value and are empty: open the workbook and save it once")
    title = workbook.properties.title if isinstance(workbook.properties.title, str) else ""
    return Document(path, title.strip() or path.stem, blocks, tuple(warnings))


def _sheet_blocks(sheet: ReadOnlyWorksheet, path: Path) -> list[Block]:
    # The size that a sheet states is often wrong; without it rows come as long as they are.
    sheet.reset_dimensions()
    rows: Grid = []
    indents: dict[int, int] = {}
    errors = used = cells = 0
    for number, row in enumerate(sheet.iter_rows(), start=1):
        values = [_value(c) for c in row]
        errors += sum(c.data_type == "e" for c in row)
        while values and is_blank(values[-1]):
            values.pop()
        rows.append(values)
        cells += len(row)
        if number > MAX_ROWS or cells > MAX_SEEN:
            raise UnreadableDocument(
                f"sheet {sheet.title} spans more than {min(number, MAX_ROWS)} rows x {len(row)} columns: "
                "delete what stands far from the tables, or split it"
            )
        if values:
            used = len(rows)
            if level := _indent(row):
                indents[number] = level
    grid = padded(rows[:used], f"sheet {sheet.title}")
    layout = sheet_layout(path, sheet._worksheet_path)
    warnings = merge_warnings(fill_merges(grid, layout.merges))
    if errors:
        warnings += (f"{errors} cells hold a spreadsheet error such as #DIV/0! and were read as empty",)
    if layout.hidden_columns:
        warnings += (f"{layout.hidden_columns} columns are hidden in the source; they are kept",)
    facts = Sheet(
        sheet.title,
        is_lettered=True,
        warnings=warnings,
        hidden=sheet.sheet_state != "visible",
        hidden_rows=layout.hidden_rows,
        indents=indents,
    )
    return grid_blocks(grid, facts)


def _indent(row: Sequence[Cell]) -> int:
    """Return how far the row's first filled cell is indented."""
    first = next((c for c in row if c.value is not None), None)
    if first is None or not isinstance(first.value, str) or not first.has_style:
        return 0
    return int(first.alignment.indent or 0)


def _value(cell: Cell) -> RawCell:
    """Return a cell's value as its format shows it where that tells more: days, units, leading zeros."""
    value = cell.value
    if value is None or isinstance(value, (str, bool)):
        return None if cell.data_type == "e" else value
    if isinstance(value, datetime):
        return value.date() if value.time() == time() and not re.search("[hHsS]", cell.number_format) else value
    if isinstance(value, timedelta):
        return _span(value)
    if isinstance(value, (int, float)):
        return _formatted(value, cell.number_format)
    return value


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
        # A spreadsheet counts to 15 digits; more would show the noise of binary fractions.
        return Amount(float(f"{value * 100:.15g}"), "%")
    if unit:
        return Amount(value, unit)
    if isinstance(value, int) and value >= 0 and re.fullmatch("00+", number_format):
        return str(value).zfill(len(number_format))
    return value


@lru_cache(maxsize=1000)
def unit_of_format(number_format: str) -> str:
    """Return the unit that a number format shows beside each number: %, a currency, a short word in quotes."""
    shown = number_format.split(";")[0]
    marked = CURRENCY_CODE.findall(shown)
    quoted = [q.strip() for q in re.findall(r'"([^"]*)"', shown)]
    bare = re.sub(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]', "", shown)
    if "%" in bare:
        return "%"
    if currency := next((m for m in [*marked, *re.findall(f"[{SIGNS}]", bare)] if m.strip()), ""):
        return currency.strip()
    if SCALING.search(bare):
        return ""  # commas behind the digits show the number divided: its word is no unit of the value
    return next((q for q in quoted if WORDED_UNIT.fullmatch(q)), "")
