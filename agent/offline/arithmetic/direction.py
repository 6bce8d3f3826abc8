"""A change between two moments: from which to which, and what its sign and the question's own word make of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tablerag.agent.offline.arithmetic.question import ArithmeticQuestion
from tablerag.agent.offline.arithmetic.unread import Unread

__all__ = ["Change", "change_of", "compared"]


@dataclass(frozen=True, slots=True)
class Change:
    """A formula's pattern over two terms, and what has to be said of its result."""

    pattern: str
    note: str = ""


def change_of(question: ArithmeticQuestion, earlier: Decimal, later: Decimal, places: Sequence[int]) -> Change | Unread:
    """Write a change, or a change in percent, from the earlier number to the later; say where signs make it doubtful.

    ``places`` are the earlier and the later number's among the terms.
    """
    first, last = (f"{{{place}}}" for place in places)
    if question.backwards:
        return Unread("whether the change is meant forwards or backwards in time")
    if question.operation == "percent_change":
        if earlier == 0 or earlier < 0 <= later:
            return Unread("a change in percent from zero, or from below zero to above, means nothing")
        return Change(f"({last} - {first}) / {first} * 100", _said(question, earlier, later))
    if earlier < 0 and later < 0 and question.direction:
        return Unread("whether an increase of negative figures is one of their size")
    if question.absolute and later < earlier:
        first, last = last, first
    return Change(f"{last} - {first}", _said(question, earlier, later))


def _said(question: ArithmeticQuestion, earlier: Decimal, later: Decimal) -> str:
    """Say that figures are negative, and where the question's word for the direction is not what happened."""
    negative = earlier < 0 and later < 0
    rose = abs(later) > abs(earlier) if negative else later > earlier
    parts = []
    if negative:
        parts.append(f"Both figures are negative; in size they {'rose' if rose else 'fell'}.")
    if question.operation == "percent_change" and later < 0 < earlier:
        parts.append("It went below zero, where a percentage says little.")
    if earlier != later and question.direction and rose != (question.direction == "up"):
        parts.append("It rose: there was no decrease." if rose else "It fell: there was no increase.")
    return " ".join(parts)


def compared(question: ArithmeticQuestion, first: Decimal, second: Decimal) -> str:
    """Say that of "how much more was one than the other" the opposite holds; "" where it does not."""
    if (question.compared == "up" and first < second) or (question.compared == "down" and first > second):
        return "It was less, not more." if question.compared == "up" else "It was more, not less."
    return ""
