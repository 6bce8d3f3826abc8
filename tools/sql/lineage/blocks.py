"""What kind of block a SELECT is: whether its rows are stored rows, or were folded, merged or cut."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, build_scope, traverse_scope

__all__ = [
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
"""From a block to one of its tables: the alias of each source on the way, and which operand of its UNION is meant."""
RANKINGS = (exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile, exp.PercentRank, exp.CumeDist)
"""Windows that number rows and compute nothing from them."""


class Sources(NamedTuple):
    """What a block reads, looking through the derived tables that let stored rows through."""

    stored: list[tuple[Path, exp.Table, bool]]
    """Stored tables, each with whether one row of it can be in one row of the block only."""
    closed: list[exp.Query]
    """Derived tables that fold, merge or cut rows."""
    blocks: list[exp.Select]
    """The block itself and those that were looked through."""
    merges: bool
    """Whether UNION or DISTINCT were looked through: the block's rows are fewer then, or of several queries."""


def returns_stored_rows(select: exp.Select) -> bool:
    """Tell whether each result row is one row of the tables: no grouping, aggregate, window or DISTINCT."""
    folded = any(select.args.get(part) for part in ("group", "having", "distinct", "windows"))
    return not folded and not aggregates(select)


def aggregates(select: exp.Select) -> bool:
    """Tell whether a block groups or aggregates; a window function counts as well."""
    return bool(select.args.get("group")) or any(True for _ in _folding(select))


def is_limited(query: exp.Query) -> bool:
    """Tell whether a query has a LIMIT or an OFFSET."""
    return bool(query.args.get("limit") or query.args.get("offset"))


def is_correlated(query: exp.Query) -> bool:
    """Tell whether a query reads columns of the queries around it."""
    scope = build_scope(query.unnest().copy())
    return scope is not None and any(column.table for column in scope.external_columns)


def aliases(select: exp.Select) -> frozenset[str]:
    """Return the names by which a block speaks of what it reads."""
    return frozenset(_sources(select))


def columns_read(query: exp.Query) -> dict[str, set[str]]:
    """Return the columns that a query without WITH reads, by stored table; all names case-folded."""
    read: dict[str, set[str]] = {}
    for scope in traverse_scope(query):
        for column in scope.columns:
            source = scope.sources.get(column.table)
            if isinstance(source, exp.Table):
                read.setdefault(source.name.casefold(), set()).add(column.name.casefold())
    return read


def branches(query: exp.Query) -> list[exp.Select]:
    """Return the blocks whose rows are a derived table's, one by one or as a UNION; none where it is closed."""
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
            for mine, theirs in zip(found[:3], within[:3], strict=True):
                mine.extend(theirs)
            merges = within.merges or len(through) > 1 or bool(branch.args.get("distinct"))
            found = found._replace(merges=found.merges or merges)
    return found


def _sources(select: exp.Select) -> dict[str, exp.Table | Scope]:
    scope = build_scope(select)
    return dict(scope.sources) if scope else {}


def _folding(select: exp.Select) -> Iterator[exp.Expr]:
    """Return the aggregates and windows of a block itself, not those of its sub-selects or within a window."""
    order = [select.args["order"]] if select.args.get("order") else []
    for part in (*select.expressions, *order):
        for node in part.dfs(prune=lambda n: isinstance(n, (exp.Query, exp.Window))):
            if isinstance(node, (exp.AggFunc, exp.Window)):
                yield node
