"""Score the tables of PDFs against ICDAR 2013's ground truth: python -m benchmarks.pdf_tables FOLDER [--each]

FOLDER holds NAME.pdf with NAME-str.xml, in any depth. Tables with fewer than 3 numbers are left out. A number is right
if a found table has its text in a row with its row's label, above or below the right neighbour of its column. A table
is right if that holds for 95 % of its numbers, partly right for half, missed if for none. Its headers are right if,
besides, 95 % of its columns of numbers have the words of the truth's header, in any order. pdfplumber with its default
settings is scored beside ours; the rows above its first numbers are its header. ``--half`` scores every second file.
"""

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pdfplumber
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tablerag.ingestion.document import TableBlock
from tablerag.ingestion.readers.pdf import read_pdf
from tablerag.ingestion.tables.cells import cell_text
from tablerag.ingestion.tables.table import build_table
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.tools.errors import UnreadableDocument

__all__ = ["NUMBER", "RIGHT", "Grid", "headed", "main", "numbers_in", "plain", "printed", "score", "true_rows"]

NUMBER = re.compile(r"[-+(<>~$€£]*\s*\d[\d.,\s]*\s*[%)*]*")
YEAR = re.compile(r"(19|20)\d\d(/\d\d(\d\d)?)?")
FEWEST_NUMBERS = 3
RIGHT, PARTLY = 0.95, 0.5
HEADER_WORDS = 0.8
"""Least share of words that a right header has in common with the truth's."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as rows of texts below its header, and the header of each column as words."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]


def main() -> None:
    """Print how many tables each system reads right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", action="store_true", help="list every table that is not right")
    parser.add_argument("--half", type=int, choices=(0, 1), help="score only every second file")
    arguments = parser.parse_args()
    systems = {"tablerag": _ours, "pdfplumber": _pdfplumber}
    counts = {name: Counter[str]() for name in systems}
    seconds = Counter[str]()
    pdfs = sorted(arguments.folder.rglob("*.pdf"))
    if arguments.half is not None:
        pdfs = pdfs[arguments.half :: 2]
    for pdf in track(pdfs, "reading", console=Console(stderr=True)):
        expected = [t for t in truths(pdf) if len(numbers_in(t)) >= FEWEST_NUMBERS]
        if not expected:
            continue
        for name, system in systems.items():
            started = time.process_time()
            found = list(system(pdf))
            seconds[name] += time.process_time() - started
            for number, table in enumerate(expected, 1):
                cells, headers = score(table, found)
                kind = "right" if cells >= RIGHT else "partly" if cells >= PARTLY else "wrong" if cells else "missed"
                counts[name].update([kind, "tables"])
                counts[name]["headers"] += kind == "right" and headers >= RIGHT
                if arguments.each and name == "tablerag" and not (kind == "right" and headers >= RIGHT):
                    print(f"{pdf.stem} table {number}: numbers {cells:.0%}, headers {headers:.0%}")
    shown = Table("system", "tables", "numbers right", "and headers", "partly", "wrong", "missed", "CPU s")
    for name, c in counts.items():
        kinds = ("tables", "right", "headers", "partly", "wrong", "missed")
        shown.add_row(name, *(str(c[k]) for k in kinds), f"{seconds[name]:.0f}")
    Console().print(shown)


def truths(pdf: Path) -> Iterator[Grid]:
    """Yield the true tables of a PDF."""
    yield from map(headed, true_rows(pdf))


def true_rows(pdf: Path) -> Iterator[list[list[str]]]:
    """Yield the rows of the true tables of a PDF, their headers among them."""
    for path in sorted(pdf.parent.glob(f"{pdf.stem}*-str.xml")) or sorted(
        pdf.parent.glob(f"{pdf.stem.rstrip('ab')}*-str.xml")
    ):
        for table in ElementTree.parse(path).iter("table"):
            yield _rows_of(table)


def score(truth: Grid, found: Sequence[Grid]) -> tuple[float, float]:
    """Return the shares of right numbers and right headers in the found table with most right numbers; 0 to 1."""
    best = (0.0, 0.0)
    for grid in found:
        best = max(best, _score(truth, grid))
    return best


def _score(truth: Grid, grid: Grid) -> tuple[float, float]:
    where: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(grid.rows):
        for c, text in enumerate(row):
            where.setdefault(plain(text), []).append((r, c))
    numbers = numbers_in(truth)
    right = 0
    columns: dict[int, Counter[int]] = {}
    for r, c in numbers:
        places = [p for p in where.get(plain(truth.rows[r][c]), ()) if _agree(truth, (r, c), grid, p)]
        right += bool(places)
        columns.setdefault(c, Counter()).update({p[1] for p in places})
    heads = [
        any(v == max(votes.values()) and _same_words(truth.headers[c], grid.headers[i]) for i, v in votes.items())
        for c, votes in columns.items()
        if truth.headers[c]
    ]
    return right / len(numbers), sum(heads) / len(heads) if heads else 1.0


def _agree(truth: Grid, at: tuple[int, int], grid: Grid, place: tuple[int, int]) -> bool:
    """Return whether a number has its row's label, and its column's neighbour if it has one."""
    label = _label(truth.rows[at[0]])
    labelled = not label or any(label == plain(text) for text in grid.rows[place[0]])
    neighbours = [_beside(truth.rows, at, step) for step in (-1, 1)]
    ours = [_beside(grid.rows, place, step) for step in (-1, 1)]
    return labelled and (not any(neighbours) or any(a and a == b for a, b in zip(neighbours, ours, strict=True)))


def _beside(rows: Sequence[Sequence[str]], at: tuple[int, int], step: int) -> str:
    """Return the next number above or below, "" if there is none."""
    r, c = at[0] + step, at[1]
    while 0 <= r < len(rows):
        if c < len(rows[r]) and NUMBER.fullmatch(rows[r][c].strip()):
            return plain(rows[r][c])
        r += step
    return ""


def _label(row: Sequence[str]) -> str:
    first = next((t for t in row if t.strip()), "")
    return "" if NUMBER.fullmatch(first.strip()) else plain(first)


def numbers_in(grid: Grid) -> list[tuple[int, int]]:
    """Return the places of a grid's numbers: row and column."""
    return [(r, c) for r, row in enumerate(grid.rows) for c, t in enumerate(row) if NUMBER.fullmatch(t.strip())]


def _same_words(truth: str, found: str) -> bool:
    a, b = (Counter(re.findall(r"\w+", t.casefold())) for t in (truth, found))
    a, b = Counter(set(a)), Counter(set(b))
    return (a & b).total() >= HEADER_WORDS * (a | b).total()


def plain(text: str) -> str:
    """Return a text to compare, without spaces and most marks."""
    return re.sub(r"\W*\s+|[^\w.,%()-]", "", text.casefold()).strip(".")


def _rows_of(table: ElementTree.Element) -> list[list[str]]:
    cells: dict[tuple[int, int], str] = {}
    for region in table.iter("region"):
        down, across = (int(region.get(f"{a}-increment") or 0) for a in ("row", "col"))
        for cell in region.iter("cell"):
            r0, c0 = int(cell.get("start-row", 0)), int(cell.get("start-col", 0))
            r1, c1 = int(cell.get("end-row", r0)), int(cell.get("end-col", c0))
            text = " ".join((cell.findtext("content") or "").split())
            for r in range(r0, r1 + 1):
                for c in range(c0, c1 + 1):
                    cells[r + down, c + across] = text
    height, width = (max((at[i] for at in cells), default=-1) + 1 for i in (0, 1))
    return [[cells.get((r, c), "") for c in range(width)] for r in range(height)]


def headed(rows: Sequence[Sequence[str]]) -> Grid:
    """Split a grid of texts at its first row of numbers that are no years."""
    first = next((i for i, row in enumerate(rows) if any(map(_is_amount, row))), len(rows))
    width = max(map(len, rows), default=0)
    heads = [dict.fromkeys(row[c] for row in rows[:first] if c < len(row) and row[c]) for c in range(width)]
    return Grid([" ".join(h) for h in heads], rows[first:])


def _is_amount(text: str) -> bool:
    return bool(NUMBER.fullmatch(text.strip())) and not YEAR.fullmatch(text.strip())


def _ours(pdf: Path) -> Iterator[Grid]:
    try:
        blocks = read_pdf(pdf).blocks
    except UnreadableDocument:
        return
    for block in blocks:
        table = build_table(block) if isinstance(block, TableBlock) else None
        if table is not None:
            yield printed(table)


def printed(table: TypedTable) -> Grid:
    """Return a table with each printed column once: one of counts and percentages is stored as two."""
    once = [*range(table.path_depth), *table.printed_columns]
    rows = [[cell_text(row.cells[i]) for i in once] for row in table.rows()]
    return Grid([table.columns[i].header for i in once], rows)


def _pdfplumber(pdf: Path) -> Iterator[Grid]:
    with pdfplumber.open(pdf) as opened:
        for page in opened.pages:
            for rows in page.extract_tables():
                yield headed([[" ".join((t or "").split()) for t in row] for row in rows])
            page.close()


if __name__ == "__main__":
    main()
