"""Replace WITH queries by derived tables, so that a statement only has nested blocks; FETCH FIRST becomes LIMIT."""

from sqlglot import exp

from tablerag.tools.sql.limits import MAX_TABLES
from tablerag.tools.sql.lineage.blocks import NotTraced
from tablerag.tools.sql.recursion import recursive_queries

__all__ = ["inlined"]


def inlined(query: exp.Query) -> exp.Query:
    """Return a copy of a guarded query with derived tables for its WITH queries; raise NotTraced if it cannot be."""
    if recursive_queries(query):
        raise NotTraced("a recursive WITH query is not traced")
    tree = query.copy()
    for fetch in list(tree.find_all(exp.Fetch)):
        fetch.replace(exp.Limit(expression=fetch.args["count"].copy()))
    owners = [node for node in tree.dfs() if node.args.get("with_")]
    tables = sum(1 for _ in tree.find_all(exp.Table))
    # From the inside out: an inner WITH query hides an outer one of the same name.
    for owner in reversed(owners):
        common = owner.args["with_"].expressions
        owner.set("with_", None)
        for i, cte in enumerate(common):
            added = sum(1 for _ in cte.this.find_all(exp.Table)) - 1
            for place in [p for scope in (*common[i + 1 :], owner) for p in _named(scope, cte.alias)]:
                # Queries that read each other twice double with every step.
                tables += added
                if tables > MAX_TABLES:
                    raise NotTraced(f"its WITH queries read more than {MAX_TABLES} tables")
                place.replace(_derived(cte, place))
    return tree


def _named(scope: exp.Expr, name: str) -> list[exp.Table]:
    return [t for t in scope.find_all(exp.Table) if t.name.lower() == name.lower()]


def _derived(cte: exp.CTE, place: exp.Table) -> exp.Subquery:
    alias = exp.TableAlias(this=exp.to_identifier(place.alias_or_name, quoted=True))
    return exp.Subquery(this=cte.this.copy(), alias=alias, joins=place.args.get("joins"))
