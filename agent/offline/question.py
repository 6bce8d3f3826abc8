"""A question's words, comparisons, limit and group."""

import re
from dataclasses import dataclass
from typing import Literal

from tablerag.agent.offline import lexicon
from tablerag.tools.number_words import power_of
from tablerag.tools.text import content_tokens, tokens

__all__ = ["Comparison", "Question", "read_question"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A numeric condition and the question's words for it."""

    operator: Literal["=", "<", ">", "<=", ">=", "between"]
    number: float
    upper: float | None
    start: int
    """Offset in the question's text."""
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Question:
    """What the words say, independent of any table."""

    text: str
    words: tuple[str, ...]
    """Content words as tokens, without question words."""
    asks: str
    """The question word: who, when, where, which, what, how ... or ""."""
    limit: int | None
    """N of "top N"."""
    comparisons: tuple[Comparison, ...]
    group: tuple[str, ...]
    """Tokens after "per", "by", "for each"."""


def read_question(text: str) -> Question:
    """Read a question's words."""
    text = " ".join(text.split())
    lower = text.casefold()
    asked = re.search(r"\b(who|whom|whose|when|where|which|what|how)\b", lower)
    return Question(
        text=text,
        words=tuple(dict.fromkeys(content_tokens(text))),
        asks=asked.group() if asked else "",
        limit=_limit(lower),
        comparisons=_comparisons(text),
        group=_group(lower),
    )


def _limit(lower: str) -> int | None:
    number = r"(\d{1,3}|" + "|".join(lexicon.NUMBER_WORDS) + ")"
    ranks = r"(?:top|first|last|highest|largest|lowest|smallest|biggest|best|most|cheapest|longest|shortest|bottom)"
    found = re.search(rf"\b{ranks} {number}\b|\b{number} {ranks}\b", lower)
    if not found:
        return None
    text = found[1] or found[2]
    return int(text) if text.isdigit() else lexicon.NUMBER_WORDS[text]


def _comparisons(text: str) -> tuple[Comparison, ...]:
    found: list[Comparison] = []
    covered: list[tuple[int, int]] = []
    for match in re.finditer(lexicon.BETWEEN, text, re.IGNORECASE):
        words = frozenset(tokens(match.group()))
        low, high = _number(match["low"]), _number(match["n"])
        # "between 1 and 2 million" says its scale once, "between 500 and 2 million" means 500.
        low_scale = match["low_scale"] or (match["scale"] if low < high else "")
        low, high = low * 10 ** power_of(low_scale), high * 10 ** power_of(match["scale"])
        found.append(Comparison("between", low, high, match.start(), words))
        covered.append(match.span())
    for operator, pattern in lexicon.COMPARISONS:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            if any(a < match.end() and match.start() < b for a, b in covered):
                continue
            words = frozenset(tokens(match.group()))
            number = _number(match["n"]) * 10 ** power_of(match["scale"])
            found.append(Comparison(operator, number, None, match.start(), words))
            covered.append(match.span())
    return tuple(found)


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _group(lower: str) -> tuple[str, ...]:
    found = re.search(lexicon.PER, lower)
    return tuple(tokens(found[1])[:4]) if found else ()
