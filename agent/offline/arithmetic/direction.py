"""Changes between two periods: their formula, and notes on signs and on the direction that the question names."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tablerag.agent.offline.arithmetic.question import ArithmeticQuestion, Unread

__all__ = ["Change", "change_of", "compared"]


@dataclass(frozen=True, slots=True)
class Change:
    """A formula's pattern over two terms, and a note on its result."""

    pattern: str
    note: str = ""


def change_of(question: ArithmeticQuestion, earlier: Decimal, later: Decimal, places: Sequence[int]) -> Change | Unread:
    """Write a change or percentage change from the earlier number to the later; Unread if signs make it ambiguous.

    ``places`` are the indexes of the earlier and the later number among the terms.
    """
    first, last = (f"{{{place}}}" for place in places)
    if question.backwards:
        return Unread("it is unclear whether the change is meant forwards or backwards in time")
    if question.operation == "percent_change":
        if earlier == 0 or earlier < 0 <= later:
            return Unread("a percentage change from zero, or from negative to positive, has no meaning")
        return Change(f"({last} - {first}) / {first} * 100", _note(question, earlier, later))
    if earlier < 0 and later < 0 and question.direction:
        return Unread("it is unclear what an increase or decrease of negative figures means")
    if question.absolute and later < earlier:
        first, last = last, first
    return Change(f"{last} - {first}", _note(question, earlier, later))


def _note(question: ArithmeticQuestion, earlier: Decimal, later: Decimal) -> str:
    """Return a note if figures are negative, or did not move in the direction that the question names."""
    negative = earlier < 0 and later < 0
    rose = abs(later) > abs(earlier) if negative else later > earlier
    parts = []
    if negative:
        parts.append(f"Both figures are negative; their absolute value {'rose' if rose else 'fell'}.")
    if question.operation == "percent_change" and later < 0 < earlier:
        parts.append("The figure became negative, so the percentage means little.")
    if earlier != later and question.direction and rose != (question.direction == "up"):
        parts.append("It rose; there was no decrease." if rose else "It fell; there was no increase.")
    return " ".join(parts)


def compared(question: ArithmeticQuestion, first: Decimal, second: Decimal) -> str:
    """Return a note if the opposite of "how much more was one than the other" holds; else ""."""
    if (question.compared == "up" and first < second) or (question.compared == "down" and first > second):
        return "It was less, not more." if question.compared == "up" else "It was more, not less."
    return ""
