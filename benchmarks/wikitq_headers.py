"""Count the tables of WikiTableQuestions in which one header row is found: each of its CSV files has exactly one.

    python -m benchmarks.wikitq_headers --data DIR [--misses]

DIR holds wikitq/. Plain tables are what tuning on messy ones spoils first.
"""

import argparse
from collections import Counter
from pathlib import Path

from rich.console import Console

from benchmarks.wikipages import read_csv
from ingestion.document import Locator, TableBlock
from ingestion.tables.table import build_table


def found_rows(path: Path) -> int | str:
    """Return how many header rows are found in a CSV file, or that it is taken for something else."""
    rows = [[c or None for c in row] for row in read_csv(path)]
    table = build_table(TableBlock(rows, Locator()))
    return "no table" if table is None else "a form" if table.is_form else table.header_rows


def main() -> None:
    """Print how many tables have how many header rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    console = Console()
    found = {p: found_rows(p) for p in sorted((options.data / "wikitq" / "csv").glob("*/*.csv"))}
    for path, count in found.items() if options.misses else ():
        if count != 1:
            console.print(f"{path.parent.name}/{path.name}: {count}")
    counts = Counter(found.values())
    console.print(f"one header row: {counts[1]} of {len(found)} ({counts[1] / len(found):.1%})")
    others = ", ".join(f"{k}: {n}" for k, n in counts.most_common() if k != 1)
    console.print(f"found instead: {others or 'nothing'}")


if __name__ == "__main__":
    main()
