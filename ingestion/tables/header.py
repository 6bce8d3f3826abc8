"""Header detection: which leading rows of a grid name its columns, and the path of names over each column.

A header that the format marks is trusted. Otherwise a row is a header row when words, or names of periods, are above
columns of numbers and dates; in a table of words only, the first row is scored. Rows of units are removed from the
paths, groups are spread over the columns that they span (HD-RAG's H_t, arXiv 2504.09554, section 3.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablerag.ingestion.document import TableBlock
from tablerag.ingestion.tables.cells import cell_text, is_period, lone_text
from tablerag.ingestion.tables.header_paths import (
    TIME_GROUP,
    column_paths,
    has_year,
    is_unit_row,
    label_unit,
    table_unit,
    unit_for,
    unit_of_row,
    without_units,
)
from tablerag.ingestion.tables.header_rows import (
    BODY_ROWS,
    LONGEST_HEADER,
    MOST_HEADER_ROWS,
    Rows,
    count_header_rows,
    is_typed_column,
    numbers_columns,
)
from tablerag.ingestion.tables.typing import Unit

__all__ = ["PATH", "HeaderDecision", "find_header"]

SURE = 0.6
"""Below this confidence the decision is reported as doubtful."""
PATH = " > "


@dataclass(frozen=True, slots=True)
class HeaderDecision:
    """The header path of each column, the grid index of the first data row, and the confidence."""

    paths: list[tuple[str, ...]]
    """Outermost first; empty for a column that has no name."""
    first_row: int
    confidence: float
    title: str = ""
    """Text of title rows found above the header."""
    warnings: tuple[str, ...] = ()
    row_count: int = 0
    """Header rows, without title rows."""
    units: Sequence[Unit] = ()
    """The unit of each column from a row of units; empty without such a row."""


def find_header(block: TableBlock, given: int | None = None) -> HeaderDecision | None:
    """Return the header decision; None if the grid has no data rows or only one column without a header.

    ``given`` is the number of header rows that the user set.
    """
    if block.is_header:
        return replace(_decide(block.grid, 1, 0, 1.0, ""), warnings=("the table has no rows",))
    grid = block.grid[: MOST_HEADER_ROWS + BODY_ROWS + 20]
    width = max((len(row) for row in grid), default=0)
    if given is not None:
        return _decide(grid, given, 0, 1.0, "") if len(block.grid) > given and width else None
    skipped = _title_rows(grid, width)
    title = " ".join(dict.fromkeys(t for t in map(lone_text, grid[:skipped]) if table_unit(t) == Unit()))
    rows = grid[skipped:]
    if width < 2 or len(rows) < 2:
        return _single_column(block) if width == 1 else None
    if block.header_rows is not None and block.header_rows > skipped:
        count, confidence = min(block.header_rows - skipped, len(rows) - 1), 1.0
        if count == 0:
            return None
        while count < min(len(rows) - 1, MOST_HEADER_ROWS) and is_unit_row(rows[count]):
            count += 1
    else:
        count, confidence = count_header_rows(rows)
        if block.is_records and count > 1 and all(map(cell_text, rows[0])):
            # Names that were merged over several columns would have left gaps.
            count = 1 + next(i for i, row in enumerate(rows[1:]) if not is_unit_row(row))
    decision = _decide(rows, count, skipped, confidence, title)
    return _with_rows_above(decision, grid, skipped) if skipped and count else decision


def _single_column(block: TableBlock) -> HeaderDecision | None:
    """Return a decision for a one-column grid: a table only with a header over at least two data rows."""
    head = block.grid[:BODY_ROWS]
    filled = [row for row in head if cell_text(row[0])]
    if len(filled) < 3 or len(filled) != len(head) or len(cell_text(filled[0][0])) > LONGEST_HEADER:
        return None
    note = ("the header row is a guess: the table has a single column",)
    return HeaderDecision([(cell_text(filled[0][0]),)], 1, 0.5, "", note, 1)


def _decide(rows: Rows, count: int, skipped: int, confidence: float, title: str) -> HeaderDecision:
    warnings = []
    if count == 0:
        warnings.append("no header row found: columns are numbered")
    if count > 1:
        warnings.append(f"{count} header rows were joined")
    if confidence < SURE:
        warnings.append(f"the header row is a guess (confidence {confidence:.2f})")
    head, body = rows[:count], rows[count : count + BODY_ROWS]
    named = [row for i, row in enumerate(head) if not i or not numbers_columns(row, rows[i + 1 :])]
    unit_rows = [row for row in head if is_unit_row(row)]
    unit_rows = unit_rows if len(unit_rows) < count else []
    paths = column_paths(named, unit_rows, [is_typed_column(body, i) for i in range(len(rows[0]))])
    units = unit_of_row(unit_rows, paths) if unit_rows else ()
    paths, units = without_units(paths, units)
    for row in head if not any(u != Unit() for u in units) else ():
        stated = label_unit(cell_text(row[0]))
        if stated != Unit() and any(map(cell_text, row[1:])):
            units = [unit_for(path, stated) for path in paths]
    return HeaderDecision(paths, skipped + count, round(confidence, 2), title, tuple(warnings), count, units)


def _with_rows_above(decision: HeaderDecision, grid: Rows, skipped: int) -> HeaderDecision:
    """Use rows right above the header that are not titles: units, "Years ended June 30,", the name of the labels."""
    while skipped and (stated := table_unit(lone_text(grid[skipped - 1]))) != Unit():
        skipped -= 1
        units = [unit_for(p, stated) if u == Unit() else u for p, u in zip(decision.paths, decision.units, strict=True)]
        decision = replace(decision, row_count=decision.row_count + 1, units=units)
    if not skipped:
        return decision
    above, labels = cell_text(grid[skipped - 1][0]), decision.paths[0]
    dated = [any(has_year(part) and is_period(part) for part in path) for path in decision.paths]
    if TIME_GROUP.fullmatch(above) and any(dated):
        paths = [(above, *p) if d else p for p, d in zip(decision.paths, dated, strict=True)]
        title = " ".join(dict.fromkeys(t for t in map(lone_text, grid[: skipped - 1]) if t != above))
        return replace(decision, paths=paths, title=title, row_count=decision.row_count + 1)
    if labels or not above or len(above) > LONGEST_HEADER or any(map(cell_text, grid[skipped - 1][1:])):
        return decision
    if is_period(above.rstrip(",")):
        return replace(decision, paths=[(), *((above, *p) if p else p for p in decision.paths[1:])])
    return replace(decision, paths=[(above,), *decision.paths[1:]])


def _title_rows(grid: Rows, width: int) -> int:
    """Count leading rows that hold one text only, alone or repeated over the whole width.

    A text over some columns, or outside the first column, names a group of columns.
    """
    count = 0
    for row in grid:
        filled = [text for text in map(cell_text, row) if text]
        is_group = 1 < len(filled) < width or (len(filled) == 1 and not cell_text(row[0]))
        if width < 3 or len(set(filled)) > 1 or is_group or count >= len(grid) - 2:
            break
        count += 1
    return count
