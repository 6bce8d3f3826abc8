"""Functions of texts; searches regard neither case nor accents."""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.duck.build import as_kind, call, cast, literal, marked, number
from tablerag.tools.sql.dialect.duck.kinds import kind
from tablerag.tools.sql.dialect.duck.values import as_number, as_text

__all__ = ["joined", "likes", "positions", "searches", "texts"]

MADE = {
    exp.Left: "m_left",
    exp.Right: "m_right",
    exp.SubstringIndex: "m_substring_index",
    exp.Repeat: "m_repeat",
    exp.Stuff: "m_insert",
}
WHOLE = {exp.Lower: "lower", exp.Upper: "m_upper", exp.Reverse: "reverse"}
WHOLE_NAMES = {"LCASE": "lower", "UCASE": "m_upper", "REVERSE": "reverse", "LTRIM": "ltrim", "RTRIM": "rtrim"}
LENGTHS = {"CHAR_LENGTH": "length", "CHARACTER_LENGTH": "length", "OCTET_LENGTH": "strlen"}


def texts(node: exp.Expr) -> exp.Expr:
    """Functions that change or measure texts."""
    name = node.name.upper() if isinstance(node, exp.Anonymous) else ""
    if type(node) in WHOLE or name in WHOLE_NAMES:
        value = node.expressions[0] if name else node.this
        return call(WHOLE_NAMES[name] if name else WHOLE[type(node)], as_text(value), like="text")
    if isinstance(node, exp.Length) or name in LENGTHS:
        value = node.expressions[0] if name else node.this
        bytes_ = LENGTHS[name] if name else "strlen" if node.args.get("binary") else "length"
        return call(bytes_, as_text(value), like="integer")
    if type(node) in MADE or name in ("SUBSTRING_INDEX", "INSERT"):
        return _made(MADE.get(type(node), "m_" + name.lower()), _arguments(node))
    if isinstance(node, exp.Space) or name == "SPACE":
        return call("m_repeat", literal(" "), _count(_arguments(node)[0]), like="text")
    if isinstance(node, exp.Pad) or name in ("LPAD", "RPAD"):
        return _padded(node, name)
    if isinstance(node, exp.Trim):
        return _trimmed(node)
    if isinstance(node, exp.Replace):
        return call("m_replace", *(as_text(a) for a in _arguments(node)), like="text")
    if isinstance(node, exp.Elt) or name == "ELT":
        place, *items = _arguments(node)
        return call(
            "list_extract", _listed(map(as_text, items)), call("m_place", _count(place), like="integer"), like="text"
        )
    if isinstance(node, exp.Ascii):
        return call("m_ascii", as_text(node.this), like="integer")
    if isinstance(node, exp.Unicode):
        return cast(call("ord", as_text(node.this), like="integer"), "BIGINT", "integer")
    if isinstance(node, exp.Chr):
        codes = [call("m_char", _count(c), like="text") for c in node.expressions]
        return call("concat", *codes, like="text")
    return node


def _made(name: str, given: list[exp.Expr]) -> exp.Expr:
    if name in ("m_left", "m_right"):
        return _sided(name, as_text(given[0]), given[1])
    if name == "m_substring_index" and _outermost(given[1], given[2]):
        return call("split_part", as_text(given[0]), given[1], given[2], like="text")
    shapes = {"m_substring_index": (as_text, as_text, _count), "m_repeat": (as_text, _count)}
    read = shapes.get(name, (as_text, _count, _count, as_text))
    return call(name, *(r(g) for r, g in zip(read, given, strict=True)), like="text")


def _outermost(mark: exp.Expr, count: exp.Expr) -> bool:
    """Return whether SUBSTRING_INDEX takes the first or last part at a written sign."""
    while isinstance(count, (exp.Neg, exp.Cast, exp.Paren)):
        count = count.this
    return isinstance(mark, exp.Literal) and mark.is_string and bool(mark.this) and _whole(count) == 1


def _sided(name: str, value: exp.Expr, places: exp.Expr) -> exp.Expr:
    """LEFT and RIGHT with DuckDB's own functions for a written number of characters."""
    count = _whole(places)
    return call(name if count is None else name[2:], value, _count(places) if count is None else places, like="text")


def _whole(node: exp.Expr) -> int | None:
    return int(node.this) if isinstance(node, exp.Literal) and node.is_int else None


def _count(node: exp.Expr) -> exp.Expr:
    """Return a value as an integer, for places and numbers of characters."""
    return node if isinstance(node, exp.Literal) and node.is_int else cast(as_number(node), "BIGINT", "integer")


def _listed(items: object) -> exp.Expr:
    return call("list_value", *items, like=None)  # type: ignore[misc]


def _arguments(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Anonymous):
        return list(node.expressions)
    found: list[exp.Expr] = []
    for key in node.arg_types:
        value = node.args.get(key)
        found += value if isinstance(value, list) else [value] if isinstance(value, exp.Expr) else []
    return found


def _padded(node: exp.Expr, name: str) -> exp.Expr:
    if name:
        value, length, *fill = node.expressions
        side = name.lower()
    else:
        value, length, fill = node.this, node.expression, [node.args.get("fill_pattern")]
        side = "lpad" if node.args.get("is_left") else "rpad"
    mark = fill[0] if fill and fill[0] is not None else literal(" ")
    return call(f"m_{side}", as_text(value), _count(length), as_text(mark), like="text")


def _trimmed(node: exp.Trim) -> exp.Expr:
    side = (node.args.get("position") or "BOTH").upper()
    value = as_text(node.this)
    if node.expression is None:
        return call({"BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}[side], value, like="text")
    mark = as_text(node.expression)
    if side in ("BOTH", "LEADING"):
        value = call("m_trim_left", value, mark, like="text")
    return call("m_trim_right", value, mark.copy(), like="text") if side in ("BOTH", "TRAILING") else value


def positions(node: exp.Expr) -> exp.Expr:
    """LOCATE, INSTR and POSITION; SUBSTRING from a place that may be zero or before the text."""
    name = node.name.upper() if isinstance(node, exp.Anonymous) else ""
    if isinstance(node, exp.StrPosition):
        return _located(node.args["substr"], node.this, node.args.get("position"))
    if name in ("LOCATE", "POSITION"):
        part, value, *start = node.expressions
        return _located(part, value, start[0] if start else None)
    if name == "INSTR":
        return _located(node.expressions[1], node.expressions[0], None)
    if name in ("MID", "SUBSTR"):
        return _substring(*node.expressions)
    if isinstance(node, exp.Substring):
        return _substring(node.this, node.args["start"], node.args.get("length"))
    return node


def _located(part: exp.Expr, value: exp.Expr, start: exp.Expr | None) -> exp.Expr:
    # The server compares as many bytes as are sought: an accented letter is not the one without.
    value, part = (call("lower", as_text(n), like="text") for n in (value, part))
    if start is None:
        return call("instr", value, part, like="integer")
    return call("m_locate", part, value, _count(start), like="integer")


def folded(node: exp.Expr) -> exp.Expr:
    """Return a value as text without case and accents."""
    return call("m_fold", as_text(node), like="text")


def _substring(value: exp.Expr, start: exp.Expr, length: exp.Expr | None = None) -> exp.Expr:
    value = as_text(value)
    places = [start] if length is None else [start, length]
    if all((_whole(p) or 0) > 0 for p in places):
        return call("substring", value, *places, like="text")
    size = call("m_size", _count(length), like="integer") if length is not None else number(2_000_000_000)
    return call("m_substring", value, _count(start), size, like="text")


def searches(node: exp.Expr) -> exp.Expr:
    """FIELD, FIND_IN_SET and STRCMP."""
    name = node.name.upper() if isinstance(node, exp.Anonymous) else ""
    if name == "FIELD":
        kinds = {kind(e) for e in node.expressions} - {None}
        read = folded if kinds == {"text"} else as_number
        value, *items = (read(e) for e in node.expressions)
        return call("m_field", value, _listed(items), like="integer")
    if name == "FIND_IN_SET":
        return call("m_find_in_set", *(folded(e) for e in node.expressions), like="integer")
    if name == "STRCMP":
        return call("m_strcmp", *(as_text(e) for e in node.expressions), like="integer")
    return node


def joined(node: exp.Expr) -> exp.Expr:
    """CONCAT, which is NULL if one value is, and CONCAT_WS, which leaves NULL out."""
    if isinstance(node, exp.ConcatWs):
        separator, *values = node.expressions
        return call("concat_ws", as_text(separator), *map(as_text, values), like="text")
    if isinstance(node, exp.Concat):
        parts = [
            marked(exp.paren(as_text(e), copy=False), "text") if _loose(e) else as_text(e) for e in node.expressions
        ]
        made = parts[0]
        for part in parts[1:]:
            made = marked(exp.DPipe(this=made, expression=part, safe=False), "text")
        return as_kind(made, "text") if len(parts) > 1 else cast(made, "VARCHAR", "text")
    return node


def _loose(node: exp.Expr) -> bool:
    return isinstance(node, (exp.Binary, exp.Unary, exp.Case)) and not isinstance(node, exp.Paren)


def likes(node: exp.Expr) -> exp.Expr:
    """LIKE without regard to case and accents, with backslash as escape."""
    if isinstance(node, exp.Escape) and isinstance(node.this, exp.Like):
        return _like(node.this, node.expression)
    if isinstance(node, exp.Like) and not isinstance(node.parent, exp.Escape):
        return _like(node, literal("\\"))
    return node


def _like(node: exp.Like, escape: exp.Expr) -> exp.Expr:
    if not isinstance(escape, exp.Literal) or len(escape.this) > 1:
        raise SqlRejected("ESCAPE needs one character")
    pattern, mark = node.expression, escape.this
    if isinstance(pattern, exp.Literal) and mark and _unfinished(pattern.this, mark):
        pattern = literal(pattern.this + mark)
    made = exp.Like(this=folded(node.this), expression=folded(pattern))
    tested = marked(exp.Escape(this=made, expression=escape) if mark else made, "boolean")
    return marked(exp.Not(this=tested), "boolean") if node.args.get("negate") else tested


def _unfinished(pattern: str, mark: str) -> bool:
    """Return whether a pattern ends with the escape, which then stands for itself."""
    return (len(pattern) - len(pattern.rstrip(mark))) % 2 == 1
