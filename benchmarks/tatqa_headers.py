"""Compare header rows, header paths, sections, totals and units found in TAT-QA's tables with manual labels.

    python -m benchmarks.tatqa_headers --data DIR [--misses]

DIR contains tatqa/tatqa_dataset_dev.json: tables of financial reports as grids of strings. ``tatqa_labels.json`` labels
50 of them, drawn at random, and holds no cell: rows and columns by number from 0, the path over a column as the grid
cells whose text forms it, outermost first. Labelled so: rows of units are header rows; words over the row labels
belong to no other column; closing balances and net rows are totals, opening balances, ratios and averages are not; a
unit and a scale are labelled where the header states them for the table.
"""

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from tablerag.ingestion.document import Locator, TableBlock
from tablerag.ingestion.tables.cells import cell_text, is_period
from tablerag.ingestion.tables.header_paths import is_unit
from tablerag.ingestion.tables.table import build_table
from tablerag.ingestion.tables.typed_table import TypedTable

LABELS = Path(__file__).parent / "tatqa_labels.json"
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\bfy\d\d\b", re.IGNORECASE)
ROWS = ("title_rows", "header_rows", "section_rows", "total_rows")
Grid = list[list[str]]


@dataclass(frozen=True, slots=True)
class Reading:
    """A table's labels, or what was found in it."""

    rows: dict[str, frozenset[int]]
    paths: dict[int, str]
    """The header path of each column but the first, without units."""
    periods: frozenset[int]
    units: dict[int, tuple[str, str]]
    """Unit and scale of each column of amounts; at 0 that of the whole table, if labelled."""


def words(parts: Sequence[str]) -> str:
    """Return a path as one text to compare, without units."""
    return " ".join(" ".join(p for p in parts if not is_unit(p)).casefold().split())


def names_period(parts: Sequence[str]) -> bool:
    """Return whether a path contains a year, quarter, month or date."""
    return any(is_period(p) or YEAR.search(p) for p in parts)


def labelled(grid: Grid, label: dict[str, Any]) -> Reading:
    """Return a table's labels in the form of a reading."""
    paths = {int(c): words([cell_text(grid[r][k]) for r, k in cells]) for c, cells in label["paths"].items()}
    rows = {name: frozenset(label[name]) for name in ROWS}
    return Reading(rows, paths, frozenset(label["period_columns"]), {0: (label["unit"], label["scale"])})


def found(grid: Grid) -> Reading:
    """Return what the product finds in a grid."""
    block = TableBlock(grid, Locator(), source_columns=range(len(grid[0])))
    table = build_table(block)
    if table is None:
        return Reading(dict.fromkeys(ROWS, frozenset()), {}, frozenset(), {})
    titles = range(table.body.first_row - table.header_rows)
    data = {row.index for row in table.rows()}
    filled = {i for i, row in enumerate(grid) if any(map(cell_text, row))}
    rows = {
        "title_rows": frozenset(filled.intersection(titles)),
        "header_rows": frozenset(filled - data - table.sections - {*titles}),
        "section_rows": table.sections,
        "total_rows": table.totals,
    }
    # A column that is divided by units has its own path in the part of counts and amounts, which comes first.
    columns = [(place, i) for i in table.printed_columns if (place := table.places[i])]
    # Of tables that stand below one another, the first is labelled; its date is in the section column.
    first = tuple(name for _, name in table.body.stack.names[:1])
    paths = {place: words((*first, *table.paths[i])) for place, i in columns}
    periods = frozenset(place for place, i in columns if names_period((*first, *table.paths[i])))
    return Reading(rows, paths, periods, _units(table, columns))


def _units(table: TypedTable, columns: list[tuple[int, int]]) -> dict[int, tuple[str, str]]:
    amounts = [(place, table.columns[i]) for place, i in columns if table.columns[i].unit != "%"]
    return {
        place: (c.unit.casefold().replace("tonnes", "t").replace(" of ", "").replace(" ", ""), c.scale)
        for place, c in amounts
    }


def unit_is_right(wanted: Reading, given: Reading) -> bool:
    """Return whether the table's unit and scale are those of its period columns, or of at least one column."""
    unit, scale = wanted.units[0]
    columns = {c: u for c, u in given.units.items() if c in wanted.periods} or given.units
    right = [u for u in columns.values() if u[1] == scale and (not unit or u[0] == unit.casefold())]
    return len(right) == len(columns) if wanted.periods else bool(right)


def misses(grid: Grid, wanted: Reading, given: Reading) -> Iterator[str]:
    """Yield one line for each difference from the labels."""
    for name in ROWS:
        if wanted.rows[name] != given.rows[name]:
            missed, false = (sorted(a - b) for a, b in _both_ways(wanted.rows[name], given.rows[name]))
            texts = {i: next((t for t in map(cell_text, grid[i]) if t), "")[:50] for i in missed + false}
            yield f"{name}: missed {missed}, false {false} {texts}"
    for c, path in wanted.paths.items():
        if given.paths.get(c) != path:
            yield f"path of column {c}: wanted {path!r}, found {given.paths.get(c)!r}"
    if wanted.periods != given.periods:
        yield f"period columns: wanted {sorted(wanted.periods)}, found {sorted(given.periods)}"
    if not unit_is_right(wanted, given):
        yield f"unit: wanted {wanted.units[0]}, found {given.units}"


def _both_ways(a: frozenset[int], b: frozenset[int]) -> tuple[tuple[frozenset[int], frozenset[int]], ...]:
    return (a, b), (b, a)


def summary(pairs: Sequence[tuple[Reading, Reading]]) -> Iterator[str]:
    """Yield the figures."""
    n = len(pairs)
    for name in ("title_rows", "header_rows"):
        yield f"{name.replace('_', ' ')} exactly right: {sum(w.rows[name] == g.rows[name] for w, g in pairs)} of {n}"
    yield f"period columns exactly right: {sum(w.periods == g.periods for w, g in pairs)} of {n} tables"
    equal = [[g.paths.get(c) == path for c, path in w.paths.items()] for w, g in pairs]
    yield f"header paths equal: {sum(map(sum, equal))} of {sum(map(len, equal))}, all of {sum(map(all, equal))} tables"
    for name in ("section_rows", "total_rows"):
        both, missed, false = (
            sum(len(operation(w.rows[name], g.rows[name])) for w, g in pairs)
            for operation in (frozenset.intersection, frozenset.difference, lambda w, g: g - w)
        )
        yield f"{name.replace('_', ' ')}: {both} found, {missed} missed, {false} false"
    stated = [(w, g) for w, g in pairs if any(w.units[0])]
    yield f"unit and scale right where stated: {sum(unit_is_right(*p) for p in stated)} of {len(stated)}"
    others = [g for w, g in pairs if not any(w.units[0])]
    without = sum(not (g.units and all(s for _, s in g.units.values())) for g in others)
    yield f"no scale for the whole table where none is stated: {without} of {len(others)}"


def main() -> None:
    """Print the figures and, on request, each difference from the labels."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    console = Console()
    documents = json.loads((options.data / "tatqa" / "tatqa_dataset_dev.json").read_text(encoding="utf-8"))
    grids = {d["table"]["uid"]: d["table"]["table"] for d in documents}
    labels = json.loads(LABELS.read_text(encoding="utf-8"))
    pairs = []
    for uid, label in labels.items():
        wanted, given = labelled(grids[uid], label), found(grids[uid])
        pairs.append((wanted, given))
        for miss in misses(grids[uid], wanted, given) if options.misses else ():
            console.print(f"{uid[:8]} {miss}", markup=False, highlight=False, soft_wrap=True)
    for line in summary(pairs):
        console.print(line, highlight=False)


if __name__ == "__main__":
    main()
