"""Lines of JSON (JSONL, NDJSON): one record a line."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers.encoding import read_text
from tablerag.ingestion.readers.json_parsing import DEEP, Parser
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
    parser = Parser()
    values: list[tuple[int, Any]] = []
    damaged: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or line.isspace():
            continue
        try:
            values.append((number, parser.value(line)))
        except json.JSONDecodeError:
            damaged.append(number)
        except RecursionError as error:
            raise DEEP from error
    if len(damaged) > MOST_DAMAGED * (len(values) + len(damaged)):
        raise UnreadableDocument(
            f"is not JSON in each line (line {damaged[0]} is the first that is not): save it again"
        )
    found = [*warnings, *parser.warnings]
    if damaged:
        found.append(f"{counted(len(damaged), 'line')} not valid JSON, from line {damaged[0]} on: left out")
    records = [(n, v) for n, v in values if isinstance(v, Mapping)]
    if len(records) * 2 > len(values):
        if left := len(values) - len(records):
            found.append(f"{counted(left, 'line')} without fields left out")
        blocks = record_blocks([v for _, v in records], path.stem, (), [n for n, _ in records])
    else:
        blocks, left_out = value_blocks([v for _, v in values], path.stem)
        found += left_out
    return Document(path, path.stem, blocks, tuple(found))
