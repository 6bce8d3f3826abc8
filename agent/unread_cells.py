"""Cells that a statement leaves out without saying so: those that did not fit the type of their column are NULL."""

import re
from collections.abc import Sequence

from tablerag.tools.counting import counted
from tablerag.tools.records import Column, SqlResult, TableSchema

__all__ = ["unread_cells"]

CALL = re.compile(r"\b(?:SUM|AVG|MIN|MAX|COUNT)\s*\(", re.IGNORECASE)
MOST = 2


def unread_cells(result: SqlResult | None, schemas: Sequence[TableSchema]) -> str:
    """Return which cells of aggregated columns could not be read, as a sentence; "" if all could."""
    if result is None or not result.rows:
        return ""
    read = [s for s in schemas if re.search(rf"\b{re.escape(s.name)}\b", result.sql, re.IGNORECASE)]
    columns = [
        (s, c) for s in read for c in s.columns if c.unfit and c.type != "text" and _is_aggregated(c, result.sql)
    ]
    said = [
        f'{counted(c.unfit, "cell")} of "{c.header or c.name}" in {s.title or s.name} could not be read as {c.type}'
        for s, c in columns[:MOST]
    ]
    return f"{'; '.join(said)}: left out." if said else ""


def _is_aggregated(column: Column, sql: str) -> bool:
    named = re.compile(rf"\b{re.escape(column.name)}\b", re.IGNORECASE)
    return any(named.search(_argument(sql[call.end() :])) for call in CALL.finditer(sql))


def _argument(rest: str) -> str:
    """Return what is before the bracket that closes a call."""
    depth = 1
    for place, char in enumerate(rest):
        depth += (char == "(") - (char == ")")
        if not depth:
            return rest[:place]
    return rest
