"""Score column typing against manual labels for columns of WikiTableQuestions' training tables.

    python -m benchmarks.typing_columns --data DIR [--misses]

DIR contains wikitq/. ``typing_labels.tsv`` labels 500 columns drawn at random, ``typing_supplement.tsv`` 160 more
with types that are rare among those, ``typing_heldout.tsv`` 200 that were not looked at while typing was written (120
at random, 80 with digits that are not plain numbers). The files name table, column and type, and contain no cells.
Precision is the share of right ones among the columns given a type, recall the share found of those labelled.
"""

import argparse
import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.wikipages import read_csv
from tablerag.ingestion.tables.typing import TypedColumn, type_column

HERE = Path(__file__).parent
SETS = {
    "drawn at random": "typing_labels.tsv",
    "supplement of rare types": "typing_supplement.tsv",
    "held out while typing was written": "typing_heldout.tsv",
}
LABELS = {"partial date": "partial_date", "yearless date": "partial_date"}


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled column and its detected type."""

    place: str
    wanted: str
    found: str
    cells: tuple[str, ...]


def label_of(column: TypedColumn) -> str:
    """Return the label for a typed column."""
    return LABELS.get(column.kind, column.kind) or column.type


def judged(data: Path, labels: Path) -> list[Judged]:
    """Type every labelled column by its header and all its cells."""
    found = []
    with labels.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            header, *body = read_csv(data / "wikitq" / row["context"])
            index = int(row["column"])
            cells = [r[index] if index < len(r) else "" for r in body]
            column = type_column(" ".join(header[index].split()), cells)
            place = f"{row['context']} [{index}] {header[index]}"
            found.append(Judged(place, row["label"], label_of(column), tuple(cells)))
    return found


def view(title: str, columns: Sequence[Judged]) -> Table:
    """Return a table of precision and recall per type."""
    table = Table(title=title, title_justify="left")
    for name in ("type", "labelled", "given", "right", "precision", "recall"):
        table.add_column(name, justify="left" if name == "type" else "right")
    wanted, given = Counter(c.wanted for c in columns), Counter(c.found for c in columns)
    right = Counter(c.wanted for c in columns if c.wanted == c.found)
    for name in sorted({*wanted, *given}, key=lambda n: -wanted[n]):
        precision = f"{right[name] / given[name]:.0%}" if given[name] else "-"
        recall = f"{right[name] / wanted[name]:.0%}" if wanted[name] else "-"
        table.add_row(name, *map(str, (wanted[name], given[name], right[name])), precision, recall)
    table.caption = f"{right.total()} of {len(columns)} columns right ({right.total() / len(columns):.1%})"
    return table


def main() -> None:
    """Print a table for each set and for both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    console = Console()
    both: list[Judged] = []
    for title, name in SETS.items():
        columns = judged(options.data, HERE / name)
        both += columns
        console.print(view(f"{len(columns)} columns, {title}", columns))
    console.print(view("all", both))
    for c in both if options.misses else ():
        if c.wanted != c.found:
            shown = " | ".join(dict.fromkeys(c.cells))[:150]
            console.print(f"{c.place}: labelled {c.wanted}, found {c.found}: {shown}", markup=False)


if __name__ == "__main__":
    main()
