"""Questions over wide tables: a period picks columns, several are added up, and a series makes them rows."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tablerag.agent.offline.reading.compose import GRAINS, RANKS, UP, Composer, Draft
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.ends import ends_of, mask_of_words, trimmed
from tablerag.agent.offline.reading.facts import Field
from tablerag.agent.offline.reading.naming import Named
from tablerag.agent.offline.reading.periods import Period
from tablerag.agent.offline.reading.query import Condition
from tablerag.agent.offline.reading.shifts import Series
from tablerag.agent.offline.reading.wide import WHOLE, Family, base_of, families_of, pick, summed, tagged

if TYPE_CHECKING:
    from tablerag.agent.offline.reading.forms import Forms

__all__ = ["spread_of"]


def spread_of(forms: "Forms") -> Iterator[Draft]:
    """Yield the readings of a table with a column for each period."""
    if ends_of(forms.asked) is not None:
        return
    for family in families_of(forms.facts):
        yield from _of_period(forms, family)
        yield from _series(forms, family)


def _of_period(forms: "Forms", family: Family) -> Iterator[Draft]:
    """Yield what is asked of the columns of a period, or of all of them."""
    for field, named, kept, words, condition in _chosen(forms, family):
        for plain in forms.filters(named, kept):
            filters = plain.plus(condition, words, period=True) if condition else plain
            composer = forms.composer(named, filters, kept)
            for draft in composer.all():
                if draft.kind != "count" and _uses(draft, field):
                    costs = draft.costs + Costs(unnamed=float(not _is_named(composer, field, family, words)))
                    yield replace(draft, mask=draft.mask | words, costs=costs)


def _is_named(composer: Composer, field: Field, family: Family, words: int) -> bool:
    """Tell whether a question names what a wide table measures, not only whose it is and when."""
    said = any(t.mask & ~words for t in composer.named.tags if t.field is field) or bool(family.base)
    return said or bool(composer.unit_mask(field)) or bool(composer.nouns and composer.measures_title())


def _uses(draft: Draft, field: Field) -> bool:
    return (
        field.ref.sql(qualified=False) in draft.query.sql().replace("`.`", "`")
        or field.ref.sql(qualified=True) in draft.query.sql()
    )


def _chosen(forms: "Forms", family: Family) -> Iterator[tuple[Field, Named, list[Period], int, Condition | None]]:
    """Yield the columns that the question means as one, how the rest is tagged, and the rows of the year."""
    for period in forms.periods:
        found = pick(family, period, forms.facts)
        if found is None:
            continue
        words = mask_of_words(forms.asked, [period])
        named = trimmed(forms.named, words)
        base, gap = base_of(family, named)
        others = [p for p in forms.periods if p is not period]
        field = found.field
        yield field, tagged(named, family, field, base | words, gap + found.cost), others, words, found.condition
    if not forms.periods and not _has_total(forms):
        base, gap = base_of(family, forms.named)
        whole = summed([f for _, f in family.members])
        marks = base or sum(1 << i for i, w in enumerate(forms.asked.words) if w.key in WHOLE)
        if marks and forms.asked.has("sum", "highest", "lowest", "share"):
            yield whole, tagged(forms.named, family, whole, marks, gap + 0.2), [], 0, None


def _has_total(forms: "Forms") -> bool:
    return any(f.is_measure and WHOLE & {w.text for w in f.words} for f in forms.facts.fields)


def _series(forms: "Forms", family: Family) -> Iterator[Draft]:
    """Yield one value for each column, and the period with the highest or lowest."""
    asked = forms.asked
    grain = {"month": "by_month", "quarter": "by_quarter", "year": "by_year", "season": "by_year"}.get(
        family.members[0][0].grain, ""
    )
    noun = {"by_month": "month", "by_quarter": "quarter", "by_year": "year"}.get(grain, "")
    spoken = sum(1 << i for i, w in enumerate(asked.words) if noun and noun in w.lexeme.groups)
    ranks = asked.of(*RANKS)
    if not spoken and not asked.has(grain, "chart"):
        return
    members, words, cost, condition = _members_in(forms, family)
    if len(members) < 2:
        return
    named = trimmed(forms.named, words | spoken)
    base, gap = base_of(family, named)
    kept = replace(named, tags=tuple(t for t in named.tags if not t.mask & base))
    for filters in forms.filters(kept, [], most=1):
        composer = forms.composer(kept, filters.plus(condition, words, period=True) if condition else filters)
        function = "avg" if asked.has("average") else "sum"
        columns = tuple((p.label, composer.measure(function, f)) for p, f in members)
        said = base | words | spoken | composer.used("sum", "average", "chart", "group", *GRAINS)
        costs = Costs(column_gap=gap + cost)
        if ranks:
            up = ranks[0].concept in UP
            series = Series(forms.facts.source, composer.where, columns, 1, descending=up)
            yield composer.draft(series, said | composer.used(*RANKS), "top of series", costs)
        else:
            yield composer.draft(Series(forms.facts.source, composer.where, columns), said, "series", costs)


def _members_in(forms: "Forms", family: Family) -> tuple[list[tuple[Period, Field]], int, float, Condition | None]:
    """Return the columns inside the question's period, the words of that, a cost, and the rows of the year."""
    if not forms.periods:
        several = len(forms.facts.schema.members) > 1 and not family.has_years
        return list(family.members), 0, 0.6 * several, None
    period = forms.periods[0]
    found = pick(family, period, forms.facts)
    if found is None or len(forms.periods) > 1:
        return [], 0, 0.0, None
    name = found.field.ref.sql(qualified=False)
    inside = [m for m in family.members if m[1].ref.sql(qualified=False) in name]
    return inside, mask_of_words(forms.asked, [period]), found.cost, found.condition
