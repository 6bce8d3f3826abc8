"""Figures and words that a statement brings into its result itself, instead of reading them from a table."""

import re
from collections.abc import Collection
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

import sqlglot
from sqlglot import exp

from tablerag.tools.linking.keys import COMMON, DECIDED, key_of
from tablerag.tools.sql.literals import CONSTANTS, numbers_in

__all__ = ["brought", "result_arms"]

CONDITIONS = (exp.Predicate, exp.Order, exp.Query, exp.DataType, exp.Interval)
"""What chooses rows, or says how to write a value; sub-selects are looked at on their own."""
TELLING = (
    exp.DateAdd, exp.DateDiff, exp.DateSub, exp.GroupConcat, exp.Left, exp.RegexpReplace, exp.RegexpSubstr, exp.Replace,
    exp.Right, exp.Round, exp.StrPosition, exp.StrToDate, exp.StrToTime, exp.Substring, exp.SubstringIndex,
    exp.TimeToStr, exp.Trim,
)  # fmt: skip
"""Functions whose other arguments say what to look for, and how to write it."""
SUMMED = (exp.Sum, exp.Avg, exp.Min, exp.Max)
MADE = (exp.Pow, exp.Exp, exp.Sqrt, exp.Repeat, exp.BitwiseLeftShift)
"""What makes a large figure of small ones."""
PATTERN = re.compile(r"\[|\\|\(\?|%[a-zA-Z]")


class _Asked(NamedTuple):
    """A question."""

    words: str
    numbers: set[Decimal]


def brought(sql: str, question: str) -> frozenset[int]:
    """Return the indexes of the result's columns that may hold a figure or words that the question does not have.

    Conditions and formats do not count, nor do factors of a column and small numbers beside one: what a column is
    multiplied with may well be a rate that a text states. Arithmetic that only cancels a column out is not recognised.
    """
    query = sqlglot.parse_one(sql, read="mysql")
    asked, labels = _Asked(key_of(question), numbers_in(question)), set[str]()
    arms = result_arms(query)
    every = range(max((len(a.expressions) for a in arms), default=0))
    # Innermost first: an outer query may show the labels of an inner one.
    for select in reversed(list(query.find_all(exp.Select))):
        parts = [] if any(select is a for a in arms) else select.expressions
        for part in (p for p in parts if _is_brought(p, asked, labels)):
            if not part.alias or any(n.is_number for n in _seen(part) if _is_own(n, asked)):
                return frozenset(every)
            labels.add(part.alias.casefold())
    return frozenset(i for a in arms for i, p in enumerate(a.expressions) if _is_brought(p, asked, labels))


def result_arms(query: exp.Expr) -> list[exp.Select]:
    """Return the SELECTs whose rows are the result's."""
    query = query.unnest()
    if isinstance(query, exp.SetOperation):
        return [*result_arms(query.this), *result_arms(query.expression)]
    return [query] if isinstance(query, exp.Select) else []


def _is_brought(part: exp.Expr, asked: _Asked, labels: Collection[str]) -> bool:
    seen = _seen(part)
    shown = {n.name.casefold() for n in seen if isinstance(n, exp.Column)} if not part.find(exp.Count) else set()
    return bool(shown & set(labels)) or any(_is_own(n, asked) for n in seen)


def _seen(part: exp.Expr) -> list[exp.Expr]:
    """Return the nodes of a selected expression that its value is made of."""
    return [n for n in part.walk(prune=lambda n: isinstance(n, CONDITIONS)) if not isinstance(n, CONDITIONS)]


def _is_own(node: exp.Expr, asked: _Asked) -> bool:
    if isinstance(node, SUMMED):  # SUM(1) counts rows
        return node.find(exp.Column) is None and not _is_small(node.this)
    if isinstance(node, MADE):
        return node.find(exp.Column, exp.Star) is None
    if isinstance(node, exp.Pad):
        return not node.args["is_left"] or (node.args["fill_pattern"].name or " ") not in "0 "
    if isinstance(node, (exp.Add, exp.Sub, exp.Mul)):
        lone = all(side.find(exp.Column, exp.Star) is None for side in (node.left, node.right))
        cancelled = isinstance(node, exp.Mul) and any(s.is_number and not s.to_py() for s in (node.left, node.right))
        return lone or cancelled
    if not isinstance(node, exp.Literal) or _is_format(node) or _is_factor(node):
        return False
    if node.is_string and not re.fullmatch(r"[\d.,]+", node.this):
        return not _is_asked(node.this, asked)
    try:
        number = Decimal(node.this.replace(",", ""))
    except InvalidOperation:
        return False  # separators alone
    return number not in asked.numbers and (number not in CONSTANTS or (number > 100 and _is_value(node)))


def _is_factor(literal: exp.Literal) -> bool:
    """Tell whether a number other than 0 multiplies or divides what a column has."""
    if not literal.is_number or not literal.to_py():
        return False
    node: exp.Expr = literal
    while isinstance(node.parent, (exp.Paren, exp.Cast, exp.Neg)):
        node = node.parent
    of = node.parent
    return isinstance(of, (exp.Mul, exp.Div)) and of.find(exp.Column) is not None


def _is_value(literal: exp.Literal) -> bool:
    """Tell whether a number may itself be what is shown: GREATEST(x, 1000000)."""
    node: exp.Expr = literal
    while isinstance(node.parent, (exp.Paren, exp.Cast, exp.Neg)):
        node = node.parent
    return isinstance(node.parent, (exp.Func, exp.Alias, exp.Select))


def _is_small(node: exp.Expr) -> bool:
    return node.is_number and abs(node.to_py()) <= 1


def _is_format(literal: exp.Literal) -> bool:
    return isinstance(literal.parent, TELLING) and literal.arg_key not in ("this", "replacement")


def _is_asked(text: str, asked: _Asked) -> bool:
    words = [w for w in key_of(text).split() if len(w) > 2]
    if PATTERN.search(text):
        return True
    return not numbers_in(text) - CONSTANTS - asked.numbers and all(
        w.isdigit() or w in DECIDED | COMMON or w in asked.words for w in words
    )
