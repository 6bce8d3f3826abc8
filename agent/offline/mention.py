"""A question's words and numbers, and the mentions of conditions found in them."""

import re
from dataclasses import dataclass

from tablerag.agent.offline.program import Condition
from tablerag.tools.linking.keys import key_of
from tablerag.tools.number_words import CURRENCY, TEXT_SCALE, power_of

__all__ = ["ORDINAL_OF", "Mention", "QuestionWords", "read_words"]

NUMBER_OF = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
    )
} | {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "once": 1, "twice": 2}
ORDINAL_OF = {
    word: number + 1
    for number, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split())
}
NUMBER = re.compile(
    rf"(?:(?<!\w)(?P<before>{CURRENCY})\s?)?(?<![\w.])-?(?P<number>(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?)"
    rf"(?:{TEXT_SCALE}|(?:st|nd|rd|th)?\b)"
)


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """A question's words and numbers."""

    text: str
    words: tuple[str, ...]
    """Folded by tools.linking.keys.key_of."""
    numbers: tuple[tuple[int, int, float], ...]
    """(first word, last word + 1, value) of each number."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of the question that may express a condition."""

    start: int
    end: int
    condition: Condition
    score: float
    """1 for an exact value, less for a looser match."""
    way: str
    """value, part, contains, outcome, number, compare, year, not."""


def read_words(question: str) -> QuestionWords:
    """Fold a question into words and find its numbers."""
    words = tuple(key_of(question).split())
    numbers: list[tuple[int, int, float]] = []
    for found in NUMBER.finditer(question):
        before = len(key_of(question[: found.start("number")]).split())
        after = before + len(key_of(question[found.start("number") : found.end()]).split())
        value = float(found["number"].replace(",", "")) * 10 ** power_of(found["scale"])
        numbers.append((before, after, value))
    taken = {i for a, b, _ in numbers for i in range(a, b)}
    for i, word in enumerate(words):
        value = NUMBER_OF.get(word, ORDINAL_OF.get(word))
        if value is not None and i not in taken:
            numbers.append((i, i + 1, float(value)))
    return QuestionWords(question, words, tuple(sorted(numbers)))
