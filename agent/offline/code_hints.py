"""Codes that a question means by other words: "R" for "returned". They are never only a word too many."""

from collections.abc import Sequence

import sqlglot
from sqlglot import exp

from tablerag.tools.linking.keys import key_of
from tablerag.tools.linking.meanings import MEANT_SCORE
from tablerag.tools.records import TableSchema, ValueHint

__all__ = ["counts_codes", "drops_code", "is_code"]

LONGEST = 4
"""Characters of a stored code that stands for words."""


def is_code(hint: ValueHint) -> bool:
    """Tell whether a stored value is another word than those that mean it."""
    short = len(hint.value) <= LONGEST and hint.score > MEANT_SCORE
    return short and not set(key_of(hint.value).split()) & set(key_of(hint.phrase).split())


def drops_code(sql: str, hints: Sequence[ValueHint]) -> bool:
    """Tell whether a statement leaves out a code of its tables that the question means.

    Nothing is left out if the words are part of another value that the statement has: "Open House Ltd".
    """
    codes = [h for h in hints if is_code(h)]
    if not codes or not sql:
        return False
    query = sqlglot.parse_one(sql, read="mysql")
    read = {t.name.casefold() for t in query.find_all(exp.Table)}
    said = {v.name.casefold() for v in query.find_all(exp.Literal)}
    longer = [key_of(h.phrase) for h in hints if h.value.casefold() in said]
    return any(
        h.table.casefold() in read
        and h.value.casefold() not in said
        and not any(key_of(h.phrase) in phrase for phrase in longer)
        for h in codes
    )


def counts_codes(sql: str, schemas: Sequence[TableSchema]) -> bool:
    """Tell whether a statement counts rows of a table of codes by what they mean: it has one row for each code."""
    listed = {s.name.casefold(): s.rules.code_columns for s in schemas if s.rules and s.rules.code_columns}
    if not listed or not sql:
        return False
    query = sqlglot.parse_one(sql, read="mysql")
    read = {t.name.casefold() for t in query.find_all(exp.Table)}
    if not read or not read <= listed.keys() or query.find(exp.AggFunc) is None:
        return False
    named = {name.casefold() for table in read for name in listed[table]}
    return any(c.name.casefold() in named for of in query.find_all(exp.Where) for c in of.find_all(exp.Column))
