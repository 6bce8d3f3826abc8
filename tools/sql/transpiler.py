"""Guarded MySQL rewritten for the database that runs it, by the rules of tools/sql/dialect, from the leaves upwards.

Functions that SQLite lacks are in tools/sql/functions. What cannot give MySQL's result is refused with the reason.
"""

import logging
from collections.abc import Callable, Sequence

from sqlglot import Dialect, exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.guard import GuardedSql

__all__ = ["NotRewritable", "emit"]

LOG = logging.getLogger(__name__)
Rule = Callable[[exp.Expr], exp.Expr]


class NotRewritable(SqlRejected):
    """No rule expects a shape that the guard let pass: the statement is refused, and the guard has a defect."""


def emit(guarded: GuardedSql, dialect: str | type[Dialect], rules: Sequence[Rule]) -> str:
    """Return the statement rewritten by rules, in one of sqlglot's dialects; raise SqlRejected if it cannot be."""
    try:
        return _rewritten(guarded.stored.copy(), rules).sql(dialect=dialect, comments=False)
    except (AttributeError, TypeError, ValueError, LookupError) as slip:
        # An unexpected shape must only fail its own statement, and be found in the log.
        LOG.exception("could not translate %s to the dialect of %s", guarded.shown, dialect)
        raise NotRewritable("could not translate the statement for this database: simplify it") from slip


def _rewritten(tree: exp.Expr, rules: Sequence[Rule]) -> exp.Expr:
    """Apply the rules in order to every part of a tree, innermost parts first."""
    for found in reversed(list(tree.dfs())):
        parent, key, index = found.parent, found.arg_key, found.index
        node = found
        for rule in rules:
            node = rule(node)
        if node is found:
            continue
        if node.type is None:
            node.type = found.type
        if parent is None or key is None:
            tree = node
        else:
            parent.set(key, node, index)
    return tree
