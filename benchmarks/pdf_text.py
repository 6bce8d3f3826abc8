"""How much of the text of PDFs the reader keeps, in order: python -m benchmarks.pdf_text FOLDER [--each]

Poppler's pdftotext is the yardstick. For each PDF: the share of its words that the reader's blocks hold, and of its
pairs of neighbouring words that they hold as neighbours. A table's cells count row by row. Files in which pdftotext
finds fewer than 20 words are left out; a file that the reader refuses counts as 0.
"""

import argparse
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
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

__all__ = ["main", "shares"]

FEWEST_WORDS = 20
LOW = 0.75
WORD = re.compile(r"\w+")


def main() -> None:
    """Print the shares of a folder's PDFs, with the worst ones or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", action="store_true", help="list every file, not only the worst")
    arguments = parser.parse_args()
    out = Console()
    scores: list[tuple[float, float, float, str]] = []
    files = sorted(p for p in arguments.folder.rglob("*") if p.suffix.casefold() == ".pdf")
    for path in track(files, "reading", console=Console(stderr=True)):
        poppler = _words(subprocess.run(["pdftotext", path, "-"], capture_output=True, check=False).stdout.decode())
        if len(poppler) < FEWEST_WORDS:
            continue
        started = time.process_time()
        try:
            ours = _words(" ".join(_texts(read_pdf(path))))
        except UnreadableDocument as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            ours = []
        scores.append((*shares(poppler, ours), time.process_time() - started, path.name))
    if not scores:
        sys.exit(f"{arguments.folder} has no PDF with {FEWEST_WORDS} words")
    table = Table("file", "words %", "pairs %", "CPU s")
    for words, pairs, seconds, name in sorted(scores, key=lambda s: s[0] + s[1]):
        if arguments.each or words < LOW or pairs < LOW:
            table.add_row(name, f"{words:.1%}", f"{pairs:.1%}", f"{seconds:.2f}")
    table.add_section()
    found = [mean(s[i] for s in scores) for i in (0, 1)]
    table.add_row(f"mean of {len(scores)}", *(f"{f:.1%}" for f in found), f"{sum(s[2] for s in scores):.1f}")
    out.print(table)
    print(f"{sum(s[0] < LOW for s in scores)} files with less than {LOW:.0%} of the words")


def shares(truth: Sequence[str], found: Sequence[str]) -> tuple[float, float]:
    """Return the shares of the words of ``truth``, and of its pairs of neighbours, that ``found`` has; 0 to 1."""
    return _share(Counter(truth), Counter(found)), _share(Counter(pairwise(truth)), Counter(pairwise(found)))


def _share(truth: Counter[Any], found: Counter[Any]) -> float:
    return (truth & found).total() / max(1, truth.total())


def _words(text: str) -> list[str]:
    return WORD.findall(re.sub(r"(?<=\w)-\n(?=[a-z])", "", text).casefold())


def _texts(document: Document) -> Iterator[str]:
    for block in document.blocks:
        if isinstance(block, TextBlock):
            yield block.text
        else:
            yield block.caption
            yield from (str(cell) for row in block.grid for cell in row if cell is not None)


if __name__ == "__main__":
    main()
