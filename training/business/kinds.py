"""Kinds of questions over the rows of one table; a method returns None where the table does not allow its kind."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from training.business.drawing import Asked, Drawing
from training.business.phrasing import GROW, GROWN, PERIODLY, PERIODS
from training.business.queries import Filter, Query, answer
from training.business.tables import Column

__all__ = ["Kinds"]

OTHER_UNITS = {"EUR": ("EUR thousand", 1e-3), "kWh": ("MWh", 1e-3), "kg": ("tonnes", 1e-3)}


class Kinds(Drawing):
    """Draws questions over one table."""

    def count(self) -> Asked | None:
        filters = self._filters(self.random.choice((0, 1, 1, 1, 2, 2, 3)))
        dated = filters and all(f.operator not in ("=", ">", "<", "range") for f in filters)
        return self._asked("dates" if dated else "count", ("count", "count where"), Query("count", filters))

    def dated(self) -> Asked | None:
        column = self._drawn(("date", "date", "date2"), own=True)
        days = [r[column.key] for r in self.rows if r.get(column.key)] if column else []
        if column is None or not days:
            return None
        filters = (self._date_filter(column, self.random.choice(days)),)
        way = self.random.choice(("count", "list"))
        who = () if way == "count" or not self.table.label.concept.options.get("who") else ("list who",)
        return self._asked("dates", (way, f"{way} where", *who), Query(way, filters))

    def flagged(self) -> Asked | None:
        """Ask whether one row has a flag."""
        column = self._drawn(("bool",), own=True)
        if column is None or self.language != "en":
            return None
        row = self.random.choice(self.rows)
        query = Query("lookup", (Filter(self.table.label.key, "=", (row[self.table.label.key],)),), column.key)
        state = self.speaker.phrases(Filter(column.key, "=", (True,)))["state"][0]
        return self._asked("lookup", ("flag",), query, state=state, entity=self._entity(row[self.table.label.key]))

    def total(self) -> Asked | None:
        measure = self._measure()
        if measure is None:
            return None
        query = Query("sum", self._filters(self.random.choice((0, 1, 1, 1, 2, 2, 3))), measure.key)
        return self._asked("sum", ("sum", f"sum {self._use(measure)}"), query)

    def average(self) -> Asked | None:
        measure = self._measure(("num", "rate"))
        if measure is None:
            return None
        query = Query("avg", self._filters(self.random.choice((0, 1, 1, 2))), measure.key)
        return self._asked("average", ("avg", f"avg {self._use(measure)}"), query)

    def share(self) -> Asked | None:
        if self.table.shape == "versions":
            return None
        measure = self._measure() if self.random.random() < 0.3 else None
        filters = self._filters(1 if measure else self.random.choice((1, 1, 2, 2)))
        if not filters or filters[-1].operator not in ("=", "year", ">", "<"):
            return None
        form = "share of total" if measure else "share"
        return self._asked("share", (form,), Query("share", filters, measure.key if measure else ""))

    def listed(self) -> Asked | None:
        filters = self._filters(self.random.choice((1, 1, 1, 2, 2)))
        who = self.table.label.concept.options.get("who")
        forms = ("list", "list who") if who else ("list", "list where")
        return self._asked("list", forms, Query("list", filters)) if filters else None

    def lookup(self) -> Asked | None:
        table = self.table
        ids = (table.key.key, table.label.key)
        column = self.random.choice(
            [c for c in self.columns if c.key not in ids and c.kind != "bool"] or self.columns[1:]
        )
        name = self.random.choice(self.rows)[table.label.key]
        query = Query("lookup", (Filter(table.label.key, "=", (name,)),), column.key)
        word = self.speaker.column_words(column)
        if column.via and not (column.via in word or self.language == "en" and " of " in word):
            owner = table.column(column.via).words(self.language)[0]
            word = f"{word} {'of the' if self.language == 'en' else '/'} {owner}"
        forms, article = ("lookup", *self._lookup_forms(column)), column.concept.articles.get(self.language, "")
        return self._asked("lookup", forms, query, col=word, entity=self._entity(name), m=word, dm=article + word)

    def _lookup_forms(self, column: Column) -> tuple[str, ...]:
        options = column.concept.options
        if column.via:
            return ()
        if column.concept.kind in ("date", "date2"):
            return ("lookup date",) if column.kind == "date" else ()
        if options.get("frame") == "place":
            return ("lookup place",)
        if "use" in options:
            return (f"lookup {options['use'].replace('price', 'cost')}",)
        return ("lookup who",) if options.get("who") else ()

    def _entity(self, name: Any) -> str:
        label = self.table.label
        if label.kind != "id":
            return self.speaker.value(label, name)
        noun = self.random.choice(self.table.spec.nouns[self.language])[0]
        return self.random.choice((str(name), f"{noun} {name}"))

    def ranked(self) -> Asked | None:
        measure = self._measure(("num", "rate"))
        if measure is None:
            return None
        filters = self._filters(self.random.choice((0, 0, 1)))
        query = Query("top", filters, "", by=measure.key, descending=self.random.random() < 0.7)
        use = self._use(measure)
        way = self.random.choice(("top", "top", "second", "top k", "top k", "extreme value"))
        if way == "extreme value":
            query = Query("extreme", filters, measure.key, descending=query.descending)
        elif way == "second":
            query = replace(query, k=self.random.choice((2, 2, 3)), statistic="nth")
        elif way == "top k":
            query = replace(query, filters=(), k=self.random.randint(2, 5))
        forms = ("top", f"top {use.replace('price', 'cost')}") if way == "top" else (way,)
        return self._asked("superlative", forms, query)

    def latest(self) -> Asked | None:
        column = next((c for c in self.table.columns if c.kind == "date"), None)
        if column is None:
            return None
        shown = self.random.choice(("", column.key))
        query = Query("latest", self._filters(self.random.choice((0, 0, 1))), shown, by=column.key,
            descending=self.random.random() < 0.7)  # fmt: skip
        return self._asked("superlative", ("latest date",) if shown else ("latest",), query)

    def grouped(self) -> Asked | None:
        group, measure = self._category(), self._measure()
        if group is None:
            return None
        way = self.random.choice(("count", "sum", "sum", "avg"))
        filters = self._filters(self.random.choice((0, 0, 1))) if way != "count" else ()
        if way != "count" and measure is None or group.key in {f.key for f in filters}:
            return None
        query = Query("group", filters, measure.key if measure and way != "count" else "", group.key, "", way)
        return self._asked("group", (f"group {way}",), query)

    def timed(self) -> Asked | None:
        day, measure = self._drawn(("date",), own=True), self._measure()
        if day is None:
            return None
        counted = measure is None or self.random.random() < 0.4
        filters = tuple(
            f for f in self._filters(self.random.choice((0, 1, 1))) if f.key != day.key or f.operator == "year"
        )
        number = self.random.choice((0, 0, 1, 2))
        period = ("month", "quarter", "year")[number]
        query = Query("group", filters, "" if counted or not measure else measure.key, period, day.key)
        said = PERIODS[self.language][number]
        return self._asked("group", ("group time",), query, x=self._subject(measure, counted=counted), period=said,
            periodly=PERIODLY[period] if self.language == "en" else "")  # fmt: skip

    def _subject(self, measure: Column | None, *, counted: bool) -> str:
        if counted or measure is None:
            nouns = self.random.choice(self.table.spec.nouns[self.language])[1]
            number = {"en": "the number of", "de": "Anzahl", "fr": "nombre de"}[self.language]
            return self.random.choice((nouns, f"{number} {nouns}"))
        total = {"en": "the total ", "de": "Summe ", "fr": "total "}[self.language]
        return self.random.choice(("", "", total)) + self.speaker.column_words(measure)

    def best_group(self) -> Asked | None:
        group, measure = self._category(), self._measure()
        way = self.random.choice(("count", "sum", "sum", "avg", "top"))
        if group is None or way != "count" and measure is None:
            return None
        filters = self._filters(self.random.choice((0, 0, 1))) if way != "count" else ()
        if group.key in {f.key for f in filters}:
            return None
        form = {"count": "best group count", "sum": "best group", "avg": "best group avg", "top": "top groups"}[way]
        query = Query("best", filters, measure.key if measure and way != "count" else "", group.key,
            statistic=way if way == "avg" else "sum", descending=way == "top" or self.random.random() < 0.75,
            k=self.random.randint(2, 4) if way == "top" else 1)  # fmt: skip
        return self._asked("superlative", (form,), query)

    def compared(self) -> Asked | None:
        if not self.table.spec.compared or self.language != "en":
            return None
        less, more, said = self.table.spec.compared[0]
        way = self.random.choice(("list", "list", "count"))
        query = Query("less", self._filters(0), less, by=more, statistic=way)
        return self._asked("compare", (f"compare {way}",), query, below=self.random.choice(said))

    def changed(self) -> Asked | None:
        day, measure = self._drawn(("date",), own=True), self._measure()
        years = sorted({r[day.key].year for r in self.rows if r.get(day.key)}) if day else []
        if day is None or len(years) < 2:
            return None
        counted = measure is None or self.random.random() < 0.3
        filters = tuple(f for f in self._filters(self.random.choice((0, 0, 1))) if f.key != day.key)
        query = Query("change", filters, "" if counted or not measure else measure.key, by=day.key)
        return self._changing(query, years, self._subject(measure, counted=counted))

    def _changing(self, query: Query, periods: Sequence[Any], subject: str) -> Asked | None:
        one, two = sorted(self.random.sample(range(len(periods)), 2))
        way = self.random.choice(("change", "percent"))
        query = replace(query, operation=way, periods=(periods[one], periods[two]))
        gold = answer(self.table, query)
        if gold is None:
            return None
        up = gold["number"] > 0
        neutral = self.random.random() < 0.4 or self.language != "en"
        direction = 2 if neutral else 0 if up else 1
        tags = (["change"] if neutral else []) + (["last"] if two == len(periods) - 1 and up else [])
        verbs = {"grow": self.random.choice(GROW[direction].split(","))}
        verbs["grown"] = self.random.choice(GROWN[direction].split(","))
        said = {"x": subject, "one": str(periods[one]), "two": str(periods[two]), **verbs}
        asked = self._asked(
            "change", ("change" if way == "change" else "change percent",), query, tags or ("",), **said
        )
        if asked and not neutral and not up:
            asked = replace(asked, answer={"number": -gold["number"]})
        return asked

    def unit(self) -> Asked | None:
        measure = self._measure()
        known = OTHER_UNITS.get(measure.concept.options.get("unit", "")) if measure else None
        asked = self.total() if known else None
        if asked is None or known is None or asked.kind != "sum" or not asked.query:
            return None
        used = self.table.column(asked.query.column).concept.options.get("unit", "")
        name, factor = OTHER_UNITS.get(used, known)
        said = f"{asked.question.rstrip('?')} in {name}?"
        gold = {"number": round(asked.answer["number"] * factor, 9), "unit": name}
        return replace(asked, kind="unit", question=said, answer=gold) if used in OTHER_UNITS else None
