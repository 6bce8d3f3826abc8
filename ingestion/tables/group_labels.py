"""Labels that a table prints once for each group of rows, as pivot tables and reports do, repeated in each row.

Left blank, they would be missing values: the total of "North" would be that of its first row.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tablerag.ingestion.document import RawCell, TableBlock
from tablerag.ingestion.tables.cells import cell_text, is_period, is_words
from tablerag.tools.counting import counted

__all__ = ["with_group_labels"]

MOST_LEVELS = 3
LONGEST_LABEL = 60
"""Characters; longer texts are notes."""
BAND = re.compile(r"[<>≤≥]?\s?\d+(?:\s?\+|\s?[-–]\s?\d+)?")
NOTES = frozenset("note notes comment comments remark remarks flag bemerkung bemerkungen remarque remarques".split())
DENSE = 0.85
"""Least share of the cells beside a blank label that are filled, compared with those beside a label."""
FEWEST = 0.3
"""Least number of blank labels for each group, even if items recur: fewer are missing values."""
RECURRING = 0.6
"""Share of rows whose item is in several groups, which makes it certain that these are groups: each has a "Total"."""


def with_group_labels(block: TableBlock, first_row: int) -> TableBlock:
    """Return a table with the labels of its leading columns repeated in the rows of their groups.

    A column has labels of groups if its first row has one, none comes again in a later group, and the rows without
    one are complete: the next column names each. Either the same items recur in most groups, or at least half of the
    rows are without a label.
    """
    rows = [i for i in range(first_row, len(block.grid)) if any(map(cell_text, block.grid[i]))]
    if len(rows) < 4 or not any(cell_text(block.grid[i][0]) == "" for i in rows):
        return block
    grid: list[list[RawCell]] = [list(row) for row in block.grid]
    item = _item_column(grid, rows)
    notes = []
    for column in range(item):
        header = cell_text(grid[first_row - 1][column]) if first_row else ""
        blank = [] if NOTES & set(header.casefold().split()) else _blank_labels(grid, rows, column, item)
        if not blank:
            break
        for i in blank:
            grid[i][column] = grid[i - 1][column]
        name = f"column {header!r}" if header else f"column {column + 1}"
        notes.append(f"{name}: {counted(len(blank), 'blank cell')} filled with the label above, printed once a group")
    return replace(block, grid=grid, warnings=(*block.warnings, *notes)) if notes else block


def _item_column(grid: Sequence[list[RawCell]], rows: Sequence[int]) -> int:
    """Return the first column that is filled in each row without a first label; 0 if there is none."""
    blank = [i for i in rows if not cell_text(grid[i][0])]
    columns = range(1, min(MOST_LEVELS, len(grid[0]) - 2) + 1)
    return next((c for c in columns if all(cell_text(grid[i][c]) for i in blank)), 0)


def _blank_labels(grid: Sequence[list[RawCell]], rows: Sequence[int], column: int, item: int) -> list[int]:
    """Return the rows whose label in a column is that of the row above; [] unless its labels are of groups."""
    groups: list[list[int]] = []
    """Rows by label; a row with a label but no item, a total or a heading, is a group of its own."""
    for above, i in zip([-1, *rows], rows, strict=False):
        label = cell_text(grid[i][column])
        if label and not _is_label(grid[i][column]):
            return []
        if not label and (not groups or above != i - 1 or not _is_start(grid[groups[-1][0]], column, item)):
            return []
        if not label and column and grid[i][column - 1] != grid[above][column - 1]:
            return []  # a group ends where the one around it does
        if label:
            groups.append([i])
        else:
            groups[-1].append(i)
    own = [g for g in groups if _is_start(grid[g[0]], column, item)]
    blank = [i for g in own for i in g[1:]]
    if len(own) < 2 or not blank or not _are_distinct(grid, own, column) or not _are_items(grid, own, item):
        return []
    if _filled(grid, blank, item) < DENSE * _filled(grid, [g[0] for g in own], item):
        return []
    recurs = len(blank) >= max(2, FEWEST * len(own)) and _recur(grid, own, item)
    return blank if recurs or len(blank) >= len(own) else []


def _is_label(cell: RawCell) -> bool:
    """Return whether a cell may name a group: short words, a period, a whole number, a band such as 65+."""
    return len(cell_text(cell)) <= LONGEST_LABEL and (
        is_words(cell) or is_period(cell) or bool(BAND.fullmatch(cell_text(cell)))
    )


def _is_start(row: Sequence[RawCell], column: int, item: int) -> bool:
    """Return whether a group begins with a row: those within it and its first item do, too."""
    return all(cell_text(row[c]) for c in range(column, item + 1))


def _are_distinct(grid: Sequence[list[RawCell]], groups: Sequence[Sequence[int]], column: int) -> bool:
    """Return whether no label comes again, within the group around it, except right after itself on a new page."""
    labels = ["\0".join(cell_text(c).casefold() for c in grid[g[0]][: column + 1]) for g in groups]
    changes = [a for a, b in zip(labels, ["", *labels], strict=False) if a != b]
    return len(set(changes)) == len(changes) > 1


def _filled(grid: Sequence[list[RawCell]], rows: Sequence[int], item: int) -> float:
    """Return the mean number of filled cells right of the item."""
    return sum(sum(map(bool, map(cell_text, grid[i][item + 1 :]))) for i in rows) / len(rows)


def _are_items(grid: Sequence[list[RawCell]], groups: Sequence[Sequence[int]], item: int) -> bool:
    """Return whether a column names the rows; the numbers of a measure do not."""
    cells = [grid[i][item] for g in groups for i in g]
    return all(map(_is_label, cells)) and not all(cell_text(c).isdigit() for c in cells)


def _recur(grid: Sequence[list[RawCell]], groups: Sequence[Sequence[int]], column: int) -> bool:
    """Return whether most rows have an item that other groups have as well."""
    items = Counter(item for g in groups for item in {cell_text(grid[i][column]).casefold() for i in g})
    shared = [items[cell_text(grid[i][column]).casefold()] > 1 for g in groups for i in g]
    return sum(shared) >= RECURRING * len(shared)
