"""Leaves out what a number is counted in, for sets whose gold answers are cells: "$20 million" of a cell "20"."""

import re
from collections.abc import Sequence

__all__ = ["as_shares", "without_units"]

MINUS = "\u2212"
AMOUNT = re.compile(
    r"(?P<open>\(?)(?P<sign>[-+\u2212]?)(?:[A-Z]{0,3}[$€£¥]|[A-Z]{3})?\s?(?P<number>[-+\u2212]?\d[\d,.]*)(?P<close>\)?)"
    r"\s*(?P<percent>%|per ?cent\b|percent\b)?(?:\s*[^\W\d_]+(?:[ /][^\W\d_]+){0,2}[²³]?)?"
)
"""A number with up to three words behind it, such as "thousand US dollars"."""


def without_units(values: Sequence[str]) -> list[str]:
    """Return the values; of those that are an amount, the number with its sign, brackets and percent sign."""
    return [_plain(v.strip()) for v in values]


def as_shares(values: Sequence[str]) -> list[str]:
    """Return the values; of those that are a percentage, the share that it states: 0.25 for "25 %"."""
    return [_share(v) for v in without_units(values)]


def _plain(value: str) -> str:
    found = AMOUNT.fullmatch(value)
    if not found:
        return value
    return "".join(found.group("open", "sign", "number", "close")) + "%" * bool(found["percent"])


def _share(value: str) -> str:
    if not value.endswith("%"):
        return value
    try:
        return f"{float(value[:-1].replace(',', '').replace(MINUS, '-')) / 100:.12g}"
    except ValueError:
        return value
