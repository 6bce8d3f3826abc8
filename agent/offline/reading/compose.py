"""Queries that a tagged question may mean over one table, each with what it leaves unexplained and assumes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.facts import (
    INCOME,
    OUTLAY,
    UNIT_WORDS,
    Facts,
    Field,
    amounts_of_rows,
    like,
    one_to_one,
    split_words,
)
from tablerag.agent.offline.reading.filters import Filters, has_periods, mask_of, names_rows, periods_of
from tablerag.agent.offline.reading.joining import names_of_code
from tablerag.agent.offline.reading.naming import Named, Tag, Weights
from tablerag.agent.offline.reading.periods import Period
from tablerag.agent.offline.reading.query import (
    Calc,
    Condition,
    Contrast,
    Expr,
    Function,
    Grain,
    Mapped,
    Measure,
    Query,
    Ref,
)
from tablerag.agent.offline.reading.row_keys import averaged_key, row_count
from tablerag.agent.offline.reading.shifts import Bounded, Only, Series, Shift
from tablerag.agent.offline.reading.tag import sum_masks
from tablerag.agent.offline.reading.units import AskedUnit
from tablerag.agent.offline.reading.vocabulary import lexeme, likeness
from tablerag.agent.offline.reading.wide import derived, parts_of, summed, wholes_of
from tablerag.agent.offline.reading.words import RANKS, Asked, Phrase
from tablerag.tools.linking.codes import codes_of_column

__all__ = ["CUSTOMERS", "RANKS", "Composer", "Draft", "Program", "counts_rows", "says_code", "sum_masks"]

Program: TypeAlias = Query | Contrast | Shift | Only | Series | Bounded
"""What a reading computes."""


BY_PERIOD: tuple[Grain, ...] = ("month", "quarter", "year", "week", "day")
OTHER_YEARS = 0.8
LIGHT = 0.25
LOOSE_COUNT = 0.3
NEAR = 3
LABEL = 2
"""How many words before a code say of what it is."""
BESIDE = 2
"""At most as many words are between "not" and the column that is left out, or between two columns that are added."""
SURE_TOPIC = 0.95
LIKE = 0.8
SURE_NAME = 0.9
"""How surely a word must be what a table is called."""
"""How sure a word names a column that it may group by."""
GRAINS = tuple(f"by_{g}" for g in BY_PERIOD)
GRAIN_WORDS: tuple[tuple[str, Grain], ...] = (*((g, g) for g in BY_PERIOD[:4]), ("date", "day"))
UP = ("highest", "latest", "expensive", "often")
ROLE_OF = {
    "expensive": ("price", "cost", "salary", "amount", "rent", "revenue"),
    "cheap": ("price", "cost", "salary", "amount", "rent"),
}
SAME_VERB, OTHER_VERB = 0.9, 0.5
"""How alike a verb and a date's header are, and the cost of another date."""
MARKED = 1.5
"""The cost of taking "the most" of something for the highest mark that it got."""
DEAR_ON_AVERAGE = 0.5
"""The cost of reading "the most expensive fixture" as the kind that is dear on average."""
OPERATIONS = (
    "count",
    "sum",
    "average",
    "share",
    "distinct",
    "group",
    "chart",
    "change",
    "percent",
    "ordinal",
    *RANKS,
    *GRAINS,
)
SPECIFIC = frozenset("weight age alcohol temperature distance".split())
"""Groups of words such as "heaviest", which rank by nothing else."""
ALL = frozenset("all both alle allen aller tous toutes".split())
CUSTOMERS = frozenset("member members mitglied mitglieder membre membres person persons people".split())
"""Words for the rows that resemble staff, but are mostly customers."""
MODALS = frozenset("can could may must kann konnen darf durfen peut peuvent".split())
MOST = frozenset("most meisten plus".split())
WITH = frozenset("with mit avec".split())
AMONG = frozenset("among amongst unter parmi".split())
CONSUMED = frozenset("energy consumption water gas".split())
MEANINGS = frozenset("meaning meanings bedeutung signification text reason fault".split())
GOOD = frozenset("good ok okay passed gut gute bon bons bonnes net rest remaining".split())
"""Words of headers for what is left without the part."""
MONEY_HEADS = frozenset("amount revenue cost price".split())
MONEY_NOUNS = frozenset("donation grant expense payment cost revenue budget bonus".split())


@dataclass(frozen=True, slots=True)
class Draft:
    """A query, the words that it explains, and what it assumes."""

    query: Program
    mask: int
    costs: Costs = field(default_factory=Costs)
    kind: str = ""
    dated: bool = False
    """Whether the question states a period."""


@dataclass
class Composer:
    """Composes the queries of one tagging and one way to filter."""

    asked: Asked
    facts: Facts
    named: Named
    filters: Filters
    numbers: Sequence[tuple[int, int, float]]
    weights: Weights
    periods: Sequence[Period]
    units: Sequence[AskedUnit] = ()

    def __post_init__(self) -> None:
        self.nouns = [t for t in self.named.tags if t.kind == "noun"]
        self.free = [t for t in self.named.tags if t.kind == "column" and t not in self.filters.tags]
        self.where = self.filters.conditions
        # "make of the truck": the column that refers to the other table says what is looked up.
        keys = {j.left for j in self.facts.source.joins}
        referring = sum_masks(t.mask for t in self.free if t.field and t.field.ref in keys and not t.field.is_unique)
        percent = self.used("percent") if any(t.field and t.field.is_percent for t in self.free) else 0
        self.base = self.filters.mask | sum(t.mask for t in self.nouns) | referring | percent | self._of_all()
        self.display, self.codes = self.facts.display(), 0
        named = {c.ref for c in self.where if c.operator == "=" and len(c.values) == 1}
        if self.display and all(d.shown in named and not d.is_unique for d in self.display):
            own = [f for f in self.facts.fields if f.schema is self.facts.schema and f.shown not in named]
            texts = [f for f in own if f.is_text and not f.is_code and f.distinct > 1]
            if texts:  # "which costs in the South": of the rows of one area, what else tells them apart
                self.display = (max(texts, key=lambda f: f.distinct),)
        number = self.facts.number() if self.says_code() else None
        if number is not None and number not in self.display:
            self.display = (number, *self.display)
        if number is not None:  # "the numbers of all machines"
            said = self.asked.language.set_of("codes")
            self.codes = sum_masks(1 << i for i, k in enumerate(self.asked.keys) if k in said)
        self.groups = list(self._groups())

    # what is named

    @cached_property
    def row_count(self) -> Measure:
        """The count of what words for the rows name, or words that are also of a column: "orders" of Order Date."""
        columns = (t for t in self.named.tags if t.kind == "column" and t.field)
        keys = [t for t in columns if t.field and (t.field.is_date or t.field.is_code or t.field.is_id)]
        return row_count(self.asked, self.facts, [*self.nouns, *keys])

    def measures(self, *, additive: bool = False) -> list[tuple[Field, int, Costs]]:
        """Return the columns that may be computed with: named ones, best first; else what is natural."""
        # Of a table that is looked up, a value would count once for each row that refers to it.
        named = [t for t in self.free if t.field and t.field.is_measure and self._counts_once(t.field)]
        named = _merged(named)
        named.sort(key=lambda t: (-round(t.sure, 1), t.first))
        out = [t for t in named if self._is_left_out(t)]  # "the price itself, not the joining fee"
        left = {id(t.field) for t in self.named.tags if t.kind == "column" and self._is_left_out(t)}
        named = [t for t in named if t in out or id(t.field) not in left] or named
        named = [replace(t, mask=t.mask | sum_masks(o.mask for o in out)) for t in named if t not in out] or named
        units = sum_masks(u.mask for u in self.units)  # "how many kg" asks for no price per kg
        named = [t for t in named if t.mask & ~units or not t.field or t.field.is_additive]
        if worth := self._worth([t.field for t in named if t.field]):
            return [worth]
        found = [(t.field, t.mask | self._of_measure(t.field), Costs(column_gap=1 - t.sure)) for t in named if t.field]
        found = [*self._together(named), *found]
        if found:
            return sorted(found, key=lambda f: not self.unit_mask(f[0])) if self.units else found
        parts, wholes = parts_of(self.facts), wholes_of(self.facts)
        own = [
            f
            for f in self.facts.fields
            if f.is_measure and (f.is_additive or not additive) and f.schema is self.facts.schema and id(f) not in parts
        ]
        if wholes:
            return self._of_whole(wholes, own)
        own = [f for f in own if not f.is_bound]
        if self.traded() or any(w.lexeme.groups & INCOME for w in self.asked.words):
            own = _no_outlay(own)  # "how much did we sell" is no cost
        if self.counts_unit():
            own = [f for f in own if not f.is_money] or own  # "how many kWh" of a column of readings
        money = amounts_of_rows(own)
        united = [f for f in own if self.unit_mask(f)]
        if united:
            return [(f, self._of_measure(f), Costs(assumed_measure=0.3 + 0.4 * (len(united) > 1))) for f in united[:2]]
        choice = money or own
        choice = sorted(choice, key=lambda f: f.is_planned)
        cost = 0.2 if self._money_noun() and choice and choice[0] in money else 0.6
        more = 0.4 * (len([f for f in choice if not f.is_planned]) > 1)
        return [
            (f, self._rate_mask(f), Costs(assumed_measure=cost + more + 0.4 * (n > 0 and f.is_planned)))
            for n, f in enumerate(choice[:2])
        ]

    def _together(self, named: Sequence[Tag]) -> Iterator[tuple[Field, int, Costs]]:
        """Yield the sum of two columns of a row: "parts and labour together", "parts plus labour"."""
        asked, said = self.asked, self.asked.language.set_of
        for one, two in pairwise(sorted(named, key=lambda t: t.first)):
            between = set(asked.keys[one.last : two.first])
            plus = said("plus") & between or said("and") & between and asked.has("sum")
            plus = plus or "+" in asked.text[asked.words[one.last - 1].end : asked.words[two.first].start]
            fields = [
                t.field for t in (one, two) if t.field and t.field.is_additive and not isinstance(t.field.ref, Calc)
            ]
            alike = len({(f.is_money, f.column.unit) for f in fields}) == 1
            if plus and alike and len(fields) == 2 and two.first - one.last <= BESIDE:
                mask = one.mask | two.mask | mask_of(one.last, two.first)
                yield summed(fields), mask | self._of_measure(fields[0]), Costs(column_gap=2 - one.sure - two.sure)

    def _is_left_out(self, tag: Tag) -> bool:
        """Tell whether a column is named after "not"."""
        ends = [p.last for p in self.asked.of("excluding")]
        return any(0 <= tag.first - end <= BESIDE for end in ends)

    def _of_whole(self, wholes: Sequence[Field], others: Sequence[Field]) -> list[tuple[Field, int, Costs]]:
        """Return the sums over all periods of a wide table: what its title names."""
        united = [f for f in (*wholes, *others) if self.unit_mask(f)]
        named = bool(united) or bool(self.nouns and self.measures_title())
        cost = Costs(assumed_measure=0.1) if named else Costs(assumed_measure=0.4, unnamed=1.0)
        more = 0.4 * (len(wholes) > 1 or any(f.is_additive for f in others if f not in wholes))
        parts = parts_of(self.facts)
        kinds = [f for f in self.facts.fields if id(f) in parts]
        words = [w for i, w in enumerate(self.asked.words) if self.weights[i] > LIGHT]
        more += any(like(w.lexeme, w.pairs, f)[0] >= SURE_TOPIC for w in words for f in kinds)  # one kind is named
        return [(f, self._of_measure(f), cost + Costs(assumed_measure=more)) for f in (united or wholes)[:2]]

    def _worth(self, named_as: Sequence[Field]) -> tuple[Field, int, Costs] | None:
        """Return the quantity times the price of each row: "what is the stock worth", "revenue from hotels"."""
        worth = self.asked.language.set_of("worth")
        traded = self.traded()  # "how many kilos did we sell" asks for no money
        words = enumerate(self.asked.words)
        said = [i for i, w in words if w.key in worth or w.lexeme.groups & INCOME and w.key not in traded]
        own = [f for f in self.facts.fields if f.is_measure and f.schema is self.facts.schema and not f.is_bound]
        if any(f.is_additive and f.is_money for f in named_as):
            return None
        held = [f for f in own if f.is_additive and not f.is_money and f.groups & {"stock", "quantity"}]
        prices = [f for f in self.facts.fields if "price" in f.groups and f.is_number and not f.is_additive]
        prices = [f for f in prices if f.schema is self.facts.schema]
        if not said or not held or not prices or amounts_of_rows(own):
            return None
        named = [t for t in self.named.tags if t.kind == "column" and t.field in prices]
        price = max(named, key=lambda t: t.sure).field if named else prices[0]
        assert price is not None
        mask = sum_masks(1 << i for i in said) | sum_masks(t.mask for t in named)
        value = derived(price, Calc("*", (held[0].ref, price.ref)), header="Value")
        # A column of that name in another table is rather meant.
        stated = any(self.asked.keys[i] == "worth" for i in said)
        return value, mask, Costs(assumed_measure=0.1 if stated else 0.3)

    def traded(self) -> frozenset[str]:
        """Return the words that say something was sold or bought."""
        said = self.asked.language.set_of
        return (said("sold") | said("bought")) & set(self.asked.keys)

    def _sold(self, rank: Phrase) -> list[Field]:
        """Return what says how much each row sold or bought: its money, else its quantity; of "most chairs" that."""
        own = [f for f in self.facts.fields if f.is_measure and f.schema is self.facts.schema]
        own = [f for f in _no_outlay(own) if not (f.is_bound or f.is_planned)]
        pieces = [f for f in own if f.is_additive and not f.is_money and "quantity" in f.groups]
        counted = any(t.kind == "value" and t.first == rank.last for t in self.filters.tags)
        return (counted and pieces) or amounts_of_rows(own) or pieces

    def counts_unit(self) -> bool:
        """Tell whether "how many" is followed by a unit, as in "how many kWh": rows are not counted."""
        return any(u.mask >> p.last & 1 for u in self.units for p in self.asked.of("count"))

    def measures_title(self) -> bool:
        """Tell whether the nouns name what a wide table measures, as in "visitors", not its rows."""
        if not parts_of(self.facts):
            return False
        headers = [w for f in self.facts.fields if f.is_text or f.is_id for w in f.words]
        words = [w.lexeme for t in self.nouns for i, w in enumerate(self.asked.words) if t.mask >> i & 1]
        rows = [any(likeness(w, h) >= 0.8 for h in headers) for w in words]
        return not any(rows) or not (all(rows) or self.asked.has("count"))

    def unit_mask(self, f: Field) -> int:
        """Return the words of units that a column's values may be given in."""
        return sum_masks(u.mask for u in self.units if u.fits(f))

    def _rate_mask(self, f: Field) -> int:
        """Return "per month" if each value of a column is for a month."""
        return self.used(*(f"by_{g}" for g in f.rates))

    def _of_measure(self, f: Field) -> int:
        """Return the words that say a column's unit, and the period that each value is for."""
        return self.unit_mask(f) | self._rate_mask(f) | (self._all_parts() if f in wholes_of(self.facts) else 0)

    def _all_parts(self) -> int:
        """Return the words that say that all columns are added up: "all studios" of a table with one for each."""
        every = self.asked.language.set_of("all")
        said = [i for i, k in enumerate(self.asked.keys[:-1]) if k in every and not self.asked.is_ignored(i + 1)]
        return sum_masks(0b11 << i for i in said)

    def measure(self, function: Function, f: Field) -> Measure:
        """Return an aggregate of a column, in the unit asked for."""
        for unit in self.units:
            factor = unit.factor(f) if unit.fits(f) else None
            if factor and factor != 1:
                dull = self.asked.language.set_of("of_units")
                words = [w.text for i, w in enumerate(self.asked.words) if unit.mask >> i & 1 and w.key not in dull]
                return Measure(function, f.ref, factor, " ".join(words))
        return Measure(function, f.ref)

    def grouped_by(self, f: Field) -> tuple[Ref, ...]:
        """Return the keys of groups: of a code, with the names that it stands for; those alone if each has its own."""
        name = None if self.says_code() else self.facts.name_of(f)
        if name is not None and (f.is_code or f.is_id) and one_to_one(f, name):
            return (name.shown,)
        return tuple(dict.fromkeys((*self.shown_for(f), f.shown)))

    def _code_shown(self, f: Field) -> float:
        """Return 1 for a code that is shown without its name."""
        code = f.is_text and f.is_code or f.is_id
        bare = code and not f.is_unique and not self.says_code() and self.shown_for(f) == (f.shown,)
        return float(bare and names_of_code(f, self.facts) is None)

    def _counts_once(self, f: Field) -> bool:
        """Tell whether each value of a column is in one row only: not of a table that several rows refer to."""
        return f.schema is self.facts.schema or self.facts.is_one_to_one

    def texts(self) -> list[Tag]:
        """Return the named columns that are shown or group, in the question's order."""
        return sorted((t for t in self.free if t.field and not t.field.is_measure), key=lambda t: t.first)

    def shown_for(self, f: Field) -> tuple[Ref, ...]:
        """Return what to show of a named column: of a code that identifies the rows, the name beside it."""
        key = next((j.right for j in self.facts.source.joins if j.left == f.ref), None)
        if key is not None and not self.says_code():
            there = next((o for o in self.facts.joined if o.schema.name == key.table), None)
            return tuple(d.shown for d in there.display()) if there else (f.shown,)
        if (f.is_code or f.is_id) and not self.says_code() and (name := self.facts.name_of(f)):
            return (name.shown,)
        # "What does a weekly pass cost?" asks for money.
        rows = not f.is_measure or (f.is_money and not self.asked.has("what_did"))
        own = f.schema is self.facts.schema and rows and self.facts.is_noun(f)
        if own and f.is_unique and f not in self.display and not self.says_code():
            return tuple(d.shown for d in self.display)
        return (f.shown,)

    def said(self, f: Field) -> int:
        """Return all words that name a column: "top products (product codes)"."""
        return sum_masks(t.mask for t in self.free if t.field is f)

    def says_code(self) -> bool:
        """Tell whether the question asks for the number or code itself."""
        return says_code(self.asked)

    def used(self, *concepts: str) -> int:
        """Return the words of some concepts as a mask."""
        return sum_masks(mask_of(p.first, p.last) for p in self.asked.of(*concepts))

    def query(self, **parts: object) -> Query:
        """Return a query over the filtered rows."""
        query = Query(self.facts.source, self.where, **parts)  # type: ignore[arg-type]
        if not (query.measures and query.shown) or query.by is not None:
            return query
        texts = {f.shown for f in self.facts.fields if has_periods(f)}
        return replace(query, in_order=any(e in texts for e in query.shown))

    def draft(self, query: Program, mask: int, kind: str, *costs: Costs, **more: float) -> Draft:
        """Return a draft with all that the filters explain and assume."""
        whole = self.filters.costs + Costs(more)
        for one in costs:
            whole = whole + one
        if counts_rows(query) and (self.counts_unit() or self.measures_title()):
            whole = whole + Costs(counts_wide=1.0)
        shows = self.codes if isinstance(query, Query) and self.facts.number_shown(query.shown) else 0
        return Draft(query, self.base | mask | shows, whole, kind, bool(self.periods))

    # the ways to read

    def all(self) -> Iterator[Draft]:
        """Yield all drafts."""
        asked = self.asked
        if asked.has("meaning"):
            yield from self._meant()
        part = asked.has("share") or asked.has("percent") and asked.has("sum")  # "how much of ... in percent"
        if part and not asked.has("change", "fall", "up_or_down"):
            yield from self._shares()
        ranks = [p for p in asked.of(*RANKS) if not self._is_filter_word(p) and not self._is_of_header(p)]
        if ranks:
            yield from self._ranked(ranks)
        if self.groups:
            yield from self._grouped()
        if asked.has("count"):
            yield from self._counted()
        if asked.has("average"):
            yield from self._aggregated("avg", "average")
        yield from self._aggregated("sum", "sum")
        if not asked.has("count", "sum", "average", "share") or asked.has("sum"):
            yield from self._listed()
        if not asked.has("average", "share"):
            yield from self._counted_plainly()

    def _meant(self) -> Iterator[Draft]:
        """Yield what a code stands for: as a text explains it, or the name beside it where it is the key."""
        for tag in (t for t in self.filters.tags if t.kind == "value"):
            codes = [v for of in tag.field.values.values() for v in of] if tag.field else []
            told = codes_of_column(tag.field.column, codes) if tag.field else {}
            named = tag.condition.values if tag.condition else ()
            texts = (f"{v:g}" if isinstance(v, float) else v for v in named)
            meant = tuple((told[v], (v,)) for v in texts if v in told)
            if meant and tag.field:
                query = self.query(shown=(Mapped(tag.field.shown, "meaning", meant),), distinct=True)
                yield self.draft(query, self.used("meaning", "what_did"), "meaning")
        keys = [t for t in self.filters.tags if t.kind == "value" and t.field and t.field.is_unique]
        for tag in keys:
            own = [f for f in self.facts.fields if f.schema is self.facts.schema and f.is_text and f is not tag.field]
            named = [f for f in own if not f.is_code and f.distinct > 1]
            if tag.field and tag.field.schema is self.facts.schema and named:
                best = max(named, key=lambda f: (f.is_name or bool({w.text for w in f.words} & MEANINGS), f.distinct))
                query = self.query(shown=(best.shown,), distinct=True)
                label = mask_of(max(tag.first - LABEL, 0), tag.first)  # the "fault code" F08
                yield self.draft(query, self.used("meaning", "what_did") | label, "meaning")

    def _is_of_header(self, phrase: Phrase) -> bool:
        """Tell whether a word such as "smallest" is one of a header that is named: "smallest group"."""
        words = {self.asked.keys[i] for i in range(phrase.first, phrase.last)}
        named = (t for t in self.free if t.field and t.first <= phrase.last - 1 < t.last and t.last - t.first > 1)
        return any(words & {w.text for w in t.field.words} for t in named if t.field)

    def _is_filter_word(self, phrase: Phrase) -> bool:
        """Tell whether a word such as "last" belongs to a period or comparison."""
        return bool(mask_of(phrase.first, phrase.last) & self.filters.mask)

    def _groups(self) -> Iterator[tuple[Expr, int, Costs]]:
        """Yield what to group by: columns after "per" or "by", and periods."""
        asked, dates = self.asked, [f for f in self.facts.fields if f.is_date]
        for grain in BY_PERIOD:
            for phrase in asked.of(f"by_{grain}"):
                if named := [t.field for t in self.free if t.field and t.mask & mask_of(phrase.first, phrase.last)]:
                    if named[0].is_text:  # a column is called "Quarter"; of a "Monthly fee" each value is for a month
                        yield named[0].shown, self.said(named[0]) | mask_of(phrase.first, phrase.last), Costs()
                    continue
                yield from self._periodic(grain, mask_of(phrase.first, phrase.last), dates)
        for phrase in asked.of("group", "chart"):
            if self._is_agent(phrase):
                continue
            for i in range(phrase.last, min(phrase.last + 4, len(asked.words))):
                for word, grain in GRAIN_WORDS:
                    if word in asked.words[i].lexeme.groups and not asked.has(*GRAINS):
                        yield from self._periodic(grain, mask_of(phrase.first, phrase.last) | 1 << i, dates)
            for tag in self.texts():
                every = ALL & {w.key for w in asked.words[phrase.last : tag.first]}
                if tag.field and tag.field.is_line() and tag.last - tag.first < len(tag.field.words):
                    continue  # "per order line" is each row
                # "used by all buildings" is one sum.
                if 0 <= tag.first - phrase.last <= 2 and tag.field and phrase.concept == "group" and not every:
                    modifies = any(n.first == tag.last for n in self.nouns)  # "per school booking" is per booking
                    modifies = modifies and not self._of_kind(tag)
                    kind = self._of_kind(tag) | self._class_after(tag)
                    yield (
                        tag.field.shown,
                        self.said(tag.field) | mask_of(phrase.first, phrase.last) | kind,
                        Costs(
                            column_gap=1 - tag.sure,
                            odd_group=0.7 * modifies + 0.3 * tag.field.is_date,
                            code_shown=self._code_shown(tag.field),
                            by_row=float(tag.field.is_code and self._names_rows(tag.field)),
                        ),
                    )

    def _is_agent(self, phrase: Phrase) -> bool:
        """Tell whether "by" says who did something rather than what to group by: "loans made by members"."""
        keys, place = self.asked.keys, phrase.last
        if self.asked.language.code != "en" or keys[phrase.first] != "by" or not 0 < place < len(keys):
            return False
        done = keys[phrase.first - 1] in self.asked.language.verbs or keys[phrase.first - 1].endswith("ed")
        ours = keys[place] in self.asked.language.set_of("determiners")  # "billed by our meat suppliers"
        named = keys[place + 1 : place + 3] if ours else keys[place : place + 1]
        return done and any(k.endswith("s") or k in self.asked.language.set_of("agents") for k in named)

    def _of_all(self) -> int:
        """Return the words that group nothing: "across all clinics", "made by members"."""
        every = self.asked.language.set_of("all")
        words = self.asked.words
        said = (
            p
            for p in self.asked.of("group")
            if p.last < len(words) and (words[p.last].key in every or self._is_agent(p))
        )
        return sum_masks(mask_of(p.first, p.last) for p in said)

    def _of_kind(self, tag: Tag) -> int:
        """Return the words after a kind that say of what: "type of product"."""
        said, i = self.asked.language.set_of("of_units"), tag.last
        kinds = any(lexeme(k).groups & {"category"} for k in self.asked.keys[tag.first : tag.last])
        return mask_of(i, i + 2) if kinds and i + 1 < len(self.asked.words) and self.asked.keys[i] in said else 0

    def _class_after(self, tag: Tag) -> int:
        """Return the word after a column that only says that its values are classes: "each EPC band"."""
        after = self.asked.keys[tag.last : tag.last + 1]
        return 1 << tag.last if self.asked.language.set_of("classes").issuperset(after) and after else 0

    def _dated_by(self, dates: Sequence[Field]) -> dict[str, int]:
        """Return the dates that a verb names, with its word: "reported each month" is about "Reported on"."""
        of_dates = self.asked.language.set_of("of_dates")
        found = {}
        for f in dates:
            verbs = [w for w in f.words if w.text not in of_dates]
            for i, word in enumerate(self.asked.words) if len(verbs) == 1 else ():
                if self.asked.may_be_left(i) and likeness(word.lexeme, verbs[0]) >= SAME_VERB:
                    found[f.column.name] = 1 << i
        return found

    def _periodic(self, grain: Grain, mask: int, dates: Sequence[Field]) -> Iterator[tuple[Expr, int, Costs]]:
        default = next((f for f in dates if f.schema.rules and f.schema.rules.default_date == f.column.name), None)
        tags = [t for t in self.named.tags if t.kind == "column" and t.field in dates]
        # With a default, "orders" alone do not mean the "Order date".
        tagged = [t.field for t in tags if default is None or not names_rows(self.asked, t, self.facts)]
        used = [c.ref for c in self.filters.periods]
        verbs = self._dated_by(dates)
        ordered = sorted(
            dates,
            key=lambda f: (f not in tagged, f.column.name not in verbs, f is not default, f.ref not in used, f.index),
        )
        for f in ordered[:2]:
            place = (ordered if default or verbs else dates).index(f)
            assumed = 0.1 * (f not in tagged and f.column.name not in verbs) + 0.2 * place + self._exceeds_period(f)
            yield (
                Ref(f.schema.name, f.column.name, f.column.header, grain),
                mask | verbs.get(f.column.name, 0),
                Costs(assumed_date=assumed + OTHER_VERB * (bool(verbs) and f.column.name not in verbs)),
            )
        for f in self.facts.fields:
            if (
                f.is_text
                and f.filled
                and {lexeme(grain).text, *lexeme(grain).groups}
                & ({w.text for w in f.words} | {g for w in f.words for g in w.groups})
            ):
                yield f.shown, mask, Costs()
            elif grain in ("quarter", "year") and has_periods(f) and (mapped := periods_of(f, grain)):
                yield mapped, mask, Costs(assumed_date=0.1)
            elif grain == "month" and has_periods(f) and f.distinct > 4:
                yield f.shown, mask, Costs(assumed_date=0.1)
            elif (f.is_year and grain == "year") or f.numbers == grain:
                yield f.ref, mask, Costs()

    def _exceeds_period(self, f: Field) -> float:
        """Return the cost of groups of other years than the one asked for, which only the table's name has."""
        first, last = f.span
        years = [p for p in self.periods if p.whole_year and p.low and p.high]
        unread = not any(c.ref == f.ref for c in self.filters.periods)
        return OTHER_YEARS * (unread and any(first < p.low or last > p.high for p in years))

    def _with_second(self, expr: Expr, mask: int, costs: Costs) -> Iterator[tuple[Expr, int, Costs, tuple[Expr, ...]]]:
        """Yield a group alone, and with the second key that follows it: "by region and month"."""
        yield expr, mask, costs, ()
        last, said = mask.bit_length(), self.asked.language.set_of("and")
        for i in range(last, min(last + 5, len(self.asked.words))):
            words = self.asked.words[last : i + 1]
            meaningless = all(self.weights[j] <= LIGHT for j in range(last, i))
            if not said & {w.key for w in words[:-1]} or not meaningless:
                continue
            for tag in self.texts():
                if tag.first == i and tag.field and tag.field.shown != expr:
                    more = Costs(column_gap=1 - tag.sure, odd_group=0.3 * tag.field.is_date)
                    yield expr, mask | tag.mask, costs + more, (tag.field.shown,)
            dates = [f for f in self.facts.fields if f.is_date]
            for word, grain in GRAIN_WORDS:
                if word in words[-1].lexeme.groups and dates:
                    for other, own, more in self._periodic(grain, 1 << i, dates):
                        yield expr, mask | own, costs + more, (other,)

    def _grouped(self) -> Iterator[Draft]:
        asked = self.asked
        if asked.has("average") and self._is_periodic():
            return  # "average monthly cost" of monthly rows is one average
        for expr, mask, costs, second in [g for group in self.groups for g in self._with_second(*group)]:
            mask |= self.used("chart", "group")
            keys = (expr, *second)
            if asked.has("count") or self._counts_noun():
                bonus = self.used("count", "sum") | self._counted_rows()
                money = 0.0 if asked.has("count") else max(self._money_noun(), 1.5 * self._asks_amount())
                query = self.query(shown=keys, measures=(self.row_count,))
                whole = 0.5 * bool(asked.language.set_of("altogether") & set(asked.keys))  # "per month together"
                yield self.draft(query, mask | bonus, "group count", costs, money_noun=money, odd_group=whole)
            if asked.has("count") and not asked.has("average"):
                for f, own, more in self.measures():
                    if (own or self.counts_unit()) and f.is_additive and f.ref not in keys:
                        yield self.draft(
                            self.query(shown=keys, measures=(self.measure("sum", f),)),
                            mask | own | self.used("count", "sum"),
                            "group sum",
                            costs,
                            more,
                        )
                continue
            function = (
                "avg"
                if asked.has("average")
                else "max"
                if asked.has("highest", "latest", "expensive")
                else "min"
                if asked.has("lowest", "cheap")
                else "sum"
            )
            for f, own, more in self.measures(additive=function == "sum"):
                said = (self.used("average", "count") if function == "avg" else self.used("sum")) | (
                    self.used(*RANKS) if function in ("max", "min") else 0
                )
                costs_of = Costs(odd_sum=1.0) if function == "sum" and not f.is_additive else Costs()
                # "The average number of tracks" is no average of a price.
                rows = function == "avg" and asked.has("count") and more.get("column_gap", 0.0) >= LOOSE_COUNT
                costs_of = costs_of + Costs(odd_group=self._odd_group(expr, f) + 1.5 * rows)
                yield self.draft(
                    self.query(shown=keys, measures=(self.measure(function, f),)),
                    mask | own | said,
                    f"group {function}",
                    costs,
                    more,
                    costs_of,
                    within=float(any(self._ranks_within(r) for r in asked.of(*RANKS))),
                )
                if function == "sum" and not asked.has("sum") and not f.is_additive:
                    yield self.draft(self.query(shown=(*keys, f.shown)), mask | own, "group list", costs, more)

    def _odd_group(self, expr: Expr, f: Field) -> float:
        """Return how odd it is to group a measure by a period: one that is per month, or by when people were hired.

        So is the average of each row.
        """
        grain = expr.grain if isinstance(expr, Ref) else ""
        of = next((d for d in self.facts.fields if isinstance(expr, Ref) and expr.column in d.column.all_names()), None)
        if self.asked.has("average") and of is not None and not grain and self._names_rows(of):
            return 2.0
        once = grain and of is not None and of.groups & {"hire", "birth", "leave"}
        return 1.0 * (grain in f.rates) + 0.7 * bool(once)

    def _money_noun(self) -> float:
        """Return 1 if the rows are sums of money, such as donations: their total is meant rather than their number."""
        nouns = {
            g for t in self.nouns for i, w in enumerate(self.asked.words) if t.mask >> i & 1 for g in w.lexeme.groups
        }
        summed = {self.asked.keys[i] for p in self.asked.of("sum") for i in range(p.first, p.last)}
        return float(bool(nouns & MONEY_NOUNS or self.asked.language.set_of("money") & summed))  # "quel montant"

    def _asks_amount(self) -> bool:
        """Tell whether "how much" is asked, as in "how much did we claim from each", rather than how many."""
        return ("how", "much") in pairwise(self.asked.keys)

    def _counted_rows(self) -> int:
        """Return the words that name the rows by a column of theirs: the Object No of objects."""
        return sum_masks(t.mask for t in self.free if t.field and t.field.is_code and self._names_rows(t.field))

    def _counts_noun(self) -> bool:
        """Tell whether "orders per month" counts rows: a noun of the table, and no measure."""
        named = any(t.field and t.field.is_measure for t in self.free)
        return bool(self.nouns) and not named and not self.measures_title() and not self.counts_unit()

    def _counted(self) -> Iterator[Draft]:
        """Yield counts of rows, of different values, and sums of columns that hold counts."""
        phrase = self.asked.of("count")[0]
        said = self.used("count", "distinct", "sum")
        topics = self._topics()
        target = self._target_after(phrase)
        if self.counts_unit() or (self.measures_title() and wholes_of(self.facts)):
            for f, mask, costs in self.measures():
                if f.is_additive:
                    yield self.draft(
                        self.query(measures=(self.measure("sum", f),)), said | mask | topics, "sum of counts", costs
                    )
        if target and target.kind == "column" and target.field:
            f = target.field
            unit = self.asked.words[target.first].key in UNIT_WORDS
            times = 2 if f.is_measure and target.sure < LIKE and not unit else 1
            costs = Costs(column_gap=times * (1 - target.sure))  # "sales receipts" are no sales area
            many = self.asked.language.set_of("many") & {self.asked.keys[i] for i in range(phrase.first, phrase.last)}
            if many and (f.is_money or f.groups & MONEY_HEADS):
                pass  # "how many loans" asks for no money
            elif f.is_measure and f.is_additive and self._counts_once(f):
                query = self.query(measures=(self.measure("sum", f),))
                costs = costs + Costs(loose=float(self._has_rival(target)))
                yield self.draft(query, said | target.mask | topics, "sum of counts", costs)
                yield self.draft(self.query(shown=(f.shown,)), said | target.mask, "lookup of count", costs, lookup=1.0)
            elif f.is_measure:
                yield self.draft(self.query(shown=(f.shown,)), said | target.mask, "lookup of count", costs, lookup=1.0)
            elif not (f.is_date or f.is_year):
                yield from self._counted_things(target, f, said, costs)
        pieces = self._pieces(phrase)
        for f in pieces:
            query = self.query(measures=(self.measure("sum", f),))
            yield self.draft(query, said | self.said(f) | self._of_measure(f), "sum of counts", assumed_measure=0.1)
        lone = 0.0 if self.nouns else 0.5
        query = self.query(measures=(self.row_count,))
        held = float(bool(pieces)) or 0.6 * self._are_held(phrase)
        others = self._counts_others(phrase)
        # "How many different customers complained" counts no complaints.
        kinds = self.asked.has("distinct") and self._names_kinds(phrase)
        yield self.draft(
            query,
            said,
            "count",
            no_noun=lone,
            counts=held,
            not_home=2.5 * others + kinds,
            loose=float(kinds),
            one_row=float(self._is_one_row()),  # "how many animals does Elm Farm keep" does not count Elm Farm
        )

    def _counted_things(self, target: Tag, f: Field, said: int, costs: Costs) -> Iterator[Draft]:
        """Yield counts of what a column names: its different values, and the rows."""
        # "supplier orders" are no suppliers, "customers complained" are customers
        verb = target.last < len(self.asked.keys) and self.asked.keys[target.last].endswith("ed")
        modifies = not verb and any(n.first == target.last for n in self.nouns)
        other = f.schema is not self.facts.schema or not self.asked.has("distinct")
        foreign = Costs(not_home=float(other) + modifies + f.is_foreign)
        if not f.is_unique:
            yield self.draft(
                self.query(measures=(Measure("distinct", f.shown),)),
                said | target.mask,
                "count distinct",
                costs,
                foreign,
            )
        refers = {j.left for j in self.facts.source.joins}
        named = f.is_unique or (f.index == 0 and f.is_code and not f.is_id)
        yield self.draft(
            self.query(measures=(self.row_count,)),
            said | target.mask,
            "count",
            costs,
            counted_column=2.0 if f.ref in refers or f.is_foreign else 0.0 if named else 0.5,
            one_row=float(self._is_one_row()),
        )

    def _counts_others(self, phrase: Phrase) -> bool:
        """Tell whether what is counted are the rows of another table, which is looked up."""
        # "How many schools are there among our hirers?" counts schools rather than what they hired.
        others = any(
            t.kind == "value" and t.first == phrase.last and t.field and t.field.schema is not self.facts.schema
            for t in self.filters.tags
        ) and not any(n.first <= phrase.last + 2 and not n.foreign for n in self.nouns)
        refers = {j.left for j in self.facts.source.joins}
        # "How many buses have a lift" counts no fuel log of theirs.
        return others or any(
            t.field is not None and t.field.ref in refers and not t.field.is_unique and 0 <= t.first - phrase.last <= 1
            for t in self.free
        )

    def _names_kinds(self, phrase: Phrase) -> bool:
        """Tell whether what is counted is named by a column that several rows share."""
        words = self.asked.words[phrase.last : phrase.last + 2]
        own = [f for f in self.facts.fields if f.schema is self.facts.schema and not f.is_unique and not f.is_measure]
        return any(like(w.lexeme, w.pairs, f)[0] >= LIKE for w in words for f in own if len(f.core) == 1)

    def _has_rival(self, target: Tag) -> bool:
        """Tell whether another number's header has the word that is counted too: seats bought, and seats in use."""
        words = {self.asked.keys[i] for i in range(target.first, target.last)}
        alike = [f for f in self.facts.fields if f.is_additive and words & {w.text for w in f.words}]
        return len(alike) > 1 and target.sure < LIKE

    def _are_held(self, phrase: Phrase) -> bool:
        """Tell whether a column has how many there are of what is counted: "seats" of "Seats bought"."""
        counted = {k for k in self.asked.keys[phrase.last : phrase.last + 2] if k.endswith("s")}
        own = (f for f in self.facts.fields if f.is_additive and not f.is_money and self._counts_once(f))
        return any(counted & {w.text for w in f.words} for f in own)

    def _pieces(self, phrase: Phrase) -> list[Field]:
        """Return the column with how many of each article there are, if articles are counted by name.

        "How many brake pads are in stock?" asks for pieces; "How many articles are below the minimum?" for rows.
        """
        named = [t for t in self.filters.tags if t.kind == "value" and 0 <= t.first - phrase.last <= NEAR]
        named.sort(key=lambda t: t.first)
        if not named or any(c.other for c in self.where):
            return []
        own = [f for f in self.facts.fields if f.is_additive and f.schema is self.facts.schema and not f.is_planned]
        said = [(f, f.pairs.union(*(w.groups for w in f.words))) for f in own if not f.is_money]
        counted = all(self.asked.is_ignored(i) for i in range(phrase.last, named[0].first))
        rows = any(n.first in (named[0].first - 1, named[0].last) for n in self.nouns)
        kinds = {"stock", "quantity"} if counted and not rows else {"stock"}  # "how many docking stations were sold"
        found = [f for f, groups in said if groups & kinds and not groups & {"minimum", "maximum"}]
        alike = [f for f in found if f.column.header.split(" > ")[0] == found[0].column.header.split(" > ")[0]]
        return found[:1] if len(alike) == 1 else []  # "Pieces > Leeds" and "Pieces > York": neither is all

    def _target_after(self, phrase: Phrase) -> Tag | None:
        """Return what is counted: the first thing named after "how many"."""
        after = sorted(
            (t for t in (*self.free, *self.nouns) if t.first >= phrase.last), key=lambda t: (t.first, t.kind == "noun")
        )
        if not after or after[0].first - phrase.last > 4 or self._passed(phrase.last, after[0].first):
            return None
        if after[0].kind == "column" and self._is_verb(after[0], phrase):
            return None  # "how many drivers work in ..."
        measured = (t for t in after if t.first == after[0].last and t.field and t.field.is_measure)
        return next(measured, after[0])  # "training hours" are hours

    def _is_verb(self, tag: Tag, phrase: Phrase) -> bool:
        """Tell whether words that resemble a column are the verb of what is counted before them."""
        counted = any(t.kind == "value" and t.first == phrase.last and t.last == tag.first for t in self.filters.tags)
        return counted and all(self.asked.may_be_left(i) for i in range(tag.first, tag.last))

    def _passed(self, first: int, last: int) -> bool:
        """Tell whether what is counted comes before a verb: "how many are in ..."."""
        return any(w.key in self.asked.language.set_of("verbs") for w in self.asked.words[first:last])

    def _counted_plainly(self) -> Iterator[Draft]:
        """Yield counts that are asked for without a word for it: "orders in March 2025 - total"."""
        if self.nouns and self.asked.has("sum"):
            yield self.draft(
                self.query(measures=(self.row_count,)),
                self.used("sum"),
                "count plainly",
                unsaid_count=1.0 + self._asks_amount(),
            )

    def _aggregated(self, function: str, concept: str) -> Iterator[Draft]:
        said = (
            self.used(concept)
            | self._topics()
            | (self.used(*GRAINS) if function == "avg" and self._is_periodic() else 0)
        )
        said |= self.used("count") if function == "sum" and self.asked.has("sum") else 0
        if function == "sum" and self.asked.has("sum"):
            said |= self._all_of()
        if function == "avg":  # "how much ... on average", "the average number of pupils per lesson"
            said |= sum_masks(mask_of(p.first, p.last) for p in self.asked.of("sum") if p.first == 0)
            said |= self.used("count") | self._per_row()
            if per_key := self._average_per_key(said):
                yield per_key
                return
        for f, mask, costs in self.measures(additive=function == "sum"):
            more: dict[str, float] = {}
            if function == "sum":
                unsaid = 0.3 if mask and self.asked.has("what_did") else 1.0
                unsaid *= not self.unit_mask(f) & 0b11  # "kilos of butter in the orders of 2024"
                odd = float(not f.is_additive and not self._is_one_row())
                more = {"unsaid_sum": unsaid * (not self.asked.has("sum")), "odd_sum": odd}
                if self.asked.has("count") and not (self.asked.has("sum") and mask):
                    more["counts"] = 1.0
            if function == "avg" and isinstance(f.ref, Calc) and f.ref.operator == "+":
                yield from self._per_part(f, said | mask, costs)
                more["odd_sum"] = 0.6  # the average of rows, each of a whole year
            yield self.draft(self.query(measures=(self.measure(function, f),)), said | mask, function, costs, **more)  # type: ignore[arg-type]

    def _average_per_key(self, said: int) -> Draft | None:
        """Return the average of things that have several rows each: of the lines of orders, the average order value."""
        found = averaged_key(self.asked, self.facts)
        own = [f for f in self.facts.fields if f.is_measure and f.is_additive and f.schema is self.facts.schema]
        amounts = amounts_of_rows(_no_outlay([f for f in own if not (f.is_bound or f.is_planned)]))
        if found is None or not amounts:
            return None
        key, mask = found
        measure = Measure("avg", amounts[0].ref, per=key.ref)
        return self.draft(self.query(measures=(measure,)), said | mask, "avg", assumed_measure=0.2 * len(amounts))

    def _topics(self) -> int:
        """Return the words that say of what a measure is by a column of its table: "kilos of grapes"."""
        of = self.asked.language.set_of("of_what")
        named = (t for t in self.texts() if t.sure >= SURE_TOPIC and t.first and self.asked.keys[t.first - 1] in of)
        return sum_masks(t.mask for t in named)

    def _is_one_row(self) -> bool:
        """Tell whether the rows are one, by its name or number: its value is no sum."""
        own = {f.shown for f in self.facts.fields if f.is_unique and f.schema is self.facts.schema}
        return any(c.ref in own and c.operator == "=" and len(c.values) == 1 for c in self.where)

    def _all_of(self) -> int:
        """Return the words that say a total is of every value of a column: "of all teams together"."""
        every, keys = self.asked.language.set_of("all"), self.asked.keys
        summed = [p.first for p in self.asked.of("sum")]
        named = [t for t in (*self.texts(), *self.nouns) if every & set(keys[max(t.first - 2, 0) : t.first])]
        counted = [
            (t, first)
            for t in self.texts()
            for first, last, _ in self.numbers
            if last == t.first and t.last in summed  # "the three sites together"
        ]
        return sum_masks(t.mask for t in named) | sum_masks(t.mask | 1 << first for t, first in counted)

    def _per_row(self) -> int:
        """Return the words that say an average is of the rows: "per lesson"."""
        others = [f for f in self.facts.fields if not f.is_number and not self._names_rows(f)]
        rows = [t for t in self.texts() if t.field and self._names_rows(t.field)]
        for noun in self.nouns:
            word = self.asked.words[noun.first]
            if not any(like(word.lexeme, word.pairs, f)[0] >= LIKE for f in others):  # "per customer" of orders
                rows.append(noun)
        return sum_masks(
            mask_of(p.first, p.last) | t.mask
            for p in self.asked.of("group")
            for t in rows
            if 0 <= t.first - p.last <= 2
        )

    def _names_rows(self, f: Field) -> bool:
        """Tell whether each row has its own value of a column."""
        return f.is_unique and f.schema is self.facts.schema and not f.is_date

    def _per_part(self, whole: Field, mask: int, costs: Costs) -> Iterator[Draft]:
        """Yield the average of a month: "average monthly revenue"."""
        words = [i for i, w in enumerate(self.asked.words) if "month" in w.lexeme.groups or w.key.startswith("monats")]
        parts = whole.ref.parts if isinstance(whole.ref, Calc) else ()
        grains = mask_of(words[0], words[-1] + 1) if words else self.used("by_month")
        if grains and len(parts) > 1:
            measure = Measure("sum", whole.ref, float(len(parts)), "per month")
            yield self.draft(self.query(measures=(measure,)), mask | grains, "avg", costs)

    def _is_periodic(self) -> bool:
        """Tell whether each row is a month or another period."""
        return any(
            f.is_text
            and f.is_unique
            and f.filled <= 60
            and any(w.groups & {"month", "quarter", "week"} for w in f.words)
            for f in self.facts.fields
        )

    def _shares(self) -> Iterator[Draft]:
        """Yield percentages: of rows, and of a sum; what follows the verb or has no "of" is the part."""
        said = self.used("share", "percent", "count", "sum") | self._all_of()
        yield from self._shares_of_columns(said)
        out = [c for c in self.where if c.operator == "<>"]  # what is left out is in neither
        part = [c for c in self.where if c not in self.filters.periods and c not in out]
        whole_by_place = self._whole_of_share(part)
        wholes = {tuple(w): None for w in (whole_by_place, [], part[:-1])}
        for rank, whole in enumerate(wholes):
            if len(whole) == len(part):
                continue
            kept = (*whole, *self.filters.periods, *out)
            lost = bool(part) and list(whole_by_place) == part and self._left_after_verb(said)
            lost = lost or self._left_before_share(said)
            cost = Costs(share_guess=0.25 * rank, unnamed=float(lost))
            for measure, mask, costs in self._share_measures():
                one, two = (
                    Query(self.facts.source, self.where, measures=(measure,)),
                    Query(self.facts.source, kept, measures=(measure,)),
                )
                yield self.draft(Contrast("share", one, two), said | mask, f"share {measure.function}", cost, costs)
        said_first = all(p.first < self._first_verb() for p in self.periods)
        if (
            self.filters.periods and not part and not said_first
        ):  # "of the takings of 2025 came from ..." is no share of 2025
            for measure, mask, costs in self._share_measures():
                one, two = (
                    Query(self.facts.source, self.where, measures=(measure,)),
                    Query(self.facts.source, (), measures=(measure,)),
                )
                yield self.draft(
                    Contrast("share", one, two), said | mask, f"share {measure.function}", costs, share_guess=0.3
                )

    def _shares_of_columns(self, said: int) -> Iterator[Draft]:
        """Yield one column's total as a percentage of another's: "what share of the pieces made was scrap"."""
        named = _merged([t for t in self.free if t.field and t.field.is_additive and self._counts_once(t.field)])
        named.sort(key=lambda t: t.first)
        asked = max((p.first for p in self.asked.of("share", "percent")), default=0)
        for one, two in pairwise(named):
            whole, part = (two, one) if one.first < asked < two.first else (one, two)  # "scrap as a share of"
            if not (whole.field and part.field) or whole.field.is_money != part.field.is_money:
                continue
            if _sum_of(part.field) > _sum_of(whole.field) or GOOD & {w.text for w in whole.field.words}:
                continue
            sides = (self.query(measures=(Measure("sum", f.ref),)) for f in (part.field, whole.field))
            gap = Costs(column_gap=2 - one.sure - two.sure)
            yield self.draft(Contrast("share", *sides), said | one.mask | two.mask, "share of columns", gap)

    def _first_verb(self) -> int:
        known = self.asked.language.set_of("verbs") | MODALS
        return next((i for i, k in enumerate(self.asked.keys) if i and k in known), len(self.weights))

    def _left_after_verb(self, said: int) -> bool:
        """Tell whether what is said about the part is not understood: "of the objects can the public see"."""
        verb, mask = self._first_verb(), self.base | said
        return any(w > 0.3 and not mask >> i & 1 for i, w in enumerate(self.weights) if i > verb)

    def _left_before_share(self, said: int) -> bool:
        """Tell whether what is said about the whole is not understood: "of the batches graded, what percent"."""
        first, mask = min((p.first for p in self.asked.of("share", "percent")), default=0), self.base | said
        return any(w > 0.3 and not mask >> i & 1 for i, w in enumerate(self.weights[:first]))

    def _share_measures(self) -> Iterator[tuple[Measure, int, Costs]]:
        named = [m for m in self.measures() if m[1]]
        if not named and self.measures_title():
            named = self.measures()
        rows = sum_masks(t.mask for t in self.nouns)
        for f, mask, costs in named[:2]:
            if f.is_additive:
                counts = 0.4 * bool(rows and not mask & ~rows)  # "percentage of the claims" is of rows
                yield self.measure("sum", f), mask, costs + Costs(counts=counts)
        groups = {g for t in self.nouns for w in self.asked.words[t.first : t.last] for g in w.lexeme.groups}
        # A part of the electricity is no share of the rows.
        nameless = 0.0 if self.nouns else 0.8 if self.facts.is_joined else 0.4
        yield self.row_count, 0, Costs(no_noun=1.0 if groups & CONSUMED else nameless)

    def _whole_of_share(self, part: Sequence[Condition]) -> list[Condition]:
        """Return the conditions that the whole has too.

        Those before the verb or "with": "of the orders in France were cancelled", "of retail staff with a permanent
        contract"; and those after "among": "of dogs among all visits in Trier".
        """
        among = next((i for i, k in enumerate(self.asked.keys) if k in AMONG and i > 1), None)
        if among is not None:
            refs = {t.condition.ref for t in self.filters.tags if t.condition and t.first > among}
            return [c for c in part if c.ref in refs]
        known = self.asked.language.set_of("verbs") | MODALS | WITH
        verbs = [i for i, w in enumerate(self.asked.words) if w.key in known and i > 0]
        start = max((p.last for p in self.asked.of("share")), default=0)
        places = {t.condition: t.first for t in self.filters.tags if t.condition}
        by_ref = {c.ref: place for c, place in places.items() if c and c.operator != "filled"}
        if filled := [c for c in part if c.operator == "filled" and any(o.ref == c.ref for o in part if o is not c)]:
            return filled  # "of the batches that have been graded, what percent got an A"
        first = min((p.first for p in self.asked.of("share", "percent")), default=0)
        if first > 1 and (early := [c for c in part if by_ref.get(c.ref, first) < first]) and len(early) < len(part):
            return early  # "of the visits held in 2025, what percentage ..."
        heads = [t for t in self.nouns if t.first > start]
        if heads and self.asked.language.set_of("of_what") & set(self.asked.keys[start : heads[0].first]):
            # "of the active members farms organically": what is said before the noun is true of all
            before = [c for c in part if start <= by_ref.get(c.ref, -1) < heads[0].first]
            if before and len(before) < len(part):
                return before
        for verb in (i for i in verbs if i > start):
            if whole := [c for c in part if by_ref.get(c.ref, verb + 1) < verb]:
                return whole
        said = [t for t in self.filters.tags if t.kind == "value" and t.first - 1 in verbs and t.field]
        states = {t.condition for t in said if t.field and any(w.groups & {"status"} for w in t.field.words)}
        # "was cancelled in the South": the state alone is the part
        return [c for c in part if c not in states] if states and len(part) > 1 else []

    def _ranked(self, ranks: Sequence[Phrase]) -> Iterator[Draft]:
        """Yield the top of rows or of groups, and extreme values."""
        rank = max(ranks, key=lambda p: (p.last - p.first, p.concept in ROLE_OF, -p.first))
        up = rank.concept in UP
        alike = [p for p in ranks if (p.concept in UP) == up]
        said = sum_masks(mask_of(p.first, p.last) for p in alike) | self.used("sum", "ordinal")
        said |= self._all_of() if self.asked.has("sum") else 0
        limit, limit_mask = max(self._limit(p) for p in alike)
        offset = max(self.asked.nth(p)[0] for p in alike) - 1
        if any(t.field and t.field.is_measure for t in self.free):
            said |= self.used("count")  # "how many pupils has the largest lesson"
        said |= limit_mask | (0 if self.groups else self.used("group"))
        within = float(self._ranks_within(rank))
        yield from self._longest_serving(rank, said, limit)
        yield from self._ranked_rows(rank, said, limit, offset, within)
        yield from self._ranked_groups(rank, said, limit, offset, within)

    def _ranked_rows(self, rank: Phrase, said: int, limit: int, offset: int, within: float) -> Iterator[Draft]:
        """Yield the top of the rows, and the highest or lowest values."""
        up = rank.concept in UP
        for by, mask, costs in self._rankable(rank):
            if by.is_metric:
                continue
            for shown, more_mask, more in self._ranked_shown(by, limit, rank):
                common = {"by": by.ref, "descending": up, "limit": limit or 1, "offset": offset}
                yield self.draft(
                    self.query(shown=(*shown, by.shown), **common),
                    said | mask | more_mask,
                    "top rows",
                    costs,
                    more,
                    within=within,
                    counts=1.0 if not mask and self._counts_nouns(rank) else 0.0,
                )
            if not offset and limit <= 1 and not by.is_date:
                yield self.draft(
                    self.query(measures=(self.measure("max" if up else "min", by),)),
                    said | mask,
                    "extreme",
                    costs,
                    extreme=self._asks_thing(),
                )

    def _ranked_groups(self, rank: Phrase, said: int, limit: int, offset: int, within: float) -> Iterator[Draft]:
        """Yield the top of the groups, by a measure or by how many rows they have."""
        up = rank.concept in UP
        for keys, group, group_mask, more in (*self._group_shown(), *self._periods_ranked(rank)):
            if limit > 1 and any(m & group_mask for _, m, _ in self.groups):
                more = more + Costs(within=1.0)  # "top 2 earners per team"
            common = {"shown": keys, "descending": up, "limit": limit or 1, "offset": offset}
            for by, mask, costs in self._rankable(rank):
                if by.is_measure and by is not group:
                    function = "avg" if self.asked.has("average") or not by.is_additive else "sum"
                    measure = self.measure(function, by)
                    counts = 1.0 if not mask and self._counts_nouns(rank) else 0.0
                    whole = by.is_metric or (group is not None and self._holds_periods(group))
                    # "the aircraft with the highest cost" of all its jobs, not of one
                    whole = whole or bool(mask and by.is_money and group is not None and self._is_looked_up(group))
                    counts += 0.8 * (limit <= 1 and self._ranks_amounts(rank) and not whole)
                    dear = rank.concept in ROLE_OF and function == "avg" and not self.asked.has("average")
                    # The most repairs are no high marks for them.
                    said_most = set(self.asked.keys[rank.first : rank.last]) & self.asked.language.set_of("most_of")
                    counts += MARKED * (bool(said_most) and function == "avg" and not self.asked.has("average"))
                    yield self.draft(
                        self.query(measures=(measure,), by=measure, **common),
                        said | mask | group_mask | self.used("average"),
                        "top groups",
                        costs,
                        more,
                        counts=counts,
                        within=within,
                        odd_group=DEAR_ON_AVERAGE * dear,
                    )
            if rank.concept in ROLE_OF:
                continue  # what is cheap has a price
            counted = self.row_count
            lone = 0.0 if self.nouns else 0.7
            # "the least driven vehicle" asks for a mileage rather than for how many rows there are
            near = (rank.first - 1, rank.first, rank.first + 1, rank.last)
            measured = any(t.field and t.field.is_measure and t.first in near for t in self.free)
            # "the highest invoice" is one of a high amount, "the most invoices" are many.
            amounts = self._ranks_amounts(rank) and bool(self.measures())
            yield self.draft(
                self.query(measures=(counted,), by=counted, **common),
                said | group_mask | self.used("count"),
                "top counts",
                more,
                no_noun=lone,
                counts=float(measured) + 1.5 * (amounts or self._ranks_sold(rank)),
                within=within,
            )

    def _is_looked_up(self, group: Field) -> bool:
        """Tell whether groups are the rows of another table, which several rows refer to."""
        own = group.schema is self.facts.schema and group.ref not in {j.left for j in self.facts.source.joins}
        return not own or group.is_foreign or names_of_code(group, self.facts) is not None

    def _longest_serving(self, rank: Phrase, said: int, limit: int) -> Iterator[Draft]:
        """Yield who has been there longest: the earliest day of joining."""
        words = {self.asked.keys[i] for i in range(rank.first, rank.last)}
        hired = [f for f in self.facts.fields if f.is_date and any(w.groups & {"hire"} for w in f.words)]
        if words & {"longest", "langsten", "longtemps"} and hired and self.display:
            shown = (*(f.shown for f in self.display), hired[0].shown)
            query = self.query(shown=shown, by=hired[0].ref, descending=False, limit=limit or 1)
            staff = any("employee" in n.groups and n.text not in CUSTOMERS for n, _ in self.facts.nouns)
            serving = self.asked.language.set_of("serving") & set(self.asked.keys)
            said |= sum_masks(1 << i for i, k in enumerate(self.asked.keys) if k in serving)
            yield self.draft(query, said, "top rows", assumed_rank=(0.0 if serving else 0.15) + 0.5 * (not staff))

    def _ranks_sold(self, rank: Phrase) -> bool:
        """Tell whether a rank is of how much was sold or bought: "sold the most" is no number of sales."""
        often = rank.concept not in ("highest", "lowest") and self.traded().isdisjoint(
            self.asked.keys[rank.first : rank.last]  # "le plus vendu"
        )
        return bool(self.traded() and not often and not self._counts_nouns(rank) and self._sold(rank))

    def _ranks_within(self, rank: Phrase) -> bool:
        """Tell whether the best rows of each group are asked for, which no query gives: "top 2 boats per class"."""
        rows = [t for t in (*self.nouns, *self.texts()) if 0 <= t.first - rank.last <= 2]
        groups = {m for _, m, _ in self.groups}
        return bool(rows) and any(m > rows[0].mask and not m & rows[0].mask for m in groups)

    def _ranks_amounts(self, rank: Phrase) -> bool:
        """Tell whether a row is ranked by its amount, "the highest invoice", and no number of rows."""
        if rank.last == len(self.asked.keys) and self.asked.keys[-1] in MOST:
            return False  # "which customer complains the most"
        beside = any(0 <= n.first - rank.last <= 1 or 0 <= rank.first - n.last <= 1 for n in self.nouns)
        return beside and rank.concept in ("highest", "lowest") and not self._counts_nouns(rank)

    def _counts_nouns(self, rank: Phrase) -> bool:
        """Tell whether a rank is of how many rows: "the most orders"."""
        follows = (self.asked.keys[rank.last - 1]) in self.asked.language.set_of("most_of")
        return follows and any(0 <= n.first - rank.last <= 1 for n in self.nouns)

    def _asks_thing(self) -> float:
        """Return the cost of a bare extreme value if the question asks which row has it."""
        words, said = self.asked.keys, self.asked.language.set_of
        ranks = [p.first for p in self.asked.of(*RANKS)]
        named = [t.last for t in (*self.nouns, *self.texts())]  # "the supplier with the lowest price"
        thing = any(n < r and r - n <= 3 and said("beside") & set(words[n:r]) for n in named for r in ranks)
        # "What is the cheapest monitor?" asks for a monitor, "What is the highest price?" for a price.
        column = {t.first for t in self.free if t.field and t.field.is_measure}
        asked = any(
            p.last == r.first and r.last not in column for p in self.asked.of("asks_the") for r in self._ranks()
        )
        asked |= any(r.concept in ROLE_OF and r.last not in column for r in self.asked.of(*RANKS))
        asked |= any(r.first == 0 and r.last not in column for r in self._ranks())  # "lightest handlebar"
        asked |= words[0] not in said("how_much") and bool(said("having") & set(words[1:2]))  # "what has the highest"
        return 1.2 if said("which") & set(words[:3]) else 0.6 if thing or asked else 0.0

    def _ranks(self) -> list[Phrase]:
        return [r for r in self.asked.of(*RANKS) if any(t.first == r.last for t in (*self.nouns, *self.filters.tags))]

    def _limit(self, rank: Phrase) -> tuple[int, int]:
        """Return N of "top N" or "N largest", and its words."""
        ours = self.asked.language.set_of("ours")
        for first, last, value in self.numbers:
            if (
                value == int(value)
                and 1 < value <= 100
                and not (first and self.asked.keys[first - 1] in ours)  # "which of our six shops"
                and (0 <= first - rank.last <= 1 or 0 <= rank.first - last <= 1)
            ):
                return int(value), mask_of(first, last)
        for first, last, value in self.numbers:  # "the 3 suppliers with the lowest price"
            names = [t for t in (*self.nouns, *self.texts()) if 0 <= t.first - last <= 1 and t.last <= rank.first]
            whole = any(
                last <= p.first and p.last <= rank.first for p in self.asked.of("sum")
            )  # "three sites together"
            if names and not whole and value == int(value) and 1 < value <= 100:
                return int(value), mask_of(first, last)
        return 0, 0

    def _rankable(self, rank: Phrase) -> Iterator[tuple[Field, int, Costs]]:
        """Yield the columns to rank by."""
        concept = rank.concept
        tags = [t for t in self.free if t.field and (t.field.is_measure or t.field.is_date or t.field.is_year)]
        tags = [t for t in tags if t.field and self._counts_once(t.field)]
        if concept not in ("latest", "earliest"):
            tags = [t for t in tags if t.field and not t.field.is_date]  # no date is the largest
        after = sorted((t for t in tags if t.last > rank.first), key=lambda t: t.first) or tags
        if concept in ROLE_OF:
            after = [t for t in after if t.field and t.field.is_money]
        if concept in ("latest", "earliest"):
            after = [t for t in after if t.field and (t.field.is_date or t.field.is_year)]
        for t in after[:2]:
            if t.field:
                modifies = any(o.first == t.last for o in after)  # the floor of "floor area"
                gap = 1 - t.sure + 0.5 * modifies
                other = self._ranks_by(rank) & SPECIFIC and not self._ranks_by(rank) & t.field.groups
                costs = Costs(column_gap=gap, mismatch=float(bool(other)))
                yield t.field, self.said(t.field) | self._of_measure(t.field), costs
        sold = self._sold(rank) if not after and self._ranks_sold(rank) else []
        for f in sold[:2]:
            yield f, self._of_measure(f), Costs(assumed_measure=0.2)
        if after or sold or concept in ("often", "seldom"):  # rows are counted unless a column is named
            return
        fields = self.facts.fields
        if concept in ("latest", "earliest"):
            for n, f in enumerate([f for f in fields if f.is_date or f.is_year][:2]):
                yield f, 0, Costs(assumed_rank=0.3 + 0.4 * n)
            return
        roles = self._ranks_by(rank)
        fitting = [
            f
            for f in fields
            if f.is_measure and self._counts_once(f) and roles & {g for w in f.words for g in w.groups}
        ]
        if fitting:
            for n, f in enumerate(fitting[:2]):
                yield f, self._of_measure(f), Costs(assumed_rank=0.15 + 0.3 * n)
            return
        natural = self.measures()
        for n, (f, mask, costs) in enumerate(natural):
            if len(natural) == 1 and f.is_money and "assumed_measure" in costs:
                costs = Costs(assumed_measure=0.3)  # the biggest invoice
            # No column has what "heaviest" ranks by.
            yield f, mask, costs + Costs(assumed_rank=0.3 + 0.2 * n, mismatch=float(bool(roles & SPECIFIC)))

    def _ranks_by(self, rank: Phrase) -> set[str]:
        """Return the groups of words for what a word such as "heaviest" ranks by."""
        own = {g for i in range(rank.first, rank.last) for g in self.asked.words[i].lexeme.groups}
        return own | {*ROLE_OF.get(rank.concept, ())}

    def _ranked_shown(self, by: Field, limit: int, rank: Phrase) -> Iterator[tuple[tuple[Ref, ...], int, Costs]]:
        """Yield what to show of the top rows: the columns asked for, else what names a row."""
        texts = [t for t in self.texts() if t.field is not by]
        most = bool(self.asked.language.set_of("most_of") & set(self.asked.keys[rank.first : rank.last]))
        summed = self.asked.has("sum") or self._ranks_by_most(rank) or most and by.is_additive
        single = self._ranks_amounts(rank) or rank.concept in ROLE_OF
        is_period = bool(texts and texts[0].field and self._holds_periods(texts[0].field))
        again = 1.5 if limit > 1 or summed else 0.2 if single and not is_period else 1.0
        if texts and texts[0].field:
            yield (
                self.shown_for(texts[0].field),
                sum_masks(t.mask for t in texts),
                Costs(column_gap=1 - texts[0].sure, repeated=0.0 if self._is_once(texts[0].field) else again),
            )
        shown = tuple(f.shown for f in self.display if f is not by)
        if shown and not texts:
            repeats = 0.0 if not most or self.display[0].is_unique else again
            yield shown, 0, Costs(assumed_shown=0.1 + 0.6 * (self.asked.has("sum") and limit > 1), repeated=repeats)

    def _holds_periods(self, f: Field) -> bool:
        """Tell whether a column holds months, quarters or years: those with several rows are ranked by all of them."""
        return bool(f.numbers) or f.is_year or has_periods(f)

    def _ranks_by_most(self, rank: Phrase) -> bool:
        """Tell whether a bare "most" adds up: "which supplier invoiced us the most" asks for no single invoice."""
        said = self.asked.keys[rank.last - 1] in self.asked.language.set_of("most_of")
        return said and (rank.last >= len(self.weights) or self.weights[rank.last] < 1)

    def _group_shown(self) -> Iterator[tuple[tuple[Expr, ...], Field | None, int, Costs]]:
        """Yield the columns whose values are ranked as groups."""
        who = self.asked.language.set_of("who") & set(self.asked.keys[:2]) and not self.texts()
        named = list(zip(*(f.texts for f in self.display), strict=True))
        for f in self.display[:1] if who and len(set(named)) < len(named) else ():
            if f.is_text and not f.is_unique:  # persons with several rows each
                yield self.grouped_by(f), f, 0, Costs(assumed_shown=0.1)
        for t in self.texts():
            f = t.field
            if t.first and self.asked.keys[t.first - 1] in ALL:
                continue  # "all yards together"
            alone = f and self._is_once(f) and not any(m.field and m.field.is_metric for m in self.free)
            if f and not alone and (f.is_text or f.is_flag or f.is_id or f.is_year or f.numbers):
                costs = Costs(column_gap=1 - t.sure, code_shown=self._code_shown(f))
                yield self.grouped_by(f), f, self.said(f), costs

    def _is_once(self, f: Field) -> bool:
        """Tell whether each row has its own value of a column: many visits may be to the village of one stop."""
        return f.is_unique and (f.schema is self.facts.schema or self.facts.is_one_to_one)

    def _periods_ranked(self, rank: Phrase) -> Iterator[tuple[tuple[Expr, ...], Field | None, int, Costs]]:
        """Yield the periods of dates that are ranked: "which month had the highest total"."""
        dates = [f for f in self.facts.fields if f.is_date]
        if not dates or rank.concept in ("latest", "earliest") or self.asked.has(*GRAINS):
            return
        inside = sum_masks(mask_of(p.first, p.last) for p in self.periods)
        for i, word in enumerate(self.asked.words):
            before = set(self.asked.keys[max(i - 2, 0) : i])
            asks = before & self.asked.language.set_of("which") or rank.last <= i <= rank.last + 1 or {"what"} & before
            for name, grain in GRAIN_WORDS[:4]:
                if asks and name in word.lexeme.groups and not inside >> i & 1:
                    for expr, mask, costs in self._periodic(grain, 1 << i, dates):
                        yield (expr,), None, mask, costs

    def _listed(self) -> Iterator[Draft]:
        """Yield lists and lookups: the columns asked for, else what names a row."""
        if mask := self._whole_table():
            shown = tuple(f.shown for f in self.facts.fields)
            yield self.draft(self.query(shown=shown), mask, "table")
        named = [t.field for t in self.free if t.field]
        if named:
            yield from self._listed_columns(named)
            return
        said, unfiltered = self.used("distinct"), float(not self.where)
        asks = self._asked_column()
        if asks:
            f, cost, mask = asks
            query = self.query(shown=(f.shown,), distinct=True)
            yield self.draft(query, said | mask, "asked", assumed_shown=cost, unfiltered=unfiltered)
        if self.display:
            lists = self.asked.language.set_of("lists") & set(self.asked.keys[:3])
            query = self.query(shown=tuple(f.shown for f in self.display), distinct=True)
            lists = lists and self.asked.keys[1:2] != ["about"]
            whose = self.asked.language.set_of("whose") & set(self.asked.keys[:2])
            lists = lists or bool(whose) and any(f.is_name for f in self.display)
            gap, unnamed = (0.05, 0.0) if lists else (0.4, float(not self.nouns))  # "What about South?"
            if self.asked.has("what_did"):
                gap = 1.2  # "what did ... cost" asks for a value
            yield self.draft(query, said, "list", assumed_shown=gap, unfiltered=unfiltered, unnamed=unnamed)

    def _whole_table(self) -> int:
        """Return the words of "show all orders of Kiel GmbH" and "show the orders table", which ask for all columns.

        Also of "show the orders of Kiel GmbH", as an order has no name; 0 if other words are left.
        """
        keys, said = self.asked.keys, self.asked.language.set_of
        whole = {i for i, k in enumerate(keys) if k in said("whole_table")}
        nameless = bool(self.where) and all(f.is_code or f.is_id for f in self.display)
        if self.facts.is_joined or keys[self.asked.start] not in said("listing") - said("which"):
            return 0
        names = [n for n, sure in self.facts.nouns if sure > SURE_NAME]
        told = (i for i in range(self.asked.start + 1, len(keys)) if i not in whole and not self.asked.may_be_left(i))
        left = [i for i in told if not self.filters.mask >> i & 1]
        named = all(any(likeness(self.asked.words[i].lexeme, n) >= LIKE for n in names) for i in left)
        return sum_masks(1 << i for i in (*whole, *left)) if left and named and (whole or nameless) else 0

    def _listed_columns(self, fields: Sequence[Field]) -> Iterator[Draft]:
        """Yield lists of named columns: alone, and beside what names a row."""
        tags = [t for t in self.free if t.field]
        shown = tuple(dict.fromkeys(r for f in fields for r in self.shown_for(f)))
        mask = self.used("distinct") | sum_masks(t.mask | self._of_measure(t.field) for t in tags if t.field)
        numeric = any(f.is_measure for f in fields)
        away = 0.0 if numeric else sum(_not_home(f, self.facts) for f in fields) * (1 if self.says_code() else 4)
        gap = sum(1 - t.sure for t in tags) + 0.3 * self._doubly_named(tags)
        costs = {"column_gap": gap, "unfiltered": float(not self.where)}
        query = self.query(shown=shown, distinct=not numeric)
        yield self.draft(query, mask, "lookup", Costs(not_home=0.4 * away), **costs, lookup=float(numeric))
        names = tuple(f.shown for f in self.display)
        if numeric and names:
            both = self.query(shown=tuple(dict.fromkeys((*names, *shown))))
            yield self.draft(both, mask, "list with names", **costs, extra_shown=0.4, lookup=1.0)
        elif names and names[0] not in shown:
            query = self.query(shown=(*names, *shown))
            yield self.draft(query, mask, "list with names", **costs, extra_shown=0.3)

    def _doubly_named(self, tags: Sequence[Tag]) -> int:
        """Return how many columns are named by words that rather say which table is meant: "shop SKUs"."""
        starts = {t.first for t in tags}
        words = {w.text for w, sure in self.facts.nouns if sure > 0.9}
        return sum(t.last in starts and {self.asked.keys[i] for i in range(t.first, t.last)} <= words for t in tags)

    def _asked_column(self) -> tuple[Field, float, int] | None:
        """Return the column that "who", "when", "where" or "how long" asks for."""
        keys, filtered = self.asked.keys, [t.field for t in self.filters.tags]
        free = [f for f in self.facts.fields if f not in filtered]
        for word, wanted in self.asked.language.asked.items():
            parts = word.split("_")
            place = next((i for i in range(len(keys)) if keys[i : i + len(parts)] == parts), None)
            if place is None:
                continue
            mask, groups = mask_of(place, place + len(parts)), [lexeme(w) for w in wanted]
            if word in ("when", "wann", "quand"):
                dates = [f for f in free if f.is_date]
                if dates:
                    return dates[0], 0.3 + 0.3 * (len(dates) > 1), mask
            for f in free:
                words = (*f.words, *(lexeme(w) for w in split_words(f.column.unit)))
                if any(likeness(h, g) >= 0.8 for h in words for g in groups):
                    return f, 0.25, mask
        return None


def says_code(asked: Asked) -> bool:
    """Tell whether a question asks for numbers or codes of things; "the number of sites" does not."""
    codes, pairs = asked.language.set_of("codes"), zip(asked.keys, [*asked.keys, ""][1:], strict=True)
    compounds = ("nummer", "nummern", "kennzeichen") if asked.language.code == "de" else ()
    said = any(k in codes and not (k == "number" and after == "of") for k, after in pairs)
    return said or bool(compounds) and any(k.endswith(compounds) for k in asked.keys)


def _merged(tags: Sequence[Tag]) -> list[Tag]:
    """Return one tag for each column, with all words that name it: "actual operating spending"."""
    found: dict[int, Tag] = {}
    for tag in sorted(tags, key=lambda t: -t.sure):
        known = found.get(id(tag.field))
        found[id(tag.field)] = replace(known, mask=known.mask | tag.mask) if known else tag
    return list(found.values())


def _no_outlay(fields: Sequence[Field]) -> list[Field]:
    """Return columns without those of money that goes out, such as what the staff earn."""
    return [f for f in fields if "price" in f.groups or not OUTLAY & f.groups]


def _sum_of(f: Field) -> float:
    """Return the sum of a column's numbers that were read."""
    return sum(c for c in f.cells if isinstance(c, int | float))


def counts_rows(query: Program) -> bool:
    """Tell whether a program counts rows."""
    measures = query.two.measures if isinstance(query, Contrast) else query.measures
    return any(m.function == "count" for m in measures)


def _not_home(f: Field, facts: Facts) -> float:
    """Return how oddly a question would list a column: a code that refers to other rows."""
    keys = [j.left for j in facts.source.joins]
    return float(f.is_text and not f.is_unique and f.is_code and f.ref not in keys)
