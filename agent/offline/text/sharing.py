"""What a statement shares with a question: its words, weighed by how few statements have them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tablerag.agent.offline.text.asked import TextQuestion
from tablerag.agent.offline.text.matching import AREAS, PRONOUN, REFERRED, loosely_found, word_set
from tablerag.agent.offline.text.statements import Statement

__all__ = ["Shared", "shared_of"]

LIGHT, NAMED = 0.2, 1.5
"""Weights of words that say little and of names and numbers."""
UNKNOWN = 0.75
"""Weight of a word that no text has: it may be said in other words, or be what makes it another question."""
MET = 0.55
"""How well a word must be found to count as met."""
IN_CHUNK = 0.3
"""How much a word counts that is only elsewhere in the passage."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A statement and what it shares with a question."""

    statement: Statement
    place: int
    """Of its passage."""
    share: float
    """Of the weighed words, found in the statement, its headings, its neighbours or its passage."""
    own: float
    """The same for the statement alone."""
    missed: float
    """Share of the words that other statements have."""
    unknown: float
    """Share of the words that none has."""
    names: float
    """How well the question's names and numbers are found."""
    found: int
    """How many telling words are found."""
    split: int
    """How many words are missing beside a word that is found: "sick leave" is not "paid leave"."""

    @property
    def total(self) -> float:
        """What statements are compared by."""
        return self.share + self.own


def shared_of(asked: TextQuestion, statements: Sequence[tuple[int, Statement]]) -> Iterator[Shared]:
    """Yield what each statement, with the place of its passage, shares with a question."""
    own = [{w: loosely_found(w, word_set(s.text)) for w in asked.words} for _, s in statements]
    weights, known = _weigh(asked, own)
    whole = sum(weights.values()) or 1.0
    telling = [w for w in asked.words if w not in asked.light]
    named = [w for w in asked.words if _is_named(w, asked)]
    for (place, statement), levels in zip(statements, own, strict=True):
        refers = PRONOUN.match(statement.text)
        if statement.text.endswith("?") or not (refers or any(levels.values())):
            continue
        if refers:
            before = word_set(statement.before)
            levels = {w: max(v, REFERRED * loosely_found(w, before)) for w, v in levels.items()}
        every = _levels(asked, statement, levels)
        yield Shared(
            statement,
            place,
            share=sum(weights[w] * every[w] for w in asked.words) / whole,
            own=sum(weights[w] * levels[w] for w in asked.words) / whole,
            missed=sum(weights[w] for w in telling if every[w] < MET and w in known) / whole,
            unknown=sum(weights[w] for w in telling if w not in known) / whole,
            names=min((every[w] for w in named), default=1.0),
            found=sum(every[w] >= MET for w in telling),
            split=sum(levels[b] >= MET > every[a] for a, b in asked.compound),
        )


def _levels(asked: TextQuestion, statement: Statement, own: Mapping[str, float]) -> dict[str, float]:
    """Return how well each word is found in a statement, its headings, its neighbours or its passage."""
    areas = [(word_set(getattr(statement, name)), counts) for name, counts in AREAS[1:]]
    areas.append((word_set(statement.chunk.text), IN_CHUNK))
    return {w: max(own[w], *(counts * loosely_found(w, words) for words, counts in areas)) for w in asked.words}


def _weigh(asked: TextQuestion, own: Sequence[Mapping[str, float]]) -> tuple[dict[str, float], frozenset[str]]:
    """Return the words' weights, by how few statements have them, and those that any has."""
    count = len(own)
    most = math.log(1 + count / 0.5) or 1.0
    weights: dict[str, float] = {}
    known = set()
    for word in asked.words:
        having = sum(levels[word] >= MET for levels in own)
        rarity = math.log(1 + count / (having + 0.5)) / most if having else UNKNOWN
        if having:
            known.add(word)
        weights[word] = rarity * (NAMED if _is_named(word, asked) else LIGHT if word in asked.light else 1.0)
    return weights, frozenset(known)


def _is_named(word: str, asked: TextQuestion) -> bool:
    return word in asked.names or any(c.isdigit() for c in word)
