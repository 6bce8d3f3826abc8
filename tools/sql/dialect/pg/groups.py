"""Groups and distinct rows of texts on PostgreSQL, which are those of the texts without case and accents."""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.duck.build import call
from tablerag.tools.sql.dialect.duck.kinds import kind
from tablerag.tools.sql.dialect.duck.queries import kinds_of

__all__ = ["groups", "ordered_operations", "set_operations"]


def groups(node: exp.Expr) -> exp.Expr:
    """GROUP BY and SELECT DISTINCT of texts: one of the spellings of a group is shown."""
    if not isinstance(node, exp.Select):
        return node
    _by_alias(node)
    group = node.args.get("group")
    keys = [k for k in group.expressions if _is_text(k)] if group is not None else []
    if group is not None and (group.args.get("rollup") or group.args.get("cube")):
        if any(_is_text(k) for r in group.args.get("rollup") or () for k in r.expressions):
            raise SqlRejected("WITH ROLLUP over texts is not available on PostgreSQL: use UNION ALL for the totals")
        return node
    if keys:
        _group(node, keys)
    if node.args.get("distinct") and any(_is_text(s.unalias()) for s in node.selects):
        _distinct(node)
    return node


def set_operations(node: exp.Expr) -> exp.Expr:
    """UNION, EXCEPT and INTERSECT of texts compare them by case."""
    if isinstance(node, exp.SetOperation) and node.args.get("distinct"):
        query = node.this
        while isinstance(query, (exp.Subquery, exp.SetOperation)):
            query = query.this
        if isinstance(query, exp.Select) and any(_is_text(s.unalias()) for s in query.selects):
            raise SqlRejected(
                f"{node.key.upper()} of texts is not available on PostgreSQL: use UNION ALL in a derived table, and "
                "SELECT DISTINCT from it"
            )
    return node


def ordered_operations(node: exp.Expr) -> exp.Expr:
    """ORDER BY after UNION ALL, which takes no expressions: around it, if a text is sorted."""
    order = node.args.get("order") if isinstance(node, exp.SetOperation) else None
    if order is None or not isinstance(node, exp.SetOperation):
        return node
    names = [n.casefold() for n in node.named_selects]
    of = dict(zip(names, kinds_of(node), strict=False))
    sorted_ = [o.this.name.casefold() for o in order.expressions if isinstance(o.this, exp.Column)]
    if not any(of.get(name) == "text" for name in sorted_):
        return node
    inner = node.copy()
    outer = exp.select(*(exp.column(n, table="u__", quoted=True) for n in node.named_selects))
    for part in ("order", "limit", "offset"):
        outer.set(part, node.args.get(part))
        inner.set(part, None)
    for ordered in outer.args["order"].expressions:
        if isinstance(ordered.this, exp.Column):
            ordered.this.meta["kind"] = of.get(ordered.this.name.casefold())
    return outer.from_(inner.subquery(exp.to_identifier("u__", quoted=True)))


def _is_text(node: exp.Expr) -> bool:
    return kind(node) == "text" and not isinstance(node, exp.Null)


def _folded(node: exp.Expr) -> exp.Expr:
    return call("m_fold", node.copy(), like="text")


def _by_alias(select: exp.Select) -> None:
    """Replace the alias of a selected text in ORDER BY by the text itself, which can be folded there."""
    shown = {s.alias.casefold(): s.this for s in select.expressions if isinstance(s, exp.Alias)}
    order = select.args.get("order")
    for ordered in order.expressions if order is not None else ():
        key = ordered.this
        if isinstance(key, exp.Column) and not key.table and key.name.casefold() in shown:
            value = shown[key.name.casefold()]
            if _is_text(value):
                ordered.set("this", value.copy())


def _group(select: exp.Select, keys: list[exp.Expr]) -> None:
    texts = {key.sql() for key in keys}
    group = select.args["group"]
    group.set("expressions", [_folded(k) if _is_text(k) else k for k in group.expressions])
    parts = [*select.expressions, select.args.get("having")]
    for part in parts:
        if part is not None:
            _show(part, texts)
    order = select.args.get("order")
    for ordered in order.expressions if order is not None else ():
        if ordered.this.sql() not in texts:
            _show(ordered, texts)


def _show(part: exp.Expr, texts: set[str]) -> None:
    """Replace the keys of a group outside aggregates by one of their spellings."""
    for node in list(part.walk(prune=lambda n: n.sql() in texts or _aggregates(n))):
        if node.sql() in texts and not isinstance(node.parent, exp.Ordered):
            shown = call("min", node.copy(), like="text")
            if node is part:
                continue
            node.replace(shown)
    if isinstance(part, exp.Column) and part.sql() in texts and part.parent is not None:
        part.replace(exp.alias_(call("min", part.copy(), like="text"), part.name, quoted=True))


def _aggregates(node: exp.Expr) -> bool:
    names = ("sum", "avg", "string_agg", "m_min_text", "m_max_text", "median")
    return isinstance(node, (exp.AggFunc, exp.Query)) or (isinstance(node, exp.Anonymous) and node.name in names)


def _distinct(select: exp.Select) -> None:
    if select.args.get("group") or select.find(exp.Window, exp.AggFunc):
        raise SqlRejected(
            "SELECT DISTINCT of texts with groups is not available on PostgreSQL: group in a derived table first"
        )
    values = [s.unalias() for s in select.expressions]
    names = [s.alias_or_name for s in select.expressions]
    select.set("distinct", None)
    select.set("group", exp.Group(expressions=[_folded(v) if _is_text(v) else v.copy() for v in values]))
    shown = [call("min", v.copy(), like="text") if _is_text(v) else v.copy() for v in values]
    select.set("expressions", [exp.alias_(v, n, quoted=True) for v, n in zip(shown, names, strict=True)])
