"""Whole queries: columns of set operations of one kind, and truths shown as MySQL shows them."""

from collections.abc import Sequence

from sqlglot import exp

from tablerag.tools.sql.backends.backend import MAX_STEPS
from tablerag.tools.sql.common import common_of
from tablerag.tools.sql.dialect.duck.build import call, cast, number
from tablerag.tools.sql.dialect.duck.kinds import Kind, kind, united
from tablerag.tools.sql.dialect.duck.values import as_number, as_text
from tablerag.tools.sql.recursion import first_selects, next_of

__all__ = ["integers", "results", "set_operands", "steps"]

STEP = "step__"
VALUES = (exp.Alias, exp.Select, exp.Neg)


def set_operands(node: exp.Expr) -> exp.Expr:
    """UNION, EXCEPT and INTERSECT: numbers beside texts become texts, and truths beside numbers numbers."""
    if isinstance(node, exp.SetOperation):
        kinds = [kinds_of(node.this), kinds_of(node.expression)]
        if len(kinds[0]) == len(kinds[1]):
            common: list[Kind | None] = [united(a, b) for a, b in zip(*kinds, strict=True)]
            for side in (node.this, node.expression):
                _unite(side, common)
    return node


def kinds_of(query: exp.Expr) -> list[Kind | None]:
    """Return the kinds of a query's columns."""
    if isinstance(query, exp.Subquery):
        return kinds_of(query.this)
    if isinstance(query, exp.SetOperation):
        sides = zip(kinds_of(query.this), kinds_of(query.expression), strict=False)
        return [united(a, b) for a, b in sides]
    return [kind(s) for s in query.selects] if isinstance(query, exp.Query) else []


def _unite(query: exp.Expr, common: Sequence[Kind | None]) -> None:
    if isinstance(query, (exp.Subquery, exp.SetOperation)):
        for side in (query.this, query.expression) if isinstance(query, exp.SetOperation) else (query.this,):
            _unite(side, common)
        return
    if not isinstance(query, exp.Select):
        return
    for shown, of in zip(query.selects, common, strict=False):
        value = shown.this if isinstance(shown, exp.Alias) else shown
        if of is None or kind(value) in (of, None):
            continue
        made = as_text(value.copy()) if of == "text" else as_number(value.copy()) if kind(value) == "boolean" else None
        if made is not None:
            value.replace(made if isinstance(shown, exp.Alias) else exp.alias_(made, shown.alias_or_name, quoted=True))


def integers(node: exp.Expr) -> exp.Expr:
    """Integers that are selected are BIGINT, as those of columns: DuckDB's own have 32 bits."""
    if isinstance(node, exp.Literal) and node.is_int and isinstance(node.parent, VALUES) and int(node.this) < 2**63:
        return cast(node.copy(), "BIGINT", "integer")
    return node


def results(node: exp.Expr) -> exp.Expr:
    """Show truths of the outermost query as 1 and 0."""
    if node.parent is None and isinstance(node, exp.Query):
        _shown(node)
    return node


def _shown(query: exp.Expr) -> None:
    if isinstance(query, (exp.Subquery, exp.SetOperation)):
        for side in (query.this, query.expression) if isinstance(query, exp.SetOperation) else (query.this,):
            _shown(side)
        return
    if not isinstance(query, exp.Select) or query.args.get("distinct"):
        return
    for shown in query.expressions:
        value = shown.this if isinstance(shown, exp.Alias) else shown
        if kind(value) == "boolean":
            made = cast(value.copy(), "BIGINT", "integer")
            value.replace(made if isinstance(shown, exp.Alias) else exp.alias_(made, shown.alias_or_name, quoted=True))


def steps(node: exp.Expr) -> exp.Expr:
    """A recursive WITH query with UNION ALL: count its rounds, to end one that does not end by itself."""
    if not isinstance(node, exp.CTE) or not isinstance(node.this, exp.Union) or node.this.args.get("distinct"):
        return node
    own = [t for t in node.this.expression.find_all(exp.Table) if common_of(t) is node]
    if not own:
        return node
    for select in first_selects(node.this.this):
        select.select(exp.alias_(cast(number(1), "BIGINT", "integer"), STEP, quoted=True), copy=False)
    before = exp.column(STEP, table=own[0].alias_or_name, quoted=True)
    following = call("m_step", before, number(MAX_STEPS), like="integer")
    next_of(node).select(exp.alias_(following, STEP, quoted=True), copy=False)
    if node.args["alias"].columns:
        node.args["alias"].append("columns", exp.to_identifier(STEP, quoted=True))
    return node
