"""The two periods that a question compares, and which of them is subtracted from the other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tablerag.agent.offline.reading.comparing import LESS, MORE, THAN
from tablerag.agent.offline.reading.naming import Named, Tag
from tablerag.agent.offline.reading.periods import Period, part_of_year, periods_in, points_in
from tablerag.agent.offline.reading.words import Asked

__all__ = ["LINKS", "SAID", "Change", "Direction", "ends_of", "kinds_of", "mask_of_words", "trimmed", "wants_percent"]

Direction = Literal["later minus earlier", "earlier minus later"]
ContrastKind = Literal["difference", "growth", "decrease"]
LINKS = frozenset(
    """from to between and until till than vs versus against compared with in of the year for since by von auf bis
    zwischen und gegenuber zu als im jahr entre et de a par rapport en au du l annee""".split()
)
SAME = frozenset("same gleichen gleicher gleiche meme memes".split())
SPANS = frozenset("months month period time weeks quarter quarters monate monaten monats zeitraum mois periode".split())
"""Words around periods that a comparison explains."""
SAID = ("change", "percent", "share", "sum", "count", "fall", "up_or_down", "much_more", "much_less", "previous")
"""Concepts that a comparison explains."""
MOST_POINTS = 2


@dataclass(frozen=True, slots=True)
class Change:
    """The two periods of a change, in the order of time, and the words that name them."""

    early: Period
    late: Period
    mask: int
    falls: bool
    """Whether the later value is subtracted: "how much did it drop", "how much less in 2025 than in 2024"."""


def ends_of(asked: Asked) -> Change | None:
    """Return the two periods that a question compares; None unless there are two."""
    keys = [w.key for w in asked.words]
    amounts = [i for i, k in enumerate(keys) if k in MORE | LESS]
    than = [i for i, k in enumerate(keys) if k in THAN]
    said = asked.has("change", "much_more", "much_less", "fall", "previous", "up_or_down")
    if not said and not (amounts and than):
        return None
    points = points_in(asked)
    if len(points) == 1 and asked.has("previous") and points[0].has_year:
        points = [points[0], _year_before(points[0])]
    if len(points) == 1 and points[0].has_year and points[0].grain in ("half", "quarter"):
        points = [*points, *_other_part(asked, points[0])]
    if len(points) > MOST_POINTS:  # "January to March 2025 against the same months of 2024"
        points = [p for p in periods_in(asked) if p.low and p.high]
    if len(points) != MOST_POINTS:
        return None
    one, two = _aligned(*points)
    mask = mask_of_words(asked, (one, two)) | sum(1 << i for i in (*amounts, *than))
    early, late = sorted((one, two), key=lambda p: p.low)
    if early.low == late.low:
        return None
    falls = asked.has("fall") and not asked.has("up_or_down")
    if than or amounts:  # the period named first is held against the other one
        less = bool({keys[i] for i in amounts} & LESS) and not asked.has("up_or_down")
        falls = (one is early) != less
    return Change(early, late, mask, falls)


def _other_part(asked: Asked, period: Period) -> list[Period]:
    """Return the half or quarter that only an ordinal names: of "from the first to the second half of 2025"."""
    for i, key in enumerate(asked.keys):
        days = None if key.isdigit() else part_of_year(key, period.grain, period.year)
        if days and not period.first <= i < period.last:
            label = f"{key} {period.grain} of {period.year}"
            return [replace(period, first=i, last=i + 1, label=label, low=days[0], high=days[1])]
    return []


def _year_before(period: Period) -> Period:
    year = str(period.year - 1)
    label = period.label.replace(str(period.year), year)
    return replace(period, low=year + period.low[4:], high=year + period.high[4:], label=label)


def _aligned(one: Period, two: Period) -> tuple[Period, Period]:
    """Return both with a year and of one length: "March and April 2025", "Q1 2025 vs 2024"."""
    if not one.has_year and two.has_year:
        one = _in_year(one, two.year)
    elif one.has_year and not two.has_year:
        two = _in_year(two, one.year)
    elif one.grain != two.grain and "year" in (one.grain, two.grain) and one.has_year:
        if two.grain == "year":
            two = replace(_moved(one, two.year), first=two.first, last=two.last)
        else:
            one = replace(_moved(two, one.year), first=one.first, last=one.last)
    return one, two


def _in_year(period: Period, year: int) -> Period:
    return replace(
        period, low=f"{year}{period.low[1:]}", high=f"{year}{period.high[1:]}", label=f"{period.label} {year}"
    )


def _moved(period: Period, year: int) -> Period:
    label = period.label.replace(str(period.year), str(year))
    return replace(period, low=f"{year}{period.low[4:]}", high=f"{year}{period.high[4:]}", label=label)


def mask_of_words(asked: Asked, periods: Sequence[Period]) -> int:
    """Return the words of periods and the prepositions that join them."""
    mask = 0
    for p in periods:
        first = p.first
        while first and asked.words[first - 1].key in LINKS:
            first -= 1
        before = [w.key for w in asked.words[max(0, first - 2) : first]]
        if len(before) == 2 and before[0] in SAME and before[1] in SPANS:  # "the same months of 2024"
            first -= 2
        mask |= (1 << p.last) - (1 << first)
    return mask


def trimmed(named: Named, mask: int) -> Named:
    """Return tags without some words; tags of nothing else are left out."""
    tags = tuple(Tag(t.mask & ~mask, t.kind, t.sure, t.field, t.condition) for t in named.tags if t.mask & ~mask)
    return Named(tags, named.gain)


def wants_percent(asked: Asked) -> bool:
    """Tell whether a change is asked for in percent."""
    return asked.has("percent", "share")


def kinds_of(asked: Asked, *, falls: bool) -> list[tuple[ContrastKind, dict[str, float]]]:
    """Return how a change may be expressed, with what each way assumes."""
    growth: ContrastKind = "decrease" if falls else "growth"
    if wants_percent(asked):
        return [(growth, {}), ("difference", {"unsaid_percent": 1.5})]
    return [("difference", {}), (growth, {"unsaid_percent": 2.0})]
