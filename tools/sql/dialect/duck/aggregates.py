"""Aggregates: of texts and truths as numbers, COUNT of tuples, deviations, GROUP_CONCAT with its options, ROLLUP."""

from sqlglot import exp

from tablerag.tools.sql.backends.backend import MAX_JOINED_TEXT
from tablerag.tools.sql.dialect.duck.build import call, literal, marked, number
from tablerag.tools.sql.dialect.duck.kinds import NUMBERS, kind
from tablerag.tools.sql.dialect.duck.texts import folded
from tablerag.tools.sql.dialect.duck.values import as_number, as_real, as_text

__all__ = ["aggregates", "counts", "group_concat", "json_arrays", "rollups"]

SPREADS: dict[type[exp.Expr], str] = {
    exp.StddevPop: "stddev_pop",
    exp.Stddev: "stddev_pop",
    exp.StddevSamp: "stddev_samp",
    exp.VariancePop: "var_pop",
    exp.Variance: "var_samp",
}


def aggregates(node: exp.Expr) -> exp.Expr:
    """SUM, AVG and deviations of numbers; MIN and MAX of truths."""
    if isinstance(node, (exp.Sum, exp.Avg)) or type(node) in SPREADS:
        of = kind(node)
        distinct = node.this if isinstance(node.this, exp.Distinct) else None
        read = as_number if isinstance(node, (exp.Sum, exp.Avg)) else as_real
        value = read(distinct.expressions[0] if distinct is not None else node.this)
        value = exp.Distinct(expressions=[value]) if distinct is not None else value
        name = SPREADS.get(type(node), node.key)
        return call(name, value, like=of)
    if isinstance(node, exp.Median):
        return call("median", as_real(node.this), like=kind(node))
    if isinstance(node, (exp.Max, exp.Min)) and kind(node.this) == "boolean":
        node.set("this", as_number(node.this))
        return marked(node, "integer")
    return node


def counts(node: exp.Expr) -> exp.Expr:
    """COUNT(DISTINCT a, b): tuples with a NULL do not count."""
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Distinct) and len(node.this.expressions) > 1:
        values = [folded(e) if kind(e) == "text" else e for e in node.this.expressions]
        empty = exp.or_(*(exp.Is(this=exp.paren(v.copy()), expression=exp.Null()) for v in values), copy=False)
        whole = exp.Case(ifs=[exp.If(this=empty, true=exp.Null())], default=call("row", *values, like=None))
        return exp.Count(this=exp.Distinct(expressions=[whole]))
    return node


def group_concat(node: exp.Expr) -> exp.Expr:
    """GROUP_CONCAT with DISTINCT, ORDER BY and SEPARATOR."""
    return _limited(_concatenated(node)) if isinstance(node, exp.GroupConcat) else node


def _limited(text: exp.Expr) -> exp.Expr:
    return call("m_joined_text", text, number(MAX_JOINED_TEXT), like="text")


def _concatenated(node: exp.GroupConcat) -> exp.Expr:
    inner, keys = node.this, []
    if isinstance(inner, exp.Order):
        keys = [(o.this, bool(o.args.get("desc"))) for o in inner.expressions]
        inner = inner.this
    distinct = isinstance(inner, exp.Distinct)
    values = inner.expressions if distinct else [inner]
    value = values[0] if len(values) == 1 else call("m_joined", *map(as_text, values), like="text")
    separator = node.args.get("separator") or literal(",")
    if not distinct:
        return call("string_agg", as_text(value), _in_order(separator, keys), like="text")
    if not keys or keys[0][0] == value:
        # The first of equal texts is kept, as on MySQL.
        pair = call("m_pair", folded(value) if kind(value) == "text" else value, as_text(value.copy()), like=None)
        down = exp.Boolean(this=bool(keys) and keys[0][1])
        return call("m_joined_sorted", call("list", pair, like=None), down, separator, like="text")
    ordered = _in_order(as_text(value.copy()), keys)
    return call("m_joined_distinct", call("list", ordered, like=None), separator, like="text")


def json_arrays(node: exp.Expr) -> exp.Expr:
    """JSON_ARRAYAGG: texts and dates in quotes, NULL as null."""
    if not isinstance(node, exp.JSONArrayAgg):
        return node
    inner, keys = node.this, []
    if isinstance(inner, exp.Order):
        keys = [(o.this, bool(o.args.get("desc"))) for o in inner.expressions]
        inner = inner.this
    item = (
        as_text(inner.copy()) if kind(inner) in (*NUMBERS, "boolean") else call("m_json", as_text(inner), like="text")
    )
    filled = call("coalesce", item, literal("null"), like="text")
    joined = call("string_agg", filled, _in_order(literal(", "), keys), like="text")
    return call("m_json_array", _limited(joined), like="text")


def _in_order(value: exp.Expr, keys: list[tuple[exp.Expr, bool]]) -> exp.Expr:
    """Return the last argument of an aggregate, with the order of its rows."""
    if not keys:
        return value
    order = [exp.Ordered(this=k.copy(), desc=desc, nulls_first=not desc) for k, desc in keys]
    return exp.Order(this=value, expressions=order)


def rollups(node: exp.Expr) -> exp.Expr:
    """WITH ROLLUP: each total comes after its group."""
    if not isinstance(node, exp.Group) or not node.args.get("rollup"):
        return node
    keys = list(node.expressions)
    select = node.parent
    if isinstance(select, exp.Select) and not select.args.get("order") and not select.args.get("distinct"):
        order = [o for key in keys for o in (_total(key), exp.Ordered(this=key.copy(), nulls_first=True))]
        select.set("order", exp.Order(expressions=order))
    return exp.Group(rollup=[exp.Rollup(expressions=keys)])


def _total(key: exp.Expr) -> exp.Expr:
    return exp.Ordered(this=call("grouping", key.copy(), like="integer"), nulls_first=True)
