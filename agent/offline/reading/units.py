"""Units that a question asks for, and how to convert a column to them: "in tonnes", "in EUR million"."""

import re
from dataclasses import dataclass

from tablerag.agent.offline.reading.facts import AMOUNTS, QUANTITIES, Field, split_words
from tablerag.agent.offline.reading.vocabulary import lexeme
from tablerag.agent.offline.reading.words import Asked
from tablerag.tools.number_words import SCALE_LETTERS, power_of

__all__ = ["FAMILIES", "MONEY", "UNITS", "AskedUnit", "asked_units", "in_units_of"]

FAMILIES: tuple[dict[str, float], ...] = (
    {"g": 1e-3, "gram": 1e-3, "grams": 1e-3, "kg": 1, "kilo": 1, "kilos": 1, "kilogram": 1, "kilograms": 1,
     "kilogramm": 1, "kilogrammes": 1, "t": 1e3, "tonne": 1e3, "tonnes": 1e3, "ton": 1e3, "tons": 1e3, "tonnen": 1e3},
    {"wh": 1e-3, "kwh": 1, "mwh": 1e3, "gwh": 1e6, "kilowattstunden": 1, "kilowatt": 1, "megawattstunden": 1e3},
    {"w": 1, "watt": 1, "watts": 1, "kw": 1e3, "kilowatts": 1e3, "mw": 1e6, "megawatt": 1e6, "megawatts": 1e6},
    {"mm": 1e-3, "cm": 1e-2, "m": 1, "metres": 1, "meters": 1,
     "km": 1e3, "kilometres": 1e3, "kilometers": 1e3, "kilometer": 1e3, "kilometre": 1e3,
     "mile": 1609.344, "miles": 1609.344},
    {"ml": 1e-3, "l": 1, "litre": 1, "litres": 1, "liter": 1, "liters": 1, "hl": 100,
     "hectolitre": 100, "hectolitres": 100, "hektoliter": 100, "hectoliters": 100, "m3": 1e3},
    {"s": 1, "sec": 1, "seconds": 1, "min": 60, "mins": 60, "minutes": 60, "minuten": 60,
     "h": 3600, "hr": 3600, "hrs": 3600, "hours": 3600, "hour": 3600, "stunden": 3600, "heures": 3600},
)  # fmt: skip
CALENDAR: tuple[dict[str, float], ...] = (
    {"d": 1, "day": 1, "days": 1, "tag": 1, "tage": 1, "tagen": 1, "jour": 1, "jours": 1,
     "week": 7, "weeks": 7, "woche": 7, "wochen": 7, "semaine": 7, "semaines": 7},
    {"month": 1, "months": 1, "monat": 1, "monate": 1, "monaten": 1, "mois": 1,
     "year": 12, "years": 12, "yr": 12, "yrs": 12, "jahr": 12, "jahre": 12, "jahren": 12, "an": 12, "ans": 12,
     "annees": 12},
)  # fmt: skip
"""Units of bounds only: "in days" is rarely a unit that is asked for."""
UNITS = frozenset(u for family in FAMILIES for u in family)
OF_TITLES = frozenset("kwh mwh gwh kg tonnes litres hl km".split())
"""Units that a title gives for all columns: "Electricity use in kWh"."""
MONEY = {
    "eur": "EUR",
    "euro": "EUR",
    "euros": "EUR",
    "usd": "USD",
    "dollar": "USD",
    "dollars": "USD",
    "gbp": "GBP",
    "pounds": "GBP",
    "chf": "CHF",
    "francs": "CHF",
    "franken": "CHF",
    "keur": "EUR",
    "teur": "EUR",
}
SCALES = {"thousands": 3, "millions": 6, "billions": 9, "hundreds": 2}
CURRENCIES = MONEY | {"€": "EUR", "$": "USD", "£": "GBP"}
CURRENCY = re.compile(r"currency|währung|waehrung|devise|\bccy\b|\bcurr\b", re.IGNORECASE)
IN = frozenset("in as of en into auf".split())


@dataclass(frozen=True, slots=True)
class AskedUnit:
    """A unit in the question."""

    mask: int
    name: str
    """As in the question; of money, the currency's code."""
    money: bool
    power: int
    """Of ten, from a scale such as "million"."""

    def fits(self, f: Field) -> bool:
        """Tell whether a column's numbers may be given in it."""
        if self.money:
            own = {CURRENCIES[w] for w in re.findall(r"[a-z]+|[€$£]", f.column.unit.casefold()) if w in CURRENCIES}
            if own and self.name and self.name not in own:
                return False  # no rate is known
            return f.is_money or bool(own) or _may_be_money(f)
        return self.factor(f) is not None

    def factor(self, f: Field) -> float | None:
        """Return what to divide a column's numbers by; None if the units differ in kind."""
        own_power = SCALES.get(f.column.scale, 0)
        if self.money or not self.name:
            return 10.0 ** (self.power - own_power) if self.power else 1.0
        theirs = _units_of(f)
        for family in FAMILIES:
            unit = next((u for u in theirs if u in family), None)
            if self.name in family and unit:
                return family[self.name] / family[unit] * 10.0**-own_power
        return None


def in_units_of(value: float, unit: str, f: Field) -> float:
    """Return a number in the unit of a column: two weeks as 14 days; unchanged if the units are of no kind."""
    theirs = _units_of(f)
    for family in (*FAMILIES, *CALENDAR):
        own = next((u for u in theirs if u in family), None)
        if unit in family and own:
            return value * family[unit] / family[own]
    return value


def _may_be_money(f: Field) -> bool:
    """Tell whether a column without a unit has amounts of money by its header, or by its table's title or file."""
    if (
        f.groups & QUANTITIES - AMOUNTS
        or f.column.unit
        or f.column.kind
        or not f.is_measure
        or any(c.kind == "money" for c in f.schema.columns)
    ):
        return False
    if any(CURRENCY.search(c.header) for c in f.schema.columns):
        return False  # each row has its own
    named = [*f.words, *(lexeme(w) for w in split_words(f"{f.schema.title} {f.schema.source} {f.schema.within}"))]
    return any(w.groups & AMOUNTS for w in named)


def _units_of(f: Field) -> list[str]:
    """Return the units that a column names: its own, in brackets, or the last word of its header."""
    bracketed = [
        w for part in re.findall(r"[(\[](.*?)[)\]]", f.column.header) for w in re.findall(r"[a-z]+\d?", part.casefold())
    ]
    own = [f.column.unit.casefold(), *bracketed, *(w.text for w in f.words[-1:])]
    own = [u for u in own if not re.search(rf"(?:/|\b(?:per|pro|je|par)\b)\s*{re.escape(u)}\b", f.column.header, re.I)]
    if f.column.unit or f.is_money or not f.is_measure or any(u in UNITS for u in own):
        return own
    titles = split_words(f"{f.schema.title} {f.schema.within} {f.schema.source.rpartition('/')[2]}")
    return [*own, *(w for w in titles if w in OF_TITLES)]


def asked_units(asked: Asked) -> list[AskedUnit]:
    """Return the units after "in": "in EUR million", "in tonnes", "in thousands of euros", and bare ones."""
    found: list[AskedUnit] = []
    keys = asked.keys
    known = {u for family in FAMILIES for u in family if len(u) > 1 or u in ("t", "l", "h")}
    for i in range(len(keys)):
        follows_in = i > 0 and keys[i - 1] in IN
        power, money, name, last = 0, False, "", i
        while last < len(keys) and last < i + 4:
            word = keys[last]
            if word in MONEY:
                money, name, power = True, MONEY[word], power or (3 if word in ("keur", "teur") else 0)
            elif power_of(word) and not word.isdigit() and len(word) > 1:
                power = power_of(word)
            elif word in known and not money and not power and last == i:
                name = word
            elif word not in ("of", "d", "de") and not (name == "kilowatt" and word.startswith("hour")):
                break
            last += 1
        if power and not (money or name) and keys[i] in SCALE_LETTERS:
            continue  # the score of Mill Lane
        if (
            (money or name or (power and follows_in))
            and (follows_in or money or name)
            and not any(f.mask >> i & 1 for f in found)
        ):
            between = asked.text[asked.words[i - 1].end : asked.words[i].start] if i else ""
            number_before = i > 0 and keys[i - 1].isdigit() and "(" not in between
            if number_before:
                continue
            mask = sum(1 << j for j in range(i - follows_in, last))
            found.append(AskedUnit(mask, name, money, power))
    return found
