"""Reads TAT-QA (arXiv 2105.07624): reports with one table, paragraphs and questions each."""

import html
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, TypeAdapter, model_validator

from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.datasets.native import Filled, Native, read_json, repeated
from tablerag.evaluation.metrics.tatqa import score
from tablerag.tools.errors import ConfigError
from tablerag.tools.number_words import AnswerScale

__all__ = [
    "AnswerType",
    "Scale",
    "TatQaQuestion",
    "TatQaReport",
    "load_tatqa",
    "spans_and_scale",
    "tatqa_benchmark",
    "tatqa_page",
    "tatqa_scores",
    "write_files",
]

AnswerType = Literal["span", "multi-span", "arithmetic", "count"]
Scale = AnswerScale

SCALED = re.compile(r"(?P<number>.*\d.*?)\s*(?P<scale>thousand|million|billion)s?", re.IGNORECASE)
CURRENCY_CODE = re.compile(r"(?:[A-Z]{1,3}(?=\$)|[A-Z]{3}\s?(?=[-+(]?\d))")
"""What the official script does not read before a number: S$ 467, EUR 467."""
COUNT = re.compile(r"\d+(\.\d+)?")


def _texts(value: Any) -> Any:
    """Return an answer (a list of spans, or one number) as a list of texts."""
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        return [str(value)]
    return [str(v) for v in value] if isinstance(value, list) else value


class TatQaQuestion(Native):
    """One question with its gold answer."""

    uid: Filled
    question: Filled
    answer: Annotated[tuple[str, ...], BeforeValidator(_texts)]
    """The spans, or one number as text."""
    answer_type: AnswerType
    answer_from: Literal["table", "text", "table-text"]
    scale: Scale

    @model_validator(mode="after")
    def _answered(self) -> Self:
        if not any(a.strip() for a in self.answer):
            raise ValueError("answer must not be blank")
        if self.answer_type == "count" and not all(COUNT.fullmatch(a) for a in self.answer):
            raise ValueError("the answer to a count question must be a number")
        return self


class _Paragraph(Native):
    uid: str
    order: int
    text: str


class _Grid(Native):
    uid: str
    table: tuple[tuple[str, ...], ...] = Field(min_length=1)


class TatQaReport(Native):
    """One report: a table as a grid of strings, paragraphs and questions."""

    table: _Grid
    paragraphs: tuple[_Paragraph, ...]
    questions: tuple[TatQaQuestion, ...]

    @property
    def uid(self) -> str:
        """The table's id; reports have none of their own."""
        return self.table.uid


def load_tatqa(folder: Path, split: str = "dev") -> list[TatQaReport]:
    """Read ``tatqa_dataset_SPLIT.json``; raise ConfigError with the place that does not fit."""
    path = folder / f"tatqa_dataset_{split}.json"
    reports: list[TatQaReport] = read_json(path, TypeAdapter(list[TatQaReport]), "with TAT-QA's native files")
    if not reports:
        raise ConfigError(f"{path}: contains no reports")
    if uid := repeated(u for r in reports for u in (r.uid, *(q.uid for q in r.questions))):
        raise ConfigError(f"{path}: duplicate uid {uid}")
    return reports


def write_files(reports: Sequence[TatQaReport], out: Path) -> dict[str, TatQaReport]:
    """Write each report as an HTML page, paragraphs before the table; return the reports by file name."""
    out.mkdir(parents=True, exist_ok=True)
    written = dict(zip(_names(len(reports)), reports, strict=True))
    for name, report in written.items():
        (out / name).write_text(tatqa_page(report), encoding="utf-8")
    return written


def _names(count: int) -> list[str]:
    return [f"report_{number:04}.html" for number in range(1, count + 1)]


def _names_of(keys: Collection[str]) -> dict[str, str]:
    return dict(zip(sorted(keys), _names(len(keys)), strict=True))


def tatqa_page(report: TatQaReport) -> str:
    """Write a report as an HTML page, paragraphs before the table."""
    paragraphs = sorted(report.paragraphs, key=lambda p: p.order)
    lines = [f"<p>{html.escape(p.text)}</p>" for p in paragraphs]
    rows = ["<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in report.table.table]
    body = "\n".join([*lines, "<table>", *rows, "</table>"])
    return f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head><body>\n{body}\n</body></html>\n'


def tatqa_benchmark(folder: Path, split: str) -> Benchmark:
    """Read ``tatqa_dataset_SPLIT.json``."""
    reports = {r.uid: r for r in load_tatqa(folder, split)}
    return Benchmark(
        name="tatqa",
        questions=tuple(
            Question(q.uid, q.question, q.answer, r.uid, q.answer_type, q)
            for r in reports.values()
            for q in r.questions
        ),
        write_documents=lambda out, keys: write_files([reports[k] for k in sorted(keys)], out),
        score=lambda question, values: tatqa_scores(question.native, values),
        main="em",
        with_scale=True,
        sources=_names_of(reports),
        names_of=_names_of,
    )


def tatqa_scores(question: Any, values: Sequence[str]) -> dict[str, float]:
    """Return ``em``, ``f1`` and ``scale`` of values that may state a scale; ``question`` is a TatQaQuestion."""
    # The scale may be part of the span, as in the report's own "approximately 13%".
    readings = [spans_and_scale(values), (list(values), "")]
    found = max((score(question, *r) for r in readings), key=lambda s: (s.exact, s.f1))
    return {"em": found.exact, "f1": found.f1, "scale": float(found.scale and any(v.strip() for v in values))}


def spans_and_scale(values: Sequence[str]) -> tuple[list[str], str]:
    """Split off the scale that all values end with: ["1.5 million"] gives ["1.5"], "million"."""
    spans = [CURRENCY_CODE.sub("", v.strip()) for v in values if v.strip()]
    if spans and all(v.endswith(("%", "percent")) for v in spans):
        return [v.removesuffix("percent").strip() for v in spans], "percent"
    scaled = [SCALED.fullmatch(v) for v in spans]
    scales = {m["scale"].lower() for m in scaled if m}
    if scaled and all(scaled) and len(scales) == 1:
        return [m["number"] for m in scaled if m], scales.pop()
    return spans, ""
