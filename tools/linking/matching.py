"""Find the values of a column that a question mentions.

Each run of one to six words of the question is looked up in several ways, the most reliable first: unchanged (ignoring
case, accents and punctuation), without plural endings, in another word order, with small typing errors in longer words,
and as part of a longer value. In each way the longest run wins; a run that shares a word with an earlier match is
ignored.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, Protocol

from tablerag.tools.linking.keys import (
    COMMON,
    MAX_VALUE_CHARS,
    TYPO_WORD_LENGTH,
    key_of,
    most_edits,
    nearest,
    parts_of,
    singular_key,
    sorted_key,
)

__all__ = ["MAX_SHARING", "SURE", "ColumnValues", "Held", "ValueIndex", "Way", "best_matches"]

MAX_QUESTION_WORDS = 200
MAX_WORDS = 6
NEIGHBOURS = 100
MAX_SHARING = 3
"""A part of more values than these is ambiguous."""
MAX_AROUND = 6
"""Most words, without common ones, of a value that a single word can match: longer values are notes. Numbers can also
match longer values, such as lists of years."""
SURE = 0.8
"""The least score of a whole value; parts of values have lower scores."""
Way = Literal["exact", "singular", "reordered", "part"]
LOOKED_UP: dict[Way, tuple[str, Callable[[str], str]]] = {
    "exact": ("exact", str),
    # A question's words are looked up in every column of its tables.
    "singular": ("singulars", lru_cache(maxsize=1024)(singular_key)),
    "reordered": ("reordered", lru_cache(maxsize=1024)(sorted_key)),
    "part": ("parts", str),
}


class ColumnValues(Protocol):
    """The distinct values of one column, however many there are."""

    def find(self, way: Way, run: str) -> Sequence[str]:
        """Return the stored values that match a run of normalised words in that way."""
        ...

    def spelled(self, word: str) -> str:
        """Return the column's spelling of a mistyped word; the word itself if no spelling is similar."""
        ...

    def some(self, most: int) -> Sequence[str]:
        """Return the values if there are at most ``most``, otherwise nothing."""
        ...


Held = Callable[[str, Sequence[str], int], Mapping[str, ColumnValues]]
"""Returns the distinct values of columns, given a stored table, names of columns and the table's number of rows."""


@dataclass(slots=True)
class ValueIndex:
    """The distinct values of one column, by normalised spelling."""

    exact: dict[str, list[str]] = field(default_factory=dict)
    singulars: dict[str, list[str]] = field(default_factory=dict)
    reordered: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[str, list[str]] = field(default_factory=dict)
    """Values of several words, by each word and run of two or three words."""
    vocabulary: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    """Longer words by first letter and length, sorted."""

    @classmethod
    def of(cls, values: Iterable[str]) -> "ValueIndex":
        """Index the distinct values of a column."""
        index = cls()
        for value in values:
            key = key_of(value)
            if key and len(value) <= MAX_VALUE_CHARS:
                index._add(value, key)
        for group, words in index.vocabulary.items():
            index.vocabulary[group] = sorted(set(words))
        return index

    def _add(self, value: str, key: str) -> None:
        words = key.split()
        self.exact.setdefault(key, []).append(value)
        self.singulars.setdefault(singular_key(key), []).append(value)
        for word in words:
            if len(word) >= TYPO_WORD_LENGTH:
                self.vocabulary.setdefault((word[0], len(word)), []).append(word)
        if len(words) > 1:
            self.reordered.setdefault(sorted_key(key), []).append(value)
            for part in parts_of(key):
                self.parts.setdefault(part, []).append(value)

    def size(self) -> int:
        """Return the number of its spellings."""
        return 1 + sum(map(len, (self.exact, self.singulars, self.reordered, self.parts)))

    def find(self, way: Way, run: str) -> Sequence[str]:
        """Return the values that match a run of words in that way."""
        found: dict[str, list[str]] = getattr(self, LOOKED_UP[way][0])
        values = found.get(LOOKED_UP[way][1](run), ())
        return values if way != "part" or len(values) <= MAX_SHARING else ()

    def some(self, most: int) -> Sequence[str]:
        """Return the values if there are at most ``most``, otherwise nothing."""
        return [v for same in self.exact.values() for v in same] if len(self.exact) <= most else ()

    def spelled(self, word: str) -> str:
        """Return the column's spelling of a mistyped word; the word itself if no spelling is similar."""
        most = most_edits(word)
        return nearest(word, self._neighbours(word, most), most) if most else word

    def _neighbours(self, word: str, most: int) -> Iterator[str]:
        """Yield words with the same first letter and a similar length; of many, only those near it in the alphabet."""
        for length in range(len(word) - most, len(word) + most + 1):
            known = self.vocabulary.get((word[0], length), [])
            place = bisect_left(known, word)
            yield from known[max(0, place - NEIGHBOURS) : place + NEIGHBOURS]


def best_matches(question: str, values: ColumnValues) -> list[tuple[str, str, float]]:
    """Return (value, phrase, score) for one column, best and longest first, each with other words of the question."""
    words = key_of(question).split()[:MAX_QUESTION_WORDS]
    spelled = [values.spelled(w) for w in words]
    ways: list[tuple[float, Sequence[str], Way, int]] = [
        (1.0, words, "exact", 1),
        (0.95, words, "singular", 1),
        (0.9, words, "reordered", 2),
        *([(SURE, spelled, "exact", 1)] if spelled != words else []),
        (0.7, words, "part", 2),
        (0.55, words, "part", 1),
    ]
    taken: set[int] = set()
    found = []
    for score, spelling, way, least in ways:
        for start, end, said in _runs(" ".join(words), least):
            if not taken.isdisjoint(range(start, end)):
                continue
            run = said if spelling is words else " ".join(spelling[start:end])
            same = values.find(way, run)
            if way == "part" and least == 1 and not any(map(str.isdigit, run)):
                same = [v for v in same if _telling(key_of(v).split()) <= MAX_AROUND]
            if same:
                taken.update(range(start, end))
                found += [(value, said, score) for value in same]
    return found


@lru_cache(maxsize=64)
def _runs(key: str, least: int) -> tuple[tuple[int, int, str], ...]:
    """Return the runs with at least ``least`` words that are not common, longest first; letters alone are ignored."""
    words, found = key.split(), []
    alone = [w in COMMON or (len(w) == 1 and not w.isdigit()) for w in words]
    for length in range(min(MAX_WORDS, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            end = start + length
            if not all(alone[start:end]) and _telling(words[start:end]) >= least:
                found.append((start, end, " ".join(words[start:end])))
    return tuple(found)


def _telling(words: Sequence[str]) -> int:
    """Count the words that are not common."""
    return sum(w not in COMMON for w in words)
