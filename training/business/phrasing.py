"""Says a query as people would: filters as adjectives, phrases or predicates, dates and values, typing errors."""

import random
import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from training.business.lexicon import expand, pool, tag_of, wordings
from training.business.queries import Filter, Query
from training.business.slots import Slots
from training.business.tables import Column, Table

__all__ = ["Speaker", "polite", "with_typo"]

MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
}
PERIODS = {"en": ("month", "quarter", "year"), "de": ("Monat", "Quartal", "Jahr"), "fr": ("mois", "trimestre", "an")}
YES_NO = {"en": ("yes", "no"), "de": ("ja", "nein"), "fr": ("oui", "non")}
PERIODLY = {"month": "monthly", "quarter": "quarterly", "year": "yearly"}
GROW = ("rise,increase,grow,go up", "fall,decrease,drop,decline,go down", "change")
GROWN = ("risen,increased,grown,gone up", "fallen,decreased,dropped,declined", "changed")
TRIES = 12


class Speaker:
    """Says queries over one table in one language; every call may use other words."""

    def __init__(self, table: Table, language: str, random_: random.Random, scope: str = "") -> None:
        self.table, self.language, self.random, self.scope = table, language, random_, scope
        self.words = wordings(language)
        days = {row[c.key].year for c in table.columns if c.kind == "date" for row in table.rows if row[c.key]}
        self.one_year = len(days) == 1

    def say(self, forms: Sequence[str], query: Query, tags: Sequence[str] = (), **extra: str) -> tuple[str, str] | None:
        """Return a question and its form, one of ``forms``; None if no wording fits."""
        ready = [f for f in forms if f in self.words]
        for _ in range(TRIES if ready else 0):
            form = ready[0] if self.random.random() < 0.2 else self.random.choice(ready)
            wording = self.random.choice(self.words[form])
            if tag_of(wording) and tag_of(wording) not in tags:
                continue
            slots = Slots(self, query, extra)
            said = expand(wording, self.random)
            try:
                filled = re.sub(r"\{(\w+)\}", lambda found, slots=slots: slots[found[1]], said)
            except KeyError:
                continue
            return _tidy(filled), form
        return None

    def pick(self, words: str | Sequence[str]) -> str:
        """Choose one of several words, the first ones more often."""
        several = words.split(",") if isinstance(words, str) else words
        return several[min(int(self.random.expovariate(0.9)), len(several) - 1)]

    def column_words(self, column: Column) -> str:
        """Return a name for a column, sometimes its header."""
        words = column.words(self.language)
        if self.random.random() < 0.25 and column.kind != "name" and not column.renamed:
            words = [h.lower() for h in column.concept.headers[self.language]]
        name = self.random.choice(words)
        if column.via and self.random.random() < 0.5:
            via = self.table.column(column.via).words(self.language)[0]
            if self.language == "en" and column.target is None:
                return self.random.choice((f"{via} {name}", f"{name} of the {via}"))
        return name

    def value(self, column: Column, value: Any) -> str:
        """Return a value as people write it."""
        if isinstance(value, bool):
            return YES_NO[self.language][not value]
        if isinstance(value, date):
            return self.day(value)
        if isinstance(value, int | float) and column.concept.options.get("frame") != "year":
            unit = column.concept.options.get("unit", "")
            shown = f"{value:,}" if self.language == "en" and self.random.random() < 0.5 else f"{value}"
            return self.random.choice((shown, shown, f"{unit} {shown}" if unit == "EUR" else f"{shown} {unit}".strip()))
        text = str(value)
        kind = column.concept.options.get("pool")
        if kind == "company" and self.random.random() < 0.4:
            return next(f for f in pool("firm") if text.startswith(f))
        if kind == "person" and self.random.random() < 0.15:
            return text.split()[-1]
        known = pool(kind, self.language) if kind not in (None, "person", "company") else ()
        return text.lower() if text.lower() in known and self.random.random() < 0.85 else text

    def day(self, day: date) -> str:
        """Return a date as people write it."""
        month = MONTHS[self.language][day.month - 1]
        if self.language == "en":
            return self.random.choice(
                (f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}", day.isoformat())
            )
        dot = "." if self.language == "de" else ""
        return self.random.choice((f"{day.day}{dot} {month} {day.year}", f"{day:%d.%m.%Y}"))

    def phrases(self, filter_: Filter) -> dict[str, list[str]]:
        """Return a filter as adjectives (pre), phrases after the noun (post), and predicates (state)."""
        column = self.table.column(filter_.key)
        if column.kind == "bool":
            return self._flag(column, bool(filter_.values[0]))
        frames = self._frames(column, filter_)
        slots = self._filter_slots(column, filter_)
        found: dict[str, list[str]] = {"pre": [], "post": [], "state": []}
        through = column.via and self.language == "en" and self.random.random() < 0.7
        if through:
            slots["g"] = self.random.choice(column.words("en"))
        for frame in frames:
            for line in self.words.get(f"frame {frame}", ()):
                place, _, wording = line.partition(": ")
                found[place] += [expand(w, self.random).format(**slots) for w in _alternatives(wording)]
        if not self.table.label.concept.options.get("who"):
            found = {k: [p for p in v if "working" not in p and "who are" not in p] for k, v in found.items()}
        if column.kind == "date2":
            found = {k: [p for p in v if slots["verb"] in p] for k, v in found.items()}
        if through:
            found["pre"], found["post"] = [], self._through(column, found["post"])
        return found

    def _frames(self, column: Column, filter_: Filter) -> tuple[str, ...]:
        if filter_.operator in ("=", "not"):
            own = "name" if column.target or column.kind == "name" else column.concept.options.get("frame", "any")
            own = column.concept.options.get("frame", own)
            return (own, own, "any") if filter_.operator == "=" else ("not",)
        return ({">": "more", "<": "less"}.get(filter_.operator, filter_.operator),)

    def _filter_slots(self, column: Column, filter_: Filter) -> dict[str, str]:
        values = [self._filter_value(column, filter_, v) for v in filter_.values]
        joined = {"en": " or ", "de": " oder ", "fr": " ou "}[self.language].join(values)
        slots = {"g": self.column_words(column), "v": joined if filter_.operator == "=" else values[0], "w": values[-1]}
        slots |= {"verb": self.verb(column)}
        if filter_.operator == "quarter":
            year, number = str(filter_.values[0]).split("-Q")
            slots |= {"y": year, "n": number, "q": ("first", "second", "third", "fourth")[int(number) - 1]}
        if filter_.operator == "not":
            slots["state"] = f"{self.column_words(column)} {values[0]}"
        return slots

    def _filter_value(self, column: Column, filter_: Filter, value: Any) -> str:
        if filter_.operator == "month":
            year, month = map(int, str(value).split("-"))
            name = MONTHS[self.language][month - 1]
            return self.random.choice(
                (f"{name} {year}",) * 3 + ((f"{name[:3]} {year}",) if self.language == "en" else ())
            )
        if filter_.operator == "quarter":
            year, number = str(value).split("-Q")
            return f"Q{number} {year}" if self.language != "fr" else f"T{number} {year}"
        if isinstance(value, date) and (value.month, value.day) in ((1, 1), (12, 31)):
            return str(value.year)
        return self.value(column, value)

    def _flag(self, column: Column, true: bool) -> dict[str, list[str]]:
        if self.language != "en":
            name, (yes, no) = self.column_words(column), YES_NO[self.language]
            mark = {"de": f"mit {name} {yes if true else no}", "fr": f"avec {name} {yes if true else no}"}[
                self.language
            ]
            return {"pre": [], "post": [mark], "state": [mark]}
        said = column.concept.options["yes" if true else "no"].split(",")
        word = self.random.choice(said).removeprefix("that ")
        simple = re.fullmatch(r"[\w-]+", word) and word != "renew"
        if column.via:
            target = self.table.column(column.via).target
            assert target is not None
            noun = self.random.choice(target.spec.nouns["en"])[1]
            post = f"from {word} {noun}" if simple else f"from {noun} that are {word}"
            return {"pre": [], "post": [post], "state": [post]}
        clause = f"that {word}" if word.startswith("renew ") else f"that are {word}"
        state = word if not word.startswith("renew ") else "renewable"
        return {"pre": [word] if simple else [], "post": [clause, clause.replace(" are ", " were ")], "state": [state]}

    def _through(self, column: Column, phrases: Sequence[str]) -> list[str]:
        """Say a condition on a row that is referred to: from customers in France."""
        target = self.table.column(column.via).target
        assert target is not None
        noun = self.random.choice(target.spec.nouns["en"])[1]
        return [f"{self.random.choice(('from', 'for', 'of', 'by'))} {noun} {phrase}" for phrase in phrases]

    def verb(self, column: Column | None = None) -> str:
        """Return a participle for what happens to rows, or on a date."""
        if column is None or column.kind == "date":
            verbs = self.table.spec.verbs
            if verbs and self.random.random() < 0.7:
                return self.random.choice(verbs)
            column = column or next((c for c in self.table.columns if c.kind == "date"), None)
        said = column.concept.options.get("said", "recorded") if column else "recorded"
        return self.random.choice(said.split(","))


def _alternatives(wording: str) -> list[str]:
    """Split a frame's alternatives at the bars outside brackets."""
    return re.split(r"\|(?![^\[]*\])", wording)


def _tidy(question: str) -> str:
    """Normalise spaces."""
    return re.sub(r"\s+([?.,!])", r"\1", re.sub(r"\s+", " ", question)).strip()


def polite(question: str, language: str, random_: random.Random) -> str:
    """Put a question into a polite frame, or vary its case and punctuation."""
    way = random_.random()
    ways = wordings(language).get("polite", ())
    if way < 0.1 and ways:
        lower = question[0].lower() + question[1:].rstrip("?.")
        return expand(random_.choice(ways), random_).format(q=question, lower=lower)
    if way < 0.35:
        return question.rstrip("?.").lower() if random_.random() < 0.5 else question.rstrip("?.")
    return question[0].upper() + question[1:]


def with_typo(question: str, random_: random.Random) -> str:
    """Misspell one longer word in lower case."""
    words = question.split(" ")
    places = [n for n, w in enumerate(words) if re.fullmatch(r"[a-zäöüéè]{6,}", w)]
    if not places:
        return question
    place = random_.choice(places)
    word, at = words[place], random_.randint(1, len(words[place]) - 3)
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    words[place] = random_.choice((swapped, word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]))
    return " ".join(words)
