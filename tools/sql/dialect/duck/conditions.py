"""Truths: conditions of numbers and texts, and values that are chosen by CASE, IF, COALESCE, GREATEST and LEAST."""

from sqlglot import exp

from tablerag.tools.sql.dialect.duck.build import call, each, marked
from tablerag.tools.sql.dialect.duck.comparisons import comparisons
from tablerag.tools.sql.dialect.duck.kinds import MOMENTS, branches, kind
from tablerag.tools.sql.dialect.duck.values import as_datetime, as_moment, as_number, as_text, as_truth, stored_as

__all__ = ["choices", "conditions", "extremes"]

FILTERS = (exp.Where, exp.Having)


def conditions(node: exp.Expr) -> exp.Expr:
    """Conditions that are numbers or texts: zero is false."""
    if isinstance(node, (exp.And, exp.Or)):
        node.set("this", as_truth(node.this))
        node.set("expression", as_truth(node.expression))
    elif isinstance(node, exp.Xor):
        sides = [exp.paren(as_truth(s), copy=False) for s in (node.this, node.expression)]
        return marked(exp.paren(exp.NEQ(this=sides[0], expression=sides[1]), copy=False), "boolean")
    elif isinstance(node, (exp.Not, *FILTERS)) or isinstance(node, exp.Is) and isinstance(node.expression, exp.Boolean):
        node.set("this", as_truth(node.this))
    elif isinstance(node, exp.Join) and node.args.get("on") is not None:
        node.set("on", as_truth(node.args["on"]))
    elif isinstance(node, exp.Anonymous) and node.name.upper() == "ISNULL":
        empty = exp.Is(this=exp.paren(node.expressions[0], copy=False), expression=exp.Null())
        return marked(exp.paren(empty, copy=False), "boolean")
    elif isinstance(node, exp.IsNullValue):
        return marked(exp.paren(exp.Is(this=node.this, expression=exp.Null()), copy=False), "boolean")
    return node


def choices(node: exp.Expr) -> exp.Expr:
    """CASE, IF, COALESCE and IFNULL: conditions as truths, and all branches of one kind."""
    if isinstance(node, exp.Case):
        return _case(node)
    if isinstance(node, exp.If) and not isinstance(node.parent, exp.Case):
        chosen = exp.If(this=node.this, true=node.args.get("true"))
        return _case(exp.Case(ifs=[chosen], default=node.args.get("false")))
    if isinstance(node, exp.Coalesce) or (isinstance(node, exp.Anonymous) and node.name.upper() == "IFNULL"):
        of = kind(node)
        values = [n for n in branches(node) if n is not None]
        return call("coalesce", *(stored_as(v, of) for v in values), like=of)
    return node


def _case(node: exp.Case) -> exp.Expr:
    of, value = kind(node), node.this
    once = value is not None and not isinstance(value, (exp.Column, exp.Literal))
    operand = exp.column("v") if once else value
    if once and operand is not None:
        operand.meta["kind"] = kind(value)
    for branch in node.args["ifs"]:
        test = branch.this
        if operand is not None:
            branch.set("this", comparisons(exp.EQ(this=operand.copy(), expression=test)))
        else:
            branch.set("this", as_truth(test))
        branch.set("true", stored_as(branch.args["true"], of))
    if node.args.get("default") is not None:
        node.set("default", stored_as(node.args["default"], of))
    node.set("this", None)
    marked(node, of)
    if once and value is not None and not any(b.find(exp.Query, exp.AggFunc, exp.Window) for b in _parts(node)):
        return each(value, node)
    if once and value is not None:
        for found in list(node.find_all(exp.Column)):
            if found.name == "v" and not found.table:
                found.replace(exp.paren(value.copy(), copy=False))
    return node


def _parts(node: exp.Case) -> list[exp.Expr]:
    parts = [*node.args["ifs"], node.args.get("default")]
    return [p for p in parts if p is not None]


def extremes(node: exp.Expr) -> exp.Expr:
    """GREATEST and LEAST, which are NULL if one value is."""
    if not isinstance(node, (exp.Greatest, exp.Least)):
        return node
    of, items = kind(node), [n for n in branches(node) if n is not None]
    name = "greatest" if isinstance(node, exp.Greatest) else "least"
    if of == "text":
        return call(f"m_{name}_text", call("list_value", *map(as_text, items), like=None), like="text")
    if of in MOMENTS:
        read = as_datetime if of == "datetime" else as_moment
        items = [read(i) for i in items]
    elif of is not None:
        items = [as_number(i) for i in items]
    return call(f"m_{name}", call("list_value", *items, like=None), like=of)
