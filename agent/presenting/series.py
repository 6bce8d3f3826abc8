"""Chart data of results that are series: one column of labels or periods, and one or two of numbers."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal

from tablerag.agent.presenting.values import MONTHS, is_name, is_number, scale_word, value_text
from tablerag.tools.records import Cell, Record
from tablerag.tools.sql.columns.column import ResultColumn

__all__ = ["Chart", "Series", "chart_of"]

LEAST_POINTS = 3
MOST_BARS = 50
MOST_POINTS = 400
MOST_RATIO = 20
"""A second series whose values are so many times smaller or larger would look flat."""
MONTH_PLACES = {name[:length].casefold(): i for i, name in enumerate(MONTHS, 1) for length in (3, len(name))}
DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[ T].*)?")
MONTH = re.compile(r"(\d{4})-(\d{2})")
YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
QUARTER = re.compile(r"(?:(\d{4})[- /]?)?Q([1-4])(?:[- /]?(\d{4}))?", re.IGNORECASE)


class Series(Record):
    """The values of one line, or of the bars of one colour."""

    name: str
    values: tuple[float | None, ...]
    unit: str = ""
    scale: str = ""


class Chart(Record):
    """A result as a chart: a line over periods, in their order, or a bar for each label."""

    kind: Literal["line", "bar"]
    label: str
    """The header of the labels."""
    labels: tuple[str, ...]
    at: tuple[float, ...] = ()
    """Where each label is on the time axis; empty for bars."""
    series: tuple[Series, ...]
    apart: tuple[Series, ...] = ()
    """A series of another unit or size than the first: it needs an axis of its own."""


def chart_of(
    columns: Sequence[ResultColumn], headers: Sequence[str], rows: Sequence[Sequence[Cell]], *, truncated: bool
) -> Chart | None:
    """Return the chart data of a result; None if it is no series, or too long for a chart."""
    numbers = [i for i, c in enumerate(columns) if _counts(c, [r[i] for r in rows])]
    others = [i for i in range(len(columns)) if i not in numbers]
    if truncated or not LEAST_POINTS <= len(rows) <= MOST_POINTS or len(others) != 1 or not 1 <= len(numbers) <= 2:
        return None
    label = others[0]
    labels = [value_text(row[label], columns[label]) for row in rows]
    if "" in labels or len(set(labels)) < len(labels):
        return None
    at = [_place(text) for text in labels]
    places = [p for p in at if p is not None]
    ordered = len(places) == len(set(places)) == len(labels)
    if not ordered and len(rows) > MOST_BARS:
        return None
    order = sorted(range(len(rows)), key=lambda i: at[i] or 0) if ordered else list(range(len(rows)))
    together, apart = _series(columns, headers, [rows[i] for i in order], numbers)
    return Chart(
        kind="line" if ordered else "bar",
        label=headers[label],
        labels=tuple(labels[i] for i in order),
        at=tuple(at[i] or 0 for i in order) if ordered else (),
        series=tuple(together),
        apart=tuple(apart),
    )


def _counts(column: ResultColumn, cells: Sequence[Cell]) -> bool:
    """Return whether a column's values are amounts."""
    filled = [c for c in cells if c is not None]
    numbers = [c for c in filled if isinstance(c, int | float) and is_number(c)]
    return bool(filled) and len(numbers) == len(filled) and not any(is_name(n, column) for n in numbers)


def _series(
    columns: Sequence[ResultColumn], headers: Sequence[str], rows: Sequence[Sequence[Cell]], numbers: Sequence[int]
) -> tuple[list[Series], list[Series]]:
    """Return the series that share an axis, and the one that does not."""
    found = []
    for i in numbers:
        values = tuple(
            float(v) if isinstance(v, float) else v for v in (row[i] for row in rows) if not isinstance(v, str)
        )
        found.append(Series(name=headers[i], values=values, unit=columns[i].unit, scale=scale_word(columns[i].scale)))
    largest = [max(abs(v or 0) for v in s.values) for s in found]
    units = {(s.unit, s.scale) for s in found}
    alike = len(units) == 1 and max(largest) <= MOST_RATIO * min(largest)
    return (found, []) if alike else (found[:1], found[1:])


def _place(text: str) -> float | None:
    """Return where a period is on the time axis, in years; None for other texts."""
    if found := DAY.fullmatch(text):
        try:
            return date(*map(int, found.groups())).toordinal() / 365.25
        except ValueError:
            return None
    if found := MONTH.fullmatch(text):
        return int(found[1]) + (int(found[2]) - 1) / 12
    if YEAR.fullmatch(text):
        return float(text)
    if found := QUARTER.fullmatch(text):
        return int(found[1] or found[3] or 0) + (int(found[2]) - 1) / 4
    word, _, year = text.casefold().rstrip(".").partition(" ")
    if word.rstrip(".") in MONTH_PLACES and (not year or YEAR.fullmatch(year)):
        return int(year or 0) + (MONTH_PLACES[word.rstrip(".")] - 1) / 12
    return None
