"""What all benchmarks share: questions with gold answers, the documents they are about, and an official metric."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Benchmark", "Question"]

Scores = Mapping[str, float]
"""The official metrics of one answer by name, each from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question. A system sees ``text`` and nothing else."""

    id: str
    text: str
    gold: tuple[str, ...]
    own: str
    """Key of the question's own documents, from which the closed setting is built; never shown to a system."""
    group: str = ""
    """The domain or operation that reports group figures by; "" where the set has none."""
    native: Any = None
    """The original record, if the metric needs more than the gold answer."""
    facets: Mapping[str, str] = field(default_factory=dict)
    """What figures are also given by, such as {"domain": "sport", "sources": "multi"}."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A set of questions with its documents and metric."""

    name: str
    questions: tuple[Question, ...]
    write_documents: Callable[[Path, Collection[str]], object]
    """Write the documents of the given keys into an empty folder, under names that do not reveal the keys."""
    score: Callable[[Question, Sequence[str]], Scores]
    """Score an answer's values; no values score 0 on every metric."""
    main: str
    """An answer is right if this metric is 1."""
    retrieval: bool = False
    """Whether it asks which tables answer a question; an answer's values are then places of tables, best first."""
    with_scale: bool = False
    """Whether a value is scored with its scale."""
    with_unit: bool = False
    """Whether a value as people read it is right too: gold values are cells, as they are printed."""
    index: Callable[..., Sequence[str]] | None = None
    """Index the written documents in another way than by ingesting them.

    Takes their folder, the services, the corpus and what is called with progress; returns a line for each document
    that was not indexed.
    """
    indexed_as: str = ""
    """Names that way: the same documents, indexed in the same way, are one corpus."""
    write_whole: Callable[[Path], object] | None = None
    """Write the documents of the open setting, if there are more than the questions need."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """The file name of each document of the open setting by the key of its questions, where each has one document."""
    names_of: Callable[[Collection[str]], Mapping[str, str]] | None = None
    """Return the file names under which write_documents writes the documents of the given keys, if each has one."""
