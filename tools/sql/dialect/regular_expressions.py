"""REGEXP and its functions; patterns are checked before the statement runs."""

import re

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.typed import call, kind, literal
from tablerag.tools.sql.functions.patterns import PatternRefused, compiled

__all__ = ["regular_expressions", "server_patterns"]

NESTED = re.compile(r"[+*}][^()]*\)\s*[+*{]")
"""A repeated group that ends with a repetition, as in (a+)+."""
FUNCTIONS: dict[type[exp.Expr], tuple[str, tuple[str, ...]]] = {
    exp.RegexpReplace: ("m_regexp_replace", ("this", "expression", "replacement")),
    exp.RegexpSubstr: ("m_regexp_substr", ("this", "expression")),
    exp.RegexpExtract: ("m_regexp_substr", ("this", "expression")),
    exp.RegexpInstr: ("m_regexp_instr", ("this", "expression")),
}


def regular_expressions(node: exp.Expr) -> exp.Expr:
    """REGEXP, RLIKE, REGEXP_LIKE, REGEXP_REPLACE, REGEXP_SUBSTR and REGEXP_INSTR with RE2."""
    if isinstance(node, exp.RegexpLike):
        pattern = _checked(_flagged(node))
        return call("m_regexp", pattern, node.this, like="integer")
    if type(node) in FUNCTIONS:
        name, keys = FUNCTIONS[type(node)]
        _refuse_more(node, keys)
        value, pattern, *rest = (node.args.get(k) for k in keys)
        like = "integer" if isinstance(node, exp.RegexpInstr) else "text"
        return call(name, value, _checked(pattern), *rest, like=like)
    return node


def _refuse_more(node: exp.Expr, keys: tuple[str, ...]) -> None:
    """Refuse more arguments than MariaDB accepts."""
    more = [k for k, v in node.args.items() if v is not None and k not in keys and isinstance(v, exp.Expr)]
    if more and isinstance(node, exp.Func):
        taken = "text, pattern and replacement" if isinstance(node, exp.RegexpReplace) else "text and pattern"
        raise SqlRejected(f"{node.sql_name()} only accepts {taken}: remove the other arguments")


def _flagged(node: exp.RegexpLike) -> exp.Expr:
    """Move the third argument of REGEXP_LIKE into the pattern, where every engine supports it."""
    flag, pattern = node.args.get("flag"), node.expression
    if flag is None:
        return pattern
    letters = flag.name.lower()
    if not (isinstance(flag, exp.Literal) and isinstance(pattern, exp.Literal)) or not set(letters) <= set("icmn"):
        raise SqlRejected("REGEXP_LIKE needs a literal pattern; its third argument may have the letters i, c, m and n")
    case = next((c for c in reversed(letters) if c in "ic"), "i")
    inline = ("(?-i)" if case == "c" else "") + "".join(f"(?{m})" for c, m in (("m", "m"), ("n", "s")) if c in letters)
    return literal(inline + pattern.this)


def _checked(pattern: exp.Expr | None) -> exp.Expr:
    if isinstance(pattern, exp.Literal):
        try:
            compiled(pattern.this)
        except PatternRefused as refusal:
            raise SqlRejected(str(refusal)) from refusal
    return pattern or exp.Null()


def server_patterns(node: exp.Expr) -> exp.Expr:
    """MariaDB: groups as \\1, options in the pattern, NULL if nothing is found."""
    if isinstance(node, exp.RegexpLike) and node.args.get("flag") is not None:
        return exp.RegexpLike(this=node.this, expression=_flagged(node))
    if type(node) in FUNCTIONS:
        _refuse_more(node, FUNCTIONS[type(node)][1])
    pattern = node.expression if isinstance(node, exp.RegexpLike) or type(node) in FUNCTIONS else None
    if isinstance(pattern, exp.Literal) and NESTED.search(pattern.this):
        # The server only stops a statement between rows, and such a pattern can take very long in one row.
        raise SqlRejected(f"the regular expression {pattern.this[:60]!r} has nested repetitions: remove one of them")
    new = node.args.get("replacement") if isinstance(node, exp.RegexpReplace) else None
    if isinstance(new, exp.Literal):
        new.replace(literal(re.sub(r"\$(\d)", r"\\\1", new.this)))
    if isinstance(node, exp.RegexpSubstr) and kind(node) == "text":
        return exp.Nullif(this=node.copy(), expression=literal(""))
    return node
