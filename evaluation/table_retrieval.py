"""QGpT's table retrieval sets as benchmarks: which tables answer a question, measured by Recall@k.

The documents are the corpora's partial tables (ten rows) as files with their released titles (E2E-WTQ has none),
without the corpora's questions.
"""

import re
import tempfile
import time
from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path

from tablerag.agent.context import Context
from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.datasets.qgpt import load_qgpt, write_files
from tablerag.evaluation.records import Outcome
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services

__all__ = ["DEPTHS", "TableRetrieval", "load_e2e_wtq", "load_fetaqa", "load_mimotable", "load_mmqa", "load_qgpt_ottqa"]

DEPTHS = (1, 5, 10)
SHEET = re.compile(r"sheet (.*?)(?:, (?:rows|cells) .*)?")
PLACE = " > "
"""Separates a file from its sheet."""


MMQA = {"dev": "MMQA_2table", "2tables": "MMQA_2table", "3tables": "MMQA_3table"}
"""The splits of MMQA: questions over two tables, and over three."""


def load_mimotable(folder: Path, split: str) -> Benchmark:
    """Read QGpT's MiMoTable with its questions; there is one split."""
    return _load(folder, "MiMoTable", "mimotable")


def load_qgpt_ottqa(folder: Path, split: str) -> Benchmark:
    """Read QGpT's OTT-QA with its questions; there is one split."""
    return _load(folder, "OTTQA", "ottqa")


def load_fetaqa(folder: Path, split: str) -> Benchmark:
    """Read QGpT's FeTaQA with its questions; there is one split."""
    return _load(folder, "FetaQA", "fetaqa")


def load_e2e_wtq(folder: Path, split: str) -> Benchmark:
    """Read QGpT's E2E-WTQ with its questions; there is one split."""
    return _load(folder, "E2EWTQ", "e2e-wtq")


def load_mmqa(folder: Path, split: str) -> Benchmark:
    """Read QGpT's MMQA: the questions over two tables (2tables, or dev), or over three (3tables)."""
    if split not in MMQA:
        raise ConfigError(f"unknown MMQA split {split!r}: expected 2tables or 3tables")
    return _load(folder, MMQA[split], "mmqa-3tables" if split == "3tables" else "mmqa-2tables")


def _load(folder: Path, corpus: str, name: str) -> Benchmark:
    native = load_qgpt(folder, corpus)

    @lru_cache(maxsize=1)
    def keys() -> dict[str, str]:
        """Return the corpus's key for each place, as the files are named."""
        with tempfile.TemporaryDirectory() as out:
            return {place(*names): entry.key for names, entry in write_files(native.entries, Path(out)).items()}

    def write_documents(out: Path, _: Collection[str]) -> None:
        write_files(native.entries, out)

    def score(question: Question, values: Sequence[str]) -> dict[str, float]:
        found = [keys().get(v, "") for v in values]
        gold = set(question.gold)
        return {f"recall@{k}": len(gold & set(found[:k])) / len(gold) for k in DEPTHS}

    return Benchmark(
        name=f"qgpt-{name}",
        questions=tuple(
            Question(f"q{number}", q.text, tuple(sorted(q.answers)), "")
            for number, q in enumerate(native.questions, start=1)
        ),
        write_documents=write_documents,
        score=score,
        main=f"recall@{DEPTHS[0]}",
        retrieval=True,
    )


def place(source: str, sheet: str) -> str:
    """Return a table's place: its file and sheet."""
    return f"{source}{PLACE}{sheet}" if sheet else source


class TableRetrieval:
    """The retriever and reranker alone as a system; its values are places of tables, best first."""

    name = "retrieval"

    def __init__(self, services: Services) -> None:
        self._services = services

    def prepare(self, corpus: str) -> None:
        """Do nothing: the corpus is enough."""

    def ask(self, text: str, context: Context) -> Outcome:
        """Find the tables for one question; raise StoreUnavailable."""
        started = time.perf_counter()
        recalled = self._services.retriever(context.corpus).search(text, context.recall_n)
        ranked = self._services.reranker(context.corpus).rerank(text, recalled, context.recall_n)
        places = list(dict.fromkeys(place(c.source, _sheet(c.locator)) for c in ranked))[: DEPTHS[-1]]
        seconds = round(time.perf_counter() - started, 3)
        return Outcome(answer="; ".join(places), values=places, iterations=1, stopped_by="answered", seconds=seconds)


def _sheet(locator: str) -> str:
    found = SHEET.fullmatch(locator)
    return found[1] if found else ""
