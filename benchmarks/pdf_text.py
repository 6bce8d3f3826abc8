"""How much of the text of PDFs the reader keeps, in order: python -m benchmarks.pdf_text FOLDER [--each] [--plain]

Poppler's pdftotext is the yardstick. For each PDF: the share of its words that the reader's blocks hold, and of its
pairs of neighbouring words that they hold as neighbours; the latter also for the pages alone on which the reader found
no table. A table's cells count row by row. Files in which pdftotext finds fewer than 20 words are left out; a file
that the reader refuses counts as 0.

pdftotext has three orders, none of which is right for all pages: by default it reads tables column by column, with
-layout columns of text line by line, with -raw whatever the file has first. So each page is compared with the one of
the three that agrees most. The reader removes running titles and page numbers on purpose, so lines at the edge of a
page that are numbers or stand on another page too, but for their numbers, are left out. "10⁶" counts as "106", and
Arabic ligatures in either order, as pdftotext takes them apart backwards. --plain does none of this: it compares with
the default order, whole.
"""

import argparse
import re
import shutil
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from tablerag.ingestion.document import Document, TextBlock
from tablerag.ingestion.readers.pdf import read_pdf
from tablerag.tools.errors import UnreadableDocument

__all__ = ["Shares", "main", "shares", "without_running_lines", "words_of"]

FEWEST_WORDS = 20
LOW = 0.75
ORDERS = ((), ("-layout",), ("-raw",))
EDGE_LINES = 2
WORD = re.compile(r"\w+")
HYPHEN = re.compile(r"(?<=\w)-\n\s*(?=[a-z])")
LAM_ALEF = re.compile("[لاأإآ]{2,}")
NUMBER = re.compile(r"\d+|\b[ivxl]+\b")


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares that were found, from 0 to 1."""

    words: float
    pairs: float
    pairs_beside_tables: float | None
    """Of the pairs on pages without tables; None if all pages have some."""


def main() -> None:
    """Print the shares of a folder's PDFs, with the worst ones or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", action="store_true", help="list every file, not only the worst")
    parser.add_argument("--plain", action="store_true", help="compare with pdftotext's default order and all its words")
    arguments = parser.parse_args()
    if shutil.which("pdftotext") is None:
        sys.exit("pdftotext is not installed: install poppler-utils (macOS: brew install poppler)")
    scores: list[tuple[Shares, float, str]] = []
    files = sorted(p for p in arguments.folder.rglob("*") if p.suffix.casefold() == ".pdf")
    for path in track(files, "reading", console=Console(stderr=True)):
        orders = [_pages_by_pdftotext(path, options) for options in (ORDERS[:1] if arguments.plain else ORDERS)]
        if sum(len(words_of(page)) for page in orders[0]) < FEWEST_WORDS:
            continue
        if not arguments.plain:
            orders = [without_running_lines(pages) for pages in orders]
        started = time.process_time()
        try:
            document = read_pdf(path)
        except UnreadableDocument as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            document = Document(path, "", [])
        with_tables = {b.locator.page for b in document.blocks if not isinstance(b, TextBlock)}
        found = shares(orders, words_of(" ".join(_texts(document))), {p for p in with_tables if p})
        scores.append((found, time.process_time() - started, path.name))
    if not scores:
        sys.exit(f"{arguments.folder} has no PDF with {FEWEST_WORDS} words")
    Console().print(_table(scores, each=arguments.each))
    print(f"{sum(s.words < LOW for s, _, _ in scores)} files with less than {LOW:.0%} of the words")


def shares(orders: Sequence[Sequence[str]], found: Sequence[str], with_tables: Collection[int] = ()) -> Shares:
    """Compare the words found in a file with the text of its pages in several orders, of which each page's best counts.

    ``with_tables`` are the numbers of the pages with tables.
    """
    words, pairs = Counter(found), Counter(pairwise(found))
    totals: Counter[str] = Counter()
    for number, versions in enumerate(zip(*orders, strict=True), 1):
        pages = [words_of(version) for version in versions]
        best = max(pages, key=lambda page: _share(Counter(pairwise(page)), pairs))
        of_page, pairs_of_page = Counter(best), Counter(pairwise(best))
        held, pairs_held = of_page & words, pairs_of_page & pairs
        words -= held
        pairs -= pairs_held
        totals.update(words=of_page.total(), held=held.total())
        totals.update(pairs=pairs_of_page.total(), pairs_held=pairs_held.total())
        if number not in with_tables:
            totals.update(beside=pairs_of_page.total(), beside_held=pairs_held.total())
    return Shares(
        totals["held"] / max(1, totals["words"]),
        totals["pairs_held"] / max(1, totals["pairs"]),
        totals["beside_held"] / totals["beside"] if totals["beside"] else None,
    )


def without_running_lines(pages: Sequence[str]) -> list[str]:
    """Return pages without lines near their edges that are numbers or, but for numbers, on another page's edge too."""
    if len(pages) < 2:
        return list(pages)
    split = [page.split("\n") for page in pages]
    edges: list[set[int]] = []
    for lines in split:
        filled = [i for i, line in enumerate(lines) if line.strip()]
        edges.append({*filled[:EDGE_LINES], *filled[-EDGE_LINES:]})
    seen = Counter(key for lines, edge in zip(split, edges, strict=True) for key in {_masked(lines[i]) for i in edge})
    return [
        "\n".join(
            line
            for i, line in enumerate(lines)
            if i not in edge or (seen[_masked(line)] == 1 and _masked(line).strip(" -–|") not in ("#", "page #"))
        )
        for lines, edge in zip(split, edges, strict=True)
    ]


def _masked(line: str) -> str:
    return NUMBER.sub("#", " ".join(line.split()).casefold())


def _share(truth: Counter[Any], found: Counter[Any]) -> float:
    return (truth & found).total() / max(1, truth.total())


def words_of(text: str) -> list[str]:
    """Return the words of a text in one spelling, those cut at the end of a line joined."""
    text = unicodedata.normalize("NFKC", HYPHEN.sub("", text)).casefold()
    return WORD.findall(LAM_ALEF.sub(lambda run: "".join(sorted(run[0])), text))


def _pages_by_pdftotext(path: Path, options: Sequence[str]) -> list[str]:
    done = subprocess.run(["pdftotext", *options, path, "-"], capture_output=True, check=False)
    return done.stdout.decode(errors="replace").removesuffix("\f").split("\f")


def _texts(document: Document) -> Iterator[str]:
    for block in document.blocks:
        if isinstance(block, TextBlock):
            yield block.text
        else:
            yield block.caption
            yield from (str(cell) for row in block.grid for cell in row if cell is not None)


def _table(scores: Sequence[tuple[Shares, float, str]], *, each: bool) -> Table:
    table = Table("file", "words %", "pairs %", "pairs beside tables %", "CPU s")
    for found, seconds, name in sorted(scores, key=lambda s: s[0].words + s[0].pairs):
        if each or found.words < LOW or found.pairs < LOW:
            beside = "" if found.pairs_beside_tables is None else f"{found.pairs_beside_tables:.1%}"
            table.add_row(name, f"{found.words:.1%}", f"{found.pairs:.1%}", beside, f"{seconds:.2f}")
    table.add_section()
    beside = [s.pairs_beside_tables for s, _, _ in scores if s.pairs_beside_tables is not None]
    table.add_row(
        f"mean of {len(scores)}",
        f"{mean(s.words for s, _, _ in scores):.1%}",
        f"{mean(s.pairs for s, _, _ in scores):.1%}",
        f"{mean(beside):.1%} of {len(beside)}" if beside else "",
        f"{sum(seconds for _, seconds, _ in scores):.1f}",
    )
    return table


if __name__ == "__main__":
    main()
