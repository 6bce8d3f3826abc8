"""JSON files: records become tables, other values text."""

import json
from pathlib import Path
from typing import Any

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers.encoding import read_text
from tablerag.ingestion.readers.json_lines import lines_document
from tablerag.ingestion.readers.json_parsing import Parser
from tablerag.ingestion.readers.json_shapes import value_blocks
from tablerag.tools.errors import UnreadableDocument

__all__ = ["read_json_file"]


def read_json_file(path: Path) -> Document:
    """Read one JSON document, or lines of JSON under its suffix."""
    text, warnings = read_text(path, "JSON")
    parser = Parser()
    try:
        value: Any = parser.value(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return lines_document(path, text, warnings)
        raise UnreadableDocument(
            f"is not valid JSON at line {error.lineno}, column {error.colno} ({error.msg}): fix it there"
        ) from error
    blocks, left_out = value_blocks(value, path.stem)
    return Document(path, path.stem, blocks, (*warnings, *parser.warnings, *left_out))
