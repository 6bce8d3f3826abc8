"""Two columns of a row held against each other: "below their minimum stock", "over budget", "fewer than expected"."""

from collections.abc import Iterator
from dataclasses import dataclass

from tablerag.agent.offline.reading.facts import AMOUNTS, Facts, Field
from tablerag.agent.offline.reading.naming import Named, Tag
from tablerag.agent.offline.reading.query import Operator
from tablerag.agent.offline.reading.tag import sum_masks
from tablerag.agent.offline.reading.vocabulary import LANGUAGES, language, likeness
from tablerag.agent.offline.reading.words import Asked

__all__ = ["LESS", "MORE", "THAN", "Compared", "comparisons_in", "counterparts", "leaves_comparison", "limits_of"]

SPENT = frozenset(("actual", "stock", "consumption", "cost"))
"""Groups of columns that are held against a budget, a minimum or a limit."""
ALLOWED = frozenset(("budget", "minimum", "maximum", "target"))
OPERATORS: dict[str, Operator] = {"more": ">", "at_least": ">=", "less": "<", "at_most": "<="}
MORE = frozenset(w for code in LANGUAGES for w in language(code).set_of("more_of"))
LESS = frozenset(w for code in LANGUAGES for w in language(code).set_of("less_of"))
THAN = frozenset(w for code in LANGUAGES for w in language(code).set_of("than"))
LEVELS = frozenset(w for code in LANGUAGES for w in language(code).set_of("levels"))
NEAR = 4
"""At most as many words are between a comparison and the limit, or between "fewer" and "than"."""
ASSUMED = 0.15


@dataclass(frozen=True, slots=True)
class Compared:
    """A column, the one that it is held against, and the words that say so."""

    left: Field
    operator: Operator
    right: Field
    mask: int
    tags: tuple[Tag, ...]
    """What these words may name otherwise."""
    gap: float
    """How unsurely a word names a column."""
    assumed: float
    """The cost if a column is not named."""


@dataclass(frozen=True, slots=True)
class _Limit:
    field: Field
    mask: int
    sure: float
    first: int


def comparisons_in(asked: Asked, facts: Facts, named: Named) -> list[Compared]:
    """Return the comparisons of two columns that a question may mean, the likeliest first."""
    found: dict[tuple[int, int, str, bool], Compared] = {}
    for operator, first, last, between in _signals(asked):
        for limit in _limits_after(asked, facts, named, last):
            for one in _held(asked, facts, named, operator, first, limit, between):
                found.setdefault((id(one.left), id(one.right), one.operator, not one.assumed), one)
    if not found:
        for one in _unnamed(asked, facts, named):
            found.setdefault((id(one.left), id(one.right), one.operator, not one.assumed), one)
    return sorted(found.values(), key=lambda c: c.gap + c.assumed)[:3]


def _signals(asked: Asked) -> Iterator[tuple[Operator, int, int, int]]:
    """Yield each comparison, its first word, the word after it, and the words that a "fewer ... than" encloses."""
    times = {p.first for p in asked.of("late", "after", "before")}
    for phrase in asked.of(*OPERATORS):
        if phrase.last in times:
            continue  # "handed over later than planned"
        number = asked.words[phrase.last].key if phrase.last < len(asked.words) else ""
        if not number[:1].isdigit() and number not in asked.language.numbers:
            yield OPERATORS[phrase.concept], phrase.first, phrase.last, 0
    for i, word in enumerate(asked.words):
        if word.key not in MORE | LESS:
            continue
        than = next((j for j in range(i + 1, min(i + 2 + NEAR, len(asked.words))) if asked.keys[j] in THAN), None)
        if than is not None:
            inside = sum(1 << j for j in range(i + 1, than))
            yield ("<" if word.key in LESS else ">"), i, than + 1, inside


def leaves_comparison(asked: Asked, mask: int) -> bool:
    """Tell whether a reading leaves that something is held against a limit: "more places than agreed", "over budget".

    ``mask``: the words that it explains. "Over" alone says little: "over the year".
    """
    for _, first, last, between in _signals(asked):
        after = asked.words[last : last + NEAR]
        limited = any(w.lexeme.groups & ALLOWED for w in after)
        if not mask >> first & 1 and (between or limited or asked.keys[last - 1] in THAN):
            return True
    return False


def _limits_after(asked: Asked, facts: Facts, named: Named, start: int) -> Iterator[_Limit]:
    """Yield the number columns named soon after a comparison: by their header, or as a minimum, budget or target."""
    values = sum_masks(t.mask for t in named.tags if t.kind == "value")
    for place in range(start, min(start + NEAR, len(asked.words))):
        word = asked.words[place]
        if word.key[:1].isdigit():
            return
        if values >> place & 1:
            continue  # "over their marketing budget"
        groups = word.lexeme.groups & ALLOWED
        tags = [
            t
            for t in named.tags
            if t.kind == "column" and t.first == place and t.field and t.field.is_measure and not t.field.is_year
        ]
        for tag in tags:
            if tag.field:
                sure = max(tag.sure, 0.95) if groups & tag.field.groups else tag.sure
                yield _Limit(tag.field, tag.mask, sure, place)
        for f in limits_of(facts, asked):
            if not tags and groups & f.groups:
                alike = max(likeness(word.lexeme, w) for w in f.words)
                yield _Limit(f, 1 << place, 0.95 if alike > 0.9 else 0.85, place)
        if tags or groups or not (asked.is_ignored(place) or word.key in asked.language.light):
            return


def limits_of(facts: Facts, asked: Asked) -> list[Field]:
    """Return the columns that hold a minimum, a budget or a target; of a year asked for, if headers say years."""
    found = [f for f in facts.fields if f.is_measure and f.groups & ALLOWED and not f.groups & {"actual"}]
    own = [f for f in found if asked.years & {w.text for w in f.words}]
    return own or found


def _held(
    asked: Asked, facts: Facts, named: Named, operator: Operator, first: int, limit: _Limit, between: int
) -> Iterator[Compared]:
    """Yield the column named before a limit, and the one that is naturally held against it."""
    start = limit.mask | sum(1 << i for i in range(_with_verb(asked, first), limit.first) if not between >> i & 1)
    start |= _saying(asked, operator)
    before = [
        t
        for t in named.tags
        if t.kind == "column"
        and t.field
        and t.field.is_measure
        and t.field is not limit.field
        and t.last <= limit.first
    ]
    for tag in sorted(before, key=lambda t: -t.first)[:1]:
        if tag.field and _same_unit(tag.field, limit.field) and not _are_of_two(tag.field, limit.field):
            mask = start | tag.mask | _about(asked, between, limit, tag.field)
            # "the total amount of loans below their target" asks for the amount.
            gap = 2 - tag.sure - limit.sure + 0.4 * asked.has("sum", "average")
            yield Compared(tag.field, operator, limit.field, mask, _named(named, mask, tag.field, limit), gap, 0.0)
    for other in counterparts(limit.field, facts)[:1]:
        mask = start | _about(asked, between, limit, other)
        yield Compared(
            other, operator, limit.field, mask, _named(named, mask, other, limit), 1 - limit.sure, ASSUMED
        )  # fmt: skip


def _are_of_two(one: Field, other: Field) -> bool:
    """Tell whether two columns are under different headers: Kendal's costs and Penrith's budget."""
    over, above = (f.column.header.rpartition(" > ")[0] for f in (one, other))
    return bool(over and above) and over != above


def _with_verb(asked: Asked, first: int) -> int:
    """Return the first word of "dropped below" and "went over"."""
    place = first
    while place and asked.is_ignored(place - 1):
        place -= 1
    verbs = {p.last for p in asked.of("change", "fall", "lowered", "raised")}
    if place in verbs or (place and asked.words[place - 1].key in asked.language.light):
        return place - 1
    return first


def _saying(asked: Asked, operator: str) -> int:
    """Return the words that say the same as a comparison: "short (less on hand than the minimum)"."""
    phrases = asked.of("over_limit" if operator in (">", ">=") else "under_limit")
    return sum(1 << i for p in phrases for i in range(p.first, p.last))


def _about(asked: Asked, between: int, limit: _Limit, other: Field) -> int:
    """Return the words around a comparison that are about its columns: "minimum stock", "fewer people than"."""
    mask = 0
    after = range(limit.mask.bit_length(), min(limit.mask.bit_length() + 2, len(asked.words)))
    for i in (*(i for i in range(len(asked.words)) if between >> i & 1), *after):
        word = asked.words[i]
        alike = any(likeness(word.lexeme, w) >= 0.7 for w in (*other.words, *limit.field.words))
        if alike or word.key in LEVELS or (asked.is_ignored(i) and i not in after):
            mask |= 1 << i
        elif i in after and not asked.is_ignored(i):
            break
    return mask


def _named(named: Named, mask: int, other: Field, limit: _Limit) -> tuple[Tag, ...]:
    """Return the tags that a comparison accounts for."""
    fields = (other, limit.field)
    return tuple(
        t for t in named.tags if t.kind == "column" and t.mask & mask and (t.field in fields or not t.mask & ~mask)
    )


def _unnamed(asked: Asked, facts: Facts, named: Named) -> Iterator[Compared]:
    """Yield what a word says without naming the limit: "overspent", "understocked"."""
    for concept, operator, groups in (
        ("over_limit", ">", {"budget", "maximum", "target"}),
        ("under_limit", "<", {"minimum", "budget", "target"}),
    ):
        for phrase in asked.of(concept):
            mask = sum(1 << i for i in range(phrase.first, phrase.last))
            for f in limits_of(facts, asked):
                if groups & f.groups:
                    limit = _Limit(f, mask, 0.95, phrase.first)
                    for other in counterparts(f, facts)[:1]:
                        tags = _named(named, mask, other, limit)
                        gap = 0.05 if f.is_money == (concept == "over_limit") else 0.25
                        yield Compared(other, operator, f, mask, tags, gap, ASSUMED)  # type: ignore[arg-type]


def counterparts(f: Field, facts: Facts) -> list[Field]:
    """Return what a limit, minimum or budget is held against, the likeliest first: a column of the same unit."""
    others = [o for o in facts.fields if o is not f and o.is_measure and o.schema is f.schema]
    same = [o for o in others if _same_unit(o, f)]
    others = [o for o in others if o.is_money == f.is_money]  # a budget is above no number of orders
    limits = f.groups & ALLOWED
    own, about = {w.text for w in f.words}, f.groups - ALLOWED

    def fits(o: Field) -> float:
        groups = o.groups
        shared = len({w.text for w in o.words} & own) + len(groups & about)
        limiting = bool(groups & ALLOWED - {"budget"}) or bool(groups & ALLOWED and not groups & SPENT)
        return -(2 * bool(groups & SPENT) + shared - 2 * limiting) + abs(o.index - f.index) / 100

    return sorted(same or (others if limits else []), key=fits)


def _same_unit(one: Field, other: Field) -> bool:
    alike = bool(one.groups & AMOUNTS) == bool(other.groups & AMOUNTS)  # a price is below no stock
    return (
        (alike or bool(one.column.unit))
        and one.column.unit == other.column.unit
        and one.column.scale == other.column.scale
    )
