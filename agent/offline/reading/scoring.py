"""How likely a draft is what the question means: a linear score of what it leaves unexplained and assumes."""

from collections.abc import Mapping

from tablerag.agent.offline.reading.compose import GRAINS, OPERATIONS, RANKS, Draft
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.facts import AMOUNTS, Facts, Field
from tablerag.agent.offline.reading.filters import mask_of
from tablerag.agent.offline.reading.naming import Named, Weights
from tablerag.agent.offline.reading.query import Contrast, Query, Ref
from tablerag.agent.offline.reading.shifts import Only, Shift
from tablerag.agent.offline.reading.tag import sum_masks
from tablerag.agent.offline.reading.words import Asked

__all__ = ["COSTS", "LIGHT", "costs_of", "score_of"]

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
    "counts": 1.0,
    "no_noun": 1.0,
    "counted_column": 1.0,
    "share_guess": 1.0,
    "extreme": 1.0,
    "repeated": 1.0,
    "unsaid_percent": 1.0,
    "far": 1.0,
    "no_table_word": 0.8,
    "not_home": 0.6,
    "tag_left": 0.7,
    "noun_gap": 0.5,
    "mismatch": 1.2,
    "many_rows": 1.2,
    "zero": 1.6,
    "counts_wide": 2.0,
    "unnamed": 0.5,
    "echo": 3.0,
    "names left": 0.0,
    "much left": 0.0,
    "nothing told": 0.0,
    "exclusion left": 0.5,
    "head left": 0.5,
    "rank left": 1.0,
    "within": 1.0,
    "member": 0.8,
    "money_noun": 0.8,
    "code_shown": 1.0,
}
"""The weight of each, set by hand: weights that were fitted to generated questions did worse on real folders."""
LIGHT = 0.25
NAMED = 1.2
"""Names and numbers weigh more than this."""
MOST_LEFT = 0.4
"""Share of the words that may be left unexplained by an answer."""
UNREAD = (*RANKS, *GRAINS, "ordinal", "average", "median", "share", "percent")
"""What no answer may leave unread: it would be another value than the one asked for."""
ROWS_OF = ("list", "lookup", "list with names", "count", "count distinct", "top rows", "asked")
"""Kinds of drafts that are about the rows of the base table."""
QUANTITIES = AMOUNTS | {"quantity", "weight", "hours", "distance", "duration", "consumption"}
"""Groups of words for what is measured."""
PERSONS = frozenset(
    """employee student teacher patient doctor visitor participant applicant driver player member subscriber author
    nurse volunteer tenant donor guest contact responsible manager""".split()
)
COUNTED = 2.5
"""How much more it matters that a table has what is counted."""
NEVER = frozenset("never nie niemals jamais".split())
PERSON_NAME = frozenset("name names full first last given family surname vorname nachname prenom nom".split())
"""Words of headers for the name of a person."""


def costs_of(asked: Asked, facts: Facts, draft: Draft, named: Named, weights: Weights) -> Costs:
    """Return the features of a draft by name."""
    costs = Costs(draft.costs)
    operations = sum_masks(mask_of(p.first, p.last) for p in asked.of(*OPERATIONS))
    for i, weight in enumerate(weights):
        if draft.mask >> i & 1:
            continue
        if operations >> i & 1:
            costs["operation_left"] += 0.5 if weight == 0 else 1.0
        elif weight <= LIGHT:
            costs["unexplained_light"] += weight
        else:
            costs["unexplained"] += weight
            costs["names left"] += float(weight > NAMED)
    whole = sum(w for w in weights if w > LIGHT)
    telling = [i for i, w in enumerate(weights) if w > LIGHT and not operations >> i & 1]
    costs["nothing told"] = float(bool(telling) and not any(draft.mask >> i & 1 for i in telling))
    costs["much left"] = float(costs["unexplained"] > MOST_LEFT * whole)
    excluding = [*asked.of("excluding", "excluded"), *(p for p in asked.of("empty") if p.last - p.first > 1)]
    costs["exclusion left"] = float(any(not draft.mask >> p.first & 1 for p in excluding) or _is_never(asked, draft))
    costs["rank left"] = float(any(not draft.mask & mask_of(p.first, p.last) for p in asked.of(*UNREAD)))
    costs["head left"] = float(_leaves_head(asked, draft, weights))
    costs["tag_left"] = sum(
        t.sure * bool(t.mask & ~draft.mask)
        for t in named.tags
        if t.kind in ("column", "value", "flag") and t.sure > 0.7
    )
    gap = sum(1 - t.sure for t in named.tags if t.kind == "noun" and not t.mask & ~draft.mask)
    costs["noun_gap"] = gap * (COUNTED if draft.kind == "count" else 1)
    costs["mismatch"] = _mismatch(asked, draft, facts, named) + 0.8 * _about_others(asked, draft, facts)
    heads = [t for t in named.tags if t.kind == "noun"]
    if (
        facts.is_joined
        and not facts.is_one_to_one
        and heads
        and draft.kind in ROWS_OF
        and min(heads, key=lambda t: t.first).foreign
    ):
        costs["not_home"] += 1.5
    costs["echo"] = _echoes(draft)
    costs["member"] = float(facts.is_member and not draft.dated)
    costs["joins"] = len(facts.source.joins)
    costs["unmatched"] = facts.unmatched
    costs["place"] = min(facts.place, 10)
    query = draft.query.two if isinstance(draft.query, Contrast) else draft.query
    if not query.where and not query.source.joins:
        nouns = {i for i in range(len(weights)) if draft.mask >> i & 1}
        costs["no_table_word"] = 0.0 if nouns else 1.0
    return costs


def score_of(costs: Mapping[str, float]) -> float:
    """Return the score, at most 0."""
    return -sum(COSTS.get(name, 1.0) * value for name, value in costs.items())


def _are_persons(facts: Facts) -> bool:
    return any(n.groups & PERSONS and sure > 0.65 for n, sure in facts.nouns)


def _is_person(f: Field) -> bool:
    """Tell whether a column has persons, by its header."""
    told = bool(f.pairs & PERSONS) or any(f.words[i].groups & PERSONS for i in f.core)
    return f.is_text and not f.is_code and (told or all(w.text in PERSON_NAME for w in f.words))


def _shows_person(draft: Draft, facts: Facts) -> bool:
    """Tell whether a column that is shown has persons, by its header."""
    refs = {(e.table, e.column) for e in getattr(draft.query, "shown", ()) if isinstance(e, Ref)}
    persons = {o.schema.name for o in (facts, *facts.joined) if _are_persons(o)}
    return any(
        _is_person(f) and (f.schema.name in persons or not _is_bare(f)) and (f.schema.name, n) in refs
        for f in facts.fields
        for n in f.column.all_names()
    )


def _is_bare(f: Field) -> bool:
    """Tell whether a header is just "Name", which need not be of a person."""
    return all("name" in w.text or w.text in ("nom", "names") for w in f.words)


def _echoes(draft: Draft) -> float:
    """Return 1 for a lookup that shows only what the question itself names."""
    query = draft.query
    if not isinstance(query, Query) or query.measures or query.by is not None or not query.shown:
        return 0.0
    named = {c.ref for c in query.where if c.operator == "=" and len(c.values) == 1}
    return float(all(e in named for e in query.shown))


def _about_others(asked: Asked, draft: Draft, facts: Facts) -> int:
    """Return how much of a question is about other things than a draft: persons, staff, an amount."""
    who = asked.language.set_of("who") & set(asked.keys[:2])
    others = who and not _are_persons(facts) and not _shows_person(draft, facts)
    employees = any("employee" in n.groups and sure > 0.65 for n, sure in facts.nouns)
    headless = asked.language.set_of("staff") & set(asked.keys) and not employees  # a headcount counts no contracts
    left = (w for i, w in enumerate(asked.words) if not draft.mask >> i & 1)
    # "the amount of Aurora" is no list of invoices
    amount = (
        draft.kind in ("list", "lookup")
        and not _shows_number(draft, facts)
        and any(w.lexeme.groups & QUANTITIES for w in left)
    )
    return bool(others) + bool(headless) + amount


def _is_never(asked: Asked, draft: Draft) -> bool:
    """Tell whether "never" is read as "not" of single rows: "products that were never cancelled"."""
    return bool(NEVER & set(asked.keys)) and draft.kind.startswith(("list", "lookup"))


def _shows_number(draft: Draft, facts: Facts) -> bool:
    shown = {(e.table, e.column) for e in getattr(draft.query, "shown", ()) if isinstance(e, Ref)}
    return any(f.is_measure and (f.schema.name, f.column.name) in shown for f in facts.fields)


def _leaves_head(asked: Asked, draft: Draft, weights: Weights) -> bool:
    """Tell whether a draft leaves what is asked for: "password" of "What is the password for guests?"."""
    for phrase in asked.of("asks_the")[:1]:
        head = -1
        for i in range(phrase.last, len(weights)):
            if asked.keys[i] in asked.language.set_of("prepositions") or asked.keys[i].isdigit():
                break
            head = i if weights[i] >= 1 else head
        return head >= 0 and not draft.mask >> head & 1
    return False


def _asks_which(asked: Asked) -> bool:
    """Tell whether a question asks for things: "which suppliers", but not "which percentage"."""
    which = next((i for i, k in enumerate(asked.keys[:3]) if k in asked.language.set_of("which")), None)
    measured = [p.first for p in asked.of("share", "percent", "sum", "change", "by_how_much")]
    return which is not None and not any(which <= p <= which + 2 for p in measured) and asked.keys[0] != "what"


def _leaves_which(asked: Asked, draft: Draft, facts: Facts, named: Named) -> bool:
    """Tell whether what follows "which" is of a table that is looked up, of which nothing is shown."""
    which = next((i for i, k in enumerate(asked.keys[:3]) if k in asked.language.set_of("which")), None)
    if which is None or not facts.is_joined or not isinstance(draft.query, Query):
        return False
    meant = next((t.field.schema.name for t in named.tags if which < t.first <= which + 2 and t.field), "")
    shown = {e.table for e in draft.query.shown if isinstance(e, Ref)}
    return bool(meant) and meant != facts.schema.name and meant not in shown and bool(shown)


def _mismatch(asked: Asked, draft: Draft, facts: Facts, named: Named) -> float:
    """Return 1 if the kind of thing shown is not the kind asked for: "when" and a number, "who" and a date."""
    query, words, said = draft.query, set(asked.keys[:3]), asked.language.set_of
    if words & said("why") and not any(w.groups & {"reason"} for f in facts.fields for w in f.words):
        return 3.0
    counts = draft.kind in ("sum", "count", "count plainly") and not asked.has("count", "sum")
    if asked.keys[0] in said("listing") and counts:
        return 1.0
    computed = isinstance(query, Contrast) or (
        draft.kind in ("sum", "avg", "count plainly") and not asked.has("sum", "average", "count")
    )
    if computed and _asks_which(asked):
        return 1.0  # "which suppliers sold less than in 2024" asks for no difference
    if _leaves_which(asked, draft, facts, named):
        return 1.0
    counts = isinstance(query, Only | Shift) and query.counts
    if isinstance(query, Contrast) or not query.shown or query.measures or counts:
        bare = isinstance(query, Contrast) or not query.shown or counts
        return float(bare and bool((said("who") | said("when") | said("where")) & words))
    fields = {(f.schema.name, n): f for f in facts.fields for n in f.column.all_names()}
    first = query.shown[0]
    f = fields.get((first.table, first.column)) if isinstance(first, Ref) else None
    if f is None:
        return 0.0
    if said("when") & words:
        return float(not (f.is_date or f.is_year))
    if said("who") & words:
        if any(map(_is_person, facts.fields)):
            return float(not _shows_person(draft, facts))
        return float(f.is_number or f.is_date or f.is_flag or f.is_code)
    if {"how"} & words and {"many", "much"} & words:
        return float(not f.is_number and not (isinstance(query, Query) and query.by))
    return 0.0
