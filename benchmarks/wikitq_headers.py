"""Count the CSV files of WikiTableQuestions that are read as one table with one header row and all records.

    python -m benchmarks.wikitq_headers --data DIR [--misses]

DIR contains wikitq/. Tuning on messy tables tends to break plain ones first. Each grid is also judged as if it came
from a spreadsheet or a page, where several header rows and sections are more likely than in a CSV file.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from benchmarks.wikipages import read_csv
from tablerag.ingestion.document import Locator, TableBlock
from tablerag.ingestion.readers import read_document
from tablerag.ingestion.tables.table import build_table


@dataclass(frozen=True, slots=True)
class Found:
    """The result for one file."""

    tables: int
    headers: int
    """Header rows of the first table."""
    rows: int
    records: int
    totals: int
    headers_of_grid: int

    @property
    def is_whole(self) -> bool:
        """Return whether the file is one table with one header row and all records."""
        return self.tables == 1 and self.headers == 1 and self.rows == self.records


def found_in(path: Path) -> Found:
    """Read one file as the product does."""
    grid = [[c or None for c in row] for row in read_csv(path)]
    blocks = [b for b in read_document(path).blocks if isinstance(b, TableBlock)]
    tables = [t for t in map(build_table, blocks) if t]
    alone = build_table(TableBlock(grid, Locator()))
    return Found(
        tables=len(tables),
        headers=tables[0].header_rows if tables else 0,
        rows=sum(t.row_count for t in tables),
        records=sum(any(row) for row in grid) - 1,
        totals=sum(len(t.totals) for t in tables),
        headers_of_grid=alone.header_rows if alone else 0,
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    console = Console()
    found = {p: found_in(p) for p in sorted((options.data / "wikitq" / "csv").glob("*/*.csv"))}
    for path, file in found.items() if options.misses else ():
        if not file.is_whole:
            console.print(f"{path.parent.name}/{path.name}: {file}", highlight=False)
    all_ = list(found.values())

    def share(count: int) -> str:
        return f"{count} of {len(all_)} ({count / len(all_):.1%})"

    console.print(f"one table, one header row, a row for each record: {share(sum(f.is_whole for f in all_))}")
    console.print(f"one table: {share(sum(f.tables == 1 for f in all_))}")
    console.print(f"one header row: {share(sum(f.headers == 1 for f in all_))}")
    console.print(f"one header row, judged as a spreadsheet: {share(sum(f.headers_of_grid == 1 for f in all_))}")
    console.print(f"rows marked as totals: {sum(f.totals for f in all_)} of {sum(f.rows for f in all_)}")


if __name__ == "__main__":
    main()
