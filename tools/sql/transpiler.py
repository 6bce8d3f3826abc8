"""Guarded MySQL rewritten for the database that runs it, by the rules of tools/sql/dialect, from the leaves upwards.

What cannot give MySQL's result is refused with the reason.
"""

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import Dialect, exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.records import Member, TableSchema
from tablerag.tools.sql.copying import copied
from tablerag.tools.sql.dialect.duck.kinds import known_kinds
from tablerag.tools.sql.guard import GuardedSql
from tablerag.tools.sql.recursion import with_common_types
from tablerag.tools.sql.stored import member_rows

__all__ = ["NotRewritable", "emit"]

LOG = logging.getLogger(__name__)
Rule = Callable[[exp.Expr], exp.Expr]
Target = str | type[Dialect]
WRITTEN_UNIONS = 64
"""Texts of unions that are kept."""
OWN = {field: f"own__{secrets.token_hex(16)}" for field in ("source", "within", "name", "stored_as")}
"""What stands for the fields in which alike members differ. No statement can hold it: the numbers are secret."""


class NotRewritable(SqlRejected):
    """No rule expects a shape that the guard let pass: the statement is refused, and the guard has a defect."""


def emit(
    guarded: GuardedSql, dialect: Target, rules: Sequence[Rule], union: Callable[[TableSchema], str] | None = None
) -> str:
    """Return the statement rewritten by rules, in one of sqlglot's dialects; raise SqlRejected if it cannot be.

    ``union`` writes the query of a union's rows, where the dialect has a better one than a SELECT for each member.
    """
    try:
        sql = _text(known_kinds(with_common_types(copied(guarded.stored.query))), dialect, rules)
        for place, schema in guarded.stored.unions:
            quoted = exp.to_identifier(place, quoted=True).sql(dialect=dialect)
            rows = union(schema) if union else _written(_Union(schema), dialect, tuple(rules))
            sql = sql.replace(quoted, f"({rows})")
        return sql
    except (AttributeError, TypeError, ValueError, LookupError) as slip:
        # An unexpected shape must only fail its own statement, and be found in the log.
        LOG.exception("could not translate %s to the dialect of %s", guarded.shown, dialect)
        raise NotRewritable("could not translate the statement for this database: simplify it") from slip


@dataclass(frozen=True, slots=True, eq=False)
class _Union:
    """A union, equal to those whose text is the same."""

    schema: TableSchema

    def _key(self) -> tuple[object, ...]:
        schema = self.schema
        members = (
            (m.stored_as, m.name, m.source, m.within, m.as_text, m.hidden_columns, *m.columns.items())
            for m in schema.members
        )
        return (schema.hidden_columns, *(n for c in schema.columns for n in c.all_names()), *members)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Union) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


@lru_cache(maxsize=WRITTEN_UNIONS)
def _written(union: _Union, dialect: Target, rules: Sequence[Rule]) -> str:
    """Return the query that reads all members of a union; those that are alike are written from one text."""
    texts: dict[object, str] = {}
    selects = []
    for member in union.schema.members:
        alike = (*member.columns.items(), member.as_text, member.hidden_columns)
        if alike not in texts:
            texts[alike] = _text(member_rows(union.schema, member.model_copy(update=OWN)), dialect, rules)
        text = texts[alike]
        for field, other in OWN.items():
            text = text.replace(_quoted(other, field, dialect, rules), _quoted(member, field, dialect, rules))
        selects.append(text)
    return " UNION ALL ".join(selects)


def _quoted(of: Member | str, field: str, dialect: Target, rules: Sequence[Rule]) -> str:
    """Return a member's field, or the value itself, as a literal or a name."""
    value = of if isinstance(of, str) else str(getattr(of, field))
    if field == "stored_as":
        return exp.to_identifier(value, quoted=True).sql(dialect=dialect)
    return _text(exp.Literal.string(value), dialect, rules)


def _text(tree: exp.Expr, dialect: Target, rules: Sequence[Rule]) -> str:
    """Return a tree rewritten and written out; the tree is not usable any more."""
    return _rewritten(tree, rules).sql(dialect=dialect, comments=False, copy=False)


def _rewritten(tree: exp.Expr, rules: Sequence[Rule]) -> exp.Expr:
    """Apply the rules in order to every part of a tree, innermost parts first."""
    for found in reversed(list(tree.dfs())):
        if isinstance(found, exp.Identifier):
            continue  # a third of all parts, and no rule is about one
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
