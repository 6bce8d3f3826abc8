"""A question's words, operation, comparisons and limit."""

import re
from dataclasses import dataclass
from typing import Literal

from tablerag.agent.offline import lexicon
from tablerag.tools.number_words import power_of
from tablerag.tools.text import content_tokens, tokens

__all__ = ["Comparison", "Operation", "Question", "read_question"]

Operation = Literal["list", "count", "sum", "avg", "share", "highest", "lowest", "first", "last"]


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
    operation: Operation
    limit: int | None
    """N of "top N"."""
    comparisons: tuple[Comparison, ...]
    group: tuple[str, ...]
    """Tokens after "per", "by", "for each"."""
    neighbour: Literal["", "next", "previous"] = ""
    """Whether it asks for the row after or before a named one."""
    beyond: bool = False
    """Whether it asks for something that the rules cannot express."""


def read_question(text: str) -> Question:
    """Read a question's words."""
    text = " ".join(text.split())
    lower = text.casefold()
    asked = re.search(r"\b(who|whom|whose|when|where|which|what|how)\b", lower)
    return Question(
        text=text,
        words=tuple(dict.fromkeys(content_tokens(text))),
        asks=asked.group() if asked else "",
        operation=_operation(lower),
        limit=_limit(lower),
        comparisons=_comparisons(text),
        group=_group(lower),
        neighbour=_neighbour(lower),
        beyond=re.search(lexicon.BEYOND, re.sub(r"[\"'“”].*?[\"'“”]", " ", lower)) is not None,
    )


def _neighbour(lower: str) -> Literal["", "next", "previous"]:
    """Read "after X", "next", "before X" and "previous to X" if X is not a number."""
    if found := re.search(r"\b(before|after) (who|whom|which|what)\b", lower):
        return "next" if found[1] == "before" else "previous"
    if re.search(r"\b(next|following|(immediately |directly |right |just )?after)\b(?! \d)", lower):
        return "next"
    if re.search(r"\b(previous|preceding|prior|(immediately |directly |right |just )?before)\b(?! \d)", lower):
        return "previous"
    return ""


def _operation(lower: str) -> Operation:
    if re.search(lexicon.SHARE, lower):
        return "share"
    if re.search(lexicon.AVERAGE, lower):
        return "avg"
    superlative = _superlative(lower)
    counted = r"\bhow many\b" if superlative in ("highest", "lowest") else lexicon.COUNT
    if superlative and not re.search(counted, lower):
        return superlative
    if re.search(lexicon.COUNT, lower):
        return "count"
    if re.search(lexicon.SUM, lower):
        return "sum"
    return superlative or "list"


def _superlative(lower: str) -> Operation | None:
    # "at most 5" and "at least 5" compare rather than rank.
    ranked = re.sub(r"\b(at|no) (most|least)\b", " ", lower)
    if re.search(lexicon.LOWEST, ranked):
        return "lowest"
    if re.search(lexicon.HIGHEST, ranked):
        return "highest"
    if re.search(lexicon.FIRST, ranked):
        return "first"
    if re.search(lexicon.LAST, ranked):
        return "last"
    return None


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
