"""Citations of a SQL result's supporting rows, down to the cells of sources with lettered columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tablerag.agent.headers import headers_of
from tablerag.tools.cells import column_letters
from tablerag.tools.counting import counted, one_line
from tablerag.tools.records import Cell, Citation, Member, SqlResult, SupportingRows, TableSchema

__all__ = ["cited_rows", "row_citations"]

QUOTED_CELLS = 8
"""Cells quoted of a row: enough to recognise it."""
KEY_CHARS = 40
MOST_RANGES = 8
"""Ranges of cells that one citation lists."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows of one stored table, and its place in its source."""

    name: str
    source: str
    locator: str
    within: str
    row_count: int
    columns: tuple[int, ...]
    """The source's own numbers of the columns that were read."""
    read: tuple[str, ...]
    """The table's own SQL names of them."""
    shown: tuple[int, ...]
    """Which of the supporting rows are its rows."""


def row_citations(
    result: SqlResult, supporting: Sequence[SupportingRows], schemas: Sequence[TableSchema]
) -> list[Citation]:
    """Cite the source rows of each supporting table, and all of a table that was read but whose rows are unknown."""
    by_name = {s.name.casefold(): s for s in schemas}
    known = [(by_name[s.table.casefold()], s) for s in supporting if s.table.casefold() in by_name]
    cited = [citation for schema, rows in known for citation in cited_rows(schema, rows)]
    cited_tables = {schema.name for schema, _ in known}
    if result.receipt is None:
        read = [s for s in schemas if f"`{s.name}`".casefold() in result.sql.casefold()]
    else:
        read = [by_name[name.casefold()] for name in result.receipt.tables if name.casefold() in by_name]
    return cited + [c for s in read if s.name not in cited_tables for c in _cite_whole(s)]


def cited_rows(schema: TableSchema, supporting: SupportingRows) -> list[Citation]:
    """Cite supporting rows of one table; of a table that unites others, of each member that is known to have some."""
    parts = _parts(schema, supporting)
    own = schema.origin.keys if schema.origin else ()
    if own and not supporting.keys and set(own) <= set(supporting.columns):  # the engine's number of a row says little
        at = [supporting.columns.index(name) for name in own]
        supporting = supporting.model_copy(update={"keys": tuple(tuple(row[i] for i in at) for row in supporting.rows)})
    headers = headers_of([schema])
    named = [headers.get(name, name) for name in supporting.columns]
    if not schema.members:
        return [_cite(part, supporting, named, supporting.total) for part in parts]
    if supporting.total == schema.row_count:
        return [_cite(part, supporting, named, part.row_count) for part in parts]
    cited = [_cite(part, supporting, named, len(part.shown)) for part in parts]
    if supporting.total == len(supporting.rows):
        return cited
    # The total is not counted per table.
    among = f"among the first {len(supporting.rows)} of {supporting.total}"
    return [c.model_copy(update={"quote": f"{counted(len(c.row_ids), 'row')} of {c.table} {among}"}) for c in cited]


def _cite_whole(schema: TableSchema) -> list[Citation]:
    parts = schema.members or (schema,)
    return [
        Citation(source=p.source, locator=p.locator, quote=f"{counted(p.row_count, 'row')} of {p.name}", table=p.name)
        for p in parts
    ]


def _parts(schema: TableSchema, supporting: SupportingRows) -> list[_Part]:
    """Return the table, or those of its members that rows are shown of; all where every row was read."""
    every = tuple(range(len(supporting.rows)))
    # Section titles are in rows of their own, not in the row's cells.
    own = set(supporting.used) - set(schema.row_path)
    if not schema.members:
        places = _numbers([c.place for c in schema.columns if c.name in own])
        return [_part(schema, places, supporting.used, every)]
    parts = []
    for member in schema.members:
        shown = tuple(i for i in every if supporting.members[i] == member.name)
        if shown or (supporting.total == schema.row_count and member.row_count):
            places = _numbers([member.places.get(c.name) for c in schema.columns if c.name in own])
            read = tuple(member.columns[name] for name in supporting.used if name in member.columns)
            parts.append(_part(member, places, read, shown))
    return parts


def _part(table: TableSchema | Member, places: tuple[int, ...], read: tuple[str, ...], shown: tuple[int, ...]) -> _Part:
    return _Part(table.name, table.source, table.locator, table.within, table.row_count, places, read, shown)


def _numbers(places: Sequence[int | None]) -> tuple[int, ...]:
    """Return the places; none if one of them is unknown."""
    known = tuple(p for p in places if p is not None)
    return known if len(known) == len(places) else ()


def _cite(part: _Part, supporting: SupportingRows, headers: Sequence[str], total: int) -> Citation:
    """Cite ``total`` rows of a part."""
    locator = part.locator
    if total < part.row_count and part.shown:
        more = total - len(part.shown)
        # The pages of rows beyond those shown are unknown: use the table's own.
        pages = [supporting.pages[i] for i in part.shown] if supporting.pages and more <= 0 else []
        page = f"page{'s' * (len(set(pages)) > 1)} {_ranges(pages)}" if pages else ""
        rows = _rows(part, supporting) + (f" and {counted(more, 'more row')}" if more > 0 else "")
        # Without pages and row numbers, the place and the count of data rows have to do.
        place = part.within if pages or supporting.source_rows else part.locator
        locator = ", ".join(p for p in (page, place, rows) if p)
    quote = (
        _row_text(headers, supporting.rows[part.shown[0]])
        if total == 1 and part.shown
        else f"{counted(total, 'row')} of {part.name}"
    )
    return Citation(
        source=part.source,
        locator=locator,
        quote=quote,
        table=part.name,
        row_ids=tuple(supporting.row_ids[i] for i in part.shown if supporting.row_ids),
        columns=part.read,
    )


def _rows(part: _Part, supporting: SupportingRows) -> str:
    if supporting.keys:
        named = [_key(supporting.keys[i]) for i in part.shown[:MOST_RANGES]]
        return f"rows {', '.join(named)}" + (" ..." if len(part.shown) > MOST_RANGES else "")
    if not supporting.source_rows:
        return f"data rows {_ranges([supporting.row_ids[i] for i in part.shown])}"
    numbers = [supporting.source_rows[i] for i in part.shown]
    if not part.columns:
        return f"rows {_ranges(numbers)}"
    cells = [_cells(rows, columns) for rows in _runs(numbers) for columns in _runs(part.columns)]
    shown = ", ".join(cells[:MOST_RANGES])
    return f"cells {shown}" + (f" and {len(cells) - MOST_RANGES} more ranges" if len(cells) > MOST_RANGES else "")


def _key(cells: Sequence[Cell]) -> str:
    """Write the key of a row: 10248/Tofu."""
    return "/".join(one_line(str(c))[:KEY_CHARS] for c in cells)


def _cells(rows: Sequence[int], columns: Sequence[int]) -> str:
    first, last = f"{column_letters(columns[0])}{rows[0]}", f"{column_letters(columns[-1])}{rows[-1]}"
    return first if first == last else f"{first}:{last}"


def _row_text(headers: Sequence[str], row: Sequence[Cell]) -> str:
    cells = [f"{h}: {v}" for h, v in zip(headers, row, strict=True) if v is not None]
    return "; ".join(cells[:QUOTED_CELLS]) + ("; …" if len(cells) > QUOTED_CELLS else "")


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Return the numbers sorted, in runs without gaps."""
    ordered = sorted(set(numbers))
    breaks = [i for i, (a, b) in enumerate(pairwise(ordered), start=1) if b != a + 1]
    return [ordered[i:j] for i, j in zip([0, *breaks], [*breaks, len(ordered)], strict=True)]


def _ranges(numbers: Sequence[int]) -> str:
    """Write numbers with runs joined: 3, 5-8."""
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in _runs(numbers))
