"""WikiTableQuestions' official metric, denotation match (arXiv 1508.00305).

Predicted and gold answers are sets of values. They match if they have the same size and every gold value equals a
predicted one: numbers within 1e-6, dates part by part, everything else as normalised text.
"""

import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime

__all__ = ["denotations_match", "normalise", "values_match"]

TOLERANCE = 1e-6
TRANSLATED = str.maketrans("‘’´`“”‐‑‒–—−", "''''\"\"------")
TRAILING_MARKS = re.compile(r"((?<!^)\[[^\]]*\]|\[\d+\]|[•♦†‡*#+])*$")
TRAILING_DETAILS = re.compile(r"(?<!^)( \([^)]*\))*$")
OUTER_QUOTES = re.compile(r'^"([^"]*)"$')
ISO_DATE = re.compile(r"(\d{4}|x{4})-(\d{1,2}|x{2})-(\d{1,2}|x{2})")


def normalise(text: str) -> str:
    """Return text in lower case, without accents, citation marks, trailing details and outer quotes."""
    decomposed = unicodedata.normalize("NFKD", text.translate(TRANSLATED))
    text = "".join(c for c in decomposed if unicodedata.category(c) != "Mn").translate(TRANSLATED)
    before = None
    while before != text:
        before = text
        text = TRAILING_MARKS.sub("", text.strip(), count=1)
        text = TRAILING_DETAILS.sub("", text.strip(), count=1)
        text = OUTER_QUOTES.sub(r"\1", text.strip())
    return " ".join(text.removesuffix(".").split()).lower()


def _number(text: str) -> float | None:
    if "_" in text:  # float() accepts 1_000, people do not write it
        return None
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def _date_parts(text: str) -> tuple[int | None, ...] | None:
    found = ISO_DATE.fullmatch(text)
    if found:
        return tuple(None if part.startswith("x") else int(part) for part in found.groups())
    for form in ("%B %d, %Y", "%d %B %Y", "%b %d, %Y", "%d %b %Y"):
        with suppress(ValueError):
            parsed = datetime.strptime(text, form)
            return parsed.year, parsed.month, parsed.day
    return None


def values_match(gold: str, predicted: str) -> bool:
    """Return whether two values are the same number, date or normalised text."""
    a, b = normalise(gold), normalise(predicted)
    if a == b:
        return True
    x, y = _number(a), _number(b)
    if x is not None and y is not None:
        return abs(x - y) < TOLERANCE
    dates = _date_parts(a), _date_parts(b)
    return dates[0] is not None and dates[0] == dates[1]


def denotations_match(gold: Iterable[str], predicted: Iterable[str]) -> bool:
    """Return whether two sets of values are equal by the official rule."""
    gold_set = {normalise(g): g for g in gold}
    predicted_set = {normalise(p): p for p in predicted}
    if len(gold_set) != len(predicted_set):
        return False
    return all(any(values_match(g, p) for p in predicted_set.values()) for g in gold_set.values())
