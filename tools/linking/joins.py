"""Likely joins: text columns of two tables with the same kind of things, found by their names and values.

A key identifies rows or names their subjects. Counts, ranks, scores, grades and notes are not keys: they share values
by chance. Nor are columns with a few values in many rows of both tables (open, closed), which join every row with every
other. Values are compared as ``=`` does in a statement, so that the join works. Tables of a database that declares its
foreign keys are joined by nothing else, those of one that declares only primary keys by these.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from tablerag.tools.linking.keys import key_of, singular_key
from tablerag.tools.linking.matching import Held
from tablerag.tools.linking.values import linked_columns
from tablerag.tools.records import JoinHint, TableSchema

__all__ = ["likely_joins"]

MOST_TABLES = 6
MOST_JOINS = 12
MOST_VALUES = 5_000
"""Columns with more distinct values are not compared."""
LEAST_SHARED = 2
ENOUGH_ALIKE = 0.3
"""Least share of the smaller column's values in the other one, if the names match."""
ENOUGH = 0.6
"""The same if the names do not match."""
NEARLY_ALL = 0.9
"""Ratio of distinct values to rows from which a column identifies rows."""
LEAST_KINDS = 6
"""Least number of distinct values of columns with matching names that do not identify rows; fewer are classes."""
NOTE_WORDS = 6
"""Columns with more words per value are notes."""
COUNT = re.compile(r"([a-z]|\d\d?|[1-9]\d\d)(st|nd|rd|th)?")
"""A short number, an ordinal or a single letter; 007 is a code."""


@dataclass(frozen=True, slots=True)
class Key:
    """A column that may be one side of a join."""

    table: str
    column: str
    values: frozenset[str]
    unique: bool
    """Whether nearly every row has a different value."""


def likely_joins(schemas: Sequence[TableSchema], held: Held) -> list[JoinHint]:
    """Return pairs of columns that can join tables: foreign keys, then text columns of which one identifies its rows.

    Each with the most shared values first. Two tables without such a pair may have others of the same name.
    """
    declared = [*_declared(schemas), *_keyed(schemas)]
    declaring = {o.connection for s in schemas if (o := s.origin) and o.references}
    stored = [s for s in schemas if not s.members][:MOST_TABLES]
    keys = {s.name: _keys(s, held) for s in stored} if len(stored) > 1 else {}
    found: list[tuple[bool, JoinHint]] = []
    for one, other in combinations(stored, 2):
        pairs = list(product(keys[one.name], keys[other.name]))
        if one.origin and other.origin and one.origin.connection == other.origin.connection:
            if one.origin.connection in declaring:
                continue
            if one.own_key or other.own_key:
                pairs = [(a, b) for a, b in pairs if a.column == one.own_key or b.column == other.own_key]
        hints = [(a.unique or b.unique, hint) for a, b in pairs if (hint := _join(a, b)) is not None]
        keyed = any(unique for unique, _ in hints)
        found += [(unique, hint) for unique, hint in hints if unique or not keyed]
    likely = [hint for _, hint in sorted(found, key=lambda f: (-f[0], -f[1].share))]
    return [*declared, *likely][:MOST_JOINS]


def _declared(schemas: Sequence[TableSchema]) -> Iterator[JoinHint]:
    """Yield the foreign keys between tables of one connected database."""
    origins = [(s, s.origin) for s in schemas if s.origin]
    for schema, origin in origins:
        for own, table, column in origin.references:
            for other, there in origins:
                if (there.connection, there.table[-1]) != (origin.connection, table):
                    continue
                for name, real in there.names.items():
                    if real == column:
                        left, right = (schema.name, own), (other.name, name)
                        yield _hint(left, right, share=1.0, declared=True)


def _keyed(schemas: Sequence[TableSchema]) -> Iterator[JoinHint]:
    """Yield the columns of a connected database's tables that are called like the primary key of one other table.

    Not those of a table that declares foreign keys, nor keys that are called alike in several tables, such as "id".
    """
    connected = [(s, s.origin) for s in schemas if s.origin]
    for schema, origin in connected:
        for column in () if origin.references else schema.columns:
            others = [
                other for other, there in connected
                if other is not schema and there.connection == origin.connection and other.own_key == column.name
            ]  # fmt: skip
            if len(others) == 1 and column.name != schema.own_key:
                left, right = (schema.name, column.name), (others[0].name, column.name)
                yield _hint(left, right, share=1.0, same_name=True).model_copy(update={"keyed": True})


def _keys(schema: TableSchema, held: Held) -> list[Key]:
    """Return the columns of names and codes; not those of numbers or dates, nor their raw texts."""
    names = [c.name for c in schema.columns if c.type == "text" and not c.raw and c.kind != "score"]
    columns = held(schema.stored_as or schema.name, linked_columns(schema), schema.row_count)
    folded = {n: frozenset(v.casefold() for v in columns[n].some(MOST_VALUES)) for n in names if n in columns}
    return [
        Key(schema.name, name, values, len(values) >= NEARLY_ALL * schema.row_count)
        for name, values in folded.items()
        if len(values) >= LEAST_SHARED and _names_things(values)
    ]


def _names_things(values: frozenset[str]) -> bool:
    """Return whether most values are short and not counts."""
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
    return _hint((one.table, one.column), (other.table, other.column), share=round(share, 2), same_name=alike)


def _hint(
    left: tuple[str, str], right: tuple[str, str], *, share: float, same_name: bool = False, declared: bool = False
) -> JoinHint:
    return JoinHint(
        left=left[0],
        left_column=left[1],
        right=right[0],
        right_column=right[1],
        share=share,
        same_name=same_name,
        declared=declared,
    )


def _named_alike(a: str, b: str) -> bool:
    one, other = (set(singular_key(key_of(n.replace("_", " "))).split()) - {"name"} for n in (a, b))
    return bool(one) and (one <= other or other <= one)
