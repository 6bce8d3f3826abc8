"""States that a question says in other words than the table: "unpaid", "not yet started", "on show"."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from tablerag.agent.offline.reading.facts import Facts, Field
from tablerag.agent.offline.reading.query import Condition
from tablerag.agent.offline.reading.tag import Tag
from tablerag.agent.offline.reading.vocabulary import FOLDER, lexeme, likeness
from tablerag.agent.offline.reading.words import Asked
from tablerag.tools.linking.keys import key_of

__all__ = ["idioms_in", "states_in", "states_said"]

MOST_VALUES = 15
"""Columns with more values tell no state."""
DONE = re.compile(r"\w{3,}ed")
BETWEEN = 4
"""Most words between "not" and the state: "not yet been fully paid"."""
SURE = 0.95
DENYING = frozenset(
    """not t never no dont isnt arent didnt havent hasnt wasnt werent nicht nie niemals kein keine keinen keiner pas ne
    jamais aucun aucune""".split()
)
"""Words of denials: "not yet started" asks for what is planned, while "without cancelled ones" leaves rows out."""
PERFECT = frozenset("have has had been already yet".split())
"""Words of what is done: "that have been graded so far"."""
LEAST_LIKE = 0.9
OF_ANOTHER = 0.8


@dataclass(frozen=True, slots=True)
class State:
    """Words of questions and of tables for a state and its opposite."""

    said: tuple[tuple[str, ...], ...]
    unsaid: tuple[tuple[str, ...], ...]
    yes: frozenset[str]
    no: frozenset[str]
    headers: tuple[str, ...]
    most: int
    """Columns with more values do not tell it."""


@cache
def states() -> tuple[State, ...]:
    """Return the packaged states."""
    data = tomllib.loads((FOLDER / "states.toml").read_text(encoding="utf-8"))
    return tuple(
        State(
            tuple(tuple(p.split()) for p in _keys(one["said"])),
            tuple(tuple(p.split()) for p in _keys(one["unsaid"])),
            frozenset(_keys(one["yes"])),
            frozenset(_keys(one["no"])),
            tuple(map(key_of, one["headers"].split())),
            int(one.get("most", MOST_VALUES)),
        )
        for one in data.values()
    )


def _keys(listed: str) -> list[str]:
    return [key for p in listed.split("|") if (key := key_of(p))]


@cache
def _first_words() -> dict[str, tuple[State, ...]]:
    found: dict[str, dict[int, State]] = {}
    for state in states():
        for phrase in (*state.said, *state.unsaid):
            found.setdefault(phrase[0], {})[id(state)] = state
    return {word: tuple(of.values()) for word, of in found.items()}


def states_in(asked: Asked, facts: Facts) -> Iterator[Tag]:
    """Yield the words that say a state which a column of the table tells."""
    keys = asked.keys
    for first, key in enumerate(keys):
        for state in _first_words().get(key, ()):
            for phrases, is_so in ((state.said, True), (state.unsaid, False)):
                length = max((len(p) for p in phrases if tuple(keys[first : first + len(p)]) == p), default=0)
                if length and not _is_name(asked, first):
                    yield from _told(asked, facts, state, first, first + length, is_so)
        if DONE.fullmatch(key) and first and not _is_name(asked, first):
            yield from _done(asked, facts, first)


def _done(asked: Asked, facts: Facts, place: int) -> Iterator[Tag]:
    """Yield a participle that is the verb of a column's header: batches "that have been graded" have a grade."""
    negation = _negation_before(asked, place)
    start = place if negation is None else negation
    before = set(asked.keys[max(start - BETWEEN, 0) : place])
    if negation is None and not before & PERFECT:
        return
    for f in facts.fields:
        likely = max((likeness(asked.words[place].lexeme, f.words[i]) for i in f.core), default=0.0)
        if (f.is_date or f.is_text) and 0 < f.filled < len(f.texts) and likely >= LEAST_LIKE:
            is_so = "filled" if negation is None else "empty"
            yield Tag((1 << place + 1) - (1 << start), "flag", likely, f, Condition(f.ref, is_so))


def states_said(asked: Asked) -> list[int]:
    """Return the first word of each state that is said, whatever the tables tell of it."""
    return [first for first, _ in _phrases_in(tuple(asked.keys)) if not _is_name(asked, first)]


@lru_cache(maxsize=256)
def _phrases_in(keys: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Return the first and last word of each phrase for a state; kept, as each draft of a question asks for it."""
    return tuple(
        (first, first + len(phrase))
        for first, key in enumerate(keys)
        for state in _first_words().get(key, ())
        for phrase in (*state.said, *state.unsaid)
        if keys[first : first + len(phrase)] == phrase
    )


def idioms_in(asked: Asked) -> Iterator[tuple[int, int]]:
    """Yield the first and last word of states that are said by words without a meaning of their own: "on show"."""
    for first, last in _phrases_in(tuple(asked.keys)):
        if last - first > 1 and all(map(asked.may_be_left, range(first, last))):
            yield first, last


def _is_name(asked: Asked, place: int) -> bool:
    text = asked.words[place].text
    return place > 0 and text[:1].isupper() and asked.language.code != "de"


def _told(asked: Asked, facts: Facts, state: State, first: int, last: int, is_so: bool) -> Iterator[Tag]:
    negation = _negation_before(asked, first)
    if is_so and negation is None and _tells_how(asked, first, last):
        return
    start = first if negation is None else negation
    left_out = negation is not None and not DENYING & set(asked.keys[negation:first])
    mask = (1 << last) - (1 << start)
    for f in facts.fields:
        for condition, kind in _conditions(f, state, is_so == (negation is None), left_out=left_out and is_so):
            yield Tag(mask, kind, SURE * _fit(f, state, asked) if kind == "flag" else SURE, f, condition)


def _tells_how(asked: Asked, first: int, last: int) -> bool:
    """Tell whether a participle comes with how or by whom: "paid by card" is more than paid."""
    before, after = asked.keys[max(first - 2, 0) : first - 1], asked.keys[last : last + 1]
    return bool({*before, *after} & asked.language.set_of("means"))


def _negation_before(asked: Asked, place: int) -> int | None:
    """Return the first word of a "not" before a place, with only words between them that may be left."""
    found = [  # "not in" and "in stock" share a word
        p for p in asked.of("excluding") if p.first < place and -1 <= place - p.last <= BETWEEN
    ]
    for phrase in sorted(found, key=lambda p: -p.last):
        if all(asked.may_be_left(i) for i in range(phrase.last, place)):
            return phrase.first
    return None


def _conditions(f: Field, state: State, is_so: bool, *, left_out: bool) -> Iterator[tuple[Condition, str]]:
    """Yield how a column tells that a thing is, or is not, in a state.

    ``left_out``: the question leaves out the rows in a state rather than asking for the opposite one.
    """
    if f.is_text and f.is_kind and state.headers:
        return  # a job of the type "Repair" need not be in the workshop
    if f.is_text and f.distinct <= state.most:
        yes, no = ([v for k in sorted(keys & set(f.values)) for v in f.values[k]] for keys in (state.yes, state.no))
        if is_so and yes:
            yield Condition(f.shown, "=", tuple(yes)), "value"
        elif not is_so and no and not (left_out and yes):
            yield Condition(f.shown, "=", tuple(no)), "value"
        elif not is_so and yes:
            yield Condition(f.shown, "<>", tuple(yes)), "value"
    elif f.is_flag and _headed(f, state):
        yield Condition(f.ref, "yes" if is_so else "no"), "flag"
    elif (f.is_date or f.is_text) and 0 < f.filled < len(f.texts) and _headed(f, state):
        yield Condition(f.ref, "filled" if is_so else "empty"), "flag"


def _fit(f: Field, state: State, asked: Asked) -> float:
    """Return less than 1 for a header about another thing: "Deposit returned" of a boat that came back."""
    heads = [lexeme(h) for h in state.headers]
    others = [
        f.words[i]
        for i in f.core
        if len(f.words[i].text) > 2 and not any(likeness(h, f.words[i]) >= LEAST_LIKE for h in heads)
    ]
    said = all(any(likeness(w.lexeme, o) >= LEAST_LIKE for w in asked.words) for o in others)
    return 1.0 if said else OF_ANOTHER


def _headed(f: Field, state: State) -> bool:
    heads = [f.words[i] for i in f.core]
    return any(likeness(lexeme(h), w) >= LEAST_LIKE for h in state.headers for w in heads)
