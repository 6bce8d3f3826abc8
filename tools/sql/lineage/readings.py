"""A guarded statement taken apart: where it reads which stored table, and how its rows there are found.

What counts as contributing:

- Of a block (one SELECT with its FROM, joins and WHERE) the rows of each table that take part in a joined row
  that passes WHERE. With a LIMIT and neither grouping, aggregate, window nor DISTINCT: those in the rows returned;
  else all, whatever HAVING and LIMIT leave of the groups.
- A derived table or WITH query that lets stored rows through (filters, joins, rankings, DISTINCT, UNION) is part of
  the block that reads it: of its rows those count that pass the outer WHERE too. One that groups, aggregates or is
  cut counts with all rows that it was computed from. Of a UNION the rows of both sides count.
- A sub-select among the values shown counts with its rows, of whatever table. One in a condition (WHERE, ON,
  HAVING, ORDER BY) only chooses rows: the chosen ones are what the result shows. Its rows count where they are of
  a table that nothing else reads. Of a correlated sub-select those rows count that fit a row of the blocks around
  it which passes their WHERE.
- EXCEPT, INTERSECT, HAVING without groups, and a LIMIT within a correlated sub-select or over UNION ALL are not
  taken apart: rather no rows than wrong ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from tablerag.tools.sql.guard import GuardedSql
from tablerag.tools.sql.limits import inner_queries
from tablerag.tools.sql.lineage.blocks import (
    Path,
    aggregates,
    aliases,
    is_correlated,
    is_limited,
    returns_stored_rows,
    sources_within,
)
from tablerag.tools.sql.lineage.errors import NotTakenApart
from tablerag.tools.sql.lineage.inlining import inlined

__all__ = ["Place", "Reading", "readings"]


@dataclass(frozen=True)
class Place:
    """Where a query stands in the statement."""

    around: tuple[exp.Select, ...] = ()
    """The blocks around a correlated sub-select, outermost first."""
    chooses: bool = False
    """Whether it stands in a condition."""
    gives_rows: bool = False
    """Whether the statement's rows are made from its rows: the statement itself, and what stands in its FROM."""
    outermost: bool = False


@dataclass(frozen=True)
class Reading:
    """One place where a statement reads a stored table."""

    table: str
    """The table's SQL name."""
    place: Place
    block: exp.Select | None = None
    """The block whose rows are looked at; None where ``untold`` says why that cannot be."""
    path: Path = ()
    """To the table, from the block."""
    alone: bool = False
    """Whether one row of the table is in one row of the block only, so that each is found once."""
    untold: str = ""

    @property
    def limited(self) -> bool:
        """Whether the block's rows are stored rows, and its LIMIT chooses among them."""
        return self.block is not None and is_limited(self.block) and returns_stored_rows(self.block)


def readings(guarded: GuardedSql, row_limit: int) -> tuple[list[Reading], exp.Query]:
    """Return every reading of a stored table, those in FROM first, and the statement without WITH.

    ``row_limit`` is what bounds a result: a LIMIT beyond it was added, or does not count.
    """
    try:
        tree = inlined(guarded.expression)
        limit = tree.args.get("limit")
        if limit is not None and int(limit.expression.name) > row_limit:
            tree.set("limit", None)
        found = list(_of(tree, Place(gives_rows=True, outermost=True)))
        return [*found, *_elsewhere(tree, found)], tree
    except NotTakenApart as error:
        untold = str(error)
    except RecursionError:
        untold = "it nests too deep to be taken apart"
    return [Reading(t, Place(gives_rows=True), untold=untold) for t in guarded.tables], guarded.expression


def _elsewhere(tree: exp.Query, found: Sequence[Reading]) -> list[Reading]:
    """Return readings for tables that stand where none was looked for, such as ON within bracketed joins."""
    known = {r.table for r in found}
    missed = dict.fromkeys(t.name for t in tree.find_all(exp.Table) if t.name not in known)
    return [Reading(name, Place(), untold="where it stands is not taken apart") for name in missed]


def _of(query: exp.Query, place: Place) -> Iterator[Reading]:
    query = query.unnest()
    untold = _why_untold(query, place)
    if untold:
        yield from (Reading(t.name, place, untold=untold) for t in query.find_all(exp.Table))
    elif isinstance(query, exp.Union):
        for side in (query.this, query.expression):
            yield from _of(side, replace(place, outermost=False))
    elif isinstance(query, exp.Select):
        yield from _of_block(query, place)


def _why_untold(query: exp.Query, place: Place) -> str:
    if isinstance(query, exp.SetOperation):
        if not isinstance(query, exp.Union):
            return f"{query.key.upper()} is not taken apart"
        if is_limited(query) and not query.args.get("distinct"):
            return "a LIMIT over UNION ALL is not taken apart"
        return "a UNION within a correlated sub-select is not taken apart" if place.around else ""
    if query.args.get("having") and not aggregates(query):
        return "HAVING without groups is not taken apart"
    if place.around and is_limited(query) and returns_stored_rows(query):
        return "a LIMIT within a correlated sub-select is not taken apart"
    return ""


def _of_block(block: exp.Select, place: Place) -> Iterator[Reading]:
    found = sources_within(block)
    untold = ""
    if found.merges and is_limited(block) and returns_stored_rows(block):
        untold = "a LIMIT over a derived table with UNION or DISTINCT is not taken apart"
    if aliases(block) & {alias for outer in place.around for alias in aliases(outer)}:
        untold = "a correlated sub-select that names a table as the query around it does is not taken apart"
    for path, table, alone in found.stored:
        yield Reading(table.name, place, None if untold else block, path, alone, untold)
    for query in found.closed:
        yield from _of(query, replace(place, around=(), outermost=False))
    for looked_through in found.blocks:
        yield from _of_sub_selects(looked_through, place if looked_through is block else replace(place, around=()))


def _of_sub_selects(block: exp.Select, place: Place) -> Iterator[Reading]:
    for query in inner_queries(block):
        top = query
        while top.parent is not block:
            top = top.parent
        around = (*place.around, block) if is_correlated(query) else ()
        yield from _of(query, Place(around, chooses=place.chooses or top.arg_key != "expressions"))
