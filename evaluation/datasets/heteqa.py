"""HeteQA as `tablerag heteqa build` writes it: questions over tables and text, with their documents."""

import hashlib
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.datasets.native import is_inside
from tablerag.evaluation.heteqa.building import DOCUMENTS
from tablerag.evaluation.heteqa.documents import TABLES
from tablerag.evaluation.heteqa.records import QUESTIONS, HeteQuestion, Status, read_questions
from tablerag.evaluation.metrics.denotation import values_match
from tablerag.evaluation.metrics.spans import span_scores
from tablerag.tools.errors import ConfigError

__all__ = ["SPLITS", "HeteQaSet", "heteqa_benchmark", "load_heteqa"]

SPLITS: dict[str, tuple[Status, ...]] = {"annotated": ("accepted", "fixed"), "all": ("accepted", "fixed", "pending")}
"""The statuses of each split's questions; discarded ones are in no split."""


@dataclass(frozen=True, slots=True)
class HeteQaSet:
    """The questions of a split, and the folder with all documents."""

    questions: tuple[HeteQuestion, ...]
    documents: Path

    def write(self, paths: Iterable[Path], out: Path) -> None:
        """Copy documents: passages under their own names, tables under numbers in an order that reveals nothing."""
        below = {p: p.relative_to(self.documents) for p in set(paths)}
        tables = sorted(
            (p for p, name in below.items() if name.parts[0] == TABLES),
            key=lambda p: hashlib.sha256(below[p].as_posix().encode()).digest(),
        )
        names = below | {p: Path(TABLES, f"table_{n:05}{p.suffix}") for n, p in enumerate(tables, start=1)}
        for path, name in names.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, out / name)

    def own_documents(self, question: HeteQuestion) -> list[Path]:
        """Return the files of a question's tables and of the passages that it needs."""
        return [self.documents / source for source in (*(t.source for t in question.tables), *question.passages)]


def load_heteqa(folder: Path, split: str = "all") -> HeteQaSet:
    """Read a split of a build folder; raise ConfigError if a question or one of its documents is missing."""
    if split not in SPLITS:
        raise ConfigError(f"unknown HeteQA split {split!r}: expected one of {', '.join(SPLITS)}")
    every = read_questions(folder / QUESTIONS)
    found = HeteQaSet(tuple(q for q in every if q.status in SPLITS[split]), folder / DOCUMENTS)
    if not found.questions:
        raise ConfigError(
            f"{folder / QUESTIONS}: none of its {len(every)} questions is {' or '.join(SPLITS[split])}: "
            f"run `tablerag heteqa annotate {folder}` first, or choose another --split"
        )
    for question in found.questions:
        if not question.question.strip() or not question.answer.strip():
            raise ConfigError(f"{folder / QUESTIONS}: {question.id} has a blank question or answer: fix or discard it")
        sources = (*(t.source for t in question.tables), *question.passages)
        if outside := next((s for s in sources if not is_inside(s)), None):
            raise ConfigError(f"{folder / QUESTIONS}: {question.id}: {outside!r} is outside {DOCUMENTS}/")
        for path in found.own_documents(question):
            if not path.is_file():
                raise ConfigError(f"{path}: file not found, needed by {question.id}: copy the complete build folder")
    return found


def heteqa_benchmark(folder: Path, split: str) -> Benchmark:
    """Read a split of a build folder; dev means all."""
    found = load_heteqa(folder, "all" if split == "dev" else split)
    needed = {q.id: found.own_documents(q) for q in found.questions}
    return Benchmark(
        name="heteqa",
        questions=tuple(
            Question(q.id, q.question, (q.answer,), q.id, " + ".join(sorted(q.operations)), facets=_facets(q))
            for q in found.questions
        ),
        write_documents=lambda out, keys: found.write([p for key in keys for p in needed[key]], out),
        score=_heteqa_scores,
        main="exact",
        write_whole=lambda out: found.write([p for p in found.documents.rglob("*") if p.is_file()], out),
    )


def _facets(question: HeteQuestion) -> dict[str, str]:
    """Return what the paper's figures are given by: the domain, and whether tables and text are both needed."""
    return {"domain": question.domain, "sources": "multi-source" if question.passages else "single-source"}


def _heteqa_scores(question: Question, values: Sequence[str]) -> dict[str, float]:
    """Score a single value: the same number, date or normalised text, and F1 over its words.

    Answers to "what percentage" are stored as plain numbers: "25%" is the answer 25.
    """
    if any(c.isdigit() for c in question.gold[0]) and "%" not in question.gold[0]:
        values = [v.rstrip("% ") for v in values]
    exact = len(values) == 1 and values_match(question.gold[0], values[0])
    return {"exact": float(exact), "f1": span_scores(question.gold, "; ".join(values))["f1"]}
