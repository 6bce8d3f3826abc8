"""WITH queries put in the places that name them, so that a statement is blocks within blocks and nothing else.

FETCH FIRST is written as LIMIT on the way.
"""

from sqlglot import exp

from tablerag.tools.sql.limits import MAX_TABLES
from tablerag.tools.sql.lineage.errors import NotTakenApart

__all__ = ["inlined"]


def inlined(query: exp.Query) -> exp.Query:
    """Return a copy of a guarded query with derived tables for its WITH queries; raise NotTakenApart."""
    tree = query.copy()
    for fetch in list(tree.find_all(exp.Fetch)):
        fetch.replace(exp.Limit(expression=fetch.args["count"].copy()))
    owners = [node for node in tree.dfs() if node.args.get("with_")]
    tables = sum(1 for _ in tree.find_all(exp.Table))
    # From the inside out: where an inner WITH repeats an outer one's name, its own places are taken first.
    for owner in reversed(owners):
        common = owner.args["with_"].expressions
        owner.set("with_", None)
        for i, cte in enumerate(common):
            added = sum(1 for _ in cte.this.find_all(exp.Table)) - 1
            for place in [p for scope in (*common[i + 1 :], owner) for p in _named(scope, cte.alias)]:
                # Queries that name each other twice double with every step.
                tables += added
                if tables > MAX_TABLES:
                    raise NotTakenApart(f"its WITH queries read more than {MAX_TABLES} tables in all")
                place.replace(_derived(cte, place))
    return tree


def _named(scope: exp.Expr, name: str) -> list[exp.Table]:
    return [t for t in scope.find_all(exp.Table) if t.name.lower() == name.lower()]


def _derived(cte: exp.CTE, place: exp.Table) -> exp.Subquery:
    alias = exp.TableAlias(this=exp.to_identifier(place.alias_or_name, quoted=True))
    return exp.Subquery(this=cte.this.copy(), alias=alias, joins=place.args.get("joins"))
