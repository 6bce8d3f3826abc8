"""Groups with a bound on their rows or totals: "customers with more than 5 orders"."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tablerag.agent.offline.reading.compose import Composer, Draft
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.facts import Field
from tablerag.agent.offline.reading.filters import Bound, mask_of
from tablerag.agent.offline.reading.naming import Tag
from tablerag.agent.offline.reading.query import Measure, Query
from tablerag.agent.offline.reading.shifts import Bounded

if TYPE_CHECKING:
    from tablerag.agent.offline.reading.forms import Forms

__all__ = ["bounded_of"]

TIMES = frozenset("times mal fois rows entries einträge".split())
NEAR = 8


def bounded_of(forms: "Forms") -> Iterator[Draft]:
    """Yield the groups whose number of rows or total is within a bound, and how many such groups there are."""
    for bound in forms.bounds:
        if bound.upper is not None:
            continue
        others = [b for b in forms.bounds if b is not bound]
        named = forms.named
        for filters in forms.filters(named, forms.periods, others):
            composer = forms.composer(named, filters, forms.periods)
            for group in _groups(composer):
                for measure, mask, costs in _measures(composer, bound):
                    yield from _drafts(composer, group, measure, bound, mask, costs)


def _groups(composer: Composer) -> list[Tag]:
    """Return the named columns whose values repeat."""
    return [t for t in composer.texts() if t.field and t.field.is_text and not t.field.is_unique][:2]


def _measures(composer: Composer, bound: Bound) -> Iterator[tuple[Measure, int, Costs]]:
    unit = mask_of(bound.last, bound.last + 1)
    if any(t.mask & unit for t in composer.nouns) or bound.unit in TIMES:
        yield composer.row_count, unit, Costs()
    named: Sequence[tuple[Field, int, Costs]] = [m for m in composer.measures() if m[1]]
    for f, mask, costs in named[:2]:
        if composer.asked.has("average"):
            yield composer.measure("avg", f), mask, costs
        elif f.is_additive:
            unsaid = 0.0 if composer.asked.has("sum") else 0.6
            yield composer.measure("sum", f), mask, costs + Costs(unsaid_sum=unsaid)


def _drafts(composer: Composer, group: Tag, measure: Measure, bound: Bound, mask: int, costs: Costs) -> Iterator[Draft]:
    assert group.field is not None
    said = mask | group.mask | mask_of(bound.first, bound.last) | composer.used("sum", "average", "distinct")
    shown = composer.shown_for(group.field)
    groups = Query(composer.facts.source, composer.where, shown, (measure,), having=(bound.operator, bound.value))
    gap = Costs(column_gap=1 - group.sure)
    if composer.asked.has("count") and _counts_group(composer, group):
        yield composer.draft(Bounded(groups), said | composer.used("count"), "count of groups", costs, gap)
    else:
        yield composer.draft(groups, said, "groups in bound", costs, gap)


def _counts_group(composer: Composer, group: Tag) -> bool:
    """Tell whether "how many" is about the groups."""
    return any(0 <= group.first - p.last <= 3 for p in composer.asked.of("count"))
