"""Likely joins: text columns of two tables that hold the same things, told by their names and by their values.

A key tells rows apart or names what they are about. Counts, ranks, scores, grades and notes share values by chance, and
a few values that stand in many rows of both tables (open, closed) join every row with every other: none of them is
one. Values are compared as a statement's ``=`` does, so that the join finds what the hint says.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tablerag.tools.linking.keys import key_of, singular_key
from tablerag.tools.linking.matching import ColumnValues
from tablerag.tools.linking.values import linked_columns
from tablerag.tools.records import JoinHint, TableSchema

__all__ = ["likely_joins"]

MOST_TABLES = 6
MOST_JOINS = 8
MOST_VALUES = 5_000
"""Columns of more distinct values are not compared: they share what they share by chance or by name."""
LEAST_SHARED = 2
ENOUGH_ALIKE = 0.3
"""Share of the smaller column's values that must be in the other one where the names agree."""
ENOUGH = 0.6
"""The same where only the values speak for it."""
NEARLY_ALL = 0.9
"""Distinct values by rows, above which a column tells rows apart."""
LEAST_KINDS = 6
"""Distinct values of columns that agree in name and tell no rows apart: fewer are classes, not things."""
NOTE_WORDS = 6
"""Columns of more words to a value are notes."""
COUNT = re.compile(r"([a-z]|\d\d?|[1-9]\d\d)(st|nd|rd|th)?")
"""A short number, a place or a single letter; 007 is a code."""
Held = Callable[[str, Sequence[str], int], Mapping[str, ColumnValues]]


@dataclass(frozen=True, slots=True)
class Key:
    """A column that may be one side of a join."""

    table: str
    column: str
    values: frozenset[str]
    unique: bool
    """Whether it has a value of its own for nearly every row."""


def likely_joins(schemas: Sequence[TableSchema], held: Held) -> list[JoinHint]:
    """Return the pairs of text columns by which tables may be joined, those that share most first."""
    plain = [s for s in schemas if not s.members][:MOST_TABLES]
    keys = [_keys(s, held) for s in plain] if len(plain) > 1 else []
    found = [
        hint
        for left, right in combinations(keys, 2)
        for one in left
        for other in right
        if (hint := _join(one, other)) is not None
    ]
    return sorted(found, key=lambda j: -j.share)[:MOST_JOINS]


def _keys(schema: TableSchema, held: Held) -> list[Key]:
    """Return the columns of names and codes; what was read as a number or a date is none, nor is its raw text."""
    names = [c.name for c in schema.columns if c.type == "text" and not c.raw and c.kind != "score"]
    columns = held(schema.stored_as or schema.name, linked_columns(schema), schema.row_count)
    folded = {n: frozenset(v.casefold() for v in columns[n].some(MOST_VALUES)) for n in names if n in columns}
    return [
        Key(schema.name, name, values, len(values) >= NEARLY_ALL * schema.row_count)
        for name, values in folded.items()
        if len(values) >= LEAST_SHARED and _names_things(values)
    ]


def _names_things(values: frozenset[str]) -> bool:
    """Tell whether most values are more than counts, and short."""
    words = [key_of(v).split() for v in values]
    counts = sum(all(map(COUNT.fullmatch, w)) for w in words)
    return counts <= len(words) / 2 and sum(map(len, words)) <= NOTE_WORDS * len(words)


def _join(one: Key, other: Key) -> JoinHint | None:
    smaller = min(len(one.values), len(other.values))
    shared = len(one.values & other.values)
    share = shared / smaller
    alike = _named_alike(one.column, other.column)
    if shared < LEAST_SHARED or share < (ENOUGH_ALIKE if alike else ENOUGH):
        return None
    if not (one.unique or other.unique or (alike and smaller >= LEAST_KINDS)):
        return None
    return JoinHint(
        left=one.table,
        left_column=one.column,
        right=other.table,
        right_column=other.column,
        share=round(share, 2),
        same_name=alike,
    )


def _named_alike(a: str, b: str) -> bool:
    one, other = (set(singular_key(key_of(n.replace("_", " "))).split()) - {"name"} for n in (a, b))
    return bool(one) and (one <= other or other <= one)
