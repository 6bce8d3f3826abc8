"""What the codes of a column stand for, as its description in knowledge.yaml or in a database says."""

import re
from collections import Counter
from collections.abc import Sequence

__all__ = ["LEAST_CODES", "LONGEST_CODE", "codes_in", "codes_told", "meanings_of"]

LONGEST_CODE = 4
"""Characters of a code that a sentence explains."""
LEAST_CODES = 2
"""Codes of one column that a sentence must explain: one may be a word by chance."""
SAYS = re.compile(r"(?:is|are|means|stands for|ist|bedeutet|est) ")
MEANING = r"(?!and |or |und |oder |et |ou )[^\W\d_][\w'’/ -]{1,60}?"
ENDS = r"(?= ?[,.;()\n]| (?:and|or|und|oder|et|ou) |$)"

REST = re.compile(r" (?:by|in|of|at|to|from|for|on|between|von|in|an|bei|durch|par|de|à|pour) .*", re.IGNORECASE)
"""What follows the words that name the thing: "returned by the customer"."""


def codes_told(about: str, codes: Sequence[str]) -> dict[str, str]:
    """Return what a column's description says that its codes mean: as a list, or in a sentence.

    >>> codes_told("O: open; C: cancelled", ["O", "C"])
    {'O': 'open', 'C': 'cancelled'}
    >>> codes_told("State of the order (O = open, C = cancelled)", ["O", "C"])
    {'O': 'open', 'C': 'cancelled'}
    """
    told = (part.partition(":") for part in about.split(";") if ":" in part)
    known = {code.casefold() for code in codes}
    listed = {code.strip(): meaning.strip() for code, _, meaning in told if code.strip() and meaning.strip()}
    if found := {code: meaning for code, meaning in listed.items() if code.casefold() in known}:
        return found
    short = [code for code in codes if len(code) <= LONGEST_CODE and code == code.upper()]
    found = codes_in(f": {about}", short) if about else {}
    return found if len(found) >= LEAST_CODES else {}


def codes_in(text: str, codes: Sequence[str]) -> dict[str, str]:
    """Return what a sentence says that codes stand for: "A (running)", "A = running", or listed, "A running, S spare".

    >>> codes_in("Conditions: 1 good, 2 fair, X taken out of use. REJ (rejected)", ["1", "2", "X"])
    {'1': 'good', '2': 'fair', 'X': 'taken out of use'}
    """
    found: dict[str, str] = {}
    for code in codes:
        said = re.search(
            rf"(?<!\w){re.escape(code)}(?: ?\(({MEANING})\)| ?[=:–] ?({MEANING}){ENDS})"
            rf"|(?:(?<=[(,;:] )|(?<=\()|(?<= and )|(?<= or )|(?<= und )|(?<= oder )|(?<= et )|(?<= ou ))"
            rf"{re.escape(code)} ({MEANING}){ENDS}",
            text,
        )
        if said:
            found[code] = SAYS.sub("", next(g for g in said.groups() if g).strip(), count=1)
    return found


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
