"""Values as MySQL converts them: to numbers, texts, truths, dates and times."""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.duck.build import call, cast, literal, marked
from tablerag.tools.sql.dialect.duck.kinds import MOMENTS, Kind, kind, moment_kind, numeric_kind
from tablerag.tools.sql.dialect.duck.moments import read_moment, written

__all__ = ["as_date", "as_datetime", "as_moment", "as_number", "as_real", "as_text", "as_truth", "exact", "stored_as"]

MOST_DIGITS = 38


def as_number(node: exp.Expr) -> exp.Expr:
    """Return a value as a number; of a text, the number it begins with."""
    match kind(node):
        case "boolean":
            return cast(node, "BIGINT", "integer")
        case "text":
            return call("m_number", node, like="double")
        case "date":
            return call("m_date_number", node, like="integer")
        case "datetime":
            return call("m_datetime_number", node, like="integer")
        case "time":
            return call("m_time_number", node, like="integer")
        case None if not isinstance(node, exp.Null):
            return call("m_any_number", node, like="double")
    return node


def as_real(node: exp.Expr) -> exp.Expr:
    """Return a value as a DOUBLE."""
    found = as_number(node)
    return found if kind(found) in ("double", "quotient") else cast(found, "DOUBLE", "double")


def exact(node: exp.Expr) -> exp.Expr:
    """Return a quotient as the DECIMAL that it is on MySQL; other numbers unchanged."""
    return call("m_exact", node, like="decimal") if kind(node) == "quotient" else node


def as_text(node: exp.Expr) -> exp.Expr:
    """Return a value as text, in MySQL's format."""
    match kind(node):
        case "text" | "time":
            return node
        case "boolean":
            return cast(cast(node, "TINYINT", "integer"), "VARCHAR", "text")
        case "quotient":
            return call("m_quotient_text", node, like="text")
        case "double":
            return call("m_double_text", node, like="text")
    return cast(node, "VARCHAR", "text")


def as_truth(node: exp.Expr) -> exp.Expr:
    """Return a value as a condition: numbers other than zero are true."""
    if kind(node) == "boolean" or isinstance(node, exp.Null):
        return node
    nonzero = exp.NEQ(this=_operand(as_number(node)), expression=exp.Literal.number(0))
    return marked(exp.paren(marked(nonzero, "boolean"), copy=False), "boolean")


def _operand(node: exp.Expr) -> exp.Expr:
    bare = not isinstance(node, (exp.Binary, exp.Unary, exp.Case)) or isinstance(node, exp.Paren)
    return node if bare else marked(exp.paren(node, copy=False), kind(node))


def as_moment(node: exp.Expr) -> exp.Expr:
    """Return a value as a date or a datetime; what is none as NULL."""
    of = kind(node)
    if of in MOMENTS:
        return node
    if isinstance(node, exp.Literal):
        return _written(node.this)
    if of == "time":
        raise SqlRejected("a time without a date is not a date: use a DATETIME")
    text = node if of == "text" else cast(node, "VARCHAR", "text")
    return call("m_moment", text, like="datetime")


def _written(text: str) -> exp.Expr:
    moment, timed = read_moment(text), moment_kind(text) == "datetime"
    made = literal(written(moment, timed=timed)) if moment else exp.Null()
    return cast(made, "TIMESTAMP" if timed else "DATE", "datetime" if timed else "date")


def as_date(node: exp.Expr) -> exp.Expr:
    """Return a value as a date."""
    found = as_moment(node)
    return found if kind(found) == "date" else cast(found, "DATE", "date")


def as_datetime(node: exp.Expr) -> exp.Expr:
    """Return a value as a datetime."""
    found = as_moment(node)
    return found if kind(found) == "datetime" else cast(found, "TIMESTAMP", "datetime")


def stored_as(node: exp.Expr, of: Kind | None) -> exp.Expr:
    """Return a branch of CASE, IF or COALESCE as the common kind of all branches."""
    if of is None or isinstance(node, exp.Null):
        return node
    if of == "text":
        return as_text(node)
    if isinstance(node, exp.Literal) and node.is_int:
        return cast(node, "BIGINT", "integer") if abs(int(node.this)) < 2**63 else node
    return as_number(node) if numeric_kind(of) == of and kind(node) != of else node
