"""Kinds of blocks: whether the rows of a SELECT are stored rows, or were aggregated, merged or limited."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, build_scope, traverse_scope

__all__ = [
    "NotTraced",
    "Path",
    "Sources",
    "aggregates",
    "aliases",
    "branches",
    "columns_read",
    "is_correlated",
    "is_limited",
    "returns_stored_rows",
    "sources_within",
]

Path = tuple[tuple[str, int], ...]
"""From a block to one of its tables: the alias of each source on the way, and the operand of its UNION."""
RANKINGS = (exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile, exp.PercentRank, exp.CumeDist)
"""Window functions that only number rows."""


class NotTraced(Exception):
    """The rows behind a part of a statement are unknown; the message is the reason. Not raised outside lineage."""


class Sources(NamedTuple):
    """What a block reads, also through derived tables whose rows are stored rows."""

    stored: list[tuple[Path, exp.Table, bool]]
    """Stored tables, each with whether any of its rows can be in at most one row of the block."""
    closed: list[exp.Expr]
    """Derived tables that aggregate, merge or limit rows."""
    blocks: list[exp.Select]
    """The block itself and those of the derived tables that it reads through."""
    merges: bool
    """Whether one of these derived tables is a UNION or has DISTINCT."""


def returns_stored_rows(select: exp.Select) -> bool:
    """Return whether each result row is one row of the tables: no groups, aggregates, windows or DISTINCT."""
    folded = any(select.args.get(part) for part in ("group", "having", "distinct", "windows"))
    return not folded and not aggregates(select)


def aggregates(select: exp.Select) -> bool:
    """Return whether a block has groups, aggregates or window functions."""
    return bool(select.args.get("group")) or any(True for _ in _folding(select))


def is_limited(query: exp.Expr) -> bool:
    """Return whether a query has a LIMIT or an OFFSET."""
    return bool(query.args.get("limit") or query.args.get("offset"))


def is_correlated(query: exp.Expr) -> bool:
    """Return whether a query reads columns of outer queries."""
    scope = build_scope(query.unnest().copy())
    return scope is not None and any(column.table for column in scope.external_columns)


def aliases(select: exp.Select) -> frozenset[str]:
    """Return the aliases of the sources of a block."""
    return frozenset(_sources(select))


def columns_read(query: exp.Query) -> dict[str, set[str]]:
    """Return the columns that a query without WITH reads, by stored table; all names are case-folded."""
    read: dict[str, set[str]] = {}
    for scope in traverse_scope(query):
        for column in scope.columns:
            source = scope.sources.get(column.table)
            if isinstance(source, exp.Table):
                read.setdefault(source.name.casefold(), set()).add(column.name.casefold())
    return read


def branches(query: exp.Expr) -> list[exp.Select]:
    """Return the blocks whose rows a query returns, alone or as a UNION; empty if it aggregates or limits rows."""
    query = query.unnest()
    if isinstance(query, exp.Union):
        sides = [branches(query.this), branches(query.expression)]
        return [b for side in sides for b in side] if all(sides) and not is_limited(query) else []
    if not isinstance(query, exp.Select) or is_limited(query):
        return []
    lets_through = not any(query.args.get(part) for part in ("group", "having", "windows"))
    ranks_only = all(isinstance(n, exp.Window) and isinstance(n.this, RANKINGS) for n in _folding(query))
    return [query] if lets_through and ranks_only else []


def sources_within(select: exp.Select, path: Path = (), *, alone: bool = True) -> Sources:
    """Return what a block reads, in the order of FROM."""
    found = Sources([], [], [select], False)
    sources = _sources(select)
    alone = alone and len(sources) == 1
    for alias, source in sources.items():
        if isinstance(source, exp.Table):
            found.stored.append(((*path, (alias, 0)), source, alone))
            continue
        through = branches(source.expression)
        if not through:
            found.closed.append(source.expression)
        for i, branch in enumerate(through):
            within = sources_within(branch, (*path, (alias, i)), alone=alone)
            found.stored.extend(within.stored)
            found.closed.extend(within.closed)
            found.blocks.extend(within.blocks)
            merges = within.merges or len(through) > 1 or bool(branch.args.get("distinct"))
            found = found._replace(merges=found.merges or merges)
    return found


def _sources(select: exp.Select) -> dict[str, exp.Table | Scope]:
    scope = build_scope(select)
    return dict(scope.sources) if scope else {}


def _folding(select: exp.Select) -> Iterator[exp.Expr]:
    """Yield the aggregates and window functions of a block, without those of subqueries or inside a window."""
    order = [select.args["order"]] if select.args.get("order") else []
    for part in (*select.expressions, *order):
        for node in part.dfs(prune=lambda n: isinstance(n, (exp.Query, exp.Window))):
            if isinstance(node, (exp.AggFunc, exp.Window)):
                yield node
