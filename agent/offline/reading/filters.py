"""Which rows a question is about: values, flags, bounds, comparisons of columns, empty cells and periods."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

from tablerag.agent.offline.reading.comparing import comparisons_in
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.facts import AMOUNTS, SINCE, Facts, Field, amounts_of_rows, split_words
from tablerag.agent.offline.reading.inclusions import included
from tablerag.agent.offline.reading.kept import kept
from tablerag.agent.offline.reading.lateness import late_in
from tablerag.agent.offline.reading.naming import NO, Named, Tag
from tablerag.agent.offline.reading.periods import Period, periods_in
from tablerag.agent.offline.reading.query import Condition, Grain, Mapped, Operator
from tablerag.agent.offline.reading.units import FAMILIES, MONEY, in_units_of
from tablerag.agent.offline.reading.vocabulary import LANGUAGES, SYNONYM, language, lexeme, likeness
from tablerag.agent.offline.reading.words import Asked, Phrase, read
from tablerag.tools.linking.keys import key_of
from tablerag.tools.number_words import power_of
from tablerag.tools.records import UNION_SOURCE

__all__ = [
    "Bound",
    "Filters",
    "bounds_in",
    "by_title",
    "filters_of",
    "has_periods",
    "natural_date",
    "mask_of",
    "periods_of",
    "month_of",
    "names_rows",
    "periods_of_name",
    "table_periods",
]

NUMBER = re.compile(
    r"(?<![\w.,/-])[€$£]?\s?(?P<n>\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:\s?(?P<scale>thousand|million|mio|mn|m|k|bn|billion|tausend|millionen|mille|millions))?(?![\w/-]|\.\d)"
)
WITH_COMMA = re.compile(
    r"(?<![\w.,/-])[€$£]?\s?(?P<n>\d{1,3}(?:[. ]\d{3})+(?:,\d+)?|\d+(?:,\d+|\.\d{1,2})?)"
    r"(?:\s?(?P<scale>(?i:tausend|tsd|millionen|million|mio|mrd|milliarden|mille|millions|k)))?(?![\w/-]|[.,]\d)"
)
"""Numbers in German and French: 1.250,5 and 1 250,5."""
OPERATORS: dict[str, Operator] = {
    "more": ">",
    "at_least": ">=",
    "less": "<",
    "at_most": "<=",
    "since": ">=",
    "before": "<",
    "after": ">",
    "until": "<=",
}
GLUED_YEAR = re.compile(r"(?<=[^\W\d_]{3})(?=(?:19|20)\d\d(?!\d))|(?<=(?<!\d)(?:19|20)\d\d)(?=[^\W\d_]{3})")
"""Where a year in a name touches letters: sales2024, 2024sales."""
SEASON = re.compile(
    r"\b(?:spring|summer|autumn|fall|winter|season|fr[üu]hjahr|fr[üu]hling|sommer|herbst|saison|printemps|[ée]t[ée]"
    r"|automne|hiver)(?![^\W_])",
    re.IGNORECASE,
)
"""What a title says of a part of its year: "Bookings for autumn 2025"."""
TWO_YEARS = re.compile(r"\b((?:19|20)\d\d)-(\d\d)(?![\d-])")
"""Two years in a name: "Orders 2024-25"."""
AFTER_NUMBER = {"at_least": ">=", "at_most": "<="}
SIGNS = frozenset("€$£")
MOST_DATES = 3
VERSION_FIRST = 0.5
"""What a date column costs more than the version of a list of that year."""
NEAR = 4
MOST_BESIDE = 1
"""How many different words may stand beside the period in the texts of a column."""
PART_OF_PERIOD = 0.4
"""The cost of a table of half the year that is asked for: a whole one may be meant."""
LEAST_FLAG = 0.45
"""A yes/no column that is named less surely narrows nothing for sure: of "fuel cards" the column "Card OK"."""
EXACT, PARTIAL = 0.97, 0.75
"""How sure a whole value is named, and that a word is only part of one."""
TIMES = frozenset(w for code in LANGUAGES for w in language(code).set_of("times"))
CLOCK = frozenset("morning afternoon evening am pm oclock uhr".split())
"""Words after a time of day, which bounds no number."""
NOT_THE_DATE = frozenset(w for code in LANGUAGES for w in language(code).set_of("not_the_date"))
OF_A_FILE = frozenset(w for code in LANGUAGES for w in language(code).set_of("of_a_file"))
"""Words after a period that belongs to a document's name: "the September list"."""
EMPTY_TEXTS = frozenset(("none", "-", "–", "—", "n/a", "no", "keine", "aucun", "nil", ""))


@dataclass(frozen=True, slots=True)
class Bound:
    """A number with its comparison."""

    operator: Operator
    value: float
    upper: float | None
    first: int
    last: int
    unit: str
    is_money: bool
    """Whether a currency is beside the number."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions, the words that they explain, and what was assumed."""

    conditions: tuple[Condition, ...] = ()
    mask: int = 0
    costs: Costs = field(default_factory=Costs)
    tags: frozenset[Tag] = frozenset()
    """Tags that conditions account for."""
    periods: tuple[Condition, ...] = ()
    """Which conditions are periods."""

    def plus(
        self, condition: Condition | None, mask: int, tags: Sequence[Tag] = (), *, period: bool = False, **costs: float
    ) -> "Filters":
        """Return the filters with one more condition."""
        conditions = (*self.conditions, condition) if condition else self.conditions
        periods = (*self.periods, condition) if condition and period else self.periods
        return Filters(conditions, self.mask | mask, self.costs + Costs(costs), self.tags | set(tags), periods)


def mask_of(first: int, last: int) -> int:
    """Return the words from ``first`` to ``last`` (exclusive) as a mask."""
    return (1 << max(last, 0)) - 1 & ~((1 << max(first, 0)) - 1)


def bounds_in(asked: Asked, periods: Sequence[Period]) -> tuple[list[Bound], list[tuple[int, int, float]]]:
    """Return the numbers with a comparison, and the other numbers as (first word, last word, value)."""
    bounds: list[Bound] = []
    plain: list[tuple[int, int, float]] = []
    numbers = []
    comma = asked.language.code in ("de", "fr")
    for m in (WITH_COMMA if comma else NUMBER).finditer(asked.text):
        first, last = asked.place_of(m.start("n")), asked.place_of(m.end() - 1) + 1
        if any(p.first <= first < p.last for p in periods):
            continue
        value = (_with_comma(m["n"]) if comma else float(re.sub(r"[, ]", "", m["n"]))) * 10 ** (
            power_of(m["scale"]) if m["scale"] else 0
        )
        numbers.append((first, last, value))
    for i, word in enumerate(asked.words):
        value = asked.language.numbers.get(word.key)
        if (
            value is not None
            and not any(a <= i < b for a, b, _ in numbers)
            and not any(p.first <= i < p.last for p in periods)
        ):
            numbers.append((i, i + 1, value))
    numbers.sort()
    skip = -1
    for place, (first, last, value) in enumerate(numbers):
        if place == skip or value == 1 and any(p.last == first for p in asked.of("at_least")):
            continue  # "with at least one cancelled order" says what a join does
        unit = asked.words[last].key if last < len(asked.words) else ""
        following = numbers[place + 1] if place + 1 < len(numbers) else None
        opened = next((p for p in asked.of("between") if p.last == first), None)
        if opened and following and 0 < following[0] - last <= 2 and value < following[2]:
            end, money = following[1], _is_money(asked, *following[:2])
            unit = asked.words[end].key if end < len(asked.words) else ""
            bounds.append(Bound("between", value, following[2], opened.first, end, unit, money))
            skip = place + 1
            continue
        if CLOCK & set(asked.keys[last : last + 3]):
            continue  # "before 10 in the morning"
        money = _is_money(asked, first, last)
        before = None if _is_span(asked, first, unit) else _before(asked, first)
        after = next(
            (
                p
                for p in asked.of("at_least", "at_most")
                if last <= p.first <= last + 1 and asked.keys[p.first] in asked.language.set_of("or_and")
            ),
            None,
        )
        if after:
            bounds.append(Bound(AFTER_NUMBER[after.concept], value, None, first, after.last, unit, money))  # type: ignore[arg-type]
        elif before:
            bounds.append(Bound(OPERATORS[before.concept], value, None, before.first, last, unit, money))
        else:
            plain.append((first, last, value))
    return bounds, plain


def _with_comma(text: str) -> float:
    grouped = re.sub(r"[. ](?=\d{3}(?!\d))", "", text)
    return float(grouped.replace(",", "."))


def _is_money(asked: Asked, first: int, last: int) -> bool:
    """Tell whether a currency is beside a number: "3,000 euros", "EUR 3,000", "€3,000"."""
    words = {asked.keys[i] for i in (first - 1, last) if 0 <= i < len(asked.words)}
    before, after = asked.text[: asked.words[first].start].rstrip(), asked.text[asked.words[last - 1].end :].lstrip()
    return bool(words & MONEY.keys() or SIGNS & {before[-1:], after[:1]})


def _is_span(asked: Asked, first: int, unit: str) -> bool:
    """Tell whether a number is of a time that is passed: "over the 52 weeks" compares nothing."""
    return unit in TIMES and first > 0 and asked.keys[first - 1] in asked.language.set_of("determiners")


def _before(asked: Asked, first: int) -> Phrase | None:
    """Return the comparison whose words end right before a number, the longest."""
    found = [
        p
        for p in asked.of(*OPERATORS)
        if p.last == first or (p.last == first - 1 and asked.keys[first - 1] in asked.language.set_of("small"))
    ]
    return max(found, key=lambda p: p.last - p.first, default=None)


def filters_of(
    asked: Asked, facts: Facts, named: Named, periods: Sequence[Period], bounds: Sequence[Bound]
) -> Iterator[Filters]:
    """Yield the ways to filter rows, the most natural first."""
    inside = sum(mask_of(b.first, b.last) for b in bounds)
    numbers = {(b.value,) for b in bounds}
    bound = [t for t in named.tags if t.kind == "value" and t.mask & inside]
    bound = [t for t in bound if not t.mask & ~inside or (t.condition and t.condition.values in numbers)]
    named = replace(named, tags=tuple(t for t in named.tags if t not in bound))
    base = _valued(asked, named)
    base = _flagged(asked, named, base)
    base = _zero(asked, facts, named, _empty(asked, named, base))
    bounded = [_bound_options(b, facts, named, base) for b in bounds]
    compared = _compared(asked, facts, named)
    told = sum(t.mask for t in base.tags if t.condition and t.condition.operator == "absent")
    dated = [_period_options(p, asked, facts, named) for p in periods if not told >> p.first & 1]
    parts = [*bounded, *([compared] if compared else []), *dated]
    for chosen in product(*parts):
        made = base
        for condition, mask, tags, period, costs, *more in chosen:
            made = made.plus(condition, mask, tags, period=period, **costs)
            for also in more:
                made = made.plus(also, 0, period=True)
        yield made


Option = tuple[Any, ...]
"""A condition or None, the words it explains, its tags, whether it is a period, its costs, and further conditions."""


def _negated(asked: Asked, tag: Tag, nouns: int = 0) -> Phrase | None:
    """Return the "not" before a tag, or the "left out" after it; only function words and nouns are between them."""
    if before := _before_tag(asked, tag, "excluding", nouns=nouns):
        return before
    for p in asked.of("excluded"):
        between = range(tag.last, p.first)
        if tag.last <= p.first and len(between) <= NEAR and _is_light(asked, between, nouns):
            return p
    return None


def _before_tag(asked: Asked, tag: Tag, *concepts: str, nouns: int = 0) -> Phrase | None:
    for p in asked.of(*concepts):
        between = range(p.last, tag.first)
        if p.last <= tag.first and len(between) <= NEAR and _is_light(asked, between, nouns):
            return p
    return None


def _is_light(asked: Asked, places: range, nouns: int) -> bool:
    return all(asked.may_be_left(i) or nouns >> i & 1 for i in places)


def _is_excluded(asked: Asked, tag: Tag, nouns: int) -> bool:
    """Tell whether the rows with a value are left out: by a "not" before it, or by a word such as "unpaid"."""
    return bool(_negated(asked, tag, nouns)) != bool(tag.condition and tag.condition.operator == "<>")


def _excluded(asked: Asked, named: Named, nouns: int) -> list[Tag]:
    """Return the values that are left out, both of "no-shows and cancellations left out"."""
    values = sorted((t for t in named.tags if t.kind == "value" and t.field), key=lambda t: t.first)
    flags = [t for t in named.tags if t.kind == "flag"]
    out = [t for t in values if _is_excluded(asked, t, nouns) and not _is_of_flag(asked, t, nouns, flags)]
    joining = asked.language.set_of("or_and")
    for one, two in (*pairwise(values), *pairwise(reversed(values))):
        first, last = min(one.last, two.last), max(one.first, two.first)
        beside = last - first == 1 and asked.keys[first] in joining
        if beside and one.field is two.field and one in out and two not in out:
            out.append(two)
    return out


def _is_of_flag(asked: Asked, tag: Tag, nouns: int, flags: Sequence[Tag]) -> bool:
    """Tell whether a "not" is of a yes/no column before a value: "who did not pass the first aid course"."""
    phrase = _before_tag(asked, tag, "excluding", nouns=nouns)
    return phrase is not None and any(phrase.last <= f.first and f.last <= tag.first for f in flags)


def _valued(asked: Asked, named: Named) -> Filters:
    made, by_field = Filters(), {}
    nouns = sum(t.mask for t in named.tags if t.kind == "noun")
    for tags, span in included(asked, named):
        made = made.plus(None, sum(t.mask for t in tags) | mask_of(*span), tags)
    out = _excluded(asked, named, nouns)
    for tag in named.tags:
        if tag.kind == "value" and tag.field and tag not in made.tags:
            by_field.setdefault((id(tag.field), tag in out), []).append(tag)
    grouped = {id(t.field) for t in named.tags if t.kind == "column" and _is_grouped(asked, t)}
    for (of, negated), tags in by_field.items():
        if of in grouped and len(tags) > 1 and not negated:  # "by severity: low, medium and high"
            made = made.plus(None, sum(t.mask for t in tags), tags)
            continue
        exact = [t for t in tags if t.sure >= EXACT]
        partial = [t for t in tags if exact and t.sure < PARTIAL]  # "dirty rooms (topic cleanliness)" is one topic
        if not asked.has("either") and not _are_joined(asked, tags):  # "customers ... where the warehouse was liable"
            partial += [t for t in tags if t.sure < 1 and any(o.sure == 1 for o in tags) and t not in partial]
        heads = {p.last for p in asked.of("count")}  # animals that are counted are of no "Animal Clinic"
        made = made.plus(None, sum(t.mask for t in partial if t.first not in heads), partial)
        tags = [t for t in tags if t not in partial]
        first = tags[0].condition
        assert first is not None
        values = tuple(dict.fromkeys(v for t in tags for v in (t.condition.values if t.condition else ())))
        shared = [v for v in values if all(t.condition and v in t.condition.values for t in tags)]
        if shared and not asked.has("either"):
            values = tuple(shared)  # "family day ticket for the museum" is one item
        condition = replace(first, values=values, operator="<>" if negated else "=")
        mask = sum(t.mask for t in tags)
        if negated:
            for t in tags:
                phrase = _negated(asked, t, nouns)
                mask |= mask_of(phrase.first, phrase.last) if phrase else 0
        if len(tags) > 1:
            mask |= sum(mask_of(p.first, p.last) for p in asked.of("either"))
        gap = sum(1 - t.sure for t in tags)
        # "outside of timber" leaves out more than "Baltic Timber"
        partly = float(negated and any(t.sure < PARTIAL for t in tags))
        made = made.plus(condition, mask, tags, value_gap=gap, partly_excluded=partly)
    return made


def _are_joined(asked: Asked, tags: Sequence[Tag]) -> bool:
    """Tell whether "and" or a comma stands between values: "vans and lorries"."""
    joining = asked.language.set_of("or_and")
    ordered = sorted(tags, key=lambda t: t.first)
    return any(
        joining & set(asked.keys[one.last : two.first])
        or "," in asked.text[asked.words[one.last - 1].end : asked.words[two.first].start]
        for one, two in pairwise(ordered)
        if one.last <= two.first
    )


def _flagged(asked: Asked, named: Named, made: Filters) -> Filters:
    """Add yes/no columns, and the columns that label a value: "the Production department"."""
    nouns = sum(t.mask for t in named.tags if t.kind == "noun")
    for tag in named.tags:
        if tag.kind == "flag" and tag.condition and tag not in made.tags:
            phrase = _negated(asked, tag, nouns) or _before_tag(asked, tag, "empty")
            condition = (
                replace(tag.condition, operator="no") if phrase and tag.condition.operator == "yes" else tag.condition
            )
            mask = tag.mask | (mask_of(phrase.first, phrase.last) if phrase else 0)
            made = made.plus(condition, mask, [tag], value_gap=1 - tag.sure, loose=float(tag.sure < LEAST_FLAG))
    labelled = {id(t.field) for t in made.tags if t.kind == "value"}
    for tag in named.tags:
        if tag.kind == "column" and id(tag.field) in labelled:
            values = [t for t in made.tags if t.field is tag.field]
            if not _is_grouped(asked, tag) and any(_are_beside(asked, tag, v) for v in values):
                made = made.plus(None, tag.mask, [tag])
            elif any(0 < v.first - tag.last <= NEAR for v in values) and not _is_asked(asked, tag):
                made = made.plus(None, tag.mask, [tag], column_gap=0.1)
    return made


def _is_grouped(asked: Asked, tag: Tag) -> bool:
    """Tell whether a column is named right after "by" or "per"."""
    return any(0 <= tag.first - p.last <= 1 for p in asked.of("group"))


def _are_beside(asked: Asked, tag: Tag, value: Tag) -> bool:
    """Tell whether a column is named beside its value: "the Production department", "Alzette as their home cinema"."""
    between = range(value.last, tag.first) if value.last <= tag.first else range(tag.last, value.first)
    return len(between) <= 1 or value.last <= tag.first and all(asked.is_ignored(i) for i in between)


def _is_asked(asked: Asked, tag: Tag) -> bool:
    """Tell whether a column is asked for or grouped by: right after "which" or "per"."""
    before = asked.keys[max(tag.first - 2, 0) : tag.first]
    grouped = any(p.last <= tag.first <= p.last + 2 for p in asked.of("group", "chart", "count"))
    return (
        grouped
        or tag.first == 0
        or bool({*asked.language.set_of("which"), *asked.language.set_of("lists")} & set(before))
    )


def _empty(asked: Asked, named: Named, made: Filters) -> Filters:
    """Add columns that have to be empty or filled: "without any certificate"."""
    for tag in named.tags:
        f = tag.field
        if tag.kind != "column" or f is None or tag in made.tags or f.is_flag:
            continue
        phrase = _before_tag(asked, tag, "empty", "excluding")
        if phrase is None or (f.filled == len(f.texts) and not _none_values(f)):
            continue
        if f.is_measure and asked.has("sum", "average", "what_did", "percent"):
            made = made.plus(None, tag.mask | mask_of(phrase.first, phrase.last), [tag])
            continue  # rent "without service charges" is another column
        none = _none_values(f)
        condition = Condition(f.shown, "=", none) if none else Condition(f.ref, "empty")
        made = made.plus(condition, tag.mask | mask_of(phrase.first, phrase.last), [tag])
    return made


def _zero(asked: Asked, facts: Facts, named: Named, made: Filters) -> Filters:
    """Add columns that have to be 0: "free events", "out of stock"."""
    for phrase in asked.of("free", "out_of"):
        mask = mask_of(phrase.first, phrase.last)
        if mask & made.mask:
            continue
        tagged = [
            t
            for t in named.tags
            if t.kind == "column" and t.field and t.field.is_measure and 0 <= t.first - phrase.last <= 1
        ]
        fields = (
            [t.field for t in tagged if t.field]
            if phrase.concept == "out_of"
            else [f for f in facts.fields if f.is_money and 0 in f.cells]
        )
        if fields:
            made = made.plus(Condition(fields[0].ref, "=", (0.0,)), mask | sum(t.mask for t in tagged), tagged)
    return made


def _none_values(f: Field) -> tuple[str, ...]:
    return tuple(sorted(v for values in f.values.values() for v in values if v.strip().casefold() in EMPTY_TEXTS | NO))


def _bound_options(bound: Bound, facts: Facts, named: Named, made: Filters) -> list[Option]:
    """Return the columns that a number may be compared with: named nearby, of its unit, or the only one."""
    found: list[tuple[float, Option]] = []
    mask = mask_of(bound.first, bound.last)
    for tag in named.tags:
        f = tag.field
        if tag.kind == "column" and f is not None and (f.is_measure or f.is_year):
            gap = min(abs(tag.first - bound.last), abs(bound.first - tag.last))
            if gap <= 2 * NEAR:
                costs = {"column_gap": 1 - tag.sure, "far": gap / 20}
                said = mask | tag.mask | (1 << bound.last if _has_unit(f, bound.unit) else 0)
                found.append((gap + 3 * (1 - tag.sure), (_bounded(bound, f), said, (tag,), False, costs)))
    measures = [f for f in facts.fields if f.is_measure]
    own = [f for f in measures if f.schema is facts.schema]
    united = _amounts(own) if bound.is_money else [f for f in own if _has_unit(f, bound.unit)]
    for f in united or [f for f in measures if _has_unit(f, bound.unit) and not bound.is_money]:
        said = mask | (1 << bound.last if _has_unit(f, bound.unit) else 0)
        found.append((2.5, (_bounded(bound, f), said, (), False, {"assumed_measure": 0.4})))
    if not found:
        preferred = _amounts(own) or own or _amounts(measures) or measures
        odd = 1.0 if any(bound.unit in family for family in FAMILIES) or bound.unit in TIMES else 0.0
        costs = {"assumed_measure": odd + 0.5 + 0.5 * (len(preferred) > 1)}
        # What employees earn is no bound of their visits, and "more than one pet" is no weight.
        counted = any(t.kind == "noun" and t.first == bound.last for t in named.tags)
        costs["unnamed"] = float(bound.is_money or not own or counted)
        found = [(3.0, (_bounded(bound, f), mask, (), False, costs)) for f in preferred[:2]]
    found.sort(key=lambda o: o[0])
    return [option for _, option in found[:2]] or [(None, 0, (), False, {"dropped": 1.0})]


def _amounts(fields: Sequence[Field]) -> list[Field]:
    """Return the columns of money that an amount is compared with, those without a unit by their headers."""
    money = [f for f in fields if f.is_money or not f.column.unit and AMOUNTS & f.groups]
    return amounts_of_rows(money) or money


def _has_unit(f: Field, unit: str) -> bool:
    if not unit or unit in MONEY:
        return bool(unit) and (f.is_money or not f.column.unit)
    own = split_words(f.column.unit) + [
        w for part in re.findall(r"[(\[](.*?)[)\]]", f.column.header) for w in split_words(part)
    ]
    own += [w.text for w in f.words if len(w.text) <= 4]
    same_kind = any(unit in family and not family.keys().isdisjoint(own) for family in FAMILIES)  # litres of "size_l"
    return unit in own or same_kind or bool(lexeme(unit).stems & {s for w in own for s in lexeme(w).stems})


def _bounded(bound: Bound, f: Field) -> Condition:
    numbers = (bound.value,) if bound.upper is None else (bound.value, bound.upper)
    values = tuple(in_units_of(number, bound.unit, f) for number in numbers)
    return Condition(f.ref, bound.operator, values)


def _compared(asked: Asked, facts: Facts, named: Named) -> list[Option]:
    """Return the comparisons of two columns: "below their minimum stock", "over budget"."""
    options: list[Option] = []
    for one in (*comparisons_in(asked, facts, named), *late_in(asked, facts, named)):
        condition = Condition(one.left.ref, one.operator, other=one.right.ref)
        costs = {"column_gap": one.gap, "assumed_measure": one.assumed}
        options.append((condition, one.mask, one.tags, False, costs))
    return options


def table_periods(facts: Facts) -> list[Period]:
    """Return the periods in the names of a table's file, sheet and title."""
    names = (facts.schema.source.rsplit("/", 1)[-1].rsplit(".", 1)[0], facts.schema.within, facts.schema.title)
    return _periods_of_names(tuple(dict.fromkeys(names)))


def _periods_of_names(names: Sequence[str]) -> list[Period]:
    """Return the periods in names from outside in; of the years of a file, a sheet "2025" is of its own alone."""
    found = [(name, p) for name in names if name for p in periods_of_name(name)]
    years = {p.year for _, p in found if p.whole_year and p.has_year}
    if len(years) > 1:
        for inner in reversed(names):
            own = {p.year for name, p in found if name == inner and p.whole_year and p.has_year}
            if len(own) == 1:
                return [p for _, p in found if not p.has_year or p.year in own]
    return [p for _, p in found]


@lru_cache(maxsize=16_384)
def periods_of_name(name: str) -> list[Period]:
    apart = GLUED_YEAR.sub(" ", name)
    spaced = re.sub(r"(?<![\d-])(\d{4})[_ ](\d{2})(?!\d)", r"\1-\2", apart)
    spaced = re.sub(r"[_]+", " ", spaced)
    found = periods_in(read(re.sub(r"(?<=[a-zA-Z])-|-(?=[a-zA-Z])", " ", spaced)))
    double = {m[1] for m in TWO_YEARS.finditer(spaced) if int(m[2]) == (int(m[1]) + 1) % 100}
    return [
        replace(p, high=f"{p.year + 1}-12-31", grain="season") if p.whole_year and str(p.year) in double else p
        for p in found
    ]


def _period_options(period: Period, asked: Asked, facts: Facts, named: Named) -> list[Option]:
    """Return the columns that a period may narrow, or none if the table is about that period."""
    mask = mask_of(period.first, period.last)
    if period.whole_year and any(
        t.kind == "column" and t.field and t.field.is_number and period.low[:4] in {w.text for w in t.field.words}
        for t in named.tags
    ):
        return [(None, mask, (), True, {})]  # a column of that year is named
    beside = {asked.keys[i] for i in (period.first - 1, period.last) if 0 <= i < len(asked.words)}
    if beside & OF_A_FILE:
        titled = by_title(period, mask, facts)
        if titled[0][1]:
            return titled
    options: list[tuple[float, Option]] = []
    missed = False
    for f, cost, tags in _date_fields(period, asked, facts, named):
        condition = _within(period, f)
        year = _year_beside(f, period, facts) if condition and period.has_year else None
        if year:
            options.append((cost, (condition, mask, tags, True, {"assumed_date": cost}, year)))
            continue
        if condition and f.is_text and period.has_year and not _has_years(f):
            # Its months are of the year in the table's name.
            for by_name in by_title(_whole_years(period), mask, facts):
                options.append(
                    (
                        cost + 3 * by_name[4].get("period_clash", 0),
                        (condition, mask, tags, True, {"assumed_date": cost, **by_name[4]}, by_name[0]),
                    )
                )
            continue
        if condition:
            tagged = sum(t.mask for t in tags)
            clash = (
                {"period_clash": 1.0} if _outside(period, f) else {"period_clash": 0.4} if missed and not tags else {}
            )
            missed = missed or "period_clash" in clash
            options.append(
                (cost + 3 * bool(clash), (condition, mask | tagged, tags, True, {"assumed_date": cost, **clash}))
            )
    titled = by_title(period, mask, facts) if period.whole_year and options else []
    if titled and not titled[0][4].keys() & {"period_clash", "dropped"}:
        # "headcount in 2025" means the list of that year, not who was hired then: unless the date is named.
        options = [(cost + (VERSION_FIRST if not o[2] else 0), _dearer(o)) for cost, o in options]
        options += [(o[4].get("assumed_date", 0.0), o) for o in titled]
    options.sort(key=lambda o: o[0])
    if options:
        return [o for _, o in options[:MOST_DATES]]
    return by_title(period, mask, facts)


def _dearer(option: Option) -> Option:
    """Return the condition on a date column that nobody named, where a list of that year may be meant."""
    if option[2]:
        return option
    costs = {**option[4], "assumed_date": option[4].get("assumed_date", 0.0) + VERSION_FIRST}
    return (*option[:4], costs, *option[5:])


def _date_fields(
    period: Period, asked: Asked, facts: Facts, named: Named
) -> Iterator[tuple[Field, float, tuple[Tag, ...]]]:
    """Yield date columns: named near the period first, then the most natural one."""
    near: dict[int, Tag] = {}
    for tag in named.tags:
        f = tag.field
        than = any(0 <= tag.first - p.last <= 2 for p in asked.of("late", "on_time"))  # "later than promised"
        state = any(t.kind == "noun" and t.first == tag.last for t in named.tags)  # "delivered orders"
        if tag.kind != "column" or than or state and f is not None and f.is_date and tag.last - tag.first == 1:
            continue
        if f is not None and (f.is_date or f.is_year) and not names_rows(asked, tag, facts):
            gap = min(abs(tag.first - period.last), abs(period.first - tag.last))
            thing = tag.sure <= SYNONYM and asked.keys[tag.first].endswith("s")  # "jobs" name no "enquiry date"
            if gap <= 2 * NEAR and not thing and (id(f) not in near or near[id(f)].sure < tag.sure):
                near[id(f)] = tag
    dates = [
        f
        for f in facts.fields
        if f.is_date or (f.is_year and period.has_year and period.grain == "year") or has_periods(f) or f.numbers
    ]
    natural = 0
    undated = not any(f.schema is facts.schema for f in dates)
    for f in sorted(dates, key=lambda f: (_unnatural(f), f.index)):
        if id(f) in near:
            beside = 0 <= period.first - near[id(f)].last <= 1  # "decided in March"
            yield f, (0.5 if beside else 1.4) * (1 - near[id(f)].sure), (near[id(f)],)
        else:
            # A period is one of the rows that are asked about, rather than of what they refer to.
            # Rows without a date are of the day of what they refer to, as the lines of an order.
            away = (0.3 if undated and not _unnatural(f) else 0.5) * (f.schema is not facts.schema)
            away += 0.6 * bool({w.text for w in f.words} & SINCE)  # "member since" is rarely when farms supplied
            yield f, (0.6 if near else 0.1 + 0.35 * natural) + 0.25 * _unnatural(f) + away, ()
            natural += 1


def natural_date(period: Period, facts: Facts) -> Condition | None:
    """Return the condition that rows are of a period, by their most natural date; None if they have none."""
    dates = sorted((f for f in facts.fields if f.is_date), key=lambda f: (_unnatural(f), f.index))
    return _within(period, dates[0]) if dates else None


def names_rows(asked: Asked, tag: Tag, facts: Facts) -> bool:
    """Tell whether a word names the rows rather than a date of theirs: "orders" is no "Order date"."""
    if tag.last - tag.first > 1:
        return False
    word = asked.words[tag.first]
    return word.key not in asked.language.verbs and any(
        sure > 0.75 and likeness(word.lexeme, noun) >= 0.8 for noun, sure in facts.nouns
    )


def _unnatural(f: Field) -> bool:
    if f.schema.rules and f.schema.rules.default_date:
        return f.column.name != f.schema.rules.default_date
    return bool({w.text for w in f.words} & NOT_THE_DATE)


@kept
def has_periods(f: Field) -> bool:
    """Tell whether a text column holds periods: "Jan", "2025-03", "Q1"."""
    if not f.is_text or not f.values or f.distinct > 60 or f.column.name in UNION_SOURCE:
        return False
    others = (k for k, v in f.values.items() if not (month_of(k) or periods_of_name(v[0])))
    least = 0.8 * len(f.values)
    if any(len(f.values) - n <= least for n, _ in enumerate(others, 1)):
        return False
    beside = {" ".join(w for w in k.split() if not w[-1].isdigit() and not month_of(w)) for k in f.values}
    return len(beside) <= MOST_BESIDE  # "Gold 2025" and "Silver 2025" are medals


def month_of(key: str) -> int:
    """Return the month that a folded word names in any language; 0 if none."""
    return next((m for code in LANGUAGES if (m := language(code).months.get(key, 0))), 0)


@kept
def periods_of(f: Field, grain: Grain) -> Mapped | None:
    """Return the quarter or year of each text of a column such as "2025-03"; None if some text is of none."""
    found: dict[str, list[str]] = {}
    for value in sorted({v for values in f.values.values() for v in values}):
        if month := month_of(key_of(value)):
            if grain != "quarter":
                return None
            found.setdefault(f"Q{(month + 2) // 3}", []).append(value)
            continue
        period = next(iter(periods_of_name(value)), None)
        if period is None or period.grain not in ("month", "quarter") or not period.low:
            return None
        year = f"{period.year}-" if period.has_year else ""
        quarter = f"{year}Q{(int(period.low[-5:-3]) + 2) // 3}"
        found.setdefault(quarter if grain == "quarter" else str(period.year), []).append(value)
    return Mapped(f.shown, grain, tuple((p, tuple(of)) for p, of in sorted(found.items())))


def _has_years(f: Field) -> bool:
    """Tell whether the periods of a text column state their year."""
    return any(p.has_year for v in list(f.values.values())[:3] for p in periods_of_name(v[0]))


def _within(period: Period, f: Field) -> Condition | None:
    """Return the condition that a column is in a period."""
    label = period.label
    if f.is_date:
        if not period.has_year:
            return _yearless(period, f)
        late = " 23:59:59" if f.column.type == "datetime" else ""
        if period.low and period.high:
            return Condition(f.ref, "between", (period.low, period.high + late), label=label)
        return Condition(f.ref, ">=" if period.low else "<=", (period.low or period.high + late,), label=label)
    if f.is_year:
        low, high = period.low[:4], period.high[:4]
        if low and high:
            return (
                Condition(f.ref, "between", (float(low), float(high)), label=label)
                if low != high
                else Condition(f.ref, "=", (float(low),), label=label)
            )
        return Condition(f.ref, ">=" if low else "<=", (float(low or high),), label=label)
    if period.grain == "year" and not _has_years(f):
        return None
    if f.numbers:
        return _of_number(period, f)
    months = [v for key, values in f.values.items() for v in values if _in_period(key, v, period)]
    return Condition(f.shown, "=", tuple(months), label=label) if months else None


def _year_beside(f: Field, period: Period, facts: Facts) -> Condition | None:
    """Return the condition on the column of years beside one of quarters or months that do not state theirs."""
    if period.low[:4] != period.high[:4] or not (f.numbers or (f.is_text and not _has_years(f))):
        return None
    years = (y for y in facts.fields if y.is_year and y.schema is f.schema)
    return next((_within(_whole_years(period), y) for y in years), None)


def _of_number(period: Period, f: Field) -> Condition | None:
    """Return the condition that a column of the numbers of months or quarters is in a period."""
    if not (period.low and period.high) or period.grain in ("day", "week"):
        return None
    months = int(period.low[-5:-3]), int(period.high[-5:-3])
    if f.numbers == "month":
        low, high = months
    else:
        low, high = months[0] // 3 + 1, months[1] // 3
        if months[0] % 3 != 1 or months[1] % 3:
            return None  # a month is no whole quarter
    if low == high:
        return Condition(f.ref, "=", (float(low),), label=period.label)
    return Condition(f.ref, "between", (float(low), float(high)), label=period.label)


def _whole_years(period: Period) -> Period:
    """Return a period from the first to the last day of its years: all of 2025 for "March 2025"."""
    low, high = period.low and f"{period.low[:4]}-01-01", period.high and f"{period.high[:4]}-12-31"
    return replace(period, low=low, high=high, grain="year")


def _yearless(period: Period, f: Field) -> Condition | None:
    months = (int(period.low[2:4]) if period.low else 1, int(period.high[2:4]) if period.high else 12)
    if period.grain == "day" or not period.low or not period.high:
        return None
    if months[0] == months[1]:
        return Condition(f.ref, "month", (months[0],), label=period.label)
    years = {f.span[0][:4], f.span[1][:4]}
    if period.grain == "quarter" and len(years) > 1:
        return Condition(f.ref, "quarter", (months[0] // 3 + 1,), label=period.label)
    if len(years) == 1:
        year = years.pop()
        return Condition(f.ref, "between", (f"{year}{period.low[1:]}", f"{year}{period.high[1:]}"), label=period.label)
    return None


def _in_period(key: str, value: str, period: Period) -> bool:
    """Tell whether a text such as "Jan" or "2025-03" is in a period."""
    month = month_of(key)
    if month:
        low, high = (p[-5:-3] if p else "" for p in (period.low, period.high))
        return (not low or int(low) <= month) and (not high or month <= int(high))
    for p in periods_of_name(value):
        lows = (p.low, period.low) if p.has_year and period.has_year else (p.low[-5:], period.low[-5:])
        highs = (p.high, period.high) if p.has_year and period.has_year else (p.high[-5:], period.high[-5:])
        if lows[0] >= lows[1] and (not period.high or highs[0] <= highs[1]):
            return True
    return False


def _outside(period: Period, f: Field) -> bool:
    """Tell whether no date of a column is in a period."""
    first, last = f.span
    if not f.complete or not first or not period.has_year:
        return False
    return bool((period.low and last < period.low) or (period.high and first > period.high))


def by_title(period: Period, mask: int, facts: Facts) -> list[Option]:
    """Return how a table that names its period, or a union of such tables, meets the question's."""
    if facts.schema.members:
        inside = [
            m
            for m in facts.schema.members
            if _is_about(_periods_of_names((m.source.rsplit("/", 1)[-1].rsplit(".", 1)[0], m.within)), period)
        ]
        fields = {f.column.name: f for f in facts.fields}
        for name, of in zip(UNION_SOURCE, ("source", "within"), strict=True):
            values = {getattr(m, of) for m in inside}
            others = {getattr(m, of) for m in facts.schema.members if m not in inside}
            if inside and name in fields and not values & others and all(values):
                stored = [v for v in _stored(fields[name]) if any(x in v for x in values)]
                if stored:
                    return [
                        (
                            Condition(fields[name].shown, "=", tuple(stored), label=period.label),
                            mask,
                            (),
                            True,
                            {"assumed_date": 0.1},
                        )
                    ]
    named = table_periods(facts)
    if _is_about(named, period):
        part = any(p.grain != "day" and _meets(p, period) and not _meets(period, p) for p in named)
        part = (
            part
            or period.whole_year
            and bool(SEASON.search(f"{facts.schema.title} {facts.schema.source}".replace("_", " ")))
        )
        return [(None, mask, (), True, {"assumed_date": PART_OF_PERIOD if part else 0.05})]
    if named:
        return [(None, 0, (), True, {"period_clash": 1.0})]
    return [(None, 0, (), True, {"dropped": 1.0})]


def _stored(f: Field) -> list[str]:
    return [v for values in f.values.values() for v in values]


def _is_about(named: Sequence[Period], asked: Period) -> bool:
    """Tell whether a name with some periods is about the period asked for; "2024_2025" is about neither year alone."""
    years = [_meets(p, asked) for p in named if p.whole_year and p.has_year]
    return all(years) if len(years) > 1 else any(_meets(p, asked) for p in named)


def _meets(own: Period, asked: Period) -> bool:
    """Tell whether a table of a period holds just what the question asks for, or is inside it."""
    if not own.low or not own.high:
        return False
    if own.has_year and asked.has_year:
        return (not asked.low or own.low >= asked.low) and (not asked.high or own.high <= asked.high)
    return own.low[-5:] == asked.low[-5:] and own.high[-5:] == asked.high[-5:]
