"""Comparisons of values of different kinds: texts with numbers, dates with texts, tuples, lists and queries.

MySQL compares a text with a number as numbers, and a date with a text as dates; DuckDB refuses to, or casts.
"""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.duck.build import call, cast, literal, marked
from tablerag.tools.sql.dialect.duck.kinds import MOMENTS, Kind, kind
from tablerag.tools.sql.dialect.duck.moments import read_moment, written
from tablerag.tools.sql.dialect.duck.values import as_moment, as_number, exact

__all__ = ["COMPARED", "between", "comparisons", "is_padded", "memberships", "nullifs"]

COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)
ALIAS = "q"


def comparisons(node: exp.Expr) -> exp.Expr:
    """=, <>, <, <=, >, >= and <=> between values of different kinds."""
    if not isinstance(node, COMPARED):
        return node
    left, right = node.this, node.expression
    if isinstance(left, exp.Tuple) or isinstance(right, exp.Tuple):
        return _pairwise(node, left, right)
    if isinstance(right, (exp.All, exp.Any)):
        return _quantified(node, left, right)
    left, right = alike(left, right)
    node.set("this", left)
    node.set("expression", right)
    return marked(node, "boolean")


def _pairwise(node: exp.Expr, left: exp.Expr, right: exp.Expr) -> exp.Expr:
    if not (isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple)):
        return node
    if not isinstance(node, exp.EQ) or len(left.expressions) != len(right.expressions):
        raise SqlRejected("rows can only be compared with = and IN: compare their values one by one")
    return _all_equal(left.expressions, right.expressions)


def _all_equal(left: list[exp.Expr], right: list[exp.Expr]) -> exp.Expr:
    tests = [_equal(a, b) for a, b in zip(left, right, strict=True)]
    return marked(exp.paren(exp.and_(*tests, copy=False), copy=False), "boolean")


def _equal(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return comparisons(exp.EQ(this=left.copy(), expression=right.copy()))


def alike(left: exp.Expr, right: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    """Return both sides as values that DuckDB compares as MySQL does."""
    of, other = kind(left), kind(right)
    if of is None or other is None or isinstance(left, exp.Null) or isinstance(right, exp.Null):
        return _unknown(left, other), _unknown(right, of)
    if of == other == "text":
        left, right = _unpadded(left, right)
        return left, right
    if of in MOMENTS or other in MOMENTS:
        return beside(left, other), beside(right, of)
    if of == other:
        return (exact(left), exact(right)) if of == "quotient" else (left, right)
    if "time" in (of, other) and "text" in (of, other):
        return _clock(left), _clock(right)
    left, right = as_number(left), as_number(right)
    if "double" in (kind(left), kind(right)):
        return left, right
    return exact(left), exact(right)


def _unpadded(*texts: exp.Expr) -> list[exp.Expr]:
    """Return texts that are compared, without blanks at their ends if a literal ends with one."""
    if not any(is_padded(t) for t in texts):
        return list(texts)
    return [literal(t.this.rstrip(" ")) if is_padded(t) else _without_end(t) for t in texts]


def is_padded(node: exp.Expr) -> bool:
    """Return whether a node is a literal that ends with a blank."""
    return isinstance(node, exp.Literal) and node.is_string and node.this.endswith(" ")


def _without_end(node: exp.Expr) -> exp.Expr:
    return node if isinstance(node, exp.Literal) else call("rtrim", node, literal(" "), like="text")


def _unknown(node: exp.Expr, other: Kind | None) -> exp.Expr:
    """Return a value that is compared with NULL or with what only the database knows."""
    if kind(node) is None and not isinstance(node, exp.Null) and other not in (None, "text"):
        return call("m_any_number", node, like="double")
    return node


def _clock(node: exp.Expr) -> exp.Expr:
    return node if kind(node) == "time" else call("m_time", node, like="time")


def beside(node: exp.Expr, other: Kind | None) -> exp.Expr:
    """Return a value that is compared with a date or a datetime."""
    of = kind(node)
    if of in MOMENTS or of is None:
        return node
    if of == "text" and isinstance(node, exp.Literal):
        moment = read_moment(node.this)
        if moment is None:
            raise SqlRejected(f"invalid date {node.this[:30]!r}: expected 'YYYY-MM-DD'")
        timed = moment.time() != moment.time().min
        made = literal(written(moment, timed=timed))
        return cast(made, "TIMESTAMP" if timed else "DATE", "datetime" if timed else "date")
    if of == "text":
        return as_moment(node)
    moment = read_moment(node.this) if isinstance(node, exp.Literal) and node.is_int else None
    if moment is None:
        raise SqlRejected("a date cannot be compared with this number: write 'YYYY-MM-DD', or compare YEAR(...)")
    return cast(literal(written(moment, timed=True)), "TIMESTAMP", "datetime")


def _quantified(node: exp.Expr, value: exp.Expr, right: exp.Expr) -> exp.Expr:
    """x > ALL (...) and x = ANY (...): the values of the query as the kind that x is compared as."""
    query = right.this.this if isinstance(right.this, exp.Subquery) else right.this
    value, query = _with_query(value, query)
    if isinstance(node, (exp.NullSafeEQ, exp.NullSafeNEQ)):
        raise SqlRejected("<=> cannot be used with ALL and ANY: use =")
    node.set("this", value)
    right.set("this", exp.Subquery(this=query))
    return marked(node, "boolean")


def _with_query(value: exp.Expr, query: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    """Return a value and a query whose column has the kind that the value is compared with."""
    if not isinstance(query, exp.Query) or len(query.named_selects) != 1:
        return value, query
    column = exp.column("c", table=ALIAS, quoted=True)
    column.meta["kind"] = kind(query)
    left, right = alike(value, column)
    if right is column:
        return left, query
    columns = [exp.to_identifier("c", quoted=True)]
    alias = exp.TableAlias(this=exp.to_identifier(ALIAS, quoted=True), columns=columns)
    return left, exp.select(right).from_(exp.Subquery(this=query.copy(), alias=alias))


def between(node: exp.Expr) -> exp.Expr:
    """x BETWEEN a AND b as two comparisons if its parts are of different kinds."""
    if not isinstance(node, exp.Between):
        return node
    low, high = node.args["low"], node.args["high"]
    kinds = {kind(node.this), kind(low), kind(high)}
    if kinds == {"text"}:
        for name, text in zip(("this", "low", "high"), _unpadded(node.this, low, high), strict=True):
            node.set(name, text)
    if len(kinds) == 1 and kinds != {"quotient"}:
        return node
    above = comparisons(exp.GTE(this=node.this.copy(), expression=low))
    below = comparisons(exp.LTE(this=node.this.copy(), expression=high))
    return marked(exp.paren(exp.And(this=above, expression=below), copy=False), "boolean")


def memberships(node: exp.Expr) -> exp.Expr:
    """x IN (...): one comparison per value if kinds differ."""
    if not isinstance(node, exp.In):
        return node
    items, value = node.expressions, node.this
    query = node.args.get("query")
    if query is not None:
        return _in_query(node, value, query.this if isinstance(query, exp.Subquery) else query)
    if isinstance(value, exp.Tuple):
        if not all(isinstance(i, exp.Tuple) and len(i.expressions) == len(value.expressions) for i in items):
            raise SqlRejected("IN needs as many values in each row as it has on its left")
        return _any([_all_equal(value.expressions, i.expressions) for i in items])
    kinds = {kind(i) for i in items if not isinstance(i, exp.Null)}
    if kinds == {kind(value)} == {"text"}:
        value, *items = _unpadded(value, *items)
        node.set("this", value)
        node.set("expressions", items)
    if not kinds or kinds == {kind(value)} and kind(value) not in ("quotient", None):
        return marked(node, "boolean")
    return _any([_equal(value, i) for i in items])


def _any(tests: list[exp.Expr]) -> exp.Expr:
    return marked(exp.paren(exp.or_(*tests, copy=False), copy=False), "boolean")


def _in_query(node: exp.In, value: exp.Expr, query: exp.Expr) -> exp.Expr:
    if isinstance(value, exp.Tuple):
        return marked(node, "boolean")
    value, query = _with_query(value, query)
    node.set("this", value)
    node.set("query", exp.Subquery(this=query))
    return marked(node, "boolean")


def nullifs(node: exp.Expr) -> exp.Expr:
    """NULLIF of values of different kinds."""
    if not isinstance(node, exp.Nullif):
        return node
    of = kind(node.this)
    left, right = alike(node.this.copy(), node.expression)
    if left == node.this and kind(right) == of:
        return call("nullif", left, right, like=of)
    same = comparisons(exp.EQ(this=node.this.copy(), expression=node.expression))
    return marked(exp.Case(ifs=[exp.If(this=same, true=exp.Null())], default=node.this.copy()), of)
