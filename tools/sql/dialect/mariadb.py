"""Differences between MariaDB and MySQL, and what neither server can be asked."""

import re

from sqlglot import exp
from sqlglot.dialects.mysql import MySQL

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.duck.build import literal
from tablerag.tools.sql.dialect.duck.comparisons import COMPARED, is_padded
from tablerag.tools.sql.dialect.duck.kinds import NUMBERS, kind
from tablerag.tools.sql.dialect.duck.patterns import FUNCTIONS, flagged, refuse_more
from tablerag.tools.sql.medians import numbered_medians
from tablerag.tools.sql.recursion import COMMON_TYPE

__all__ = ["MARIADB_RULES", "MYSQL_RULES", "MariaDb", "distinct_orders"]


class MariaDb(MySQL):
    """MySQL's dialect with REGEXP as an operator; MariaDB has no REGEXP_LIKE()."""

    class Generator(MySQL.Generator):
        TRANSFORMS = MySQL.Generator.TRANSFORMS | {exp.RegexpLike: lambda self, node: self.binary(node, "REGEXP")}


def any_value(node: exp.Expr) -> exp.Expr:
    """MariaDB before 11 has no ANY_VALUE; the minimum is one."""
    if isinstance(node, exp.AnyValue):
        return exp.Min(this=node.this)
    return node


def window_defaults(node: exp.Expr) -> exp.Expr:
    """MariaDB's LAG and LEAD have no default: return it with CASE if there is no such row."""
    function = node.this if isinstance(node, exp.Window) else None
    if not isinstance(function, (exp.Lag, exp.Lead)) or function.args.get("default") is None:
        return node
    default = function.args["default"]
    value, there = node.copy(), node.copy()
    value.this.set("default", None)
    there.this.set("default", None)
    there.this.set("this", exp.Literal.number(1))
    missing = exp.Is(this=there, expression=exp.Null())
    return exp.Case(ifs=[exp.If(this=missing, true=default.copy())], default=value)


NESTED = re.compile(r"[+*}][^()]*\)\s*[+*{]")
"""A repeated group that ends with a repetition, as in (a+)+."""
GROWING = (exp.Repeat, exp.Space, exp.Pad, exp.GroupConcat)
GROWING_NAMES = frozenset({"REPEAT", "SPACE", "LPAD", "RPAD"})


def searches(node: exp.Expr) -> exp.Expr:
    """Refuse to seek a made text: the server takes the product of both lengths, and not even KILL ends it."""
    sought = _sought(node)
    if sought is None or isinstance(sought, exp.Literal) or not any(map(_grows, node.root().walk())):
        return node
    raise SqlRejected(
        "INSTR, LOCATE, POSITION and REPLACE only seek a text in quotes in a statement with REPEAT, SPACE, LPAD, RPAD "
        "or GROUP_CONCAT: write the text that is sought"
    )


def _sought(node: exp.Expr) -> exp.Expr | None:
    if isinstance(node, exp.StrPosition):
        return node.args["substr"]
    if isinstance(node, exp.Replace):
        return node.expression
    if isinstance(node, exp.Anonymous) and node.name.upper() in ("INSTR", "LOCATE") and len(node.expressions) > 1:
        return node.expressions[1 if node.name.upper() == "INSTR" else 0]
    return None


def _grows(node: exp.Expr) -> bool:
    return isinstance(node, GROWING) or (isinstance(node, exp.Anonymous) and node.name.upper() in GROWING_NAMES)


def server_patterns(node: exp.Expr) -> exp.Expr:
    """MariaDB: groups as \\1, options in the pattern, NULL if nothing is found."""
    if isinstance(node, exp.RegexpLike) and node.args.get("flag") is not None:
        return exp.RegexpLike(this=node.this, expression=flagged(node))
    if type(node) in FUNCTIONS:
        refuse_more(node, FUNCTIONS[type(node)])
    pattern = node.expression if isinstance(node, exp.RegexpLike) or type(node) in FUNCTIONS else None
    if isinstance(pattern, exp.Literal) and NESTED.search(pattern.this):
        # The server only stops a statement between rows, and such a pattern can take very long in one row.
        raise SqlRejected(f"the regular expression {pattern.this[:60]!r} has nested repetitions: remove one of them")
    new = node.args.get("replacement") if isinstance(node, exp.RegexpReplace) else None
    if isinstance(new, exp.Literal):
        new.replace(literal(re.sub(r"\$(\d)", r"\\\1", new.this)))
    if isinstance(node, exp.RegexpSubstr) and kind(node) == "text":
        return exp.Nullif(this=node.copy(), expression=literal(""))
    return node


def wide_integers(node: exp.Expr) -> exp.Expr:
    """Make the integers of a recursion BIGINT: CAST(1 AS SIGNED) has one digit, and a column that is made of it few."""
    if isinstance(node, exp.Cast) and node.meta.get(COMMON_TYPE) and node.to.this == exp.DataType.Type.BIGINT:
        return exp.If(this=exp.true(), true=node.this, false=exp.Literal.number(2**63 - 1))
    return node


def json_arrays(node: exp.Expr) -> exp.Expr:
    """JSON_ARRAYAGG as GROUP_CONCAT: servers differ in the order of its items, in blanks, and in how a date looks."""
    if not isinstance(node, exp.JSONArrayAgg):
        return node
    inner = node.this
    order = inner if isinstance(inner, exp.Order) else None
    value = order.this if order else inner
    item: exp.Expr = exp.Cast(this=value.copy(), to=exp.DataType.build("CHAR", dialect="mysql"))
    if kind(value) not in (*NUMBERS, "boolean"):
        item = exp.Anonymous(this="JSON_QUOTE", expressions=[item])
    item = exp.Coalesce(this=item, expressions=[literal("null")])
    joined: exp.Expr = exp.Order(this=item, expressions=order.expressions) if order else item
    listed = null_keys(exp.GroupConcat(this=joined, separator=literal(", ")))
    return exp.Concat(expressions=[literal("["), listed, literal("]")])


def null_keys(node: exp.Expr) -> exp.Expr:
    """MariaDB's GROUP_CONCAT sorts NULL as if it were 0: sort by whether a key is NULL first."""
    order = node.this if isinstance(node, exp.GroupConcat) else None
    if not isinstance(order, exp.Order) or isinstance(order.this, exp.Distinct):
        return node
    keys = []
    for key in order.expressions:
        empty = exp.Is(this=exp.paren(key.this.copy()), expression=exp.Null())
        keys += [exp.Ordered(this=empty, desc=not key.args.get("desc")), key]
    order.set("expressions", keys)
    return node


def padded(node: exp.Expr) -> exp.Expr:
    """Compare texts with a literal that ends with blanks as if none did, as on the embedded database."""
    if isinstance(node, COMPARED):
        texts = [node.this, node.expression]
    elif isinstance(node, exp.Between):
        texts = [node.this, node.args["low"], node.args["high"]]
    elif isinstance(node, exp.In) and node.expressions:
        texts = [node.this, *node.expressions]
    else:
        return node
    if not any(map(is_padded, texts)) or {kind(t) for t in texts} - {"text", None}:
        return node
    for text in texts:
        if is_padded(text):
            text.replace(literal(text.this.rstrip(" ")))
        elif not isinstance(text, (exp.Literal, exp.Null)):
            text.replace(exp.Trim(this=text.copy(), position="TRAILING"))
    return node


def distinct_orders(node: exp.Expr) -> exp.Expr:
    """Sort distinct rows by names: sorted by expressions, MariaDB loses rows of a derived table."""
    order = node.args.get("order") if isinstance(node, exp.Select) and node.args.get("distinct") else None
    if order is None or not isinstance(node, exp.Select):
        return node
    names = {s.unalias().sql(): s.alias_or_name for s in node.selects}
    for ordered in order.expressions:
        if name := names.get(ordered.this.sql()):
            ordered.set("this", exp.column(name, quoted=True))
    return node


BOTH = (padded, searches, wide_integers, json_arrays, numbered_medians)
MARIADB_RULES = (any_value, window_defaults, server_patterns, null_keys, *BOTH)
MYSQL_RULES = BOTH
