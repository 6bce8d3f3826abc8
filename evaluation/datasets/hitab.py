"""Reads HiTab (arXiv 2108.06712): questions, each over one hierarchical table of a statistical report or Wikipedia.

``data/SPLIT_samples.jsonl`` has the questions, ``data/tables/raw/ID.json`` the tables: texts, merged cells and the
trees of both headers. A table is written back as an HTML page with merged header cells, row headers indented by level.
"""

import zipfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, TypeAdapter

from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.datasets.merged_tables import MergedTable, Region, file_names, page_of, table_html
from tablerag.evaluation.datasets.native import Filled, Native, is_inside, read_json, read_json_lines
from tablerag.evaluation.metrics.hitab import denotation
from tablerag.evaluation.metrics.units import as_shares, without_units
from tablerag.tools.errors import ConfigError

__all__ = ["HiTabQuestion", "HiTabTable", "hitab_benchmark", "hitab_page", "hitab_scores", "load_hitab", "load_table"]

WANTED = "with HiTab's data/"
TABLES = ("data", "tables", "raw")
Value = str | int | float


def _values(value: Any) -> Any:
    if not isinstance(value, list) or not value:
        raise ValueError("must be a list with at least one value")
    if not all(isinstance(v, Value) and not isinstance(v, bool) and str(v).strip() for v in value):
        raise ValueError("must contain texts and numbers only, none of them blank")
    return tuple(value)


class HiTabQuestion(Native):
    """One question with its gold values."""

    id: Filled
    table_id: Filled
    table_source: str = ""
    question: Filled
    answer: Annotated[tuple[Any, ...], BeforeValidator(_values)]
    aggregation: tuple[str, ...]

    @property
    def operators(self) -> str:
        """How the answer derives from cells: "none" for a lookup, else such as "sum + div"."""
        return " + ".join(self.aggregation) or "none"


class _Node(Native):
    row_index: int
    column_index: int
    children: tuple["_Node", ...] = ()


class _Merged(Native):
    first_row: int
    last_row: int
    first_column: int
    last_column: int


class HiTabTable(Native):
    """One table: a grid of texts, its merged cells, and the trees of its headers."""

    title: str
    texts: tuple[tuple[str, ...], ...] = Field(min_length=1)
    merged_regions: tuple[_Merged, ...]
    top_header_rows_num: int
    left_header_columns_num: int
    top_root: _Node
    left_root: _Node


def load_hitab(folder: Path, split: str = "dev") -> list[HiTabQuestion]:
    """Read ``data/SPLIT_samples.jsonl``; raise ConfigError with the line that does not fit, or the missing table."""
    path = folder / "data" / f"{split}_samples.jsonl"
    questions: list[HiTabQuestion] = read_json_lines(path, TypeAdapter(HiTabQuestion), WANTED)
    tables = folder.joinpath(*TABLES)
    if not tables.is_dir():
        packed = folder / "data" / "tables.zip"
        how = f"unpack {packed}" if zipfile.is_zipfile(packed) else "use the complete set"
        raise ConfigError(f"{tables}: folder not found: {how}")
    for question in questions:
        if not is_inside(question.table_id) or not _table_path(folder, question.table_id).is_file():
            raise ConfigError(
                f"{path}: question {question.id} needs the table {question.table_id!r}, "
                f"which is missing from {tables}: use the complete set"
            )
    return questions


def _table_path(folder: Path, table_id: str) -> Path:
    return folder.joinpath(*TABLES, f"{table_id}.json")


def load_table(folder: Path, table_id: str) -> HiTabTable:
    """Read one table; raise ConfigError with the place that does not fit."""
    return read_json(_table_path(folder, table_id), TypeAdapter(HiTabTable), WANTED)


def hitab_page(table: HiTabTable) -> str:
    """Write a table as a page of its own."""
    headers = [node for node in _below(table.top_root) if node.row_index >= 0]
    regions = [Region(m.first_row, m.last_row, m.first_column, m.last_column) for m in table.merged_regions]
    rows = max((node.row_index for node in headers), default=-1) + 1
    return page_of(table.title, [table_html(MergedTable(table.texts, rows, regions, _levels(table.left_root)))])


def _below(node: _Node) -> list[_Node]:
    return [n for child in node.children for n in (child, *_below(child))]


def _levels(node: _Node, level: int = 0) -> dict[int, int]:
    """Return the level of each row header in the first column."""
    found: dict[int, int] = {}
    for child in node.children:
        if child.column_index == 0:
            found.setdefault(child.row_index, level)
        for row, below in _levels(child, level + 1).items():
            found.setdefault(row, below)
    return found


def hitab_benchmark(folder: Path, split: str) -> Benchmark:
    """Read ``data/SPLIT_samples.jsonl`` with the tables it asks about."""
    native = load_hitab(folder, split)
    tables = [q.table_id for q in native]

    def write_documents(out: Path, keys: Collection[str]) -> None:
        out.mkdir(parents=True, exist_ok=True)
        for key, name in file_names(keys).items():
            (out / name).write_text(hitab_page(load_table(folder, key)), encoding="utf-8")

    return Benchmark(
        name="hitab",
        questions=tuple(
            Question(q.id, q.question, tuple(map(_shown, q.answer)), q.table_id, q.operators, q) for q in native
        ),
        write_documents=write_documents,
        score=lambda question, values: hitab_scores(question.native, values),
        main="denotation",
        with_unit=True,
        sources=file_names(tables),
        names_of=file_names,
    )


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:.10g}"


def hitab_scores(question: Any, values: Sequence[str]) -> dict[str, float]:
    """Return the ``denotation`` of an answer to a HiTabQuestion; units beside numbers are left out, 25 % is 0.25."""
    # A single value may itself contain a semicolon.
    readings = [list(values), ["; ".join(values)], without_units(values), as_shares(values)] if values else []
    return {"denotation": max((denotation(question.answer, r) for r in readings), default=0.0)}
