"""What the codes of a column stand for, as its description in knowledge.yaml or in a database says."""

import re
from collections import Counter

__all__ = ["codes_told", "meanings_of"]

REST = re.compile(r" (?:by|in|of|at|to|from|for|on|between|von|in|an|bei|durch|par|de|à|pour) .*", re.IGNORECASE)
"""What follows the words that name the thing: "returned by the customer"."""


def codes_told(about: str) -> dict[str, str]:
    """Return the meanings of codes in a column's description, by code.

    >>> codes_told("O: open; C: cancelled")
    {'O': 'open', 'C': 'cancelled'}
    """
    told = (part.partition(":") for part in about.split(";") if ":" in part)
    return {code.strip(): meaning.strip() for code, _, meaning in told if code.strip() and meaning.strip()}


def meanings_of(told: dict[str, str]) -> dict[str, str]:
    """Return codes by what they stand for, also by its first words where no other code has the same.

    >>> meanings_of({"R": "returned by the customer", "F": "sent in full", "P": "sent in part"})
    {'returned by the customer': 'R', 'sent in full': 'F', 'sent in part': 'P', 'returned': 'R'}
    """
    whole = {meaning: code for code, meaning in told.items()}
    heads = {meaning: REST.sub("", meaning) for meaning in whole}
    counts = Counter(head.casefold() for head in heads.values())
    alone = {head: whole[m] for m, head in heads.items() if counts[head.casefold()] == 1}
    return whole | {head: code for head, code in alone.items() if head not in whole}
