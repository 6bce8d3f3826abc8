"""Leaves out what a number is counted in, for sets whose gold answers are cells: "$20 million" of a cell "20"."""

import re
from collections.abc import Sequence

__all__ = ["without_units"]

AMOUNT = re.compile(
    r"(?P<open>\(?)(?P<sign>[-+\u2212]?)(?:[A-Z]{0,3}[$€£¥]|[A-Z]{3})?\s?(?P<number>[-+\u2212]?\d[\d,.]*)(?P<close>\)?)"
    r"\s*(?P<percent>%?)(?:\s*(?:hundred|thousand|million|billion)s?)?"
)


def without_units(values: Sequence[str]) -> list[str]:
    """Return the values; of those that are an amount, the number with its sign, brackets and percent sign."""
    return [_plain(v.strip()) for v in values]


def _plain(value: str) -> str:
    found = AMOUNT.fullmatch(value)
    return "".join(found.group("open", "sign", "number", "close", "percent")) if found else value
