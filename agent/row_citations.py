"""Citations of the table rows that a SQL result rests on."""

from collections.abc import Sequence
from itertools import pairwise

from tools.records import Cell, Citation, SqlResult, SupportingRows, TableSchema

__all__ = ["row_citations"]

QUOTED_CELLS = 8
"""Cells of the quoted row: enough to recognise it."""


def row_citations(
    result: SqlResult, supporting: Sequence[SupportingRows], schemas: Sequence[TableSchema]
) -> list[Citation]:
    """Cite the source rows of each supporting table; the whole table when its rows are not known."""
    by_name = {s.name.casefold(): s for s in schemas}
    cited = [_cite_rows(by_name[s.table.casefold()], s) for s in supporting if s.table.casefold() in by_name]
    if cited:
        return cited
    used = [s for s in schemas if f"`{s.name}`".casefold() in result.sql.casefold()]
    return [Citation(source=s.source, locator=s.locator, quote=f"{s.row_count} rows of {s.name}") for s in used]


def _cite_rows(schema: TableSchema, supporting: SupportingRows) -> Citation:
    locator = schema.locator
    if supporting.total < schema.row_count and supporting.row_ids:
        more = (
            f" and {supporting.total - len(supporting.row_ids)} more"
            if supporting.total > len(supporting.row_ids)
            else ""
        )
        if schema.first_row is None:
            rows = f"data rows {_ranges(supporting.row_ids)}"
        else:
            rows = f"rows {_ranges([schema.first_row + i - 1 for i in supporting.row_ids])}"
        place = (
            locator.split(", rows ")[0] if ", rows " in locator else ("" if locator.startswith("rows ") else locator)
        )
        locator = ", ".join(part for part in (place, rows + more) if part)
    quote = (
        _row_text(supporting.columns, supporting.rows[0])
        if supporting.total == 1
        else f"{supporting.total} rows of {schema.name}"
    )
    return Citation(source=schema.source, locator=locator, quote=quote)


def _row_text(columns: Sequence[str], row: Sequence[Cell]) -> str:
    cells = [f"{c}: {v}" for c, v in zip(columns, row, strict=True) if v is not None]
    return "; ".join(cells[:QUOTED_CELLS]) + ("; …" if len(cells) > QUOTED_CELLS else "")


def _ranges(numbers: Sequence[int]) -> str:
    """Write sorted numbers with runs joined: 3, 5-8."""
    ordered = sorted(set(numbers))
    breaks = [i for i, (a, b) in enumerate(pairwise(ordered), start=1) if b != a + 1]
    runs = [ordered[i:j] for i, j in zip([0, *breaks], [*breaks, len(ordered)], strict=True)]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
