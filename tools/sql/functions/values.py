"""Values as numbers and as texts, as in MySQL."""

import re
from decimal import Decimal
from typing import Any

__all__ = ["LONGEST", "number_of", "text_of"]

NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
LONGEST = 400
"""Most characters of a number in a text."""


def number_of(value: Any) -> Decimal:
    """Return a number, or the number that a text begins with, as MySQL does."""
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        return Decimal(repr(value))
    found = NUMBER.match(str(value)[:LONGEST])
    return Decimal(found.group().strip()) if found else Decimal(0)


def text_of(value: Any) -> str:
    """Return a value as text: 2.0 as 2, and only the digits that a float can represent exactly."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
    return value if isinstance(value, str) else str(value)
