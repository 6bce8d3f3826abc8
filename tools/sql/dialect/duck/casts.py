"""CAST and CONVERT; integers that are written in a statement."""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.duck.build import as_kind, call, cast, marked, number
from tablerag.tools.sql.dialect.duck.dates import as_time
from tablerag.tools.sql.dialect.duck.kinds import kind
from tablerag.tools.sql.dialect.duck.values import as_date, as_datetime, as_number, as_real, as_text, exact

__all__ = ["casts"]

_T = exp.DataType.Type
INTEGERS = frozenset({_T.BIGINT, _T.INT, _T.SMALLINT, _T.TINYINT, _T.MEDIUMINT})
CHARACTERS = frozenset({_T.CHAR, _T.VARCHAR, _T.TEXT, _T.NCHAR, _T.NVARCHAR, _T.CHARACTER_SET})
COMPARING = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.Between, exp.In, exp.Distinct)
COMPARING += (exp.Group, exp.Ordered)
MOST_DIGITS, MOST_PLACES = 38, 30


def casts(node: exp.Expr) -> exp.Expr:
    """CAST to DECIMAL keeps its decimals, to SIGNED rounds, to DATE accepts the formats that MySQL accepts."""
    if not isinstance(node, exp.Cast) or "kind" in node.meta:
        return node
    to, value = node.to.this, node.this
    if to == _T.DECIMAL:
        return _decimal(value, [int(p.this.name) for p in node.to.expressions])
    if to in (_T.UBIGINT, _T.UINT) or to in INTEGERS:
        return _whole(value, signed=to in INTEGERS)
    if to in CHARACTERS:
        text = as_text(value)
        length = node.to.expressions[0].this if node.to.expressions else None
        return call("left", text, length, like="text") if length is not None else text
    if to == _T.BINARY:
        return _bytes(node, value)
    if to in (_T.DATETIME, _T.TIMESTAMP, _T.TIMESTAMPTZ, _T.TIMESTAMPLTZ):
        return as_datetime(value)
    if to == _T.DATE:
        return as_date(value)
    if to == _T.TIME:
        return as_time(value)
    if to in (_T.DOUBLE, _T.FLOAT):
        return cast(as_real(value), "DOUBLE", "double")
    raise SqlRejected(
        f"CAST(... AS {node.to.sql()[:30]}) is not available: use SIGNED, DECIMAL, CHAR, DATE or DATETIME"
    )


def _bytes(node: exp.Cast, value: exp.Expr) -> exp.Expr:
    """Return a text that is compared by its bytes; functions of texts would not regard that."""
    around = node.parent
    while isinstance(around, exp.Paren):
        around = around.parent
    if not isinstance(around, COMPARING):
        raise SqlRejected("CAST(... AS BINARY) is only available in comparisons, IN, DISTINCT, GROUP BY and ORDER BY")
    return marked(exp.Collate(this=as_text(value), expression=exp.var("C")), "text")


def _whole(value: exp.Expr, *, signed: bool) -> exp.Expr:
    """Return an integer; of a text, its first digits; of a fraction, the nearest."""
    if kind(value) == "text":
        found = call("m_signed", value, like="integer")
    else:
        found = as_number(value)
        if kind(found) == "integer":
            # DuckDB's own integers have 32 bits.
            found = cast(found, "BIGINT", "integer") if isinstance(found, exp.Literal) else found
            found = as_kind(found, "integer") if isinstance(found, exp.Binary) else found
        else:
            # Halves of a DOUBLE go to the even integer, as on the server.
            whole = found if kind(found) == "double" else call("round", exact(found), like=kind(found))
            found = cast(whole, "BIGINT", "integer")
    return found if signed else call("m_bits", found, like="integer")


def _decimal(value: exp.Expr, given: list[int]) -> exp.Expr:
    digits, places = (given + [10, 0][len(given) :])[:2]
    digits, places = min(digits, MOST_DIGITS), min(places, MOST_PLACES)
    source = value if kind(value) in ("integer", "decimal") else call("m_exact_text", as_text(value), like="text")
    if kind(value) in ("date", "datetime", "time", "boolean"):
        source = as_number(value)
    most = "9" * (digits - places) + ("." + "9" * places if places else "")
    least = exp.Neg(this=exp.Literal.number(most or "0"))
    made = call("m_decimal", source, number(places), exp.Literal.number(most or "0"), least, like="decimal")
    return cast(made, f"DECIMAL({digits}, {places})", "decimal")
