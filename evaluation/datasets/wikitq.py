"""Reads WikiTableQuestions 1.0.2 (arXiv 1508.00305): questions, each with its table as a CSV file."""

import hashlib
import re
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.datasets.native import read_text
from tablerag.evaluation.metrics.denotation import denotations_match
from tablerag.tools.errors import ConfigError

__all__ = ["WikiTqQuestion", "load_wikitq", "wikitq_benchmark"]

SPLITS = {"dev": "random-split-1-dev", "train": "random-split-1-train", "test": "pristine-unseen-tables"}
COLUMNS = ["id", "utterance", "context", "targetValue"]
TABLE = re.compile(r"csv/[\w-]+/[\w-]+\.csv")
WANTED = "with WikiTableQuestions' data/ and csv/"
ESCAPES = {r"\n": "\n", r"\p": "|", "\\\\": "\\"}


@dataclass(frozen=True, slots=True)
class WikiTqQuestion:
    """One question with its gold values and its table's CSV file."""

    id: str
    question: str
    table: Path
    gold: tuple[str, ...]


def load_wikitq(folder: Path, split: str = "random-split-1-dev") -> list[WikiTqQuestion]:
    """Read ``data/SPLIT.tsv``; raise ConfigError with the line that does not fit."""
    path = folder / "data" / f"{split}.tsv"
    head, *lines = read_text(path, WANTED).split("\n")
    if head.rstrip("\r").split("\t") != COLUMNS:
        raise ConfigError(f"{path}, line 1: expected the columns {COLUMNS}, got {head[:200]!r}")
    found = [_question(folder, line, f"{path}, line {n}") for n, line in enumerate(lines, start=2) if line.strip("\r")]
    if not found:
        raise ConfigError(f"{path}: contains no questions")
    return found


def _question(folder: Path, line: str, place: str) -> WikiTqQuestion:
    fields = line.rstrip("\r").split("\t")
    if len(fields) != len(COLUMNS):
        raise ConfigError(f"{place}: expected {len(COLUMNS)} tab-separated fields, got {len(fields)}")
    id_, text, table, target = fields
    blank = next((c for c, f in zip(COLUMNS, fields, strict=True) if not f.strip()), None)
    if blank:
        raise ConfigError(f"{place}: {blank} must not be blank")
    # The named file is copied into the corpus: it must not lead out of the set, nor to the gold answers.
    if not TABLE.fullmatch(table):
        raise ConfigError(f"{place}: expected a table below csv/, got {table[:80]!r}")
    if not (folder / table).is_file():
        raise ConfigError(f"{place}: {folder / table}: file not found: give the folder {WANTED}")
    return WikiTqQuestion(id_, _unescape(text), folder / table, tuple(_unescape(v) for v in target.split("|")))


def wikitq_benchmark(folder: Path, split: str) -> Benchmark:
    """Read ``data/SPLIT.tsv``, where dev, train and test name the official splits."""
    native = load_wikitq(folder, SPLITS.get(split, split))
    files = {str(q.table.relative_to(folder)): q.table for q in native}

    def write_documents(out: Path, keys: Collection[str]) -> None:
        out.mkdir(parents=True, exist_ok=True)
        ordered = sorted(keys, key=lambda k: hashlib.sha256(k.encode()).digest())
        for number, key in enumerate(ordered, start=1):
            shutil.copyfile(files[key], out / f"table_{number:05}.csv")

    return Benchmark(
        name="wikitq",
        questions=tuple(Question(q.id, q.question, q.gold, str(q.table.relative_to(folder))) for q in native),
        write_documents=write_documents,
        score=_wikitq_scores,
        main="denotation",
        with_unit=True,
    )


def _wikitq_scores(question: Question, values: Sequence[str]) -> dict[str, float]:
    # A single value may itself contain a semicolon.
    readings = [values, ["; ".join(values)]] if values else []
    return {"denotation": float(any(denotations_match(question.gold, r) for r in readings))}


def _unescape(text: str) -> str:
    for escaped, plain in ESCAPES.items():
        text = text.replace(escaped, plain)
    return text
