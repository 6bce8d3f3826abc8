"""How likely a draft is what the question means: a linear score of what it leaves unexplained and assumes."""

from collections.abc import Mapping

from tablerag.agent.offline.reading.compose import OPERATIONS, Draft, says_code
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.facts import Facts
from tablerag.agent.offline.reading.filters import has_periods, mask_of
from tablerag.agent.offline.reading.leaving import (
    counts_money,
    leaves_filter,
    leaves_modifier,
    leaves_particle,
    leaves_state,
    left_of,
)
from tablerag.agent.offline.reading.mismatch import about_others, echoes, mismatch_of
from tablerag.agent.offline.reading.naming import TOLD, Named, Weights
from tablerag.agent.offline.reading.query import Contrast, Query, Ref
from tablerag.agent.offline.reading.tag import sum_masks
from tablerag.agent.offline.reading.versions import key_of_versions
from tablerag.agent.offline.reading.words import Asked
from tablerag.tools.records import UNION_SOURCE

__all__ = ["COSTS", "LIGHT", "costs_of", "score_of", "unread_of"]

COSTS: dict[str, float] = {
    "unexplained": 2.2,
    "unexplained_light": 0.6,
    "operation_left": 1.6,
    "dropped": 3.0,
    "period_clash": 4.0,
    "column_gap": 1.2,
    "value_gap": 1.2,
    "assumed_measure": 1.0,
    "assumed_date": 1.0,
    "assumed_shown": 1.0,
    "assumed_rank": 1.0,
    "joins": 0.9,
    "unmatched": 4.0,
    "place": 0.03,
    "unfiltered": 1.6,
    "lookup": 0.3,
    "extra_shown": 1.0,
    "unsaid_sum": 0.3,
    "unsaid_count": 1.0,
    "odd_sum": 1.5,
    "odd_group": 1.5,
    "by_row": 2.5,
    "counts": 1.0,
    "no_noun": 1.0,
    "counted_column": 1.0,
    "share_guess": 1.0,
    "extreme": 1.0,
    "repeated": 1.0,
    "unsaid_percent": 1.0,
    "far": 1.0,
    "no_table_word": 0.8,
    "no sum": 0.0,
    "not_home": 0.6,
    "tag_left": 0.7,
    "noun_gap": 0.5,
    "mismatch": 1.2,
    "many_rows": 1.2,
    "zero": 1.6,
    "counts_wide": 2.0,
    "unnamed": 0.5,
    "echo": 3.0,
    "filter left": 0.0,
    "state left": 0.8,
    "versions": 2.0,
    "particle left": 0.5,
    "partly_excluded": 0.5,
    "loose": 0.0,
    "measure left": 0.0,
    "text left": 0.0,
    "unit left": 1.0,
    "number left": 0.5,
    "several": 0.3,
    "fewer": 0.3,
    "names left": 0.0,
    "much left": 0.0,
    "nothing told": 0.0,
    "exclusion left": 0.5,
    "head left": 0.5,
    "one_row": 1.5,
    "rank left": 1.0,
    "within": 1.0,
    "former": 0.5,
    "member": 0.8,
    "money_noun": 0.8,
    "code_shown": 0.4,
    "other rows": 0.8,
}
"""The weight of each, set by hand: weights that were fitted to generated questions did worse on real folders."""
SURE_JOIN = 0.35
"""What a join by a key that is declared, or called the same in both tables, costs of one by values alone."""
LIGHT = 0.25
NAMED = 1.2
"""Names and numbers weigh more than this."""
MOST_LEFT = 0.4
"""Share of the words that may be left unexplained by an answer."""
LOOSE_VALUES = 0.9
"""Values that are named in part only, so that together hardly any is sure."""
MOST_PLACES = 5
FORMER = frozenset(("leave",))
"""Groups of words for rows that are no longer counted."""
ROWS_OF = ("list", "lookup", "list with names", "count", "count distinct", "top rows", "asked")
"""Kinds of drafts that are about the rows of the base table."""
COUNTS = ("count", "share", "group", "sum", "avg", "top")
"""Beginnings of the kinds of drafts that compute over rows."""
COUNTED = 2.5
"""How much more it matters that a table has what is counted."""


def unread_of(asked: Asked, facts: Facts, draft: Draft, named: Named, weights: Weights) -> Costs:
    """Return the costs of a draft that are quick to compute: what it assumes, joins and leaves unread."""
    costs = Costs(draft.costs)
    operations = sum_masks(mask_of(p.first, p.last) for p in asked.of(*OPERATIONS))
    telling = draft.mask & ~sum_masks(t.mask for t in named.tags if t.kind == "value")
    told = frozenset[str]().union(*(w.lexeme.stems for i, w in enumerate(asked.words) if telling >> i & 1))
    new = {p.first for p in asked.of("added")}
    numbers = {t.last for t in named.tags if t.kind == "column" and t.field and t.field.is_measure}
    sizes = asked.language.set_of("sizes")  # the "herd size" is the herd
    sized = {i for i in numbers if i < len(weights) and asked.keys[i] in sizes and draft.mask >> (i - 1) & 1}
    for i, weight in enumerate(weights):
        if (
            draft.mask >> i & 1
            or i in sized
            or asked.words[i].lexeme.stems & told
            or (i in new and (_is_since(draft, facts) or _is_counted_in(draft)))
        ):
            continue  # "did we order ... orders": a word that is repeated is explained once
        if operations >> i & 1:
            costs["operation_left"] += 0.5 if weight == 0 else 1.0
        elif weight <= LIGHT:
            costs["unexplained_light"] += weight
        else:
            costs["unexplained"] += weight
            costs["measure left"] += float(weight == TOLD)
            costs["names left"] += float(weight > NAMED)
    whole = sum(w for w in weights if w > LIGHT)
    telling = [i for i, w in enumerate(weights) if w > LIGHT and not operations >> i & 1]
    costs["nothing told"] = float(bool(telling) and not any(draft.mask >> i & 1 for i in telling))
    costs["much left"] = float(costs["unexplained"] > MOST_LEFT * whole)
    costs["joins"] = sum(SURE_JOIN if j.is_sure else 1.0 for j in facts.source.joins)
    costs["unmatched"] = facts.unmatched
    costs["place"] = min(facts.place, MOST_PLACES)
    return costs


def costs_of(asked: Asked, facts: Facts, draft: Draft, named: Named, weights: Weights, unread: Costs) -> Costs:
    """Return all costs of a draft by name, given what it leaves unread."""
    costs = Costs(unread)
    costs |= left_of(asked, facts, draft, named, weights)
    costs["filter left"] = float(leaves_filter(draft, costs) or leaves_modifier(asked, draft, named, weights))
    costs["state left"] = float(leaves_state(asked, draft, facts, weights))
    costs["tag_left"] = sum(
        t.sure * bool(t.mask & ~draft.mask)
        for t in named.tags
        if t.kind in ("column", "value", "flag") and t.sure > 0.7
    )
    gap = sum(1 - t.sure for t in named.tags if t.kind == "noun" and not t.mask & ~draft.mask)
    costs["noun_gap"] = gap * (COUNTED if draft.kind == "count" else 1)
    costs["mismatch"] += mismatch_of(asked, draft, facts, named) + 0.8 * about_others(asked, draft, facts, named)
    costs["not_home"] += _away(asked, facts, draft, named)
    costs["echo"] = echoes(draft)
    costs["loose"] = max(costs["loose"], float(costs["value_gap"] >= LOOSE_VALUES))
    costs["versions"] = float(_adds_versions(draft, facts))
    if facts.is_legend and draft.kind.startswith(COUNTS) and not says_code(asked):
        costs["loose"] = 1.0  # "how many projects are active" counts none of what codes mean
    costs["particle left"] = float(leaves_particle(asked, draft))
    costs["money_noun"] += float(counts_money(asked, draft, weights))
    costs["member"] = float(facts.is_member and not draft.dated)
    costs["former"] = float(_are_former(facts) and not any(w.lexeme.groups & FORMER for w in asked.words))
    query = draft.query.two if isinstance(draft.query, Contrast) else draft.query
    if not query.where and not query.source.joins:
        nouns = {i for i in range(len(weights)) if draft.mask >> i & 1}
        costs["no_table_word"] = 0.0 if nouns else 1.0
    return costs


def _away(asked: Asked, facts: Facts, draft: Draft, named: Named) -> float:
    """Return the cost of computing over the rows of another table than the one that is asked about."""
    heads = [t for t in named.tags if t.kind == "noun"]
    joins = facts.is_joined and not facts.is_one_to_one and bool(heads) and draft.kind in ROWS_OF
    foreign = joins and min(heads, key=lambda t: t.first).foreign
    # "How many projects were cancelled" counts no codes.
    legend = facts.is_legend and draft.kind.startswith(COUNTS) and not says_code(asked)
    return 1.5 * bool(foreign) + 3.0 * legend


def score_of(costs: Mapping[str, float]) -> float:
    """Return the score, at most 0."""
    return -sum(COSTS.get(name, 1.0) * value for name, value in costs.items())


def _are_former(facts: Facts) -> bool:
    """Tell whether the rows are those that have left: leavers are no staff unless they are asked for."""
    return any(noun.groups & FORMER and sure > 0.8 for noun, sure in facts.nouns)


def _is_since(draft: Draft, facts: Facts) -> bool:
    """Tell whether rows are those that began in a period: "new members since 2025" joined then."""
    where = getattr(draft.query, "where", ())
    began = (f for f in facts.fields if f.is_date and any(w.groups & {"hire"} for w in f.words))
    return any(c.ref in (f.ref, f.shown) for f in began for c in where)


def _is_counted_in(draft: Draft) -> bool:
    """Tell whether rows of a period are counted, which are all new in it: "new tickets in March"."""
    return draft.kind == "count" and draft.dated and bool(getattr(draft.query, "where", ()))


def _lists_versions(query: Query, facts: Facts) -> bool:
    """Tell whether a list is of several files alone: "up between the 2024 and the 2025 list" asks for no such rows."""
    files = [c for c in query.where if isinstance(c.ref, Ref) and c.ref.column in UNION_SOURCE]
    return bool(files) and len(files) == len(query.where) and any(len(c.values) > 1 for c in files)


def _adds_versions(draft: Draft, facts: Facts) -> bool:
    """Tell whether rows of several versions of a list are computed with together: prices of 2025 and of 2026."""
    query = draft.query
    if isinstance(query, Query) and not query.measures and query.by is None and _lists_versions(query, facts):
        return True
    if not isinstance(query, Query) or not query.measures or facts.is_joined or draft.dated:
        return False
    key = key_of_versions(facts)
    if key is None or has_periods(key):
        return False
    where = {c.ref.column for c in query.where if isinstance(c.ref, Ref)}
    shown = {e.column for e in query.shown if isinstance(e, Ref)}
    return not (where | shown) & set(UNION_SOURCE)
