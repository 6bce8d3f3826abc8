"""How far a column is from the one that it is held against: "by how much over budget", "the largest overspend"."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tablerag.agent.offline.reading.comparing import Compared, comparisons_in, counterparts, limits_of
from tablerag.agent.offline.reading.compose import Draft
from tablerag.agent.offline.reading.ends import wants_percent
from tablerag.agent.offline.reading.facts import Field
from tablerag.agent.offline.reading.filters import Filters
from tablerag.agent.offline.reading.naming import Named, Tag
from tablerag.agent.offline.reading.query import Calc, Condition
from tablerag.agent.offline.reading.wide import derived

if TYPE_CHECKING:
    from tablerag.agent.offline.reading.forms import Forms

__all__ = ["margins_of"]

MOST = ("highest", "lowest", "often")
KINDS = ("sum", "avg", "top rows", "top groups", "group sum", "lookup", "list with names")
TOPS = ("top rows", "top groups")
SAID = ("margin", "by_how_much", "percent", "share", "change", "up_or_down", "over_limit", "under_limit", "sum")


def margins_of(forms: "Forms") -> Iterator[Draft]:
    """Yield what is asked of the difference of two columns."""
    if not _asks_margin(forms):
        return
    amount = forms.asked.has("margin", "by_how_much", "sum", "count", "percent")
    for left, right, compared, mask, gap in _pairs(forms):
        under = (compared is not None and compared.operator in ("<", "<=")) or forms.asked.has("under_limit")
        one, two = (right, left) if under and not _both_ways(forms) else (left, right)
        header = f"{one.column.header} minus {two.column.header}"
        if wants_percent(forms.asked):
            margin = derived(left, Calc("growth", (two.ref, one.ref)), unit="%", kind="percent")
        else:
            margin = derived(left, Calc("-", (one.ref, two.ref), header), header=left.column.header)
        tags = tuple(t for t in forms.named.tags if not t.mask & mask and t.field not in (left, right))
        spoken = mask & -mask  # the draft below explains all of these words
        tag = Tag(spoken, "column", 1 - min(gap, 0.9), margin)
        named = Named((*tags, tag), forms.named.gain)
        for found in _filtered(forms, named, compared, left, right):
            filters = replace(found, tags=found.tags - {tag})
            composer = forms.composer(named, filters, forms.periods)
            said = mask | composer.used(*SAID) | _repeated(forms, left, right) | composer.unit_mask(left)
            for draft in composer.all():
                if draft.kind in (KINDS if amount else TOPS) and _uses(draft, margin):
                    yield replace(draft, mask=draft.mask | said, kind=f"margin {draft.kind}")


def _asks_margin(forms: "Forms") -> bool:
    """Tell whether a question asks how far apart two columns are, not just which rows compare so."""
    asked = forms.asked
    if asked.has("margin", "by_how_much"):
        return True
    compared = asked.of("more", "less", "over_limit", "under_limit")
    if compared and wants_percent(asked) and not asked.has("share"):
        return bool(limits_of(forms.facts, asked))
    much = any(0 <= c.first - p.last <= 1 for p in asked.of("sum", "count") for c in compared)
    most = any(c.first <= p.first for p in asked.of(*MOST) for c in compared)  # "exceeded its budget the most"
    return bool(compared) and (much or most) and bool(limits_of(forms.facts, asked))


def _pairs(forms: "Forms") -> Iterator[tuple[Field, Field, Compared | None, int, float]]:
    """Yield the two columns, how they are compared, the words that say so, and how unsure that is."""
    asked = forms.asked
    found = comparisons_in(asked, forms.facts, forms.named)
    for one in found:
        yield one.left, one.right, one, one.mask, one.gap + one.assumed / 3
    if found:
        return
    named = [t for t in forms.named.tags if t.kind == "column" and t.field and t.field.is_measure]
    for limit in limits_of(forms.facts, asked)[:2]:
        for other in counterparts(limit, forms.facts)[:1]:
            mask = sum(1 << i for p in asked.of("margin") for i in range(p.first, p.last))
            about = [t for t in named if t.field in (limit, other)]
            gap = 0.1 if about else 0.4
            yield other, limit, None, mask | sum({t.mask for t in about}), gap


def _both_ways(forms: "Forms") -> bool:
    """Tell whether a question leaves the sign open: "over or under", "actual minus budget"."""
    keys = {w.key for w in forms.asked.words}
    return forms.asked.has("up_or_down") or bool({"or", "oder", "ou", "minus", "moins"} & keys)


def _filtered(forms: "Forms", named: Named, compared: Compared | None, left: Field, right: Field) -> Iterator[Filters]:
    """Yield the ways to filter, without the comparison if all rows are asked for."""
    inside = compared.mask if compared else 0  # "its Q2 budget" names a column
    periods = [p for p in forms.periods if not (1 << p.first) & inside]
    for filters in forms.filters(named, periods):
        conditions = tuple(c for c in filters.conditions if c.other is None)
        rows = compared is not None and forms.asked.has(*MOST) and not _both_ways(forms)
        if rows and compared is not None:
            conditions = (*conditions, Condition(left.ref, compared.operator, other=right.ref))
        yield replace(filters, conditions=conditions)


def _repeated(forms: "Forms", left: Field, right: Field) -> int:
    """Return the words that name the two columns again, "(actual minus budget)", and "by the largest amount"."""
    groups = {g for f in (left, right) for w in f.words for g in w.groups} if forms.asked.has("margin") else set()
    groups |= {"amount"}
    return sum(1 << i for i, w in enumerate(forms.asked.words) if w.lexeme.groups & groups)


def _uses(draft: Draft, margin: Field) -> bool:
    sql = draft.query.sql().replace("`.`", "`")
    return margin.ref.sql(qualified=False) in sql or margin.ref.sql(qualified=True) in draft.query.sql()
