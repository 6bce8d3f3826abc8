"""The time between two date columns of a row: "how many days from application to decision"."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tablerag.agent.offline.reading.compose import RANKS, Draft
from tablerag.agent.offline.reading.facts import Facts, Field
from tablerag.agent.offline.reading.naming import Named, Tag
from tablerag.agent.offline.reading.query import Calc, Query
from tablerag.agent.offline.reading.wide import Derived, derived

if TYPE_CHECKING:
    from tablerag.agent.offline.reading.forms import Forms

__all__ = ["durations_of"]

LENGTHS = frozenset("longest shortest longer shorter quickest fastest slowest quick fast".split())
SLOW, FAST = frozenset(("slowest", "langsamste")), frozenset("quickest fastest schnellste".split())
TIMES = frozenset("day days long time duration tage lange dauer jours temps duree delai".split())
LINKS = frozenset("from to between and until till of it von bis zwischen und de a entre et".split())
NO_DURATION = frozenset("duration days length dauer tage duree jours".split())
"""Words of a column that holds the duration itself."""


def durations_of(forms: "Forms") -> Iterator[Draft]:
    """Yield the average, extremes and lists of the days between two dates."""
    asked = forms.asked
    words = [i for i, w in enumerate(asked.words) if w.key in TIMES | LENGTHS]
    keys = set(asked.keys)
    if not asked.has("elapsed") and (not LENGTHS & keys or asked.language.set_of("serving") & keys):
        return  # "who has been with the company longest" asks for the earliest day
    for start, end, tags, cost in _pairs(forms.facts, forms.named):
        days = derived(start, Calc("days", (start.ref, end.ref)), type="integer", unit="days", kind="")
        said = sum(1 << i for i in words) | sum(t.mask for t in tags) | _elapsed(forms)
        said |= sum(1 << i for i, w in enumerate(asked.words) if tags and w.key in LINKS)
        rest = [t for t in forms.named.tags if t not in tags]
        named = replace(forms.named, tags=(*rest, Tag(said, "column", max(0.0, 1 - cost), days)))
        yield from _drafts(forms, named, days, said)


def _elapsed(forms: "Forms") -> int:
    mask = 0
    for p in forms.asked.of("elapsed"):
        mask |= (1 << p.last) - (1 << p.first)
    return mask


def _drafts(forms: "Forms", named: Named, days: Derived, said: int) -> Iterator[Draft]:
    for filters in forms.filters(named, forms.periods):
        composer = forms.composer(named, filters, forms.periods)
        for draft in composer.all():
            if "DATEDIFF" in draft.query.sql() and draft.kind != "sum":
                spoken = said | (composer.used("count") if forms.asked.has("elapsed") else 0)
                ranked = composer.used(*RANKS) if draft.kind.startswith(("top", "extreme")) else 0
                draft = _by_speed(draft, set(forms.asked.keys))
                yield replace(draft, mask=draft.mask | spoken | ranked, kind=f"days {draft.kind}")


def _by_speed(draft: Draft, keys: set[str]) -> Draft:
    """Return a ranked draft in which the slowest takes the most days, and the fastest the fewest."""
    query = draft.query
    if not isinstance(query, Query) or not keys & (SLOW | FAST) or not draft.kind.startswith(("top", "extreme")):
        return draft
    if query.by is not None:
        return replace(draft, query=replace(query, descending=bool(keys & SLOW)))
    function = "max" if keys & SLOW else "min"
    return replace(draft, query=replace(query, measures=tuple(replace(m, function=function) for m in query.measures)))


def _pairs(facts: Facts, named: Named) -> Iterator[tuple[Field, Field, list[Tag], float]]:
    """Yield the start and the end: two named dates, or a named one and the only other."""
    if any(f.is_measure and NO_DURATION & {w.text for w in f.words} for f in facts.fields):
        return
    dates = [f for f in facts.fields if f.is_date and f.schema is facts.schema]
    tags = sorted((t for t in named.tags if t.kind == "column" and t.field in dates), key=lambda t: t.first)
    fields = list(dict.fromkeys(t.field for t in tags if t.field))
    if len(fields) == 2:
        yield (*_ordered(fields[0], fields[1]), tags, sum(1 - t.sure for t in tags))
    elif len(fields) < 2 and len(dates) == 2:
        yield (*_ordered(dates[0], dates[1]), tags, 0.1 if tags else 0.25)


def _ordered(one: Field, two: Field) -> tuple[Field, Field]:
    """Return the column with the earlier dates first."""
    both = [(a, b) for a, b in zip(one.cells, two.cells, strict=False) if a is not None and b is not None]
    later = sum(str(a) > str(b) for a, b in both)
    return (two, one) if later > len(both) / 2 else (one, two)
