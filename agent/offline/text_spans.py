"""The part of a sentence that answers a question: a person, place, date or number."""

import re
from collections.abc import Iterator

from tablerag.agent.offline.hops.spans import MONTH, YEAR
from tablerag.agent.offline.linking import same_word
from tablerag.agent.offline.question import Question
from tablerag.tools.number_words import OLD_YEAR, WORD_SCALE
from tablerag.tools.text import tokens

__all__ = ["asks_for_span", "best_span"]

DATE = re.compile(rf"\b(?:\d{{1,2}} {MONTH} \d{{4}}|{MONTH} \d{{1,2}}, \d{{4}}|{MONTH} \d{{4}}|{OLD_YEAR})\b")
NUMBER = re.compile(rf"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:%| {WORD_SCALE})?")
NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’.-]*(?:(?: (?:of|de|da|van|von|der|the|and|&) | )[A-ZÀ-Þ0-9][\w'’-]*)*")
PLACE = re.compile(r"\b(?:in|at|near|from|of|to)\s+(?=[A-ZÀ-Þ])")
AMOUNT = re.compile(r"\bhow (?:many|much|long|old|far|tall|high|large|big|often)\b")
OPENING = frozenset("the a an it he she they this that these those in on at his her its their".split())


def best_span(question: Question, sentence: str) -> str:
    """Return the best span of the kind asked for; the sentence itself if there is no kind or no span."""
    asked = question.text.casefold()
    if AMOUNT.search(asked):
        counted = (_with_noun(m, sentence, question) for m in NUMBER.finditer(sentence))
        found = [(start, span) for start, span in counted if not YEAR.fullmatch(span)]
    elif re.search(r"\b(?:what|which) year\b", asked):
        found = [(m.start(), m[0]) for m in YEAR.finditer(sentence)]
    elif question.asks == "when" or re.search(r"\b(?:what|which) (?:date|day)\b", asked):
        found = [(m.start(), m[0]) for m in DATE.finditer(sentence)]
    elif question.asks == "where":
        found = list(_places(sentence))
    elif question.asks in ("who", "whom"):
        found = [(m.start(), m[0]) for m in NAME.finditer(sentence)]
    else:
        return sentence
    fresh = [(start, span) for start, span in found if _is_new(span, question)]
    return min(fresh, key=lambda f: _distance(f[0], len(f[1]), sentence, question))[1] if fresh else sentence


def asks_for_span(question: Question) -> bool:
    """Tell whether a question asks for a person, place, date or number, so that a sentence does not answer it."""
    asked = question.text.casefold()
    return bool(
        AMOUNT.search(asked)
        or re.search(r"\b(?:what|which) (?:year|date|day)\b", asked)
        or question.asks in ("when", "where", "who", "whom")
    )


def _with_noun(number: re.Match[str], sentence: str, question: Question) -> tuple[int, str]:
    """Return the number with the noun after it if the question counts that: "27 days"."""
    noun = re.match(r"[ -]([a-z]+)", sentence[number.end() :])
    if noun and any(same_word(t, w) for t in tokens(noun[1]) for w in question.words):
        return number.start(), number[0] + noun[0]
    return number.start(), number[0]


def _places(sentence: str) -> Iterator[tuple[int, str]]:
    for before in PLACE.finditer(sentence):
        name = NAME.match(sentence, before.end())
        if name:
            yield name.start(), name[0]


def _is_new(span: str, question: Question) -> bool:
    """Tell whether a span has a word that the question does not have."""
    words = [t for t in tokens(span) if t not in OPENING]
    return any(all(not same_word(t, w) for w in question.words) for t in words)


def _distance(start: int, length: int, sentence: str, question: Question) -> tuple[int, int]:
    """Return the characters between a span and the nearest of the question's words, then its offset."""
    gaps = [
        max(found.start() - start - length, start - found.end(), 0)
        for found in re.finditer(r"\w+", sentence)
        if any(same_word(t, w) for t in tokens(found[0]) for w in question.words)
    ]
    return min(gaps, default=len(sentence)), start
