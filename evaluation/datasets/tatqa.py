"""TAT-QA (arXiv 2105.07624): reports of one table and paragraphs each, with questions, in its native files."""

import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, model_validator

from tablerag.evaluation.datasets.native import Filled, read_json
from tablerag.tools.errors import ConfigError

__all__ = ["SCALES", "AnswerType", "Scale", "TatQaQuestion", "TatQaReport", "load_tatqa", "write_files"]

AnswerType = Literal["span", "multi-span", "arithmetic", "count"]
Scale = Literal["", "thousand", "million", "billion", "percent"]
SCALES: tuple[Scale, ...] = ("", "thousand", "million", "billion", "percent")

COUNT = re.compile(r"\d+(\.\d+)?")


def _texts(value: Any) -> Any:
    """Read an answer, a list of spans or one number, as texts."""
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        return [str(value)]
    return [str(v) for v in value] if isinstance(value, list) else value


class _Native(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class TatQaQuestion(_Native):
    """One question with its gold answer."""

    uid: Filled
    question: Filled
    answer: Annotated[tuple[str, ...], BeforeValidator(_texts)]
    """The spans, or one number as text."""
    answer_type: AnswerType
    answer_from: Literal["table", "text", "table-text"]
    scale: Scale
    derivation: str = ""

    @model_validator(mode="after")
    def _answered(self) -> Self:
        if not any(a.strip() for a in self.answer):
            raise ValueError("the answer is blank")
        if self.answer_type == "count" and not all(COUNT.fullmatch(a) for a in self.answer):
            raise ValueError("the answer of a count is no number")
        return self


class _Paragraph(_Native):
    uid: str
    order: int
    text: str


class _Grid(_Native):
    uid: str
    table: tuple[tuple[str, ...], ...] = Field(min_length=1)


class TatQaReport(_Native):
    """One report: its table as a grid of strings, its paragraphs and its questions."""

    table: _Grid
    paragraphs: tuple[_Paragraph, ...]
    questions: tuple[TatQaQuestion, ...]

    @property
    def uid(self) -> str:
        """The table's id: the report has none of its own."""
        return self.table.uid


def load_tatqa(folder: Path, split: str = "dev") -> list[TatQaReport]:
    """Read ``tatqa_dataset_SPLIT.json``; raise ConfigError saying what does not fit, and where."""
    path = folder / f"tatqa_dataset_{split}.json"
    reports: list[TatQaReport] = read_json(path, TypeAdapter(list[TatQaReport]), "that holds TAT-QA's native files")
    if not reports:
        raise ConfigError(f"{path}: holds no reports")
    seen: set[str] = set()
    for uid in (u for r in reports for u in (r.uid, *(q.uid for q in r.questions))):
        if uid in seen:
            raise ConfigError(f"{path}: the uid {uid} is there twice")
        seen.add(uid)
    return reports


def write_files(reports: Sequence[TatQaReport], out: Path) -> dict[str, TatQaReport]:
    """Write each report as an HTML page, paragraphs before the table; return the report of each file name."""
    out.mkdir(parents=True, exist_ok=True)
    written = {f"report_{number:04}.html": report for number, report in enumerate(reports, start=1)}
    for name, report in written.items():
        (out / name).write_text(_page(report), encoding="utf-8")
    return written


def _page(report: TatQaReport) -> str:
    paragraphs = sorted(report.paragraphs, key=lambda p: p.order)
    lines = [f"<p>{html.escape(p.text)}</p>" for p in paragraphs]
    rows = ["<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in report.table.table]
    body = "\n".join([*lines, "<table>", *rows, "</table>"])
    return f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head><body>\n{body}\n</body></html>\n'
