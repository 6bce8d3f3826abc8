"""The corpora for training: OTT-QA's Wikipedia tables and passages, WikiTableQuestions' training split."""

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tablerag.evaluation.datasets.wikitq import load_wikitq
from tablerag.ingestion.readers import read_document
from tablerag.ingestion.tables.table import build_table
from tablerag.tools.errors import ConfigError, UnreadableDocument

__all__ = ["Passage", "SourceTable", "held_out", "read_hybridqa", "read_passages", "read_tables", "read_wikitq"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A Wikipedia article's beginning."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table with its titles, and questions that people asked about it."""

    key: str
    title: str
    section: str
    intro: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    questions: tuple[str, ...] = ()


def held_out(key: str, share: float = 0.15) -> bool:
    """Return whether a table is held out from training, by a hash of its key."""
    return int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) < share * 0x1_0000_0000


def _lines(path: Path) -> Iterator[dict]:
    if not path.is_file():
        raise ConfigError(f"{path}: file not found: give the folder with ottqa/ and wikitq/")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def read_passages(data: Path) -> list[Passage]:
    """Read the passages of the OTT-QA dump."""
    return [Passage(p["title"], p["text"]) for p in _lines(data / "ottqa" / "passages.jsonl.gz")]


def read_tables(data: Path) -> list[SourceTable]:
    """Read the tables of the OTT-QA dump."""
    return [
        SourceTable(
            t["id"], t["title"], t["section"], t["intro"], tuple(t["header"]), tuple(tuple(r) for r in t["rows"])
        )
        for t in _lines(data / "ottqa" / "tables.jsonl.gz")
        if t["header"] and t["rows"]
    ]


def read_wikitq(data: Path, split: str = "random-split-1-train") -> list[SourceTable]:
    """Read a split's tables with their questions; these tables have no titles."""
    by_table: dict[Path, list[str]] = {}
    for question in load_wikitq(data / "wikitq", split):
        by_table.setdefault(question.table, []).append(question.question)
    found = []
    for path, questions in by_table.items():
        try:
            table = build_table(next(b for b in read_document(path).blocks if hasattr(b, "grid")))
        except (UnreadableDocument, StopIteration):
            continue
        if table is not None:
            key = f"{path.parent.name}/{path.name}"
            header = tuple(c.header for c in table.columns)
            rows = tuple(tuple(r) for r in table.display_rows())
            found.append(SourceTable(key, "", "", "", header, rows, tuple(questions)))
    return found


def read_hybridqa(data: Path) -> list[SourceTable]:
    """Read HybridQA's tables with their questions."""
    folder = data / "hybridqa"
    path = folder / "released_data" / "dev.json"
    if not path.is_file():
        raise ConfigError(f"{path}: file not found: give the folder with hybridqa/")
    asked: dict[str, list[str]] = {}
    for question in json.loads(path.read_text(encoding="utf-8")):
        asked.setdefault(question["table_id"], []).append(question["question"])
    found = []
    for key, questions in asked.items():
        table = json.loads((folder / "tables_tok" / f"{key}.json").read_text(encoding="utf-8"))
        found.append(
            SourceTable(
                key,
                table["title"],
                table.get("section_title") or "",
                table.get("intro") or "",
                tuple(text for text, _ in table["header"]),
                tuple(tuple(text for text, _ in row) for row in table["data"]),
                tuple(questions),
            )
        )
    return found
