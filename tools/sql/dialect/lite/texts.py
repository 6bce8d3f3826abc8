"""Text functions."""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.lite.casts import as_text
from tablerag.tools.sql.dialect.lite.typed import FRACTIONS, call, called, kind, literal, number

__all__ = ["ascii_likes", "likes", "positions", "texts", "written_out"]

LONGEST_SOUGHT = 40
"""With longer texts, SQLite's REPLACE and LIKE could run for seconds without the possibility to interrupt them."""


def texts(node: exp.Expr) -> exp.Expr:
    """Functions that are called by another name; texts where SQLite considers case, or only ASCII."""
    if isinstance(node, (exp.Left, exp.Right)) and kind(node.this) == "text" and _counts(node.expression):
        places = [node.expression] if isinstance(node, exp.Left) else []
        start = number(1) if isinstance(node, exp.Left) else exp.Neg(this=node.expression)
        return call("SUBSTR", node.this, start, *places, like="text")
    if instead := called(node):
        given = node.expressions if isinstance(node, exp.Anonymous) else _arguments(node)
        return call(instead.call, *given, like=instead.kind)
    if isinstance(node, exp.Elt):
        return call("m_elt", *_arguments(node), like="text")
    if isinstance(node, exp.Ascii):
        return call("m_ascii", node.this, like="integer")
    if isinstance(node, exp.Pad):
        name, fill = "m_lpad" if node.args.get("is_left") else "m_rpad", node.args.get("fill_pattern")
        return call(name, as_text(node.this), node.expression, fill or literal(" "), like="text")
    if isinstance(node, exp.Trim) and node.expression is not None:
        side = (node.args.get("position") or "BOTH").upper()
        return call("m_trim", as_text(node.this), node.expression, literal(side), like="text")
    if isinstance(node, exp.Length):
        return _length(node)
    if isinstance(node, exp.Replace) and not _short(node.expression):
        return call("m_replace", node.this, node.expression, node.args.get("replacement"), like="text")
    if isinstance(node, exp.Anonymous) and node.name.upper() == "IFNULL":
        return exp.Coalesce(this=node.expressions[0], expressions=node.expressions[1:])
    return node


def _counts(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and node.is_int and int(node.this) > 0


def _arguments(node: exp.Expr) -> list[exp.Expr]:
    found: list[exp.Expr] = []
    for key in node.arg_types:
        value = node.args.get(key)
        found += value if isinstance(value, list) else [value] if isinstance(value, exp.Expr) else []
    return [as_text(a) if kind(a) in FRACTIONS and i == 0 else a for i, a in enumerate(found)]


def _length(node: exp.Length) -> exp.Expr:
    value = as_text(node.this) if kind(node.this) in FRACTIONS else node.this
    return call("m_bytes" if node.args.get("binary") else "LENGTH", value, like="integer")


def _short(node: exp.Expr | None) -> bool:
    return isinstance(node, exp.Literal) and 0 < len(node.this) <= LONGEST_SOUGHT


def positions(node: exp.Expr) -> exp.Expr:
    """LOCATE and POSITION without case; SUBSTRING from a position that may be zero or before the text."""
    if isinstance(node, exp.StrPosition):
        return call("m_locate", node.args["substr"], node.this, node.args.get("position"), like="integer")
    if isinstance(node, exp.Anonymous) and node.name.upper() in ("MID", "SUBSTR"):
        return _substring(*node.expressions)
    if isinstance(node, exp.Substring):
        return _substring(node.this, node.args["start"], node.args.get("length"))
    return node


def _substring(value: exp.Expr, start: exp.Expr, length: exp.Expr | None = None) -> exp.Expr:
    value = as_text(value) if kind(value) in FRACTIONS else value
    places = [a for a in (start, length) if a is not None]
    return call("SUBSTR" if all(map(_counts, places)) else "m_substring", value, *places, like="text")


def written_out(node: exp.Expr) -> exp.Expr:
    """CONCAT and CONCAT_WS with numbers in MySQL's format."""
    if isinstance(node, exp.Concat) and not isinstance(node, exp.ConcatWs):
        return _joined([as_text(e) if kind(e) in FRACTIONS else e for e in node.expressions])
    if isinstance(node, exp.ConcatWs):
        separator, *values = node.expressions
        return call("m_concat_ws", separator, *(as_text(v) if kind(v) in FRACTIONS else v for v in values), like="text")
    return node


def _joined(parts: list[exp.Expr]) -> exp.Expr:
    if len(parts) == 1:
        return as_text(parts[0])
    joined = parts[0]
    for part in parts[1:]:
        joined = exp.DPipe(this=_operand(joined), expression=_operand(part), safe=True)
    made = exp.paren(joined, copy=False)
    made.type = exp.DataType.build("TEXT")
    joined.type = made.type
    return made


def _operand(node: exp.Expr) -> exp.Expr:
    bare = isinstance(node, exp.DPipe) or not isinstance(node, (exp.Binary, exp.Unary, exp.Case))
    return node if bare else exp.paren(node, copy=False)


def ascii_likes(node: exp.Expr) -> exp.Expr:
    """LIKE of columns that are all ASCII, with a short pattern, as SQLite's own; before likes()."""
    pattern = node.expression if isinstance(node, exp.Like) else None
    if not isinstance(node, exp.Like) or isinstance(node.parent, exp.Escape) or not isinstance(pattern, exp.Literal):
        return node
    if not isinstance(node.this, exp.Column) or not pattern.this.isascii() or len(pattern.this) > LONGEST_SOUGHT:
        return node
    # With the escape outside, SQLite runs its own LIKE.
    return exp.Escape(this=marked_like(node), expression=literal("\\"))


def marked_like(node: exp.Like) -> exp.Like:
    """Return a copy that likes() leaves as it is."""
    copied = node.copy()
    copied.meta["own like"] = True
    return copied


def likes(node: exp.Expr) -> exp.Expr:
    """LIKE with backslash as escape, without case and accents."""
    if isinstance(node, exp.Escape) and node.this.meta.get("own like"):
        return node
    if isinstance(node, exp.Escape) and isinstance(node.this, exp.Like):
        return _like(node.this, node.expression)
    if isinstance(node, exp.Like) and not isinstance(node.parent, exp.Escape):
        return _like(node, literal("\\"))
    return node


def _like(node: exp.Like, escape: exp.Expr) -> exp.Expr:
    if isinstance(node.this, exp.Cast) and node.this.to.this == exp.DataType.Type.BINARY:
        raise SqlRejected("LIKE BINARY is not available on SQLite")
    made = call("m_like", node.this, node.expression, escape, like="integer")
    return exp.Not(this=made) if node.args.get("negate") else made
