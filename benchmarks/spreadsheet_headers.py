"""Score the detection of tables and headers in synthetic spreadsheets that are as untidy as real ones.

    python -m benchmarks.spreadsheet_headers [--book NAME] [--language CODE] [--keep DIR] [--places]
                                             [--held-out | --held-out-two] [--show]

The workbooks and their expected tables are in benchmarks/spreadsheets. An expected table is found if the intersection
with a detected table is at least half of their union; each detected table counts once. Its header is right if exactly
the expected rows are detected. Each miss is printed on one line; ``--places`` also prints tables with the right header
but other bounds. ``--held-out`` and ``--held-out-two`` use workbooks that were written without looking at the reader.
``--keep`` leaves the workbooks in a folder; ``--show`` prints them as text with the expected tables.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from openpyxl import load_workbook
from openpyxl.utils import get_column_letter
from rich.console import Console
from rich.markup import escape
from rich.progress import track

from benchmarks.spreadsheets import BOOKS, HELD_OUT, HELD_OUT_TWO, Book, Truth
from tablerag.ingestion.document import TableBlock
from tablerag.ingestion.readers import read_document
from tablerag.ingestion.tables.table import build_table
from tablerag.ingestion.tables.typed_table import TypedTable

ENOUGH = 0.5
"""Least intersection over union for an expected and a detected table to be the same."""


@dataclass(frozen=True, slots=True)
class Found:
    """A detected table, in the sheet's own rows and columns."""

    sheet: str
    header: frozenset[int]
    rows: tuple[int, int]
    columns: tuple[int, int]
    is_form: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """One book's expected tables, each with its detected table or None, and the remaining detected tables."""

    book: Book
    pairs: Sequence[tuple[Truth, Found | None]]
    extra: Sequence[Found]


def found_table(table: TypedTable) -> Found:
    """Return the position of a detected table and its header rows."""
    block = table.block
    numbers, columns = block.source_rows, block.source_columns
    if numbers is None or columns is None:
        raise ValueError(f"the table at {block.locator} has no source rows and columns")
    first = table.body.first_row
    start = first - table.header_rows
    header = frozenset(numbers[i] for i in range(start, first) if any(c is not None for c in block.grid[i]))
    return Found(
        block.locator.sheet or "",
        frozenset() if table.is_form else header,
        (min(numbers[start:]), max(numbers[start:])),
        (columns[0], columns[-1]),
        table.is_form,
    )


def overlap(truth: Truth, found: Found) -> float:
    """Return the intersection over union of the two tables' cells."""
    if truth.sheet != found.sheet:
        return 0.0
    height, width = (
        max(0, min(a[1], b[1]) - max(a[0], b[0]) + 1)
        for a, b in ((truth.rows, found.rows), (truth.columns, found.columns))
    )
    areas = [(t.rows[1] - t.rows[0] + 1) * (t.columns[1] - t.columns[0] + 1) for t in (truth, found)]
    return height * width / (sum(areas) - height * width)


def matched(book: Book, finds: Sequence[Found]) -> Outcome:
    """Pair expected with detected tables, largest overlap first."""
    candidates = [(overlap(t, f), i, j) for i, t in enumerate(book.truths) for j, f in enumerate(finds)]
    taken: dict[int, int] = {}
    for share, i, j in sorted(candidates, key=lambda c: (-c[0], c[1], c[2])):
        if share >= ENOUGH and i not in taken and j not in taken.values():
            taken[i] = j
    pairs = [(t, finds[taken[i]] if i in taken else None) for i, t in enumerate(book.truths)]
    return Outcome(book, pairs, [f for j, f in enumerate(finds) if j not in taken.values()])


def expected_header(truth: Truth) -> frozenset[int]:
    """Return the expected header rows."""
    return frozenset(range(truth.header[0], truth.header[1] + 1)) if truth.header else frozenset()


def read_book(book: Book, folder: Path) -> Outcome:
    """Write a book, read it as the product does, and compare."""
    blocks = [b for b in read_document(book.write(folder)).blocks if isinstance(b, TableBlock)]
    return matched(book, [found_table(t) for t in map(build_table, blocks) if t])


def _rows(rows: frozenset[int]) -> str:
    return ",".join(map(str, sorted(rows))) or "none"


def _place(item: Truth | Found) -> str:
    left, right = map(get_column_letter, item.columns)
    return f"{left}{item.rows[0]}:{right}{item.rows[1]}"


def misses(outcome: Outcome, places: bool = False) -> Iterator[str]:
    """Yield one line for each wrong table or header of a book; with ``places``, also for wrong bounds."""
    for truth, found in outcome.pairs:
        where = f"{outcome.book.name}, {truth.sheet}, {_place(truth)}"
        if found is None:
            yield f"{where}: table missed (header {_rows(expected_header(truth))})"
        elif found.header != expected_header(truth):
            yield f"{where}: header rows {_rows(expected_header(truth))}, found {_rows(found.header)}"
        elif found.is_form != truth.is_form:
            yield f"{where}: {'a form, found a table' if truth.is_form else 'a table, found a form'}"
        elif places and _place(found) != _place(truth):
            yield f"{where}: found at {_place(found)}"
    for found in outcome.extra:
        yield f"{outcome.book.name}, {found.sheet}, {_place(found)}: extra table (header {_rows(found.header)})"


def summary(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the figures over all books."""
    pairs = [pair for o in outcomes for pair in o.pairs]
    found = [(t, f) for t, f in pairs if f is not None]
    right = sum(f.header == expected_header(t) for t, f in found)
    forms = [(t, f) for t, f in pairs if t.is_form]
    yield f"books: {len(outcomes)}, tables: {len(pairs)}"
    yield f"tables found: {len(found)}, missed: {len(pairs) - len(found)}, extra: {sum(len(o.extra) for o in outcomes)}"
    yield f"header rows right: {right} of {len(pairs)} ({right / max(1, len(pairs)):.1%})"
    yield f"header rows right among tables found: {right} of {len(found)} ({right / max(1, len(found)):.1%})"
    exact = sum(_place(f) == _place(t) for t, f in found)
    yield f"first and last row and column right: {exact} of {len(pairs)} ({exact / max(1, len(pairs)):.1%})"
    yield f"forms seen as forms: {sum(f is not None and f.is_form for _, f in forms)} of {len(forms)}"


def shown(book: Book, folder: Path) -> Iterator[str]:
    """Yield a book as text, with rows marked H (header), D (data) or F (form) and the table's number."""
    workbook = load_workbook(book.write(folder), data_only=True)
    for sheet in workbook.worksheets:
        state = "" if sheet.sheet_state == "visible" else f" ({sheet.sheet_state})"
        yield f"== {book.name}, {sheet.title}{state}, merged: {' '.join(sorted(map(str, sheet.merged_cells.ranges)))}"
        truths = [t for t in book.truths if t.sheet == sheet.title]
        yield f"   truth: {'; '.join(f'{_place(t)} header {_rows(expected_header(t))}' for t in truths)}"
        for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
            marks = "".join(_mark(i, t, number) for i, t in enumerate(truths, start=1))
            cells = " | ".join("" if c is None else str(c).replace("\n", "⏎") for c in row)
            yield f"{number:>4} {marks:<6} {cells}"


def _mark(index: int, truth: Truth, row: int) -> str:
    if row in expected_header(truth):
        return f"H{index}"
    kind = "F" if truth.is_form else "D"
    return f"{kind}{index}" if truth.data[0] <= row <= truth.data[1] else ""


def main() -> None:
    """Print each miss and the figures, or the books."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--book", help="only this book")
    parser.add_argument("--language", help="only books in this language, as en or zh")
    parser.add_argument("--keep", type=Path, help="keep the workbooks in this folder")
    parser.add_argument("--places", action="store_true", help="also print tables with wrong bounds")
    parser.set_defaults(chosen=BOOKS)
    sets = parser.add_mutually_exclusive_group()
    for flag, chosen, which in (("--held-out", HELD_OUT, "first"), ("--held-out-two", HELD_OUT_TWO, "second")):
        about = f"use the {which} held-out set of books"
        sets.add_argument(flag, dest="chosen", action="store_const", const=chosen, help=about)
    parser.add_argument("--show", action="store_true", help="print the books with the expected tables, without scores")
    options = parser.parse_args()
    books = [b for b in options.chosen if options.book in (None, b.name) and options.language in (None, b.language)]
    console = Console(soft_wrap=True, highlight=False)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if options.show:
            lines = [line for book in books for line in shown(book, folder)]
        else:
            bar = track(books, "reading", console=Console(stderr=True))
            outcomes = [read_book(book, folder) for book in bar]
            lines = [*(line for o in outcomes for line in misses(o, options.places)), *summary(outcomes)]
    for line in lines:
        console.print(escape(line))


if __name__ == "__main__":
    main()
