"""How many rows a statement of SQLite would examine, by its plan and the known sizes of tables."""

import re
from collections.abc import Mapping, Sequence

__all__ = ["plan_rows"]

LOOP = re.compile(r"(SCAN|SEARCH) (\S+)(.*)")
ONE = re.compile(r"INTEGER PRIMARY KEY \(rowid=\?\)|sqlite_autoindex_\w+ \([^()<>]*\)$")
RANGE = re.compile(r"\([^()]*[<>][^()]*\)")
KEPT_NAME = re.compile(r"(?:MATERIALIZE|CO-ROUTINE) (\S+)")
FOUND = 10.0
"""Rows with one value of an index, as SQLite assumes."""
WITHIN = 4.0
"""The part of a table that a range of an index has."""
MOST_MADE = 1_000.0
"""Rows of a subquery that is kept: how many a plan does not say, and the time limit remains."""
Plan = Sequence[tuple[int, int, int, str]]


def plan_rows(plan: Plan, sizes: Mapping[str, float]) -> float:
    """Return about how many rows a plan examines, given the rows of EXPLAIN QUERY PLAN and the sizes by alias.

    >>> plan_rows([(4, 0, 0, "SCAN a"), (6, 0, 0, "SCAN b")], {"a": 1000, "b": 200})
    201000.0
    """
    return _below(0, plan, dict(sizes))[1]


def _below(parent: int, plan: Plan, sizes: dict[str, float]) -> tuple[float, float]:
    """Return how many rows the loops of a part of a plan make, and how many they examine."""
    made, examined = 1.0, 0.0
    for number, above, _, says in plan:
        if above != parent:
            continue
        if loop := LOOP.match(says):
            made *= _rows(loop[1], sizes.get(loop[2], MOST_MADE), loop[3])
            examined += made
            continue
        inner, cost = _below(number, plan, sizes)
        if kept := KEPT_NAME.match(says):
            sizes[kept[1]] = min(inner, MOST_MADE)
        examined += cost * (made if says.startswith(("CORRELATED", "MULTI-INDEX", "INDEX")) else 1.0)
    return made, examined


def _rows(how: str, size: float, index: str) -> float:
    """Return how many rows one pass of a loop examines."""
    if how == "SCAN":
        return max(size, 1.0)
    if ONE.search(index) or "USING" not in index:
        return 1.0
    return max(size / WITHIN, 1.0) if RANGE.search(index) else min(max(size, 1.0), FOUND)
