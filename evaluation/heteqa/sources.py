"""Reads Wikipedia tables and passages in OTT-QA's layout (arXiv 2010.10439), from which HeteQA is built."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablerag.tools.errors import ConfigError

__all__ = ["Passage", "Passages", "SourceTable", "as_written", "load_passages", "load_tables"]

LAYOUT = "give the folder with tables.jsonl.gz and passages.jsonl.gz"
SPACES = (
    (re.compile(r"\s+([,;:!?)\]])"), r"\1"),
    (re.compile(r"\s+\.(?=\s|$)"), "."),
    (re.compile(r"([(\[])\s+"), r"\1"),
    (re.compile(r"\s+('s|'re|'ll|'ve|n't)\b"), r"\1"),
    (re.compile(r"\s+"), " "),
)


@dataclass(frozen=True, slots=True)
class Passage:
    """The beginning of one page, with normal spacing."""

    title: str
    text: str


class Passages:
    """Passages by the title of their page, ignoring case."""

    def __init__(self, texts: Mapping[str, tuple[str, str]]) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    def about(self, title: str) -> Passage | None:
        """Return a page's passage, or None."""
        found = self._texts.get(title.casefold())
        # Converted on demand: most passages are never needed.
        return Passage(found[0], as_written(found[1])) if found else None


@dataclass(frozen=True, slots=True)
class SourceTable:
    """One table of one page, with normal spacing in its cells."""

    id: str
    title: str
    section: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def as_written(text: str) -> str:
    """Return text without the spaces that a tokenizer put around punctuation.

    >>> as_written("Net worth ( USD ) , 2019")
    'Net worth (USD), 2019'
    """
    for pattern, plain in SPACES:
        text = pattern.sub(plain, text)
    return text.strip()


def load_tables(folder: Path) -> list[SourceTable]:
    """Read ``tables.jsonl.gz``; raise ConfigError with the line that does not fit."""
    found = []
    for place, entry in _lines(folder / "tables.jsonl.gz"):
        try:
            header = tuple(as_written(h) for h in entry["header"])
            rows = tuple(tuple(as_written(c) for c in row) for row in entry["rows"])
            title, section = as_written(entry["title"]), as_written(entry["section"])
            found.append(SourceTable(entry["id"], title, section, header, rows))
        except (KeyError, TypeError) as error:
            fields = "id, title, section, header and rows"
            raise ConfigError(f"{place}: invalid table ({error!r}): expected {fields}") from error
    return found


def load_passages(folder: Path) -> Passages:
    """Read ``passages.jsonl.gz``; raise ConfigError with the line that does not fit."""
    found: dict[str, tuple[str, str]] = {}
    for place, entry in _lines(folder / "passages.jsonl.gz"):
        try:
            title = as_written(entry["title"])
            found.setdefault(title.casefold(), (title, str(entry["text"])))
        except (KeyError, TypeError) as error:
            raise ConfigError(f"{place}: invalid passage ({error!r}): expected title and text") from error
    return Passages(found)


def _lines(path: Path) -> Iterator[tuple[str, Any]]:
    if not path.is_file():
        raise ConfigError(f"{path}: file not found: {LAYOUT}")
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                yield f"{path}, line {number}", json.loads(line)
    except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ConfigError(f"{path}, line {number + 1}: not gzipped JSON lines ({error}): {LAYOUT}") from error
