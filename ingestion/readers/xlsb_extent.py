"""The size of an XLSB workbook's sheets, whose binary records state the row and column of each cell."""

import re
import zipfile
from pathlib import Path

from tablerag.tools.errors import UnreadableDocument

__all__ = ["spanned_cells"]

WORKSHEET = re.compile(r"xl/worksheets/[^/]+\.bin")
ROW, CELLS = 0, range(1, 12)
"""Types of records: the begin of a row, and cells of all kinds (MS-XLSB, 2.5.97)."""


def spanned_cells(path: Path) -> int:
    """Return the area, in cells, from A1 to the last cell of the largest worksheet.

    python-calamine allocates memory for all of it. Raises UnreadableDocument for truncated records.
    """
    with zipfile.ZipFile(path) as archive:
        sheets = [n for n in archive.namelist() if WORKSHEET.fullmatch(n)]
        return max((_area(archive.read(name)) for name in sheets), default=0)


def _area(content: bytes) -> int:
    rows = columns = at = 0
    while at < len(content):
        kind, at = _number(content, at, 2)
        size, at = _number(content, at, 4)
        first = int.from_bytes(content[at : at + 4], "little")
        if kind == ROW:
            rows = max(rows, first + 1)
        elif kind in CELLS:
            columns = max(columns, first + 1)
        at += size
    if at > len(content):
        raise UnreadableDocument("contains damaged records: save or fetch it again")
    return rows * columns


def _number(content: bytes, at: int, most: int) -> tuple[int, int]:
    """Return a number of 7 bits a byte, of which the last has no high bit, and the place after it."""
    value = 0
    for place in range(most):
        byte = content[at] if at < len(content) else 0
        at += 1
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            break
    return value, at
