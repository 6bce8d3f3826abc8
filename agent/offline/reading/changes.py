"""Changes from one period to another: over dates, over years as rows, over columns, and over files or sheets."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from tablerag.agent.offline.reading.comparing import LESS, MORE, THAN
from tablerag.agent.offline.reading.compose import MONEY_HEADS, RANKS, UP, Composer, Draft
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.ends import SAID, Change, ends_of, kinds_of, trimmed, wants_percent
from tablerag.agent.offline.reading.facts import Facts, Field
from tablerag.agent.offline.reading.filters import Filters, has_periods, table_periods
from tablerag.agent.offline.reading.joining import header_key
from tablerag.agent.offline.reading.mismatch import asks_which
from tablerag.agent.offline.reading.naming import Named, Tag
from tablerag.agent.offline.reading.periods import Period
from tablerag.agent.offline.reading.query import Calc, Condition, Contrast, Expr, Measure, Query, Ref
from tablerag.agent.offline.reading.shifts import Shift
from tablerag.agent.offline.reading.versions import key_of_versions
from tablerag.agent.offline.reading.wide import Picked, base_of, derived, families_of, pick
from tablerag.agent.offline.reading.words import Asked

if TYPE_CHECKING:
    from tablerag.agent.offline.reading.forms import Forms

__all__ = ["changes_of", "counts_cost"]

MOST_MEASURES = 3
PRICES_SAID = frozenset("teurer dearer pricier expensive cheaper billiger gunstiger cher chere".split())
"""Words that name a price by comparing it."""


def changes_of(forms: "Forms") -> Iterator[Draft]:
    """Yield the difference and the growth from the earlier to the later of two periods."""
    change = ends_of(forms.asked)
    if change is None:
        return
    named = trimmed(forms.named, change.mask)
    yield from _of_columns(forms, named, change)
    yield from _of_tables(forms, named, change)
    ones, twos = (forms.filters(named, [end]) for end in (change.early, change.late))
    for one, two in zip(ones, twos, strict=False):
        same = {c.ref for c in one.periods} == {c.ref for c in two.periods}  # not opened against closed
        if same and set(one.conditions) != set(two.conditions):
            yield from _of_rows(forms, named, change, one, two)


def _of_rows(forms: "Forms", named: Named, change: Change, one: Filters, two: Filters) -> Iterator[Draft]:
    """Compare the rows of one period with those of the other."""
    composer = forms.composer(named, one)
    said = composer.used(*SAID, "average") | change.mask | two.mask
    for measure, mask, costs in _measures(composer):
        if composer.groups or composer.asked.has(*RANKS) or _asks_those(composer.asked):
            yield from _per_group(composer, measure, said | mask, one, two, costs, falls=change.falls)
        first = Query(forms.facts.source, one.conditions, measures=(measure,))
        second = Query(forms.facts.source, two.conditions, measures=(measure,))
        yield from _contrasts(composer, change, first, second, said | mask, costs)


def _contrasts(
    composer: Composer, change: Change, early: Query, late: Query, said: int, costs: Costs, names: int = 0
) -> Iterator[Draft]:
    """Yield what a change is asked for as; ``names``: words that name its column."""
    for kind, more in kinds_of(composer.asked, falls=change.falls):
        one, two = (late, early) if kind == "difference" and change.falls else (early, late)
        named = any(t.mask & said for t in composer.named.tags if t.kind in ("noun", "column")) or composer.nouns
        priced = sum(1 << i for i, w in enumerate(composer.asked.words) if w.key in PRICES_SAID)
        named, said = named or priced or names, said | priced
        unnamed = Costs(unnamed=float(not named))
        yield composer.draft(Contrast(kind, one, two), said, f"change {kind}", costs, unnamed, **more)


def _measures(composer: Composer) -> list[tuple[Measure, int, Costs]]:
    """Return what may have changed: named columns, or the number of rows."""
    average = composer.asked.has("average")
    found: list[tuple[Measure, int, Costs]] = []
    for f, mask, costs in composer.measures(additive=not average) or composer.measures():
        costs = costs + _of_rows_cost(composer, f, mask)
        function = "avg" if average or not (f.is_additive or composer.asked.has("sum")) else "sum"
        found.append((composer.measure(function, f), mask, costs))
    if _counts_rows(composer):
        # "How many more orders" is about orders if what was ordered is not named.
        many = composer.asked.language.set_of("many") & set(composer.asked.keys) and not any(m for _, m, _ in found)
        counted = 0.0 if composer.asked.has("count") or many or not found else counts_cost(composer)
        found.insert(0, (composer.row_count, 0, Costs(assumed_measure=counted)))
    return found[:MOST_MEASURES]


def _of_rows_cost(composer: Composer, f: Field, mask: int) -> Costs:
    """Return the cost of money where only the word for the rows names it: "how many more orders" are no order value."""
    rows = sum(t.mask for t in composer.nouns) if composer.asked.has("count") else 0
    return Costs(counts=0.4) if mask and not mask & ~rows and f.groups & MONEY_HEADS else Costs()


def _counts_rows(composer: Composer) -> bool:
    """Tell whether a change may be of how many rows there are."""
    if composer.measures_title() or composer.counts_unit() or not composer.nouns:
        return False
    return composer.asked.has("count") or not any(mask for _, mask, _ in composer.measures())


def counts_cost(composer: Composer) -> float:
    """Return the cost of counting rows without a word for it: much for "how much", and if each row is a month."""
    keys = composer.asked.keys
    much = any(
        k in ("much", "wieviel") or (k, n) == ("wie", "viel") for k, n in zip(keys, [*keys[1:], ""], strict=True)
    )
    money = any(f.is_money and f.is_additive for f in composer.facts.fields)
    by_period = any(has_periods(f) for f in composer.facts.fields if f.index < 4)
    weak = max(0.0, 0.85 - max(t.sure for t in composer.nouns))
    return 0.3 + 2 * weak + 0.8 * (much and money) + 1.2 * by_period


def _per_group(
    composer: Composer, measure: Measure, said: int, one: Filters, two: Filters, costs: Costs, *, falls: bool
) -> Iterator[Draft]:
    """Yield the change of each group, and the group with the greatest change, or those that have more or less."""
    common = tuple(c for c in one.conditions if c in two.conditions)
    before = tuple(c for c in one.conditions if c not in common)
    after = tuple(c for c in two.conditions if c not in common)
    if not before or not after:
        return
    kind: Literal["growth", "difference"] = "growth" if wants_percent(composer.asked) else "difference"
    for expr, mask, more in composer.groups:
        shift = Shift(composer.facts.source, common, (expr,), measure, before, after, kind)
        yield composer.draft(shift, said | mask | composer.used("group", "chart"), "change per group", costs, more)
    ranks = composer.asked.of(*RANKS)
    those = _asks_those(composer.asked)
    for tag in composer.texts():
        if those and tag.field and not tag.field.is_date:
            shown, test = _named_by(composer, tag.field), "<" if falls else ">"
            shift = Shift(composer.facts.source, common, shown, measure, before, after, kind, test)
            ranked = said | tag.mask | composer.used(*RANKS)
            yield composer.draft(shift, ranked, "changed groups", costs, column_gap=1 - tag.sure)
        elif ranks and tag.field and not tag.field.is_date:
            up = (ranks[0].concept in UP) != composer.asked.has("fall")
            shown = _named_by(composer, tag.field)
            shift = Shift(composer.facts.source, common, shown, measure, before, after, kind, limit=1, descending=up)
            ranked = said | tag.mask | composer.used(*RANKS)
            yield composer.draft(shift, ranked, "greatest change", costs, column_gap=1 - tag.sure)


def _asks_those(asked: Asked) -> bool:
    """Tell whether all are asked for that have more or less: "which sites served fewer meals in 2025 than in 2024"."""
    keys = set(asked.keys)
    return bool(THAN & keys and (MORE | LESS) & keys and asks_which(asked))


def _named_by(composer: Composer, f: Field) -> tuple[Ref, ...]:
    """Return what to show for each value of a column: of a code that identifies rows, the name beside it."""
    names = tuple(d.shown for d in composer.facts.display() if not d.is_code)
    facts = composer.facts
    own = f.is_code and facts.is_noun(f) or (not facts.is_joined and f is key_of_versions(facts))
    return names if own and names and not composer.says_code() else composer.shown_for(f)


def _of_columns(forms: "Forms", named: Named, change: Change) -> Iterator[Draft]:
    """Compare columns of different periods, such as "Actual 2024" and "Actual 2025"."""
    for one, two, mask, cost in _pairs(forms, named, change):
        kept = replace(named, tags=tuple(t for t in named.tags if not t.mask & mask))
        for plain in forms.filters(kept, [], most=1):
            composer = forms.composer(kept, plain)
            said = composer.used(*SAID, "average") | change.mask | mask | composer.unit_mask(one.field)
            if one.condition == two.condition and _asks_those(composer.asked):
                yield from _those_rows(composer, change, one, two, said, cost)
            elif (composer.asked.has(*RANKS) or composer.groups) and one.condition == two.condition:
                yield from _of_each_row(forms, kept, change, one, two, said, cost)
            first, second = (_side(composer, forms.facts, s) for s in (one, two))
            if first and second:
                yield from _contrasts(composer, change, first, second, said, Costs(column_gap=cost), mask)


def _of_tables(forms: "Forms", named: Named, change: Change) -> Iterator[Draft]:
    """Compare two tables of the same columns, one for each period."""
    facts = forms.facts
    if not facts.siblings or facts.is_joined or not _about(facts, change.late):
        return
    for sibling in facts.siblings:
        if not _about(sibling, change.early):
            continue
        for plain in forms.filters(named, [], most=1):
            composer = forms.composer(named, plain)
            said = composer.used(*SAID, "average") | change.mask
            if _counts_rows(composer):
                early, late = (_over(composer, of, Measure("count")) for of in (sibling, facts))
                if early and late:
                    counted = 0.0 if composer.asked.has("count") else counts_cost(composer)
                    yield from _contrasts(composer, change, early, late, said, Costs(assumed_measure=counted))
            for two, one, mask, costs in _of_both(composer, sibling, change):
                first, second = _side(composer, sibling, one), _side(composer, facts, two)
                if first and second:
                    yield from _contrasts(composer, change, first, second, said | mask, costs)


def _of_both(composer: Composer, sibling: Facts, change: Change) -> Iterator[tuple[Picked, Picked, int, Costs]]:
    """Yield the columns to compare: those of the months of wide tables, else the same column of both."""
    facts = composer.facts
    wide = False
    for family in families_of(facts):
        other = next((f for f in families_of(sibling) if f.base == family.base), None)
        if other is None or family.has_years:
            continue
        late, early = pick(family, change.late, facts), pick(other, change.early, sibling)
        wide = True
        if late and early:
            costs = Costs(assumed_measure=0.1 if composer.nouns else 0.4)
            yield late, early, composer.unit_mask(late.field), costs
    if wide:
        return
    for f, mask, costs in composer.measures():
        costs = costs + _of_rows_cost(composer, f, mask)
        same = next((o for o in sibling.fields if header_key(o) == header_key(f) and o.is_measure), None)
        if same is not None:
            yield Picked(f, 0.0), Picked(same, 0.0), mask, costs


def _about(facts: Facts, period: Period) -> bool:
    """Tell whether a table is about the year of a period."""
    return period.year in {p.year for p in table_periods(facts) if p.has_year}


def _side(composer: Composer, facts: Facts, of: Picked) -> Query | None:
    """Return one side of a comparison; None if its table lacks a column of the conditions."""
    function = "avg" if composer.asked.has("average") else "sum"
    return _over(composer, facts, composer.measure(function, of.field), of.condition)


def _over(composer: Composer, facts: Facts, measure: Measure, also: Condition | None = None) -> Query | None:
    """Return a measure over the rows that are meant, of another table by the headers that both have."""
    where = list(composer.where) + ([also] if also else [])
    if facts is not composer.facts:
        own: dict[Expr, Field] = {r: f for f in composer.facts.fields for r in (f.ref, f.shown)}
        fields = {header_key(f): f for f in facts.fields}
        for i, c in enumerate(where):
            f = own.get(c.ref)
            same = fields.get(header_key(f)) if f else None
            if same is None or c.other is not None:
                return None
            where[i] = replace(c, ref=same.shown if same.is_text else same.ref)
    return Query(facts.source, tuple(where), measures=(measure,))


def _pairs(forms: "Forms", named: Named, change: Change) -> Iterator[tuple[Picked, Picked, int, float]]:
    families = families_of(forms.facts)
    for family in families:
        early, late = pick(family, change.early, forms.facts), pick(family, change.late, forms.facts)
        if early and late and (early.field.ref, early.condition) != (late.field.ref, late.condition):
            mask, gap = base_of(family, named)
            yield early, late, mask, gap + early.cost + late.cost
    if families:
        return
    years = [str(p.year) for p in (change.early, change.late)]
    holding = [[f for f in forms.facts.fields if f.is_measure and y in {w.text for w in f.words}] for y in years]
    if all(len(of) == 1 for of in holding) and holding[0][0].column.unit == holding[1][0].column.unit:
        early_field, late_field = holding[0][0], holding[1][0]  # "Budget 2024" and "Draft 2025"
        tags = [t for t in named.tags if t.kind == "column" and t.field in (early_field, late_field)]
        yield Picked(early_field, 0.0), Picked(late_field, 0.0), sum(t.mask for t in tags), 0.3


def _those_rows(
    composer: Composer, change: Change, one: Picked, two: Picked, said: int, cost: float
) -> Iterator[Draft]:
    """Yield the rows whose later value is above or below the earlier one."""
    test = Condition(two.field.ref, "<" if change.falls else ">", other=one.field.ref)
    where = (*composer.where, *((one.condition,) if one.condition else ()), test)
    for tag in composer.texts():
        if tag.field:
            query = Query(composer.facts.source, where, shown=composer.shown_for(tag.field), distinct=True)
            mask = said | tag.mask | composer.used(*RANKS)
            yield composer.draft(query, mask, "changed rows", Costs(column_gap=cost + 1 - tag.sure))


def _of_each_row(
    forms: "Forms", named: Named, change: Change, one: Picked, two: Picked, said: int, cost: float
) -> Iterator[Draft]:
    """Yield the change of each row, and the row with the greatest change."""
    early, late = one.field, two.field
    sign = (late, early) if not change.falls else (early, late)
    label = f"{sign[0].column.header} minus {sign[1].column.header}"
    changed = derived(late, Calc("-", (sign[0].ref, sign[1].ref), label))
    if wants_percent(forms.asked):
        changed = derived(late, Calc("growth", (sign[1].ref, sign[0].ref)), unit="%", kind="percent")
    words = change.mask | said & ~sum(t.mask for t in named.tags)
    rank_words = forms.composer(named, Filters()).used(*RANKS, "group", "chart")
    tag = Tag(words & ~rank_words, "column", max(0.0, 1 - cost), changed)
    with_change = replace(named, tags=(*named.tags, tag))
    for plain in forms.filters(with_change, [], most=1):
        filters = plain.plus(one.condition, 0, period=True) if one.condition else plain
        composer = forms.composer(with_change, filters)
        for draft in composer.all():
            if draft.kind in ("top rows", "top groups", "group sum"):
                yield replace(draft, mask=draft.mask | said, kind=f"change {draft.kind}")
