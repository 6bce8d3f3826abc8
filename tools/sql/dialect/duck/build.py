"""Functions with which rules build expressions, each with the kind of its value."""

from sqlglot import exp

from tablerag.tools.sql.dialect.duck.kinds import Kind, kind

__all__ = ["as_kind", "call", "cast", "each", "literal", "marked", "number"]


def marked(node: exp.Expr, of: Kind | None) -> exp.Expr:
    """Note the kind of a rewritten expression, and return it."""
    node.meta["kind"] = of
    return node


def call(name: str, *args: exp.Expr | None, like: Kind | None) -> exp.Expr:
    """Return a call of a function or macro, with the kind of its result."""
    return marked(exp.Anonymous(this=name, expressions=[a for a in args if a is not None]), like)


def cast(node: exp.Expr, to: str, like: Kind) -> exp.Expr:
    """Return a value cast to a type of DuckDB."""
    return marked(exp.Cast(this=node, to=exp.DataType.build(to, dialect="duckdb")), like)


def each(value: exp.Expr, made: exp.Expr) -> exp.Expr:
    """Return what is made of ``v``, which stands for a value that is to be computed once."""
    made_of = exp.Lambda(this=made, expressions=[exp.to_identifier("v")])
    listed = call("list_transform", call("list_value", value, like=None), made_of, like=None)
    return call("list_extract", listed, number(1), like=kind(made))


def as_kind(node: exp.Expr, of: Kind) -> exp.Expr:
    """Return an expression of operators in parentheses, with its kind."""
    return marked(exp.paren(node, copy=False), of)


def literal(text: str) -> exp.Expr:
    """Return a text literal."""
    return exp.Literal.string(text)


def number(value: int) -> exp.Expr:
    """Return an integer literal."""
    return exp.Literal.number(value)
