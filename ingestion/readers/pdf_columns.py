"""Finds runs of lines whose segments share columns, where a table without rules may be."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import mean

from tablerag.ingestion.readers.pdf_segments import Segment, TextRow, segments_of

__all__ = ["Columns", "Run", "cells_of", "columns_of", "runs_of", "spanned"]

Columns = Sequence[tuple[float, float]]
"""The left and right edge of each column."""
FARTHEST = 3.2
"""The most white space between two lines of a table, in font sizes."""
MOST_BETWEEN = 5
"""The most consecutive lines of a table without numbers, such as section titles and wrapped cells."""
MOST_MISFITS = 1
MOST_COMPARED = 200
PROSE_WORDS = 9
FLUSH = 1.5
"""How far from the edges of their columns, in points, close names that are flush with them begin or end on average."""
TOUCH = 1.0


@dataclass(slots=True)
class Run:
    """Lines from ``first`` to ``last`` (included) in one set of columns."""

    first: int
    last: int
    columns: list[tuple[float, float]]
    core: list[int]
    """The lines that define the columns."""
    misfits: list[int] = field(default_factory=list)


def columns_of(intervals: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Merge overlapping intervals."""
    columns: list[tuple[float, float]] = []
    for x0, x1 in sorted(intervals):
        if columns and x0 <= columns[-1][1] + TOUCH:
            columns[-1] = (columns[-1][0], max(columns[-1][1], x1))
        else:
            columns.append((x0, x1))
    return columns


def runs_of(rows: Sequence[TextRow], is_core: Callable[[TextRow], bool]) -> list[Run]:
    """Return the runs of lines that share columns; ``is_core`` selects the lines that may define columns."""
    runs: list[Run] = []
    run: Run | None = None
    index = 0
    while index < len(rows):
        row = rows[index]
        if run and (_is_far(rows[index - 1], row) or index - run.last > MOST_BETWEEN or _is_prose(row, run)):
            runs.append(run)
            run = None
        if not is_core(row):
            index += 1
            continue
        if run is None:
            run = Run(index, index, columns_of((s.x0, s.x1) for s in row.segments), [index])
        elif not _take(run, rows, index):
            runs.append(run)
            index = run.misfits[0] if run.misfits else index
            run = None
            continue
        index += 1
    return [*runs, run] if run else runs


def _take(run: Run, rows: Sequence[TextRow], index: int) -> bool:
    """Add a line to a run if it fits or is its only misfit; return whether it was added.

    A line that joins two columns fits if no line has a segment in both, such as a subtotal's name below numbers.
    """
    row = rows[index]
    columns = columns_of([*run.columns, *((s.x0, s.x1) for s in row.segments)])
    lines = [row, *(rows[i] for i in run.core[-MOST_COMPARED:])] if len(columns) < len(run.columns) else [row]
    if all(_are_apart(line, columns) for line in lines):
        run.columns = columns
        run.core.append(index)
        run.last = index
        run.misfits.clear()
        return True
    if len(run.core) < 3 or len(run.misfits) >= MOST_MISFITS:
        return False
    run.misfits.append(index)
    return True


def _are_apart(row: TextRow, columns: Columns) -> bool:
    """Return whether each segment of a line is in a separate column."""
    starts = [start for start, _ in columns]
    places = [bisect_right(starts, s.x0 + TOUCH) for s in row.segments]
    return len(set(places)) == len(places)


def _is_far(above: TextRow, below: TextRow) -> bool:
    return below.top - above.bottom > FARTHEST * max(above.size, below.size)


def _is_prose(row: TextRow, run: Run) -> bool:
    """Return whether a line is running text over most of the table's width."""
    width = run.columns[-1][1] - run.columns[0][0]
    longest = max(row.segments, key=lambda s: s.x1 - s.x0)
    return len(longest.words) >= PROSE_WORDS and longest.x1 - longest.x0 > 0.7 * width


def spanned(segment: Segment, columns: Columns) -> list[int]:
    """Return the columns that a segment touches, or the nearest one."""
    touched = [i for i, (x0, x1) in enumerate(columns) if segment.x0 < x1 + TOUCH and segment.x1 > x0 - TOUCH]
    if touched:
        return touched
    return [min(range(len(columns)), key=lambda i: max(columns[i][0] - segment.x1, segment.x0 - columns[i][1]))]


def cells_of(row: TextRow, columns: Columns) -> list[tuple[list[int], Segment]]:
    """Return a line's segments with the columns that each touches; a segment may be split between words.

    Words without clear white space between them are split only if each part is in a separate column, and either the
    right part is a number that its label nearly touches, or the parts are names that are flush with their columns.
    """
    cells: list[tuple[list[int], Segment]] = []
    for segment in row.segments:
        touched = spanned(segment, columns)
        parts = _cut(segment, columns) if len(touched) > 1 else []
        cells += parts or [(touched, segment)]
    return cells


def _cut(segment: Segment, columns: Columns) -> list[tuple[list[int], Segment]]:
    """Return the parts of a segment by column, or [] if it is one text over several columns."""
    parts: list[tuple[int, list]] = []
    for word in segment.words:
        overlaps = [min(word.x1, x1) - max(word.x0, x0) for x0, x1 in columns]
        column = max(range(len(columns)), key=lambda i: overlaps[i])
        if parts and (parts[-1][0] == column or overlaps[column] <= 0):
            parts[-1][1].append(word)
        else:
            parts.append((column, [word]))
    cut = [([column], s) for column, words in parts for s in [_whole(segments_of(words))] if s]
    if len(cut) != len(parts) or len({c[0] for c, _ in cut}) != len(cut):
        return []
    if all(s.is_number for _, s in cut[1:]):
        return cut
    flush = len(cut) == len(spanned(segment, columns)) and cut[0][0] != [0] and _are_flush(cut, columns)
    return cut if flush else []


def _are_flush(cut: Sequence[tuple[list[int], Segment]], columns: Columns) -> bool:
    """Return whether all parts begin, or all end, where their columns do."""
    lefts = [abs(s.x0 - columns[c[0]][0]) for c, s in cut]
    rights = [abs(s.x1 - columns[c[0]][1]) for c, s in cut]
    return mean(lefts) <= FLUSH or mean(rights) <= FLUSH


def _whole(segments: Sequence[Segment]) -> Segment | None:
    return segments[0] if len(segments) == 1 else None
