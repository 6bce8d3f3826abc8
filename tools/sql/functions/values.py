"""Values as numbers and as texts, as MySQL reads and writes them."""

import re
from decimal import Decimal
from typing import Any

__all__ = ["LONGEST", "number_of", "text_of"]

NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
LONGEST = 400
"""Characters of a text that a number may take."""


def number_of(value: Any) -> Decimal:
    """Read a number, or the number that a text begins with, as MySQL does."""
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        return Decimal(repr(value))
    found = NUMBER.match(str(value)[:LONGEST])
    return Decimal(found.group().strip()) if found else Decimal(0)


def text_of(value: Any) -> str:
    """Write a value: 2.0 as 2, and no more digits than a float holds for sure."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
    return value if isinstance(value, str) else str(value)
