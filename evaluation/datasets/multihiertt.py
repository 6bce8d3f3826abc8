"""Reads MultiHiertt (arXiv 2206.01347): documents of annual reports with several hierarchical tables, a question each.

``SPLIT.json`` is one list: uid, paragraphs, tables (HTML), qa. Paragraphs that read "## Table 2 ##" say where a table
is. Examples over the same pages share one document here.
"""

import hashlib
import re
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, TypeAdapter

from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.datasets.merged_tables import file_names, page_of
from tablerag.evaluation.datasets.native import Filled, Native, read_json, repeated
from tablerag.evaluation.metrics.multihiertt import multihiertt_scores
from tablerag.tools.errors import ConfigError

__all__ = ["MultiHierttExample", "load_multihiertt", "multihiertt_benchmark", "multihiertt_page"]

MARKER = re.compile(r"##\s*Table\s*(\d+)\s*##", re.IGNORECASE)
OPERATION = re.compile(r"[a-z_]+(?=\()")
WANTED = "with MultiHiertt's train.json, dev.json and test.json"


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _program(value: Any) -> Any:
    """Read a program as text; it may be a list of tokens."""
    return "".join(map(str, value)) if isinstance(value, list) else value or ""


def _table(text: str) -> str:
    if "<table" not in text.lower():
        raise ValueError("must be HTML with a <table>")
    return text


class _Qa(Native):
    question: Filled
    answer: Annotated[str, BeforeValidator(_as_text)] = ""
    program: Annotated[str, BeforeValidator(_program)] = ""
    text_evidence: tuple[Any, ...] = ()
    table_evidence: tuple[Any, ...] = ()


class MultiHierttExample(Native):
    """One question with its pages."""

    uid: Filled
    paragraphs: tuple[str, ...]
    tables: tuple[Annotated[str, AfterValidator(_table)], ...]
    qa: _Qa

    @cached_property
    def document(self) -> str:
        """The key of its pages: a hash of their content, since they have no id of their own."""
        return hashlib.sha256("\0".join([*self.paragraphs, "", *self.tables]).encode()).hexdigest()[:16]

    @property
    def operators(self) -> str:
        """The operations of its program, such as "divide + subtract"; "span" without one."""
        return " + ".join(sorted(set(OPERATION.findall(self.qa.program)))) or "span"


def load_multihiertt(folder: Path, split: str = "dev") -> list[MultiHierttExample]:
    """Read ``SPLIT.json``; raise ConfigError with the place that does not fit."""
    path = folder / f"{split}.json"
    found: list[MultiHierttExample] = read_json(path, TypeAdapter(list[MultiHierttExample]), WANTED)
    if not found:
        raise ConfigError(f"{path}: contains no questions")
    if uid := repeated(e.uid for e in found):
        raise ConfigError(f"{path}: duplicate uid {uid}")
    unanswered = [e for e in found if not e.qa.answer.strip()]
    if len(unanswered) == len(found):
        raise ConfigError(
            f"{path}: its questions have no answers (the test set's are not published): use another split"
        )
    if unanswered:
        raise ConfigError(f"{path}: {unanswered[0].uid}: qa.answer must not be blank")
    if empty := next((e for e in found if not e.tables and not any(p.strip() for p in e.paragraphs)), None):
        raise ConfigError(f"{path}: {empty.uid}: has neither paragraphs nor tables")
    return found


def multihiertt_page(example: MultiHierttExample) -> str:
    """Write the pages of an example, each table where the paragraphs say; tables that they do not name come last."""
    body: list[str] = []
    left = dict(enumerate(example.tables))
    for paragraph in example.paragraphs:
        marker = MARKER.fullmatch(paragraph.strip())
        if marker is None:
            body.append(f"<p>{_escaped(paragraph)}</p>")
        elif (table := left.pop(int(marker[1]), None)) is not None:
            body.append(table)
    return page_of("", [*body, *left.values()])


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def multihiertt_benchmark(folder: Path, split: str) -> Benchmark:
    """Read ``SPLIT.json``: train or dev."""
    native = load_multihiertt(folder, split)
    documents = {e.document: e for e in native}

    def write_documents(out: Path, keys: Collection[str]) -> None:
        out.mkdir(parents=True, exist_ok=True)
        for key, name in file_names(keys).items():
            (out / name).write_text(multihiertt_page(documents[key]), encoding="utf-8")

    return Benchmark(
        name="multihiertt",
        questions=tuple(Question(e.uid, e.qa.question, (e.qa.answer,), e.document, e.operators, e.qa) for e in native),
        write_documents=write_documents,
        score=_scores,
        main="em",
        with_unit=True,
        sources=file_names(documents),
        names_of=file_names,
    )


def _scores(question: Question, values: Sequence[str]) -> dict[str, float]:
    return multihiertt_scores(question.native.answer, values, computed=bool(question.native.program.strip()))
