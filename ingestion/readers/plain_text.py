"""Plain text: paragraphs between blank lines."""

from itertools import groupby
from pathlib import Path

from tablerag.ingestion.document import Document, Locator, TextBlock
from tablerag.ingestion.readers.encoding import read_text

__all__ = ["read_plain_text"]


def read_plain_text(path: Path) -> Document:
    """Read one text file; the locator of a paragraph has its lines."""
    text, warnings = read_text(path, "plain text")
    blocks = []
    numbered = enumerate(text.splitlines(), start=1)
    for blank, lines in groupby(numbered, key=lambda line: not line[1].strip()):
        if not blank:
            paragraph = list(lines)
            joined = "\n".join(line.rstrip() for _, line in paragraph).strip()
            blocks.append(TextBlock(joined, Locator(rows=(paragraph[0][0], paragraph[-1][0]))))
    return Document(path, path.stem, blocks, warnings)
