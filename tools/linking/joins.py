"""Likely joins: columns of two tables that hold the same things, told by their names and by their values."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from tools.linking.keys import key_of, singular_key
from tools.linking.matching import ColumnValues
from tools.linking.values import linked_columns
from tools.records import JoinHint, TableSchema

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
Held = Callable[[str, Sequence[str], int], Mapping[str, ColumnValues]]


def likely_joins(schemas: Sequence[TableSchema], held: Held) -> list[JoinHint]:
    """Return the pairs of text columns by which tables may be joined, those that share most first."""
    plain = [s for s in schemas if not s.members][:MOST_TABLES]
    values = {s.name: _values(s, held) for s in plain} if len(plain) > 1 else {}
    found = [
        hint
        for left, right in combinations(plain, 2)
        for a, own in values[left.name].items()
        for b, other in values[right.name].items()
        if (hint := _join(left.name, a, own, right.name, b, other)) is not None
    ]
    return sorted(found, key=lambda j: -j.share)[:MOST_JOINS]


def _values(schema: TableSchema, held: Held) -> dict[str, frozenset[str]]:
    """Return the folded values of each text column that has neither too few nor too many."""
    columns = held(schema.stored_as or schema.name, linked_columns(schema), schema.row_count)
    folded = {name: frozenset(map(key_of, values.some(MOST_VALUES))) for name, values in columns.items()}
    return {name: keys for name, keys in folded.items() if len(keys) >= LEAST_SHARED}


def _join(left: str, a: str, own: frozenset[str], right: str, b: str, other: frozenset[str]) -> JoinHint | None:
    shared = len(own & other)
    share = shared / min(len(own), len(other))
    alike = _named_alike(a, b)
    if shared < LEAST_SHARED or share < (ENOUGH_ALIKE if alike else ENOUGH):
        return None
    return JoinHint(left=left, left_column=a, right=right, right_column=b, share=round(share, 2), same_name=alike)


def _named_alike(a: str, b: str) -> bool:
    one, other = (set(singular_key(key_of(n.replace("_", " "))).split()) - {"name", "raw"} for n in (a, b))
    return bool(one) and (one <= other or other <= one)
