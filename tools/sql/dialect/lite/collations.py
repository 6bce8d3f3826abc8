"""Make texts compare without case where they are sorted, grouped or compared.

Columns have a collation, also those of derived tables; the results of functions have none.
"""

from sqlglot import exp

from tablerag.tools.sql.dialect.lite.typed import kind

__all__ = ["collations", "without_case"]


def without_case(node: exp.Expr) -> exp.Expr:
    """Return a text with a collation that ignores case and accents."""
    inner = exp.paren(node, copy=False) if isinstance(node, (exp.Binary, exp.Unary, exp.Case)) else node
    made = exp.Collate(this=inner, expression=exp.Var(this="m_ci"))
    made.type = exp.DataType.build("TEXT")
    return made


def collations(node: exp.Expr) -> exp.Expr:
    """Add the collation to texts that are not columns: where they are selected, grouped, sorted or compared."""
    if isinstance(node, (exp.Select, exp.Group, exp.Distinct)):
        _give(*node.expressions)
    elif isinstance(node, exp.Window):
        _give(*(node.args.get("partition_by") or []))
    elif isinstance(node, (exp.Ordered, exp.Max, exp.Min, exp.Nullif)) or (isinstance(node, exp.Case) and node.this):
        _give(node.this)
    return node


def _give(*items: exp.Expr) -> None:
    for item in items:
        value = item.this if isinstance(item, exp.Alias) else item
        if _bare(value):
            value.replace(without_case(value.copy()))


def _bare(node: exp.Expr) -> bool:
    return kind(node) == "text" and not isinstance(node, (exp.Column, exp.Literal, exp.Collate, exp.Subquery))
