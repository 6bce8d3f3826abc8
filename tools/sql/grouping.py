"""Rules on aggregates that some engines do not check: they return the value of an arbitrary row instead."""

from collections.abc import Iterator

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.limits import sources_of

__all__ = ["check_grouping"]


def check_grouping(query: exp.Query) -> None:
    """Raise SqlRejected for a column beside aggregates that is neither grouped nor aggregated.

    ``query`` must be qualified. MySQL refuses such columns in its default mode (ONLY_FULL_GROUP_BY); MariaDB, as it
    is installed, returns the value of an arbitrary row.
    """
    for select in query.find_all(exp.Select):
        _check_nesting(select)
        where = select.args.get("where")
        if where and any(isinstance(n, (exp.AggFunc, exp.Window)) for n in _own(where.this)):
            raise SqlRejected("aggregates and windows are not allowed in WHERE: use HAVING, or a derived table")
        group = select.args.get("group")
        if group and any(isinstance(n, (exp.AggFunc, exp.Window)) for e in group.expressions for n in _own(e)):
            raise SqlRejected("aggregates and windows are not allowed in GROUP BY: group by columns")
        if group is None and not any(_aggregates(n) for p in select.expressions for n in _own(p)):
            continue
        grouped = list(group.expressions) if group else []
        aliases = {s.alias_or_name for s in sources_of(select)}
        for shown in (*select.expressions, *(select.args[k] for k in ("having", "order") if select.args.get(k))):
            for column in _bare_columns(shown, grouped):
                if column.table in aliases:
                    raise SqlRejected(
                        f"column {column.name!r} is neither in GROUP BY nor aggregated: "
                        "group by it, or use MIN, MAX or ANY_VALUE"
                    )


def _check_nesting(select: exp.Select) -> None:
    for node in _own(select):
        if _aggregates(node) and any(n is not node and _aggregates(n) for n in _own(node)):
            raise SqlRejected("nested aggregates need a derived table: SELECT MAX(x) FROM (SELECT ...) AS t")


def _own(node: exp.Expr) -> Iterator[exp.Expr]:
    """Iterate over an expression without its subqueries."""
    return node.dfs(prune=lambda n: n is not node and isinstance(n, exp.Query))


def _aggregates(node: exp.Expr) -> bool:
    """Return whether a node combines several rows into one, as window functions do not."""
    return isinstance(node, exp.AggFunc) and not _is_windowed(node)


def _is_windowed(node: exp.Expr) -> bool:
    parent = node.parent
    if isinstance(parent, (exp.IgnoreNulls, exp.RespectNulls, exp.Filter)):
        return _is_windowed(parent)
    return isinstance(parent, exp.Window) and node.arg_key == "this"


def _bare_columns(shown: exp.Expr, grouped: list[exp.Expr]) -> list[exp.Column]:
    def covered(node: exp.Expr) -> bool:
        return _aggregates(node) or isinstance(node, exp.Query) or node in grouped

    return [n for n in shown.dfs(prune=covered) if isinstance(n, exp.Column) and not covered(n)]
