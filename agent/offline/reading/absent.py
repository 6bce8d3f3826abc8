"""Rows that no row of another table refers to: products that were never ordered, customers without orders in 2025."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tablerag.agent.offline.reading.facts import Facts
from tablerag.agent.offline.reading.filters import mask_of, natural_date
from tablerag.agent.offline.reading.joining import key_between
from tablerag.agent.offline.reading.periods import Period
from tablerag.agent.offline.reading.query import Condition
from tablerag.agent.offline.reading.tag import Tag, sum_masks
from tablerag.agent.offline.reading.vocabulary import SYNONYM, likeness
from tablerag.agent.offline.reading.words import Asked

__all__ = ["absent_in"]

NAMED = 0.55
"""How surely a word names the rows of a table that it is about, noun or verb."""
NEAR = 2
"""Words between "no" and what there is none of, at most: "did not place any orders"."""
MOST_SURE = 0.95


def absent_in(asked: Asked, facts: Facts, tables: Sequence[Facts], periods: Sequence[Period]) -> Iterator[Tag]:
    """Yield the words that say there are no rows of another table for a row of this one, with that condition.

    A period that the question states is one of the other rows, if they have dates.
    """
    places = list(_denied(asked))
    for other in tables if places else ():
        if other.schema is facts.schema or not (key := key_between(other, facts)):
            continue
        left, right, _ = key
        condition = Condition(right.ref, "absent", other=left.ref)
        dated = natural_date(periods[0], other) if len(periods) == 1 else None
        if periods and dated is None:
            continue
        for first, place in places:
            word = asked.words[place].lexeme
            sure = max((s * likeness(word, n) for n, s in other.nouns if likeness(word, n) >= SYNONYM), default=0.0)
            if sure > NAMED:
                mask = mask_of(first, place + 1) | sum_masks(mask_of(p.first, p.last) for p in periods)
                yield Tag(mask, "flag", min(sure, MOST_SURE), right, replace(condition, within=dated))


def _denied(asked: Asked) -> Iterator[tuple[int, int]]:
    """Yield where a "not" or "no" is, and each word shortly after it."""
    said = asked.language.set_of
    denied = {(p.first, p.last) for p in asked.of("excluding", "empty")}
    denied |= {(i, i + 1) for i, key in enumerate(asked.keys) if key in said("never") | said("none")}
    for first, last in sorted(denied):
        yield from ((first, place) for place in range(last, min(last + NEAR + 1, len(asked.words))))
