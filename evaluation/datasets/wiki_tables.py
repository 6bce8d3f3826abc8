"""Reads HybridQA (arXiv 2004.07347) and OTT-QA (arXiv 2010.10439): Wikipedia tables whose cells link to passages.

Both have the same layout: a JSON list of questions, one file for each table and one for the passages it links to.
"""

import hashlib
import re
from collections.abc import Collection
from html import escape
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote

from pydantic import Field, TypeAdapter, model_validator

from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.datasets.native import Filled, Native, read_json
from tablerag.evaluation.metrics.spans import span_scores
from tablerag.tools.errors import ConfigError

__all__ = ["HYBRIDQA", "load_hybridqa", "load_ottqa", "passage_page", "table_page"]

HYBRIDQA = {"": 0, "over-100-cells": 100}
"""The variants of HybridQA: only questions on tables with more cells than this, the header not counted.

TableRAG (arXiv 2506.10380) evaluates on tables of more than 100 cells.
"""
WANTED = "with the benchmark in its native layout"
MOST_CHARS = 80
"""Characters of a passage's title in its file name."""


class _Question(Native):
    question_id: Filled
    question: Filled
    table_id: Filled
    answer: Filled = Field(alias="answer-text")


class _Table(Native):
    title: str
    header: list[tuple[str, list[str]]] = Field(min_length=1)
    data: list[list[tuple[str, list[str]]]]
    section_title: str | None = None
    intro: str | None = None

    @model_validator(mode="after")
    def _rows_are_whole(self) -> Self:
        uneven = [n for n, row in enumerate(self.data) if len(row) != len(self.header)]
        if uneven:
            raise ValueError(f"row {uneven[0]} must have as many cells as the header")
        return self


def load_hybridqa(folder: Path, split: str = "dev", variant: str = "") -> Benchmark:
    """Read ``released_data/SPLIT.json``; raise ConfigError with the place that does not fit."""
    name = f"hybridqa-{variant}" if variant else "hybridqa"
    return _load(folder, split, name, "tables_tok", "request_tok", HYBRIDQA[variant])


def load_ottqa(folder: Path, split: str = "dev") -> Benchmark:
    """Read ``released_data/SPLIT.json``; raise ConfigError with the place that does not fit."""
    return _load(folder, split, "ottqa", "data/traindev_tables_tok", "data/traindev_request_tok")


def _load(folder: Path, split: str, name: str, tables: str, passages: str, more_cells_than: int = 0) -> Benchmark:
    path = folder / "released_data" / f"{split}.json"
    native = read_json(path, TypeAdapter(list[_Question]), WANTED)
    if not native:
        raise ConfigError(f"{path}: contains no questions")
    for question in native:
        for part in (tables, passages):
            if not _part(folder, part, question.table_id).is_file():
                raise ConfigError(
                    f"{path}: question {question.question_id} needs the table {question.table_id!r}, which is missing "
                    f"from {folder / part}: use the complete set"
                )
    if more_cells_than:
        large = {id_ for id_ in {q.table_id for q in native} if _cells(folder, tables, id_) > more_cells_than}
        native = [q for q in native if q.table_id in large]
        if not native:
            raise ConfigError(f"{path}: no question is on a table with more than {more_cells_than} cells")
    return Benchmark(
        name=name,
        questions=tuple(Question(q.question_id, q.question, (q.answer,), q.table_id) for q in native),
        write_documents=lambda out, keys: _write_documents(folder, tables, passages, out, keys),
        score=lambda question, values: span_scores(question.gold, "; ".join(values)),
        main="em",
    )


def _part(folder: Path, part: str, table_id: str) -> Path:
    # A table id is not a path: it must not lead out of the set.
    return folder / part / f"{table_id.replace('/', '_')}.json"


def _cells(folder: Path, tables: str, table_id: str) -> int:
    table = read_json(_part(folder, tables, table_id), TypeAdapter(_Table), WANTED)
    return len(table.header) * len(table.data)


def _write_documents(folder: Path, tables: str, passages: str, out: Path, keys: Collection[str]) -> None:
    """Write tables under numbers, in an order that reveals nothing, and all passages they link to."""
    (out / "tables").mkdir(parents=True, exist_ok=True)
    (out / "passages").mkdir(exist_ok=True)
    linked: dict[str, str] = {}
    for number, key in enumerate(sorted(keys, key=lambda k: hashlib.sha256(k.encode()).digest()), start=1):
        table = read_json(_part(folder, tables, key), TypeAdapter(_Table), WANTED)
        (out / "tables" / f"table_{number:05}.html").write_text(table_page(table.model_dump()), encoding="utf-8")
        linked |= read_json(_part(folder, passages, key), TypeAdapter(dict[str, str]), WANTED)
    for link, text in linked.items():
        name, page = passage_page(link, text)
        (out / "passages" / name).write_text(page, encoding="utf-8")


def table_page(table: dict[str, Any]) -> str:
    """Return a table as an HTML page without its links."""
    head = "".join(f"<th>{escape(text)}</th>" for text, _ in table["header"])
    rows = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text, _ in row) + "</tr>\n" for row in table["data"])
    section = table.get("section_title") or ""
    heading = f"<h2>{escape(section)}</h2>\n" if section else ""
    return (
        f"<html><head><title>{escape(table['title'])}</title></head><body>\n<h1>{escape(table['title'])}</h1>\n"
        f"<p>{escape(table.get('intro') or '')}</p>\n{heading}"
        f"<table>\n<tr>{head}</tr>\n{rows}</table>\n</body></html>\n"
    )


def passage_page(link: str, text: str) -> tuple[str, str]:
    """Return the file name and the Markdown of a linked passage."""
    title = unquote(link.removeprefix("/wiki/"))
    name = re.sub(r"[^\w()-]+", "_", title)[:MOST_CHARS]
    return f"{name}-{hashlib.sha256(link.encode()).hexdigest()[:6]}.md", f"# {title.replace('_', ' ')}\n\n{text}\n"
