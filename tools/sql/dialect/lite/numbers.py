"""Arithmetic: division, remainders, rounding, and dates as numbers."""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.lite.typed import FRACTIONS, MOMENTS, NUMBERS, Kind, call, copied, kind, number, real

__all__ = ["arithmetic", "bits", "rounding", "scalars"]

NUDGE = "1.000000000000001"
"""A decimal such as 1.005 is stored slightly below it: this corrects halves and no other number of 15 digits."""
MOST_PLACES = 15


def arithmetic(node: exp.Expr) -> exp.Expr:
    """Division keeps fractions, and by zero is NULL; MOD and DIV keep decimals exact; dates become numbers."""
    if isinstance(node, (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod)):
        for side in ("this", "expression"):
            if kind(node.args[side]) in MOMENTS:
                node.set(side, call("m_moment_number", node.args[side], like="integer"))
    if isinstance(node, (exp.Mod, exp.IntDiv)):
        left, right = _bare(node.this), _bare(node.expression)
        if kind(left) == kind(right) == "integer":
            made = exp.Mod if isinstance(node, exp.Mod) else exp.Div
            return _as(exp.paren(made(this=copied(left), expression=copied(right), typed=True)), "integer")
        like = "decimal" if isinstance(node, exp.Mod) else "integer"
        return call("m_mod" if isinstance(node, exp.Mod) else "m_div", left, right, like=like)
    if isinstance(node, exp.Div):
        node.set("this", real(node.this))
        node.set("typed", True)
    if isinstance(node, exp.Xor):
        sides = [exp.paren(exp.NEQ(this=exp.paren(s), expression=number(0))) for s in (node.this, node.expression)]
        return exp.NEQ(this=sides[0], expression=sides[1])
    return node


def _bare(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, exp.Paren) else node


def _as(node: exp.Expr, like: Kind) -> exp.Expr:
    node.type = exp.DataType.build("BIGINT" if like == "integer" else "DECIMAL")
    return node


def rounding(node: exp.Expr) -> exp.Expr:
    """ROUND (half away from zero), TRUNCATE, FLOOR and CEILING; negative decimals round to tens and hundreds."""
    if isinstance(node, exp.Round):
        return _rounded(node.this, node.args.get("decimals"))
    if isinstance(node, exp.Trunc):
        return _truncated(node.this, node.args.get("decimals") or number(0))
    if isinstance(node, exp.Anonymous) and node.name.upper() == "TRUNCATE":
        return _truncated(*node.expressions)
    if isinstance(node, (exp.Floor, exp.Ceil)):
        if kind(node.this) == "integer":
            return node.this
        return call("m_floor" if isinstance(node, exp.Floor) else "m_ceil", node.this, like="integer")
    return node


def _rounded(value: exp.Expr, places: exp.Expr | None) -> exp.Expr:
    """Round; with SQLite's own function if the number of decimals is a literal."""
    of, count = kind(value), _places(places)
    if of == "integer" and count is not None and count >= 0:
        return exp.paren(copied(value))
    if of not in FRACTIONS or count is None or not 0 <= count <= MOST_PLACES:
        made = call("m_round", value, places or number(0), like=of if of in NUMBERS else "double")
    else:
        nudged = exp.Mul(this=copied(value), expression=exp.Literal.number(NUDGE))
        made = call("ROUND", nudged, number(count), like=of)
        if count == 0 and of == "decimal":
            return _as(exp.Cast(this=made, to=exp.DataType.build("BIGINT")), "integer")
    if of == "decimal" and count:
        made.meta["scale"] = max(count, 0)
    return made


def _places(places: exp.Expr | None) -> int | None:
    if places is None:
        return 0
    sign = -1 if isinstance(places, exp.Neg) else 1
    bare = places.this if isinstance(places, exp.Neg) else places
    return sign * int(bare.this) if isinstance(bare, exp.Literal) and bare.is_int else None


def _truncated(value: exp.Expr, places: exp.Expr) -> exp.Expr:
    of, count = kind(value), _places(places)
    if of == "decimal" and count == 0:
        return _as(exp.Cast(this=value, to=exp.DataType.build("BIGINT")), "integer")
    made = call("m_truncate", value, places, like=of if of in NUMBERS else "double")
    if of == "decimal" and count and count > 0:
        made.meta["scale"] = count
    return made


def scalars(node: exp.Expr) -> exp.Expr:
    """FORMAT, SIGN, and GREATEST and LEAST of numbers and texts."""
    if isinstance(node, exp.NumberToStr):
        return call("m_format", node.this, node.args["format"], like="text")
    if isinstance(node, (exp.Greatest, exp.Least)):
        name = "MAX" if isinstance(node, exp.Greatest) else "MIN"
        items = [node.this, *node.expressions]
        kinds = {kind(i) for i in items}
        if "text" in kinds and kinds & NUMBERS:
            items = [real(i) if kind(i) == "text" else i for i in items]
        return call(name, *items, like=kind(node))
    if isinstance(node, exp.Sign):
        return call("SIGN", node.this, like="integer")
    return node


def bits(node: exp.Expr) -> exp.Expr:
    """MySQL's bit operators are unsigned, SQLite's signed: only & gives the same result."""
    kinds = (exp.BitwiseXor, exp.BitwiseNot, exp.BitwiseOr, exp.BitwiseLeftShift, exp.BitwiseRightShift)
    if isinstance(node, kinds):
        raise SqlRejected("the bit operators | ^ ~ << >> are not available on SQLite: use arithmetic")
    return node
