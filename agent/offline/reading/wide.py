"""Tables with a column for each month, quarter or year: which columns a period of the question means."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tablerag.agent.offline.reading.facts import AMOUNTS, GENERIC, RATES, Facts, Field
from tablerag.agent.offline.reading.filters import by_title, has_periods, month_of, table_periods
from tablerag.agent.offline.reading.kept import kept
from tablerag.agent.offline.reading.naming import Named, Tag
from tablerag.agent.offline.reading.periods import Period, points_in
from tablerag.agent.offline.reading.query import Calc, Condition, Expr
from tablerag.agent.offline.reading.units import UNITS
from tablerag.agent.offline.reading.vocabulary import likeness
from tablerag.agent.offline.reading.words import Asked, read

__all__ = [
    "WHOLE",
    "Derived",
    "Family",
    "Picked",
    "base_of",
    "families_of",
    "parts_of",
    "pick",
    "wholes_of",
    "with_wholes",
]

FISCAL = re.compile(r"\b(?:FY|GJ|HJ) ?((?:19|20)\d\d)\b", re.IGNORECASE)
WHOLE = frozenset("total sum gesamt summe total somme ytd year".split())
CURRENCIES = frozenset("eur usd gbp chf euro euros".split())
NOT_ADDED = AMOUNTS | frozenset("start end meter target minimum maximum stock net gross profit loss".split())
"""Groups of words for columns of which no two are added up."""
MOST_KINDS = 10
LEAST_PARTS = 3
"""Fewer columns of periods make no wide table."""
LEAST_SURE, LEAST_ALIKE = 0.85, 0.7
CLEARLY = 0.1
SHORT_YEAR = re.compile(r"\b([^\W\d]{3,9})[ .'’/-]+(\d\d)\b(?!\d)")
NO_YEAR = 0.1
PER_ROW = re.compile(
    r"\b(?:per|pro|je|par) \w+ (?:and|und|et) (?:month|quarter|year|monat|quartal|jahr|mois|trimestre)\b", re.IGNORECASE
)
"""What a title says of what the rows and columns are: "boardings per line and month"."""


@dataclass(eq=False)
class Derived(Field):
    """A column computed from others of its row."""

    expr: Calc | None = None

    @property
    def ref(self) -> Expr:  # type: ignore[override]
        """The arithmetic."""
        assert self.expr is not None
        return self.expr

    @property
    def shown(self) -> Expr:  # type: ignore[override]
        """The arithmetic."""
        return self.ref


def derived(like: Field, expr: Calc, **column: str) -> Derived:
    """Return a column with the unit of another; its cells are not read."""
    made = like.column.model_copy(update={"header": expr.words(), "raw": "", **column})
    return Derived(like.schema, made, like.index, (), (), False, expr)


@dataclass(frozen=True, slots=True)
class Family:
    """Columns that differ in their period only: "Sales Q1", "Sales Q2"."""

    base: tuple[str, ...]
    """The words that they share."""
    members: tuple[tuple[Period, Field], ...]
    """In the order of time."""

    @property
    def has_years(self) -> bool:
        """Whether the headers state the year."""
        return self.members[0][0].has_year


def families_of(facts: Facts) -> list[Family]:
    """Return the families of number columns of a table."""
    return list(_families(facts.fields))


@kept
def _families(fields: tuple[Field, ...]) -> tuple[Family, ...]:
    found: dict[tuple[object, ...], list[tuple[Period, Field]]] = {}
    for f in fields:
        known = _period_of(f.column.header) if f.is_number and not f.is_id else None
        if known:
            period, base = known
            found.setdefault((f.schema.name, base, period.grain, period.has_year), []).append((period, f))
    families = []
    for key, members in found.items():
        members.sort(key=lambda m: m[0].low)
        if len({p.low for p, _ in members}) == len(members) > 1:
            families.append(Family(key[1], tuple(members)))  # type: ignore[arg-type]
    return tuple(families)


@lru_cache(maxsize=8_192)
def _period_of(header: str) -> tuple[Period, tuple[str, ...]] | None:
    """Return the period that a header states, and its other words but units."""
    bare = re.sub(r"[(\[].*?[)\]]", " ", header).strip().replace("_", " ") or header
    bare = FISCAL.sub(r"\1", bare)
    dated = SHORT_YEAR.sub(lambda m: f"{m[1]} 20{m[2]}" if month_of(m[1].casefold()) else m[0], bare)
    asked = read(dated)
    telling = [(i, w) for i, w in enumerate(asked.words) if w.key not in UNITS and w.key not in CURRENCIES]
    months = [(i, m) for i, w in telling if (m := month_of(w.key))]
    if len(months) == 1 and not asked.years:
        i, month = months[0]
        low, high = f"--{month:02}-01", f"--{month:02}-31"
        return Period(i, i + 1, low, high, "month", asked.words[i].text), tuple(w.key for j, w in telling if j != i)
    points = points_in(asked)
    if len(points) != 1 or points[0].grain == "day":
        return None
    p = points[0]
    return p, tuple(w.key for i, w in telling if not p.first <= i < p.last)


@kept
def _wholes(fields: tuple[Field, ...], title: str) -> tuple[Field, ...]:
    found = []
    totals = [f for f in fields if f.is_measure and WHOLE & {w.text for w in f.words}]
    for family in _families(fields):
        if len(family.members) < LEAST_PARTS or family.has_years or not _adds_up(family, title):
            continue
        members = [f for _, f in family.members]
        after = [t for t in totals if t.schema is members[0].schema and t not in members]
        found.append(after[0] if len(after) == 1 else summed(members))
    kinds = _kinds(fields)
    return (*found, *((summed(kinds),) if kinds and not found else ()))


@kept
def _kinds(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the columns that add up to what a table of periods measures: adults and children of visitors by month."""
    found = tuple(f for f in fields if f.is_measure)
    same = len({(f.column.unit, f.column.scale, f.column.type) for f in found}) == 1 < len(found) <= MOST_KINDS
    groups = {g for f in found for w in f.words for g in w.groups} | {w.text for f in found for w in f.words}
    added = same and all(f.is_additive and not f.is_planned for f in found) and not groups & (NOT_ADDED | WHOLE)
    return found if added and any(has_periods(f) for f in fields[:3]) else ()


def _adds_up(family: Family, title: str) -> bool:
    """Tell whether the sum of all periods means something: not of temperatures or rates."""
    return not RATES.search(" ".join((*family.base, PER_ROW.sub("", title))))


def wholes_of(facts: Facts) -> tuple[Field, ...]:
    """Return the sums over all periods of the tables with a column for each month or quarter."""
    own = tuple(f for f in facts.fields if f.schema is facts.schema)
    return _wholes(own, facts.schema.title)


def parts_of(facts: Facts) -> set[int]:
    """Return the identities of the columns that hold one period of several."""
    own = tuple(f for f in facts.fields if f.schema is facts.schema)
    periods = (f for family in families_of(facts) if len(family.members) >= LEAST_PARTS for _, f in family.members)
    return {id(f) for f in (*periods, *_kinds(own))}


@dataclass(frozen=True, slots=True)
class Picked:
    """The column of a period, or the sum of several."""

    field: Field
    cost: float
    """Of what is assumed."""
    condition: Condition | None = None
    """Which rows are of the period's year."""


def pick(family: Family, period: Period, facts: Facts) -> Picked | None:
    """Return the columns of a period; None if no column or no row is of it."""
    cost, condition = 0.0, None
    if period.grain == "season" or family.members[0][0].grain == "season":
        found = [f for p, f in family.members if (p.low, p.high) == (period.low, period.high)]
    elif family.has_years and not period.has_year:
        years = {p.low[:4] for p, _ in family.members}
        found = [f for p, f in family.members if _inside(p.low[-5:], p.high[-5:], period)] if len(years) == 1 else []
    elif family.has_years:
        found = [
            f
            for p, f in family.members
            if (not period.low or p.low >= period.low) and (not period.high or p.high <= period.high)
        ]
    else:
        of_year = _of_year(period, facts)
        if of_year is None:
            return None
        cost, condition = of_year
        found = [f for p, f in family.members if _inside(p.low[-5:], p.high[-5:], period)]
    if not found:
        return None
    if len(found) == len(family.members) and not family.has_years:
        whole = next((w for w in wholes_of(facts) if w is not found[0] and _holds(family, w)), summed(found))
        return Picked(whole, cost, condition)
    return Picked(found[0] if len(found) == 1 else summed(found), cost, condition)


def summed(fields: Sequence[Field]) -> Field:
    """Return the sum of columns of a row."""
    return derived(fields[0], Calc("+", tuple(f.ref for f in fields)), kind=fields[0].column.kind)


def _inside(low: str, high: str, period: Period) -> bool:
    return (not period.low or low >= period.low[-5:]) and (not period.high or high[:2] <= period.high[-5:-3])


def _of_year(period: Period, facts: Facts) -> tuple[float, Condition | None] | None:
    """Return which rows are of a period's year, if headers state none, and the cost; None if the table is of others."""
    several = len(facts.schema.members) > 1
    if not period.has_year:
        return (0.6 if several else 0.0), None
    of_rows = [f for f in facts.fields if f.is_year and f.schema is facts.schema]
    if of_rows:
        return (
            (0.05, Condition(of_rows[0].ref, "=", (float(period.year),))) if period.year in of_rows[0].cells else None
        )
    year = replace(
        period, low=f"{period.year}-01-01", high=f"{period.year}-12-31", grain="year", label=str(period.year)
    )
    if several:
        condition, mask, *_ = by_title(year, 1, facts)[0]
        return (0.05, condition) if mask and condition else None
    years = {p.year for p in table_periods(facts) if p.has_year}
    if period.low[:4] != period.high[:4]:
        return None
    return (0.05 if period.year in years else NO_YEAR, None) if not years or period.year in years else None


def base_of(family: Family, named: Named) -> tuple[int, float]:
    """Return the words that name what a family holds, and the cost if nothing does."""
    tags = [t for t in named.tags if t.kind == "column" and t.field and _holds(family, t.field)]
    best = max(tags, key=lambda t: t.sure, default=None)
    if best is None:
        return 0, 0.5 if family.base else 0.0
    return best.mask, 1 - best.sure if family.base else 0.05


def _holds(family: Family, f: Field) -> bool:
    """Tell whether a column is of a family, or the sum of its columns."""
    parts = f.ref.parts if isinstance(f.ref, Calc) else (f.ref,)
    return {m.ref for _, m in family.members} >= set(parts)


def with_wholes(tags: Sequence[Tag], asked: Asked, facts: Facts) -> list[Tag]:
    """Return tags in which what names a column for each period alike, as "turnover" or "kWh", names their sum."""
    wholes = wholes_of(facts)
    if len(wholes) != 1:
        return list(tags)
    parts = parts_of(facts)
    kinds = {id(f) for f in _kinds(tuple(f for f in facts.fields if f.schema is facts.schema))}
    one = {t for t in tags if t.kind == "column" and id(t.field) in kinds and _names_one(t, tags, kinds)}
    if one:  # "heat, in MWh": the unit names no sum of all energy
        return [t for t in tags if t in one or t.kind != "column" or id(t.field) not in kinds]
    found = list(_measured(asked, wholes[0], facts))
    for tag in tags:
        if tag.kind == "column" and id(tag.field) in parts and not _says_period(tag, asked):
            if all(asked.keys[i] in GENERIC for i in range(tag.first, tag.last)):
                continue  # "value" names no table
            sure = max(tag.sure, LEAST_SURE) if tag.sure > LEAST_ALIKE else tag.sure
            tag = replace(tag, field=wholes[0], sure=sure)
        found.append(tag)
    return list(dict.fromkeys(found))


def _names_one(tag: Tag, tags: Sequence[Tag], kinds: set[int]) -> bool:
    """Tell whether words name one of the columns that are added up, and none of the others: heat of all energy."""
    others = (t for t in tags if t.kind == "column" and id(t.field) in kinds and t.field is not tag.field)
    return tag.sure > LEAST_SURE or not any(t.mask & tag.mask and t.sure > tag.sure - CLEARLY for t in others)


def _measured(asked: Asked, whole: Field, facts: Facts) -> Iterator[Tag]:
    """Yield the words that the title has for what a wide table measures: "revenue" for "Umsatz 2024"."""
    headers = [w for f in facts.fields if f.is_text or f.is_id for w in f.words]
    for i, word in enumerate(asked.words):
        sure = max((likeness(word.lexeme, n) * s for n, s in facts.nouns), default=0.0)
        if (
            sure >= LEAST_ALIKE
            and not asked.is_ignored(i)
            and not any(likeness(word.lexeme, h) >= 0.8 for h in headers)
        ):
            yield Tag(1 << i, "column", LEAST_SURE, whole)


def _says_period(tag: Tag, asked: Asked) -> bool:
    return any(month_of(w.key) or w.key[-1:].isdigit() for i, w in enumerate(asked.words) if tag.mask >> i & 1)


def without(named: Named, family: Family) -> Named:
    """Return tags without those of a family's columns."""
    return replace(
        named, tags=tuple(t for t in named.tags if t.kind != "column" or not t.field or not _holds(family, t.field))
    )


def tagged(named: Named, family: Family, field: Field, mask: int, cost: float) -> Named:
    """Return tags in which some words name a column of a family."""
    rest = without(named, family).tags
    return replace(
        named, tags=(*(t for t in rest if not t.mask & mask), Tag(mask, "column", max(0.0, 1 - cost), field))
    )
