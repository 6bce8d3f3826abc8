"""Spans of a sentence that may be an answer: dates, numbers, names, nationalities."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tablerag.agent.offline.hops.asked import Kind
from tablerag.tools.number_words import OLD_YEAR, SIGNS, WORD_SCALE

__all__ = ["MONTH", "PEOPLE", "YEAR", "Span", "spans_in"]

MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
DATE = re.compile(rf"\b(?:\d{{1,2}} {MONTH} \d{{4}}|{MONTH} \d{{1,2}} ?, \d{{4}}|{MONTH} \d{{4}}|{MONTH} \d{{1,2}})\b")
YEAR = re.compile(rf"\b{OLD_YEAR}\b")
IN_MONTH = re.compile(rf"\b{MONTH}\b")
COUNTED = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " \
    "eighteen nineteen twenty thirty forty fifty hundred"  # fmt: skip
NUMBER = re.compile(
    rf"(?<![\w.,$])(?:[{SIGNS}] ?)?\d[\d,]*(?:\.\d+)?(?:st|nd|rd|th)?(?: ?%| {WORD_SCALE})?(?![\w])"
    rf"|\b(?:{'|'.join(COUNTED.split())})\b"
)
WORD = r"[A-ZÀ-Þ][\w'’-]*(?:\.(?= [A-Z]))?"
SMALL = r"(?: (?:of|de|da|van|von|der|la|the|and|&|'s|for|in)){0,2}"
NAME = re.compile(rf"\b{WORD}(?:{SMALL} {WORD})*(?: \d+\b(?![.,]\d))?")
PEOPLE = re.compile(r"\b[A-Z][a-z]+(?:ish|an|ese|ian|ch|ic|i|ek|ss)\b")
OPENING = frozenset(
    "the a an it he she they this that these those in on at his her its their as for from after".split()
)


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a sentence."""

    text: str
    kind: Kind
    start: int
    end: int


def spans_in(sentence: str) -> Iterator[Span]:
    """Yield the spans of a sentence, kind by kind; one place may have spans of several kinds."""
    taken = [m.span() for m in DATE.finditer(sentence)]
    yield from _all(DATE, "date", sentence)
    yield from _all(YEAR, "year", sentence)
    yield from _all(IN_MONTH, "month", sentence)
    for found in NUMBER.finditer(sentence):
        if not any(a <= found.start() < b for a, b in taken):
            yield Span(found[0], "number", found.start(), found.end())
    yield from _all(PEOPLE, "nationality", sentence)
    for found in NAME.finditer(sentence):
        yield from _named(found, taken)


def _named(found: re.Match[str], taken: list[tuple[int, int]]) -> Iterator[Span]:
    """Yield a run of capitalised words, and its parts if a small word joins them."""
    start, text = found.start(), found[0]
    first = text.split(" ", 1)
    if first[0].casefold() in OPENING:
        if len(first) == 1:
            return
        start, text = start + len(first[0]) + 1, first[1]
    if any(a <= start < b for a, b in taken):
        return
    yield Span(text, "name", start, start + len(text))
    joined = re.search(r" (?:and|in|for|of)(?: the)? ", text)
    if joined:
        yield Span(text[: joined.start()], "name", start, start + joined.start())
        yield Span(text[joined.end() :], "name", start + joined.end(), start + len(text))


def _all(pattern: re.Pattern[str], kind: Kind, sentence: str) -> Iterator[Span]:
    for found in pattern.finditer(sentence):
        yield Span(found[0], kind, found.start(), found.end())
