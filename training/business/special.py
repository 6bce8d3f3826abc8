"""Follow-ups, questions without an answer, and those over wide tables and two versions of one."""

from collections.abc import Callable
from dataclasses import replace

from training.business.drawing import Asked
from training.business.kinds import Kinds
from training.business.lexicon import concepts, pool
from training.business.phrasing import Speaker
from training.business.queries import Filter, Query, answer, period_of
from training.business.tables import Column

__all__ = ["Special"]

STRANGERS = ("Acme Tools", "Zürich Depot", "Orion-7", "Walter Quist")
"""Names that no table has."""


class Special(Kinds):
    """Draws these questions too."""

    def followed(self) -> Asked | None:
        first = self.random.choice((self.count, self.total, self.average, self.grouped, self.listed))()
        if first is None or not first.query or not first.query.filters and first.query.operation != "group":
            return None
        ways: tuple[Callable[[Asked], Asked | None], ...] = (
            self._other_value,
            self._other_group,
            self._other_measure,
            self._narrower,
        )
        second = self.random.choice(ways)(first)
        return replace(second, kind="follow-up", before=first) if second else None

    def _other_value(self, first: Asked) -> Asked | None:
        query = first.query
        assert query is not None
        last = query.filters[-1] if query.filters else None
        if last is None or last.operator not in ("=", "year", "month") or len(last.values) > 1:
            return None
        cells = [r[last.key] for r in self.rows if r.get(last.key) is not None]
        if self.table.column(last.key).kind == "bool":
            return None
        others = {c if last.operator == "=" else period_of(c, last.operator) for c in cells} - {last.values[0]}
        if not others:
            return None
        other = replace(last, values=(self.random.choice(sorted(others, key=str)),))
        column = self.table.column(last.key)
        value = self.speaker._filter_value(column, other, other.values[0])
        said = Query(query.operation, (other,), query.column)
        spoken = self.speaker.say(("follow value",), replace(said, operation="count"), v=value)
        whole = replace(query, filters=(*query.filters[:-1], other))
        gold = answer(self.table, whole)
        return Asked("", spoken[0], gold, self.table, whole, spoken[1]) if spoken and gold else None

    def _other_group(self, first: Asked) -> Asked | None:
        group, query = self._category(), first.query
        if query is None or group is None or query.operation != "group" or group.key == query.group or query.by:
            return None
        return self._asked("", ("follow group",), replace(query, group=group.key))

    def _other_measure(self, first: Asked) -> Asked | None:
        measure, query = self._measure(), first.query
        if query is None or measure is None or query.operation not in ("sum", "avg") or measure.key == query.column:
            return None
        return self._asked("", ("follow measure",), replace(query, column=measure.key))

    def _narrower(self, first: Asked) -> Asked | None:
        query, more = first.query, self._filters(1)
        if (
            query is None
            or query.operation not in ("list", "count")
            or not more
            or more[0].key in {f.key for f in query.filters}
        ):
            return None
        way = self.random.choice(("list", "count"))
        whole = Query(way, query.filters + more)
        gold = answer(self.table, whole)
        said = self.speaker.say((f"follow {'narrow' if way == 'list' else 'count'}",), Query(way, more), ("list",))
        return (
            Asked("", said[0], gold, self.table, whole, said[1])
            if said and gold and "How many" not in said[0][:8] * (way == "list")
            else None
        )

    def unknown(self) -> Asked | None:
        """Ask for a column, or of an entity, that no table of the corpus has."""
        known = {w for t in self.tables for c in t.columns for lang in (self.language,)
            for w in (*c.words(lang), *(h.lower() for h in c.concept.headers[lang]))}  # fmt: skip
        measured = {c.concept.options.get("use") for t in self.tables for c in t.columns}
        measures = (c for c in concepts().values() if c.kind in ("num", "rate"))
        alien = [c for c in measures if known.isdisjoint(c.words[self.language])
            and c.options.get("use") not in (measured & {"income", "cost", "salary", "time"})]  # fmt: skip
        if not alien:
            return None
        concept = self.random.choice(alien)
        name = self.random.choice(self.rows)[self.table.label.key]
        if self.random.random() < 0.3 or not self.table.named:
            used = {str(v) for t in self.tables for r in t.rows for v in r.values()}
            name = self.random.choice(
                [
                    p
                    for p in ("Acme Tools", "Zürich Depot", "Orion-7", "Walter Quist", *pool("country"))
                    if p not in used
                ]
            )
        word = self.random.choice(concept.words[self.language])
        article = concept.articles.get(self.language, "")
        group = self._category()
        query = Query("sum", self._filters(1), group=group.key if group else "")
        slots = {"col": word, "m": word, "dm": article + word, "entity": str(name), "high": "highest"}
        said = self.speaker.say(("unknown",), query, **slots)
        return Asked("none", said[0], {"none": True}, self.table, None, said[1]) if said else None

    def _wide_words(self) -> tuple[Column, Column]:
        return self.table.columns[0], self.table.columns[1]

    def _wide(self, kind: str, form: str, query: Query, **extra: str) -> Asked | None:
        gold = answer(self.table, query)
        said = self.speaker.say((form,), query, ("desc",) if query.descending else ("asc",), **extra) if gold else None
        return Asked(kind, said[0], gold, self.table, query, said[1]) if said and gold else None

    def wide_lookup(self) -> Asked | None:
        entity, measure = self._wide_words()
        row = self.random.choice(self.rows)
        filters = tuple(Filter(key, "=", (row[key],)) for key in (entity.key, "period"))
        return self._wide("lookup", "wide lookup", Query("lookup", filters, measure.key), period=row["period"],
            entity=self.speaker.value(entity, row[entity.key]))  # fmt: skip

    def wide_total(self) -> Asked | None:
        period = self.random.choice(self.table.periods)
        query = Query("sum", (Filter("period", "=", (period,)),), self._wide_words()[1].key)
        return self._wide("sum", "wide total", query, period=period)

    def wide_best(self) -> Asked | None:
        entity, measure = self._wide_words()
        period = self.random.choice(self.table.periods)
        query = Query("best", (Filter("period", "=", (period,)),), measure.key, entity.key,
            descending=self.random.random() < 0.7, k=self.random.choice((1, 1, 3)))  # fmt: skip
        query = replace(query, descending=query.k > 1 or query.descending)
        return self._wide("superlative", "top groups" if query.k > 1 else "best group", query, base=f" in {period}")

    def wide_changed(self) -> Asked | None:
        entity, measure = self._wide_words()
        name = self.random.choice(self.rows)[entity.key] if self.random.random() < 0.6 else None
        filters = (Filter(entity.key, "=", (name,)),) if name else ()
        query = Query("change", filters, measure.key, by="period")
        return self._changing(query, self.table.periods, self._subject(measure, counted=False))

    def wide_grouped(self) -> Asked | None:
        entity, measure = self._wide_words()
        period = self.random.choice(self.table.periods)
        query = Query("group", (Filter("period", "=", (period,)),), measure.key, entity.key)
        return self._wide("group", "group sum", query, base=f" in {period}")

    def versions(self) -> Asked | None:
        table = self.table
        before = {r[table.key.key]: r for r in table.earlier}
        after = {r[table.key.key]: r for r in table.rows}
        way, label = self.random.choice(("added", "removed", "changed")), table.label.key
        query = Query(way)
        if way == "added":
            names = [r[label] for k, r in after.items() if k not in before]
        elif way == "removed":
            names = [r[label] for k, r in before.items() if k not in after]
        else:
            measure = next((c for c in table.columns if c.kind in ("num", "rate")), None)
            if measure is None:
                return None
            query = replace(query, column=measure.key)
            names = [r[label] for k, r in after.items() if k in before and before[k][measure.key] != r[measure.key]]
        said = Speaker(table, self.language, self.random).say((way,), query, one="2024", two="2025",
            file=self.random.choice(("list", "file", "version")))  # fmt: skip
        items = list(dict.fromkeys(n for n in names if n is not None))
        return Asked("versions", said[0], {"items": items}, table, query, said[1]) if said and items else None
