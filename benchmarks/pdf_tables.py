"""Score the tables of PDFs against people's transcripts: python -m benchmarks.pdf_tables FOLDER [--each] [--half 0|1]

FOLDER holds ICDAR 2013's files or opendataloader-bench's, in any depth (benchmarks.table_truths). A number is right if
a found table has its text in a row with its row's label, above or below the right neighbour of its column. A table is
right if that holds for 95 % of its numbers, partly right for half, missed if for none. Its headers are right if,
besides, 95 % of its columns of numbers have the words of the truth's header, in any order and however the letters are
divided into words (the transcripts themselves have "desiredpopulation"); words above all columns alike name none.
Where others' results lie in prediction/NAME/markdown/, as in opendataloader-bench, they are scored too.
"""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.table_readers import READERS
from benchmarks.table_truths import Grid, is_number, markdown_tables, truths_of

__all__ = ["RIGHT", "main", "plain", "score"]

RIGHT, PARTLY = 0.95, 0.5
HEADER_WORDS = 0.8
"""Least share of words that a right header has in common with the truth's."""


def main() -> None:
    """Print how many tables each system reads right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", action="store_true", help="list every table that is not right")
    parser.add_argument("--half", type=int, choices=(0, 1), help="score only every second file")
    parser.add_argument("--only", action="append", choices=[*READERS], help="a system to score; all if left out")
    arguments = parser.parse_args()
    expected = list(truths_of(arguments.folder))
    if not expected:
        sys.exit(f"{arguments.folder} has no PDF with a transcript of its tables")
    if arguments.half is not None:
        # As they lie in the folder, so that a file without tables does not move others to the other half.
        files = sorted(arguments.folder.rglob("*.pdf"))[arguments.half :: 2]
        expected = [(pdf, tables) for pdf, tables in expected if pdf in files]
    systems = {name: READERS[name] for name in arguments.only or READERS if _is_installed(name)}
    systems |= {} if arguments.only else _predictions(arguments.folder)
    counts = {name: Counter[str]() for name in systems}
    seconds = Counter[str]()
    for pdf, tables in track(expected, "reading", console=Console(stderr=True)):
        for name, system in systems.items():
            started = time.process_time()
            found = _found(system, pdf, name)
            seconds[name] += time.process_time() - started
            each = _count(counts[name], tables, found)
            if arguments.each and name == "tablerag":
                print(*(f"{pdf.stem} {line}" for line in each), sep="\n", end="\n" if each else "")
    shown = Table("system", "tables", "numbers right", "and headers", "partly", "wrong", "missed", "CPU s")
    for name, c in counts.items():
        kinds = ("tables", "right", "headers", "partly", "wrong", "missed")
        shown.add_row(name, *(str(c[k]) for k in kinds), f"{seconds[name]:.0f}" if name in READERS else "")
    Console(width=110).print(shown)


def _is_installed(name: str) -> bool:
    module = name.split()[0]
    there = module == "tablerag" or find_spec(module) is not None
    if not there:
        print(f"{name} is left out: {module} is not installed", file=sys.stderr)
    return there


def _predictions(folder: Path) -> dict[str, Callable[[Path], Iterable[Grid]]]:
    """Return systems that look a PDF's tables up in Markdown files."""
    found: dict[str, Callable[[Path], Iterable[Grid]]] = {}
    for texts in sorted(folder.rglob("prediction/*/markdown")):
        found[texts.parent.name] = lambda pdf, texts=texts: _predicted(texts / f"{pdf.stem}.md")
    return found


def _predicted(path: Path) -> Iterator[Grid]:
    if path.is_file():
        yield from markdown_tables(path)


def _found(system: Callable[[Path], Iterable[Grid]], pdf: Path, name: str) -> list[Grid]:
    """Return what a system finds; others' failures are told and count as nothing found."""
    try:
        return list(system(pdf))
    except Exception as error:
        if name == "tablerag":
            raise
        print(f"{name} failed on {pdf.name}: {type(error).__name__}", file=sys.stderr)
        return []


def _count(counts: Counter[str], tables: Sequence[Grid], found: Sequence[Grid]) -> list[str]:
    """Count the tables by how well they were found; return a line for each that is not right."""
    lines: list[str] = []
    for number, table in enumerate(tables, 1):
        cells, headers = score(table, found)
        kind = "right" if cells >= RIGHT else "partly" if cells >= PARTLY else "wrong" if cells else "missed"
        is_right = kind == "right" and headers >= RIGHT
        counts.update([kind, "tables", *(["headers"] if is_right else [])])
        if not is_right:
            lines.append(f"table {number}: numbers {cells:.0%}, headers {headers:.0%}")
    return lines


def score(truth: Grid, found: Sequence[Grid]) -> tuple[float, float]:
    """Return the shares of right numbers and right headers in the found table with most right numbers; 0 to 1."""
    return max((_score(truth, grid) for grid in found), default=(0.0, 0.0))


def _score(truth: Grid, grid: Grid) -> tuple[float, float]:
    where: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(grid.rows):
        for c, text in enumerate(row):
            where.setdefault(plain(text), []).append((r, c))
    numbers = truth.numbers()
    right = 0
    columns: dict[int, Counter[int]] = {}
    for r, c in numbers:
        places = [p for p in where.get(plain(truth.rows[r][c]), ()) if _agree(truth, (r, c), grid, p)]
        right += bool(places)
        columns.setdefault(c, Counter()).update({p[1] for p in places})
    shared = set.intersection(*(set(_words(h)) for h in truth.headers if h)) if any(truth.headers) else set[str]()
    heads = [
        any(v == max(votes.values()) and _same(truth.headers[c], grid.headers[i], shared) for i, v in votes.items())
        for c, votes in columns.items()
        if truth.headers[c]
    ]
    return right / len(numbers), sum(heads) / len(heads) if heads else 1.0


def _same(truth: str, found: str, shared: Collection[str]) -> bool:
    """Return whether two headers have most words in common, or the same letters but for spaces.

    The words above all columns, ``shared``, count only where a header has no others.
    """
    expected = [w for w in _words(truth) if w not in shared] or _words(truth)
    ours = [w for w in _words(found) if w not in shared or w in expected]
    if "".join(expected) == "".join(ours):
        return True
    a, b = set(expected), set(ours)
    return len(a & b) >= HEADER_WORDS * len(a | b)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


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
        if c < len(rows[r]) and is_number(rows[r][c]):
            return plain(rows[r][c])
        r += step
    return ""


def _label(row: Sequence[str]) -> str:
    first = next((t for t in row if t.strip()), "")
    return "" if is_number(first) else plain(first)


def plain(text: str) -> str:
    """Return a text to compare, without spaces and most marks."""
    return re.sub(r"\W*\s+|[^\w.,%()-]", "", text.casefold()).strip(".")


if __name__ == "__main__":
    main()
