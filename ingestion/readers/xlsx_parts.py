"""Details of a workbook's XML that openpyxl's streaming reader omits."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tablerag.ingestion.readers.merges import MergedRange

__all__ = ["SheetLayout", "formulas_without_value", "sheet_layout", "spanned_cells"]

WORKSHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
FORMULA_WITHOUT_VALUE = re.compile(
    rb"<c\b(?![^>]*t=\"str\")[^>]*>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"
)
MERGE = re.compile(rb"<(?:\w+:)?mergeCell\b[^>]*\bref=\"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})\"")
CELL = re.compile(rb"<(?:\w+:)?(?:c|row)\b[^>]*\br\s*=\s*[\"']([A-Za-z]*)(\d+)[\"']")
HIDDEN_ROW = re.compile(rb"<(?:\w+:)?row\b[^>]*\bhidden=\"(?:1|true)\"[^>]*>")
HIDDEN_COLUMN = re.compile(rb"<(?:\w+:)?col\b[^>]*\bhidden=\"(?:1|true)\"[^>]*>")
ROW_NUMBER = re.compile(rb"\br=\"(\d{1,7})\"")
LAST_COLUMN = 16_384
SCANNED_BYTES = 200_000_000
"""Larger worksheets are read without these scans."""


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """Merged ranges, and hidden rows and columns."""

    merges: Sequence[MergedRange] = ()
    hidden_rows: frozenset[int] = frozenset()
    """Row numbers of the sheet, from 1."""
    hidden_columns: int = 0


def sheet_layout(content: bytes) -> SheetLayout:
    """Return the layout in a worksheet's XML."""
    if len(content) > SCANNED_BYTES or not (b"hidden=" in content or b"mergeCell" in content):
        return SheetLayout()
    end = content.find(b"</sheetData>")
    merges = [
        (int(top) - 1, _column(left), int(bottom) - 1, _column(right))
        for left, top, right, bottom in MERGE.findall(content, max(0, end))
    ]
    hidden = frozenset(int(found[1]) for tag in HIDDEN_ROW.findall(content) if (found := ROW_NUMBER.search(tag)))
    columns = 0
    for tag in HIDDEN_COLUMN.findall(content, 0, content.find(b"<sheetData")):
        first, last = (
            int(found[1]) if (found := re.search(name, tag)) else 0 for name in (rb'min="(\d+)', rb'max="(\d+)')
        )
        # Columns hidden up to the sheet's last one only limit the view.
        columns += last - first + 1 if 0 < first <= last < LAST_COLUMN else 0
    return SheetLayout(merges, hidden, columns)


def formulas_without_value(content: bytes) -> int:
    """Count the formulas without a computed value in a worksheet's XML, as written by a library."""
    return len(FORMULA_WITHOUT_VALUE.findall(content)) if b"<f" in content and len(content) <= SCANNED_BYTES else 0


def spanned_cells(path: Path) -> int:
    """Return the area, in cells, from A1 to the last cell of the largest worksheet.

    Cells outside the limits of a worksheet count too, because readers allocate memory for them.
    """
    area = 0
    for content in _worksheets(path):
        cells = {(_column(c.upper()), int(r[:20])) for c, r in CELL.findall(content)}
        area = max(area, max((c + 1 for c, _ in cells), default=0) * max((r for _, r in cells), default=0))
    return area


def _worksheets(path: Path) -> Iterator[bytes]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if WORKSHEET.fullmatch(member.filename) and member.file_size <= SCANNED_BYTES:
                yield archive.read(member)


def _column(letters: bytes) -> int:
    """Return a column's number, from 0."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number - 1
