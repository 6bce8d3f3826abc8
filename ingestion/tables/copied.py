"""Tables that a database can read from their file by itself: long ones whose cells are literals of their columns."""

from collections.abc import Sequence

from tablerag.ingestion.readers.delimited_stream import StreamedGrid
from tablerag.ingestion.tables.companions import Companions, hidden_columns
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.tools.records import ROW_ID, SOURCE_ROW
from tablerag.tools.sql.backends.tables import PlainFile

__all__ = ["copied_places", "plain_file"]


def plain_file(table: TypedTable, companions: Sequence[Companions]) -> PlainFile | None:
    """Return the file that a table is copied from; None if its rows or columns are not those of the file."""
    grid, body, numbers = table.body.grid, table.body, table.block.source_rows
    if not isinstance(grid, StreamedGrid) or not isinstance(numbers, range) or body.depth:
        return None
    file, before, width = grid.source
    first = before + body.first_row
    has_all_rows = table.row_count == len(grid) - body.first_row and first + table.row_count == file.lines
    if not (has_all_rows and first):
        return None
    if {*hidden_columns(table)} - {ROW_ID, SOURCE_ROW} or any(b.low or b.high for b in companions):
        return None
    if not all(c.is_literal for c in table.columns):
        return None
    return PlainFile(file.path, file.delimiter, width, first, table.row_count, numbers[body.first_row])


def copied_places(table: TypedTable, companions: Sequence[Companions]) -> list[int]:
    """Return the place in a record of each stored column's cells; 0 for hidden columns, which have none."""
    kept = table.body.kept if table.body.kept is not None else range(len(table.columns))
    own = [place for place, beside in zip(kept, companions, strict=True) for _ in range(1 + bool(beside.raw))]
    return [0] * len(hidden_columns(table)) + own
