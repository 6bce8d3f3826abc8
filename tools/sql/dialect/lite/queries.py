"""Set operations, and comparisons with ALL or ANY of a subquery."""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.lite.comparisons import COMPARED, collated, comparisons

__all__ = ["quantifiers", "set_operands"]


def set_operands(node: exp.Expr) -> exp.Expr:
    """SQLite does not accept operands of UNION in parentheses: each becomes SELECT * FROM (...)."""
    if not isinstance(node, exp.SetOperation):
        return node
    if not node.args.get("distinct") and not isinstance(node, exp.Union):
        raise SqlRejected(f"{node.key.upper()} ALL is not available on SQLite: remove ALL")
    for side in ("this", "expression"):
        operand = node.args[side]
        if isinstance(operand, exp.Subquery):
            derived = exp.Subquery(this=operand.this.copy(), alias=exp.TableAlias(this=exp.to_identifier("u")))
            node.set(side, exp.select("*").from_(derived))
    return node


def quantifiers(node: exp.Expr) -> exp.Expr:
    """x > ALL (...) and x > ANY (...) as EXISTS: of a row that decides the result, then of one that makes it NULL."""
    if not isinstance(node, COMPARED) or not isinstance(node.expression, (exp.All, exp.Any)):
        return node
    every = isinstance(node.expression, exp.All)
    query = node.expression.this
    query = query.this if isinstance(query, exp.Subquery) else query
    names = query.named_selects
    if len(names) != 1 or not names[0]:
        raise SqlRejected("ALL and ANY need a subquery with one column: name it with AS")
    column = exp.column(exp.to_identifier(names[0], quoted=True), table=exp.to_identifier("q", quoted=True))
    column.type = query.selects[0].type
    test = collated(comparisons(type(node)(this=node.this.copy(), expression=column)))
    decided = exp.Not(this=exp.paren(test.copy())) if every else test
    unknown = exp.Is(this=exp.paren(test.copy()), expression=exp.Null())
    outcome = 0 if every else 1
    ifs = [
        exp.If(this=_exists(query, decided), true=exp.Literal.number(outcome)),
        exp.If(this=_exists(query, unknown), true=exp.Null()),
    ]
    return exp.Case(ifs=ifs, default=exp.Literal.number(1 - outcome))


def _exists(query: exp.Expr, condition: exp.Expr) -> exp.Expr:
    alias = exp.TableAlias(this=exp.to_identifier("q", quoted=True))
    derived = exp.Subquery(this=query.copy(), alias=alias)
    return exp.Exists(this=exp.select("1").from_(derived).where(condition))
