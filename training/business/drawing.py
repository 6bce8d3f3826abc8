"""Draws what queries are made of over a table: columns, filters, and the wording of the result."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from training.business.phrasing import Speaker
from training.business.queries import Filter, Query, answer, described, period_of, selected
from training.business.tables import Column, Row, Table

__all__ = ["Asked", "Drawing"]

MOST_ITEMS = 20


@dataclass(frozen=True)
class Asked:
    """One question; ``before`` is the one that it follows up."""

    kind: str
    question: str
    answer: dict[str, Any]
    table: Table
    query: Query | None
    form: str
    before: "Asked | None" = None

    def record(self) -> dict[str, Any]:
        """Return what questions.jsonl says of it, but for the ids."""
        keys = (self.query.column, self.query.group, self.query.by) if self.query else ()
        filtered = [f.key for f in self.query.filters] if self.query else []
        periods = {f.key: f.values[0] for f in self.query.filters if f.key == "period"} if self.query else {}
        used = [k for k in dict.fromkeys([*keys, *filtered]) if k and k not in ("month", "quarter", "year")]
        return {
            "kind": self.kind, "question": self.question, "answer": self.answer, "files": list(self.table.files),
            "how": described(self.query) if self.query else "not in the documents", "form": self.form,
            "columns": [str(periods.get(k)) if k in periods else self.table.header(k) for k in used],
        }  # fmt: skip


class Drawing:
    """Draws parts of questions over one table; methods return None where the table lacks something."""

    def __init__(self, table: Table, tables: Sequence[Table], language: str, random_: random.Random) -> None:
        self.table, self.tables, self.language, self.random = table, tables, language, random_
        scope = ""
        if table.shape == "versions":
            scope = random_.choice({"en": ("in the 2025 list", "in 2025", "as of 2025", "in the latest list"),
                "de": ("in der Liste 2025", "2025"), "fr": ("dans la liste 2025", "en 2025")}[language])  # fmt: skip
        self.speaker = Speaker(table, language, random_, scope)
        self.columns = list(table.reachable())
        self.rows = table.joined()

    def _drawn(self, kinds: Sequence[str], *, own: bool = False) -> Column | None:
        found = [c for c in self.columns if c.kind in kinds and c is not self.table.key and not (own and c.via)]
        found += [c for c in found if not c.via] * 2
        return self.random.choice(found) if found else None

    def _measure(self, kinds: Sequence[str] = ("num",)) -> Column | None:
        measures = [c for c in self.table.columns if c.kind in kinds]
        return self.speaker.pick(measures) if measures else None  # type: ignore[arg-type]

    def _category(self) -> Column | None:
        columns = [c for c in self.columns if self._is_category(c)]
        columns += [c for c in columns if not c.via] * 2
        return self.random.choice(columns) if columns else None

    def _is_category(self, column: Column) -> bool:
        if column.key == self.table.label.key or column.kind not in ("cat", "name"):
            return False
        values = [r.get(column.key) for r in self.rows]
        return 1 < len(set(values)) < max(3, 0.7 * len(values))

    def _filters(self, count: int) -> tuple[Filter, ...]:
        """Draw filters on different columns, together satisfied by some rows."""
        filters: list[Filter] = []
        rows = self.rows
        for _ in range(count * 3):
            filter_ = self._filter(rows) if rows and len(filters) < count else None
            if filter_ and filter_.key not in {f.key for f in filters}:
                narrower = selected(rows, [filter_])
                if 0 < len(narrower) < len(rows):
                    filters.append(filter_)
                    rows = narrower
        return tuple(filters)

    def _filter(self, rows: Sequence[Row]) -> Filter | None:
        way = self.random.random()
        row = self.random.choice(rows)
        if way < 0.55:
            column = self._category()
            if column is None or row.get(column.key) is None:
                return None
            other = self.random.choice(rows).get(column.key)
            several = self.random.random() < 0.06 and other not in (None, row[column.key])
            return Filter(column.key, "=", (row[column.key], other) if several else (row[column.key],))
        if way < 0.83:
            column = self._drawn(("date", "date", "date2"), own=True)
            return self._date_filter(column, row[column.key]) if column and row.get(column.key) else None
        if way < 0.93:
            column = self._drawn(("bool",))
            known = column and row.get(column.key) is not None
            return Filter(column.key, "=", (row[column.key],)) if column and known else None
        column = self._drawn(("num", "rate"), own=True)
        return self._bounded(column, row[column.key]) if column and row.get(column.key) else None

    def _date_filter(self, column: Column, day: date) -> Filter:
        operator = self.random.choice(
            "year year year month month month quarter quarter after since before between".split()
        )
        if operator in ("year", "month", "quarter"):
            return Filter(column.key, operator, (period_of(day, operator),))
        if self.random.random() < 0.6 and operator != "between":
            bounds = {"after": (12, 31), "since": (1, 1), "before": (1, 1)}[operator]
            return Filter(column.key, operator, (date(day.year, *bounds),))
        later = self.random.choice([r[column.key] for r in self.rows if r.get(column.key)])
        return Filter(column.key, operator, (min(day, later), max(day, later)) if operator == "between" else (day,))

    def _bounded(self, column: Column, value: float) -> Filter:
        digits = 10 ** max(0, len(str(int(value))) - 2)
        bound = round(value / digits) * digits
        if self.random.random() < 0.2:
            return Filter(column.key, "range", (bound, bound + 10 * digits))
        return Filter(column.key, self.random.choice((">", "<")), (bound,))

    def _asked(
        self, kind: str, forms: Sequence[str], query: Query, tags: Sequence[str] = (), **extra: str
    ) -> Asked | None:
        gold = answer(self.table, query)
        if gold is None or len(gold.get("items", ())) > MOST_ITEMS:
            return None
        said = self.speaker.say(forms, query, tags or self._tags(query), **extra)
        if said is None:
            return None
        keys = (query.column, query.group, *(f.key for f in query.filters))
        if any("." in key for key in keys):
            kind = "join"
        return Asked(kind, said[0], gold, self.table, query, said[1])

    def _tags(self, query: Query) -> tuple[str, ...]:
        """Return the tags of the wordings that fit a query."""
        tags = ["desc" if query.descending else "asc"]
        who = self.table.label.concept.options.get("who")
        if (
            who
            and query.filters
            and self.table.column(query.filters[-1].key).concept.options.get("frame") in ("dept", "place")
        ):
            tags.append("works")
        if query.operation == "best" and query.column and query.descending:
            money = self.table.column(query.column).concept.options.get("use") in ("income", "cost")
            tags.append(self.table.column(query.group).concept.options.get("frame", "") if money else "")
        return tuple(tags)

    def _use(self, column: Column) -> str:
        return column.concept.options.get("use", "rate")
