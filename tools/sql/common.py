"""Common table expressions: which WITH query a name refers to."""

from sqlglot import exp

__all__ = ["common_of"]


def common_of(table: exp.Table) -> exp.CTE | None:
    """Return the WITH query that a name refers to: it is used in its statement and after its definition.

    After RECURSIVE, a query may also name itself.

    Anywhere else the name would refer to a stored table. Names are compared with lower(), as engines do: casefold()
    also equates letters that no engine equates, such as s and the long s.
    """
    node: exp.Expr | None = table
    within: exp.Expr | None = None
    while node is not None:
        if isinstance(node, exp.CTE):
            within = node
        with_ = node.args.get("with_")
        found: exp.CTE | None = None
        for cte in with_.expressions if with_ else []:
            readable = cte is not within or cte.parent.args.get("recursive")
            if readable and cte.alias.lower() == table.name.lower():
                found = found or cte
            if cte is within:
                break
        if found is not None:
            return found
        node = node.parent
    return None
