"""Whether statements are the same but for their values: names of aliases and qualifiers do not count."""

from collections.abc import Iterable

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

__all__ = ["is_like_one_of", "plain_sql"]

UNREADABLE = (SqlglotError, ValueError, RecursionError)


def is_like_one_of(sql: str, others: Iterable[str]) -> bool:
    """Return whether a statement is one of the others with other values, in MySQL's dialect.

    >>> is_like_one_of("SELECT SUM(o.cost) FROM orders o WHERE o.day = 3", ["SELECT SUM(cost) FROM orders WHERE day=5"])
    True
    >>> is_like_one_of("SELECT SUM(cost) FROM orders", ["SELECT AVG(cost) FROM orders"])
    False
    """
    shape = _shape(sql)
    return bool(shape) and any(shape == other for other in map(_shape, others))


def plain_sql(node: exp.Expr) -> str:
    """Return an expression without qualifiers and quotes, in lower case."""
    return _plain(node.copy()).sql(dialect="mysql", comments=False).casefold()


def _shape(sql: str) -> str:
    """Return a statement with placeholders for its values; "" for one that cannot be read."""
    try:
        tree = _plain(sqlglot.parse_one(sql, read="mysql"))
    except UNREADABLE:
        return ""
    for literal in [*tree.find_all(exp.Literal)]:
        literal.replace(exp.Placeholder())
    return tree.sql(dialect="mysql", comments=False).casefold()


def _plain(tree: exp.Expr) -> exp.Expr:
    for column in tree.find_all(exp.Column):
        column.set("table", None)
    for table in tree.find_all(exp.Table):
        table.set("alias", None)
    for identifier in tree.find_all(exp.Identifier):
        identifier.set("quoted", False)
    for alias in [*tree.find_all(exp.Alias)]:
        if isinstance(alias.parent, exp.Select):
            alias.replace(alias.this)
    return tree
