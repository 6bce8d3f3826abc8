"""Conditions that compare a number or a date of a connected database with a text: engines differ in what they find."""

import re
from collections.abc import Sequence

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.records import TableSchema

__all__ = ["check_compared"]

COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between)
NUMBER = re.compile(r"\s*[+-]?\.?\d")
"""How a text begins that is read as a number: MySQL takes 30 of "30abc"."""
WANTED = {
    **dict.fromkeys(("integer", "decimal"), ("numbers", NUMBER.match, "compare it with a number")),
    **dict.fromkeys(("date", "datetime"), ("dates", re.compile(r"\d").search, "write a date such as '2024-01-31'")),
}
SHOWN_CHARS = 40


def check_compared(query: exp.Query, schemas: Sequence[TableSchema]) -> None:
    """Raise SqlRejected for a column of numbers or dates that is compared with a text that is none."""
    connected = {s.name.casefold(): s for s in schemas if s.origin}
    if not connected:
        return
    named = {t.alias_or_name.casefold(): connected.get(t.name.casefold()) for t in query.find_all(exp.Table)}
    for comparison in query.find_all(*COMPARISONS):
        sides = [comparison.this, *(v for key in ("expression", "low", "high") if (v := comparison.args.get(key)))]
        sides += comparison.expressions
        texts = [side.name for side in sides if isinstance(side, exp.Literal) and side.is_string]
        for column in (side for side in sides if isinstance(side, exp.Column)):
            schema = named.get(column.table.casefold())
            found = schema.column(column.name) if schema else None
            holds, is_one, advice = WANTED.get(found.type if found else "", ("", bool, ""))
            wrong = next((t for t in texts if holds and not is_one(t)), None)
            if wrong is not None:
                raise SqlRejected(f"column {column.name!r} holds {holds}, got {wrong[:SHOWN_CHARS]!r}: {advice}")
