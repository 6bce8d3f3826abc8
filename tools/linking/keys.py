"""Spellings by which values are compared, and how far apart two words are."""

import re
import unicodedata
from os.path import commonprefix

from tablerag.tools.text import singular

__all__ = [
    "COMMON",
    "MAX_VALUE_CHARS",
    "TYPO_WORD_LENGTH",
    "edits",
    "key_of",
    "most_edits",
    "parts_of",
    "singular_key",
    "sorted_key",
]

MAX_VALUE_CHARS = 120
TYPO_WORD_LENGTH = 6
TWO_TYPOS_LENGTH = 9
COMMON = frozenset(
    """
    a an and any all are as at average be been before after best between both but by can count did do does each ever
    every few find first for from had has have he her his how i if in into is it its last least less list long many
    me more most much my name no none not number of off old on one only or other our out over per same she show so
    some sum than that the their them then there these they this those to top total two under up was we were what
    when where which who whom whose why will with within without would year years yes you your
    """.split()
)
"""Words that ask; a run of them alone is no mention of a value."""


def key_of(text: str) -> str:
    """Return text without case, accents and punctuation, words set apart by one space."""
    if text.isascii():
        return " ".join(re.findall(r"\w+", text.lower()))
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return " ".join(re.findall(r"\w+", plain.casefold()))


def singular_key(key: str) -> str:
    return " ".join(map(singular, key.split()))


def sorted_key(key: str) -> str:
    return " ".join(sorted(key.split()))


def parts_of(key: str) -> set[str]:
    """Return a key's words and runs of two or three, but for itself and what every other value has."""
    words = key.split()
    runs = {" ".join(words[i : i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)}
    return {p for p in runs if p != key and len(p) > 2 and p not in COMMON}


def most_edits(word: str) -> int:
    """Return how many typing errors a word may have; 0 for one that is too short or common to tell."""
    if len(word) < TYPO_WORD_LENGTH or word in COMMON:
        return 0
    return 2 if len(word) >= TWO_TYPOS_LENGTH else 1


def edits(one: str, other: str, most: int) -> int:
    """Count letters inserted, left out, replaced or swapped between two words; more than ``most`` is ``most`` + 1."""
    start = len(commonprefix((one, other)))
    one, other = one[start:], other[start:]
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, against in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
