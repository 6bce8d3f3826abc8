"""How well a statement and its surroundings cover the words of a question."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from tablerag.agent.offline.text.asked import TextQuestion
from tablerag.agent.offline.text.statements import Statement
from tablerag.agent.offline.text.synonyms import meanings_of, numeral
from tablerag.agent.offline.text.vocabulary import compounded, listed, related, same_form, section, words_in

__all__ = [
    "Coverage",
    "coverage_of",
    "key_is_asked",
    "loosely_found",
    "word_set",
    "word_weight",
]

AREAS = (("text", 1.0), ("heading", 0.85), ("document", 0.75), ("before", 0.5), ("after", 0.4))
"""Where a question's word may be found, and how much it counts there."""
REFERRED = 0.85
"""The same for the sentence before one that begins with a pronoun."""
PRONOUN = re.compile(
    r"(?:It|Its|He|His|She|Her|They|Their|This|These|Es|Er|Sie|Ihre?|Sein|Dies|Il|Elle|Ils|Elles|Cela|Ce|Son|Sa)\b"
)
SYNONYM, COMPOUND, NEAR, MISTYPED = 0.9, 0.7, 0.7, 0.8
"""How much a synonym counts, the end of a compound, a word that may mean the same, and a mistyped one."""
LIGHT, PRICED, FOCUS, NAMED = 0.3, 0.5, 1.4, 1.5
"""Weights of words that say little, of "cost" beside a sum of money, of the noun asked for, of names and numbers."""
MODIFIER = 2.0
"""How much more a word counts if its neighbour is found without it: "sick leave" is not "paid leave"."""
TYPO = 5
"""Letters of the shortest word that may be mistyped."""
KEPT_TEXTS, KEPT_MATCHES = 512, 2_048
"""Sets of words of texts that are kept, and words looked for in one; each of both holds a set, of 10 kB and more."""
LONG_WORD, ALIKE = 9, 0.86
"""Letters of a word in which several may be wrong, and the least share of letters in common."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a question a statement covers."""

    share: float
    """Of the weighted words, where they are found counted."""
    own: float
    """Share that the statement itself contains."""
    levels: dict[str, float]
    """How well each word is found, 0 to 1."""
    in_text: frozenset[str]
    """Words that are in the statement itself."""

    def has(self, words: Iterable[str], least: float) -> bool:
        """Tell whether all these words are found at least so well."""
        return all(self.levels.get(w, 0.0) >= least for w in words)


def coverage_of(question: TextQuestion, statement: Statement) -> Coverage:
    """Return how much of a question a statement, its headings and its neighbours cover."""
    areas = [(word_set(getattr(statement, name)), counts) for name, counts in AREAS]
    if PRONOUN.match(statement.text):
        areas.append((areas[3][0], REFERRED))
    levels = {w: max(counts * _found(w, words) for words, counts in areas) for w in question.words}
    if statement.key:
        levels |= {w: 1.0 for w in question.words if levels[w] < 1 and _answered_by_key(w, statement.key)}
    own = {w: _found(w, areas[0][0]) for w in question.words}
    weights = {w: word_weight(w, question) for w in question.words}
    for modifier, noun in question.compound:
        if levels[modifier] < 0.5 <= own[noun]:
            weights[modifier] *= MODIFIER
    whole = sum(weights.values()) or 1.0
    return Coverage(
        share=sum(weights[w] * levels[w] for w in question.words) / whole,
        own=sum(weights[w] * max(own[w], levels[w] if levels[w] == 1 else 0) for w in question.words) / whole,
        levels=levels,
        in_text=frozenset(w for w in question.words if own[w]),
    )


def word_weight(word: str, question: TextQuestion) -> float:
    if word in question.names or any(c.isdigit() for c in word):
        return NAMED
    if word in question.light:
        return LIGHT
    if question.kind == "amount" and word in listed("priced"):
        return PRICED
    return FOCUS if word == question.focus else 1.0


@lru_cache(maxsize=KEPT_TEXTS)
def word_set(text: str) -> frozenset[str]:
    found = {w.text for w in words_in(text)}
    return frozenset(found | {part for w in found for part in w.split("-") if "-" in w})


@lru_cache(maxsize=KEPT_MATCHES)
def _found(word: str, words: frozenset[str]) -> float:
    if word in words or any(same_form(word, other) for other in words):
        return 1.0
    parts = word.split("-")
    if len(parts) > 1 and all(any(same_form(p, other) for other in words) for p in parts):
        return 1.0
    if any(o in words or any(same_form(o, w) for w in words) for o in related(word)):
        return SYNONYM
    return COMPOUND if any(compounded(word, other) for other in words) else 0.0


@lru_cache(maxsize=KEPT_MATCHES)
def loosely_found(word: str, words: frozenset[str]) -> float:
    """Return how well a word is found if words that may mean the same count, and mistyped ones."""
    if found := _found(word, words):
        return found
    if (number := numeral(word)) and any(number == numeral(other) for other in words):
        return SYNONYM
    meant = meanings_of(word)
    if meant and any(meant & meanings_of(other) for other in words):
        return NEAR
    mistyped = any(_mistyped(word, other) for other in words if len(word) >= TYPO and other[0] == word[0])
    return MISTYPED if mistyped else 0.0


def key_is_asked(asked: TextQuestion, statement: Statement) -> bool:
    """Tell whether the question names the key of "Key: value", so that a list of people answers no other question.

    A word stands for a key, too: "From" for "wrote". One that says little counts only so.
    """
    some = len(asked.light) < len(asked.words)
    key = word_set(statement.key)
    return any(
        _answered_by_key(w, statement.key) or (not (some and w in asked.light) and _found(w, key) > 0)
        for w in asked.words
    )


def _answered_by_key(word: str, key: str) -> bool:
    meant = section("keys").get(" ".join(w.text for w in words_in(key)), "")
    return any(same_form(word, w) or word in related(w) for w in meant.split())


def _mistyped(a: str, b: str) -> bool:
    """Tell whether two words differ by one letter that is added, replaced or swapped; long words may differ more."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    if min(len(a), len(b)) >= LONG_WORD and a[-1] == b[-1] and SequenceMatcher(None, a, b).ratio() >= ALIKE:
        return True
    if len(a) == len(b):
        differ = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
        swapped = len(differ) == 2 and sorted(a[i] for i in differ) == sorted(b[i] for i in differ)
        return len(differ) == 1 or (swapped and differ[1] == differ[0] + 1)
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
