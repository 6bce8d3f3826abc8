"""CAST and CONVERT, and the text form of values."""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.lite.dates import to_date, to_datetime, to_time
from tablerag.tools.sql.dialect.lite.typed import FRACTIONS, NUMBERS, call, kind, number, real, scale

__all__ = ["as_text", "casts"]

_T = exp.DataType.Type
INTEGERS = frozenset({_T.BIGINT, _T.UBIGINT, _T.INT, _T.UINT, _T.SMALLINT, _T.TINYINT, _T.MEDIUMINT})
CHARACTERS = frozenset({_T.CHAR, _T.VARCHAR, _T.TEXT, _T.NCHAR, _T.NVARCHAR, _T.CHARACTER_SET})


def casts(node: exp.Expr) -> exp.Expr:
    """CAST to DECIMAL keeps its decimals, to SIGNED rounds, to DATE accepts the formats that MySQL accepts."""
    if not isinstance(node, exp.Cast):
        return node
    to, value = node.to.this, node.this
    if to == _T.DECIMAL:
        return _decimal(value, [p.this for p in node.to.expressions])
    if to in (_T.UBIGINT, _T.UINT):
        return call("m_unsigned", value, like="integer")
    if to in INTEGERS:
        return value if kind(value) == "integer" else call("m_signed", value, like="integer")
    if to in CHARACTERS:
        text = as_text(value)
        length = node.to.expressions[0].this if node.to.expressions else None
        return call("SUBSTR", text, number(1), length, like="text") if length else text
    if to == _T.BINARY:
        raise SqlRejected("CAST(... AS BINARY) is not available on SQLite: comparisons ignore case")
    if to in (_T.DATETIME, _T.TIMESTAMP, _T.TIMESTAMPTZ, _T.TIMESTAMPLTZ):
        return to_datetime(value)
    if to == _T.DATE:
        return to_date(value)
    if to == _T.TIME:
        return to_time(value)
    if to in (_T.DOUBLE, _T.FLOAT):
        return real(value)
    raise SqlRejected(
        f"CAST(... AS {node.to.sql()[:30]}) is not available: use SIGNED, DECIMAL, CHAR, DATE or DATETIME"
    )


def _decimal(value: exp.Expr, given: list[exp.Expr]) -> exp.Expr:
    digits, places = ([int(g.name) for g in given] + [10, 0][len(given) :])[:2]
    made = call("m_decimal", value, number(digits), number(places), like="decimal")
    made.meta["scale"] = places
    return made


def as_text(node: exp.Expr) -> exp.Expr:
    """Return a value as text, in MySQL's format."""
    of = kind(node)
    if of == "text":
        return node
    places = scale(node)
    if of in FRACTIONS and places is not None:
        return call("m_fixed", node, number(places), like="text")
    if of in NUMBERS and of != "integer":
        return call("m_text", node, like="text")
    made = exp.Cast(this=node, to=exp.DataType.build("TEXT"))
    made.type = exp.DataType.build("TEXT")
    return made
