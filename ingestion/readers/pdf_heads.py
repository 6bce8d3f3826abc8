"""Finds the header lines above a table without rules, and the columns that each name spans."""

import re
from collections.abc import Sequence
from itertools import combinations_with_replacement

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.readers.pdf_columns import Columns, cells_of
from tablerag.ingestion.readers.pdf_layout import least_sure
from tablerag.ingestion.readers.pdf_lines import Rule
from tablerag.ingestion.readers.pdf_rows import BREAKS_OFF, GridRow
from tablerag.ingestion.readers.pdf_segments import Segment, TextRow
from tablerag.ingestion.tables.header_paths import is_unit_row

__all__ = ["TABLE_CAPTION", "header_lines", "header_rows"]

TABLE_CAPTION = re.compile(r"(table|tab\.|tabelle|tableau|tabla|表)\s*[\dA-Z]", re.IGNORECASE)
NEAR = 1.6
"""The most white space, in font sizes, between a header line and the line below."""
MOST_LINES = 8
MOST_STUBS = 2
"""The most consecutive lines above the labels only."""
LONGEST_NAME = 8
"""The most words in one line of a column's name."""
LARGER = 1.12


def header_lines(
    rows: Sequence[TextRow], first: int, end: int, columns: Columns, rules: Sequence[Rule]
) -> list[TextRow]:
    """Return the lines from ``end`` on, right above ``rows[first]``, that name its columns, from top to bottom.

    A line above the labels only is a header line if a line above it names columns; else it is text or a title.
    """
    taken: list[TextRow] = []
    stubs: list[TextRow] = []
    for index in range(first - 1, max(end, first - MOST_LINES) - 1, -1):
        row, below = rows[index], rows[index + 1]
        if below.top - row.bottom > NEAR * below.size or row.size > LARGER * rows[first].size:
            break
        if not _may_name(row, columns) or (taken and _is_ruled_off(row, below, columns, rules)):
            break
        if all(touched == [0] for touched, _ in cells_of(row, columns)):
            stubs.append(row)
            if len(stubs) > MOST_STUBS:
                break
        else:
            taken += [*stubs, row]
            stubs = []
    return taken[::-1]


def header_rows(lines: Sequence[TextRow], columns: Columns, rules: Sequence[Rule]) -> list[GridRow]:
    """Return header lines as grid rows; a name over several columns is repeated in each.

    Lines that name single columns are parts of a wrapped name, unless the upper ones name groups.
    """
    rows: list[list[str]] = []
    lefts: list[float | None] = []
    joinable = False
    for number, line in enumerate(lines):
        placed = [(_span(s, touched, line, columns, rules), s) for touched, s in cells_of(line, columns)]
        cells = [" ".join(s.text for span, s in placed if column in span) for column in range(len(columns))]
        is_group = any(len(span) > 1 for span, _ in placed) or (
            number + 1 < len(lines) and _shares_equally([(span[0], s) for span, s in placed], columns)
        )
        if joinable and not is_group and not is_unit_row(cells) and not _names_again(rows[-1], cells):
            rows[-1] = [f"{above} {cell}".strip() for above, cell in zip(rows[-1], cells, strict=True)]
        else:
            rows.append(cells)
            lefts.append(placed[0][1].x0 if placed[0][0][0] == 0 else None)
        joinable = not is_group and not is_unit_row(cells)
    words = [w for line in lines for w in line.words]
    bold, least = all(w.bold for w in words), least_sure(words)
    grid: list[list[RawCell]] = [[c or None for c in row] for row in rows]
    return [GridRow(cells, left, bold, least) for cells, left in zip(grid, lefts, strict=True)]


def _may_name(row: TextRow, columns: Columns) -> bool:
    """Return whether a line may be in a header: short names, none from the labels into other columns."""
    if TABLE_CAPTION.match(row.segments[0].text) or any(len(s.words) > LONGEST_NAME for s in row.segments):
        return False
    touches = [touched for touched, _ in cells_of(row, columns)]
    if any(t[0] == 0 and len(t) > 1 and (len(touches) == 1 or len(t) > 2) for t in touches):
        return False
    outside = row.segments[0].x1 < columns[0][0] or row.segments[-1].x0 > columns[-1][1] + 3 * row.size
    return not outside


def _is_ruled_off(row: TextRow, below: TextRow, columns: Columns, rules: Sequence[Rule]) -> bool:
    """Return whether a rule over the table's whole width separates two lines."""
    left, right = columns[0][0], columns[-1][1]
    between = (r for r in rules if row.bottom - 2 <= r.y <= below.top + 2)
    return any(r.x0 <= left + 5 and r.x1 >= right - 5 for r in between)


def _span(segment: Segment, touched: list[int], line: TextRow, columns: Columns, rules: Sequence[Rule]) -> list[int]:
    """Return the columns that a name spans: those of a rule right below it, else those it is centred over."""
    middle = (segment.x0 + segment.x1) / 2
    for rule in rules:
        if line.bottom - 2 <= rule.y <= line.bottom + line.size and rule.x0 - 2 <= middle <= rule.x1 + 2:
            over = [i for i, (x0, x1) in enumerate(columns) if rule.x0 - 3 <= (x0 + x1) / 2 <= rule.x1 + 3]
            if len(over) > 1 and 0 not in over and set(touched) & set(over):
                return over
    if len(touched) == 1 or touched[0] == 0:
        return touched[:1]
    taken = [i for other in line.segments if other is not segment for i in _under(other, columns)]
    best, distance = touched, 0.12 * (columns[-1][1] - columns[0][0])
    for i, j in combinations_with_replacement(range(1, len(columns)), 2):
        if i > touched[0] or j < touched[-1] or any(i <= t <= j for t in taken):
            continue
        off = abs((columns[i][0] + columns[j][1]) / 2 - middle)
        if off < distance - 1:
            best, distance = list(range(i, j + 1)), off
    return best


def _under(segment: Segment, columns: Columns) -> list[int]:
    return [i for i, (x0, x1) in enumerate(columns) if segment.x0 < x1 and segment.x1 > x0]


def _shares_equally(named: Sequence[tuple[int, Segment]], columns: Columns) -> bool:
    """Return whether each of several equal groups of columns has one name, centred over it."""
    groups = [(i, s) for i, s in named if i]
    width = len(columns) - 1
    if len(groups) < 2 or width % len(groups) or width // len(groups) < 2:
        return False
    size = width // len(groups)
    if [(i - 1) // size for i, _ in groups] != list(range(len(groups))):
        return False
    return all(_is_over(s, i, columns[1 + n * size : 1 + (n + 1) * size], columns) for n, (i, s) in enumerate(groups))


def _is_over(name: Segment, column: int, group: Columns, columns: Columns) -> bool:
    """Return whether a name's middle is nearer to that of a group of columns than to that of the column below it."""
    middle = (name.x0 + name.x1) / 2
    return abs(middle - (group[0][0] + group[-1][1]) / 2) <= abs(middle - sum(columns[column]) / 2)


def _names_again(above: Sequence[str], cells: Sequence[str]) -> bool:
    """Return whether a line repeats names, as the columns below each group do."""
    filled = [c for c in cells if c]
    upper = [c for c in above if c]
    repeated = sum(filled.count(c) > 1 for c in filled)
    repeats = repeated > len(filled) * 2 / 3 and 1 < len(set(upper)) == len(upper) < len(filled)
    return repeats and not any(BREAKS_OFF.search(c) for c in upper)
