"""Rows of a table as a model is shown them: all of a short table, otherwise those with values of the question."""

import re
from collections.abc import Callable, Sequence

from tablerag.tools.linking.keys import key_of
from tablerag.tools.linking.matching import SURE
from tablerag.tools.records import Cell, Column, TableExtract, TableSchema, ValueHint
from tablerag.tools.table_rows import TableRows

__all__ = ["FOUND_CHARS", "MOST_CHARS", "OTHER_CHARS", "extract"]

ALL_ROWS = 30
"""A table with no more rows is shown completely, if its text is short enough."""
MOST_CHARS = 2_000
FOUND_CHARS = 1_200
OTHER_CHARS = 300
"""Characters of the rows of the best table for a question, of the best that a search finds later, and of others."""
MATCHING_ROWS, FIRST_ROWS = 6, 3
OTHER_ROWS, OTHER_FIRST = 2, 1
MOST_VALUES, VALUE_CHARS = 12, 28
OTHER_VALUES = 6
MOST_COLUMNS = 30
NUMBER = re.compile(r"\d[\d.,]*\d|\d")

ReadRows = Callable[[TableSchema, Sequence[ValueHint]], TableRows]


def extract(read: ReadRows, question: str, schema: TableSchema, hints: Sequence[ValueHint], most: int) -> TableExtract:
    """Return the rows of one table to show for a question, in about ``most`` characters.

    Raises the errors of Database.run().
    """
    found = read(schema, hints)
    columns = schema.columns[:MOST_COLUMNS]
    rows = [tuple(_cell(found, row, c) for c in columns) for row in found.rows]
    size = sum(len(str(cell)) + 3 for row in rows[:ALL_ROWS] for cell in row)
    shown = {"table": schema.name, "columns": tuple(c.name for c in columns)}
    if found.complete and len(rows) <= ALL_ROWS and size <= most:
        return TableExtract(**shown, rows=tuple(rows), complete=True)
    chosen = _matching(question, rows, [h for h in hints if h.table == schema.name])
    few = most <= OTHER_CHARS
    matching = len(chosen)
    chosen = chosen[: OTHER_ROWS if few else MATCHING_ROWS]
    values = _values(columns, rows, OTHER_VALUES if few else MOST_VALUES) if found.complete else {}
    kept = _within(chosen or rows[: OTHER_FIRST if few else FIRST_ROWS], most)
    return TableExtract(**shown, rows=tuple(kept), matching=matching, values=values)


def _within(rows: Sequence[tuple[Cell, ...]], most: int) -> list[tuple[Cell, ...]]:
    """Return the first rows that fit into so many characters, but at least one."""
    kept: list[tuple[Cell, ...]] = []
    for row in rows:
        most -= sum(len(str(cell)) + 3 for cell in row)
        if kept and most < 0:
            break
        kept.append(row)
    return kept


def _cell(found: TableRows, row: Sequence[Cell], column: Column) -> Cell:
    """Return a cell as it is stored; as printed where it does not fit the column's type."""
    value = row[found.names.index(column.name)]
    return row[found.names.index(column.raw)] if value is None and column.raw else value


def _matching(question: str, rows: Sequence[tuple[Cell, ...]], hints: Sequence[ValueHint]) -> list[tuple[Cell, ...]]:
    """Return the rows with most values of the question, in the table's order; none if no row has a whole one."""
    wanted = {key_of(h.value) for h in hints if h.score >= SURE}
    wanted |= {key_of(n) for n in NUMBER.findall(question) if len(n) > 2}
    counts = [len({key_of(str(c)) for c in row if c is not None} & wanted) for row in rows]
    most = max(counts, default=0)
    return [row for row, n in zip(rows, counts, strict=True) if n == most] if most else []


def _values(columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]], most: int) -> dict[str, tuple[str, ...]]:
    """Return the distinct values of the text columns that have at most so many, all short."""
    found = {}
    for place, column in enumerate(columns):
        if column.type != "text":
            continue
        distinct = dict.fromkeys(str(row[place]) for row in rows if row[place] is not None)
        if 1 < len(distinct) <= most and max(map(len, distinct)) <= VALUE_CHARS:
            found[column.name] = tuple(distinct)
    return found
