"""WikiTableQuestions 1.0.2 (arXiv 1508.00305): questions, each with its table as a CSV file."""

from dataclasses import dataclass
from pathlib import Path

from tools.errors import ConfigError

__all__ = ["WikiTqQuestion", "load_wikitq"]

COLUMNS = ["id", "utterance", "context", "targetValue"]
ESCAPES = {r"\n": "\n", r"\p": "|", "\\\\": "\\"}


@dataclass(frozen=True, slots=True)
class WikiTqQuestion:
    """One question with its gold values and the CSV file of its table."""

    id: str
    question: str
    table: Path
    gold: tuple[str, ...]


def load_wikitq(folder: Path, split: str = "random-split-1-dev") -> list[WikiTqQuestion]:
    """Read ``data/<split>.tsv``; raise ConfigError when the folder is not the benchmark's."""
    path = folder / "data" / f"{split}.tsv"
    if not path.is_file():
        raise ConfigError(f"{path}: not found; give the folder that holds WikiTableQuestions' data/ and csv/")
    lines = path.read_text(encoding="utf-8").split("\n")
    if lines[0].rstrip("\r").split("\t") != COLUMNS:
        raise ConfigError(f"{path}: expected the columns {COLUMNS}, got {lines[0][:200]!r}")
    rows = [line.rstrip("\r").split("\t") for line in lines[1:] if line]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(COLUMNS):
            raise ConfigError(f"{path}, line {number}: expected {len(COLUMNS)} fields divided by tabs, got {len(row)}")
    return [
        WikiTqQuestion(id_, _unescape(text), folder / table, tuple(_unescape(v) for v in target.split("|")))
        for id_, text, table, target in rows
    ]


def _unescape(text: str) -> str:
    for escaped, plain in ESCAPES.items():
        text = text.replace(escaped, plain)
    return text
