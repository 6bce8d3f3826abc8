"""Compare the tables found in whole Wikipedia pages with WikiTableQuestions' CSV files cut from the same pages.

    python -m benchmarks.wikipages --data DIR [--misses]

DIR contains wikipages/ and wikitq/. For each page, the table that shares most cells with the CSV is compared: the same
number of rows (give or take one) and columns, and equal cells, ignoring case, punctuation, footnote marks and spaces.
Section rows that became a path column count as rows, as in the CSV; path columns do not count as columns.
"""

import argparse
import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from tablerag.ingestion.document import TableBlock
from tablerag.ingestion.readers import read_document
from tablerag.ingestion.tables.cells import cell_text
from tablerag.ingestion.tables.table import build_table
from tablerag.ingestion.tables.typed_table import TypedTable

MARK = re.compile(r"\[[^\]]{1,12}\]|[†‡§*]")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One page's CSV and the table found."""

    page: str
    wanted: tuple[int, int]
    """Data rows and columns of the CSV."""
    found: tuple[int, int]
    equal_cells: int
    all_cells: int

    @property
    def same_shape(self) -> bool:
        """Return whether columns agree, and rows do within one."""
        return self.wanted[1] == self.found[1] and abs(self.wanted[0] - self.found[0]) <= 1


def normalised(cell: str) -> str:
    """Return a cell without the differences between two renderings of a page."""
    text = unicodedata.normalize("NFKD", MARK.sub("", cell))
    return "".join(c for c in text.casefold() if c.isalnum() or c in "+-%")


def read_csv(path: Path) -> list[list[str]]:
    """Read a CSV as WikiTableQuestions writes it."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream, doublequote=False, escapechar="\\"))
    return [[c.replace("\\n", "\n") for c in row] for row in rows]


def shown_rows(table: TypedTable) -> list[list[str]]:
    """Return a table's rows as in its document: with section rows, each column once, and without path columns."""
    rows = {row.index: [cell_text(row.cells[i]) for i in table.printed_columns] for row in table.rows()}
    rows |= {i: [cell_text(c) for c in table.block.grid[i]] for i in table.sections}
    return [rows[i] for i in sorted(rows)]


def compared(page: str, wanted: list[list[str]], tables: Sequence[TypedTable]) -> Comparison:
    """Compare the CSV's data rows with the most similar table."""
    body = [[normalised(c) for c in row] for row in wanted[1:]]
    cells = Counter(c for row in body for c in row if c)
    best: list[list[str]] = []
    most = 0
    for table in tables:
        rows = [[normalised(c) for c in row] for row in shown_rows(table)]
        shared = sum((cells & Counter(c for row in rows for c in row if c)).values())
        # Of two tables that share as much, the one with less else.
        if (shared, -sum(map(len, rows))) > (most, -sum(map(len, best))):
            best, most = rows, shared
    equal = _equal_cells(body, best)
    shape = (len(best), len(best[0]) if best else 0)
    return Comparison(page, (len(body), len(wanted[0])), shape, equal, sum(map(len, body)))


def _equal_cells(wanted: list[list[str]], found: list[list[str]]) -> int:
    """Count equal cells in the same column of matching rows."""
    keys_wanted, keys_found = (["\x1f".join(r) for r in rows] for rows in (wanted, found))
    count = 0
    for tag, a, b, c, d in SequenceMatcher(None, keys_wanted, keys_found, autojunk=False).get_opcodes():
        if tag == "equal":
            count += sum(len(r) for r in wanted[a:b])
        elif tag == "replace":
            pairs = zip(wanted[a:b], found[c:d], strict=False)
            count += sum(x == y for left, right in pairs for x, y in zip(left, right, strict=False))
    return count


def main() -> None:
    """Print the shares and, on request, each page that differs from its CSV."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    console = Console()
    results = []
    for page in track(sorted((options.data / "wikipages").glob("*/*.html")), "reading", console=Console(stderr=True)):
        name = f"{page.parent.name.removesuffix('-page')}-csv/{page.stem}.csv"
        blocks = [b for b in read_document(page).blocks if isinstance(b, TableBlock)]
        tables = [t for t in map(build_table, blocks) if t]
        results.append(compared(name, read_csv(options.data / "wikitq" / "csv" / name), tables))
    if options.misses:
        view = Table("csv", "wanted", "found", "cells equal")
        for r in results:
            if not r.same_shape or r.equal_cells < 0.98 * r.all_cells:
                view.add_row(r.page, str(r.wanted), str(r.found), f"{r.equal_cells} of {r.all_cells}")
        console.print(view)
    shaped = [r for r in results if r.same_shape]
    equal, cells = sum(r.equal_cells for r in shaped), sum(r.all_cells for r in shaped)
    all_equal, all_cells = sum(r.equal_cells for r in results), sum(r.all_cells for r in results)
    console.print(f"same rows (+-1) and columns: {len(shaped)} of {len(results)} ({len(shaped) / len(results):.1%})")
    console.print(f"equal cells of those: {equal} of {cells} ({equal / cells:.1%})")
    console.print(f"equal cells of all pages: {all_equal} of {all_cells} ({all_equal / all_cells:.1%})")


if __name__ == "__main__":
    main()
