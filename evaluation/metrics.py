"""When an answer counts as right: the denotation rule of WikiTableQuestions (arXiv 1508.00305).

Predicted and gold answers are sets of values; they agree when both have the same size and every gold
value equals a predicted one: numbers within 1e-6, dates part by part, everything else as normalised text.
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import date, datetime

__all__ = ["denotations_match", "normalise", "values_match"]

TOLERANCE = 1e-6
TRANSLATED = str.maketrans("‘’´`“”‐‑‒–—−", "''''\"\"------")
TRAILING_MARKS = re.compile(r"((?<!^)\[[^\]]*\]|\[\d+\]|[•♦†‡*#+])*$")
TRAILING_DETAILS = re.compile(r"(?<!^)( \([^)]*\))*$")
OUTER_QUOTES = re.compile(r'^"([^"]*)"$')
ISO_DATE = re.compile(r"(\d{4}|x{4})-(\d{1,2}|x{2})-(\d{1,2}|x{2})")


def normalise(text: str) -> str:
    """Return text without accents, citation marks, trailing details, outer quotes, and case."""
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
    if "_" in text:  # Python reads 1_000 as a number, people do not
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
        parsed = _strptime(text, form)
        if parsed:
            return parsed.year, parsed.month, parsed.day
    return None


def _strptime(text: str, form: str) -> date | None:
    try:
        return datetime.strptime(text, form).date()
    except ValueError:
        return None


def values_match(gold: str, predicted: str) -> bool:
    """Say whether two values are the same number, date or normalised text."""
    a, b = normalise(gold), normalise(predicted)
    if a == b:
        return True
    x, y = _number(a), _number(b)
    if x is not None and y is not None:
        return abs(x - y) < TOLERANCE
    dates = _date_parts(a), _date_parts(b)
    return dates[0] is not None and dates[0] == dates[1]


def denotations_match(gold: Iterable[str], predicted: Iterable[str]) -> bool:
    """Say whether two sets of values are equal by the official rule."""
    gold_set = {normalise(g): g for g in gold}
    predicted_set = {normalise(p): p for p in predicted}
    if len(gold_set) != len(predicted_set):
        return False
    return all(any(values_match(g, p) for p in predicted_set.values()) for g in gold_set.values())
