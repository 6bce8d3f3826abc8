"""HiTab's denotation accuracy (arXiv 2108.06712): values are equal one by one, in order.

A text that is a number, perhaps with separators, brackets or "%", counts as that number; brackets do not make it
negative, as in the official script. Numbers may differ by 1e-5. Other texts are compared without regard to case.
"""

import re
from collections.abc import Sequence

__all__ = ["denotation", "value_of"]

TOLERANCE = 1e-5
SPACES = re.compile(r"\s+")


def denotation(gold: Sequence[str | float], given: Sequence[str]) -> float:
    """Return 1 if the answer's values are the gold ones, else 0."""
    if len(gold) != len(given) or not gold:
        return 0.0
    return float(all(_equal(value_of(a), value_of(b)) for a, b in zip(gold, given, strict=True)))


def value_of(value: str | float) -> str | float:
    """Return a value as a number, or else as text in lower case with single spaces."""
    if not isinstance(value, str):
        return float(value)
    text = SPACES.sub(" ", value.strip().lower())
    bare = text.removeprefix("(")
    bare = bare[:-1] if bare.endswith(("%", ")")) else bare
    try:
        number = float(bare.replace(",", "").replace("_", "x"))  # float() accepts 1_000, people do not write it
    except ValueError:
        return text
    return number if number == number else text


def _equal(a: str | float, b: str | float) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return abs(a - b) < TOLERANCE
