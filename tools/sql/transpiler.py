"""MySQL's dialect re-emitted for the engine that runs it.

MySQL and MariaDB get the guarded text itself but for what MariaDB says otherwise. SQLite gets the tree
rewritten by the rules of tools/sql/dialect, from the leaves upwards; what it has no function for is answered
by tools/sql/functions. What cannot give MySQL's result is refused with the reason.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Literal

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.aggregates import counts, deviations, group_concat, rollups
from tablerag.tools.sql.dialect.casts import casts
from tablerag.tools.sql.dialect.collations import collations
from tablerag.tools.sql.dialect.comparisons import between, comparisons, memberships, texts_compared
from tablerag.tools.sql.dialect.date_texts import date_texts, weeks
from tablerag.tools.sql.dialect.dates import conversions, date_arithmetic, date_differences, date_parts
from tablerag.tools.sql.dialect.mariadb import MariaDb, any_value, window_defaults
from tablerag.tools.sql.dialect.numbers import arithmetic, bits, rounding, scalars
from tablerag.tools.sql.dialect.queries import quantifiers, set_operands
from tablerag.tools.sql.dialect.regular_expressions import regular_expressions, server_patterns
from tablerag.tools.sql.dialect.texts import likes, positions, texts, written_out
from tablerag.tools.sql.guard import GuardedSql

__all__ = ["Dialect", "NotRewritable", "emit"]

LOG = logging.getLogger(__name__)
Dialect = Literal["sqlite", "mysql", "mariadb"]
Rule = Callable[[exp.Expr], exp.Expr]

SQLITE_RULES: Sequence[Rule] = (
    positions,
    casts,
    conversions,
    date_parts,
    date_arithmetic,
    date_differences,
    date_texts,
    weeks,
    arithmetic,
    bits,
    rounding,
    scalars,
    regular_expressions,
    texts,
    written_out,
    likes,
    counts,
    deviations,
    group_concat,
    rollups,
    quantifiers,
    comparisons,
    texts_compared,
    between,
    memberships,
    set_operands,
    collations,
)
MARIADB_RULES: Sequence[Rule] = (any_value, window_defaults, server_patterns)


class NotRewritable(SqlRejected):
    """The guard let a shape pass that a dialect's rules do not expect: refused here, and a defect of the guard."""


def emit(guarded: GuardedSql, dialect: Dialect) -> str:
    """Return the statement in the engine's own dialect; raise SqlRejected for what it cannot do."""
    if dialect == "mysql":
        return guarded.stored.sql(dialect="mysql", comments=False)
    rules = MARIADB_RULES if dialect == "mariadb" else SQLITE_RULES
    try:
        tree = _rewritten(guarded.stored.copy(), rules)
        return tree.sql(dialect=MariaDb if dialect == "mariadb" else "sqlite", comments=False)
    except (AttributeError, TypeError, ValueError, LookupError) as slip:
        # A shape that no rule expects must cost its statement alone, and be found in the log.
        LOG.exception("%s has no form in the dialect of %s", guarded.shown, dialect)
        raise NotRewritable("a part of the statement is not as MySQL writes it: write it more plainly") from slip


def _rewritten(tree: exp.Expr, rules: Sequence[Rule]) -> exp.Expr:
    """Apply the rules in order to every part of a tree, innermost first."""
    for found in reversed(list(tree.dfs())):
        parent, key, index = found.parent, found.arg_key, found.index
        node = found
        for rule in rules:
            node = rule(node)
        if node is found:
            continue
        if node.type is None:
            node.type = found.type
        if parent is None:
            tree = node
        else:
            parent.set(key, node, index)
    return tree
