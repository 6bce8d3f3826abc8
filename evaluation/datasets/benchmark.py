"""What all benchmarks have in common: questions with gold answers, documents to ask, and an official metric."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Benchmark", "Question"]

Scores = Mapping[str, float]
"""The official metrics of one answer by name, each from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question. A system is given ``text`` and nothing else."""

    id: str
    text: str
    gold: tuple[str, ...]
    own: str
    """Key of the question's own documents: what the closed setting is built from, and never shown to a system."""
    group: str = ""
    """The domain or operation that reports break figures down by; "" where the set tells none."""
    native: Any = None
    """The set's own record, where its metric needs more than the gold answer."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A set of questions with its documents and metric."""

    name: str
    questions: tuple[Question, ...]
    write_documents: Callable[[Path, Collection[str]], None]
    """Write the documents of the given keys into an empty folder, under names that tell no key."""
    score: Callable[[Question, Sequence[str]], Scores]
    """Score an answer's values; no values are scored 0 throughout."""
    main: str
    """The metric by which an answer counts as right, where it is 1."""
    retrieval: bool = False
    """Whether it asks which tables answer a question: an answer's values are then places, best first."""
    write_whole: Callable[[Path], None] | None = None
    """Write the documents of the open setting, where the set has more than those that its questions need."""
