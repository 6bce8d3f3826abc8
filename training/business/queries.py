"""What a question asks of a typed table, and its answer, computed from the rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from training.business.tables import Row, Table

__all__ = ["Filter", "Query", "answer", "described", "period_of", "selected"]


@dataclass(frozen=True)
class Filter:
    """A condition on a column: = | not | > | < | range | year | month | quarter | after | since | before | between."""

    key: str
    operator: str
    values: tuple[Any, ...]

    def holds(self, row: Row) -> bool:
        """Return whether a row satisfies it; an empty cell satisfies none."""
        cell = row.get(self.key)
        if cell is None:
            return False
        first = self.values[0]
        if self.operator in ("year", "month", "quarter"):
            return period_of(cell, self.operator) == first
        tests: dict[str, Callable[[], bool]] = {
            "=": lambda: cell in self.values,
            "not": lambda: cell != first,
            ">": lambda: cell > first,
            "<": lambda: cell < first,
            "range": lambda: first <= cell <= self.values[1],
            "after": lambda: cell > first,
            "since": lambda: cell >= first,
            "before": lambda: cell < first,
            "between": lambda: first <= cell <= self.values[1],
        }
        return tests[self.operator]()


@dataclass(frozen=True)
class Query:
    """An operation over the rows that satisfy all filters."""

    operation: str
    """count | sum | avg | share | list | top | second | extreme | latest | group | best | less | change | percent."""
    filters: tuple[Filter, ...] = ()
    column: str = ""
    """The column to measure or show; empty counts rows."""
    group: str = ""
    """The column to group by; month, quarter or year groups by the column ``by``."""
    by: str = ""
    statistic: str = "sum"
    """Of groups: sum | avg | count."""
    k: int = 1
    descending: bool = True
    periods: tuple[Any, Any] | None = None


def period_of(day: date, period: str) -> str:
    """Return the year, quarter or month of a date: 2025, 2025-Q1, 2025-03."""
    if period == "year":
        return str(day.year)
    return f"{day.year}-Q{(day.month + 2) // 3}" if period == "quarter" else f"{day.year}-{day.month:02}"


def selected(rows: Sequence[Row], filters: Sequence[Filter]) -> list[Row]:
    """Return the rows that satisfy all filters."""
    return [row for row in rows if all(f.holds(row) for f in filters)]


def answer(table: Table, query: Query) -> dict[str, Any] | None:
    """Return the gold answer; None if it is trivial, tied or empty."""
    everything = table.joined()
    rows = selected(everything, query.filters)
    if not rows or query.filters and len(rows) == len(everything):
        return None
    if not table.named and query.operation in ("list", "less", "top", "latest", "lookup"):
        return None
    values = [row[query.column] for row in rows if row.get(query.column) is not None] if query.column else []
    match query.operation:
        case "count":
            return {"number": len(rows)}
        case "sum" | "avg":
            return _number(sum(values) / (1 if query.operation == "sum" else len(values))) if values else None
        case "share":
            return _share(everything, rows, query)
        case "list" | "less":
            return _listed(table, rows, query)
        case "lookup":
            return _cell(values[0]) if len({str(v) for v in values}) == 1 else None
        case "extreme":
            return _number(max(values) if query.descending else min(values)) if len(set(values)) > 2 else None
        case "top" | "latest":
            return _top(table, rows, query)
        case "group":
            return _groups(rows, query)
        case "best":
            return _best(rows, query)
        case _:
            return _change(rows, query)


def _number(value: float) -> dict[str, Any]:
    return {"number": round(value, 6)}


def _cell(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"text": "yes" if value else "no", "also": ["ja", "oui", "true"] if value else ["nein", "non", "false"]}
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, date):
        return {"text": value.isoformat(), "also": [f"{value:%d.%m.%Y}", f"{value.day} {value:%B %Y}"]}
    return {"text": str(value)}


def _share(everything: Sequence[Row], rows: Sequence[Row], query: Query) -> dict[str, Any] | None:
    """Share of the rows, or of a column's sum, that satisfies the last filter too."""
    whole = selected(everything, query.filters[:-1])
    if query.column:
        part, all_ = (sum(r[query.column] or 0 for r in part) for part in (rows, whole))
    else:
        part, all_ = len(rows), len(whole)
    return _number(100 * part / all_) if all_ and 0 < part < all_ else None


def _listed(table: Table, rows: Sequence[Row], query: Query) -> dict[str, Any] | None:
    if query.operation == "less":
        rows = [r for r in rows if None not in (r[query.column], r[query.by]) and r[query.column] < r[query.by]]
        if query.statistic == "count":
            return {"number": len(rows)} if rows else None
    items = list(dict.fromkeys(r[table.label.key] for r in rows if r[table.label.key] is not None))
    return {"items": items} if 0 < len(items) <= 40 else None


def _top(table: Table, rows: Sequence[Row], query: Query) -> dict[str, Any] | None:
    """The k-th row, or the first k for a list, by a column; ties are no answer."""
    ranked = sorted((r for r in rows if r[query.by] is not None), key=lambda r: r[query.by], reverse=query.descending)
    count = query.k
    nearby = [r[query.by] for r in ranked[: count + 1]]
    if len(nearby) <= count or len(set(nearby)) < len(nearby):
        return None
    shown = [r[query.column or table.label.key] for r in ranked[:count]]
    if query.statistic == "nth" or count == 1:
        return _cell(shown[-1]) if shown[-1] is not None else None
    return {"items": shown, "ordered": True} if len(set(shown)) == count else None


def _keyed(rows: Sequence[Row], query: Query) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for row in rows:
        key = row.get(query.by or query.group)
        if key is None or (query.column and row.get(query.column) is None):
            continue
        name = period_of(key, query.group) if query.by else key
        groups.setdefault(name, []).append(row[query.column] if query.column else 1)
    mean = query.statistic == "avg"
    return {k: round(sum(v) / (len(v) if mean else 1), 6) for k, v in groups.items()}


def _groups(rows: Sequence[Row], query: Query) -> dict[str, Any] | None:
    keyed = _keyed(rows, query)
    keys = sorted(keyed) if query.by else list(keyed)
    if not 2 <= len(keyed) <= 40:
        return None
    named = [("yes" if k else "no") if isinstance(k, bool) else k for k in keys]
    return {"rows": [[name, keyed[key]] for name, key in zip(named, keys, strict=True)]}


def _best(rows: Sequence[Row], query: Query) -> dict[str, Any] | None:
    keyed = _keyed(rows, query)
    ranked = sorted(keyed.items(), key=lambda item: item[1], reverse=query.descending)
    nearby = [v for _, v in ranked[: query.k + 1]]
    if len(nearby) <= query.k or len(set(nearby)) < len(nearby):
        return None
    names = [k for k, _ in ranked[: query.k]]
    return {"items": names, "ordered": True} if query.k > 1 else _cell(names[0])


def _change(rows: Sequence[Row], query: Query) -> dict[str, Any] | None:
    """The change between two periods, by ``by``: a date's years, or the period column of a wide table."""
    assert query.periods is not None
    sums = []
    for period in query.periods:
        part = [r for r in rows if (r[query.by] if query.by == "period" else str(r[query.by].year)) == str(period)]
        sums.append(sum(r[query.column] or 0 for r in part) if query.column else len(part))
    before, after = sums
    if not before or not after or before == after:
        return None
    return _number(after - before if query.operation == "change" else 100 * (after - before) / before)


def described(query: Query) -> str:
    """Return the query in one line, for the record."""
    conditions = " and ".join(f"{f.key} {f.operator} {', '.join(map(str, f.values))}" for f in query.filters)
    parts = [query.operation, query.column, f"by {query.by or query.group}" if query.by or query.group else ""]
    parts += [query.statistic if query.group else "", f"k={query.k}" if query.k > 1 else ""]
    parts += ["" if query.descending else "ascending", f"where {conditions}" if conditions else ""]
    parts += [f"{query.periods[0]} to {query.periods[1]}" if query.periods else ""]
    return " ".join(p for p in parts if p)


def narrowed(query: Query, *filters: Filter) -> Query:
    """Return a query over fewer rows."""
    return replace(query, filters=query.filters + filters)
