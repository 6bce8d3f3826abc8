"""Comparisons of values of different kinds: texts with numbers, dates with texts, tuples and lists.

MySQL compares a text with a number as numbers, and a date with a text as dates; SQLite would compare texts.
"""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.lite.collations import without_case
from tablerag.tools.sql.dialect.lite.dates import to_date, to_datetime
from tablerag.tools.sql.dialect.lite.functions.moments import read_moment, written
from tablerag.tools.sql.dialect.lite.functions.texts import folded
from tablerag.tools.sql.dialect.lite.typed import MOMENTS, NUMBERS, Kind, call, kind, literal, real

__all__ = ["between", "comparisons", "memberships", "texts_compared"]

EQUALITIES = (exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ)
COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)


def comparisons(node: exp.Expr) -> exp.Expr:
    """=, <>, <, <=, >, >= and <=> between values of different kinds."""
    if not isinstance(node, COMPARED):
        return node
    left, right = node.this, node.expression
    if isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple):
        return _pairwise(node, left, right)
    left, right = _alike(left, right)
    node.set("this", left)
    node.set("expression", right)
    return node


def _pairwise(node: exp.Expr, left: exp.Tuple, right: exp.Tuple) -> exp.Expr:
    if not isinstance(node, exp.EQ) or len(left.expressions) != len(right.expressions):
        return node
    return exp.paren(exp.and_(*(_equal(a, b) for a, b in zip(left.expressions, right.expressions, strict=True))))


def _equal(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return collated(comparisons(exp.EQ(this=left.copy(), expression=right.copy())))


def collated(node: exp.Expr) -> exp.Expr:
    """Compare texts without case if neither side is a column, which has a collation."""
    sides = (node.this, node.expression)
    if isinstance(node, EQUALITIES) and all(kind(s) == "text" for s in sides) and any(map(_beyond_ascii, sides)):
        for side, key in zip(sides, ("this", "expression"), strict=True):
            node.set(key, literal(folded(side.this)) if isinstance(side, exp.Literal) else call("m_folded", side))
        return node
    if any(kind(s) == "text" for s in sides) and not any(isinstance(s, (exp.Column, exp.Collate)) for s in sides):
        node.set("this", without_case(node.this))
    return node


def _beyond_ascii(node: exp.Expr) -> bool:
    """Return whether a literal has letters whose case SQLite does not know."""
    return isinstance(node, exp.Literal) and not node.this.isascii()


def _alike(left: exp.Expr, right: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    """Return both sides as values of the same kind."""
    of, other = kind(left), kind(right)
    if of is None or other is None or (of == other and of != "text"):
        return left, right
    if of == "text" and other in NUMBERS:
        return real(left), right
    if of in NUMBERS and other == "text":
        return left, real(right)
    if of in MOMENTS:
        return _moment(left, right, other), _beside(left, right, of)
    if other in MOMENTS:
        return _beside(right, left, other), _moment(right, left, of)
    return left, right


def _moment(value: exp.Expr, other: exp.Expr, other_kind: Kind) -> exp.Expr:
    """Return a date as a datetime if it is compared with one."""
    if kind(value) == "date" and (other_kind == "datetime" or _has_time(other)):
        return exp.DPipe(this=value, expression=literal(" 00:00:00"))
    return value


def _beside(value: exp.Expr, other: exp.Expr, of: Kind) -> exp.Expr:
    """Return the value that a date is compared with as a date or a datetime."""
    other_kind = kind(other)
    if other_kind == of:
        return other
    if other_kind == "date":
        return exp.DPipe(this=other, expression=literal(" 00:00:00"))
    if other_kind == "datetime":
        return other
    if isinstance(other, exp.Literal):
        return _literal_moment(other, of)
    return to_datetime(other) if of == "datetime" else to_date(other)


def _literal_moment(node: exp.Literal, of: Kind) -> exp.Expr:
    moment = read_moment(node.this)
    if moment is None:
        raise SqlRejected(f"invalid date {node.this[:30]!r}: expected 'YYYY-MM-DD'")
    return literal(written(moment, timed=of == "datetime" or _has_time(node)))


def _has_time(node: exp.Expr) -> bool:
    if not isinstance(node, exp.Literal):
        return False
    moment = read_moment(node.this)
    return moment is not None and moment.time() != moment.time().min


def between(node: exp.Expr) -> exp.Expr:
    """x BETWEEN a AND b as two comparisons if its parts are of different kinds."""
    if not isinstance(node, exp.Between):
        return node
    low, high = node.args["low"], node.args["high"]
    kinds = {kind(node.this), kind(low), kind(high)}
    if len(kinds) == 1 or kinds <= NUMBERS:
        if kinds == {"text"} and not isinstance(node.this, exp.Column):
            node.set("this", without_case(node.this))
        return node
    above = collated(comparisons(exp.GTE(this=node.this.copy(), expression=low)))
    below = collated(comparisons(exp.LTE(this=node.this.copy(), expression=high)))
    return exp.paren(exp.And(this=above, expression=below))


def memberships(node: exp.Expr) -> exp.Expr:
    """x IN (...): one comparison per value if kinds differ; tuples, which SQLite only accepts from queries."""
    if not isinstance(node, exp.In):
        return node
    items, value = node.expressions, node.this
    if isinstance(value, exp.Tuple) and items and all(isinstance(i, exp.Tuple) for i in items):
        pairs = [_pairwise(exp.EQ(this=value, expression=i), value, i) for i in items]
        return exp.paren(exp.or_(*pairs))
    of = kind(value)
    kinds = {kind(i) for i in items if not isinstance(i, exp.Null)}
    if of == "text" and kinds == {"text"} and any(map(_beyond_ascii, items)):
        return exp.paren(exp.or_(*(_equal(value, i) for i in items)))
    if items and of is not None and not (kinds <= {of} or (of in NUMBERS and kinds <= NUMBERS)):
        return exp.paren(exp.or_(*(_equal(value, i) for i in items)))
    query = node.args.get("query")
    if query is not None and of in NUMBERS | {"text"}:
        return _in_query(node, value, of, query)
    if of == "text" and not isinstance(value, exp.Column):
        node.set("this", without_case(value))
    return node


def _in_query(node: exp.In, value: exp.Expr, of: Kind, query: exp.Expr) -> exp.Expr:
    select = query.this if isinstance(query, exp.Subquery) else query
    if not isinstance(select, exp.Select) or len(select.expressions) != 1:
        return node
    projection = select.expressions[0]
    inner = projection.this if isinstance(projection, exp.Alias) else projection
    other = kind(inner)
    if of == "text" and other in NUMBERS:
        node.set("this", real(value))
    elif of in NUMBERS and other == "text" and not select.args.get("group"):
        inner.replace(real(inner.copy()))
    elif of == "text" and not isinstance(value, exp.Column):
        node.set("this", without_case(value))
    return node


def texts_compared(node: exp.Expr) -> exp.Expr:
    """Comparisons without case of texts that are not columns."""
    return collated(node) if isinstance(node, COMPARED) and not isinstance(node.this, exp.Tuple) else node
