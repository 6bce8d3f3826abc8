"""HeteQA as `tablerag heteqa build` writes it: questions over tables and text, and the folder of their documents."""

import hashlib
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tablerag.evaluation.datasets.native import lies_below
from tablerag.evaluation.heteqa.building import DOCUMENTS
from tablerag.evaluation.heteqa.documents import TABLES
from tablerag.evaluation.heteqa.records import QUESTIONS, HeteQuestion, Status, read_questions
from tablerag.tools.errors import ConfigError

__all__ = ["SPLITS", "HeteQaSet", "load_heteqa"]

SPLITS: dict[str, tuple[Status, ...]] = {
    "annotated": ("accepted", "fixed"),
    "all": ("accepted", "fixed", "pending"),
}
"""Which questions belong to a split, by status; discarded ones belong to none."""


@dataclass(frozen=True, slots=True)
class HeteQaSet:
    """The questions of a split, and the folder of all documents, those of the open setting."""

    questions: tuple[HeteQuestion, ...]
    documents: Path

    def write(self, paths: Iterable[Path], out: Path) -> None:
        """Copy documents: tables named by number, in an order that tells nothing, passages as they are."""
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
        """Return the files of one question: its tables, and the passages that it needs."""
        return [self.documents / source for source in (*(t.source for t in question.tables), *question.passages)]


def load_heteqa(folder: Path, split: str = "all") -> HeteQaSet:
    """Read a split of a build folder; raise ConfigError when a question or one of its documents is not there."""
    if split not in SPLITS:
        raise ConfigError(f"HeteQA has no split {split!r}: expected one of {', '.join(SPLITS)}")
    every = read_questions(folder / QUESTIONS)
    found = HeteQaSet(tuple(q for q in every if q.status in SPLITS[split]), folder / DOCUMENTS)
    if not found.questions:
        raise ConfigError(
            f"{folder / QUESTIONS}: none of its {len(every)} questions is {' or '.join(SPLITS[split])}: "
            f"run `tablerag heteqa annotate {folder}` first, or take another split"
        )
    for question in found.questions:
        if not question.question.strip() or not question.answer.strip():
            raise ConfigError(f"{folder / QUESTIONS}: {question.id}: a blank question or answer: fix or discard it")
        sources = (*(t.source for t in question.tables), *question.passages)
        if outside := next((s for s in sources if not lies_below(s)), None):
            raise ConfigError(f"{folder / QUESTIONS}: {question.id}: {outside!r} lies outside of {DOCUMENTS}")
        for path in found.own_documents(question):
            if not path.is_file():
                raise ConfigError(f"{path}: not found, {question.id} needs it: copy the whole folder of the build")
    return found
