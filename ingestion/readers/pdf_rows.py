"""Turns lines of a table without rules into grid rows, joining cells that wrap.

If rows are farther apart than the lines within them, that distance decides. Else a line continues the row above it,
or a label the line of its numbers below, only if its words show it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tablerag.ingestion.document import LeastSure, RawCell
from tablerag.ingestion.readers.pdf_columns import Columns, cells_of
from tablerag.ingestion.readers.pdf_layout import Word, least_sure
from tablerag.ingestion.readers.pdf_segments import Segment, TextRow

__all__ = ["BREAKS_OFF", "GridRow", "Line", "body_rows", "is_text_below", "lined", "tight_limit"]

CLOSER = 0.25
"""How much closer lines of one row are than rows, in font sizes."""
OVERLAP = -0.15
"""Lines that overlap by more than this are in one row, whatever their content."""
BREAKS_OFF = re.compile(
    r"(?:\w\s+(?:of|and|the|for|in|per|to|from|at|or|by|on|with|less|net|other|von|der|die|und|de|du|des|et)|[-–,/&(])$",
    re.IGNORECASE,
)
OF_WHICH = re.compile(r"(?:of which|thereof|davon|darunter|dont|including|incl\.)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line and its segments by column."""

    cells: dict[int, tuple[Segment, ...]]
    row: TextRow

    @property
    def label(self) -> str:
        return _text(self.cells.get(0, ()))

    @property
    def numbers(self) -> int:
        """The number of cells after the first that contain a number."""
        return sum(any(s.is_number for s in found) for column, found in self.cells.items() if column)


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of the grid, the left edge of its first cell, whether all of it is bold, and its least sure word."""

    cells: list[RawCell]
    left: float | None
    bold: bool
    least_sure: LeastSure


def lined(row: TextRow, columns: Columns) -> Line:
    """Return a line's segments by the first column that each touches."""
    cells: dict[int, tuple[Segment, ...]] = {}
    for touched, segment in cells_of(row, columns):
        cells[touched[0]] = (*cells.get(touched[0], ()), segment)
    return Line(cells, row)


def body_rows(lines: Sequence[Line], columns: Columns, is_core: Callable[[Line], bool]) -> list[GridRow]:
    """Return the grid's rows for the lines below the header; ``is_core`` selects the lines with a row's values."""
    if not lines:
        return []
    limit = tight_limit(lines, is_core)
    lower = sum(_goes_on(line.label) for line in lines) <= 0.4 * len(lines)
    groups: list[list[Line]] = [[lines[0]]]
    for above, line in pairwise(lines):
        gap = line.row.top - above.row.bottom
        has_core = any(map(is_core, groups[-1]))
        if gap < limit:
            joins = not (has_core and (is_core(line) or _begins_section(groups[-1], line)))
        elif is_core(line):
            joins = lower and not has_core and _label_goes_on(groups[-1], line, columns)
        else:
            joins = _wraps(groups[-1], line, columns, lower)
        if joins:
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_grid_row(group, len(columns)) for group in groups]


def is_text_below(lines: Sequence[Line], line: Line, columns: Columns) -> bool:
    """Return whether a line right below a table is text: it spans several columns, or did not need to wrap."""
    if any(len(touched) > 1 for touched, _ in cells_of(line.row, columns)):
        return True
    above = _label_line(lines)
    if set(line.cells) != {0} or above is None:
        return False
    if _left(line) < _left(above) - line.row.size:
        return True
    is_rest = _goes_on(line.label) or BREAKS_OFF.search(above.label)
    return not is_rest and not _was_full(above, line.cells[0][0].words[0], columns)


def tight_limit(lines: Sequence[Line], is_core: Callable[[Line], bool]) -> float:
    """Return the white space below which two lines are in one row."""
    size = median(line.row.size for line in lines)
    gaps = [(b.row.top - a.row.bottom, is_core(a) and is_core(b)) for a, b in pairwise(lines)]
    between_rows = [gap for gap, full in gaps if full]
    if len(between_rows) >= 2:
        return max(OVERLAP * size, median(between_rows) - CLOSER * size)
    ordered = sorted(gap for gap, _ in gaps)
    jumps = [(b - a, (a + b) / 2) for a, b in pairwise(ordered)]
    widest = max(jumps, default=(0.0, 0.0))
    return max(OVERLAP * size, widest[1]) if widest[0] > CLOSER * size else OVERLAP * size


def _wraps(group: Sequence[Line], line: Line, columns: Columns, lower: bool) -> bool:
    """Return whether a line without values continues the cells above it."""
    if line.numbers or not all(_filled(group, column) for column in line.cells):
        return False
    if 0 not in line.cells:
        return not any(s.is_number for column in line.cells for g in group for s in g.cells.get(column, ()))
    above = _label_line(group)
    if above is None or above.label.endswith((":", ".")):
        return False
    if len(line.cells) > 1:
        return lower and _goes_on(line.label)
    if BREAKS_OFF.search(above.label) or (lower and _goes_on(line.label)):
        return True
    hangs = _left(line) > _left(above) + 0.3 * line.row.size
    return hangs and any(g.numbers for g in group) and _was_full(above, line.cells[0][0].words[0], columns)


def _begins_section(group: Sequence[Line], line: Line) -> bool:
    """Return whether a label right below a row is the title of a section: further left than the row's, or bold."""
    first = next((above for above in group if 0 in above.cells), None)
    if first is None or set(line.cells) != {0}:
        return False
    above, label = first.cells[0], line.cells[0]
    centred = abs(above[0].x0 + above[-1].x1 - label[0].x0 - label[-1].x1) < 0.6 * line.row.size
    outdented = label[0].x0 < above[0].x0 - 0.3 * line.row.size and not centred
    return outdented or (_is_bold(label) and not _is_bold(above))


def _is_bold(segments: Sequence[Segment]) -> bool:
    return all(w.bold for s in segments for w in s.words)


def _label_goes_on(group: Sequence[Line], line: Line, columns: Columns) -> bool:
    """Return whether lines of a label continue in a line that has the numbers too."""
    above = _label_line(group)
    if above is None or not line.label or above.label.endswith((":", ".")) or set(above.cells) != {0}:
        return False
    if BREAKS_OFF.search(above.label):
        return True
    width = columns[0][1] - columns[0][0]
    return _goes_on(line.label) and above.cells[0][-1].x1 - columns[0][0] > 0.55 * width


def _goes_on(label: str) -> bool:
    return label[:1].islower() and not OF_WHICH.match(label) and not re.match(r"[a-z][.)]", label)


def _was_full(above: Line, word: Word, columns: Columns) -> bool:
    """Return whether a word had to wrap because it did not fit on the line above."""
    end = columns[1][0] if len(columns) > 1 else columns[0][1]
    return above.cells[0][-1].x1 + 0.25 * word.size + word.x1 - word.x0 > min(end, columns[0][1] + word.size)


def _label_line(group: Sequence[Line]) -> Line | None:
    return next((line for line in reversed(group) if 0 in line.cells), None)


def _left(line: Line) -> float:
    return line.cells[0][0].x0


def _filled(group: Sequence[Line], column: int) -> bool:
    return any(column in line.cells for line in group)


def _text(segments: Sequence[Segment]) -> str:
    return " ".join(s.text for s in segments)


def _grid_row(group: Sequence[Line], width: int) -> GridRow:
    cells: list[RawCell] = []
    for column in range(width):
        text = ""
        for part in (_text(line.cells[column]) for line in group if column in line.cells):
            is_cut = text.endswith("-") and text[-2:-1].isalpha() and part[:1].islower()
            text = text[:-1] + part if is_cut else f"{text} {part}".strip()
        cells.append(text or None)
    label = next((line for line in group if 0 in line.cells), None)
    words = [w for line in group for w in line.row.words]
    return GridRow(cells, _left(label) if label else None, all(w.bold for w in words), least_sure(words))
