"""The sets that a build is made from, each as questions with the pages of their documents."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablerag.evaluation.datasets.hitab import hitab_page, load_hitab, load_table
from tablerag.evaluation.datasets.multihiertt import load_multihiertt, multihiertt_page
from tablerag.evaluation.datasets.tatqa import load_tatqa, tatqa_page
from tablerag.evaluation.docraglib.records import LibSource

__all__ = ["Candidate", "candidates"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One question of a set, before the filter."""

    id: str
    source: LibSource
    question: str
    gold: tuple[str, ...]
    document: str
    """The document's key."""
    page: Callable[[], str]
    """Returns the document as HTML."""
    operators: str
    evidence: str
    native: dict[str, Any]


def _multihiertt(folder: Path, split: str) -> Iterator[Candidate]:
    for e in load_multihiertt(folder, split):
        kinds = ["table"] * bool(e.qa.table_evidence) + ["text"] * bool(e.qa.text_evidence)
        native = e.qa.model_dump(mode="json", include={"question", "answer", "program"})
        yield Candidate(
            f"multihiertt:{e.uid}", "multihiertt", e.qa.question, (e.qa.answer,), f"multihiertt:{e.document}",
            lambda e=e: multihiertt_page(e), e.operators, "-".join(kinds), native,
        )  # fmt: skip


def _hitab(folder: Path, split: str) -> Iterator[Candidate]:
    for q in load_hitab(folder, split):
        gold = tuple(v if isinstance(v, str) else f"{v:.10g}" for v in q.answer)
        yield Candidate(
            f"hitab:{q.id}", "hitab", q.question, gold, f"hitab:{q.table_id}",
            lambda i=q.table_id: hitab_page(load_table(folder, i)), q.operators, "table", q.model_dump(mode="json"),
        )  # fmt: skip


def _tatqa(folder: Path, split: str) -> Iterator[Candidate]:
    for report in load_tatqa(folder, split):
        for q in report.questions:
            yield Candidate(
                f"tatqa:{q.uid}", "tatqa", q.question, q.answer, f"tatqa:{report.uid}",
                lambda r=report: tatqa_page(r), q.answer_type, q.answer_from, q.model_dump(mode="json"),
            )  # fmt: skip


READERS: Mapping[LibSource, Callable[[Path, str], Iterator[Candidate]]] = {
    "multihiertt": _multihiertt,
    "hitab": _hitab,
    "tatqa": _tatqa,
}


def candidates(folders: Mapping[LibSource, Path], splits: tuple[str, ...]) -> list[Candidate]:
    """Return the questions of all sets; raise ConfigError with the file that does not fit."""
    return [c for source, folder in folders.items() for split in splits for c in READERS[source](folder, split)]
