"""Detects a LIMIT that cuts between tied rows, where another row would be an equally right answer."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import sqlglot
from sqlglot import exp

from tablerag.tools.records import Cell

__all__ = ["TieProbe", "ranks_alike", "tie_probes"]

TOLERANCE = 1e-9


class TieProbe(NamedTuple):
    """A statement that returns the sort keys of the ranked rows, and the positions of the cuts."""

    sql: str
    cuts: tuple[int, ...]
    """The numbers of rows before each cut."""


def tie_probes(sql: str) -> Iterator[TieProbe]:
    """Yield a probe for each SELECT with ORDER BY and LIMIT in a statement in MySQL's dialect."""
    root = sqlglot.parse_one(sql, read="mysql")
    for select in root.find_all(exp.Select):
        order, limit = select.args.get("order"), select.args.get("limit")
        if order is None or limit is None:
            continue
        count, skipped = _number(limit), _number(select.args.get("offset"))
        probe = select.copy()
        probe.set("limit", None)
        probe.set("offset", None)
        meant = {e.alias: e.this for e in select.expressions if isinstance(e, exp.Alias)}
        keys = [_resolved(o.this, meant, select) for o in order.expressions]
        probe.set("expressions", [exp.alias_(k.copy(), f"key_{i}") for i, k in enumerate(keys)])
        probe.set("distinct", None)
        for ordered, key in zip(probe.args["order"].expressions, keys, strict=True):
            ordered.set("this", key.copy())
        probe = probe.limit(skipped + count + 1, copy=False)
        shared = root.args.get("with_")
        if shared is not None and select is not root:
            probe.set("with_", shared.copy())
        yield TieProbe(probe.sql(dialect="mysql"), tuple(n for n in (skipped, skipped + count) if n))


def ranks_alike(keys: tuple[tuple[Cell, ...], ...], cuts: tuple[int, ...]) -> bool:
    """Return whether the rows on both sides of a cut have the same keys."""
    pairs = list(pairwise(keys))
    return any(cut <= len(pairs) and all(map(_same, *pairs[cut - 1])) for cut in cuts)


def _same(a: Cell, b: Cell) -> bool:
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= TOLERANCE * max(1.0, abs(a), abs(b))
    return a == b


def _number(part: exp.Expr | None) -> int:
    return int(part.expression.name) if part is not None else 0


def _resolved(key: exp.Expr, meant: dict[str, exp.Expr], select: exp.Select) -> exp.Expr:
    """Resolve an alias or a column number to its expression in the SELECT list."""
    if isinstance(key, exp.Literal) and key.is_int:
        return select.expressions[int(key.name) - 1].unalias()
    if isinstance(key, exp.Column) and not key.table and key.name in meant:
        return meant[key.name]
    return key
