"""Two dates of a row held against each other: "delivered later than promised", "paid after the due date"."""

import re
from collections.abc import Iterator

from tablerag.agent.offline.reading.comparing import Compared
from tablerag.agent.offline.reading.facts import Facts, Field
from tablerag.agent.offline.reading.naming import Named
from tablerag.agent.offline.reading.periods import periods_in
from tablerag.agent.offline.reading.query import Operator
from tablerag.agent.offline.reading.words import Asked, Phrase

__all__ = ["late_in"]

PLANNED = frozenset(("deadline", "target", "budget", "promised"))
"""Groups of headers for when something should have happened."""
DONE = frozenset(("delivered", "arrival", "payment", "return", "shipment", "closed", "actual", "inspection"))
"""Groups of headers for when it did."""
SIGNALS: dict[str, Operator] = {"late": ">", "after": ">", "on_time": "<=", "before": "<"}
BARE = ("late", "on_time")
"""Signals that need not name the date that was planned."""
NEAR = 6
"""At most as many words after a signal say what was planned: "than the customer had asked for"."""
ASSUMED = 0.1


def late_in(asked: Asked, facts: Facts, named: Named) -> Iterator[Compared]:
    """Yield the comparison of when something happened with when it was planned, as a question's words ask for it."""
    dates = [f for f in facts.fields if (f.is_date or _has_times(f)) and f.schema is facts.schema]
    planned = [f for f in dates if f.groups & PLANNED and "actual" not in f.groups]
    actual = [f for f in dates if f not in planned]
    if not planned or not actual:
        return
    for phrase in asked.of(*SIGNALS):
        if any(p.first <= phrase.last <= p.last or p.first <= phrase.first < p.last for p in periods_in(asked)):
            continue  # "after March 2025"
        limit, limit_mask = _limit_of(asked, planned, named, phrase)
        if limit is None:
            continue
        for done, mask, gap in _done_of(actual, limit, named, phrase):
            whole = sum(1 << i for i in range(phrase.first, phrase.last)) | limit_mask | mask
            later = asked.language.set_of("later") if phrase.concept == "late" else ()
            whole |= sum(1 << i for i, k in enumerate(asked.keys) if k in later)
            tags = tuple(t for t in named.tags if t.kind in ("column", "value") and not t.mask & ~whole)
            yield Compared(done, SIGNALS[phrase.concept], limit, whole, tags, gap, ASSUMED)


def _limit_of(asked: Asked, planned: list[Field], named: Named, signal: Phrase) -> tuple[Field | None, int]:
    """Return the date that was planned, and the words after a signal that name it."""
    mask, said = 0, False
    for i in range(signal.last, min(signal.last + NEAR, len(asked.words))):
        word = asked.words[i]
        telling = bool(word.lexeme.groups & (PLANNED | {"date"}))
        if not (telling or asked.may_be_left(i) or word.lexeme.groups & {"customer"}):
            break
        mask |= 1 << i
        said |= bool(word.lexeme.groups & PLANNED)
    tagged = [t.field for t in named.tags if t.kind == "column" and t.field in planned and t.first >= signal.last]
    if not said and not tagged and signal.concept not in BARE:
        return None, 0
    return (tagged or planned)[0], mask if said or tagged or signal.concept in BARE else 0


def _done_of(actual: list[Field], limit: Field, named: Named, signal: Phrase) -> Iterator[tuple[Field, int, float]]:
    """Yield the likeliest date of what happened, the words that name it, and how unsure that is."""
    tags = [t for t in named.tags if t.kind in ("column", "value") and t.last <= signal.first]
    for tag in sorted(tags, key=lambda t: -t.first):
        if (
            tag.kind == "column"
            and tag.field in actual
            and tag.field.is_date == limit.is_date
            and tag.field.groups & DONE
        ):
            yield tag.field, tag.mask, 0.5 * (1 - tag.sure)
            return
    actual = [f for f in actual if f.is_date == limit.is_date]
    fitting = [f for f in actual if f.groups & DONE]
    fitting = fitting or [f for f in actual if f.groups & limit.groups - PLANNED - {"date"}]
    if fitting:
        yield fitting[-1], 0, 0.1 * len(fitting)


def _has_times(f: Field) -> bool:
    """Tell whether a column has times of the day, which sort as text."""
    return f.is_text and all(re.fullmatch(r"\d\d:\d\d", str(t)) for t in f.texts[:20] if t is not None)
