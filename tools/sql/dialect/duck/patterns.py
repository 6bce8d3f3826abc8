"""REGEXP and its functions with DuckDB's RE2, which takes linear time: no pattern can run for ever."""

import math
import re

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.duck.build import call, literal, number
from tablerag.tools.sql.dialect.duck.values import as_text

__all__ = ["FUNCTIONS", "flagged", "refuse_more", "regular_expressions", "translated"]

LONGEST_PATTERN = 1_000
MOST_WORK = 50_000_000
"""Characters of a text times those of a pattern with its repetitions written out: one search cannot be interrupted."""
ALWAYS_FAST = 50
"""Characters of a pattern that is fast on the longest text."""
OUTSIDE = {
    "d": r"\p{Nd}",
    "D": r"\P{Nd}",
    "w": r"[\p{L}\p{N}\p{Mn}_]",
    "W": r"[^\p{L}\p{N}\p{Mn}_]",
    "s": r"[\s\v\p{Z}]",
    "S": r"[^\s\v\p{Z}]",
    "Z": r"(?:\n?\z)",
}
WITHIN = {"d": r"\p{Nd}", "D": r"\P{Nd}", "w": r"\p{L}\p{N}\p{Mn}_", "s": r"\s\v\p{Z}"}
POSIX = {
    "alpha": r"\p{L}",
    "digit": r"\p{Nd}",
    "alnum": r"\p{L}\p{N}",
    "upper": r"\p{Lu}",
    "lower": r"\p{Ll}",
    "space": r"\s\v\p{Z}",
    "punct": r"\p{P}$+<=>^`|~",
}
"""In RE2 these classes are ASCII only; in MySQL and MariaDB they include all letters."""
TOKEN = re.compile(r"\[\[:[<>]:\]\]|\[:(\w+):\]|\\(.)|[\[\]$]", re.DOTALL)
REASONS = (
    (r"\(\?[=!]|\(\?<[=!]", "lookahead and lookbehind are not available"),
    (r"\\[1-9]|\\k|\\g", "back-references are not available"),
    (r"[*+?}]\+|\(\?>", "possessive and atomic groups are not available"),
)
WITHOUT_ESCAPES = re.compile(r"\\[^1-9kg]|\[\^?\]?[^\]]*\]", re.DOTALL)
FUNCTIONS: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.RegexpReplace: ("this", "expression", "replacement"),
    exp.RegexpSubstr: ("this", "expression"),
    exp.RegexpExtract: ("this", "expression"),
    exp.RegexpInstr: ("this", "expression"),
}


def regular_expressions(node: exp.Expr) -> exp.Expr:
    """REGEXP, RLIKE, REGEXP_LIKE, REGEXP_REPLACE, REGEXP_SUBSTR and REGEXP_INSTR."""
    if isinstance(node, exp.RegexpLike):
        value, pattern = _bounded(as_text(node.this), flagged(node))
        made = call("regexp_matches", value, pattern, literal("i"), like="boolean")
        return exp.Not(this=made) if node.args.get("negate") else made
    if type(node) not in FUNCTIONS:
        return node
    refuse_more(node, FUNCTIONS[type(node)])
    value, pattern = _bounded(as_text(node.this), node.expression)
    if isinstance(node, exp.RegexpReplace):
        if node.args.get("replacement") is None:
            raise SqlRejected("REGEXP_REPLACE needs a text, a pattern and a replacement")
        new = _replacement(node.args["replacement"], node.expression)
        return call("regexp_replace", value, pattern, new, literal("gi"), like="text")
    if isinstance(node, exp.RegexpInstr):
        begun = f"(?s)^(.*?)(?:{pattern.this})" if isinstance(pattern, exp.Literal) else None
        if begun is None:
            raise SqlRejected("REGEXP_INSTR needs a literal pattern")
        return call("m_regexp_instr", value, pattern, literal(begun), like="integer")
    found = call("regexp_extract", value, pattern, number(0), literal("i"), like="text")
    return call("nullif", found, literal(""), like="text")


def refuse_more(node: exp.Expr, keys: tuple[str, ...]) -> None:
    """Refuse more arguments than MariaDB accepts."""
    more = [k for k, v in node.args.items() if v is not None and k not in keys and isinstance(v, exp.Expr)]
    if more and isinstance(node, exp.Func):
        taken = "text, pattern and replacement" if isinstance(node, exp.RegexpReplace) else "text and pattern"
        raise SqlRejected(f"{node.sql_name()} only accepts {taken}: remove the other arguments")


def flagged(node: exp.RegexpLike) -> exp.Expr:
    """Move the third argument of REGEXP_LIKE into the pattern."""
    flag, pattern = node.args.get("flag"), node.expression
    if flag is None:
        return pattern
    letters = flag.name.lower()
    if not (isinstance(flag, exp.Literal) and isinstance(pattern, exp.Literal)) or not set(letters) <= set("icmn"):
        raise SqlRejected("REGEXP_LIKE needs a literal pattern; its third argument may have the letters i, c, m and n")
    case = next((c for c in reversed(letters) if c in "ic"), "i")
    inline = ("(?-i)" if case == "c" else "") + "".join(f"(?{m})" for c, m in (("m", "m"), ("n", "s")) if c in letters)
    return literal(inline + pattern.this)


def _bounded(value: exp.Expr, pattern: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    """Return the text and the pattern in RE2's syntax; texts beyond ASCII are refused where words are bounded."""
    if not isinstance(pattern, exp.Literal):
        return call("m_ascii_words", value, as_text(pattern.copy()), like="text"), call(
            "m_pattern", as_text(pattern), like="text"
        )
    made, bounded = translated(pattern.this)
    if _work(pattern.this) > ALWAYS_FAST:
        value = call("m_searched", value, number(MOST_WORK // _work(pattern.this)), like="text")
    return (call("m_ascii_letters", value, like="text") if bounded else value), literal(made)


def _work(pattern: str) -> int:
    """Return the length of a pattern whose repetitions are written out, at most."""
    counts = re.findall(r"\{(\d{1,4})?(?:,(\d{1,4})?)?\}", pattern)
    return len(pattern) * math.prod(max(int(most or 1), int(least or 1), 1) for least, most in counts)


def _replacement(new: exp.Expr, pattern: exp.Expr) -> exp.Expr:
    """Return what replaces a match, with groups as \\1: MySQL writes them $1."""
    if not isinstance(new, exp.Literal):
        return call("m_replacement", as_text(new), like="text")
    made = re.sub(r"\\(?![0-9\\$])", r"\\\\", re.sub(r"(?<!\\)\$(\d)", r"\\\1", as_text(new).this)).replace(r"\$", "$")
    groups = [int(g) for g in re.findall(r"\\([1-9])", made)]
    if isinstance(pattern, exp.Literal) and groups:
        marks = WITHOUT_ESCAPES.sub("", pattern.this)
        if max(groups) > len(re.findall(r"\((?!\?)|\(\?P?<", marks)):
            raise SqlRejected("the replacement refers to a group that is not in the regular expression")
    return literal(made)


def translated(pattern: str) -> tuple[str, bool]:
    """Return a pattern in RE2's syntax, and whether it uses word boundaries; raise SqlRejected."""
    if len(pattern) > LONGEST_PATTERN:
        raise SqlRejected(f"regular expression too long: at most {LONGEST_PATTERN:,} characters")
    bare = WITHOUT_ESCAPES.sub("x", pattern)
    for sign, reason in REASONS:
        if re.search(sign, bare):
            raise SqlRejected(f"invalid regular expression {pattern[:60]!r}: {reason}")
    within, bounded, multiline = False, False, bool(re.search(r"\(\?[a-z]*m", pattern))
    pieces, at = [], 0
    for found in TOKEN.finditer(pattern):
        pieces.append(pattern[at : found.start()])
        at, token, escaped = found.end(), found.group(), found[2]
        if token in ("[[:<:]]", "[[:>:]]"):
            bounded, token = True, r"\b"
        elif found[1] and within:
            token = POSIX.get(found[1], token)
        elif escaped:
            bounded = bounded or (escaped in "bB" and not within)
            token = (WITHIN if within else OUTSIDE).get(escaped, token)
        elif token == "$" and not within and not multiline:
            token = r"(?:\n?\z)"
        elif token in "[]":
            within = _still_within(token, pieces, within)
        pieces.append(token)
    return "".join((*pieces, pattern[at:])), bounded


def _still_within(token: str, before: list[str], within: bool) -> bool:
    """Return whether a bracket leaves a class open: "]" right after "[" or "[^" is a member of it."""
    if token == "[":
        return True
    written = "".join(before)
    return within and written.endswith(("[", "[^")) and not written.endswith(r"\[")
