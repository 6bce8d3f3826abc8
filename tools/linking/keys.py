"""Normalised spellings with which values are compared, and the edit distance of words."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from os.path import commonprefix

from tablerag.tools.text import singular

__all__ = [
    "COMMON",
    "DECIDED",
    "MAX_VALUE_CHARS",
    "TYPO_WORD_LENGTH",
    "edits",
    "key_of",
    "keys_of",
    "most_edits",
    "nearest",
    "parts_of",
    "singular_forms",
    "singular_key",
    "sorted_key",
    "spelled",
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
"""Common words of questions; they alone do not mention a value."""
DECIDED = frozenset("yes no true false ja nein oui non both neither none equal same higher lower more less".split())
"""Words that decide between what a question names."""
WORD = re.compile(r"\w+")
SPACED = {i: " " for i in range(1, 128) if not re.match(r"\w", chr(i))}
"""ASCII letters that separate words; NUL separates values."""


def spelled(name: str) -> str:
    """Return the SQL name that a table's name in words stands for: "customer list" is customer_list."""
    return "_".join(name.casefold().split())


def key_of(text: str) -> str:
    """Return text without case, accents and punctuation, with one space between words."""
    if text.isascii():
        return " ".join(WORD.findall(text.lower()))
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return " ".join(WORD.findall(text.casefold()))


def keys_of(values: Sequence[str]) -> list[str]:
    """Return the key of each value, all at once: most texts are ASCII."""
    text = "\0".join(values)
    if not text.isascii() or text.count("\0") != len(values) - 1:
        return [key_of(v) for v in values]
    return [" ".join(words.split()) for words in text.lower().translate(SPACED).split("\0")]


def singular_forms(word: str) -> list[str]:
    """Return the words with the same singular."""
    one = singular(word)
    forms = (one, f"{one}s", f"{one}es", f"{one[:-1]}ies")
    return [f for f in dict.fromkeys(forms) if singular(f) == one]


def singular_key(key: str) -> str:
    return " ".join(map(singular, key.split()))


def sorted_key(key: str) -> str:
    return " ".join(sorted(key.split()))


def parts_of(key: str) -> set[str]:
    """Return the words and runs of two or three words of a key, without common words and the key itself."""
    words = key.split()
    runs = {" ".join(words[i : i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)}
    return {p for p in runs if p != key and len(p) > 2 and p not in COMMON}


def most_edits(word: str) -> int:
    """Return how many typing errors are allowed in a word; 0 if it is too short or common."""
    if len(word) < TYPO_WORD_LENGTH or word in COMMON:
        return 0
    return 2 if len(word) >= TWO_TYPOS_LENGTH else 1


def edits(one: str, other: str, most: int) -> int:
    """Return the number of inserted, missing, replaced or swapped letters, at most ``most`` + 1."""
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


def nearest(word: str, known: Iterable[str], most: int) -> str:
    """Return the known word with the fewest edits; the word itself if none has at most ``most``."""
    distance, best = min(((edits(word, other, most), other) for other in known), default=(most + 1, word))
    # A plural or another form is not a typing error; it was looked up already.
    return best if distance <= most and singular_key(best) != singular_key(word) else word
