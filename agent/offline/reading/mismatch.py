"""Whether what a draft shows is of the kind that is asked for: a person for "who", a date for "when"."""

from collections.abc import Iterable
from itertools import pairwise

from tablerag.agent.offline.reading.compose import CUSTOMERS, Draft, says_code
from tablerag.agent.offline.reading.facts import (
    AMOUNTS,
    INCOME,
    OUTLAY,
    PLANNED,
    QUANTITIES,
    SPENT,
    Facts,
    Field,
    like,
    split_words,
)
from tablerag.agent.offline.reading.filters import has_periods
from tablerag.agent.offline.reading.joining import names_of_code
from tablerag.agent.offline.reading.naming import Named
from tablerag.agent.offline.reading.query import Calc, Contrast, Expr, Mapped, Query, Ref
from tablerag.agent.offline.reading.shifts import Only, Shift
from tablerag.agent.offline.reading.units import IN, MONEY
from tablerag.agent.offline.reading.vocabulary import PART, Lexeme, lexeme
from tablerag.agent.offline.reading.words import Asked

__all__ = ["CONTACTS", "LISTS", "about_others", "asks_which", "echoes", "mismatch_of", "shows_code", "shows_number"]

LISTS = ("list", "lookup", "list with names", "asked")
"""Kinds of drafts that show rows."""
PERSONS = frozenset(
    """employee student teacher patient doctor visitor participant applicant driver player member subscriber author
    nurse volunteer tenant donor guest contact responsible manager""".split()
)
ACTORS = frozenset("customer supplier donor carrier".split())
"""Groups of words for whom "who" may ask for that are mostly organisations."""
IN_CHARGE = frozenset(("manager", "responsible"))
EARNED = frozenset("earn earns earned verdient verdienen gagne gagnent".split())
CONTACTS = frozenset(("phone", "email"))
ENERGIES = frozenset(("gas", "water", "heating"))
ELECTRIC = frozenset("electricity electric strom stromverbrauch electricite elektrizitat".split())
NO_MONEY = QUANTITIES - AMOUNTS | {"date"}
"""Groups of words for numbers that are no money, whatever else is said: "days open"."""
LIKE, NAMED = 0.8, 0.95
PERSON_NAME = frozenset("name names full first last given family surname vorname nachname prenom nom".split())
"""Words of headers for the name of a person."""


def mismatch_of(asked: Asked, draft: Draft, facts: Facts, named: Named) -> float:
    """Return 1 if the kind of thing shown is not the kind asked for: "when" and a number, "who" and a date."""
    query, said = draft.query, asked.language.set_of
    words = set(asked.keys[asked.start : asked.start + 3])
    if words & said("why") and _tells_no_reason(asked, draft, facts):
        return 3.0
    if asked.has("meaning") and draft.kind != "meaning" and any(t.kind == "value" for t in named.tags):
        return 2.0  # what K7 stands for is not where it is used
    if draft.kind.startswith(("top", *LISTS)) and _shows_others(asked, draft, facts):
        return 1.0
    if asks_which(asked) and _groups_by_time(asked, draft) or _leaves_time(asked, draft, facts):
        return 1.0
    if other_money := _other_money(asked, draft, facts, named):
        return other_money
    if asked.has("what_did") and _asks_money(asked) and draft.kind in LISTS and not shows_number(draft, facts):
        return 1.0  # what bookings brought in is no list of them
    counts = draft.kind in ("sum", "count", "count plainly") and not asked.has("count", "sum")
    if asked.keys[asked.start] in said("listing") and counts:
        return 1.0
    totals = ("sum", "avg", "count", "count plainly", "margin sum", "margin avg")
    if asks_which(asked) and (isinstance(query, Contrast) or draft.kind in totals):
        return 1.0  # "which suppliers sold less than in 2024" asks for no difference
    if _leaves_which(asked, draft, facts, named):
        return 1.0
    counts = isinstance(query, Only | Shift) and query.counts
    if isinstance(query, Contrast) and query.kind == "difference" and _counts_things(asked, draft, facts):
        return 3.0
    if isinstance(query, Contrast) or not query.shown or query.measures or counts:
        nobody = said("who") & words and _shows_nobody(asked, draft, facts)
        if getattr(query, "shown", ()) and (nobody or said("when") & words and not _shows_time(draft, facts)):
            return 1.0  # "who got the best result" asks for no result, "when did they last place an order" for no place
        bare = isinstance(query, Contrast) or not query.shown or counts
        return float(bare and bool((said("who") | said("when") | said("where")) & words))
    fields = {(f.schema.name, n): f for f in facts.fields for n in f.column.all_names()}
    first = query.shown[0]
    f = fields.get((first.table, first.column)) if isinstance(first, Ref) else None
    if f is None:  # of a table that is looked up
        return float(isinstance(first, Ref) and not first.grain and bool(said("when") & words))
    if asks_which(asked) and draft.kind == "lookup" and all(s.is_measure for s in _shown(draft, facts)):
        return 0.5  # "which medicines in stock" asks for no numbers
    dated = draft.kind in LISTS and any(s.is_date for s in _shown(draft, facts))
    if dated and asks_which(asked) and not _asks_date(asked):
        return 1.0  # "which projector is installed"
    if _is_contact_of_another(asked, draft, facts, named):
        return 2.0
    if says_code(asked) and _is_no_number(asked, draft, facts, named):
        return 1.0  # the number of an extension is no job
    days = any(k in said("which") and n in said("days") for k, n in pairwise(asked.keys))
    if said("when") & words or days:
        return float(not (f.is_date or f.is_year) or _is_other_date(asked, f, facts))
    if said("who") & words:
        return _is_nobody(asked, draft, facts, named, f)
    if asked.keys[:2] == ["how", "long"] and draft.kind in LISTS and not shows_number(draft, facts):
        return 2.0 * (not f.is_date)
    if {"how"} & words and {"many", "much"} & words:
        return float(not f.is_number and not (isinstance(query, Query) and query.by))
    return 0.0


def _is_nobody(asked: Asked, draft: Draft, facts: Facts, named: Named, first: Field) -> float:
    """Return 1 if a column that is shown for "who" has no persons."""
    given = {c.ref for c in getattr(draft.query, "where", ()) if c.operator == "="}
    told = [f for f in _shown(draft, facts) if f.shown not in given]
    if first.is_id or told and all(f.is_id and not names_of_code(f, facts) for f in told):
        return 1.0  # the manager of Ann is no number beside Ann
    if _shows_person(draft, facts) or _shows_named(asked, draft, facts, named):
        return 0.0
    if any(map(_is_person, facts.fields)):
        return 1.0
    return float(first.is_number or first.is_date or first.is_flag or first.is_code)


def _shows_time(draft: Draft, facts: Facts) -> bool:
    """Tell whether one of the columns shown is of dates, years or parts of them, or of a table that is looked up."""
    known = {(f.schema.name, n): f for f in facts.fields for n in f.column.all_names()}
    refs = [ref for ref in getattr(draft.query, "shown", ()) if isinstance(ref, Ref)]
    found = [known.get((ref.table, ref.column)) for ref in refs]
    times = (f is None or f.is_date or f.is_year or f.is_month for f in found)
    return len(refs) < len(getattr(draft.query, "shown", ())) or any(ref.grain for ref in refs) or any(times)


def _tells_no_reason(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether no column has reasons, or a word is left: causes of incidents are not why a place will close."""
    left = any(not draft.mask >> i & 1 and not asked.is_ignored(i) for i in range(len(asked.words)))
    return left or not any(w.groups & {"reason"} for f in facts.fields for w in f.words)


def about_others(asked: Asked, draft: Draft, facts: Facts, named: Named) -> int:
    """Return how much of a question is about other things than a draft: persons, staff, an amount."""
    who = asked.language.set_of("who") & set(asked.keys[:2]) and not any(w.lexeme.groups & ACTORS for w in asked.words)
    others = who and not _are_persons(facts) and not _shows_person(draft, facts)
    others = others and not _shows_named(asked, draft, facts, named)
    employees = any("employee" in n.groups and sure > 0.65 for n, sure in facts.nouns)
    headless = asked.language.set_of("staff") & set(asked.keys) and not employees  # a headcount counts no contracts
    free = (i for i in range(len(asked.words)) if not draft.mask >> i & 1 and not _is_done(asked, i))
    left = ((asked.words[i].lexeme.groups, asked.may_be_left(i)) for i in free)
    # "the amount of Aurora" is no list of invoices
    amount = (
        draft.kind in ("list", "lookup")
        and not shows_number(draft, facts)
        and any(groups & (AMOUNTS if light else QUANTITIES) and "deadline" not in groups for groups, light in left)
    )
    members = any(n.text in CUSTOMERS and sure > 0.65 for n, sure in facts.nouns)
    hired = asked.language.set_of("hired") & set(asked.keys) and members
    other = _energies(w.lexeme for w in asked.words)
    titled = _energies(map(lexeme, split_words(f"{facts.schema.title} {facts.schema.within}"))) if other else None
    held = other & _energies(w for f in facts.fields for w in f.words)  # gas and electricity, of "energy and water"
    energy = bool(other and titled and not other & titled and not held)  # electricity is no gas
    people = _counted(asked) & asked.language.set_of("people")
    unpeopled = people and not _are_persons(facts) and not employees and not any(map(_is_person, facts.fields))
    unpeopled = unpeopled and draft.kind == "count"
    pieces = bool({"count", "counts"} & set(draft.kind.split())) and _counts_pieces(asked, facts, named)
    deeds = _leaves_deed(asked, draft, facts)
    earned = bool(EARNED & set(asked.keys)) and _earns_nothing(draft, facts, named)
    wrong = (
        earned,
        others,
        headless,
        hired,
        unpeopled,
        energy,
        amount,
        pieces,
        deeds,
        _leaves_role(asked, draft, facts),
    )
    return sum(map(bool, wrong))


def _earns_nothing(draft: Draft, facts: Facts, named: Named) -> bool:
    """Tell whether a number is no salary though a person earns it: "what does Petra earn" is no budget."""
    persons = any(t.kind == "value" and t.field and _is_person(t.field) for t in named.tags)
    query = draft.query
    read = {m.expr for m in getattr(query, "measures", ())} | set(getattr(query, "shown", ()))
    return persons and not any(f.groups & {"salary"} for f in facts.fields if f.ref in read or f.shown in read)


def _energies(words: Iterable[Lexeme]) -> frozenset[str]:
    """Return the kinds of energy that words name."""
    found = [w.groups & ENERGIES | ({"electric"} if w.text in ELECTRIC else set()) for w in words]
    return frozenset[str]().union(*found)


def _is_done(asked: Asked, place: int) -> bool:
    """Tell whether a word is a verb after "do": the yards that "do not take waste" ask for no takings."""
    before = set(asked.keys[max(place - 2, 0) : place])
    return bool(asked.language.set_of("do") & before) and asked.may_be_left(place)


def _leaves_role(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether all persons are listed though the one in charge is asked for: "who runs Southmoor"."""
    if not asked.language.set_of("who") & set(asked.keys[:3]) or not _are_persons(facts):
        return False
    left = (w.lexeme.groups | w.pairs for i, w in enumerate(asked.words) if not draft.mask >> i & 1)
    return any(groups & IN_CHARGE for groups in left)


def _leaves_deed(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether persons are listed though nothing tells who did what is asked: "who bought the Kanturk site"."""
    place = asked.start + 1
    if place >= len(asked.words) or asked.keys[asked.start] not in asked.language.set_of("who"):
        return False
    deed = asked.words[place].lexeme.groups
    left = asked.keys[place] in asked.language.verbs and not draft.mask >> place & 1
    told = frozenset[str]().union(*(f.groups for f in facts.fields), *(n.groups for n, _ in facts.nouns))
    return bool(deed) and left and draft.kind in LISTS and not deed & told


def _is_no_number(asked: Asked, draft: Draft, facts: Facts, named: Named) -> bool:
    """Tell whether a text is shown though a number is asked for, which another column that the words name has."""
    shown = _shown(draft, facts)
    for tag in named.tags:
        if tag.kind == "column" and tag.field in shown and tag.field and tag.field.is_text and not tag.field.is_code:
            word = asked.words[tag.first]
            numbered = (f for f in facts.fields if f.is_code or f.is_id or f.is_number)
            if any(like(word.lexeme, word.pairs, f)[0] >= PART for f in numbered if f is not tag.field):
                return True
    return False


def _is_contact_of_another(asked: Asked, draft: Draft, facts: Facts, named: Named) -> bool:
    """Tell whether a phone number is of the rows that somebody only handled, not of the person that is named."""
    contacts = [f for f in _shown(draft, facts) if f.groups & CONTACTS]
    asks = any(w.lexeme.groups & CONTACTS for w in asked.words)
    persons = (t.field for t in named.tags if t.kind == "value" and t.field and t.field.is_text)
    return bool(contacts) and asks and any(not f.is_unique and f not in facts.display() for f in persons)


def _asks_date(asked: Asked) -> bool:
    """Tell whether "which" is followed by a word for time: "on which day"."""
    place = _place_of_which(asked, 3)
    after = asked.words[place + 1 : place + 3] if place is not None else ()
    return any(w.lexeme.groups & {"date", "day", "month", "year", "week", "deadline"} for w in after)


def _groups_by_time(asked: Asked, draft: Draft) -> bool:
    """Tell whether periods are shown though things are asked for: "which machine costs the most per day"."""
    shown = getattr(draft.query, "shown", ())
    timed = bool(shown) and isinstance(shown[0], Ref) and bool(shown[0].grain)
    return draft.kind.startswith("group") and timed and not _asks_date(asked)


def _counts_pieces(asked: Asked, facts: Facts, named: Named) -> bool:
    """Tell whether the rows would be counted as "pieces" or "samples", though a column has how many there are."""
    nouns = [(asked.words[i], t.sure) for t in named.tags if t.kind == "noun" for i in range(t.first, t.last)]
    numbers = [f for f in facts.fields if f.is_measure and not f.is_money and f.schema is facts.schema]
    pieces = any("quantity" in n.lexeme.groups for n, _ in nouns) and any("quantity" in f.groups for f in numbers)
    alone = [f for f in numbers if len(f.words) == 1 and f.is_additive]
    return pieces or any(like(n.lexeme, n.pairs, f)[0] >= max(sure, PART) for f in alone for n, sure in nouns)


def _other_money(asked: Asked, draft: Draft, facts: Facts, named: Named) -> float:
    """Return how far money, or what is in its place, is not what is asked for."""
    if _measures_money(asked, draft, facts, named) or _is_spent(asked, draft, facts, named):
        return 3.0
    return 2.0 if _is_planned(asked, draft, facts) else float(_lists_money(asked, draft, facts, named))


def _measures_money(asked: Asked, draft: Draft, facts: Facts, named: Named) -> bool:
    """Tell whether money is computed though days are asked for, "how many days did it take", or the reverse."""
    query = draft.query.two if isinstance(draft.query, Contrast) else draft.query
    money = {f.ref for f in facts.fields if f.is_money}
    if _asks_money(asked) and asked.has("sum"):  # "how much have we spent" is no time
        timed = {f.ref for f in facts.fields if f.is_measure and not f.is_money and f.groups & {"hours", "duration"}}
        if any(m.expr in timed for m in query.measures):
            return True
        counted = {p.last for p in asked.of("count")} & {
            i for t in named.tags if t.kind == "noun" for i in (t.first, t.first - 1)
        }
        if not counted and not any(m.expr in money or isinstance(m.expr, Calc) for m in query.measures):
            # "What did we pay for tolls" is no distance.
            return any(money or m.expr and not _may_be_money(m.expr, facts) for m in query.measures)
    if _leaves_currency(asked, draft) and any(m.expr and not _may_be_money(m.expr, facts) for m in query.measures):
        return True
    heads = asked.language.set_of("durations") | asked.language.set_of("people")
    return bool(_counted(asked) & heads) and any(m.expr in money for m in query.measures)


def _is_planned(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether a budget is computed though it is asked what was spent, or a target though what came in."""
    of_money = SPENT | INCOME
    spent = asked.language.set_of("spent") & set(asked.keys) or any(w.lexeme.groups & of_money for w in asked.words)
    if not spent or any(w.key in PLANNED or "budget" in w.lexeme.groups for w in asked.words):
        return False
    query = draft.query.two if isinstance(draft.query, Contrast) else draft.query
    planned = {ref for f in facts.fields if f.is_planned for ref in (f.ref, f.shown)}
    return any(e in planned for e in (*(m.expr for m in query.measures), *getattr(query, "shown", ())))


def _lists_money(asked: Asked, draft: Draft, facts: Facts, named: Named) -> bool:
    """Tell whether rows are named where money is meant: "the marketing expenses of 2024" are no numbers of expenses."""
    said = [i for t in named.tags if t.kind == "noun" for i in range(t.first, t.last)]
    money = any(asked.words[i].lexeme.groups & (INCOME | SPENT) for i in said)
    lists = draft.kind in LISTS and not shows_number(draft, facts)
    listed = asked.keys[asked.start] in asked.language.set_of("listing")
    return money and lists and not listed and not asks_which(asked) and any(f.is_money for f in facts.fields)


def _is_spent(asked: Asked, draft: Draft, facts: Facts, named: Named) -> bool:
    """Tell whether money that was spent is computed though only money that comes in is asked for."""
    verbs = asked.language.set_of("sold") | asked.language.set_of("took")
    values = sum(t.mask for t in named.tags if t.kind == "value")
    free = [w for i, w in enumerate(asked.words) if not values >> i & 1]
    income = any(w.lexeme.groups & INCOME or w.key in verbs for w in free)
    if not income or any(w.lexeme.groups & OUTLAY for w in asked.words):
        return False
    query = draft.query.two if isinstance(draft.query, Contrast) else draft.query
    spent = {f.ref for f in facts.fields if f.is_of_outlay and not f.groups & INCOME}
    return any(m.expr in spent for m in query.measures)


def _leaves_currency(asked: Asked, draft: Draft) -> bool:
    """Tell whether "in pounds" is left unread."""
    pairs = enumerate(pairwise(asked.keys))
    return any(a in IN and b in MONEY and not draft.mask >> i + 1 & 1 for i, (a, b) in pairs)


def _may_be_money(expr: Expr, facts: Facts) -> bool:
    amounts = {f.ref for f in facts.fields if f.is_money or f.groups & AMOUNTS and not f.groups & NO_MONEY}
    return isinstance(expr, Calc) or expr in amounts


def _asks_money(asked: Asked) -> bool:
    """Tell whether a question asks what was paid, earned or brought in."""
    said = asked.language.set_of
    bare = any(p.last < len(asked.keys) and asked.keys[p.last] in said("do") for p in asked.of("sum"))
    return bool((said("spent") | (said("took") if bare else set())) & set(asked.keys))


def _counted(asked: Asked) -> set[str]:
    """Return the words right after "how many"."""
    return {asked.keys[p.last] for p in asked.of("count") if p.last < len(asked.words)}


def _is_other_date(asked: Asked, f: Field, facts: Facts) -> bool:
    """Tell whether a question names what another date is of: when something "runs out" is not when it starts."""
    said = frozenset[str]().union(*(w.lexeme.groups | w.pairs for w in asked.words))
    own, *others = (_roles(d) & said for d in (f, *(d for d in facts.fields if d.is_date and d is not f)))
    return f.is_date and not own and any(others)


def _roles(f: Field) -> frozenset[str]:
    return f.groups - {"date", "day"}


def _counts_things(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether things are counted, but a difference of money is computed: "how many products became cheaper"."""
    money = {f.ref for f in facts.fields if f.is_money}
    query = draft.query.two if isinstance(draft.query, Contrast) else draft.query
    counted = [asked.words[p.last] for p in asked.of("count") if p.last < len(asked.words)]
    things = any(not w.lexeme.groups & AMOUNTS and w.key not in MONEY for w in counted)
    return things and any(m.expr in money for m in query.measures)


def _place_of_which(asked: Asked, within: int) -> int | None:
    """Return the place of "which" among the first words."""
    known, start = asked.language.set_of("which"), asked.start
    return next((i for i in range(start, min(start + within, len(asked.keys))) if asked.keys[i] in known), None)


def _place_of_thing(asked: Asked) -> int:
    """Return the place of the word after "which" or "top 3"; 0 if there is neither."""
    which = _place_of_which(asked, 2)
    if which is not None:
        return which + 1
    place = next((p.last for p in asked.of("highest") if p.first < 2), 0)
    if not place and asked.has("highest", "lowest"):  # "the three vehicles with the highest fuel bill"
        counted = (i for i, k in enumerate(asked.keys[:2]) if k in asked.language.numbers or k.isdigit())
        return next(counted, -1) + 1
    following = asked.keys[place] if 0 < place < len(asked.keys) else ""
    return place + (following.isdigit() or following in asked.language.numbers)


def asks_which(asked: Asked) -> bool:
    """Tell whether a question asks for things: "which suppliers", but not "which percentage"."""
    which = _place_of_which(asked, 3)
    if which is None or asked.keys[asked.start] == "what" or any(p.first == which for p in asked.of("asks_the")):
        return False  # "quel est le coût"
    measured = [p.first for p in asked.of("share", "percent", "sum", "change", "by_how_much")]
    return not any(which <= p <= which + 2 for p in measured)


def _shows_others(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether other things are shown than "which" or "top 3" asks for: invoices rather than suppliers."""
    place = _place_of_thing(asked)
    read = {c.ref for c in getattr(draft.query, "where", ())}  # "which high-criticality machines"
    meant, joins = list[Field](), facts.source.joins
    # "Volunteer activities" are activities, but who "complains the most" is a customer.
    verb = any(p.first == place + 2 and p.last == len(asked.keys) for p in asked.of("highest", "lowest", "often"))
    verb |= place + 1 < len(asked.keys) and asked.keys[place + 1].endswith("ed") and asked.may_be_left(place + 1)
    for word in asked.words[place : place + 2 - verb] if place else ():
        headers = (f for f in facts.fields if (f.is_text or f.is_id) and len(f.core) == 1 and f.shown not in read)
        named = [f for f in headers if like(word.lexeme, word.pairs, f)[0] >= LIKE]
        meant = named or meant
    shown = _shown(draft, facts) if meant else []
    meant += [f for f in shown if any(j.table == f.schema.name and j.left in {m.ref for m in meant} for j in joins)]
    timed = any(f.groups & {"month", "quarter", "week", "year", "day"} for f in meant)
    told = timed or not any(f.is_unique for f in meant) and facts.display()[:1] != tuple(meant[:1])
    return bool(meant and shown) and told and not any(f in meant for f in shown)


def _leaves_time(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether a top has no time though one is asked for: "in which month did we sell most"."""
    query, which = draft.query, _place_of_which(asked, 3)
    if which is None or not isinstance(query, Query) or which + 1 >= len(asked.words):
        return False
    times = asked.words[which + 1].lexeme.groups & {"month", "quarter", "week", "year"}
    dated = any(isinstance(e, Mapped) or isinstance(e, Ref) and e.grain for e in query.shown)
    told = any(f.is_date or f.is_year or has_periods(f) or f.groups & times for f in _shown(draft, facts))
    return bool(times) and draft.kind.startswith(("top", "extreme")) and not (dated or told)


def _leaves_which(asked: Asked, draft: Draft, facts: Facts, named: Named) -> bool:
    """Tell whether what follows "which" is of a table that is looked up, of which nothing is shown."""
    which = _place_of_which(asked, 3)
    if which is None or not facts.is_joined or not isinstance(draft.query, Query):
        return False
    columns = (t for t in named.tags if t.kind != "value" and t.field)  # a value tells which rows are meant
    meant = next((t.field.schema.name for t in columns if which < t.first <= which + 2 and t.field), "")
    shown = {e.table for e in draft.query.shown if isinstance(e, Ref)}
    return bool(meant) and meant != facts.schema.name and meant not in shown and bool(shown)


def echoes(draft: Draft) -> float:
    """Return 1 for a lookup that shows only what the question itself names."""
    query = draft.query
    if not isinstance(query, Query) or query.measures or not query.shown:
        return 0.0
    if query.by is not None:  # the three largest of one
        return float(query.limit > 1 and any(c.operator == "=" and c.ref in query.shown for c in query.where))
    named = {c.ref for c in query.where if c.operator == "=" and len(c.values) == 1}
    tables = {c.table for c in named if isinstance(c, Ref)}
    named |= {j.left for j in query.source.joins if j.table in tables}  # the number of the customer that is named
    return float(all(e in named for e in query.shown))


def _are_persons(facts: Facts) -> bool:
    return any(n.groups & PERSONS and sure > 0.65 for n, sure in facts.nouns)


def _is_person(f: Field) -> bool:
    """Tell whether a column has persons, by its header."""
    told = (
        bool(f.pairs & PERSONS)
        or any(w.text in ("person", "persons", "who", "wer", "qui") for w in f.words)
        or any(f.words[i].groups & (PERSONS | ACTORS) for i in f.core)
    )
    if any(w.groups & {"email", "phone", "address"} for w in f.words):
        return False
    return f.is_text and not f.is_code and (told or all(w.text in PERSON_NAME for w in f.words))


def _shows_person(draft: Draft, facts: Facts) -> bool:
    """Tell whether a column that is shown has persons, by its header."""
    shown = _shown(draft, facts)
    if any((found := names_of_code(f, facts)) and all(map(_is_person, found[1])) for f in shown if f.is_code):
        return True
    persons = {o.schema.name for o in (facts, *facts.joined) if _are_persons(o)}
    return any(_is_person(f) and (f.schema.name in persons or not _is_bare(f)) for f in shown)


def _shows_nobody(asked: Asked, draft: Draft, facts: Facts) -> bool:
    """Tell whether groups that are ranked are no persons though "who" or "whose" asks for one."""
    if any(w.lexeme.groups & ACTORS for w in asked.words) or _shows_person(draft, facts):
        return False
    return bool(asked.language.set_of("whose") & set(asked.keys[:3])) or not _shows_name(draft, facts)


def _shows_named(asked: Asked, draft: Draft, facts: Facts, named: Named) -> bool:
    """Tell whether a text is shown that the question names by its header: "who is the caretaker"."""
    exact = [t for t in named.tags if t.kind == "column" and t.field and t.field.is_text and t.sure >= NAMED]
    # A verb asks for somebody else: "who bought the site", "who pays".
    exact = [t for t in exact if t.first > asked.start + 1]
    asked_for = [t.field for t in exact if all(map(asked.is_ignored, range(asked.start + 1, t.first)))]
    return any(s in asked_for for s in _shown(draft, facts))


def _shows_name(draft: Draft, facts: Facts) -> bool:
    """Tell whether a column called "Name" is shown, or a number that stands for such names."""
    shown = _shown(draft, facts)
    told = [names_of_code(f, facts) for f in shown if f.is_code or f.is_id]
    return any(f.is_name for f in shown) or any(n and any(f.is_name for f in n[1]) for n in told)


def _is_bare(f: Field) -> bool:
    """Tell whether a header is just "Name", which need not be of a person."""
    return all("name" in w.text or w.text in ("nom", "names") for w in f.words)


def shows_code(draft: Draft, facts: Facts) -> bool:
    """Tell whether a column that is shown has codes or numbers of things."""
    return any(f.is_code or f.is_id for f in _shown(draft, facts))


def shows_number(draft: Draft, facts: Facts) -> bool:
    """Tell whether a column that is shown has numbers to compute with."""
    return any(f.is_measure for f in _shown(draft, facts))


def _shown(draft: Draft, facts: Facts) -> list[Field]:
    """Return the columns that are shown, also by the names that they have in SQL for their parts."""
    refs = {(e.table, e.column) for e in getattr(draft.query, "shown", ()) if isinstance(e, Ref)}
    return [f for f in facts.fields if any((f.schema.name, n) in refs for n in f.column.all_names())]
