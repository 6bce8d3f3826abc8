"""What a workbook's own XML tells that openpyxl's streaming reader leaves out."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from ingestion.readers.merges import MergedRange

__all__ = ["formulas_without_value", "merged_ranges", "spanned_cells"]

WORKSHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
FORMULA_WITHOUT_VALUE = re.compile(
    rb"<c\b(?![^>]*t=\"str\")[^>]*>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"
)
MERGE = re.compile(rb"<(?:\w+:)?mergeCell\b[^>]*\bref=\"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})\"")
CELL = re.compile(rb"<(?:\w+:)?c\b[^>]*\br=\"([A-Z]{1,3})(\d{1,7})\"")
SCANNED_BYTES = 200_000_000
"""Larger worksheets are read without these scans."""


def merged_ranges(path: Path, part: str) -> list[MergedRange]:
    """Return the merged ranges of the worksheet that is stored as a part of the archive."""
    with zipfile.ZipFile(path) as archive:
        if part not in archive.namelist() or archive.getinfo(part).file_size > SCANNED_BYTES:
            return []
        content = archive.read(part)
    return [
        (int(top) - 1, _column(left), int(bottom) - 1, _column(right))
        for left, top, right, bottom in MERGE.findall(content, max(0, content.find(b"</sheetData>")))
    ]


def formulas_without_value(path: Path) -> int:
    """Count formulas that no program has computed yet, as in workbooks written by a library."""
    return sum(len(FORMULA_WITHOUT_VALUE.findall(c)) if b"<f" in c else 0 for c in _worksheets(path))


def spanned_cells(path: Path) -> int:
    """Return the area, in cells, from A1 to the last cell of the widest and longest worksheet."""
    area = 0
    for content in _worksheets(path):
        cells = {(_column(c), int(r)) for c, r in CELL.findall(content)}
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
