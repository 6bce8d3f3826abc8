"""Values of database drivers as JSON-safe cells, the same for every database."""

import math
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from tablerag.tools.records import Cell

__all__ = ["column_letters", "json_cell"]

LARGEST_EXACT = 2**53
"""The largest integer up to which floats represent every integer."""
LARGEST = 1.79769313486231e308
"""The largest float of 15 digits."""


def column_letters(number: int) -> str:
    """Return the letters of a spreadsheet column: 1 is A, 28 is AB."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def json_cell(value: object) -> Cell:
    """Return a value for JSON: decimals as int or float, dates and times in ISO 8601."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        # A float represents 15 digits exactly: 0.1 + 0.2 is shown as 0.3.
        return _rounded(value) if math.isfinite(value) else str(value)
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return _clock(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return _text(bytes(value))
    return str(value)


def _rounded(value: float) -> float:
    # A server gives the largest DOUBLE for '1e999', whose 15 digits are rounded up to infinity.
    return max(-LARGEST, min(float(f"{value:.15g}"), LARGEST))


def _text(value: bytes) -> str:
    """Decode bytes, which some text functions of servers return; hexadecimal if they are not UTF-8."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.hex()


def _number(value: Decimal) -> Cell:
    if not value.is_finite():
        return str(value)
    # SUM() of integers is a DECIMAL without decimals; AVG() keeps its decimals even if they are zero.
    whole = value == value.to_integral_value()
    if whole and (value.as_tuple().exponent == 0 or abs(value) > LARGEST_EXACT):
        return int(value)
    return float(value)


def _clock(value: timedelta) -> str:
    """Format a TIME, which may be negative or longer than a day, as [-]HH:MM:SS."""
    total = abs(value)
    seconds = total.days * 86_400 + total.seconds
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    fraction = f".{total.microseconds:06}" if total.microseconds else ""
    return ("-" if value < timedelta() else "") + text + fraction
