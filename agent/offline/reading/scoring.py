"""How likely a draft is what the question means: a linear score of what it leaves unexplained and assumes."""

from collections.abc import Mapping

from tablerag.agent.offline.reading.compose import GRAINS, OPERATIONS, RANKS, Draft, says_code
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.facts import AMOUNTS, Facts, Field
from tablerag.agent.offline.reading.filters import has_periods, mask_of
from tablerag.agent.offline.reading.joining import names_of_code
from tablerag.agent.offline.reading.naming import Named, Weights
from tablerag.agent.offline.reading.query import Contrast, Query, Ref
from tablerag.agent.offline.reading.shifts import Only, Shift
from tablerag.agent.offline.reading.tag import sum_masks
from tablerag.agent.offline.reading.versions import key_of_versions
from tablerag.agent.offline.reading.words import Asked
from tablerag.tools.records import UNION_SOURCE

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
    "versions": 2.0,
    "left_off": 0.5,
    "asks_sum": 0.0,
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
LISTS = ("list", "lookup", "list with names", "asked")
QUANTITIES = AMOUNTS | {"quantity", "weight", "hours", "distance", "duration", "consumption"}
"""Groups of words for what is measured."""
PERSONS = frozenset(
    """employee student teacher patient doctor visitor participant applicant driver player member subscriber author
    nurse volunteer tenant donor guest contact responsible manager""".split()
)
ACTORS = frozenset("customer supplier donor carrier".split())
"""Groups of words for whom "who" may ask for that are mostly organisations."""
COUNTED = 2.5
"""How much more it matters that a table has what is counted."""
PARTICLES = frozenset("off away down back".split())
EACH = frozenset("each every per je pro jeweils jede jeden jedem jeder jedes chaque".split())
LIKELY_NOUN = 0.55
"""How sure a word must be of the rows that are counted."""
MONEY = frozenset(("revenue", "cost", "amount", "profit"))
SAME_ROWS = 0.85
TIMES = frozenset("date day week month year hours duration".split())
DAYS = frozenset("day date tag datum jour".split())
HAS_NO = frozenset(
    (("have", "no"), ("has", "no"), ("had", "no"), ("haben", "keine"), ("hat", "keine"), ("ont", "aucune"))
)
NEVER = frozenset("never nie niemals jamais".split())
PERSON_NAME = frozenset("name names full first last given family surname vorname nachname prenom nom".split())
"""Words of headers for the name of a person."""


def costs_of(asked: Asked, facts: Facts, draft: Draft, named: Named, weights: Weights) -> Costs:
    """Return the features of a draft by name."""
    costs = Costs(draft.costs)
    operations = sum_masks(mask_of(p.first, p.last) for p in asked.of(*OPERATIONS))
    told = frozenset[str]().union(*(w.lexeme.stems for i, w in enumerate(asked.words) if draft.mask >> i & 1))
    for i, weight in enumerate(weights):
        if draft.mask >> i & 1 or asked.words[i].lexeme.stems & told:
            continue  # "did we order ... orders": a word that is repeated is explained once
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
    costs |= _left(asked, facts, draft, named, weights)
    costs["filter left"] = float(_leaves_filter(draft, costs))
    costs["tag_left"] = sum(
        t.sure * bool(t.mask & ~draft.mask)
        for t in named.tags
        if t.kind in ("column", "value", "flag") and t.sure > 0.7
    )
    gap = sum(1 - t.sure for t in named.tags if t.kind == "noun" and not t.mask & ~draft.mask)
    costs["noun_gap"] = gap * (COUNTED if draft.kind == "count" else 1)
    costs["mismatch"] += _mismatch(asked, draft, facts, named) + 0.8 * _about_others(asked, draft, facts)
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
    costs["versions"] = float(_adds_versions(draft, facts))
    costs["left_off"] = float(_leaves_particle(asked, draft))
    costs["asks_sum"] = float(asked.has("sum") and draft.kind in LISTS)
    costs["money_noun"] += float(_counts_money(asked, draft, weights))
    costs["member"] = float(facts.is_member and not draft.dated)
    costs["joins"] = len(facts.source.joins)
    costs["unmatched"] = facts.unmatched
    costs["place"] = min(facts.place, 10)
    query = draft.query.two if isinstance(draft.query, Contrast) else draft.query
    if not query.where and not query.source.joins:
        nouns = {i for i in range(len(weights)) if draft.mask >> i & 1}
        costs["no_table_word"] = 0.0 if nouns else 1.0
    return costs


def _left(asked: Asked, facts: Facts, draft: Draft, named: Named, weights: Weights) -> Costs:
    """Return what a draft leaves that no answer may leave: an exclusion, a rank or group, what is asked for."""
    costs = Costs()
    excluding = [*asked.of("excluding", "excluded"), *(p for p in asked.of("empty") if p.last - p.first > 1)]
    costs["exclusion left"] = float(any(not draft.mask >> p.first & 1 for p in excluding) or _is_never(asked, draft))
    values = {t.first for t in named.tags if t.kind == "value"}
    grouped = asked.of("group")  # not the "by" of "curated by Ann"
    by = [p for p in grouped if asked.keys[p.last - 1] in EACH or not values & set(range(p.last, p.last + 3))]
    costs["rank left"] = float(any(not draft.mask >> (p.last - 1) & 1 for p in (*asked.of(*UNREAD), *by)))
    head = _leaves_head(asked, draft, weights) or _leaves_counted(asked, draft, facts, named, weights)
    costs["head left"] = float(head or _leaves_number(asked, draft, facts))
    return costs


def _leaves_number(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether a list shows no number though one is asked for: the "mobile number" of a person."""
    if draft.kind not in LISTS or not says_code(asked):
        return False
    codes = asked.language.set_of("codes")
    left = any(k in codes and not draft.mask >> i & 1 for i, k in enumerate(asked.keys))
    return left and not _shows_code(draft, facts)


def score_of(costs: Mapping[str, float]) -> float:
    """Return the score, at most 0."""
    return -sum(COSTS.get(name, 1.0) * value for name, value in costs.items())


def _are_persons(facts: Facts) -> bool:
    return any(n.groups & PERSONS and sure > 0.65 for n, sure in facts.nouns)


def _is_person(f: Field) -> bool:
    """Tell whether a column has persons, by its header."""
    told = bool(f.pairs & PERSONS) or any(f.words[i].groups & (PERSONS | ACTORS) for i in f.core)
    if any(w.groups & {"email", "phone", "address"} for w in f.words):
        return False
    return f.is_text and not f.is_code and (told or all(w.text in PERSON_NAME for w in f.words))


def _shows_person(draft: Draft, facts: Facts) -> bool:
    """Tell whether a column that is shown has persons, by its header."""
    refs = {(e.table, e.column) for e in getattr(draft.query, "shown", ()) if isinstance(e, Ref)}
    codes = [f for f in facts.fields if f.is_code and any((f.schema.name, n) in refs for n in f.column.all_names())]
    if any((found := names_of_code(f, facts)) and all(map(_is_person, found[1])) for f in codes):
        return True
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
    tables = {c.table for c in named if isinstance(c, Ref)}
    named |= {j.left for j in query.source.joins if j.table in tables}  # the number of the customer that is named
    return float(all(e in named for e in query.shown))


def _about_others(asked: Asked, draft: Draft, facts: Facts) -> int:
    """Return how much of a question is about other things than a draft: persons, staff, an amount."""
    who = asked.language.set_of("who") & set(asked.keys[:2]) and not any(w.lexeme.groups & ACTORS for w in asked.words)
    others = who and not _are_persons(facts) and not _shows_person(draft, facts)
    employees = any("employee" in n.groups and sure > 0.65 for n, sure in facts.nouns)
    headless = asked.language.set_of("staff") & set(asked.keys) and not employees  # a headcount counts no contracts
    left = [(w.lexeme.groups, asked.may_be_left(i)) for i, w in enumerate(asked.words) if not draft.mask >> i & 1]
    # "the amount of Aurora" is no list of invoices
    amount = (
        draft.kind in ("list", "lookup")
        and not _shows_number(draft, facts)
        and any(groups & (AMOUNTS if light else QUANTITIES) for groups, light in left)
    )
    return bool(others) + bool(headless) + amount


def _adds_versions(draft: Draft, facts: Facts) -> bool:
    """Tell whether rows of several versions of a list are computed with together: prices of 2025 and of 2026."""
    query = draft.query
    if not isinstance(query, Query) or not query.measures or facts.is_joined or draft.dated:
        return False
    key = key_of_versions(facts)
    if key is None or has_periods(key):
        return False
    where = {c.ref.column for c in query.where if isinstance(c.ref, Ref)}
    shown = {e.column for e in query.shown if isinstance(e, Ref)}
    return not (where | shown) & set(UNION_SOURCE)


def _leaves_particle(asked: Asked, draft: Draft) -> bool:
    """Tell whether all rows are counted though a verb tells some: "courses that we had to call off"."""
    query = draft.query
    if not isinstance(query, Query) or draft.kind != "count" or any(c.operator in ("=", "<>") for c in query.where):
        return False
    left = [i for i in range(len(asked.words)) if not draft.mask >> i & 1]
    return any(asked.keys[i] in PARTICLES and i - 1 in left and asked.may_be_left(i - 1) for i in left)


def _leaves_filter(draft: Draft, costs: Mapping[str, float]) -> bool:
    """Tell whether all rows are computed with though a telling word, perhaps of some of them, is not understood."""
    query = draft.query
    if not isinstance(query, Query) or not query.measures or query.shown or costs.get("unexplained", 0.0) < 1:
        return False
    return all(c.label for c in query.where)  # only dates are said in the question's words


def _shows_code(draft: Draft, facts: Facts) -> bool:
    shown = {(e.table, e.column) for e in getattr(draft.query, "shown", ()) if isinstance(e, Ref)}
    return any(
        (f.is_code or f.is_id) and (f.schema.name, n) in shown for f in facts.fields for n in f.column.all_names()
    )


def _counts_money(asked: Asked, draft: Draft, weights: Weights) -> bool:
    """Tell whether rows are counted where money is asked for: "gift income" is no number of gifts."""
    query = draft.query.two if isinstance(draft.query, Contrast) else draft.query
    counts = any(m.function == "count" for m in query.measures) and not asked.has("count")
    return counts and any(w.lexeme.groups & MONEY and weights[i] >= 1 for i, w in enumerate(asked.words))


def _is_never(asked: Asked, draft: Draft) -> bool:
    """Tell whether "never" is read as "not" of single rows: "products that were never cancelled"."""
    keys = asked.keys
    has_no = any(
        (a, b) in HAS_NO for a, b in zip(keys, keys[1:], strict=False)
    )  # "customers who have no cancelled orders"
    return (bool(NEVER & set(keys)) or has_no) and draft.kind.startswith(("list", "lookup"))


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


def _leaves_counted(asked: Asked, draft: Draft, facts: Facts, named: Named, weights: Weights) -> bool:
    """Tell whether a count leaves what is counted: of "how many orders did customers place" the customers are none."""
    for phrase in asked.of("count")[:1] if "count" in draft.kind else ():
        head, stops = -1, asked.language.set_of("prepositions") | asked.language.set_of("verbs")
        for i in range(phrase.last, len(weights)):
            if asked.keys[i] in stops or asked.keys[i].isdigit():
                break
            if weights[i] >= 1 or asked.words[i].lexeme.groups & TIMES:
                head = i
        if head >= 0:
            beside = any(t.kind == "noun" and t.last == head and t.sure > SAME_ROWS for t in named.tags)
            if beside and draft.mask >> (head - 1) & 1:
                return False  # "repair jobs" of repairs
            whole = any((f.is_date or has_periods(f)) and f.is_unique for f in facts.fields)
            if asked.words[head].lexeme.groups & TIMES and not whole:
                return True  # days are rarely rows
            unsure = any(t.kind == "noun" and t.first == head and t.sure < LIKELY_NOUN for t in named.tags)
            return unsure or not draft.mask >> head & 1
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
        draft.kind in ("sum", "avg", "count plainly", "margin sum", "margin avg")
        and not asked.has("sum", "average", "count")
    )
    if computed and _asks_which(asked):
        return 1.0  # "which suppliers sold less than in 2024" asks for no difference
    if _leaves_which(asked, draft, facts, named):
        return 1.0
    counts = isinstance(query, Only | Shift) and query.counts
    if isinstance(query, Contrast) or not query.shown or query.measures or counts:
        if getattr(query, "shown", ()) and said("who") & words and not _shows_person(draft, facts):
            return 1.0  # "who got the best result" asks for no result
        bare = isinstance(query, Contrast) or not query.shown or counts
        return float(bare and bool((said("who") | said("when") | said("where")) & words))
    fields = {(f.schema.name, n): f for f in facts.fields for n in f.column.all_names()}
    first = query.shown[0]
    f = fields.get((first.table, first.column)) if isinstance(first, Ref) else None
    if f is None:
        return 0.0
    days = any(k in said("which") and n in DAYS for k, n in zip(asked.keys, asked.keys[1:], strict=False))
    if said("when") & words or days:
        return float(not (f.is_date or f.is_year))
    if said("who") & words:
        if _shows_person(draft, facts):
            return 0.0
        if any(map(_is_person, facts.fields)):
            return 1.0
        return float(f.is_number or f.is_date or f.is_flag or f.is_code)
    if asked.keys[:2] == ["how", "long"] and draft.kind in LISTS and not _shows_number(draft, facts):
        return float(not f.is_date)
    if {"how"} & words and {"many", "much"} & words:
        return float(not f.is_number and not (isinstance(query, Query) and query.by))
    return 0.0
