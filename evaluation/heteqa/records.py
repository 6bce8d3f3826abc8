"""HeteQA's questions as records, one JSON line each, with a log of how they were made and judged."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tablerag.evaluation.datasets.native import first_error, read_text, repeated
from tablerag.evaluation.heteqa.draft import Operation
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Cell

__all__ = ["QUESTIONS", "REJECTED", "BridgeRecord", "Decision", "HeteQuestion", "HopDirection", "Rejection", "Status",
           "TableRecord", "read_questions", "write_lines"]  # fmt: skip

QUESTIONS, REJECTED = "heteqa.jsonl", "rejected.jsonl"
HopDirection = Literal["table to text", "text to table"]
Status = Literal["pending", "accepted", "fixed", "discarded"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TableRecord(_Record):
    """A table that a question is about."""

    source: str
    """The document's path below the corpus folder."""
    title: str
    sql_name: str
    """Its name in ``sql``."""
    parts: tuple[str, ...] = ()
    """Ids of the source tables that it was joined from."""


class BridgeRecord(_Record):
    """A question's text hop."""

    direction: HopDirection
    passage: str
    """The path of the passage's document below the corpus folder."""
    title: str
    fact: str
    value: str
    """The fact's value, as the passage states it."""
    quote: str


class Decision(_Record):
    """One line of a question's log."""

    by: str
    """ "grammar", a model's name, "executions", or "annotator"."""
    did: str
    detail: str = ""
    at: str = ""
    """ISO 8601 for decisions of people; empty for deterministic steps."""
    was: dict[str, Cell] | None = None
    """The values that the annotator replaced: status, question, answer, SQL and its result."""


class HeteQuestion(_Record):
    """One question with its answer, its programs and their results."""

    id: str
    question: str
    answer: str
    operations: tuple[Operation, ...]
    kind: str
    domain: str
    tables: tuple[TableRecord, ...]
    passages: tuple[str, ...] = ()
    """Paths of the passages that it needs."""
    bridge: BridgeRecord | None = None
    sql: str
    pandas: str
    sql_result: Cell
    pandas_result: Cell
    status: Status = "pending"
    log: tuple[Decision, ...] = Field(default=())

    @property
    def hops(self) -> int:
        """The number of its operations and text hops."""
        return len(self.operations) + (self.bridge is not None)


class Rejection(_Record):
    """A rejected candidate."""

    table: str
    kind: str
    question: str
    sql: str
    pandas: str
    reason: str
    detail: str = ""


def write_lines(path: Path, records: Iterable[BaseModel]) -> None:
    """Replace a file atomically by the records, one line each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    beside.write_text("".join(r.model_dump_json() + "\n" for r in records), encoding="utf-8")
    beside.replace(path)


def read_questions(path: Path) -> list[HeteQuestion]:
    """Read a file of questions; raise ConfigError with the line that does not fit."""
    found: list[HeteQuestion] = []
    wanted = "written by `tablerag heteqa build --data DIR --out FOLDER`"
    for number, line in enumerate(read_text(path, wanted).split("\n"), start=1):
        try:
            found += [HeteQuestion.model_validate_json(line)] if line.strip() else []
        except ValidationError as error:
            raise ConfigError(f"{path}, line {number}: {first_error(error)}: fix or delete the line") from error
    if id_ := repeated(q.id for q in found):
        raise ConfigError(f"{path}: duplicate id {id_!r}: give one of the questions another id, or build again")
    return found
