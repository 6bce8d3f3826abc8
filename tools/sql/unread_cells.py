"""Cells that a statement leaves out without saying so: those that did not fit the type of their column are NULL."""

from collections.abc import Sequence

import sqlglot
from sqlglot import exp

from tablerag.tools.counting import counted
from tablerag.tools.records import SqlResult, TableSchema

__all__ = ["unread_cells"]

MOST = 2


def unread_cells(result: SqlResult | None, schemas: Sequence[TableSchema]) -> str:
    """Return which cells of aggregated columns could not be read, as a sentence; "" if all could."""
    unread = [(s, c) for s in schemas for c in s.columns if c.unfit and c.type != "text"]
    if result is None or not result.rows or not unread:
        return ""
    query = sqlglot.parse_one(result.sql, read="mysql")
    tables = {t.name.lower() for t in query.find_all(exp.Table)}
    columns = {c.name.lower() for f in query.find_all(exp.AggFunc) for c in f.find_all(exp.Column)}
    said = [
        f'{counted(c.unfit, "cell")} of "{c.header or c.name}" in {s.title or s.name} could not be read as {c.type}'
        for s, c in unread
        if s.name.lower() in tables and c.name.lower() in columns
    ]
    return f"{'; '.join(said[:MOST])}: left out." if said else ""
