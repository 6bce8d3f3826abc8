"""Windows: the short texts of a chunk that are embedded, each with the title and the header in front.

The mean of many tokens represents none of them well. With windows of a few rows, and the distance of a chunk being
that of its nearest window, a table is found by any of its rows.
"""

import re
from collections.abc import Iterator, Sequence

from tablerag.tools.records import Chunk
from tablerag.tools.text import SENTENCE_END

__all__ = ["WINDOW_CHARS", "parts", "windows"]

WINDOW_CHARS = 300
MOST_WINDOWS = 6
"""Approximate maximum for one chunk: longer chunks have longer windows, so that indexes grow with their chunks."""
RULE = re.compile(r"\|(?: ?:?-+:? ?\|)+")
CELL_BOUNDARY = " | "


def parts(chunk: Chunk) -> tuple[str, list[str]]:
    """Return the header line of a chunk (empty for text) and its rows or sentences."""
    if chunk.kind == "text":
        return "", [s for s in SENTENCE_END.split(chunk.text) if s.strip()]
    lines = chunk.text.splitlines()
    rule = next((i for i, line in enumerate(lines) if i and RULE.fullmatch(line)), None)
    if rule is None:
        return "", lines
    before = [line for line in lines[: rule - 1] if line and line not in chunk.title]
    return lines[rule - 1], before + lines[rule + 1 :]


def windows(chunk: Chunk, chars: int = WINDOW_CHARS) -> list[str]:
    """Return the texts to embed for a chunk, at least one."""
    header, lines = parts(chunk)
    chars = max(chars, len(chunk.text) // MOST_WINDOWS)
    # The title counts twice: it is short, and questions use its words.
    head = "\n".join(p for p in (chunk.title, chunk.title, header) if p)
    bodies = list(_runs([piece for line in lines for piece in _pieces(line, chars)], chars)) or [""]
    return [f"{head}\n{body}".strip() for body in bodies]


def _pieces(line: str, chars: int) -> Iterator[str]:
    """Split a line far longer than a window between cells, or between words."""
    if len(line) <= 3 * chars:
        yield line
        return
    boundary = CELL_BOUNDARY if CELL_BOUNDARY in line else " "
    yield from _runs(line.split(boundary), chars, boundary)


def _runs(lines: Sequence[str], chars: int, joined_by: str = "\n") -> Iterator[str]:
    taken: list[str] = []
    size = 0
    for line in lines:
        if taken and size + len(line) > chars:
            yield joined_by.join(taken)
            taken, size = [], 0
        taken.append(line)
        size += len(line)
    if taken:
        yield joined_by.join(taken)
