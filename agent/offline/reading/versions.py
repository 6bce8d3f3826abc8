"""Two versions of a list: which rows were added, removed or changed, matched by their key."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from tablerag.agent.offline.reading.compose import Composer, Draft
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.ends import mask_of_words, trimmed, wants_percent
from tablerag.agent.offline.reading.facts import Facts, Field, split_words
from tablerag.agent.offline.reading.filters import periods_of_name
from tablerag.agent.offline.reading.kept import kept
from tablerag.agent.offline.reading.periods import Period, points_in
from tablerag.agent.offline.reading.query import Condition, Contrast, Expr, Measure, Query
from tablerag.agent.offline.reading.shifts import Only, Shift
from tablerag.agent.offline.reading.tag import Tag, sum_masks
from tablerag.agent.offline.reading.vocabulary import likeness
from tablerag.agent.offline.reading.wide import wholes_of
from tablerag.agent.offline.reading.words import Phrase, Word
from tablerag.tools.records import UNION_SOURCE, Member

if TYPE_CHECKING:
    from tablerag.agent.offline.reading.forms import Forms

__all__ = ["key_of_versions", "versions_of"]

TESTS: dict[str, Literal[">", "<", "<>", "="]] = {"raised": ">", "lowered": "<", "altered": "<>", "kept": "="}

SAID = (
    "change",
    "count",
    "sum",
    "removed",
    "added",
    "raised",
    "lowered",
    "altered",
    "kept",
    "distinct",
    "between",
    "excluding",
    "empty",
    "latest",
    "earliest",
)
WORDS = frozenset(
    """list lists version versions file files edition report register new newer newest latest old older previous last
    earlier original updated compared since but longer not time both two price prices beiden deux
    fassung liste datei neu neue neueren alte alten nouvelle ancienne fichier""".split()
)
"""Words about the versions themselves."""
ITEMS = frozenset(("product",))
"""Groups of words for what any list holds."""
CHANGES = frozenset(
    "change changes difference increase decrease growth rise drop fall anderung veranderung variation evolution".split()
)
OF = frozenset("in of for der von des de du".split())
PRICES = frozenset(("price", "cost", "amount", "rent", "salary"))
Way = Literal["added", "removed", "raised", "lowered", "altered", "kept"]
SEASONS = (
    frozenset(("spring", "fruhling", "fruhjahr", "printemps")),
    frozenset(("summer", "sommer", "ete")),
    frozenset(("autumn", "fall", "herbst", "automne")),
    frozenset(("winter", "hiver")),
)
LABEL_WITHIN = 3
LIKE = 0.8
"""A text among the first columns says what a code stands for."""
LEAST_UNIQUE = 0.9
SURELY_NAMED = 0.9


@dataclass(frozen=True, slots=True)
class Version:
    """One member of a union."""

    condition: Condition
    name: str
    periods: tuple[Period, ...]
    order: tuple[str, int, str]


def versions_of(forms: "Forms") -> Iterator[Draft]:
    """Yield the rows that are only in one of two versions, and those whose values differ."""
    yield from _differences(forms)
    ways = _ways(forms)
    if not ways or forms.facts.is_joined:
        return
    versions = _versions(forms.facts)
    if len(versions) < 2:
        return
    for way in ways:
        chosen = _two(forms, versions, way)
        if chosen is None:
            continue
        old, new, mask, cost = chosen
        named = trimmed(forms.named, mask)
        named = replace(named, tags=tuple(t for t in named.tags if not _is_of_file(t)))
        others = [p for p in forms.periods if not _inside(p, mask)]
        for filters in forms.filters(named, others, most=1):
            composer = forms.composer(named, filters)
            words = sum(1 << i for i, w in enumerate(forms.asked.words) if _is_of_versions(w, forms.facts, way))
            said = composer.used(*SAID) | mask | words | sum_masks(t.mask for t in forms.named.tags if _is_of_file(t))
            costs = Costs(assumed_date=cost)
            if way in ("added", "removed"):
                way = _direction(forms, way)
                yield from _only(composer, way, old, new, said, costs)
            else:
                yield from _changed(composer, way, old, new, said, costs)


def _differences(forms: "Forms") -> Iterator[Draft]:
    """Yield by how much a value of one row differs: "by how much did the day ticket get dearer"."""
    asked = forms.asked
    way = next((w for w in ("raised", "lowered", "altered", "change", "much_more", "much_less") if asked.has(w)), "")
    measured = asked.has("by_how_much", "much_more", "much_less", "percent", "share", "sum")
    if not (way and measured) or forms.facts.is_joined:
        return
    versions = _versions(forms.facts)
    chosen = _two(forms, versions, "altered") if len(versions) > 1 else None
    if chosen is None:
        return
    old, new, mask, cost = chosen
    named = trimmed(forms.named, mask)
    named = replace(named, tags=tuple(t for t in named.tags if not _is_of_file(t)))
    for filters in forms.filters(named, [p for p in forms.periods if not _inside(p, mask)], most=1):
        composer = forms.composer(named, filters)
        if not any(c.operator == "=" for c in filters.conditions):
            continue
        words = sum(1 << i for i, w in enumerate(asked.words) if w.key in WORDS)
        said = composer.used(*SAID, "by_how_much", "much_more", "much_less", "percent", "share", "fall") | mask | words
        wide = wholes_of(forms.facts)
        for f, more_mask, gap in composer.measures()[:1] if wide else _measured(composer, "altered"):
            if not f.is_measure or f.is_month:
                continue
            measure = composer.measure("sum", f) if wide else Measure("avg", f.ref)
            sides = [
                Query(forms.facts.source, (*filters.conditions, v.condition), measures=(measure,)) for v in (old, new)
            ]
            if wants_percent(asked):
                kind = "decrease" if asked.has("lowered", "fall") else "growth"
                contrast = Contrast(kind, *sides)
            else:
                down = asked.has("lowered", "fall", "much_less")
                contrast = Contrast("difference", *(reversed(sides) if down else sides))
            unit = composer.unit_mask(f)
            yield composer.draft(contrast, said | more_mask | unit, "version change", Costs(assumed_date=cost), gap)


def _is_of_versions(word: Word, facts: Facts, way: Way) -> bool:
    """Tell whether a word is about the versions or what they list; of a "price list" only if that is their title."""
    if word.lexeme.groups & PRICES and way in ("added", "removed"):
        return any(likeness(word.lexeme, noun) >= LIKE for noun, _ in facts.nouns)
    return word.key in WORDS or bool(ITEMS & word.lexeme.groups)


def _is_of_file(tag: Tag) -> bool:
    """Tell whether words are of the names of versions: both are meant."""
    return tag.kind == "value" and tag.field is not None and tag.field.column.name in UNION_SOURCE


def _ways(forms: "Forms") -> list[Way]:
    asked = forms.asked
    ways: list[Way] = [w for w in ("removed", "added", "raised", "lowered", "altered", "kept") if asked.has(w)]
    if "altered" in ways and asked.has("excluding"):
        ways = ["kept"]
    old = asked.language.set_of("old") & set(asked.keys)
    of_values = bool(old) or any(_is_new_value(forms, p) for p in asked.of("added"))
    if "added" in ways and {"altered", "raised", "lowered"} & set(ways) and of_values:
        ways.remove("added")  # "with old and new price"
    if "removed" in ways and "added" in ways and asked.has("excluding"):
        ways.remove("added")
    if asked.has("much_more", "much_less", "percent", "share") or _is_noun(forms):
        ways = [w for w in ways if w not in ("raised", "lowered", "altered", "kept")]
    if not ways and asked.has("excluding") and len(points_in(asked)) == 2:
        ways = ["removed"]
    return ways


def _is_new_value(forms: "Forms", added: Phrase) -> bool:
    """Tell whether "new" is about a value rather than a row: "show old and new price"."""
    after = (t for t in forms.named.tags if 0 <= t.first - added.last <= 1)
    return any(t.kind == "column" and t.field and t.field.is_measure for t in after)


def _direction(forms: "Forms", way: Way) -> Way:
    """Return which version has the rows: of "on the 2026 list that was not on the 2025 one", the one named first."""
    points = points_in(forms.asked)
    if len(points) != 2:
        return way
    one, two = points
    between = [p for p in forms.asked.of("excluding", "removed") if one.last <= p.first and p.last <= two.first]
    if not between or one.low == two.low:
        return way
    return "added" if one.low > two.low else "removed"


def _is_noun(forms: "Forms") -> bool:
    """Tell whether "change" is a thing asked for, as in "change in visitors 2023 to 2024", not what rows did."""
    keys = forms.asked.keys
    asks = {"which", "what", "who", "whose", "list", "show", "welche", "quels", "quelles"} & set(keys)
    return any(a in CHANGES and b in OF for a, b in zip(keys, keys[1:], strict=False)) or (
        not asks and bool(CHANGES & set(keys))
    )


def _inside(period: Period, mask: int) -> bool:
    return bool(mask >> (period.last - 1) & 1)


@kept
def _versions(facts: Facts) -> tuple[Version, ...]:
    """Return the members of a union in the order of their periods, else of their names."""
    members = facts.schema.members
    fields = {f.column.name: f for f in facts.fields}
    found = []
    for name, of in zip(UNION_SOURCE, ("source", "within"), strict=True):
        values = [getattr(m, of) for m in members]
        if name in fields and len(set(values)) == len(values) and all(values):
            for m in members:
                stored = [
                    v
                    for of in fields[name].values.values()
                    for v in of
                    if getattr(m, "source" if name == UNION_SOURCE[0] else "within") in v
                ]
                periods = _periods(m)
                start = max((p.low for p in periods if p.has_year), default="") or max(
                    (p.low for p in periods), default=""
                )
                condition = Condition(fields[name].shown, "=", tuple(stored[:1]))
                if stored:
                    order = (start, _season(m.source + " " + m.within), m.source + m.within)
                    found.append(Version(condition, values[members.index(m)], periods, order))
            break
    return tuple(sorted(found, key=lambda v: v.order))


def _season(name: str) -> int:
    """Return the place in the year of the season in a name, 0 without one: the spring menu is before the autumn one."""
    words = set(split_words(name))
    return next((n for n, season in enumerate(SEASONS, 1) if words & season), 0)


def _periods(member: Member) -> tuple[Period, ...]:
    names = (member.source.rsplit("/", 1)[-1].rsplit(".", 1)[0], member.within.removeprefix("sheet "))
    of_file, of_sheet = (tuple(periods_of_name(name)) if name else () for name in names)
    # Of the sheets of "Prices_2025_2026" each has its own year.
    return of_sheet if any(p.has_year for p in of_sheet) else (*of_file, *of_sheet)


def _two(forms: "Forms", versions: tuple[Version, ...], way: Way) -> tuple[Version, Version, int, float] | None:
    """Return the older and the newer version, the words that name them, and the cost of what is assumed."""
    points = points_in(forms.asked)
    mask = mask_of_words(forms.asked, points)
    places: list[int] = []
    for p in points:
        met = [i for i, v in enumerate(versions) if any(_same(q, p) for q in v.periods)]
        if len(met) != 1:
            if met:
                continue
            return None
        places.append(met[0])
    places = sorted(set(places))
    last = len(versions) - 1
    if len(places) == 2:
        return versions[places[0]], versions[places[1]], mask, 0.0
    if len(places) == 1:
        place = places[0]
        if place == last:
            return versions[place - 1], versions[place], mask, 0.05
        return versions[place], versions[last], mask, 0.05
    if len(points) > 0 or len(places) > 2:
        return None
    return versions[last - 1], versions[last], 0, 0.1 if len(versions) == 2 else 0.6


def _same(own: Period, asked: Period) -> bool:
    if own.has_year and asked.has_year:
        return own.low >= asked.low and own.high <= asked.high
    return own.low[-5:] == asked.low[-5:] and own.high[-5:-3] == asked.high[-5:-3]


@kept
def key_of_versions(facts: Facts) -> Field | None:
    """Return the column that identifies rows in each version: a code first, else a name."""
    where = {f.column.name: f for f in facts.fields}
    if not facts.schema.members:
        return None
    sources = list(zip(*(where[n].texts for n in UNION_SOURCE if n in where), strict=True))
    found: list[tuple[float, Field]] = []
    for f in facts.fields:
        if f.column.name in UNION_SOURCE or not (f.is_text or f.is_id) or not f.filled:
            continue
        pairs = {(s, str(t).casefold()) for s, t in zip(sources, f.texts, strict=True) if t is not None}
        unique = len(pairs) / f.filled
        repeated = 1 - f.distinct / max(1, len(pairs))
        if unique >= LEAST_UNIQUE and f.filled >= 0.9 * len(f.texts) and repeated > 0.1:
            found.append((unique + 0.05 * (f.is_code or f.is_id) - f.index / 100, f))
    return max(found, key=lambda x: x[0])[1] if found else None


def _shown(composer: Composer, way: Way) -> tuple[tuple[Expr, ...], int, Costs]:
    """Return what to show: the named column, else what names a row."""
    texts = [t for t in composer.texts() if t.field and t.field.column.name not in UNION_SOURCE]
    key, display = key_of_versions(composer.facts), composer.display
    f = texts[0].field if texts else None
    loose = bool(texts) and texts[0].sure < SURELY_NAMED and f not in (key, *display)
    if loose and key is not None and f is not None:  # "articles" are rows, though a column is called product group
        names = tuple(d.shown for d in display if not d.is_code) or (key.shown,)
        return names, composer.said(f), Costs(column_gap=0.1)
    if f is not None and (way in ("added", "removed") or f in (key, *display)):
        names = tuple(d.shown for d in display if not d.is_code)
        shown = names if f is key and (f.is_code or f.is_id) and names and not composer.says_code() else (f.shown,)
        if f is key and f.shown not in shown and texts[0].sure > SURELY_NAMED and len(f.words) == 1:
            shown = (f.shown, *shown)  # "which zones" of zones that have names too
        other = 0.8 * (f is not key and f not in display)  # what is new in a list are its rows
        return shown, composer.said(f), Costs(column_gap=1 - texts[0].sure + other)
    if key and not key.is_code and not key.is_id:
        return (key.shown,), 0, Costs()
    label = next((t for t in composer.facts.fields if t.is_text and not t.is_code and t.index < LABEL_WITHIN), None)
    named = (label, *display) if label and all(d.is_code for d in display) else display
    return tuple(f.shown for f in named), 0, Costs()


def _with_key(composer: Composer, shown: tuple[Expr, ...], key: Field) -> tuple[Expr, ...]:
    """Return what to show, with the key where several rows share a name: a product in bottles and in kegs."""
    names = composer.display[:1]
    shared = bool(names) and shown == (names[0].shown,) and names[0].distinct < key.distinct
    return (*shown, key.shown) if shared else shown


def _only(composer: Composer, way: Way, old: Version, new: Version, said: int, costs: Costs) -> Iterator[Draft]:
    key = key_of_versions(composer.facts) or (composer.display[0] if composer.display else None)
    if key is None:
        return
    inside, outside = (new, old) if way == "added" else (old, new)
    shown, mask, more = _shown(composer, way)
    only = Only(
        composer.facts.source, composer.where, _with_key(composer, shown, key), key.shown, (inside.condition,),
        (outside.condition,),
        composer.asked.has("count"),
    )  # fmt: skip
    yield composer.draft(only, said | mask, way, costs, more)


def _changed(composer: Composer, way: Way, old: Version, new: Version, said: int, costs: Costs) -> Iterator[Draft]:
    key = key_of_versions(composer.facts)
    if key is None:
        return
    shown, shown_mask, more = _shown(composer, way)
    shown = _with_key(composer, shown, key)
    test = TESTS[way]
    for f, mask, gap in _measured(composer, way):
        measure = Measure("max", f.ref)
        counts = composer.asked.has("count")
        shift = Shift(
            composer.facts.source, composer.where, (key.shown,) if counts else shown, measure,
            (old.condition,), (new.condition,), test=test, bare=True, counts=counts,
        )  # fmt: skip
        yield composer.draft(
            shift, said | shown_mask | mask | composer.used("expensive", "cheap"), way, costs, more, gap
        )


def _measured(composer: Composer, way: Way) -> Iterator[tuple[Field, int, Costs]]:
    named = [m for m in composer.measures() if m[1]]
    if way == "altered":
        named += [
            (t.field, t.mask, Costs(column_gap=1 - t.sure))
            for t in composer.texts()
            if t.field and t.field is not key_of_versions(composer.facts) and t.field not in composer.display
        ]
    if named:
        yield from named[:2]
        return
    prices = [f for f in composer.facts.fields if f.is_measure and PRICES & {g for w in f.words for g in w.groups}]
    measures = [f for f in composer.facts.fields if f.is_measure]
    for n, f in enumerate((prices or measures)[:2]):
        yield f, 0, Costs(assumed_measure=0.1 + 0.4 * n + 0.3 * (not prices))
