"""Puts the values, periods and numbers of a question into the statement that people confirmed for another.

Where one of them has no place there, the statement does not answer the question.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.agent.offline.reading.periods import Period, periods_in
from tablerag.agent.offline.reading.words import Asked, Word, read
from tablerag.tools.knowledge.entries import ConfirmedEntry
from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import ValueHint

__all__ = ["Adapted", "Hints", "adapted"]

Hints = Callable[[str], Sequence[ValueHint]]
"""The stored values that a text mentions, in the tables of confirmed statements."""
SAYS_NOTHING = frozenset("sum filler what_did chart meaning either between before after since until".split())
"""Concepts that change nothing: a period says more than "since", and "how much" is a total or a value."""
SAY_NO_PERIOD = ("0", "1", "100")
"""Numbers of conditions and percentages."""
COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.In, exp.Between, exp.Is)
DATE = re.compile(r"\d{4}-\d\d-\d\d")
NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a question says, apart from its values and periods."""

    concepts: frozenset[str]
    periods: tuple[Period, ...]
    words: tuple[Word, ...]
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Adapted:
    """A confirmed statement for another question, and what both questions say."""

    sql: str
    own: Parts
    other: Parts
    says_all: bool
    """Whether the confirmed question names all values of its statement's conditions as they are stored."""


def adapted(question: str, mine: Sequence[ValueHint], entry: ConfirmedEntry, hints: Hints) -> Adapted | None:
    """Return a confirmed statement with the values and periods of another question; None if one has no place in it."""
    try:
        parsed = sqlglot.parse_one(entry.sql, read="mysql")
    except SqlglotError:
        return None
    tree = parsed.copy()
    theirs = hints(entry.question)
    used = {key_of(v.name) for v in tree.find_all(exp.Literal) if v.is_string}
    own, other = (_parts(text, found) for text, found in ((entry.question, theirs), (question, mine)))
    if len(own.periods) != len(other.periods):
        return None
    swaps = [*_values(entry.question, question, theirs, mine, used)] if used or mine else []
    if None in swaps or not (_swap_periods(tree, own, other) and _swap_numbers(tree, own, other)):
        return None
    for old, new in (s for s in swaps if s is not None):
        for literal in [v for v in tree.find_all(exp.Literal) if v.is_string and v.name == old]:
            literal.replace(exp.Literal.string(new))
    sql = tree.sql(dialect="mysql") if tree != parsed else entry.sql
    return Adapted(sql, own, other, not _unsaid(parsed, entry.question, theirs))


def _unsaid(tree: exp.Expr, question: str, hints: Sequence[ValueHint]) -> bool:
    """Return whether a condition compares a column with a value that the question does not name: a code, a bound."""
    said = key_of(question)
    numbers = set(NUMBER.findall(question))
    known = {key_of(h.value) for h in hints if h.score >= 1}
    for condition in tree.find_all(*COMPARISONS):
        if not isinstance(condition.this, exp.Column):
            continue
        if isinstance(condition, exp.Is):
            return True
        for literal in condition.find_all(exp.Literal):
            value = literal.name
            if literal.is_string:
                if not DATE.search(value) and key_of(value) not in said and key_of(value) not in known:
                    return True
            elif value not in numbers:
                return True
    return False


def _values(
    own: str, other: str, theirs: Sequence[ValueHint], mine: Sequence[ValueHint], used: set[str]
) -> list[tuple[str, str] | None]:
    """Return which values take the place of those in the statement; None among them if one has no place."""
    found: list[tuple[str, str] | None] = []
    placed: set[str] = set()
    for hint in theirs:
        if key_of(hint.value) not in used or hint.score < 1:
            continue
        if any(h.value == hint.value for h in mine) or key_of(hint.value) in key_of(other):
            placed.add(key_of(hint.value))
            continue
        instead = [h for h in mine if (h.table, h.column) == (hint.table, hint.column) and h.score >= 1]
        if any(key_of(h.value) in key_of(own) for h in instead) or len({h.value for h in instead}) != 1:
            found.append(None)
        else:
            found.append((hint.value, instead[0].value))
            placed.add(key_of(instead[0].value))
    for hint in mine:  # a value that the confirmed question does not have narrows the question
        if hint.score >= 1 and key_of(hint.value) not in placed and key_of(hint.phrase) not in key_of(own):
            beside = any(key_of(hint.phrase) in p or p in key_of(hint.phrase) for p in placed)
            found += [] if beside else [None]
    return found


def _parts(question: str, hints: Sequence[ValueHint]) -> Parts:
    asked = read(question)
    periods = tuple(periods_in(asked))
    gone = {i for p in periods for i in range(p.first, p.last)}
    concepts, told = set[str](), set[int]()
    for phrase in asked.phrases:
        span = set(range(phrase.first, phrase.last))
        if span <= gone:
            continue
        told |= span
        if phrase.concept not in SAYS_NOTHING and not (phrase.concept == "yes_no" and phrase.first):
            concepts.add(phrase.concept)
    named = {w for h in hints if h.score >= 1 for w in key_of(h.phrase).split()}
    said = [i for i in range(len(asked.words)) if i not in gone and i not in told]
    numbers = tuple(number for i in said if (number := _number(asked, i)))
    words = tuple(asked.words[i] for i in said if _tells(asked, i) and asked.words[i].key not in named)
    return Parts(frozenset(concepts), periods, words, numbers)


def _tells(asked: Asked, place: int) -> bool:
    key = asked.words[place].key
    language = asked.language
    return not (key in language.ignored or key in language.light or _number(asked, place))


def _number(asked: Asked, place: int) -> str:
    """Return the number that a word is, in digits; "" for other words."""
    key = asked.words[place].key
    if NUMBER.fullmatch(key):
        return key
    number = asked.language.numbers.get(key, 0.0)
    return f"{number:g}" if number > 1 else ""


def _swap_periods(tree: exp.Expr, own: Parts, other: Parts) -> bool:
    """Put the other question's periods into a statement; return whether each found its place."""
    for one, two in zip(own.periods, other.periods, strict=True):
        if (one.low, one.high) == (two.low, two.high):
            continue
        if bool(one.low) != bool(two.low) or bool(one.high) != bool(two.high):
            return False
        if one.grain != two.grain:
            _bound_years(tree, one)
            if not _only_bounds(tree, own):
                return False
        moved = _moved_dates(one, two)
        years = {one.low[:4]: two.low[:4]} if one.whole_year and two.whole_year else {}
        changed = False
        for literal in list(tree.find_all(exp.Literal)):
            text = literal.name
            if literal.is_string and DATE.match(text):
                if not (new := moved(text[:10])):
                    return False  # the statement has a date that belongs to no period of the question
                literal.replace(exp.Literal.string(new + text[10:]))
                changed = True
            elif text in years:
                literal.replace(_like(literal, years[text]))
                changed = True
        if not changed:
            return False
    return True


def _bound_years(tree: exp.Expr, period: Period) -> None:
    """Write YEAR(day) = 2025 as bounds of the day, for another period to take their place."""
    if not period.whole_year:
        return
    for equal in list(tree.find_all(exp.EQ)):
        year, number = equal.this, equal.expression
        column = year.find(exp.Column) if isinstance(year, exp.Year) else None
        if column is not None and number.name == period.low[:4]:
            first, after = map(exp.Literal.string, (period.low, _next_day(period.high)))
            bounds = exp.and_(
                exp.GTE(this=column.copy(), expression=first), exp.LT(this=column.copy(), expression=after)
            )
            equal.replace(exp.paren(bounds))


def _only_bounds(tree: exp.Expr, own: Parts) -> bool:
    """Tell whether only dates say in a statement how long its period is: no YEAR(), no division by its months."""
    numbers = {v.name for v in tree.find_all(exp.Literal) if not v.is_string}
    return numbers <= {*own.numbers, *SAY_NO_PERIOD}


def _moved_dates(one: Period, two: Period) -> Callable[[str], str]:
    """Return a function from the dates of a statement about one period to those about another; "" for other dates.

    Of whole years every date moves: a company's may begin in April.
    """
    if one.whole_year and two.whole_year and one.has_year and two.has_year:
        return lambda text: _plus_years(text, two.year - one.year)
    ends = {one.low: two.low, one.high: two.high}
    if one.high and two.high and one.has_year and two.has_year:  # "before the first of the next month"
        ends[_next_day(one.high)] = _next_day(two.high)
    return lambda text: ends.get(text, "")


def _plus_years(text: str, years: int) -> str:
    try:
        day = date.fromisoformat(text)
        return day.replace(year=day.year + years).isoformat()
    except ValueError:  # 29 February, a date that does not exist, or a year out of range
        return ""


def _next_day(text: str) -> str:
    try:
        return (date.fromisoformat(text) + timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return ""


def _swap_numbers(tree: exp.Expr, own: Parts, other: Parts) -> bool:
    """Put the other question's numbers into a statement; return whether each found its place."""
    if len(own.numbers) != len(other.numbers):
        return False
    for one, two in zip(own.numbers, other.numbers, strict=True):
        places = [v for v in tree.find_all(exp.Literal) if v.name == one]
        if one == two:
            continue
        if len(places) != 1:
            return False
        places[0].replace(_like(places[0], two))
    return True


def _like(literal: exp.Literal, value: str) -> exp.Expr:
    return exp.Literal.string(value) if literal.is_string else exp.Literal.number(value)
