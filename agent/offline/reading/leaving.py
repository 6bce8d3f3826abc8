"""What a draft leaves unread that no answer may leave: an exclusion, a rank, what is asked for."""

from collections.abc import Mapping
from itertools import pairwise

from tablerag.agent.offline.reading.comparing import leaves_comparison
from tablerag.agent.offline.reading.compose import GRAINS, RANKS, Draft, says_code
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.facts import Facts, Field
from tablerag.agent.offline.reading.filters import has_periods
from tablerag.agent.offline.reading.mismatch import CONTACTS, LISTS, shows_code
from tablerag.agent.offline.reading.naming import Named, Weights
from tablerag.agent.offline.reading.query import Contrast, Query, Ref
from tablerag.agent.offline.reading.states import states_said
from tablerag.agent.offline.reading.tag import sum_masks
from tablerag.agent.offline.reading.units import asked_units
from tablerag.agent.offline.reading.words import Asked

__all__ = ["counts_money", "leaves_filter", "leaves_modifier", "leaves_particle", "leaves_state", "left_of"]

UNREAD = (*RANKS, *GRAINS, "ordinal", "average", "median", "share", "percent")
"""What no answer may leave unread: it would be another value than the one asked for."""
LIKELY_NOUN = 0.55
"""How sure a word must be of the rows that are counted."""
SAME_ROWS = 0.85
SURELY = 0.95
MOST_STATES = 15
"""Columns with more values tell no state."""
LEAST_WITH_UNIT = 4
"""Words of the shortest question that ends with a unit."""
MONEY = frozenset(("revenue", "cost", "amount", "profit"))
TIMES = frozenset("date day week month year hours duration".split())
"""Groups of words for time, which rows rarely are."""


def _leaves_text(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether a quantity whose column is text is named, and what a draft computes of or counts is not."""
    query = draft.query
    if not isinstance(query, Query) or not query.measures or asked.has("count"):
        return False
    words = [w.lexeme for w in asked.words]
    named = [f for f in facts.fields if f.is_named(words, SURELY)]
    return any(f.is_unsummed for f in named) and not {f.ref for f in named} & {m.expr for m in query.measures}


def _leaves_measure(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether all words of another number's header are said: "seats ... sold", but seats are added up."""
    query = draft.query.two if isinstance(draft.query, Contrast) else draft.query
    computed = {m.expr for m in getattr(query, "measures", ()) if m.function in ("sum", "avg", "min", "max")}
    if not computed or not all(isinstance(e, Ref) for e in computed):
        return False
    words = [w.lexeme for w in asked.words]
    named = {f.ref for f in facts.fields if f.is_measure and len(f.core) > 1 and f.is_named(words, SURELY)}
    by = {f.ref for f in facts.fields if f.ref in computed and f.is_named(words, SURELY)}
    return bool(named) and not (named | by) & computed


def _leaves_unit(asked: Asked, draft: Draft, facts: Facts, weights: Weights) -> bool:
    """Tell whether a unit is asked for that is not given: "total length in furlongs", miles as they are for "in km"."""
    shown = () if getattr(draft.query, "measures", ()) else getattr(draft.query, "shown", ())
    if numbers := [f for f in facts.fields if f.is_measure and f.shown in shown]:
        return any(u.factor(f) not in (None, 1.0) for u in asked_units(asked) for f in numbers)
    if not getattr(draft.query, "measures", ()) or len(asked.words) < LEAST_WITH_UNIT:
        return False
    last = len(asked.words) - 1
    return asked.keys[last - 1] == "in" and weights[last] >= 1 and not draft.mask >> last & 1


def left_of(asked: Asked, facts: Facts, draft: Draft, named: Named, weights: Weights) -> Costs:
    """Return what a draft leaves that no answer may leave: an exclusion, a rank or group, what is asked for."""
    costs = Costs()
    excluding = [*asked.of("excluding", "excluded"), *(p for p in asked.of("empty") if p.last - p.first > 1)]
    costs["exclusion left"] = float(any(not draft.mask >> p.first & 1 for p in excluding) or _is_never(asked, draft))
    values = {t.first for t in named.tags if t.kind == "value"}
    grouped = asked.of("group")  # not the "by" of "curated by Ann"
    each = asked.language.set_of("each")
    by = [p for p in grouped if asked.keys[p.last - 1] in each or not values & set(range(p.last, p.last + 3))]
    compares = isinstance(draft.query, Query) and leaves_comparison(asked, draft.mask)
    unread = [p for p in (*asked.of(*UNREAD), *by) if not draft.mask >> (p.last - 1) & 1]
    # The weights of parts as text, "12 kg" and "500 g", do not tell which is the heaviest, or the total weight.
    texts = [t for t in named.tags if t.kind == "column" and t.field is not None and t.field.is_text]
    ranked = {1 << (p.last - 1) for p in asked.of(*RANKS)}
    unranked = draft.kind in LISTS and ranked & {t.mask for t in (*texts, *(n for n in named.tags if n.kind == "noun"))}
    changes = draft.kind.startswith(("top", "extreme")) and any(
        not draft.mask >> (p.last - 1) & 1 for p in asked.of("change", "fall")
    )  # what "improved the most" need not be the best
    costs["rank left"] = float(compares or changes or bool(unread or unranked))
    costs["text left"] = float(_leaves_text(asked, draft, facts))
    costs["number left"] = float(_leaves_measure(asked, draft, facts))
    costs["unit left"] = float(_leaves_unit(asked, draft, facts, weights))
    head = _leaves_head(asked, draft, weights) or _leaves_counted(asked, draft, facts, named, weights)
    head = head or _counts_days(asked, draft, facts)
    head = head or any(
        w.lexeme.groups & CONTACTS and not draft.mask >> i & 1 and weights[i] >= 1 for i, w in enumerate(asked.words)
    )
    costs["head left"] = float(head or _leaves_number(asked, draft, facts))
    return costs


def _leaves_number(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether a list shows no number though one is asked for: the "mobile number" of a person."""
    if draft.kind not in LISTS or not says_code(asked):
        return False
    codes = asked.language.set_of("codes")
    left = any(k in codes and not draft.mask >> i & 1 for i, k in enumerate(asked.keys))
    return left and not shows_code(draft, facts)


def leaves_filter(draft: Draft, costs: Mapping[str, float]) -> bool:
    """Tell whether all rows are computed with though a telling word, perhaps of some of them, is not understood."""
    query = draft.query
    if isinstance(query, Contrast) and query.kind == "share":
        query = query.one
    if not isinstance(query, Query) or not query.measures or costs.get("unexplained", 0.0) < 1:
        return False
    if query.shown:  # "the most frequent reason for complaints" counts no other rows
        return not query.where and all(m.function == "count" for m in query.measures)
    return all(c.label for c in query.where)  # only dates are said in the question's words


def leaves_modifier(asked: Asked, draft: Draft, named: Named, weights: Weights) -> bool:
    """Tell whether a word right before what is computed is not understood: "children's loans" are not all loans."""
    if not getattr(draft.query, "measures", ()):
        return False
    for t in named.tags:
        place = t.first - 1 - (asked.keys[t.first - 1] == "s") if t.first > 1 else -1
        computed = t.kind == "noun" or (t.kind == "column" and t.field and t.field.is_measure)
        if place >= 0 and computed and draft.mask & t.mask and weights[place] >= 1 and not draft.mask >> place & 1:
            return True
    return False


def leaves_state(asked: Asked, draft: Draft, facts: Facts, weights: Weights) -> bool:
    """Tell whether a state is left unread: "is still here" or "in full" though a column tells one, "overdue" anyway."""
    if getattr(draft.query, "measures", ()) and any(
        weights[first] >= 1 and not draft.mask >> first & 1 for first in states_said(asked)
    ):
        return True  # "overdue" tells which rows count
    now = asked.language.set_of("now")
    if not any(k in now and not draft.mask >> i & 1 for i, k in enumerate(asked.keys)):
        return False
    told = [f for f in facts.fields if f.schema is facts.schema and _tells_state(f)]
    read = {c.ref for c in getattr(draft.query, "where", ())}
    return bool(told) and not any(f.ref in read or f.shown in read for f in told)


def _tells_state(f: Field) -> bool:
    ended = f.is_date and 0 < f.filled < len(f.texts) and bool(f.groups & {"leave", "end"})
    return ended or f.is_text and 1 < f.distinct <= MOST_STATES and bool(f.groups & {"status"})


def leaves_particle(asked: Asked, draft: Draft) -> bool:
    """Tell whether a verb with its particle is left: "courses that we had to call off", "turned people away"."""
    query = draft.query
    if not isinstance(query, Query) or (draft.kind == "count" and any(c.operator in ("=", "<>") for c in query.where)):
        return False
    left = [i for i in range(len(asked.words)) if not draft.mask >> i & 1]
    particles = asked.language.set_of("particles")
    verbs = asked.language.verbs
    return any(
        asked.keys[i] in particles
        and any(j in left and asked.may_be_left(j) and (j == i - 1 or asked.keys[j] in verbs) for j in range(i - 4, i))
        for i in left
    )


def _is_never(asked: Asked, draft: Draft) -> bool:
    """Tell whether "never" is read as "not" of single rows: of "customers who have no cancelled orders" as well."""
    never, having, none = (asked.language.set_of(use) for use in ("never", "having", "none"))
    operators = {c.operator for c in getattr(draft.query, "where", ())}
    if "absent" in operators:
        return False
    flagged = bool(operators & {"no", "empty"})  # "have no contract"
    has_no = not flagged and any(a in having and b in none for a, b in pairwise(asked.keys))
    return (bool(never & set(asked.keys)) or has_no) and draft.kind.startswith(("list", "lookup"))


def counts_money(asked: Asked, draft: Draft, weights: Weights) -> bool:
    """Tell whether rows are counted where money is asked for: "gift income" is no number of gifts."""
    query = draft.query.two if isinstance(draft.query, Contrast) else draft.query
    counts = any(m.function == "count" for m in query.measures) and not asked.has("count")
    return counts and any(w.lexeme.groups & MONEY and weights[i] >= 1 for i, w in enumerate(asked.words))


def _counts_days(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether rows are counted of which each is a day, though guests are asked for."""
    if "count" not in draft.kind.split() and "counts" not in draft.kind.split():
        return False
    daily = any(f.is_date and f.is_unique and f.schema is facts.schema for f in facts.fields)
    grains = sum_masks((1 << p.last) - (1 << p.first) for p in asked.of(*GRAINS))
    days = any(w.lexeme.groups & TIMES and not grains >> i & 1 for i, w in enumerate(asked.words))
    return daily and not days and not _are_numbered(facts)


def _are_numbered(facts: Facts) -> bool:
    """Tell whether each row has a number or name of its own."""
    own = (f for f in facts.fields if f.schema is facts.schema and not f.is_date)
    return any(f.is_unique and (f.is_text or f.is_id) for f in own)


def _leaves_head(asked: Asked, draft: Draft, weights: Weights) -> bool:
    """Tell whether a draft leaves what is asked for: "password" of "What is the password for guests?"."""
    for phrase in asked.of("asks_the")[:1]:
        head = -1
        for i in range(phrase.last, len(weights)):
            if asked.keys[i] in asked.language.set_of("prepositions") or asked.keys[i].isdigit():
                if head < 0:
                    continue  # "the date of birth of"
                break
            head = i if weights[i] >= 1 else head
        return head >= 0 and not draft.mask >> head & 1
    return False


def _leaves_counted(asked: Asked, draft: Draft, facts: Facts, named: Named, weights: Weights) -> bool:
    """Tell whether a count leaves what is counted: of "how many orders did customers place" the customers are none."""
    for phrase in asked.of("count")[:1] if "count" in draft.kind else ():
        head, stops = -1, asked.language.set_of("prepositions") | asked.language.set_of("verbs")
        for i in range(phrase.last, len(weights)):
            if asked.keys[i] in stops or asked.keys[i].isdigit() or (head >= 0 and asked.is_ignored(i)):
                break
            groups = asked.words[i].lexeme.groups & TIMES
            if weights[i] >= 1 or groups and not (asked.may_be_left(i) and "hours" in groups):  # "people work"
                head = i
        if head >= 0:
            beside = any(t.kind == "noun" and t.last == head and t.sure > SAME_ROWS for t in named.tags)
            if beside and draft.mask >> (head - 1) & 1:
                return False  # "repair jobs" of repairs
            whole = any((f.is_date or has_periods(f)) and f.is_unique for f in facts.fields)
            if asked.words[head].lexeme.groups & TIMES and not whole and draft.kind.startswith("count"):
                return True  # days are rarely rows
            unsure = any(t.kind == "noun" and t.first == head and t.sure < LIKELY_NOUN for t in named.tags)
            return unsure or not draft.mask >> head & 1
    return False
