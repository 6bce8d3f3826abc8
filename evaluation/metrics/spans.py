"""Exact match and F1 over words, as in HybridQA's and OTT-QA's official scripts (SQuAD's rule)."""

import re
import string
from collections import Counter
from collections.abc import Sequence

__all__ = ["normalised_span", "span_scores"]

ARTICLES = re.compile(r"\b(?:a|an|the)\b")
PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised_span(text: str) -> str:
    """Return text in lower case without punctuation, articles and extra spaces."""
    return " ".join(ARTICLES.sub(" ", text.lower().translate(PUNCTUATION)).split())


def span_scores(gold: Sequence[str], predicted: str) -> dict[str, float]:
    """Return ``em`` and ``f1`` against the best matching gold answer; a blank answer scores 0."""
    if not predicted.strip():
        return {"em": 0.0, "f1": 0.0}
    given = normalised_span(predicted)
    return {
        "em": max(float(normalised_span(g) == given) for g in gold),
        "f1": max(_f1(normalised_span(g).split(), given.split()) for g in gold),
    }


def _f1(gold: Sequence[str], given: Sequence[str]) -> float:
    if not gold or not given:
        return float(gold == given)
    shared = sum((Counter(gold) & Counter(given)).values())
    return 2 * shared / (len(gold) + len(given))
