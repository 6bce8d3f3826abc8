"""Where a guarded statement reads stored tables, and which of their rows contribute to its result.

Contributing rows:

- Of a block (one SELECT with its FROM, joins and WHERE): the rows of each table that are part of a joined row that
  passes WHERE. With a LIMIT, but no group, aggregate, window or DISTINCT: only those in the returned rows. HAVING and
  the LIMIT of groups do not matter.
- A derived table or WITH query that passes stored rows on (filters, joins, rankings, DISTINCT, UNION) is part of the
  block that reads it: its rows must pass the outer WHERE too. One that groups, aggregates or limits contributes all
  rows that it was computed from. A UNION contributes the rows of both sides.
- A subquery among the selected values contributes its rows. One in a condition (WHERE, ON, HAVING, ORDER BY) only
  chooses rows: its rows only contribute if nothing else reads their table. A correlated subquery contributes the rows
  that match a row of the outer blocks that passes their WHERE.
- EXCEPT, INTERSECT, HAVING without groups, and a LIMIT in a correlated subquery or over UNION ALL are not traced:
  unknown rows are better than wrong ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from tablerag.tools.sql.guard import GuardedSql
from tablerag.tools.sql.limits import inner_queries
from tablerag.tools.sql.lineage.blocks import (
    NotTraced,
    Path,
    aggregates,
    aliases,
    is_correlated,
    is_limited,
    returns_stored_rows,
    sources_within,
)
from tablerag.tools.sql.lineage.inlining import inlined

__all__ = ["Place", "Reading", "readings"]


@dataclass(frozen=True)
class Place:
    """The place of a query in the statement."""

    around: tuple[exp.Select, ...] = ()
    """The outer blocks of a correlated subquery, outermost first."""
    chooses: bool = False
    """Whether it is in a condition."""
    gives_rows: bool = False
    """Whether the rows of the statement come from its rows: the statement itself and the queries in its FROM."""
    outermost: bool = False


@dataclass(frozen=True)
class Reading:
    """One place in which a statement reads a stored table."""

    table: str
    """The table's SQL name."""
    place: Place
    block: exp.Select | None = None
    """The block whose rows are read; None if they are unknown, with the reason in ``untold``."""
    path: Path = ()
    """From the block to the table."""
    alone: bool = False
    """Whether any row of the table is in at most one row of the block, so that each is found once."""
    untold: str = ""

    @property
    def whole(self) -> bool:
        """Whether all rows of the table are read, each once."""
        if self.block is None or not self.alone or len(self.path) > 1 or self.place.around:
            return False
        return not self.limited and not self.block.args.get("where")

    @property
    def limited(self) -> bool:
        """Whether the rows of the block are stored rows that its LIMIT selects."""
        return self.block is not None and is_limited(self.block) and returns_stored_rows(self.block)


def readings(guarded: GuardedSql, row_limit: int) -> tuple[list[Reading], exp.Query]:
    """Return every reading of a stored table, those in FROM first, and the statement without WITH.

    A LIMIT beyond ``row_limit`` is ignored: the guard added it, or it has no effect.
    """
    try:
        tree = inlined(guarded.expression)
        limit = tree.args.get("limit")
        if limit is not None and int(limit.expression.name) > row_limit:
            tree.set("limit", None)
        found = list(_of(tree, Place(gives_rows=True, outermost=True)))
        return [*found, *_elsewhere(tree, found)], tree
    except NotTraced as error:
        untold = str(error)
    except RecursionError:
        untold = "the statement is nested too deeply to trace"
    return [Reading(t, Place(gives_rows=True), untold=untold) for t in guarded.tables], guarded.expression


def _elsewhere(tree: exp.Query, found: Sequence[Reading]) -> list[Reading]:
    """Return readings for tables in places that are not traced, such as ON in a join in parentheses."""
    known = {r.table for r in found}
    missed = dict.fromkeys(t.name for t in tree.find_all(exp.Table) if t.name not in known)
    return [Reading(name, Place(), untold="its place in the statement is not traced") for name in missed]


def _of(query: exp.Expr, place: Place) -> Iterator[Reading]:
    query = query.unnest()
    untold = _why_untold(query, place)
    if untold:
        yield from (Reading(t.name, place, untold=untold) for t in query.find_all(exp.Table))
    elif isinstance(query, exp.Union):
        for side in (query.this, query.expression):
            yield from _of(side, replace(place, outermost=False))
    elif isinstance(query, exp.Select):
        yield from _of_block(query, place)


def _why_untold(query: exp.Expr, place: Place) -> str:
    if isinstance(query, exp.SetOperation):
        if not isinstance(query, exp.Union):
            return f"{query.key.upper()} is not traced"
        if is_limited(query) and not query.args.get("distinct"):
            return "a LIMIT over UNION ALL is not traced"
        return "a UNION in a correlated subquery is not traced" if place.around else ""
    if not isinstance(query, exp.Select):
        return ""
    if query.args.get("having") and not aggregates(query):
        return "HAVING without groups is not traced"
    if place.around and is_limited(query) and returns_stored_rows(query):
        return "a LIMIT in a correlated subquery is not traced"
    return ""


def _of_block(block: exp.Select, place: Place) -> Iterator[Reading]:
    found = sources_within(block)
    untold = ""
    if found.merges and is_limited(block) and returns_stored_rows(block):
        untold = "a LIMIT over a derived table with UNION or DISTINCT is not traced"
    if aliases(block) & {alias for outer in place.around for alias in aliases(outer)}:
        untold = "a correlated subquery with an alias of an outer query is not traced"
    for path, table, alone in found.stored:
        yield Reading(table.name, place, None if untold else block, path, alone, untold)
    for query in found.closed:
        yield from _of(query, replace(place, around=(), outermost=False))
    for looked_through in found.blocks:
        yield from _of_sub_selects(looked_through, place if looked_through is block else replace(place, around=()))


def _of_sub_selects(block: exp.Select, place: Place) -> Iterator[Reading]:
    for query in inner_queries(block):
        top = query
        while top.parent is not None and top.parent is not block:
            top = top.parent
        around = (*place.around, block) if is_correlated(query) else ()
        yield from _of(query, Place(around, chooses=place.chooses or top.arg_key != "expressions"))
