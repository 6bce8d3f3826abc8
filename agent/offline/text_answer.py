"""Answers from text: the sentence that covers the question's words best, if it covers enough."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tablerag.agent.offline import lexicon
from tablerag.agent.offline.linking import same_word
from tablerag.agent.offline.question import Question
from tablerag.agent.offline.vetoes import names_in
from tablerag.agent.stated_numbers import StatedNumber, stated_numbers, years_in
from tablerag.tools.records import Chunk
from tablerag.tools.text import SENTENCE_END, tokens

__all__ = ["FoundSentence", "best_sentence", "other_figure", "sentences", "stating_sentence"]

COVERED = 0.62
"""Share of the question's weighted words that a sentence must contain to be an answer."""
SAME_THING = 0.85
"""The same, for a sentence about the very figure that was computed."""


@dataclass(frozen=True, slots=True)
class FoundSentence:
    """A sentence of a text chunk with the share of the question that it covers."""

    text: str
    chunk: Chunk
    coverage: float


def sentences(chunks: Sequence[Chunk]) -> list[tuple[str, Chunk]]:
    """Return the sentences of the text chunks in order."""
    texts = [c for c in chunks if c.kind == "text"]
    return [(s.strip(), c) for c in texts for s in SENTENCE_END.split(c.text) if len(s.strip()) > 1]


def best_sentence(question: Question, chunks: Sequence[Chunk], least: float = COVERED) -> FoundSentence | None:
    """Return the sentence that answers best; None if none covers enough of the question."""
    words = [w for w in question.words if w not in lexicon.NOISE]
    found = [(s, c) for s, c in sentences(chunks) if _may_answer(question, s, c)]
    if not words or not found:
        return None
    bags = [set(tokens(f"{s} {c.title}" if len(s.split()) < 4 else s)) for s, c in found]
    frequency = Counter(w for w in words for bag in bags if _has(bag, w))
    weights = {w: math.log(1 + len(bags) / (1 + frequency[w])) + 0.2 for w in words}
    whole = sum(weights.values())
    scored = []
    for (text, chunk), bag in zip(found, bags, strict=True):
        coverage = sum(weight for w, weight in weights.items() if _has(bag, w)) / whole
        scored.append(FoundSentence(text, chunk, coverage + _answer_bonus(question, text)))
    best = max(scored, key=lambda f: f.coverage)
    return best if best.coverage >= least and not best.text.endswith("?") else None


def _may_answer(question: Question, sentence: str, chunk: Chunk) -> bool:
    """Tell whether a sentence may answer: its year is not another one, and its chunk contains the question's names."""
    asked, stated = years_in(question.text), years_in(sentence)
    if asked and stated and not asked & stated:
        return False
    around = set(tokens(f"{chunk.text} {chunk.title} {chunk.source}"))
    return all(_has(around, w) for name in names_in(question.text) for w in tokens(name))


def _has(bag: set[str], word: str) -> bool:
    return word in bag or any(same_word(word, other) for other in bag)


def _answer_bonus(question: Question, sentence: str) -> float:
    """Prefer a sentence that contains the kind of thing asked for."""
    lower = question.text.casefold()
    has_number = bool(re.search(r"\d", sentence))
    if question.asks == "when" or re.search(r"\bhow (many|much|long|old|far|often)\b", lower):
        return 0.05 if has_number else -0.25
    if question.asks == "who":
        names = re.findall(r"\b[A-ZÀ-Þ][\w'’-]+", sentence)
        return 0.05 if len(names) > 1 else -0.2
    return 0.0


def stating_sentence(value: str, question: Question, chunks: Sequence[Chunk]) -> FoundSentence | None:
    """Return a sentence that states a value and shares half of the question's words; None if there is none."""
    number = _number(value)
    words = [w for w in question.words if w not in lexicon.NOISE]
    for text, chunk in sentences(chunks):
        bag = set(tokens(text))
        shared = sum(1 for w in words if _has(bag, w) and w not in set(tokens(value)))
        numbers = re.findall(r"\d[\d,]*(?:\.\d+)?", text) if number is not None else []
        stated = value.casefold() in text.casefold() if number is None else number in map(_number, numbers)
        if stated and shared >= max(2, math.ceil(len(words) / 2)):
            return FoundSentence(text, chunk, shared / max(len(words), 1))
    return None


def other_figure(question: Question, chunks: Sequence[Chunk]) -> tuple[FoundSentence, StatedNumber] | None:
    """Return the sentence that gives the figure asked for, with its only number that is not in the question."""
    found = best_sentence(question, chunks, SAME_THING)
    if found is None:
        return None
    asked = {n.value for n in stated_numbers(question.text)}
    numbers = [n for n in stated_numbers(found.text) if n.value not in asked]
    return (found, numbers[0]) if len(numbers) == 1 else None


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "").rstrip("%"))
    except ValueError:
        return None
