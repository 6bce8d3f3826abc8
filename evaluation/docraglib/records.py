"""The files of a build: its settings, its decisions on questions, its questions, and its manifest."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from tablerag.evaluation.datasets.native import Filled, first_error, read_json_lines
from tablerag.tools.errors import ConfigError

__all__ = ["DECISIONS", "DOCUMENTS", "MANIFEST", "QUESTIONS", "SETTINGS", "SPLITS", "Built", "Decision",
           "LibQuestion", "LibSource", "Manifest", "Split", "read_manifest", "read_questions", "write_lines",
           "write_record"]  # fmt: skip

DOCUMENTS = "documents"
QUESTIONS = "questions.jsonl"
DECISIONS = "decisions.jsonl"
SETTINGS = "build.json"
MANIFEST = "manifest.json"
"""Written last: it marks a complete build."""
LibSource = Literal["multihiertt", "hitab", "tatqa"]
Split = Literal["train", "dev", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
WANTED = "written by `tablerag docraglib build`"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Built(_Record):
    """What a build is made from; an interrupted build goes on only with the same."""

    sources: dict[LibSource, str]
    """The folder of each set."""
    splits: tuple[str, ...]
    """The native splits that are read."""
    documents: int
    """How many documents are drawn; 0 for all."""
    seed: int
    filtered_by: str
    """rule, none, or the model that decides which questions name their document."""


class Decision(_Record):
    """Whether one question can be asked of the whole corpus."""

    id: str
    kept: bool
    reason: str = ""


class LibQuestion(_Record):
    """One question with its document, and what its own set's metric needs."""

    id: Filled
    source: LibSource
    split: Split
    question: Filled
    gold: tuple[str, ...] = Field(min_length=1)
    document: Filled
    """The document's file name."""
    operators: str = ""
    evidence: str = ""
    """text | table | table-text; "" if the set does not say."""
    native: dict[str, Any]


class Manifest(_Record):
    """What a build contains."""

    made: Built
    documents: int
    questions: int
    candidates: int
    """Questions of the sets before the filter."""
    documents_by_source: dict[str, int]
    questions_by_source: dict[str, int]
    questions_by_split: dict[str, int]
    rejected: dict[str, int]
    """Questions that were filtered out, by reason."""


def write_lines(path: Path, records: Iterable[BaseModel]) -> None:
    """Replace a file atomically by the records, one line each."""
    _replace(path, "".join(r.model_dump_json() + "\n" for r in records))


def write_record(path: Path, record: BaseModel) -> None:
    """Replace a file atomically by one record."""
    _replace(path, record.model_dump_json(indent=1) + "\n")


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def read_manifest(folder: Path) -> Manifest:
    """Read a build's manifest; raise ConfigError if the folder has no complete build."""
    path = folder / MANIFEST
    if not path.is_file():
        begun = (folder / SETTINGS).is_file()
        how = "the build was interrupted: run the same `tablerag docraglib build` again" if begun else (
            f"give the folder {WANTED}")  # fmt: skip
        raise ConfigError(f"{path}: file not found: {how}")
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ConfigError(f"{path}: {first_error(error)}: build again") from error


def read_questions(folder: Path) -> list[LibQuestion]:
    """Read the questions of a complete build; raise ConfigError if lines or documents are missing."""
    manifest = read_manifest(folder)
    found: list[LibQuestion] = read_json_lines(folder / QUESTIONS, TypeAdapter(LibQuestion), f"folder {WANTED}")
    if len(found) != manifest.questions:
        raise ConfigError(
            f"{folder / QUESTIONS}: has {len(found)} questions, expected {manifest.questions}: use the complete file"
        )
    if lost := next((q for q in found if not (folder / DOCUMENTS / q.document).is_file()), None):
        raise ConfigError(
            f"{folder / DOCUMENTS / lost.document}: file not found, needed by {lost.id}: copy the complete folder"
        )
    return found
