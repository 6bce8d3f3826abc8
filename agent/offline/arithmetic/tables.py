"""Whole tables for the arithmetic, from the rows that the embedded reasoner reads."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from tablerag.agent.offline.interpretation import ReadRows
from tablerag.agent.offline.table_view import shown
from tablerag.tools.errors import SqlProblem
from tablerag.tools.records import TableSchema, ValueHint
from tablerag.tools.table_rows import TableRows
from tablerag.tools.whole_documents import WholeTable

__all__ = ["tables_by_document"]


def tables_by_document(
    schemas: Sequence[TableSchema], read_rows: ReadRows, hints: Sequence[ValueHint] = ()
) -> Iterator[list[WholeTable]]:
    """Yield the tables of each document, the best document first, without tables too long to read completely."""
    places = {s.source: place for place, s in reversed(list(enumerate(schemas)))}
    own = [s for s in schemas if not s.members]
    for _, group in groupby(sorted(own, key=lambda s: places[s.source]), key=lambda s: s.source):
        found = []
        for schema in group:
            try:
                rows = read_rows(schema, hints)
            except SqlProblem:
                continue  # just dropped, or too slow to read
            if rows.complete:
                found.append(_whole(schema, rows))
        yield found


def _whole(schema: TableSchema, rows: TableRows) -> WholeTable:
    places = {name: i for i, name in enumerate(rows.names)}
    values = tuple(tuple(row[places[c.name]] for c in schema.columns) for row in rows.rows)
    printed = tuple(tuple(shown(row, places, c) for c in schema.columns) for row in rows.rows)
    return WholeTable(table_schema=schema, values=values, printed=printed)
