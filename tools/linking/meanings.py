"""Stored values that a question mentions in other words: "Dutch" for "Netherlands", "TV" for "television".

The embedding of words is only a guess. It is used for words that are in no stored value, for columns with few values,
and only if one value is near and clearly nearer than all others.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np

from tablerag.tools.embedding.products import products
from tablerag.tools.linking.keys import COMMON, key_of, singular_key
from tablerag.tools.linking.matching import ColumnValues
from tablerag.tools.recent import Recent

__all__ = ["MEANT_SCORE", "Meanings"]

Embed = Callable[[Sequence[str]], np.ndarray]
"""From n texts to n unit vectors, (n, dimensions)."""
MEANT_SCORE = 0.4
"""Lower than the score of any match of letters."""
MOST_VALUES = 300
CLOSE = 0.6
"""Least cosine of two short texts with the same meaning."""
LEAD = 0.08
"""Least difference to the cosine of the next value of the column."""
MOST_WORDS = 3
"""Most words of a value; longer values only share a topic with a word."""
MAX_PHRASES = 40
CACHED_VECTORS = 20_000


class Meanings:
    """Looks up words of a question by meaning; caches the vectors of recent columns."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._vectors = Recent[tuple[str, ...], np.ndarray](len, CACHED_VECTORS)

    def find(
        self, question: str, taken: Collection[str], columns: Iterable[tuple[str, ColumnValues]]
    ) -> list[tuple[str, str, str]]:
        """Return (column, value, phrase) for words of the question that are not ``taken`` and mean a stored value."""
        phrases = _phrases(question, taken)
        if not phrases:
            return []
        vectors = self._embed(phrases)
        found = []
        for column, held in columns:
            values = tuple(v for v in held.some(MOST_VALUES) if any(c.isalpha() for c in v))
            if not values:
                continue
            near = products(vectors, self._vectors.of(values, lambda values=values: self._embed(values)))
            for phrase, row in zip(phrases, near, strict=True):
                best = int(row.argmax())
                others = np.delete(row, best)
                clearly = row[best] >= CLOSE and (not len(others) or row[best] - others.max() >= LEAD)
                if clearly and _other_words(values[best], phrase):
                    found.append((column, values[best], phrase))
        return found


def _other_words(value: str, phrase: str) -> bool:
    """Return whether a value is short and shares no word with the phrase."""
    words = key_of(value).split()
    return len(words) <= MOST_WORDS and {singular_key(w) for w in words}.isdisjoint(map(singular_key, phrase.split()))


def _phrases(question: str, taken: Collection[str]) -> list[str]:
    """Return the remaining words, and pairs of adjacent ones."""
    words = key_of(question).split()
    free = [w not in taken and w not in COMMON and len(w) > 1 and not w.isdigit() for w in words]
    single = [w for w, is_free in zip(words, free, strict=True) if is_free]
    pairs = [f"{a} {b}" for i, (a, b) in enumerate(zip(words, words[1:], strict=False)) if free[i] and free[i + 1]]
    return list(dict.fromkeys([*single, *pairs]))[:MAX_PHRASES]
