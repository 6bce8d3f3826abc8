"""Finds the header lines above a table without rules, and the columns that each name spans."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, pairwise
from statistics import median

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.readers.pdf_columns import Columns, Run, cells_of, columns_of
from tablerag.ingestion.readers.pdf_layout import least_sure
from tablerag.ingestion.readers.pdf_lines import Rule
from tablerag.ingestion.readers.pdf_rows import BREAKS_OFF, GridRow
from tablerag.ingestion.readers.pdf_segments import Segment, TextRow
from tablerag.ingestion.tables.header_paths import is_unit_row

__all__ = ["TABLE_CAPTION", "below_head", "header_lines", "header_rows", "is_head", "parted_at_heads"]

TABLE_CAPTION = re.compile(r"(table|tab\.|tabelle|tableau|tabla|表)\s*[\dA-Z]", re.IGNORECASE)
NEAR = 1.6
"""The most white space, in font sizes, between a header line and the line below."""
MOST_LINES = 8
MOST_STUBS = 2
"""The most consecutive lines above the labels only."""
LONGEST_NAME = 8
"""The most words in one line of a column's name."""
LARGER = 1.12
YEAR = re.compile(r"(?:fy ?)?(?:1[89]|20)\d\d(?:[-–/]\d\d(?:\d\d)?)?[a-z*]?", re.IGNORECASE)
TOTAL = re.compile(r"(?:grand |sub)?-?total|gesamt|summe|insgesamt|ensemble", re.IGNORECASE)
BOUND = re.compile(r"[<>≤≥]|\d\s?[-–—]|\d\s?\+$")
PLAIN = re.compile(r"[$€£]?(\d[\d,]*(?:\.\d+)?)")
ALONE = 0.03
"""How far from the middle of all columns, in parts of their width, a name that is alone on its line is over all."""
MOST_NAMES = 5
"""The most lines of names that look like numbers."""
FEWEST_LINES = 3
"""The least lines of numbers above the head of a next table."""
FEWEST_IN_SERIES = 3
MOST_UNEVEN = 10.5
"""How many times the least step of a series its largest may be: 0.1, 0.2, 0.5, 1, 2."""
ONE_NAME = 2.0
"""The most white space within a name over a rule, in font sizes."""
MOST_CAPTION_LINES = 4
CLEARLY = 0.3
"""How much nearer a caption's lines are to each other than to the table, in font sizes."""


def below_head(rows: Sequence[TextRow], run: Run, rules: Sequence[Rule]) -> Run:
    """Return a run without the lines above the rule that parts its columns' names from their numbers.

    Names such as years and "$10,000-14,999" look like numbers. A rule below a first row of numbers parts no names.
    """
    for index in range(run.first, min(run.last, run.first + MOST_NAMES)):
        if _is_ruled_off(rows[index], rows[index + 1], run.columns, rules):
            core = [i for i in run.core if i > index]
            if not core or not all(map(_is_of_names, rows[run.first : index + 1])):
                return run
            return replace(_run_of(rows, core), first=index + 1)
    return run


def is_head(rows: Sequence[TextRow], first: int, run: Run, rules: Sequence[Rule]) -> bool:
    """Return whether a rule that parts few other lines shows that those from ``first`` to the run name its columns."""
    start = run.first
    if not first < start or not _is_ruled_off(rows[start - 1], rows[start], run.columns, rules):
        return False
    parted = [_is_ruled_off(a, b, run.columns, rules) for a, b in pairwise(rows[start : start + 4])]
    return not all(parted) and all(map(_is_of_names, rows[first:start]))


def parted_at_heads(rows: Sequence[TextRow], run: Run, rules: Sequence[Rule]) -> list[Run]:
    """Return the runs of tables that follow each other: a line of names between white space and a rule begins one."""
    usual = median(rows[b].top - rows[a].bottom for a, b in pairwise(run.core)) if len(run.core) > 1 else 0.0
    starts = [0]
    for at in range(1, len(run.core)):
        line, above = run.core[at], rows[run.core[at - 1] : run.core[at] + 1]
        if at - starts[-1] < FEWEST_LINES or line + 1 == len(rows) or not _is_of_names(rows[line]):
            continue
        if not _is_ruled_off(rows[line], rows[line + 1], run.columns, rules):
            continue
        if max(b.top - a.bottom for a, b in pairwise(above)) > usual + rows[line].size:
            starts.append(at)
    parts = [run.core[a:b] for a, b in pairwise([*starts, len(run.core)])]
    if len(parts) == 1:
        return [run]
    return [_run_of(rows, core) for core in parts]


def _run_of(rows: Sequence[TextRow], core: list[int]) -> Run:
    return Run(core[0], core[-1], columns_of((s.x0, s.x1) for i in core for s in rows[i].segments), core)


def _is_of_names(row: TextRow) -> bool:
    """Return whether a line's numbers may be names: years, the ends of ranges, or a series in even steps."""
    if TOTAL.match(row.segments[0].text):
        return False
    numbers = [s.text for s in row.segments[1:] if s.is_number and not YEAR.fullmatch(s.text)]
    plain = [float(found[1].replace(",", "")) for t in numbers if (found := PLAIN.fullmatch(t))]
    if len(plain) != sum(not BOUND.search(t) for t in numbers) or 0 < len(plain) < FEWEST_IN_SERIES:
        return False
    steps = [b - a for a, b in pairwise(plain)]
    if steps and plain[0] <= 3 and min(steps) >= 1 and max(steps) <= 2:  # the columns' own numbers, below their names
        return False
    return not steps or (min(steps) > 0 and max(steps) <= MOST_UNEVEN * min(steps))


def header_lines(
    rows: Sequence[TextRow], first: int, end: int, columns: Columns, rules: Sequence[Rule], *, least: int = 0
) -> list[TextRow]:
    """Return the lines from ``end`` on, right above ``rows[first]``, that name its columns, from top to bottom.

    The ``least`` lowest are known to be names.

    A line above the labels only is a header line if a line above it names columns; else it is text or a title.
    """
    taken: list[TextRow] = []
    stubs: list[TextRow] = []
    for index in range(first - 1, max(end, first - MOST_LINES) - 1, -1):
        row, below = rows[index], rows[index + 1]
        if index >= first - least:
            taken.append(row)
            continue
        if below.top - row.bottom > NEAR * below.size or row.size > LARGER * rows[first].size:
            break
        if not _may_name(row, columns) or (taken and _is_ruled_off(row, below, columns, rules)):
            break
        if _ends_caption(rows, index, columns, rules):
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


def _ends_caption(rows: Sequence[TextRow], index: int, columns: Columns, rules: Sequence[Rule]) -> bool:
    """Return whether a line is nearer to the lines of a caption above it than to the line below."""
    gap = rows[index + 1].top - rows[index].bottom - CLEARLY * rows[index].size
    for i in range(index, max(0, index - MOST_CAPTION_LINES), -1):
        if rows[i].top - rows[i - 1].bottom > gap or _is_ruled_off(rows[i - 1], rows[i], columns, rules):
            return False
        if TABLE_CAPTION.match(rows[i - 1].segments[0].text):
            return True
    return False


def _is_ruled_off(row: TextRow, below: TextRow, columns: Columns, rules: Sequence[Rule]) -> bool:
    """Return whether a rule over the table's whole width parts two lines."""
    left, right = columns[0][0], columns[-1][1]
    between = (r for r in rules if row.bottom - 2 <= r.y <= below.top + 2)
    return any(r.x0 <= left + 5 and r.x1 >= right - 5 for r in between)


def _span(segment: Segment, touched: list[int], line: TextRow, columns: Columns, rules: Sequence[Rule]) -> list[int]:
    """Return the columns that a name spans: those of a rule right below it, else those it is centred over."""
    middle = (segment.x0 + segment.x1) / 2
    for rule in rules:
        above = [s for s in line.segments if rule.x0 - 2 <= (s.x0 + s.x1) / 2 <= rule.x1 + 2]
        is_one = segment in above and all(b.x0 - a.x1 < ONE_NAME * line.size for a, b in pairwise(above))
        if line.bottom - 2 <= rule.y <= line.bottom + line.size and is_one:
            over = [i for i, (x0, x1) in enumerate(columns) if rule.x0 - 3 <= (x0 + x1) / 2 <= rule.x1 + 3]
            if len(over) > 1 and 0 not in over and set(touched) & set(over):
                return over
    if len(touched) == 1 or touched[0] == 0:
        return touched[:1]
    off_all = abs((columns[1][0] + columns[-1][1]) / 2 - middle)
    if len(line.segments) == 1 and off_all < ALONE * (columns[-1][1] - columns[1][0]):
        return list(range(1, len(columns)))
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
