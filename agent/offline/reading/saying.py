"""Conditions on dates in words, whatever the question's: "is in March 2025"."""

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date

from tablerag.agent.presenting.values import MONTHS

__all__ = ["period_words"]

DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?: .*)?")


def period_words(operator: str, values: Sequence[str | float]) -> str:
    """Return a condition on dates, such as "is in March 2025"; "" for other conditions."""
    if operator == "month":
        return f"is in {MONTHS[int(values[0]) - 1]}"
    if operator == "quarter":
        return f"is in Q{int(values[0])}"
    if not values or not all(isinstance(v, str) and DAY.fullmatch(v) for v in values):
        return ""
    days = [date.fromisoformat(str(v)[: len("2025-03-14")]) for v in values]
    match operator:
        case "between":
            return f"is {_span(days[0], days[-1])}"
        case ">=":
            return f"is {days[0]} or later"
        case "<=":
            return f"is {days[0]} or earlier"
        case _:
            return ""


def _span(first: date, last: date) -> str:
    if first == last:
        return f"on {first}"
    whole = first.day == 1 and last.day == monthrange(last.year, last.month)[1]
    if not whole or first.year != last.year:
        years = whole and (first.month, last.month) == (1, 12)
        return f"between {first.year} and {last.year}" if years else f"between {first} and {last}"
    months = last.month - first.month + 1
    if months == len(MONTHS):
        return f"in {first.year}"
    if months == 1:
        return f"in {MONTHS[first.month - 1]} {first.year}"
    if months == 3 and first.month % 3 == 1:
        return f"in Q{last.month // 3} {first.year}"
    return f"from {MONTHS[first.month - 1]} to {MONTHS[last.month - 1]} {first.year}"
