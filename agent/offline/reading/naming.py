"""What the words of a question name in a table: columns, values, yes/no columns and the table's rows."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from tablerag.agent.offline.code_hints import is_code
from tablerag.agent.offline.reading.facts import (
    AMOUNTS,
    ENERGY_UNITS,
    LOOSE_AMOUNTS,
    MONEY_LIKE,
    OUTLAY,
    PLANNED,
    SINCE,
    UNIT_WORDS,
    Facts,
    Field,
    like,
)
from tablerag.agent.offline.reading.periods import Period
from tablerag.agent.offline.reading.query import Condition, Ref
from tablerag.agent.offline.reading.states import idioms_in, states_in
from tablerag.agent.offline.reading.tag import Named, Tag, sum_masks
from tablerag.agent.offline.reading.units import UNITS
from tablerag.agent.offline.reading.vocabulary import (
    LANGUAGES,
    PART,
    PLACES,
    Language,
    Lexeme,
    language,
    lexeme,
    likeness,
)
from tablerag.agent.offline.reading.weekdays import weekdays_in
from tablerag.agent.offline.reading.words import RANKS, WORD, Asked, Word
from tablerag.tools.linking.keys import key_of, most_edits, nearest
from tablerag.tools.records import UNION_SOURCE, ValueHint
from tablerag.tools.text import singular

__all__ = [
    "TOLD", "Named", "Tag", "Weights",
    "deed_weights", "joint_names", "names_in", "taggings", "telling_weights", "weights_of",
]  # fmt: skip

LONGEST = 6
BEAM = 14
LEAST_COLUMN = 0.45
ORGANISATION = frozenset("group gruppe groupe konzern konzerns".split())
"""After an article, the organisation whose documents are asked: "of the group"."""
LOOSE = 0.6
"""Columns are named at most so surely by a word that is like any of them, such as one for money."""
FLAG = 0.8
SHORT = 0.85
"""How sure an abbreviation names what a word says."""
TYPO = 0.85
PERSON_NAMES = frozenset(
    "fullname full lname fname surname lastname firstname last first vorname nachname prenom".split()
)
"""Words in the headers of names of persons."""
SURER = 0.1
"""How much surer words must be a value than words for the rows."""
OWED_WITHIN = 6
FEW = 15
"""Most different numbers of a column that a question tells rows by."""
LIKELY_ROWS = 0.75
IN_PART = 0.8
"""A value is named at most so surely by a part of its words."""
OTHER_COLUMN = 0.85
"""How sure a value is of another column than the one that names the rows, if it is in both."""
PART_OF_NOUN = 0.69
"""A compound such as "Rechnungsbetrag" is a column by its end sooner than a word for the rows by its beginning."""
SAME_WORD = 0.9
SAME_VALUES = PLACES | {"open", "closed", "cancelled", "overdue"}
"""Groups whose words name the same value; of others, a synonym is another value."""
GRAINS = ("by_month", "by_quarter", "by_year", "by_week", "by_day")
PERIODS = frozenset(("date", "day", "week", "month", "quarter", "year"))
SUMS = frozenset(("revenue", "cost", "price", "amount"))
PLAIN_CODES = frozenset("number numbers nummer nummern numero numeros".split())
PER_UNIT = re.compile(r"(?:/|\b(?:per|pro|je|par)\b)\s*([^\W\d]+)", re.IGNORECASE)
SAME_NAME, MUCH_LESS = 0.95, 0.15
"""How surely words name a column itself, and how much less surely a synonym would: plants, beside a code of theirs."""
TOLD = 0.8
"""The weight of a light word that is the whole header of a number, and of no other word: places "booked"."""
DEED, DONE = 0.6, 0.6
"""How surely a word must be one for the rows of a table, and the weight that a verb of that word then has."""
LEADING = 0.5
ANY_DATE = 0.5
"""How surely a date is named by a word that is also a state, if a date is asked for: when an invoice was paid."""
YES = frozenset("yes y true ja oui x 1 wahr vrai".split())
NO = frozenset("no n false nein non 0 falsch faux".split())


Weights = tuple[float, ...]
"""How much it matters that each word is explained."""


def weights_of(asked: Asked) -> Weights:
    """Return 0 for words without meaning, 0.25 for words that may be left, most for names and numbers."""
    weights = [_weight(w, i, asked) for i, w in enumerate(asked.words)]
    for first, last in idioms_in(asked):  # "on show" is said by words that mean nothing alone
        weights[last - 1] = max(1.0, *weights[first:last])
    for i in range(asked.start):  # what leads to the question tells less than what is asked
        weights[i] = min(weights[i], LEADING)
    for phrase in asked.of("filler"):  # "of course" is about no course
        weights[phrase.first : phrase.last] = [0.0] * (phrase.last - phrase.first)
    return tuple(weights)


def telling_weights(asked: Asked, weights: Weights, tags: Iterable[Tag]) -> Weights:
    """Return the weights with more for light words that are the whole header of a number: places "booked", sum of n."""
    named = [t for t in tags if t.kind == "column" and t.sure >= SAME_NAME and t.last - t.first == 1]
    told = {t.first for t in named if t.field and t.field.is_measure and len(t.field.words) == 1}
    means = {i for i in told if weights[i] or (len(asked.keys[i]) == 1 and not asked.is_ignored(i))}
    return tuple(max(w, TOLD) if i in means else w for i, w in enumerate(weights))


def deed_weights(asked: Asked, weights: Weights, tables: Iterable[Facts]) -> Weights:
    """Return the weights with more for a verb that is a table's word for its rows: what a customer did "order"."""
    rows = {n for facts in tables for n, sure in facts.nouns if sure > DEED}
    light = {i for i, w in enumerate(weights) if 0 < w < DONE}
    deeds = {i for i in light if any(likeness(asked.words[i].lexeme, n) >= SAME_WORD for n in rows)}
    return tuple(DONE if i in deeds else w for i, w in enumerate(weights))


def _weight(word: Word, place: int, asked: Asked) -> float:
    if asked.is_ignored(place) or (len(word.key) == 1 and not word.key.isdigit() and not asked.is_acronym(place)):
        return 0.0
    if word.key in ORGANISATION and place and asked.keys[place - 1] in asked.language.set_of("determiners"):
        return 0.25
    named = word.text[:1].isupper() and place and asked.language.code != "de" or asked.is_acronym(place)
    name = named and place > asked.start and not asked.titled  # "who works in Packing"
    if word.key in asked.language.light and not (name or _is_noun(word, place, asked) or _is_key(place, asked)):
        return 0.25
    return 1.4 if named or word.key[0].isdigit() else 1.0


def _covers(state: Tag, tag: Tag) -> bool:
    """Tell whether a state says all that a synonym of a value does."""
    return state.field is tag.field and not tag.mask & ~state.mask


def _is_noun(word: Word, place: int, asked: Asked) -> bool:
    """Tell whether the form of a verb is a noun, or tells which rows are meant: "by make", "the shipped orders"."""
    language, before = asked.language, asked.keys[place - 1] if place else ""
    ranked = language.code == "en" and any(p.last == place for p in asked.of(*RANKS, "average", "sum"))
    if ranked and not word.key.endswith(("ed", "en", "t")):
        return True  # "the largest order", "average order value"
    inside = 0 < place < len(asked.words) - 1 and asked.is_ignored(place - 1) and not asked.may_be_left(place + 1)
    if inside and language.code == "en" and word.key.endswith("ing"):
        return True  # "our lighting equipment"
    if word.key not in language.verbs:
        done = word.key.endswith("ed") and word.key not in language.set_of("participles")
        return language.code == "en" and done and before in language.set_of("determiners")
    if language.code == "de":
        return place > 0 and word.text[:1].isupper() and not asked.shouted
    return before in language.set_of("determiners")


def _is_key(place: int, asked: Asked) -> bool:
    """Tell whether a word says what to group by, and so is a noun: "by make of truck"."""
    grouped = any(p.last == place for p in asked.of("group")) and not asked.of(*GRAINS)
    return grouped and not asked.words[place].lexeme.groups & PERIODS


def names_in(asked: Asked, facts: Facts, hints: Iterable[ValueHint], periods: Iterable[Period]) -> list[Tag]:
    """Return everything that the words may name in a table."""
    words = _spelled(asked, facts)
    own = [f for f in facts.fields if f.column.name not in UNION_SOURCE]
    nouns = list(_nouns(facts, words))
    between = sum_masks(t.mask for t in nouns)
    found = [t if not f.is_flag else _as_flag(t, f) for f in own for t in _columns(f, words, asked, between)]
    found = [t for t in found if t.kind != "flag" or t.sure > FLAG or not _is_money(t, asked)]
    found = [t for t in found if not (t.field and t.field.is_date and _is_sum(t, asked))]
    about = [mask for p in asked.of("included", "including", "excluded") if (mask := (1 << p.last) - (1 << p.first))]
    found = [t for t in found if not any(t.mask & m == t.mask for m in about)]  # "cancelled ones counted too"
    found = [t for t in found if not (t.last <= asked.start and t.field and t.field.is_measure)]  # "what to reorder - "
    runs = _runs_of(words, asked)
    found += [t for f in facts.fields for t in _values(f, runs, words, asked)]
    found += [t for f in facts.fields if f.is_flag for t in _flags(f, words)]
    found += [t for f in facts.fields if f.is_flag or f.is_date for t in _owed(f, words, asked)]
    states = list(states_in(asked, facts))
    # "Delivered" is the status of that name rather than any date of delivery.
    named = {t.mask for t in found if t.kind == "value" and t.sure == 1}
    states = [replace(t, sure=OTHER_COLUMN) if t.kind == "flag" and t.mask in named else t for t in states]
    found = [t for t in found if t.kind != "value" or t.sure == 1 or not any(_covers(s, t) for s in states)] + states
    if asked.language.set_of("when") & set(asked.keys[:4]):
        found = _when_asked(found, asked)
    values = [t for t in found if t.kind == "value" and t.last - t.first > 1]  # "near misses" are a kind of incidents
    nouns = [n for n in nouns if not any(n.mask & ~v.mask == 0 and v.sure > n.sure + SURER for v in values)]
    found = [t for t in found if t not in states or not _is_dated(t, found)]
    found += [n for t in found if t.kind == "column" for n in (*_numbered(t, asked), *_numbered_before(t, asked))]
    found += _hinted(facts, hints, words)
    found = [t for t in found if not _is_common_word(t, asked)]
    found += weekdays_in(asked, facts)
    found += nouns
    found += list(_modified([n for n in nouns if not _is_kind_of_row(n, found, asked, facts)], found, asked))
    found = [t for t in found if not _is_event(t, found, asked)]
    out = [t for t in found if t.field and t.field.is_measure and t.sure >= TOLD and _is_after_not(t, asked)]
    found = [t for t in found if not any(t.field is o.field and not t.mask & o.mask for o in out)]
    flags = [t.mask for t in found if t.kind == "flag" and t.condition and t.condition.operator == "no"]
    found = [t for t in found if not (t.kind == "column" and t.sure <= MONEY_LIKE and t.mask in flags)]
    return _kept(found, asked, facts, periods)


def joint_names(
    asked: Asked, both: Facts, own: Iterable[Tag], other: Iterable[Tag], periods: Iterable[Period]
) -> list[Tag]:
    """Return what the words may name in joined tables, from what they name in each."""
    fields = {id(f) for f in both.fields}
    found = [t for t in (*own, *other) if t.kind != "noun" and id(t.field) in fields]
    base = {t.mask for t in found if t.kind == "value" and t.sure == 1 and t.field and t.field.schema is both.schema}
    found = [t for t in found if t.kind != "value" or t.mask not in base or (t.field and t.field.schema is both.schema)]
    return _kept([*found, *_nouns(both, _spelled(asked, both))], asked, both, periods)


def _kept(tags: Iterable[Tag], asked: Asked, facts: Facts, periods: Iterable[Period]) -> list[Tag]:
    """Leave out synonyms for names and what is only words of a period.

    A year of a period names no value, and its "since" and "beginning" no column, unless with other words.
    """
    inside = 0
    for p in periods:
        inside |= ((1 << p.last) - 1) & ~((1 << p.first) - 1)
    found = list(dict.fromkeys(tags))
    found = [t for t in found if not _is_kind_of_row(t, found, asked, facts)]
    found = [t for t in found if not _is_name(t, found, asked) and not _is_said(t, found, asked)]
    measured = {
        t.mask for t in found if t.kind == "column" and t.field and t.field.is_measure and t.sure > PART_OF_NOUN
    }
    found = [t for t in found if t.kind != "noun" or t.sure > PART_OF_NOUN + 0.05 or t.mask not in measured]
    whole = [t.mask for t in found if t.kind == "column" and t.field and t.field.is_measure and _is_header(t, asked)]
    found = [t for t in found if t.kind != "noun" or not any(t.mask & m == t.mask != m for m in whole)]
    found = [t for t in found if t.kind != "value" or not (_asks_contact(t, asked) or _is_label(t, found))]
    whole_values = {t.mask for t in found if t.kind == "value" and t.sure == 1}  # in Packing, not the packers
    found = [t for t in found if t.kind != "value" or t.sure > SAME_NAME or t.mask not in whole_values]
    found = [t for t in found if not _is_dated_verb(t, found, periods)]
    rows = {t.mask for t in found if t.kind == "noun" and t.sure > SAME_WORD}
    found = [t for t in found if not (t.mask in rows and _is_participle(t, asked))]  # "claims" are no column "Claimed"
    exact = {t.mask: t.sure for t in found if t.kind == "column" and t.sure >= SAME_NAME}
    found = [t for t in found if t.kind != "column" or t.sure >= exact.get(t.mask, 0.0) - MUCH_LESS]
    found = [replace(t, sure=OTHER_COLUMN) if _is_also_name(t, found, facts) else t for t in found]
    found = [replace(t, sure=t.sure / 2) if _is_of_another(t, found) else t for t in found]
    dated = sum(1 << i for i, k in enumerate(asked.keys) if k[0].isdigit() or k in asked.language.months)
    return [t for t in found if t.mask & ~inside or not (t.kind in ("value", "noun") or not t.mask & dated)]


def _is_dated_verb(tag: Tag, found: Iterable[Tag], periods: Iterable[Period]) -> bool:
    """Tell whether a verb right before a period says what happened then: "decided in March" asks for no decision."""
    if tag.kind != "column" or tag.field is None or tag.field.is_date or tag.field.is_measure:
        return False
    dates = (t for t in found if t.kind == "column" and t.field and t.field.is_date and t.sure > LIKELY_ROWS)
    dates = [t for t in dates if t.sure >= tag.sure]  # "on each route in March"
    return any(t.mask == tag.mask and 0 <= p.first - t.last <= 1 for t in dates for p in periods)


def _is_kind_of_row(tag: Tag, found: Iterable[Tag], asked: Asked, facts: Facts) -> bool:
    """Tell whether a word only resembles one for the rows, and is what some are: wholesalers on a wholesale list."""
    if tag.kind != "noun" or tag.last - tag.first > 1:
        return False
    word, known = singular(asked.keys[tag.first]), {singular(n.text) for n, _ in facts.nouns}
    whole = (t.condition for t in found if t.kind == "value" and t.mask == tag.mask and t.sure >= SAME_WORD)
    return word not in known and any(c and [singular(key_of(str(v))) for v in c.values] == [word] for c in whole)


def _is_common_word(tag: Tag, asked: Asked) -> bool:
    """Tell whether a word that is also a surname is none here: "own a house", in a question that uses capitals."""
    if tag.kind != "value" or tag.last - tag.first > 1 or tag.field is None or not tag.first:
        return False
    uses_capitals = asked.words[0].text[:1].isupper() and not asked.words[tag.first].text[:1].isupper()
    return uses_capitals and bool(PERSON_NAMES & set(key_of(tag.field.column.header.replace("_", " ")).split()))


def _is_participle(tag: Tag, asked: Asked) -> bool:
    """Tell whether a plural noun names a number's column only as its participle."""
    if tag.kind != "column" or tag.field is None or not tag.field.is_measure or not asked.keys[tag.first].endswith("s"):
        return False
    return all(tag.field.words[i].text.endswith("ed") for i in tag.field.core)


def _is_also_name(tag: Tag, found: Iterable[Tag], facts: Facts) -> bool:
    """Tell whether a value is also what a row is called: the branch Lakeside rather than the district."""
    if tag.kind != "value" or tag.sure < 1 or tag.field in facts.display():
        return False
    named = (t for t in found if t.kind == "value" and t.sure == 1 and t.mask == tag.mask)
    return any(t.field in facts.display() and t.field is not None and t.field.is_unique for t in named)


def _asks_contact(tag: Tag, asked: Asked) -> bool:
    """Tell whether a word is part of what is asked for rather than a value: of "phone number" the channel "Phone"."""
    numbers = asked.language.set_of("codes")
    contact = "phone" in asked.words[tag.last - 1].lexeme.groups
    return contact and tag.last < len(asked.words) and asked.keys[tag.last] in numbers


def _is_after_not(tag: Tag, asked: Asked) -> bool:
    """Tell whether a column is named to be left out: "rent without service charges"."""
    return tag.kind == "column" and any(0 <= tag.first - p.last <= 1 for p in asked.of("excluding"))


def _is_label(tag: Tag, found: Iterable[Tag]) -> bool:
    """Tell whether a word names the column of the value before it: of the "Lakeside shop" no channel "Shop"."""
    columns = [t for t in found if t.kind == "column" and t.mask == tag.mask and t.sure >= SAME_NAME]
    return any(v.kind == "value" and v.last == tag.first and any(v.field is c.field for c in columns) for v in found)


def _is_of_another(tag: Tag, found: Iterable[Tag]) -> bool:
    """Tell whether the word after a part of a value names another column: the "Lakeside depot" is no line's name."""
    if tag.kind != "value" or tag.sure > IN_PART:
        return False
    after = [t for t in found if t.kind == "column" and t.first == tag.last and t.sure > PART_OF_NOUN]
    return bool(after) and all(t.field is not tag.field for t in after)


def _is_header(tag: Tag, asked: Asked) -> bool:
    """Tell whether words are those of a header in its order: "list price", but not the "price list"."""
    said = " ".join(asked.keys[tag.first : tag.last])
    return tag.last - tag.first > 1 and said in " ".join(w.text for w in tag.field.words) if tag.field else False


def _is_event(tag: Tag, found: Iterable[Tag], asked: Asked) -> bool:
    """Tell whether a participle is when something happened rather than a state: "were opened in 2025"."""
    if tag.kind != "value" or tag.last - tag.first > 1 or not asked.years or tag.sure == 1:
        return False
    key = asked.keys[tag.first]
    dates = [t.field for t in found if t.kind == "column" and t.mask == tag.mask and t.field and t.field.is_date]
    return any(key == w.text for f in dates for w in f.words)


def _when_asked(found: list[Tag], asked: Asked) -> list[Tag]:
    """Return what words name if a date is asked for: of "on what date was it paid", when it was rather than whether."""
    said = asked.language.set_of("when")
    dates = [t for t in found if t.kind == "column" and t.field and t.field.is_date and t.sure > ANY_DATE]
    told = [t for t in dates if not set(asked.keys[t.first : t.last]) <= said]
    bare = [t for t in dates if t not in told] if told else []
    return [
        t for t in found if t not in bare and not (t.kind in ("value", "flag") and any(t.mask == d.mask for d in told))
    ]


def _is_dated(state: Tag, found: Iterable[Tag]) -> bool:
    """Tell whether a column says when a state began: who "has left" has a date of leaving, whatever the reason."""
    dates = (t for t in found if t.kind == "column" and t.field and t.field.is_date and t.sure > SAME_WORD)
    return state.kind == "value" and any(t.mask & state.mask and t.field is not state.field for t in dates)


def _is_sum(tag: Tag, asked: Asked) -> bool:
    """Tell whether only a word for sums of money names a date: "charged" is not "Paid on"."""
    words = [w.lexeme for i, w in enumerate(asked.words) if tag.mask >> i & 1 and not asked.is_ignored(i)]
    said = any(likeness(w, h) >= SAME_WORD for w in words for h in (tag.field.words if tag.field else ()))
    return not said and any(w.groups & SUMS for w in words)


def _is_money(tag: Tag, asked: Asked) -> bool:
    """Tell whether words are about money: "cost" is no flag "Paid"."""
    return any(w.lexeme.groups & AMOUNTS for i, w in enumerate(asked.words) if tag.mask >> i & 1)


def _is_said(tag: Tag, found: Iterable[Tag], asked: Asked) -> bool:
    """Tell whether a word that only resembles one thing is another: "sick" days are no rows, "orders" not "Ordered"."""
    if tag.kind == "value" and tag.sure < 0.97 and asked.keys[tag.first].endswith("s"):
        return any(t.kind == "noun" and t.mask == tag.mask and t.sure > 0.85 for t in found)
    if (
        tag.kind == "noun"
        and tag.last - tag.first > 1
        and any(t.kind == "value" and t.sure == 1 and t.mask == tag.mask for t in found)
    ):
        return True  # a "Yard Worker" is a job
    if tag.kind == "noun" and tag.sure < 0.8:
        return any(t.kind == "value" and t.sure >= 0.93 and not tag.mask & ~t.mask for t in found)
    if tag.kind == "column" and tag.sure <= LOOSE:
        return any(t.kind == "flag" and t.sure > 0.75 and not tag.mask & ~t.mask for t in found)
    return False


def _is_name(tag: Tag, found: Iterable[Tag], asked: Asked) -> bool:
    """Tell whether words that a column's synonym names are a value in capitals: "Facilities" is no "Site"."""
    if tag.kind != "column" or tag.sure > 0.85 or asked.language.code == "de":
        return False
    words = [w for i, w in enumerate(asked.words) if tag.mask >> i & 1]
    named = all(w.text[:1].isupper() for w in words) and tag.first > 0
    return named and any(t.kind == "value" and t.sure >= 0.99 and not tag.mask & ~t.mask for t in found)


def _spelled(asked: Asked, facts: Facts) -> list[tuple[Word, float]]:
    """Return the words, the mistyped ones as the table's word that is nearest."""
    known = facts.all_words
    return [_corrected(w, asked.language, known) for w in asked.words]


def _corrected(word: Word, spoken: Language, known: Collection[str]) -> tuple[Word, float]:
    if word.key in spoken.ignored or word.key in spoken.light or word.key in known or word.lexeme.groups:
        return word, 1.0
    if word.key in _first_words(spoken.code):
        return word, 1.0
    most = most_edits(word.key) or (1 if len(word.key) == 5 else 0)
    if not most:
        return word, 1.0
    meant = nearest(word.key, (k for k in known if k[0] == word.key[0] and abs(len(k) - len(word.key)) <= most), most)
    if meant == word.key:
        return word, 1.0
    return Word(word.text, meant, word.start, word.end, lexeme(meant), word.pairs), TYPO


@cache
def _first_words(code: str) -> frozenset[str]:
    """Return the words with which the phrases of a language begin."""
    return frozenset(phrase[0] for phrase in language(code).phrases)


def _columns(f: Field, words: list[tuple[Word, float]], asked: Asked, nouns: int) -> Iterator[Tag]:
    """Yield the runs of words that share the words of a header; ``nouns``: the words for the rows, as a mask."""
    hits: list[tuple[int, int, float]] = []
    customers = any("customer" in w.lexeme.groups for w in asked.words)
    for i, (word, sure) in enumerate(words):
        kind = lexeme(word.key) if any(p.last == i for p in asked.of("group")) else word.lexeme
        kind = kind if kind.groups & {"category"} else word.lexeme  # "by type", a word that means little elsewhere
        said = word.pairs & (f.pairs | f.groups)  # "run out" of an end
        if asked.is_ignored(i) and kind is word.lexeme and word.key not in {w.text for w in f.words} and not said:
            continue
        best, place = like(kind, word.pairs, f)
        if best < SAME_WORD and _names_another_amount(word, kind, f, customers=customers):
            continue
        if best and (best > PART or not (asked.may_be_left(i) and word.key.endswith("ed"))):  # "ended" did not attend
            hits.append((i, place, best * sure))
    for whole in _runs(hits, asked, nouns):
        dull = asked.language.set_of("prepositions") - SINCE
        if len(f.words) > len(whole) and all(
            asked.keys[i] in dull and not asked.words[i].pairs & f.pairs for i, *_ in whole
        ):
            continue  # "on file" is not "On hand"
        if (f.is_id or f.is_date) and all(words[i][0].lexeme.groups & LOOSE_AMOUNTS for i, *_ in whole):
            continue  # "the expenses of 2025" are no values of "expense_id", nor of "expense_date"
        sure_of = {i: sure for i, _, sure in whole}
        # "actual cost of sales": any money may be called cost, but what is not beside a word of the header is not.
        loose = {i for i, s in sure_of.items() if s <= MONEY_LIKE and max(sure_of.values()) > TYPO}
        run = [h for h in whole if h[0] not in loose or {h[0] - 1, h[0] + 1} & set(sure_of) - loose]
        covered: dict[int, float] = {}
        for n, (i, place, sure) in enumerate(run):
            follows = n > 0 and run[n - 1][:2] == (i - 1, place) and asked.language.code != "fr"
            covered[place] = sure if follows else max(covered.get(place, 0.0), sure)  # a "floor area" is an area
        for place, word in enumerate(f.words):
            if word.text in asked.years:
                covered[place] = 1.0
        share = sum(sure for place, sure in covered.items() if place in f.core) / len(f.core)
        generic = 0.04 * sum(place not in f.core for place in covered)
        if not any(place in f.core for place in covered):
            if f.is_measure and any(f.words[place].text in UNIT_WORDS for place in covered):
                yield Tag(sum(1 << i for i, _, _ in run), "column", 0.6, f)
            continue
        years = [w.text for w in f.words if w.text.isdigit() and len(w.text) == 4]
        if len(years) < len(f.core) and all(words[i][0].text in asked.years for i, _, _ in run):
            continue  # a year alone does not tell "Budget 2025" from "Actual 2025"
        if years and (others := asked.years - set(years)) and others == asked.years:
            continue  # the column of another year
        if f.is_kind and max(covered) < len(f.words) - 1:
            continue  # "article" is no "Article group"
        planned = f.is_planned and any(w.text in PLANNED and place not in covered for place, w in enumerate(f.words))
        quality = min(1.0, 0.5 * share + 0.5 * max(s for p, s in covered.items() if p in f.core) + generic)
        quality -= 0.15 * planned
        since = any(w.text in SINCE and place not in covered for place, w in enumerate(f.words))
        quality -= 0.4 * since  # a "customer" is no "Customer since"
        if quality >= LEAST_COLUMN:
            mask = sum(1 << i for i, _, _ in run)
            yield Tag(mask | _unit_after(run[-1][0] + 1, f, asked), "column", quality, f)


def _names_another_amount(word: Word, kind: Lexeme, f: Field, *, customers: bool) -> bool:
    """Tell whether a word only resembles a header: "Per km" is no distance, a price no turnover, a minimum no order."""
    rates = [lexeme(u) for u in map(str.casefold, PER_UNIT.findall(f.column.header)) if u in UNITS]
    rate = not f.is_additive and (f.is_money or "price" in f.groups)
    return (
        any(likeness(word.lexeme, u) >= PART for u in rates)
        # What customers spend is what we take, and no cost of ours.
        or bool(customers and f.groups & OUTLAY and kind.groups & OUTLAY and "price" not in f.pairs | f.groups)
        or (f.is_bound and not kind.groups & {"minimum", "maximum"})
        or ("revenue" in kind.groups and rate)
    )


def _unit_after(place: int, f: Field, asked: Asked) -> int:
    """Return the words right after a header's that are its unit, as in "Load (kg)"."""
    units = {w for part in re.findall(r"[(\[](.*?)[)\]]", f.column.header) for w in WORD.findall(key_of(part))}
    mask = 0
    if f.is_text or f.is_id:
        units |= asked.language.set_of("codes")  # "registration numbers"
    while place < len(asked.words) and asked.keys[place] in units:
        mask |= 1 << place
        place += 1
    return mask


def _runs(hits: list[tuple[int, int, float]], asked: Asked, nouns: int) -> Iterator[list[tuple[int, int, float]]]:
    """Yield runs of matching words, and each word alone.

    Between them are only ignored words, or one for the rows: "net order value" is a "Net amount".
    """
    run: list[tuple[int, int, float]] = []
    for hit in hits:
        between = range(run[-1][0] + 1, hit[0]) if run else ()
        dull = (
            all(asked.keys[i] in asked.language.ignored for i in between)
            or len(between) == 1
            and nouns >> between[0] & 1
        )
        if run and (len(between) > 2 or not dull):
            yield run
            run = []
        run.append(hit)
    if run:
        yield run
    if len(hits) > 1:
        yield from ([h] for h in hits)


@dataclass(frozen=True, slots=True)
class _Run:
    """Words in a row that may be a value."""

    mask: int
    words: tuple[tuple[Word, float], ...]
    keys: tuple[str, ...]
    phrase: str
    open: bool
    """Whether it begins or ends with a word without meaning, so that only all of it may be a value."""
    stems: tuple[frozenset[str], ...]
    names: bool
    """Whether its only word is in a group of words for the same value."""
    plain: str
    """Without "and"."""


def _runs_of(words: list[tuple[Word, float]], asked: Asked) -> list[_Run]:
    """Return the runs of words that may be a value, those from the same word with the longest first."""
    found = []
    alone = [asked.is_ignored(i) or len(w.key) == 1 and not asked.is_acronym(i) for i, w in enumerate(asked.words)]
    joining = asked.language.set_of("and")
    for first in range(len(words)):
        for length in range(min(LONGEST, len(words) - first), 0, -1):
            run, dull = tuple(words[first : first + length]), alone[first : first + length]
            written = asked.text[run[0][0].start : run[-1][0].end]
            if all(dull) and not ("-" in written and " " not in written):  # a "no-show" is more than its words
                continue
            keys = tuple(w.key for w, _ in run)
            mask = ((1 << first + length) - 1) & ~((1 << first) - 1)
            stems = tuple(w.lexeme.stems for w, _ in run)
            names = length == 1 and bool(run[0][0].lexeme.groups & SAME_VALUES)
            plain = " ".join(k for k in keys if k not in joining)
            found.append(_Run(mask, run, keys, " ".join(keys), dull[0] or dull[-1], stems, names, plain))
    return found


def _values(f: Field, runs: list[_Run], words: list[tuple[Word, float]], asked: Asked) -> Iterator[Tag]:
    """Yield the runs of words that are a value of a column, or part of one."""
    if f.is_flag or f.is_date or (f.is_number and not (f.is_id or f.is_unique)) or not f.values:
        return
    known, stems = f.values, f.by_stem
    # Most words are in no value: this is asked of every column of every table.
    held = sum_masks(1 << i for i, (w, _) in enumerate(words) if any(s in stems for s in w.lexeme.stems))
    for run in runs:
        if run.phrase not in known:
            is_held = not run.mask & ~held
            if run.open and not (is_held and _is_whole(run, f)):
                continue
            if not is_held and not (run.names or f.is_list or run.plain in known):
                continue
        if len(run.keys) == 1:
            key = run.keys[0]
            if key.isdigit() and len(key) < 4 - f.is_id or key in asked.years and key not in known:
                continue  # the year 2025 is no part of "C-2025"
            if _computes(key, f, words, asked):
                continue  # a word that says what to compute is no part of a value
        sure = min(s for _, s in run.words)
        for values, quality in _matching(f, list(run.words), list(run.keys), asked):
            yield Tag(run.mask, "value", quality * sure, f, Condition(f.shown, "=", values))


def _is_whole(run: _Run, f: Field) -> bool:
    """Tell whether words are a value, but for their endings: "no-shows"."""
    if len(run.keys) == 1:
        return False
    values = set.intersection(*(set().union(*(f.by_stem.get(s, ()) for s in of)) for of in run.stems))
    return any(v.split()[0] == run.keys[0] and v.count(" ") == len(run.keys) - 1 for v in values)


def _numbered(tag: Tag, asked: Asked) -> Iterator[Tag]:
    """Yield a column with the number after it: "priority 1", "Mahnstufe 3"."""
    f, place = tag.field, tag.last
    if f is None or f.is_money or not (f.is_number or f.is_text):
        return
    if place < len(asked.words) and asked.keys[place] in ("is", "of", "ist", "est", "de", "von", "no", "nr", "number"):
        place += 1
    key = asked.keys[place] if place < len(asked.words) else ""
    if key.isdigit() and key not in asked.years and not _is_bound(place, asked):
        cells = [float(key)] if f.is_number and float(key) in f.cells else []
        values: list[str | float] = [*cells, *(f.values.get(key, ()) if f.is_text else ())]
        if values:
            mask = tag.mask | (1 << place + 1) - (1 << tag.last)
            yield Tag(mask, "value", tag.sure, f, Condition(f.ref, "=", tuple(values)))


def _is_bound(place: int, asked: Asked) -> bool:
    """Tell whether a number is compared with: "less than 40 hours"."""
    return any(p.last == place for p in asked.of("more", "less", "at_least", "at_most", "between"))


def _numbered_before(tag: Tag, asked: Asked) -> Iterator[Tag]:
    """Yield a column with the number before it: "a 15 percent discount", "60 Tage Zahlungsziel"."""
    f, place = tag.field, tag.first - 1
    if f is None or not f.is_measure or f.is_money or f.distinct > FEW:
        return
    if place > 0 and asked.words[place].lexeme.groups & (PERIODS | {"share"}) or asked.keys[place] in ("percent", "%"):
        place -= 1
    if place < 0 or _is_bound(place, asked):
        return
    key, joined = asked.keys[place], asked.text[asked.words[place].end : asked.words[place + 1].start] == "-"
    value = float(key) if key.isdigit() else asked.language.numbers.get(key) if joined else None  # "three-room flats"
    if value is not None and value in f.cells:
        mask = (1 << tag.last) - (1 << place)
        yield Tag(mask, "value", tag.sure, f, Condition(f.ref, "=", (value,)))


def _computes(key: str, f: Field, words: list[tuple[Word, float]], asked: Asked) -> bool:
    """Tell whether a word says what to compute, and so is no value unless its column is named: "moyenne"."""
    concepts = asked.language.phrases.get((key,), ())
    if key not in f.values:
        whole = any(" " not in value for stem in lexeme(key).stems for value in f.by_stem.get(stem, ()))
        return bool(concepts) or (key in asked.language.light and not whole)
    return bool({"average", "sum", "count", "median"} & set(concepts)) and not any(
        like(w.lexeme, w.pairs, f)[0] >= 0.8 for w, _ in words if w.key != key
    )


def _matching(
    f: Field, run: list[tuple[Word, float]], keys: list[str], asked: Asked
) -> Iterator[tuple[tuple[str | float, ...], float]]:
    phrase = " ".join(keys)
    if f.is_list and (holding := [k for k in f.values if f" {phrase} " in f" {k} "]):
        yield _literals(f, [v for k in holding for v in f.values[k]]), 0.97
        return
    if phrase in f.values:
        yield _literals(f, f.values[phrase]), 1.0
        return
    plain = " ".join(k for k in keys if k not in asked.language.set_of("and"))
    if len(keys) > 2 and plain != phrase and plain in f.values:
        yield _literals(f, f.values[plain]), 0.98  # "planning and building" for "Planning & Building"
        return
    if len(keys) > 1 and not all(any(s in f.by_stem for s in w.lexeme.stems) for w, _ in run):
        return
    sets = [set().union(*(f.by_stem.get(s, ()) for s in w.lexeme.stems)) for w, _ in run]
    sets = [one or _synonyms(f, w) for one, (w, _) in zip(sets, run, strict=True)]
    holding = set.intersection(*sets)
    same = [k for k in holding if k.count(" ") == len(keys) - 1]
    if same:
        yield _literals(f, [v for k in same for v in f.values[k]]), 0.93
        return
    part = [k for k in holding if f" {phrase} " in f" {k} " or len(keys) == 1 and _begins(phrase, k)]
    if part and len(part) <= max(3, f.distinct // 3) and (len(keys) > 1 or len(keys[0]) > 2):
        values = [v for k in part for v in f.values[k]]
        if f.column.name in UNION_SOURCE:
            if len(part) < f.distinct:  # what is in the names of all files tells none from another
                yield _literals(f, values), 0.9
            return
        share = len(keys) / min(k.count(" ") + 1 for k in part)
        lone = 0.12 * (len(part) > 1)
        yield _literals(f, values), 0.35 + 0.45 * share - lone


def _begins(word: str, value: str) -> bool:
    """Tell whether a word of a value and another begin alike but for an ending: not "media" and "medien"."""
    tokens = value.split()
    return len(tokens) == 1 or any(t.startswith(word) or word.startswith(t) or t[:-1] == word[:-1] for t in tokens)


def _synonyms(f: Field, word: Word) -> set[str]:
    """Return one-word values that mean the same: "French" for France, "pending" for open."""
    groups = word.lexeme.groups & SAME_VALUES
    if not groups or f.distinct > 60:
        return set()
    return {k for k in f.values if groups & _value_groups(k)}


def _value_groups(key: str) -> frozenset[str]:
    return lexeme(key.replace(" ", "_")).groups if key.count(" ") < 3 else frozenset()


def _literals(f: Field, values: Iterable[str]) -> tuple[str | float, ...]:
    found = sorted(set(values))
    return tuple(float(v) if f.is_number else v for v in found)


def _as_flag(tag: Tag, f: Field) -> Tag:
    sure = tag.sure if tag.sure > 0.8 else tag.sure - 0.3  # "service" alone is no "service contract"
    return Tag(tag.mask, "flag", sure, f, Condition(f.ref, "yes"))


def _flags(f: Field, words: list[tuple[Word, float]]) -> Iterator[Tag]:
    """Yield the words that say no to a column, "inactive", or its cells: "insured no"."""
    for i, (word, sure) in enumerate(words):
        said = "yes" if word.key in YES else "no" if word.key in NO else ""
        before = words[i - 1][0] if i else None
        if said and before and word.key not in ("x", "1", "0", "y", "n"):
            best = max((likeness(before.lexeme, head) for head in f.words), default=0.0)
            if best >= 0.8:
                yield Tag(0b11 << i - 1, "flag", best, f, Condition(f.ref, said))
        for head in f.words:
            for prefix in ("un", "in", "non", "not", "im"):
                rest = word.key.removeprefix(prefix)
                # "unpaid" also in a table with "Bezahlt"; "income" is no "come".
                least = 0.9 if prefix == "in" else 0.8
                if len(rest) > 2 and rest != word.key and (alike := likeness(lexeme(rest), head)) >= least:
                    yield Tag(1 << i, "flag", 0.9 * min(1.0, alike + 0.1) * sure, f, Condition(f.ref, "no"))


def _owed(f: Field, words: list[tuple[Word, float]], asked: Asked) -> Iterator[Tag]:
    """Yield the words that say no to a column as what is owed: "we still owe the donor a receipt"."""
    condition = Condition(f.ref, "no" if f.is_flag else "empty")
    if f.is_date and f.filled == len(f.texts):
        return
    for phrase in asked.of("owed"):
        for i in range(phrase.last, min(phrase.last + OWED_WITHIN, len(words))):
            if not asked.is_ignored(i) and any(likeness(words[i][0].lexeme, f.words[k]) > SAME_WORD for k in f.core):
                yield Tag((1 << phrase.last) - (1 << phrase.first) | 1 << i, "flag", SAME_WORD, f, condition)


def _hinted(facts: Facts, hints: Iterable[ValueHint], words: list[tuple[Word, float]]) -> Iterator[Tag]:
    """Yield values of rows that were not read, and codes that stand for words of the question."""
    fields = {(f.schema.name, n): f for f in facts.fields for n in (f.column.name, f.column.raw) if n}
    keys = [w.key for w, _ in words]
    for hint in hints:
        f = fields.get((hint.table, hint.column))
        phrase = key_of(hint.phrase).split()
        if f is None or not phrase or (f.complete and not is_code(hint)):
            continue
        is_number = f.column.type == "integer" and hint.column == f.column.name
        if not f.is_text and not is_number:
            continue
        for first in range(len(keys) - len(phrase) + 1):
            if keys[first : first + len(phrase)] == phrase:
                mask = ((1 << first + len(phrase)) - 1) & ~((1 << first) - 1)
                ref = Ref(f.schema.name, hint.column, f.column.header)
                value = float(hint.value) if is_number else hint.value
                yield Tag(mask, "value", min(1.0, hint.score), f, Condition(ref, "=", (value,)))


def _noun_like(word: Lexeme, noun: Lexeme) -> float:
    """Return how surely a word means a table's rows; of money only the word itself: a cost is no price list."""
    sure = likeness(word, noun)
    if sure == PART and len(word.text) > len(noun.text) and not word.groups & noun.groups:
        return 0.0  # "Drehmaschinen" are not all "Maschinen"
    return sure if sure > 0.9 or not word.groups & AMOUNTS else 0.0


def _nouns(facts: Facts, words: list[tuple[Word, float]]) -> Iterator[Tag]:
    """Yield the words for the table and its rows."""
    for i, (word, sure) in enumerate(words):
        if word.key in ENERGY_UNITS or word.key in PLAIN_CODES:
            continue  # "in MWh" is no row, and a number is none
        if word.lexeme.groups & {"hours", "duration"} and not any(word.lexeme.stems & n.stems for n, _ in facts.nouns):
            continue  # hours are no rows
        best = max((_noun_like(word.lexeme, noun) * sureness for noun, sureness in facts.nouns), default=0.0)
        there = max(
            (_noun_like(word.lexeme, noun) * sureness for other in facts.joined for noun, sureness in other.nouns),
            default=0.0,
        )
        if word.key.startswith(tuple(facts.short)) and len(word.key) > 4:
            best = max(best, SHORT)  # "article" of a column "Art. No"
        if max(best, there) >= LEAST_COLUMN:
            yield Tag(1 << i, "noun", max(best, there) * sure * 0.95, foreign=there > best)
        after = words[i + 1][0] if i + 1 < len(words) else None
        both = lexeme(f"{word.key}_{after.key}").groups if after else frozenset()
        rows = (n for n, sureness in facts.nouns if sureness > LIKELY_ROWS and n.text not in language("en").verbs)
        if any(both & noun.groups for noun in rows):
            yield Tag(0b11 << i, "noun", 0.8 * sure)  # "broke down" of breakdowns
        initials = word.key[0] + after.key[0] if after else ""
        known = both or (after and lexeme(f"{word.key}_{after.key.removesuffix('s')}").groups)
        if known and initials not in _dull_words() and any(n.text == initials for n, _ in facts.nouns):
            yield Tag(0b11 << i, "noun", 0.95)  # "purchase orders" of a sheet "PO"


@cache
def _dull_words() -> frozenset[str]:
    """Return words that are no abbreviations, such as "as": of average salary."""
    return frozenset({""}.union(*(language(code).ignored for code in LANGUAGES)))


def _modified(nouns: Iterable[Tag], found: Iterable[Tag], asked: Asked) -> Iterator[Tag]:
    """Yield the words for the rows with whose they are before them: "supplier orders" of a table with suppliers."""
    whose = [t for t in found if t.kind == "column" and t.field and t.field.is_text and not t.field.is_unique]
    for noun in nouns:
        if asked.language.code == "en" and asked.keys[noun.first].endswith("ed"):
            continue  # "customers complained" are customers
        for tag in whose:
            if tag.last == noun.first and noun.sure > PART_OF_NOUN and not asked.keys[noun.first].isdigit():
                yield Tag(tag.mask | noun.mask, "noun", max(noun.sure, 0.97 * tag.sure))


def taggings(tags: list[Tag], weights: Weights) -> list[Named]:
    """Return the ways to tag the words without overlaps that explain most, best first."""
    starting: dict[int, list[Tag]] = {}
    for tag in tags:
        starting.setdefault(tag.first, []).append(tag)
    states: list[tuple[float, int, tuple[Tag, ...]]] = [(0.0, 0, ())]
    for place in range(len(weights)):
        more = list(states)
        for gain, mask, chosen in states:
            for tag in starting.get(place, ()):
                if not tag.mask & mask:
                    more.append((gain + _gain(tag, weights), mask | tag.mask, (*chosen, tag)))
        states = sorted(more, key=lambda s: -s[0])[:BEAM]
    return [Named(chosen, gain) for gain, _, chosen in states]


def _gain(tag: Tag, weights: Weights) -> float:
    whole = sum(w for i, w in enumerate(weights) if tag.mask >> i & 1)
    return tag.sure * (whole + 0.05) - 0.02 + (0.08 if tag.kind == "noun" else 0.0)
