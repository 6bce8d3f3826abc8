"""Finds the confirmed question that another question asks again, perhaps of another value or period.

Two questions are the same if they compute the same, speak of the same things, and their values and periods are those
of the confirmed statement, or can take their place in it. When in doubt they are not: a confirmed statement that
answers another question is wrong and looks right.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

import numpy as np
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.agent.offline.alignment import Embed
from tablerag.agent.offline.reading.periods import Period, periods_in
from tablerag.agent.offline.reading.vocabulary import likeness
from tablerag.agent.offline.reading.words import Asked, Word, read
from tablerag.agent.reasoning import Confirmed
from tablerag.tools.knowledge.entries import ConfirmedEntry, Knowledge
from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import ValueHint

__all__ = [
    "LIKE",
    "MOST_TABLES",
    "SameQuestion",
    "confirmed_tables",
    "is_about",
    "near",
    "nearest",
    "same_question",
    "tables_read",
]

Hints = Callable[[str], Sequence[ValueHint]]
"""The stored values that a text mentions, in the tables of confirmed statements."""
SAYS_NOTHING = frozenset("sum filler what_did chart meaning either between before after since until".split())
"""Concepts that change nothing: a period says more than "since", and "how much" is a total or a value."""
LIKE = 0.5
"""How like a confirmed question must be to be offered."""
ALIKE, LEAST = 0.72, 0.3
"""How alike the words of both questions must be on average, and the least that each must be like another."""
SURELY = 0.6
"""The same where the statement has a condition that its question says in words of its own: "web" for channel = 'W'."""
MOST_NEAR = 20
"""How many are shown to a model. A small embedding ranks them: of 30 blind paraphrases in other words, 28 had theirs
among the first 8 of 15, and all among the first 12."""
MOST_TABLES = 12
"""Of how many the tables are shown."""
SAY_NO_PERIOD = ("0", "1", "100")
"""Numbers of conditions and percentages."""
COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.In, exp.Between, exp.Is)
DATE = re.compile(r"\d{4}-\d\d-\d\d")
NAMES = re.compile(r"'([^']*)'|([A-Za-z_]{3,})")
NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class SameQuestion:
    """A confirmed question, and its statement for the question asked."""

    entry: ConfirmedEntry
    sql: str
    score: float


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a question says, apart from its values and periods."""

    concepts: frozenset[str]
    periods: tuple[Period, ...]
    words: tuple[Word, ...]
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Adapted:
    """A confirmed statement for another question, and what both questions say."""

    sql: str
    own: _Parts
    other: _Parts
    says_all: bool
    """Whether the confirmed question names all values of its statement's conditions as they are stored."""


def nearest(
    question: str, entries: Sequence[ConfirmedEntry], embed: Embed, most: int = MOST_NEAR
) -> list[ConfirmedEntry]:
    """Return the confirmed questions that are nearest in meaning, nearest first.

    The names and texts of their statements count too: they are the documents' words for what people call otherwise.
    """
    if not entries:
        return []
    vectors = embed([question, *(f"{e.question} {_names(e.sql)}" for e in entries)])
    order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:most]
    return [entries[int(i)] for i in order]


def _names(sql: str) -> str:
    """Return the words of a statement that are names or texts."""
    found = (quoted or name for quoted, name in NAMES.findall(sql) if quoted or name.islower())
    return " ".join(dict.fromkeys(word.replace("_", " ") for word in found))


def near(question: str, known: Knowledge, hints: Hints, embed: Embed) -> list[Confirmed]:
    """Return the MOST_NEAR confirmed questions nearest to one, the one that is the same question first."""
    same = same_question(question, known.confirmed, hints, embed)
    found = [Confirmed(same.entry.question, same.sql, True, _note(same.entry, known), same.score)] if same else []
    others = [e for e in nearest(question, known.confirmed, embed) if same is None or e is not same.entry]
    vectors = embed([question, *(e.question for e in others)])
    mine = hints(question) if others else ()
    for entry, score in zip(others, vectors[1:] @ vectors[0], strict=True):
        adapted = _adapted(question, mine, entry, hints) if score >= LIKE else None
        moved = adapted.sql if adapted and adapted.sql != entry.sql else ""
        found.append(Confirmed(entry.question, entry.sql, False, _note(entry, known), float(score), moved))
    return found[:MOST_NEAR]


def _note(entry: ConfirmedEntry, known: Knowledge) -> str:
    by = f" by {entry.by}" if entry.by else ""
    by += f" with the key “{entry.key}”" if entry.key else ""
    at = f" on {entry.at}" if entry.at else ""
    return f"As confirmed{by}{at} for “{entry.question}” ({known.place(entry.line)})."


def tables_read(entries: Sequence[ConfirmedEntry]) -> list[str]:
    """Return the names of the tables that confirmed statements read."""
    return list(dict.fromkeys(n for e in entries for n in _tables(e.sql)))


def is_about(confirmed: Confirmed, question: str) -> bool:
    """Tell whether a question mentions all texts of a confirmed statement: it may mean that one."""
    try:
        literals = sqlglot.parse_one(confirmed.sql, read="mysql").find_all(exp.Literal)
    except SqlglotError:
        return False
    asked = key_of(question)
    said = {key_of(v.name) for v in literals if v.is_string and key_of(v.name) in key_of(confirmed.question)}
    return all(text in asked for text in said)


def confirmed_tables(found: Sequence[Confirmed], *, same: bool) -> set[str]:
    """Return the tables of the confirmed questions that are, or are not, the one asked."""
    return {n for c in found if c.is_same == same for n in _tables(c.sql)}


@lru_cache(maxsize=1_024)
def _tables(sql: str) -> tuple[str, ...]:
    try:
        return tuple(t.name for t in sqlglot.parse_one(sql, read="mysql").find_all(exp.Table))
    except SqlglotError:
        return ()


def same_question(question: str, entries: Sequence[ConfirmedEntry], hints: Hints, embed: Embed) -> SameQuestion | None:
    """Return the confirmed question that is asked again, with its statement for this one's values; None if none is."""
    exact = next((e for e in entries if key_of(e.question) == key_of(question)), None)
    if exact is not None:
        return SameQuestion(exact, exact.sql, 1.0)
    mine = hints(question) if entries else ()
    found = [s for e in nearest(question, entries, embed) if (s := _same(question, mine, e, hints, embed))]
    return max(found, key=lambda s: s.score, default=None)


def _same(
    question: str, mine: Sequence[ValueHint], entry: ConfirmedEntry, hints: Hints, embed: Embed
) -> SameQuestion | None:
    adapted = _adapted(question, mine, entry, hints)
    if adapted is None or adapted.own.concepts != adapted.other.concepts:
        return None
    least = LEAST if adapted.says_all else SURELY
    alike = _likeness(adapted.own.words, adapted.other.words, embed, least)
    return SameQuestion(entry, adapted.sql, alike) if alike >= ALIKE else None


def _adapted(question: str, mine: Sequence[ValueHint], entry: ConfirmedEntry, hints: Hints) -> _Adapted | None:
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
    return _Adapted(sql, own, other, not _unsaid(parsed, entry.question, theirs))


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


def _parts(question: str, hints: Sequence[ValueHint]) -> _Parts:
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
    return _Parts(frozenset(concepts), periods, words, numbers)


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


def _swap_periods(tree: exp.Expr, own: _Parts, other: _Parts) -> bool:
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


def _only_bounds(tree: exp.Expr, own: _Parts) -> bool:
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


def _swap_numbers(tree: exp.Expr, own: _Parts, other: _Parts) -> bool:
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


def _likeness(own: Sequence[Word], other: Sequence[Word], embed: Embed, least: float) -> float:
    """Return how alike the words of two questions are: each compared with the most alike of the other question.

    0 if a word is less than ``least`` like any other.
    """
    if not own and not other:
        return 1.0
    if not own or not other:
        return 0.0
    vectors = embed([w.key for w in (*own, *other)])
    meant = np.clip(vectors[: len(own)] @ vectors[len(own) :].T, 0.0, 1.0)
    alike = np.array([[likeness(a.lexeme, b.lexeme) for b in other] for a in own])
    both = np.maximum(meant, alike)
    best = np.concatenate([both.max(axis=1), both.max(axis=0)])
    return float(best.mean()) if best.min() >= least else 0.0
