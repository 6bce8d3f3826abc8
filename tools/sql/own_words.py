"""Texts, figures and names that a statement would show although no table, nor the question, has them."""

import re
from collections.abc import Callable, Iterator
from itertools import groupby

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.brought_figures import result_arms
from tablerag.tools.sql.text_limits import check_text

__all__ = ["in_known_words"]

CONDITIONS = (exp.Predicate, exp.Order, exp.DataType, exp.Interval)
"""What chooses or sorts rows, and shows no text of its own."""
SOUGHT = {
    exp.Replace: "expression", exp.RegexpReplace: "expression", exp.RegexpSubstr: "expression",
    exp.StrPosition: "substr", exp.StrToDate: "format", exp.StrToTime: "format", exp.SubstringIndex: "delimiter",
    exp.Trim: "expression",
}  # fmt: skip
"""The argument of functions that is only looked for."""
CODES = re.compile(r"%.", re.DOTALL)
MOST_SHORT = 4
"""Short texts that are joined, such as units and the Q of quarters; more could spell a word or a telephone number."""
JOINED = (exp.Concat, exp.DPipe)
SHORT = re.compile(r"[^\W_]{1,3}")
SIGNS = frozenset(map(str, (9, 10, 13, *range(32, 48))))
"""Codes of spaces and punctuation."""
DIGITS = frozenset(map(str, range(2, 11)))
"""Bases of numbers without letters."""
HEADER = "result"


def in_known_words(sql: str, is_known: Callable[[str], bool]) -> str:
    """Return a statement in whose result nothing stands that its writer made up; unchanged if there is nothing.

    A label that is not known becomes "group 1", a figure that is a column by itself NULL, and a column's name "result".
    The same label changes wherever the statement has it, so that conditions on it still hold.
    """
    try:
        check_text(sql)
        tree = sqlglot.parse_one(sql, read="mysql")
    except (SqlRejected, SqlglotError, RecursionError):
        return sql  # which the guard refuses
    changed = _without_lone_figures(tree, is_known)
    changed |= _without_spelled_texts(tree)
    changed |= _with_other_labels(tree, is_known)
    changed |= _with_other_names(tree, is_known)
    return tree.sql(dialect="mysql") if changed else sql


def _shown(tree: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the nodes that the cells of a result may be made of, of sub-selects too."""
    for select in tree.find_all(exp.Select):
        for part in select.expressions:
            yield from part.walk(prune=lambda n: isinstance(n, CONDITIONS))


def _without_lone_figures(tree: exp.Expr, is_known: Callable[[str], bool]) -> bool:
    changed = False
    for part in [p for arm in result_arms(tree) for p in arm.expressions]:
        inner = part.unalias()
        if inner.find(exp.Column, exp.Star, exp.Query, exp.AggFunc) is None:
            numbers = [n for n in inner.walk() if isinstance(n, exp.Literal) and not n.is_string]
            if not all(is_known(n.this) for n in numbers):
                inner.replace(exp.Null())
                changed = True
    return changed


def _without_spelled_texts(tree: exp.Expr) -> bool:
    """Replace letters that are written by their codes: CHAR(67, 65), CONV(29234652, 10, 36)."""
    spelled = [n for n in _shown(tree) if n.find(exp.Column) is None and _spells_by_code(n)]
    for node in spelled:
        node.replace(exp.Literal.string("group 1"))
    return bool(spelled)


def _spells_by_code(node: exp.Expr) -> bool:
    codes = [n.this for n in node.find_all(exp.Literal) if not n.is_string]
    if isinstance(node, exp.Chr):
        return any(code not in SIGNS for code in codes)
    return isinstance(node, exp.Anonymous) and node.name.upper() == "CONV" and any(c not in DIGITS for c in codes[1:])


def _with_other_labels(tree: exp.Expr, is_known: Callable[[str], bool]) -> bool:
    labels: dict[str, str] = {}
    changed = False
    texts = [n for n in _shown(tree) if isinstance(n, exp.Literal) and (n.is_string or isinstance(n.parent, JOINED))]
    for node in [n for n in texts if not _is_sought(n)]:
        if is_known(CODES.sub(" ", node.this)) and not _spells(node, is_known):
            continue
        changed = True
        if isinstance(node.parent, exp.TimeToStr):
            node.set("this", " ".join(CODES.findall(node.this)))
        elif node.this not in labels:
            labels[node.this] = ", " if node.arg_key == "separator" else f"group {len(labels) + 1}"
    for node in list(tree.find_all(exp.Literal)) if labels else ():
        if node.this in labels and (node.is_string or isinstance(node.parent, JOINED)):
            node.replace(exp.Literal.string(labels[node.this]))
    return changed


def _spells(literal: exp.Literal, is_known: Callable[[str], bool]) -> bool:
    """Tell whether a text is a piece of an unknown one, or one of many: 'c' and 'all us'."""
    joined = literal.find_ancestor(*JOINED)
    while joined and (outer := joined.find_ancestor(*JOINED)):
        joined = outer
    if joined is None:
        return False
    pieces = [n.this if isinstance(n, exp.Literal) else "" for n in joined.dfs() if _is_piece(n)]
    runs = ["".join(run) for among, run in groupby(pieces, bool) if among]
    short = sum(SHORT.fullmatch(piece.strip()) is not None for piece in pieces)
    return short > MOST_SHORT or not all(map(is_known, runs))


def _is_piece(node: exp.Expr) -> bool:
    """Tell whether a node is a part of a joined text: a literal, or a column between two."""
    is_joined = isinstance(node, exp.Literal) and isinstance(node.parent, JOINED)
    return isinstance(node, exp.Column) or is_joined


def _is_sought(literal: exp.Literal) -> bool:
    return SOUGHT.get(type(literal.parent)) == literal.arg_key


def _with_other_names(tree: exp.Expr, is_known: Callable[[str], bool]) -> bool:
    """Rename the columns of a statement that have unknown words; those of tables are known."""
    named = [i for a in tree.find_all(exp.Alias) if isinstance(i := a.args.get("alias"), exp.Identifier)]
    named += [i for t in tree.find_all(exp.TableAlias) for i in t.columns]
    own = list(dict.fromkeys(i.name.casefold() for i in named if not is_known(i.name.replace("_", " "))))
    others = {name: HEADER if not place else f"{HEADER}_{place + 1}" for place, name in enumerate(own)}
    used = [i for j in tree.find_all(exp.Join) for i in j.args.get("using") or () if isinstance(i, exp.Identifier)]
    used += [c.this for c in tree.find_all(exp.Column) if isinstance(c.this, exp.Identifier)]
    for identifier in [*named, *used]:
        identifier.set("this", others.get(identifier.name.casefold(), identifier.name))
    return bool(own)
