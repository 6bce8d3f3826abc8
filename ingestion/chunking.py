"""Chunks: text at a bounded number of tokens with overlap, tables as Markdown with their header repeated.

The sizes are the TableRAG paper's (arXiv 2506.10380, section 4.1): 1000 tokens, 200 of them shared.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tablerag.ingestion.document import SOFT_HYPHEN, TextBlock
from tablerag.tools.text import SENTENCE_END
from tablerag.tools.token_count import count_tokens

__all__ = ["MOST_TABLE_PIECES", "TablePiece", "TextPiece", "chunk_table", "chunk_text"]

MOST_TABLE_PIECES = 200
"""The most chunks of one table: its title, header and first 200,000 tokens of rows are searchable."""
LONG_ROW = 4
"""A row longer than this many chunks is cut."""
FULL = 0.75
"""Least length of a full line, as a share of its block's longest line ..."""
MIN_FULL = 40
"""... and in characters."""
OWN_LINE = re.compile(r"[-*•–]\s|\(?(?:\d{1,2}|[a-z])\)\s|[^\W\d_][\w’'/-]*(?: [\w’'/-]+){0,3} ?: ")
"""How a list item or a line such as "Date: 3 June" begins."""


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A chunk of text, where it begins, and its heading path."""

    text: str
    locator: str
    title: str


@dataclass(frozen=True, slots=True)
class TablePiece:
    """A run of rows as Markdown; rows count from 0, both ends included."""

    text: str
    first_row: int
    last_row: int


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence with its place; a heading begins a new section."""

    text: str
    tokens: int
    block: TextBlock
    starts_line: bool


def chunk_text(blocks: Sequence[TextBlock], tokens: int, overlap: int) -> list[TextPiece]:
    """Chunk a run of text blocks; neighbours share about ``overlap`` tokens of whole sentences."""
    overlap = min(overlap, tokens // 2)
    pieces: list[list[_Unit]] = []
    current: list[_Unit] = []
    size = 0
    for unit in _units(blocks, tokens):
        if current and size + unit.tokens > tokens:
            pieces.append(current)
            current = _tail(current, min(overlap, tokens - unit.tokens))
            size = sum(u.tokens for u in current)
        current.append(unit)
        size += unit.tokens
    if current:
        pieces.append(current)
    return [_piece(units) for units in pieces]


def _tail(units: Sequence[_Unit], overlap: int) -> list[_Unit]:
    """Return the last units that have at most ``overlap`` tokens together."""
    first, size = len(units), 0
    while first and size + units[first - 1].tokens <= overlap:
        first -= 1
        size += units[first].tokens
    return list(units[first:])


def _units(blocks: Sequence[TextBlock], tokens: int) -> Iterator[_Unit]:
    for block in blocks:
        for line in _lines(block.text.replace(SOFT_HYPHEN, "").strip()):
            starts = True
            for sentence in SENTENCE_END.split(line):
                for part in _bounded(sentence, tokens):
                    yield _Unit(part, count_tokens(part), block, starts)
                    starts = False


def _lines(text: str) -> Iterator[str]:
    """Yield a block's lines; those that were broken only because they were full are joined again.

    "Date: 3 June" and the items of a list stay lines of their own, so that readers can tell them apart.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    full = max(MIN_FULL, FULL * max(map(len, lines), default=0))
    current: list[str] = []
    last = ""
    for line in lines:
        numbered = re.match(r"\d{1,2}\.\s", line) and last.endswith((".", ":", ";", "!", "?"))
        if current and not (len(last) >= full and not OWN_LINE.match(line) and not numbered):
            yield " ".join(current)
            current = []
        current.append(line)
        last = line
    if current:
        yield " ".join(current)


def _bounded(sentence: str, tokens: int) -> Iterator[str]:
    """Cut a sentence longer than a chunk at spaces, and words longer than a chunk anywhere."""
    if count_tokens(sentence) <= tokens:
        if sentence:
            yield sentence
        return
    part: list[str] = []
    size = 0
    for word in re.findall(r"\S+\s*", sentence):
        for piece in (word[i : i + tokens] for i in range(0, len(word), tokens)) if len(word) > tokens else (word,):
            cost = count_tokens(piece)
            if part and size + cost > tokens:
                yield "".join(part).strip()
                part, size = [], 0
            part.append(piece)
            size += cost
    if part:
        yield "".join(part).strip()


def _piece(units: Sequence[_Unit]) -> TextPiece:
    parts = [units[0].text]
    for unit in units[1:]:
        parts += "\n" if unit.starts_line else " ", unit.text
    block = units[0].block
    return TextPiece("".join(parts), str(block.locator), " > ".join(block.locator.headings))


def chunk_table(headers: Sequence[str], rows: Iterable[Sequence[str]], title: str, tokens: int) -> Iterator[TablePiece]:
    """Chunk a table's rows, at most MOST_TABLE_PIECES runs of them.

    Every chunk begins with the title and the Markdown header rows. Chunks only serve to find the table; SQL always
    covers all rows. A row longer than LONG_ROW chunks is cut.
    """
    head = "\n".join(([title] if title else []) + [_markdown_row(headers), "|" + " --- |" * len(headers)])
    return islice(_table_pieces(head, rows, max(tokens - count_tokens(head), 1), tokens), MOST_TABLE_PIECES)


def _table_pieces(head: str, rows: Iterable[Sequence[str]], room: int, tokens: int) -> Iterator[TablePiece]:
    """Yield runs of rows that fit into a chunk below the head, and the parts of rows that are too long."""
    lines: list[str] = []
    size = first = 0
    for index, row in enumerate(rows):
        line = _markdown_row(row)
        cost = count_tokens(line)
        if lines and size + cost > room:
            yield TablePiece("\n".join([head, *lines]), first, index - 1)
            lines, size, first = [], 0, index
        if cost > LONG_ROW * tokens:
            for part in _bounded(line, tokens):
                yield TablePiece(f"{head}\n{part}", index, index)
            first = index + 1
            continue
        lines.append(line)
        size += cost
    if lines or not first:  # a table without rows is found by its header
        yield TablePiece("\n".join([head, *lines]), first, first + len(lines) - 1)


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(c.replace("\\", "\\\\").replace("|", "\\|") for c in cells) + " |"
