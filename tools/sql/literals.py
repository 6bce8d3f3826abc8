"""Numbers that statements hold: which of them need no source, and which a text states."""

import re
from decimal import Decimal

from tablerag.tools.number_words import WORD_SCALE, power_of

__all__ = ["CONSTANTS", "numbers_in"]

CONSTANTS = frozenset(
    Decimal(n) for n in ("0.25", "0.5", *range(13), 24, 52, 60, 100, 360, 365, 1000, 3600, 10**6, 10**9)
)
"""How many are averaged, spans of time, percent and scales."""
NUMBER = re.compile(
    rf"(?<![\w.,])(\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)(?!\d|,\d)(?: ?({WORD_SCALE}))?(\s?%)?"
)


def numbers_in(text: str) -> set[Decimal]:
    """Return the numbers of a text, those with a scale in both ways, and percentages also as shares."""
    found: set[Decimal] = set()
    for digits, scale, percent in NUMBER.findall(text):
        number = Decimal(digits.replace(",", ""))
        found |= {number, number.scaleb(power_of(scale))} | ({number.scaleb(-2)} if percent else set())
    return found
