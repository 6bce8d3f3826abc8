"""XLS, XLSB and ODS workbooks through python-calamine."""

from datetime import datetime, time, timedelta
from pathlib import Path

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
    XmlError,
    ZipError,
    load_workbook,
)

from tablerag.ingestion.document import Block, Document, RawCell
from tablerag.ingestion.readers import ods_extent, xlsb_extent
from tablerag.ingestion.readers.archives import check_archive, check_xml, unreadable
from tablerag.ingestion.readers.grids import MAX_CELLS, Sheet, grid_blocks, padded, too_large
from tablerag.ingestion.readers.merges import MergedRange, fill_merges, merge_warnings
from tablerag.ingestion.readers.ole_chains import check_chains
from tablerag.tools.errors import UnreadableDocument

__all__ = ["cell_value", "read_calamine"]

ERRORS = (CalamineError, ZipError, XmlError, OSError, ValueError)
PANIC = "PanicException"
"""What code in Rust raises where its own checks fail; no module exports it, and it is no Exception."""


def read_calamine(path: Path) -> Document:
    """Read the stored values of all sheets of a workbook."""
    if path.suffix.lower() == ".xls":
        check_chains(path)
    else:
        check_archive(path, f"an {path.suffix.lstrip('.').upper()} workbook")
        # python-calamine never returns from some truncated XML.
        check_xml(path)
        extent = xlsb_extent if path.suffix.lower() == ".xlsb" else ods_extent
        if extent.spanned_cells(path) > MAX_CELLS:
            raise UnreadableDocument(
                f"has a sheet of more than {MAX_CELLS:,} cells: delete cells far from the tables, or split the file"
            )
    blocks: list[Block] = []
    try:
        workbook = load_workbook(str(path))
        hidden = {s.name for s in workbook.sheets_metadata if s.visible != SheetVisibleEnum.Visible}
        for name in _sheet_names(workbook):
            sheet = workbook.get_sheet_by_name(name)
            blocks += _sheet_blocks(sheet, hidden=name in hidden)
        warnings = [f"sheet {s.name} is hidden" for s in workbook.sheets_metadata if s.name in hidden]
    except PasswordError as error:
        raise UnreadableDocument("is encrypted: save it again without a password") from error
    except ERRORS as error:
        raise unreadable("a workbook") from error
    except BaseException as error:
        if type(error).__name__ != PANIC:
            raise
        raise unreadable("a workbook") from error
    return Document(path, path.stem, blocks, tuple(warnings))


def _sheet_names(workbook: CalamineWorkbook) -> list[str]:
    return [s.name for s in workbook.sheets_metadata if s.typ == SheetTypeEnum.WorkSheet]


def _merges(sheet: CalamineSheet) -> list[MergedRange]:
    return [(*first, *last) for first, last in sheet.merged_cell_ranges or []]


def _sheet_blocks(sheet: CalamineSheet, *, hidden: bool) -> list[Block]:
    if sheet.total_height * sheet.total_width > MAX_CELLS:
        raise too_large(f"sheet {sheet.name}", sheet.total_height, sheet.total_width)
    grid = padded([[cell_value(c) for c in row] for row in sheet.to_python(skip_empty_area=False)])
    merged = fill_merges(grid, _merges(sheet))
    facts = Sheet(sheet.name, is_lettered=True, warnings=merge_warnings(merged), hidden=hidden)
    return grid_blocks(grid, facts)


def cell_value(cell: RawCell | timedelta) -> RawCell:
    """Return a cell's value; a day without a time is a date.

    Some programs mark UTF-16 text in XLS files as having one byte a character.
    """
    if isinstance(cell, str) and "\0" in cell and set(cell[1::2]) == {"\0"}:
        cell = cell[::2]
    if isinstance(cell, datetime):
        return cell.date() if cell.time() == time() else cell
    if isinstance(cell, timedelta):
        return str(cell)
    return cell
