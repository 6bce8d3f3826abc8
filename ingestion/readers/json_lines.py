"""Lines of JSON (JSONL, NDJSON): one record a line."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tablerag.ingestion.document import Block, Document
from tablerag.ingestion.readers.encoding import read_text
from tablerag.ingestion.readers.json_parsing import Parser
from tablerag.ingestion.readers.json_shapes import value_blocks
from tablerag.ingestion.readers.records import record_blocks
from tablerag.tools.counting import counted
from tablerag.tools.errors import UnreadableDocument

__all__ = ["lines_document", "read_json_lines"]

MOST_DAMAGED = 0.1
"""The largest share of lines that may be no JSON."""


def read_json_lines(path: Path) -> Document:
    """Read one file of JSON lines; the locator of a record has its line."""
    text, warnings = read_text(path, "lines of JSON")
    return lines_document(path, text, warnings)


def lines_document(path: Path, text: str, warnings: tuple[str, ...]) -> Document:
    """Return the document of lines of JSON; raise UnreadableDocument if many are damaged."""
    lines = _Lines(text)
    blocks: list[Block] = record_blocks(lines.records(), path.stem, (), lines.numbers)
    damaged, known = lines.damaged, len(lines.numbers) + len(lines.others)
    if len(damaged) > MOST_DAMAGED * (known + len(damaged)):
        raise UnreadableDocument(
            f"has {counted(len(damaged), 'line')} of invalid JSON (the first is line {damaged[0]}): fix or delete them"
        )
    found = [*warnings, *lines.parser.warnings]
    if damaged:
        found.append(f"{counted(len(damaged), 'line')} not valid JSON, from line {damaged[0]} on: left out")
    if len(lines.others) > len(lines.numbers):
        blocks, left_out = value_blocks(lines.others, path.stem)
        found += left_out
    elif lines.others:
        found.append(f"{counted(len(lines.others), 'line')} without fields left out")
    return Document(path, path.stem, blocks, tuple(found))


class _Lines:
    """The values of lines of JSON."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.parser = Parser()
        self.numbers: list[int] = []
        """The lines of the objects, from 1."""
        self.others: list[Any] = []
        """The values of other lines."""
        self.damaged: list[int] = []

    def records(self) -> Iterator[Mapping[str, Any]]:
        """Yield the objects; one line at a time, as all of them would take several times the file's size."""
        start = number = 0
        while start < len(self._text):
            end = self._text.find("\n", start)
            end = len(self._text) if end < 0 else end
            line, start, number = self._text[start:end], end + 1, number + 1
            if not line or line.isspace():
                continue
            try:
                value = self.parser.value(line)
            except json.JSONDecodeError:
                self.damaged.append(number)
                continue
            if isinstance(value, Mapping):
                self.numbers.append(number)
                yield value
            else:
                self.others.append(value)
