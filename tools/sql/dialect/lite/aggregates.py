"""Aggregates: COUNT of tuples, deviations, GROUP_CONCAT with its options, ROLLUP."""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.lite.casts import as_text
from tablerag.tools.sql.dialect.lite.typed import FRACTIONS, call, copied, kind, literal, real

__all__ = ["counts", "deviations", "group_concat", "rollups"]

SPREADS: dict[type[exp.Expr], str] = {
    exp.StddevPop: "m_stddev_pop",
    exp.Stddev: "m_stddev_pop",
    exp.StddevSamp: "m_stddev_samp",
    exp.VariancePop: "m_var_pop",
    exp.Variance: "m_var_samp",
}
NAMED_SPREADS = {"STD": "m_stddev_pop", "STDDEV": "m_stddev_pop", "VARIANCE": "m_var_pop"}
NAMED_SPREADS |= {"VAR_POP": "m_var_pop", "VAR_SAMP": "m_var_samp"}


def counts(node: exp.Expr) -> exp.Expr:
    """COUNT(DISTINCT a, b): tuples with a NULL do not count."""
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Distinct) and len(node.this.expressions) > 1:
        return exp.Count(this=exp.Distinct(expressions=[call("m_tuple", *node.this.expressions)]))
    return node


def deviations(node: exp.Expr) -> exp.Expr:
    """STDDEV, VARIANCE and their variants, with functions of this package that do not lose digits."""
    named = NAMED_SPREADS.get(node.name.upper()) if isinstance(node, exp.Anonymous) else None
    name = SPREADS.get(type(node)) or named
    if name is None:
        return node
    name += "_over" if isinstance(node.parent, exp.Window) else ""
    value = node.expressions[0] if named else node.this
    if isinstance(value, exp.Distinct):
        value.replace(exp.Distinct(expressions=[real(copied(e)) for e in value.expressions]))
        return call(name, value, like="double")
    return call(name, real(value), like="double")


def group_concat(node: exp.Expr) -> exp.Expr:
    """GROUP_CONCAT with DISTINCT, ORDER BY and SEPARATOR; SQLite's own function if it has neither of the first two."""
    if not isinstance(node, exp.GroupConcat):
        return node
    inner, keys = node.this, []
    if isinstance(inner, exp.Order):
        keys = [(o.this, bool(o.args.get("desc"))) for o in inner.expressions]
        inner = inner.this
    distinct = isinstance(inner, exp.Distinct)
    values = inner.expressions if distinct else [inner]
    value = values[0] if len(values) == 1 else exp.Concat(expressions=list(values), safe=True, coalesce=False)
    value = value.this if isinstance(value, exp.Collate) else value
    shown = as_text(value) if kind(value) in FRACTIONS else value
    separator = node.args.get("separator") or literal(",")
    if not keys and not distinct:
        return call("GROUP_CONCAT", shown, separator, like="text")
    options = "".join("d" if desc else "a" for _, desc in keys)
    if distinct and not keys:
        keys, options = [(value.copy(), False)], "a"
    marks = literal(("u" if distinct else "-") + options)
    return call("m_group_concat", marks, separator, shown, *[key for key, _ in keys], like="text")


def rollups(node: exp.Expr) -> exp.Expr:
    """SQLite has no ROLLUP."""
    if isinstance(node, exp.Group) and (node.args.get("rollup") or node.args.get("cube")):
        raise SqlRejected("WITH ROLLUP is not available on SQLite: use UNION ALL for the totals")
    return node
