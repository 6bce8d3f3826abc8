"""MultiHiertt's exact match and F1 (arXiv 2206.01347), by the official script's rules for answers as text.

A computed answer is a number: it may differ by a thousandth, at most by 0.1; signs "$", "%" and separators are left
out. A span is compared as in DROP: words in lower case without punctuation and articles, numbers in a common form, and
no partial credit where the numbers differ.

``official`` follows the script to the letter: it also leaves out minus signs, so that no answer of a text can match a
negative number. ``em`` keeps them, reads brackets as negative, leaves out a scale or currency beside a number, and lets
a percentage match the share that it states.
"""

import math
import re
import string
from collections.abc import Sequence

from tablerag.evaluation.metrics.units import without_units

__all__ = ["multihiertt_scores"]

ARTICLES = re.compile(r"\b(?:a|an|the)\b")
PUNCTUATION = str.maketrans("", "", string.punctuation)
BRACKETED = re.compile(r"\((?P<inside>.*)\)")


def multihiertt_scores(gold: str, values: Sequence[str], *, computed: bool) -> dict[str, float]:
    """Return ``em``, ``f1`` and ``official``; ``computed``: whether the gold answer has a program."""
    given, wanted = ", ".join(v.strip() for v in values), _float(gold)
    if not given:
        return {"em": 0.0, "f1": 0.0, "official": 0.0}
    exact, f1 = _spans(gold, given)
    if not computed or wanted is None:
        return {"em": exact, "f1": f1, "official": exact}
    readings = _readings(", ".join(without_units(values)))
    plain = _float("".join(c for c in given if c not in "$,-%"))
    right = float(any(_close(wanted, number) for number in readings)) if readings else exact
    official = float(_close(wanted, plain)) if plain is not None else exact
    return {"em": right, "f1": right if readings else f1, "official": official}


def _float(text: str) -> float | None:
    try:
        number = float(text) if "_" not in text else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _readings(text: str) -> list[float]:
    """Return the numbers that a text may state: of "25 %" 25 and 0.25; none if it is not one number."""
    bare = text.replace("$", "").replace(",", "").replace(" ", "").replace("\u2212", "-")
    percent = bare.endswith("%")
    inside = BRACKETED.fullmatch(bare.rstrip("%"))
    number = _float(inside["inside"] if inside else bare.rstrip("%"))
    if number is None:
        return []
    number = -abs(number) if inside else number
    return [number, number / 100] if percent else [number]


def _close(gold: float, given: float) -> bool:
    return math.isclose(gold, given, abs_tol=min(abs(min(gold, given) / 1000), 0.1))


def _spans(gold: str, given: str) -> tuple[float, float]:
    a, b = _normalised(gold), _normalised(given)
    wanted, found = set(a.split()), set(b.split())
    numbers = {w for w in wanted if _float(w) is not None}
    if numbers and not numbers & found:
        return float(a == b), 0.0
    shared = len(wanted & found)
    f1 = 2 * shared / (len(wanted) + len(found)) if shared else 0.0
    return float(a == b), round(f1, 2)


def _normalised(text: str) -> str:
    words = (_word(w) for w in re.split("[ -]", text.lower()))
    return " ".join(w for w in words if w.strip())


def _word(word: str) -> str:
    bare = word if _float(word) is not None else word.translate(PUNCTUATION)
    number = _float(bare)
    return str(number) if number is not None else " ".join(ARTICLES.sub(" ", bare).split())
