"""What the reader knows of a table: its columns with their words, roles and values, and what its rows are called."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tablerag.agent.offline.reading.kept import kept
from tablerag.agent.offline.reading.query import Grain, Ref, Source, source_of
from tablerag.agent.offline.reading.vocabulary import LANGUAGES, Lexeme, language, lexeme, likeness
from tablerag.agent.offline.reading.words import with_net
from tablerag.agent.presenting.rows import noun_of
from tablerag.tools.linking.codes import codes_of_column
from tablerag.tools.linking.keys import key_of
from tablerag.tools.recent import Recent
from tablerag.tools.records import TOTAL, UNION_SOURCE, Cell, Column, TableSchema
from tablerag.tools.table_rows import TableRows

__all__ = [
    "ENERGY_UNITS", "INCOME", "OUTLAY", "SPENT", "Facts", "FactsCache", "Field", "amounts_of_rows", "one_to_one",
    "split_words",
]  # fmt: skip

GENERIC = frozenset(
    """total amount value number name date no nr id code the of per in and a for sum gesamt anzahl nummer datum
    betrag wert montant nombre numero total de du la le des je pro p pa eur usd gbp chf kg t km h min pct percent
    day days""".split()
)
"""Words of headers that say little: a question about cost means the column "Total cost"."""
CODE = re.compile(
    r"(?:^|[\W_])(?:id|(?:no|nr|num|number)(?!\.? of\b)|code|ref|nummer|sku|iban|ean|isbn|plate|zip|plz|postcode|"
    r"account|konto|kostenstelle|cost cent(?:re|er))(?:$|[\W_])|^#|№|n°",
    re.IGNORECASE,
)
UNIT_CASE = re.compile(r"(?<![A-Za-z])(?:[kMGT]W(?:h|p)?|[kMT]EUR)(?![A-Za-z])")
"""Units whose capitals begin no word: kWh is one word."""
WORD_ENDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=(?:19|20)\d\d(?!\d))")
"""Where words end in "OrderDate", "PONumber" and "Orders2024"."""
LONGEST_VALUE = 8
"""Most words of a value that a question can name."""
MOST_CHARS = 500
"""Longer texts of so few words are data, such as a picture in Base64."""
MOST_VALUES = 4_000
RATE_WORDS = """rate price ratio percent pct share average avg mean score rating grade temperature temp humidity ph
index age level margin per limit threshold minimum min maximum max capacity satisfaction preis satz
quote anteil durchschnitt note prix taux moyenne""".split()
RATES = re.compile(rf"(?<!credit )(?<!delivery )\b(?:{'|'.join(RATE_WORDS)}|\w{{3,}}preis)\b|%|/|°", re.IGNORECASE)
SCALE = re.compile(r"[(\[]\s*\d{1,2}\s*(?:-|–|to|bis|à)\s*\d{1,3}\s*[)\]]|\b(?:stars?|bewertung)\b", re.IGNORECASE)
"""What a header says of marks on a scale, such as "(1-5)"."""
EACH_PERIOD = re.compile(r"(?:/|\bper\b)\s*(?:month|year|week|quarter|monat|jahr|woche|mois|an|semaine|mo|yr)\b", re.I)
"""What a header says of amounts that each row has every month: they add up."""
SHORT_RATES = {
    "year": re.compile(r"\bp\.? ?a\b|\bper annum\b|/a\b", re.IGNORECASE),
    "month": re.compile(r"\bp\.? ?m\b", re.IGNORECASE),
}
PRICE = re.compile(r"\b(?:price|preis|prix)\b", re.IGNORECASE)
UNIT_PRICE = re.compile(r"\b(?:unit|list|per|each|je|pro|par|unitaire|einzel|old|new|alt|neu)\b|/", re.IGNORECASE)
VALID = re.compile(r"\b(?:valid|from|since|g[üu]ltig|ab|valable|stock|in ?stock ?since)\b", re.IGNORECASE)
ADDED_UP = re.compile(r"\blimit\b|\banschaffungspreis|\bprice paid\b|\bacquisition (?:price|cost)\b", re.IGNORECASE)
"""Amounts that add up though their headers look like rates."""
NAMES = re.compile(
    r"\b(?:name|title|description|desc|label|bezeichnung|nom|titre|intitule|designation|libelle|titel|beschreibung)\b",
    re.IGNORECASE,
)
LINKING = frozenset(
    "as at of by and the for to in per on with from und der die das am im zum de du des la le les et".split()
)
"""Words between others, which name nothing."""
NEUTRAL_HEADS = frozenset("fact facts dim table list data record records master header headers info tbl t".split())
"""Last words of the names of tables that tell nothing of their rows."""
THINGS = frozenset(
    "vehicle customer supplier product order invoice employee patient member project machine ticket trip loan".split()
)
"""Groups of words for what has a number of its own."""
LISTED_THINGS = frozenset("price budget stock salary complaint training".split())
NOT_PAID = frozenset("deposit kaution caution excess selbstbehalt franchise minimum min maximum max limit".split())
"""Words of headers for money that nobody pays, unless it is named."""
LINES = frozenset("line|line no|line number|pos|position|item no|zeile|ligne|seq|sequence|row|row no".split("|"))
LEAST_DIGITS = 3
LIST_OF = re.compile(
    r"([^\W\d]{4,}?)s?(?:verzeichnis|liste|register|ubersicht|übersicht|uebersicht|aufstellung|kartei|stamm|journal|"
    r"protokoll|buch|kataster)"
)
"""A German title that says what it lists."""
ENERGY_UNITS = frozenset(("kwh", "mwh", "gwh"))
LOOSE_NOUN = 0.4
TOLD_APART = 0.9
"""Share of the rows that two columns must tell apart to name them together."""
TEXTS, OF_TEXT = ("docx", "pdf"), 0.5
"""How surely the name of a text tells what its tables are about: less than that of rows which can be counted."""
SHORT_FORMS = frozenset("code kurzel kuerzel abk abkurzung abbr abbreviation sigle short initials kurzzeichen".split())
LONGEST_SHORT, LONGEST_PLATE = 6, 12
LEGEND = frozenset("meaning meanings bedeutung signification explanation erklarung".split())
"""Words of headers for what a code stands for."""
WIDEST_LEGEND = 4
SHORTEST_PHONE = 100
"""An extension has three digits at least."""
NUMBER_WITHIN = 4
"""The number of a row is in one of its first columns."""
GRAINS = ("month", "quarter", "year", "week", "day")
ENTRIES, ENTRY_CELLS = 200, 300_000
"""Tables whose facts are kept, and cells in all of them: a cell with what is found in it takes 500 bytes."""
LEAST_COUNTED, LEAST_RUN, LONGEST_STEP = 3, 8, 5
AMOUNTS = frozenset(
    """revenue cost price amount payment expense fuel_cost rent salary balance debt donation grant bonus discount tax
    budget actual""".split()
)
"""Groups of words for money."""
QUANTITIES = AMOUNTS | {"quantity", "weight", "hours", "distance", "duration", "consumption"}
"""Groups of words for what is measured."""
VOWELS = frozenset("aeiouy")
NUMERIC = re.compile(r"[^\w\s]{0,2}\s?\d[\d.,e]*(?!\S*[\d-])")
"""A number at the beginning of a cell of text; no date, no code."""
LOOSE_AMOUNTS = frozenset("revenue cost price amount payment expense".split())
"""Any of these may name a column of money; "salary" does not name that of an invoice."""
INCOME, OUTLAY = frozenset(("revenue",)), frozenset(("cost", "expense", "payment", "salary", "budget"))
"""Groups of words for money that comes in, and that goes out."""
SPENT = frozenset(("outlay", "expense"))
"""Groups of words for money that was spent."""
ROW_AMOUNTS = frozenset(("amount", "revenue", "cost"))
TOTALS = frozenset("total amount net gross value sum betrag montant".split())
"""Words of headers for the amount of a whole row."""
MONEY_LIKE = 0.55
PLANNED = frozenset(
    """expected planned plan budget budgeted forecast target estimated estimate geplant geplante plan soll erwartet
    erwartete ziel prevu prevue prevus prevues cible estime minimum min maximum max mindest minimal threshold safety
    seuil reorder""".split()
)
"""Words of headers of what is not yet so: a question about visitors means the actual ones."""
ABBREVIATED = 0.85
UNIT_WORDS = frozenset(
    """day days hour hours minute minutes km kilometre kilometres kg tonne tonnes litre litres tage stunden minuten
    jours heures""".split()
)


def split_words(text: str) -> list[str]:
    """Return the folded words of a header or file name: camelCase and snake_case are split, and years."""
    whole = UNIT_CASE.sub(lambda m: m[0].lower(), text)
    spaced = WORD_ENDS.sub(" ", whole)
    return [w for w in key_of(spaced.replace("_", " ")).split() if w]


@dataclass(eq=False)
class Field:
    """One column."""

    schema: TableSchema
    column: Column
    index: int
    cells: tuple[Cell, ...]
    texts: tuple[Cell, ...]
    complete: bool

    @property
    def ref(self) -> Ref:
        """The typed column."""
        return Ref(self.schema.name, self.column.name, self.column.header, is_metric=self.is_metric)

    @property
    def shown(self) -> Ref:
        """The column with the text as in the document, unless its values are formatted from their type."""
        name = self.column.name if self.is_number or self.is_flag or not self.column.raw else self.column.raw
        return Ref(self.schema.name, name, self.column.header)

    @cached_property
    def words(self) -> tuple[Lexeme, ...]:
        """The header's words, without its unit."""
        bare = re.sub(r"[(\[].*?[)\]]", " ", with_net(self.column.header))
        words = split_words(bare) or split_words(self.column.header)
        if not words and self.column.kind == "money":
            words = ["amount"]  # a header that is only a currency
        found = (lexeme(w) for w in words)
        # An "Area m2" is no district, and the day of a "First registration" no plate.
        unlike = {"region"} if self.is_number else {"plate"} if self.is_date else set[str]()
        if self.column.unit and self.column.kind != "money":
            unlike.add("profit")  # "net (kg)"
        return tuple(replace(w, groups=w.groups - unlike) for w in found)

    @cached_property
    def core(self) -> frozenset[int]:
        """Indexes of the words that tell the column from others."""
        telling = frozenset(
            i
            for i, w in enumerate(self.words)
            if (w.text not in GENERIC or (w.text == "min" and i + 1 < len(self.words)))  # no minutes: "min_qty"
            and not (w.text.isdigit() and len(w.text) < 3)
        )
        if self.is_money or self.column.kind == "money":
            telling |= {i for i, w in enumerate(self.words) if w.groups & {"amount"}}
        return telling or frozenset(range(len(self.words)))

    @cached_property
    def is_kind(self) -> bool:
        """Whether its header is of a kind of what its first word says: "Article group", "Room type"."""
        return self.is_text and len(self.words) > 1 and bool(self.words[-1].groups & {"category"})

    @cached_property
    def is_of_outlay(self) -> bool:
        """Whether the title of its table says that its money is spent: the amounts of "Travel expenses"."""
        groups = frozenset[str]().union(*(lexeme(w).groups for w in split_words(self.schema.title)))
        return bool(groups & SPENT) and not groups & INCOME

    @cached_property
    def short(self) -> frozenset[str]:
        """The abbreviations in its header: acq of "Acq. method", art of "art_no".

        Not those of a word of the table's title: the "appNo" of applications is of no apprentices.
        """
        dotted = {key_of(w) for w in re.findall(r"\b(\w{3,5})\.", self.column.header)}
        coded = {w.text for w in self.words if len(w.text) in (3, 4)} if CODE.search(self.column.header) else set()
        titled = split_words(self.schema.title)
        return frozenset(w for w in dotted | coded if w not in GENERIC and not any(t.startswith(w) for t in titled))

    @cached_property
    def pairs(self) -> frozenset[str]:
        """Groups of the header's two-word phrases."""
        pairs = zip(self.words, self.words[1:], strict=False)
        return frozenset(g for a, b in pairs for g in lexeme(f"{a.text}_{b.text}").groups)

    @cached_property
    def rates(self) -> frozenset[str]:
        """The periods that its header says each value is for: month of "Salary (EUR/month)" and "Monthly salary"."""
        # A term in months is no value for each month.
        words = [lexeme(w) for w in split_words(self.column.header) if not w.endswith("s")] if self.is_number else []
        said = {c for w in words for code in LANGUAGES for c in language(code).phrases.get((w.text,), ())}
        said |= {f"by_{g}" for g, short in SHORT_RATES.items() if self.is_number and short.search(self.column.header)}
        said_of = frozenset(g for g in GRAINS if f"by_{g}" in said or any(g in w.groups for w in words))
        return said_of or frozenset(("month",) if self.is_number and "rent" in self.groups else ())

    @property
    def is_number(self) -> bool:
        """Whether it has numbers that can be computed with."""
        return self.column.type in ("integer", "decimal")

    @property
    def is_date(self) -> bool:
        """Whether it has complete dates."""
        return self.column.type in ("date", "datetime")

    @property
    def is_flag(self) -> bool:
        """Whether it has yes or no."""
        return self.column.type == "boolean"

    @cached_property
    def groups(self) -> frozenset[str]:
        """Groups of the words of its header."""
        return frozenset[str]().union(*(w.groups for w in self.words))

    @cached_property
    def is_bound(self) -> bool:
        """Whether its header says that nobody pays its money as it stands: a minimum, a limit, a deposit."""
        return any(w.text in NOT_PAID or w.text.startswith("mindest") for w in self.words)

    @property
    def is_text(self) -> bool:
        """Whether it has names, categories or notes."""
        return self.column.type == "text"

    def is_named(self, words: Collection[Lexeme], least: float) -> bool:
        """Tell whether words as like as ``least`` name it: all those that tell it from other columns."""
        return bool(self.core) and all(any(likeness(w, self.words[i]) >= least for w in words) for i in self.core)

    @cached_property
    def is_unsummed(self) -> bool:
        """Whether it is named for an amount, or has numbers in most cells, but is text: "30 approx"."""
        if not self.is_text or CODE.search(self.column.header):  # no "Donation ID" of "00001"
            return False
        numbers = sum(bool(NUMERIC.match(str(c))) for c in self.texts if c is not None)
        return bool(self.groups & QUANTITIES) and not self.is_code or numbers > self.filled / 2

    @cached_property
    def is_id(self) -> bool:
        """Whether its numbers identify, so that sums mean nothing."""
        if self.column.kind == "id":
            return True
        told = (self.is_line, self._refers, self._is_running, self._numbers_things, self._is_phone, self._is_told)
        if self.column.type == "integer" and any(of() for of in told):
            return True
        if not self.is_number or not CODE.search(WORD_ENDS.sub(" ", self.column.header.replace("_", " "))):
            return False
        return (
            self.distinct > 0.9 * self.filled
            or min((c for c in self.cells if isinstance(c, int | float)), default=0) > 999
        )

    def _is_told(self) -> bool:
        """Tell whether its numbers are codes that its description explains: 2 stands for closed."""
        return bool(codes_of_column(self.column, sorted({str(c) for c in self.cells if c is not None})))

    def _is_phone(self) -> bool:
        """Tell whether its numbers are of telephones; "Phone calls" are none."""
        named = any("phone" in w.groups and "quantity" not in w.groups for w in self.words[-1:])
        least = min((c for c in self.cells if isinstance(c, int)), default=0)
        return named and least >= SHORTEST_PHONE and self.distinct > 0.9 * self.filled

    def is_line(self) -> bool:
        """Tell whether it numbers the lines of each order."""
        return key_of(self.column.header) in LINES and not self.column.unit

    def _refers(self) -> bool:
        """Tell whether its numbers are those of things, by the header: "order_no"."""
        if len(self.words) != 2:
            return False
        thing, last = self.words
        return bool(thing.groups & THINGS) and last.text in ("no", "id", "nr", "number")

    def _is_running(self) -> bool:
        """Tell whether its numbers run on from row to row, as those of receipts do."""
        cells = [c for c in self.cells if isinstance(c, int)]
        counted = not self.index and not self.groups & QUANTITIES and not self.column.unit
        if counted and len(cells) >= LEAST_COUNTED and cells == [*range(1, len(self.cells) + 1)]:
            return True  # the respondents of a survey, by number
        if len(cells) < LEAST_RUN or len(cells) < len(self.cells):
            return False
        steps = [b - a for a, b in zip(cells, cells[1:], strict=False)]
        return min(steps) >= 1 and max(steps) <= LONGEST_STEP

    def _numbers_things(self) -> bool:
        """Tell whether its numbers are those of things: 3053 of a vehicle."""
        one = len(self.words) == 1 and not self.words[0].text.endswith("s") and not self.column.unit
        digits = {len(str(c)) for c in self.cells if c is not None}
        first = self.index == 0 and self.is_unique
        alike = first or (len(digits) <= 2 and min(digits, default=0) >= LEAST_DIGITS)
        return one and alike and bool(self.words[0].groups & THINGS)

    @cached_property
    def is_year(self) -> bool:
        """Whether its numbers are years."""
        if not self.is_number:
            return False
        named = any(w.text in ("year", "jahr", "annee") for w in self.words)
        if any(isinstance(c, int | float) and not 1500 < c < 2200 for c in self.cells):
            return False  # beside the months, a "Year" is their sum
        # Personnel numbers from 1990 to 2080 are no years.
        return named or (self.column.kind == "year" and not CODE.search(self.column.header.replace("_", " ")))

    @cached_property
    def is_month(self) -> bool:
        """Whether it holds the values of a month: one of many columns with the same kind of value."""
        months = [any(w.text in language(code).months for code in LANGUAGES) for w in self.words]
        return any(months) and all(m or w.text.isdigit() for m, w in zip(months, self.words, strict=True))

    @cached_property
    def numbers(self) -> Grain:
        """What its numbers count: "month" from 1 to 12, "quarter" from 1 to 4; "" for other columns."""
        if self.column.type != "integer" or self.column.unit or len(self.words) != 1:
            return ""
        said = {self.words[0].text, *self.words[0].groups}
        found: Grain = "month" if "month" in said else "quarter" if "quarter" in said else ""
        most = 12 if found == "month" else 4
        return found if all(1 <= c <= most for c in self.cells if isinstance(c, int | float)) else ""

    @cached_property
    def is_measure(self) -> bool:
        """Whether it may be summed or averaged."""
        return self.is_number and not self.is_id and not self.is_year and not self.numbers

    @property
    def is_foreign(self) -> bool:
        """Whether it is a foreign key of a connected database: what it names are rows of another table."""
        references = self.schema.origin.references if self.schema.origin else ()
        return any(self.column.name == own for own, *_ in references)

    @property
    def is_metric(self) -> bool:
        """Whether it stands for a metric of knowledge.yaml, whose sum is the metric over many rows."""
        return self.column.kind == "metric"

    @cached_property
    def is_additive(self) -> bool:
        """Whether its sum means something."""
        if self.is_metric:
            return True
        if not self.is_measure or self.is_percent or self.column.unit in ("°C", "C", "°F"):
            return False
        header = EACH_PERIOD.sub("", self.column.header)
        if self.is_money:
            header = PRICE.sub("", header) if self._is_paid_once() else ADDED_UP.sub("", header)
        if self.column.unit == "min" or "(min)" in header or "[min]" in header:
            header = re.sub(r"[(\[]min[)\]]|[ _]min$", "", header)  # minutes rather than a minimum
        return not SCALE.search(header) and not RATES.search(" ".join(split_words(header)) + header)

    def _is_paid_once(self) -> bool:
        """Tell whether a price is what each row was sold for: of sales with their date, and no number of pieces."""
        if not PRICE.search(self.column.header) or UNIT_PRICE.search(self.column.header):
            return False
        others = [c for c in self.schema.columns if c.name != self.column.name]
        dated = any(c.type == "date" and not VALID.search(c.header) for c in others)
        words = {g for c in others for w in split_words(c.header) for g in lexeme(w).groups}
        return dated and "quantity" not in words

    @cached_property
    def is_planned(self) -> bool:
        """Whether its header says that its values are not yet so: a question about costs means the actual ones."""
        return any(w.text in PLANNED for w in self.words)

    @cached_property
    def is_percent(self) -> bool:
        """Whether its numbers are percentages."""
        if self.is_metric:
            return False
        named = {"pct", "percent", "percentage", "prozent", "pourcent", "pourcentage"} & {w.text for w in self.words}
        return self.column.kind == "percent" or self.column.unit == "%" or bool(named)

    @property
    def is_money(self) -> bool:
        """Whether it has amounts of money."""
        return self.column.kind == "money" or self.column.unit in ("EUR", "USD", "GBP", "CHF", "€", "$", "£")

    @cached_property
    def filled(self) -> int:
        """How many of the cells that were read have a value."""
        return sum(c is not None for c in self.texts)

    @cached_property
    def distinct(self) -> int:
        """How many different values were read."""
        return len({str(c).casefold() for c in self.texts if c is not None})

    @property
    def is_unique(self) -> bool:
        """Whether each row has another value."""
        return self.distinct > 1 and self.distinct >= 0.98 * self.filled

    @cached_property
    def is_code(self) -> bool:
        """Whether its texts are codes, such as C-1001, or ESC if the header says so."""
        if self.is_date:
            return False
        texts = [str(t) for t in self.texts[:50] if t is not None]
        short = bool(SHORT_FORMS & {w.text for w in self.words}) and self.column.type == "text"
        if short and texts and all(t.isupper() and " " not in t and len(t) <= LONGEST_SHORT for t in texts):
            return True
        return bool(texts) and sum(any(c.isdigit() for c in t) and " " not in t.strip() for t in texts) > 0.8 * len(
            texts
        )

    @cached_property
    def is_list(self) -> bool:
        """Whether its cells list several things: "oats, nuts"."""
        texts = [str(t) for t in self.texts if t is not None] if self.is_text else []
        parts = {p.strip().casefold() for t in texts for p in re.split("[,;/]", t)}
        listing = sum(bool(re.search("[,;/] ?", t)) for t in texts)
        return listing >= max(2, 0.1 * len(texts)) and len(parts) <= 0.6 * len(texts) + 3

    @cached_property
    def is_name(self) -> bool:
        """Whether its header says that it names the row."""
        return self.is_text and bool(NAMES.search(" ".join(w.text for w in self.words)))

    @cached_property
    def values(self) -> dict[str, tuple[str, ...]]:
        """The distinct texts by their folded words."""
        found: dict[str, dict[str, None]] = {}
        for text in self.texts:
            if text is None or isinstance(text, bool) or len(found) > MOST_VALUES:
                continue
            key = key_of(str(text))
            if key and key.count(" ") < LONGEST_VALUE and len(key) <= MOST_CHARS:
                found.setdefault(key, {})[str(text)] = None
        return {k: tuple(v) for k, v in found.items()}

    @cached_property
    def by_stem(self) -> dict[str, set[str]]:
        """Folded texts by the stems of their words."""
        found: dict[str, set[str]] = {}
        for key in self.values:
            for word in key.split():
                for stem in lexeme(word).stems:
                    if len(stem) > 3 or stem == word or len(word) <= len(stem) + 1:  # "web" is no "Weber"
                        found.setdefault(stem, set()).add(key)
        return found

    @cached_property
    def span(self) -> tuple[str, str]:
        """The first and last date that was read; "" if there is none."""
        dates = [str(c)[:10] for c in self.cells if c is not None] if self.is_date else []
        return (min(dates), max(dates)) if dates else ("", "")


@dataclass(eq=False)
class Facts:
    """One table, or one with the tables that are looked up from it."""

    schema: TableSchema
    fields: tuple[Field, ...]
    complete: bool
    source: Source
    nouns: tuple[tuple[Lexeme, float], ...]
    """Words for its rows, and how sure each is."""
    place: int = 0
    """Its rank among the tables retrieved, from 0."""
    joined: tuple["Facts", ...] = ()
    siblings: tuple["Facts", ...] = ()
    """Tables of the same columns about other periods, which no union joins: a sheet a year."""
    others: tuple["Facts", ...] = ()
    """The other tables at hand, which may name what its codes stand for."""
    is_member: bool = False
    """Whether a union at hand has its rows and more."""
    rows: int = field(default=0)
    unmatched: float = 0.0
    """The share of the values of the referring columns that the tables looked up do not have."""

    @classmethod
    def of(cls, schema: TableSchema, read: TableRows) -> "Facts":
        """Describe a table from the rows that were read."""
        keep = [i for i, total in enumerate(_column(read, TOTAL)) if not total] if TOTAL in read.names else None
        fields = tuple(_field(schema, c, i, read, keep) for i, c in enumerate(schema.columns))
        nouns = tuple(_nouns(schema, fields))
        noun = noun_of(schema).casefold()
        return cls(
            schema,
            fields,
            read.complete,
            source_of(schema, noun),
            nouns,
            rows=len(read.rows) if keep is None else len(keep),
        )

    @cached_property
    def is_of_outlay(self) -> bool:
        """Whether the title of its table says that its money is spent: the amounts of "Travel expenses"."""
        groups = frozenset[str]().union(*(lexeme(w).groups for w in split_words(self.schema.title)))
        return bool(groups & SPENT) and not groups & INCOME

    @cached_property
    def short(self) -> frozenset[str]:
        """The abbreviations of what the rows are, from the headers of their codes."""
        keys = (f for f in self.fields[:3] if f.schema is self.schema and (f.is_unique or f.index == 0))
        return frozenset(w for f in keys for w in f.short)

    @property
    def all_words(self) -> frozenset[str]:
        """All words that a question's mistyped word may mean."""
        return _all_words(self.fields, self.nouns)

    @cached_property
    def is_one_to_one(self) -> bool:
        """Whether each row of the tables that are looked up belongs to one row only."""
        fields = {f.ref: f for f in self.fields}
        return all(j.left in fields and fields[j.left].is_unique for j in self.source.joins)

    @property
    def is_joined(self) -> bool:
        """Whether other tables are looked up."""
        return bool(self.joined)

    def is_noun(self, f: Field) -> bool:
        """Tell whether a column's header is what the rows are called."""
        return any(likeness(f.words[i], noun) >= 0.8 for i in f.core for noun, sure in self.nouns if sure > 0.55)

    def name_of(self, code: Field) -> Field | None:
        """Return the column with the name that a code stands for: Article of "Article no.", or a Name right after."""
        said = {code.words[i].text for i in code.core}
        names = [f for f in self.fields if f.schema is code.schema and f.is_text and not f.is_code]
        own = next((f for f in names if {f.words[i].text for i in f.core} == said), None)
        after = (f for f in names if f.index == code.index + 1 and f.is_name and not _is_person_name(f))
        beside = next((f for f in after if one_to_one(code, f)), None)
        return own or beside

    def number(self) -> Field | None:
        """Return the column with the number or code of each row."""
        own = (f for f in self.fields[:NUMBER_WITHIN] if f.schema is self.schema and f.is_unique)
        return next((f for f in own if f.is_code or f.is_id), None)

    def number_shown(self, shown: Sequence[object]) -> bool:
        """Tell whether what is shown has the number of each row."""
        number = self.number()
        return number is not None and number.shown in shown

    @cached_property
    def is_legend(self) -> bool:
        """Whether it only says what codes stand for, so that its rows are none that anybody counts."""
        own = [f for f in self.fields if f.schema is self.schema and f.column.name not in UNION_SOURCE]
        if self.schema.rules and self.schema.rules.code_columns:
            return not self.is_joined
        told = any({w.text for w in f.words} & LEGEND for f in own)
        return told and not self.is_joined and len(own) <= WIDEST_LEGEND and all(f.is_text for f in own[1:])

    def display(self) -> tuple[Field, ...]:
        """Return the columns that name a row, best first: usually one, first and last name two."""
        own = self._own_display()
        keys = {j.left: j.right for j in self.source.joins}
        if own and own[0].ref in keys:
            there = next((o for o in self.joined if o.schema.name == keys[own[0].ref].table), None)
            return there.display() if there else own
        return own

    def _own_display(self) -> tuple[Field, ...]:
        own = [f for f in self.fields if f.schema is self.schema and f.column.name not in UNION_SOURCE]
        first = [
            f
            for f in own
            if f.is_text and {"first", "vorname", "prenom"} & {w.text for w in f.words} and _is_bare_name(f)
        ]
        last = [
            f
            for f in own
            if f.is_text and {"last", "surname", "nachname", "nom"} & {w.text for w in f.words} and _is_bare_name(f)
        ]
        if first and last:
            return (first[0], last[0])
        texts = [f for f in own if f.is_text and not f.is_code]
        named = (
            [f for f in texts if f.is_name and f.distinct > 0.3 * f.filled]
            or [f for f in texts if f.is_unique and f.index < 4]
            or [f for f in texts if f.index < 3 and f.distinct > 0.6 * f.filled and self.is_noun(f)]
            or [f for f in texts if f.index == 0]
        )
        first = [f for f in own[:2] if f.is_code or f.is_id]
        if not named and first and (name := self.name_of(first[0])):
            named = [name]  # of the items in each shop
        if named:
            number = self.number()
            if number is not None and _are_numbered(named[0]):
                return (number, named[0])  # a plate names a vehicle no better than its number
            more = (
                [] if named[0].is_unique or number is not None else [f for f in texts if f.index == named[0].index + 1]
            )
            return (named[0], *(f for f in more if _tell_rows(named[0], f)))
        codes = (
            [f for f in own if (f.is_text or f.is_id) and f.is_unique]
            or [f for f in own if f.is_text and f.index < 2]
            or texts
        )
        return (codes[0],) if codes else tuple(own[:1])


def _tell_rows(one: Field, other: Field) -> bool:
    """Tell whether only two columns together name each row: a funder and what it is asked for."""
    pairs = {(str(a).casefold(), str(b).casefold()) for a, b in zip(one.texts, other.texts, strict=True)}
    return other.distinct > other.filled / 2 and len(pairs) >= TOLD_APART * len(one.texts)


def _are_numbered(f: Field) -> bool:
    """Tell whether texts are numbers of things with blanks in them, such as plates."""
    texts = [str(t) for t in f.texts[:50] if t is not None]
    return bool(texts) and all(any(c.isdigit() for c in t) and len(t) <= LONGEST_PLATE for t in texts)


def _is_person_name(f: Field) -> bool:
    return bool({w.text for w in f.words} & (BARE_NAMES | {"first", "last"}))


@kept
def one_to_one(code: Field, name: Field) -> bool:
    """Tell whether each code has one name in the rows that were read, and each name one code."""
    pairs = {(str(c), str(n)) for c, n in zip(code.texts, name.texts, strict=False) if c is not None}
    return len(pairs) == len({c for c, _ in pairs}) == len({n for _, n in pairs})


@kept
def _all_words(fields: tuple[Field, ...], nouns: tuple[tuple[Lexeme, float], ...]) -> frozenset[str]:
    named = {n.text for n, _ in nouns}
    own = {w.text for f in fields for w in f.words} | named | {f"{n}s" for n in named if not n.endswith("s")}
    values = {w for f in fields if f.is_text for key in f.values for w in key.split()}
    return frozenset(w for w in own | values if len(w) > 3)


def _field(schema: TableSchema, column: Column, index: int, read: TableRows, keep: list[int] | None) -> Field:
    cells, texts = _column(read, column.name), _column(read, column.raw or column.name)
    if keep is not None:
        cells, texts = tuple(cells[i] for i in keep), tuple(texts[i] for i in keep)
    if column.type == "boolean" or column.type in ("integer", "decimal"):
        texts = cells
    return Field(schema, column, index, cells, texts, read.complete)


def _column(read: TableRows, name: str) -> tuple[Cell, ...]:
    place = read.names.index(name) if name in read.names else None
    return tuple(row[place] for row in read.rows) if place is not None else ()


def _nouns(schema: TableSchema, fields: Sequence[Field]) -> Iterator[tuple[Lexeme, float]]:
    """Yield words for the rows: of the title and file, of the key's header, and of what such columns describe."""
    # The headings above it tell no rows: "Staff handbook > Travel".
    heading = "" if schema.origin else schema.within.rpartition(">")[2]
    (of_file, file_sure), folder = _file_words(schema), schema.source.rpartition("/")[0]
    telling_nothing = _of_some(schema) | {"sheet", "cells", "table", "list", "csv", "xlsx"} | LINKING
    owners = _owners(fields)
    modifiers = _modifiers(schema.title) if schema.origin else ()
    for text, sure in (
        (schema.title, 1.0),
        (heading, 0.9),
        (of_file, min(file_sure, 0.6 if heading else 0.95)),
        (folder, 0.6),
    ):
        head, dash, rest = text.partition(" – ")
        if dash and any(lexeme(w).groups & (THINGS | LISTED_THINGS) for w in split_words(rest)):
            yield from ((lexeme(w), LOOSE_NOUN) for w in split_words(head))  # whose list it is
            text = rest
        for word in split_words(text):
            if "actual" in lexeme(word).groups:
                continue  # "Budget / actual" tells columns, not rows
            if word in ENERGY_UNITS:
                sure = min(sure, LOOSE_NOUN)  # of gas as well as of electricity
            if not word.isdigit() and word not in telling_nothing:
                less = lexeme(word).stems & owners or word in modifiers
                yield lexeme(word), min(sure, LOOSE_NOUN) if less else sure
                if listed := LIST_OF.fullmatch(word):  # "Lieferantenverzeichnis"
                    yield lexeme(listed[1]), sure
    for f in fields[:3]:
        if (f.is_unique or f.index == 0) and not f.is_measure:
            for word in f.words:
                if word.text not in GENERIC and not word.stems & owners:
                    # Rows that a first column "Flat" tells apart are flats.
                    yield word, 1.0 if f.is_text and f.is_unique and f.index == 0 and len(f.words) == 1 else 0.8
    for f in fields:
        if SINCE & {w.text for w in f.words}:  # "customer since"
            yield from ((w, 0.75) for w in f.words if w.text not in SINCE | GENERIC)
    # The title of a book or an exhibition is no person's name.
    said = {g for f in fields for w in f.words if w.text not in TITLES for g in w.groups}
    for role, needed in ROLES.items():
        if all(said & set(any_) for any_ in needed):
            yield lexeme(role), 0.7


def _modifiers(title: str) -> list[str]:
    """Return the words of a table's name in a database before the one that says what its rows are: "order lines"."""
    words = [w for w in split_words(title) if not w.isdigit() and w not in NEUTRAL_HEADS]
    return words[:-1]


def _owners(fields: Sequence[Field]) -> frozenset[str]:
    """Return the words for what each row belongs to, by a first column of ids that come again: an order, of items."""
    ids = (f for f in fields[:1] if f.is_id and not f.is_unique)
    return frozenset[str]().union(*(w.stems for f in ids for w in f.words if w.text not in GENERIC))


def _is_bare_name(f: Field) -> bool:
    """Tell whether a header has no other word than "name": no "first departure"."""
    rest = [w for w in f.words if w.text not in ("first", "last")]
    return len(f.words) <= 2 and all("name" in w.text or w.text in BARE_NAMES for w in rest)


def _file_words(schema: TableSchema) -> tuple[str, float]:
    """Return a file's name, and how surely it tells the rows: the tables of a staff handbook have no staff."""
    if schema.origin:
        return "", 0.0  # the name of a connection tells no rows
    stem, _, suffix = schema.source.rsplit("/", 1)[-1].rpartition(".")
    of_text = schema.title and suffix.casefold() in TEXTS
    return stem or suffix, OF_TEXT if of_text else 1.0


def _of_some(schema: TableSchema) -> set[str]:
    """Return the words in the names of some members of a union only: they tell its parts, not the whole."""
    names = [set(split_words(f"{m.source} {m.within}")) for m in schema.members]
    return set().union(*names) - set.intersection(*names) if names else set()


BARE_NAMES = frozenset("vorname prenom surname nachname nom".split())
SINCE = frozenset("since seit depuis".split())
TITLES = frozenset("title titel titre intitule".split())
ROLES = {
    "employee": (("name",), ("hire", "salary", "department", "role"), ("salary", "department", "role")),
    "shipment": (("carrier",), ("cost", "weight", "date", "delivered")),
    "order": (("order",), ("date", "amount", "quantity", "customer")),
    "invoice": (("invoice",), ("amount", "deadline", "customer")),
    "student": (("class", "school"), ("name",)),
    "trip": (("driver", "vehicle"), ("distance",)),
}
"""What the rows of a table with such columns are."""


class FactsCache:
    """Facts of recent tables; safe to share between threads."""

    def __init__(self) -> None:
        self._known = Recent[str, Facts](_size, ENTRY_CELLS)

    def of(self, schema: TableSchema, read: Callable[[], TableRows]) -> Facts:
        """Return the facts of a table, of this version of its rows."""
        key = schema.stored_as or "\0".join([schema.name, *(m.stored_as for m in schema.members)])
        known = self._known.get(key)
        if known is not None and known.schema == schema:
            return known
        rows = read()
        facts = Facts.of(schema, rows)
        if rows.complete and not schema.origin:  # a connected database may change at any time
            self._known.keep(key, facts)
        return facts


def _size(facts: Facts) -> int:
    """Return the cells of a table; a small one has a share of the most that are kept."""
    return max(ENTRY_CELLS // ENTRIES, sum(len(f.cells) for f in facts.fields))


def _goes_other_way(one: Lexeme, f: Field) -> bool:
    """Tell whether a word is about money that comes in and a column about money that goes out, or is what staff get."""
    groups = frozenset[str]().union(*(w.groups for w in f.words))
    spent = bool(groups & OUTLAY) or f.is_of_outlay
    return one.groups & LOOSE_AMOUNTS <= INCOME and spent and not groups & INCOME or "salary" in groups


def _has_amounts(f: Field) -> bool:
    """Tell whether a column has amounts of money, even if it does not say of which currency: "Montant TTC"."""
    plain = f.is_number and not f.column.unit and not f.is_id and not f.is_planned
    return not f.is_bound and (f.is_money or plain and "amount" in f.groups)  # a deposit is no turnover


def _drops_vowels(short: str, word: str) -> bool:
    """Tell whether a word of a header is another without its vowels, but perhaps the last: "prts", "rte" of route."""
    if not 2 < len(short) < len(word) or short[0] != word[0] or VOWELS & set(short[1:-1]):
        return False
    bare = word[0] + "".join(c for c in word[1:] if c not in VOWELS)
    return short in (bare, bare + word[-1])


def amounts_of_rows(fields: Sequence[Field]) -> list[Field]:
    """Return the columns with what each row is worth: of orders the total rather than the unit price."""
    money = [f for f in fields if f.is_money and f.is_additive]
    money = money or [f for f in fields if f.is_additive and ROW_AMOUNTS & f.groups]
    return [f for f in money if TOTALS & {w.text for w in f.words}] or money


def like(one: Lexeme, pairs: frozenset[str], f: Field) -> tuple[float, int]:
    """Return how well a word names a column, and which of its header's words."""
    best, place = 0.0, -1
    for i, word in enumerate(f.words):
        sure = likeness(one, word)
        if sure > best:
            best, place = sure, i
    for i, word in enumerate(f.words):
        if best < ABBREVIATED and _drops_vowels(word.text, one.text):
            best, place = ABBREVIATED, i
        shortens = word.text in f.short and len(one.text) > 5 and one.text.startswith(word.text)
        if best < ABBREVIATED and shortens:
            best, place = ABBREVIATED, i
    loose = _has_amounts(f) and f.is_additive and not f.is_month and not _goes_other_way(one, f)
    if f.core and best < MONEY_LIKE and loose and one.groups & LOOSE_AMOUNTS:
        best, place = MONEY_LIKE, next(iter(f.core))
    if best < 0.75 and one.groups & f.pairs:
        best, place = 0.75, 0  # "articles" for "Art. No"
    if pairs & (f.pairs | {g for w in f.words for g in w.groups}) and best < 0.8:
        return 0.8, next((i for i, w in enumerate(f.words) if pairs & w.groups), 0)
    return best, place
