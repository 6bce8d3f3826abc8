"""TAT-QA's official exact match and F1 (arXiv 2105.07624, section 5), scale included.

An answer becomes one text: spans are sorted, numbers multiplied by their scale and written with four decimals, other
spans followed by their scale. A number without a scale may also be a percentage ("0.2234"). Arithmetic and count
answers get no partial credit.
"""

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablerag.tools.number_words import power_of

if TYPE_CHECKING:
    from tablerag.evaluation.datasets.tatqa import TatQaQuestion

__all__ = ["Score", "normalised", "score"]

MULTIPLIERS = {w: 10 ** power_of(w) for w in ("hundred", "thousand", "million", "billion")} | {"percent": 0.01}
"""The words of the official script, which reads no others."""
NO_PART_OF_A_NUMBER = "'\"\\$€£¥%(),[]"
FIRST_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
BRACKETED = re.compile(r"\([\d.\s]+\)")
PERCENTAGE = re.compile(r"[\d.\s]+%")
SCALED = re.compile(r"[\d.]+\s?[a-zA-Z]+")
ARTICLES = re.compile(r"\b(?:a|an|the)\b")


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one answer: exact match (0 or 1), F1 (0 to 1), and whether the scale is right."""

    exact: float
    f1: float
    scale: bool


def score(question: "TatQaQuestion", answer: Sequence[str], scale: str) -> Score:
    """Score an answer's spans and scale; a blank answer is wrong."""
    same_scale = scale == question.scale
    spans = [a for a in answer if a.strip()]
    if not spans or not question.answer:
        return Score(0.0, 0.0, same_scale)
    given = [_text(spans, scale)]
    alone = _value(spans[0]) if len(spans) == 1 and not scale and "%" not in spans[0] else None
    if alone is not None and _is_number(spans[0]):
        given.append(f"{alone:.4f}")
    gold = normalised(_text(_gold(question), question.scale))
    exact, f1 = max(_compared(normalised(text), gold) for text in given)
    return Score(exact, exact if question.answer_type in ("arithmetic", "count") else f1, same_scale)


def _gold(question: "TatQaQuestion") -> list[str]:
    return [str(int(float(a))) for a in question.answer] if question.answer_type == "count" else list(question.answer)


def _compared(given: str, gold: str) -> tuple[float, float]:
    a, b = set(given.split()), set(gold.split())
    shared = len(a & b)
    precision, recall = shared / len(a) if a else 1.0, shared / len(b) if b else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return float(given == gold), round(f1, 2)


def _text(spans: Sequence[str], scale: str) -> str:
    return " ".join(_with_scale(span, scale) for span in sorted(spans))


def _with_scale(span: str, scale: str) -> str:
    value = _value(span) if _is_number(span) else None
    if value is None:
        return f"{span} {scale}" if scale else span
    return f"{value:.4f}" if "%" in span else f"{round(value, 2) * _multiplier(scale):.4f}"


def _multiplier(text: str) -> float:
    return next((m for name, m in MULTIPLIERS.items() if name in text.lower()), 1)


def _bare(text: str) -> str:
    return "".join(c for c in text if c not in NO_PART_OF_A_NUMBER)


def _is_number(text: str) -> bool:
    words = " ".join(_bare(w) for w in text.split()).split()
    if not words or (len(words) > 1 and _multiplier(words[1]) == 1):
        return False
    try:
        value = float(words[0])
    except ValueError:
        return False
    return value == value


def _value(text: str) -> float | None:
    """Parse a number with brackets (negative), percent sign and scale word; a whole number stays an int."""
    found = FIRST_NUMBER.search(_bare(text))
    if found is None:
        return None
    scaled = SCALED.search(text)
    number = float(found[0]) if "." in found[0] else int(found[0])
    sign = -1 if BRACKETED.search(text) else 1
    percent = 0.01 if PERCENTAGE.search(text) else 1
    return round(number * (_multiplier(scaled[0]) if scaled else 1) * sign * percent, 4)


def normalised(text: str) -> str:
    """Return text in lower case without punctuation and articles, with numbers in a common form."""
    words = (_normalised_word(w) for w in text.lower().split(" "))
    return " ".join(w for w in words if w.strip()).strip()


def _normalised_word(word: str) -> str:
    if _is_number(word):
        return str(_value(word))
    bare = "".join(c for c in word if c not in string.punctuation)
    return " ".join(ARTICLES.sub(" ", str(_value(bare)) if _is_number(bare) else bare).split())
