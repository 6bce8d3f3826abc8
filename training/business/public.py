"""Reads real CSV files as typed tables, so that the same questions can be composed over them.

Files that may be used, by their own statements: github.com/fivethirtyeight/data (CC BY 4.0), and of
github.com/vega/vega-datasets, by its datapackage.json: airports, birdstrikes, flights-airport, global-temp,
iowa-electricity, population_engineers_hurricanes, seattle-weather, species, us-employment and weather (public domain);
co2-concentration, gapminder-health-income and zipcodes (CC BY 4.0); github, lookup_groups and lookup_people (BSD-3-
Clause). Its disasters, la-riots, sp500, stocks and windvectors state no license, or terms of their own: leave them out.
The files are not part of this repository.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from training.business.lexicon import Concept, TableSpec, plural_of
from training.business.tables import Column, Table

__all__ = ["public_tables", "saved"]

MOST_ROWS, LEAST_ROWS = 300, 8
MOST_COLUMNS, LEAST_COLUMNS = 24, 3
LONGEST_NAME = 40
MOST_ALIKE = 2
"""Most files with the same headers, such as forecasts of every week."""
MOST_VALUES = 40
"""Different values of a column to group by."""
ROW = "row"
"""The key of tables without names for their rows; it is not written."""
DATES = ("%Y-%m-%d", "%m/%d/%Y", "%m/%d/%y", "%Y/%m/%d")
FLAGS = {"yes": True, "no": False, "true": True, "false": False}
EMPTY = {"", "na", "n/a", "nan", "null", "none", "-", "--", "?"}
AVERAGED = re.compile(
    r"%|percent|pct|share|rate|ratio|rank|score|index|avg|average|mean|median|year|age|per|elo|prob|lat|lon|temp|month|day|code|zip|id$",
    re.I,
)
"""Headers of numbers whose sum means nothing."""


def public_tables(folder: Path) -> Iterator[Table]:
    """Yield a typed table for each CSV file below a folder that has columns to ask about."""
    seen: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.csv")):
        try:
            with path.open(encoding="utf-8-sig", newline="") as opened:
                lines = [line for line, _ in zip(csv.reader(opened), range(MOST_ROWS + 1), strict=False)]
        except (UnicodeDecodeError, csv.Error):
            continue
        table = _typed(lines, path, folder)
        if table and seen[str(lines[0])] < MOST_ALIKE:
            seen[str(lines[0])] += 1
            yield table


def saved(table: Table, folder: Path) -> None:
    """Write the rows that were read as a CSV file, with the headers of the original."""
    name = table.files[0]
    columns = table.columns if table.named else table.columns[1:]
    with (folder / name).open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened, lineterminator="\n")
        writer.writerow([c.concept.headers["en"][0] for c in columns])
        table.headers = {c.key: c.concept.headers["en"][0] for c in columns}
        for row in table.rows:
            writer.writerow([_written(row[c.key]) for c in columns])
    table.files = (f"docs/{name}",)


def _written(cell: Any) -> Any:
    return ("yes" if cell else "no") if isinstance(cell, bool) else "" if cell is None else cell


def _typed(lines: Sequence[Sequence[str]], path: Path, folder: Path) -> Table | None:
    if len(lines) <= LEAST_ROWS or not LEAST_COLUMNS <= len(lines[0]) <= MOST_COLUMNS:
        return None
    headers, rows = lines[0], [line for line in lines[1:] if len(line) == len(lines[0])]
    if len(set(headers)) < len(headers) or not all(map(_spoken, headers)) or len(rows) < LEAST_ROWS:
        return None
    columns, cells = [], []
    for header, texts in zip(headers, zip(*rows, strict=True), strict=True):
        kind, values = _column(header, [t.strip() for t in texts])
        if kind:
            columns.append(Column(header.replace(".", " "), _concept(header, kind)))
            cells.append(values)
    if len(columns) < LEAST_COLUMNS:
        return None
    key = next((n for n, column in enumerate(columns) if column.kind == "name"), None)
    if key is None:
        columns.insert(0, Column(ROW, Concept(ROW, "id", {}, {"en": (ROW,)}, {"en": (ROW,)})))
        cells.insert(0, list(range(len(rows))))
    else:
        columns.insert(0, columns.pop(key))
        cells.insert(0, cells.pop(key))
    name = "-".join(path.relative_to(folder).with_suffix("").parts[-2:])
    noun, about = _spoken(columns[0].key).removesuffix(" name"), " ".join(re.findall(r"[^\W_]+", path.stem)).lower()
    several = plural_of(noun)  # other tables of the corpus may be of the same things: say which table
    nouns = {"en": ((f"{noun} in {about}", f"{several} in {about}"), (f"{about} {noun}", f"{about} {several}"))}
    spec = TableSpec(name, nouns, (), len(rows), len(rows), (), (), ())
    made = [dict(zip([c.key for c in columns], line, strict=True)) for line in zip(*cells, strict=True)]
    return Table(spec, tuple(columns), made, files=(f"{name}.csv",), named=key is not None)


def _spoken(header: str) -> str:
    """Return a header as words: medianIncome_2020 is median income 2020; empty if it is too long to be said."""
    words = re.sub(r"[^\w%$]+|_", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", header)).split()
    return " ".join(words).lower() if len(words) <= 6 else ""


def _concept(header: str, kind: str) -> Concept:
    spoken = _spoken(header)
    frame = "year" if re.search(r"\b(year|season)\b", spoken) else "any"
    options = {"frame": frame} | ({"use": "count"} if kind == "num" else {})
    options |= {"yes": spoken, "no": f"not {spoken}"} if kind == "bool" else {}
    return Concept(header, kind, options, {"en": (header,)}, {"en": (spoken,)})


def _column(header: str, texts: Sequence[str]) -> tuple[str, list[Any]]:
    """Return the kind of a column and its values; an empty kind for one that is not asked about."""
    filled = [t for t in texts if t.casefold() not in EMPTY]
    different = len(set(filled))
    if len(filled) < 0.7 * len(texts) or different < 2:
        return "", []
    if all(t.casefold() in FLAGS for t in filled):
        return "bool", [FLAGS.get(t.casefold()) for t in texts]
    for form in DATES:
        if all(_day(t, form) for t in filled):
            return "date", [_day(t, form) for t in texts]
    if all(re.fullmatch(r"-?[\d,]*\.?\d+", t) for t in filled):
        numbers = [_number(t) if t.casefold() not in EMPTY else None for t in texts]
        if re.search(r"\b(year|season)\b", _spoken(header)) and different <= MOST_VALUES:
            return "cat", numbers
        if different == 2:
            return "", []
        return "rate" if AVERAGED.search(header) or any(n is not None and n % 1 for n in numbers) else "num", numbers
    if max(map(len, filled)) > LONGEST_NAME:
        return "", []
    values = [t if t.casefold() not in EMPTY else None for t in texts]
    if different == len(texts):
        return "name", values
    return ("cat", values) if different <= min(MOST_VALUES, 0.5 * len(texts)) else ("", [])


def _day(text: str, form: str) -> date | None:
    try:
        return datetime.strptime(text, form).date()
    except ValueError:
        return None


def _number(text: str) -> float:
    value = float(text.replace(",", ""))
    return int(value) if value.is_integer() and "." not in text else value
