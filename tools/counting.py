"""Counts in words: 1 row, 1,234 rows."""

__all__ = ["counted"]


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which is in the plural for all numbers but 1."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
