"""Arithmetic, rounding, and functions of numbers."""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.duck.build import as_kind, call, cast, marked, number
from tablerag.tools.sql.dialect.duck.kinds import Kind, kind
from tablerag.tools.sql.dialect.duck.values import as_number, as_real, as_text, exact

__all__ = ["arithmetic", "bits", "functions", "rounding"]

MOST_PLACES = 10
"""Decimals to which a quotient is rounded as a DECIMAL: it holds twelve."""
PLAIN = (exp.Add, exp.Sub, exp.Mul)
REAL: dict[type[exp.Expr], str] = {
    exp.Sqrt: "m_sqrt",
    exp.Ln: "m_ln",
    exp.Exp: "m_exp",
    exp.Sin: "sin",
    exp.Cos: "cos",
    exp.Tan: "tan",
    exp.Cot: "cot",
    exp.Asin: "m_asin",
    exp.Acos: "m_acos",
    exp.Atan: "atan",
    exp.Degrees: "degrees",
    exp.Radians: "radians",
}
BASES = {"BIN": 2, "OCT": 8}
BIT_AGGREGATES: dict[type[exp.Expr], tuple[str, int]] = {
    exp.BitwiseAndAgg: ("bit_and", 2**64 - 1),
    exp.BitwiseOrAgg: ("bit_or", 0),
    exp.BitwiseXorAgg: ("bit_xor", 0),
}
"""With what each returns for no rows."""
NAMED = {"LOG10": "m_log10", "LOG2": "m_log2"}


def arithmetic(node: exp.Expr) -> exp.Expr:
    """Numbers of texts, truths and dates; division keeps fractions, and by zero is NULL."""
    if isinstance(node, exp.Neg):
        of = kind(node)
        return node if isinstance(node.this, exp.Literal) and not node.this.is_string else _negated(node, of)
    if not isinstance(node, (*PLAIN, exp.Div, exp.IntDiv, exp.Mod)) or _of_interval(node):
        return node
    of = kind(node) or "double"
    left, right = (as_number(n) for n in (node.this, node.expression))
    if isinstance(node, exp.Div):
        return call("m_div", left, right, like=of)
    if isinstance(node, exp.Mod):
        return call("m_mod", _long(left), right, like=of)
    if isinstance(node, exp.IntDiv):
        whole = kind(left) == kind(right) == "integer"
        return call("m_whole_div" if whole else "m_div_whole", exact(_long(left)), exact(right), like="integer")
    if isinstance(node, exp.Mul) and kind(left) == kind(right) == "decimal":
        return call("m_mul", left, right, like="decimal")
    if node.find(exp.Column) is None:
        left, right = _long(left), _long(right)
    node.set("this", left)
    node.set("expression", right)
    return marked(node, of)


def _negated(node: exp.Neg, of: Kind | None) -> exp.Expr:
    node.set("this", as_number(node.this))
    return marked(node, of)


def _of_interval(node: exp.Expr) -> bool:
    return isinstance(node.this, exp.Interval) or isinstance(node.expression, exp.Interval)


def _long(node: exp.Expr) -> exp.Expr:
    """Return an integer literal as BIGINT: DuckDB computes with literals in 32 bits."""
    if isinstance(node, exp.Literal) and node.is_int and int(node.this) < 2**63:
        return cast(node, "BIGINT", "integer")
    return node


def rounding(node: exp.Expr) -> exp.Expr:
    """ROUND (half away from zero), TRUNCATE, FLOOR and CEILING; negative decimals round to tens and hundreds."""
    if isinstance(node, exp.Round):
        return _cut("round", node.this, node.args.get("decimals"))
    if isinstance(node, exp.Trunc):
        return _cut("trunc", node.this, node.args.get("decimals"))
    if isinstance(node, exp.Anonymous) and node.name.upper() == "TRUNCATE":
        return _cut("trunc", *node.expressions)
    if isinstance(node, (exp.Floor, exp.Ceil)):
        name, value = ("floor" if isinstance(node, exp.Floor) else "ceil"), as_number(node.this)
        if kind(value) == "integer":
            return value
        made = call(name, exact(value), like=kind(value))
        return made if kind(value) == "double" else cast(made, "HUGEINT", "integer")
    return node


def _cut(name: str, value: exp.Expr, places: exp.Expr | None) -> exp.Expr:
    value, count = as_number(value), _places(places)
    of = kind(value) or "double"
    if count is None and places is not None:
        like: Kind = "double" if of == "double" else "quotient"
        return call(f"m_{name}", as_real(exact(value)), cast(as_number(places), "INTEGER", "integer"), like=like)
    if of == "integer" and (count or 0) >= 0:
        return as_kind(value, "integer") if isinstance(value, exp.Binary) else value
    if of == "integer":
        return call(name, cast(value, "BIGINT", "integer"), number(count or 0), like="integer")
    like = "decimal" if of == "quotient" else of
    if of == "double" and name == "round":
        name = "round_even"  # the server rounds halves of a DOUBLE to the even digit
    return call(name, exact(value), number(count or 0), like=like)


def _places(places: exp.Expr | None) -> int | None:
    if places is None:
        return 0
    sign = -1 if isinstance(places, exp.Neg) else 1
    bare = places.this if isinstance(places, exp.Neg) else places
    while isinstance(bare, (exp.Paren, exp.Cast)):
        bare = bare.this
    return sign * min(int(bare.this), 30) if isinstance(bare, exp.Literal) and bare.is_int else None


def functions(node: exp.Expr) -> exp.Expr:
    """Powers, roots, logarithms and angles, NULL where they have no real value; SIGN, ABS, FORMAT, HEX, CONV."""
    if type(node) in REAL:
        return call(REAL[type(node)], as_real(node.this), like="double")
    if isinstance(node, exp.Anonymous) and node.name.upper() in NAMED:
        return call(NAMED[node.name.upper()], as_real(node.expressions[0]), like="double")
    if isinstance(node, exp.Pow) or (isinstance(node, exp.Anonymous) and node.name.upper() == "POWER"):
        base, power = node.expressions if isinstance(node, exp.Anonymous) else (node.this, node.expression)
        return call("m_pow", as_real(base), as_real(power), like="double")
    if isinstance(node, exp.Log):
        if node.expression is None:
            return call("m_ln", as_real(node.this), like="double")
        return call("m_log", as_real(node.this), as_real(node.expression), like="double")
    if isinstance(node, exp.Atan2):
        return call("atan2", as_real(node.this), as_real(node.expression), like="double")
    if isinstance(node, exp.Abs):
        return call("abs", as_number(node.this), like=kind(node))
    if isinstance(node, exp.Sign):
        return cast(call("sign", as_number(node.this), like="integer"), "BIGINT", "integer")
    return _written(node)


def _written(node: exp.Expr) -> exp.Expr:
    name = node.name.upper() if isinstance(node, exp.Anonymous) else ""
    if isinstance(node, exp.NumberToStr) or name == "FORMAT":
        value, places = node.expressions[:2] if name else (node.this, node.args["format"])
        count = _places(places)
        if count is None:
            raise SqlRejected("FORMAT needs a number of decimals written in the statement")
        value = as_number(value)
        value = call("m_exact", value, like="decimal") if kind(value) in ("double", "quotient") else value
        count = max(0, min(count, MOST_PLACES))
        rounded = cast(call("round", value, number(count), like="decimal"), f"DECIMAL(38, {count})", "decimal")
        return call("m_format", cast(rounded, "VARCHAR", "text"), like="text")
    if isinstance(node, (exp.Hex, exp.LowerHex)):
        value = node.this
        whole = cast(as_real(value), "BIGINT", "integer") if kind(value) not in ("integer", "text") else value
        return call("hex", whole, like="text")
    if name == "CONV" or isinstance(node, getattr(exp, "Conv", ())):
        value, *bases = node.expressions or (node.this, node.args["from_base"], node.args["to_base"])
        return call("m_conv", as_text(value), *(cast(as_number(b), "BIGINT", "integer") for b in bases), like="text")
    if name in BASES:
        given = as_text(node.expressions[0])
        bases = (cast(number(b), "BIGINT", "integer") for b in (10, BASES[name]))
        return call("m_conv", given, *bases, like="text")
    if name == "BIT_COUNT" or isinstance(node, exp.BitwiseCount):
        value = node.expressions[0] if name else node.this
        return cast(call("bit_count", _bits(value), like="integer"), "BIGINT", "integer")
    if isinstance(node, exp.Pi):
        return call("pi", like="double")
    return node


def bits(node: exp.Expr) -> exp.Expr:
    """Bit operators and aggregates: on MySQL they compute in 64 bits without a sign."""
    if type(node) in BIT_AGGREGATES:
        name, of_none = BIT_AGGREGATES[type(node)]
        none = cast(exp.Literal.number(of_none), "UBIGINT", "integer")
        return call("coalesce", call(name, _bits(node.this), like="integer"), none, like="integer")
    names = {exp.BitwiseAnd: "m_bit_and", exp.BitwiseOr: "m_bit_or", exp.BitwiseXor: "m_bit_xor"}
    names |= {exp.BitwiseLeftShift: "m_shift_left", exp.BitwiseRightShift: "m_shift_right"}
    if type(node) in names:
        return call(names[type(node)], _bits(node.this), _bits(node.expression), like="integer")
    if isinstance(node, exp.BitwiseNot):
        return call("m_bit_not", _bits(node.this), like="integer")
    return node


def _bits(node: exp.Expr) -> exp.Expr:
    value = as_number(node)
    whole = value if kind(value) == "integer" else call("round", exact(value), like="integer")
    return call("m_bits", whole, like="integer")
