"""HeteQA's questions as records, one JSON line each, with the log of how they came to be and what became of them."""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tablerag.evaluation.heteqa.draft import Operation
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Cell

__all__ = ["QUESTIONS", "REJECTED", "BridgeRecord", "Decision", "HeteQuestion", "Rejection", "Status", "TableRecord",
           "read_questions", "write_lines"]  # fmt: skip

QUESTIONS, REJECTED = "heteqa.jsonl", "rejected.jsonl"
Status = Literal["pending", "accepted", "fixed", "discarded"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TableRecord(_Record):
    """A table that a question is about."""

    source: str
    """The document's path below the corpus folder."""
    title: str
    sql_name: str
    """The name by which ``sql`` reads it."""
    parts: tuple[str, ...] = ()
    """Ids of the tables of the source data that it was joined from."""


class BridgeRecord(_Record):
    """How a question crosses between table and text."""

    direction: Literal["table to text", "text to table"]
    passage: str
    """The passage's document, below the corpus folder."""
    title: str
    fact: str
    value: str
    """What the passage says."""
    quote: str


class Decision(_Record):
    """One line of a question's log."""

    by: str
    """ "grammar", a model's name, "executions", or "annotator"."""
    did: str
    detail: str = ""
    at: str = ""
    """ISO 8601, for what people did; empty for what repeats alike."""
    was: dict[str, Cell] | None = None
    """What a decision of the annotator replaced: status, question, answer, and its SQL with what that found."""


class HeteQuestion(_Record):
    """One question with its answer and all that it rests on."""

    id: str
    question: str
    answer: str
    operations: tuple[Operation, ...]
    kind: str
    domain: str
    tables: tuple[TableRecord, ...]
    passages: tuple[str, ...] = ()
    """Documents of the passages that it needs."""
    bridge: BridgeRecord | None = None
    sql: str
    pandas: str
    sql_result: Cell
    pandas_result: Cell
    status: Status = "pending"
    log: tuple[Decision, ...] = Field(default=())

    @property
    def hops(self) -> int:
        """How many steps it takes: operations, and the text hop."""
        return len(self.operations) + (self.bridge is not None)


class Rejection(_Record):
    """A candidate that was not kept."""

    table: str
    kind: str
    question: str
    sql: str
    pandas: str
    reason: str
    detail: str = ""


def write_lines(path: Path, records: Iterable[BaseModel]) -> None:
    """Replace a file by the records in one step, so that a process that dies leaves the old or the new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    beside.write_text("".join(r.model_dump_json() + "\n" for r in records), encoding="utf-8")
    beside.replace(path)


def read_questions(path: Path) -> list[HeteQuestion]:
    """Read a file of questions; raise ConfigError with the line that does not fit."""
    if not path.is_file():
        raise ConfigError(f"{path}: not found; `tablerag heteqa build --data DIR --out FOLDER` makes it")
    found = [question for _, question in _read(path)]
    ids = [q.id for q in found]
    if len(set(ids)) < len(ids):
        twice = next(i for i in ids if ids.count(i) > 1)
        raise ConfigError(f"{path}: the id {twice!r} stands there twice: build again, or give one another id")
    return found


def _read(path: Path) -> Iterator[tuple[int, HeteQuestion]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}): save it as UTF-8") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield number, HeteQuestion.model_validate(json.loads(line))
        except json.JSONDecodeError as error:
            raise ConfigError(
                f"{path}, line {number}: not JSON ({error.msg}): one question a line is expected"
            ) from error
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "the line"
            raise ConfigError(f"{path}, line {number}: {place}: {first['msg']}: mend or remove the line") from error
