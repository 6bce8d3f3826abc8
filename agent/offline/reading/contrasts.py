"""Two values compared: "how much more did A cost than B", "did we ship more with DHL or UPS"."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tablerag.agent.offline.reading.changes import counts_cost
from tablerag.agent.offline.reading.compose import Composer, Draft
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.ends import SAID, wants_percent
from tablerag.agent.offline.reading.filters import mask_of
from tablerag.agent.offline.reading.naming import Named, Tag
from tablerag.agent.offline.reading.query import Contrast, Measure, Query
from tablerag.agent.offline.reading.words import Asked

if TYPE_CHECKING:
    from tablerag.agent.offline.reading.forms import Forms

__all__ = ["contrasts_of"]

MORE = frozenset(
    "more higher larger bigger longer heavier older better most mehr hoher grosser langer schwerer teurer plus".split()
)
LESS = frozenset(
    "less fewer lower smaller shorter lighter cheaper younger worse weniger niedriger kleiner billiger moins".split()
)
THAN = frozenset("than als que qu".split())


def contrasts_of(forms: "Forms") -> Iterator[Draft]:
    """Yield the difference of a measure between two values, and which value has more of it."""
    asked = forms.asked
    for first, second in _pairs(asked, forms.named):
        between = {w.key for w in asked.words[first.last : second.first]}
        if asked.has("change", "much_more", "much_less"):
            yield from _difference(forms, first, second, than=bool(THAN & set(asked.keys)))
        if asked.language.set_of("or") & between and (MORE | LESS) & set(asked.keys):
            yield from _which(forms, first, second)


def _pairs(asked: Asked, named: Named) -> Iterator[tuple[Tag, Tag]]:
    values = sorted((t for t in named.tags if t.kind == "value"), key=lambda t: t.first)
    for first, second in zip(values, values[1:], strict=False):
        if first.field is second.field and first.condition != second.condition:
            yield first, second


def _measures(composer: Composer) -> Iterator[tuple[Measure, int, Costs]]:
    average = composer.asked.has("average")
    for f, mask, costs in composer.measures()[:2]:
        yield composer.measure("avg" if average or not f.is_additive else "sum", f), mask, costs
    if composer.nouns and (composer.asked.has("count") or not any(m for _, m, _ in composer.measures())):
        counted = 0.1 if composer.asked.has("count") else counts_cost(composer)
        yield composer.row_count, 0, Costs(assumed_measure=counted)


def _difference(forms: "Forms", first: Tag, second: Tag, *, than: bool) -> Iterator[Draft]:
    sides = []
    for other in (second, first):
        named = replace(forms.named, tags=tuple(t for t in forms.named.tags if t is not other))
        sides.append((named, forms.filters(named, forms.periods, most=1)))
    (named, ones), (_, twos) = sides
    for one, two in zip(ones, twos, strict=False):
        composer = forms.composer(named, one, forms.periods)
        said = composer.used(*SAID, "average", "between", "more", "less") | second.mask | two.mask
        said |= sum(1 << i for i, w in enumerate(forms.asked.words) if w.key in THAN)
        for measure, mask, costs in _measures(composer):
            left = Query(forms.facts.source, one.conditions, measures=(measure,))
            right = Query(forms.facts.source, two.conditions, measures=(measure,))
            if than and forms.asked.has("much_less"):
                left, right = right, left
            if wants_percent(forms.asked):
                yield composer.draft(Contrast("growth", right, left), said | mask, "contrast growth", costs)
            kind = "difference" if than else "gap"
            more = {"unsaid_percent": 0.7 * wants_percent(forms.asked)}
            yield composer.draft(Contrast(kind, right, left), said | mask, "contrast", costs, **more)


def _which(forms: "Forms", first: Tag, second: Tag) -> Iterator[Draft]:
    less = bool(LESS & set(forms.asked.keys))
    either = forms.asked.language.set_of("or")
    words = sum(1 << i for i, k in enumerate(forms.asked.keys) if k in MORE | LESS | either)
    for filters in forms.filters(forms.named, forms.periods, most=1):
        composer = forms.composer(forms.named, filters, forms.periods)
        said = words | composer.used("highest", "lowest", "change", "sum", "count", "average", "either")
        said |= mask_of(first.first, second.last)
        for measure, mask, costs in _measures(composer):
            query = Query(
                forms.facts.source, filters.conditions, shown=(first.field.shown,), measures=(measure,),
                by=measure, descending=not less, limit=1,
            ) if first.field else None  # fmt: skip
            if query:
                yield composer.draft(query, said | mask, "which of two", costs)
