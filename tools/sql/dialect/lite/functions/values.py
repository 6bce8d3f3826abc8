"""Values as numbers and as texts, as in MySQL. Every number that a function is given passes here, and is bounded."""

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from tablerag.tools.sql.dialect.lite.functions.refusals import Refused

__all__ = ["LARGEST", "LONGEST", "OUT_OF_RANGE", "number_of", "storable", "text_of", "whole_of"]

NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+))(?:[eE]([-+]?\d+))?", re.ASCII)
LONGEST = 400
"""Most characters of a number in a text."""
LARGEST = 2**63 - 1
"""Of MySQL's BIGINT and of SQLite's integers."""
LARGEST_DOUBLE = Decimal("1.79769313486231e308")
"""In the 15 digits that results are shown with: rounded to them, the largest of all is infinite."""
MOST_EXPONENT = 1_000
"""No number of up to LONGEST digits with a greater exponent is a DOUBLE."""
LEAST_EXPONENT = -324
OUT_OF_RANGE = "a number is out of range: DOUBLE holds at most 1.797e308"


def number_of(value: Any) -> Decimal:
    """Return a number, or the number that a text begins with, as MySQL does.

    A text beyond the range of DOUBLE is the number nearest to it, which keeps every later step short: the integer
    of 1e99999999 takes minutes to write. Raises Refused for the infinity of a calculation, where MySQL fails too.
    """
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        return _finite(value)
    found = NUMBER.match(str(value)[:LONGEST])
    if not found:
        return Decimal(0)
    exponent = max(-MOST_EXPONENT, min(int(found[2] or 0), MOST_EXPONENT))
    number = Decimal(f"{found[1]}e{exponent}" if found[2] else found[1])
    if not number or number.adjusted() < LEAST_EXPONENT:
        return Decimal(0)
    return LARGEST_DOUBLE.copy_sign(number) if number.copy_abs() > LARGEST_DOUBLE else number


def _finite(value: float) -> Decimal:
    number = Decimal(repr(value))
    if not number.is_finite():
        raise Refused(OUT_OF_RANGE)
    return number


def whole_of(value: Any) -> int:
    """Return the nearest integer, half away from zero, within the range of BIGINT."""
    if isinstance(value, int):
        return value
    return max(-LARGEST - 1, min(int(number_of(value).to_integral_value(ROUND_HALF_UP)), LARGEST))


def storable(value: Any) -> Any:
    """Return a result as SQLite holds it: integers beyond BIGINT become DOUBLE; raise Refused beyond DOUBLE."""
    try:
        return float(value) if type(value) is int and not -LARGEST - 1 <= value <= LARGEST else value
    except OverflowError as error:
        raise Refused(OUT_OF_RANGE) from error


def text_of(value: Any) -> str:
    """Return a value as text: 2.0 as 2, and only the digits that a float can represent exactly."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
    return value if isinstance(value, str) else str(value)
