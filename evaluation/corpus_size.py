"""Corpora of a given number of documents, for curves over the corpus's size (HD-RAG, arXiv 2504.09554, figure 4).

Documents are in one order for all sizes, those with questions first: a larger corpus contains every smaller one. The
questions are those of the first documents, the same for all sizes from ASKED on: only what they must be told apart from
grows.
"""

import hashlib
from dataclasses import replace
from pathlib import Path

from tablerag.evaluation.datasets.benchmark import Benchmark
from tablerag.tools.errors import ConfigError

__all__ = ["ASKED", "SIZED", "of_size"]

SIZED = "documents-"
"""A variant that is a corpus size begins with this: documents-500."""
ASKED = 100
"""The number of documents whose questions are asked."""


def of_size(benchmark: Benchmark, size: str) -> Benchmark:
    """Return the benchmark with the first ``size`` documents; raise ConfigError if it has fewer.

    Raises ConfigError also for what is not a number from 1, and for sets whose questions have several documents.
    """
    if not (size.isascii() and size.isdigit() and int(size[:9]) > 0):
        raise ConfigError(f"--variant {SIZED}{size}: expected a number of documents, e.g. {SIZED}500")
    if benchmark.names_of is None:
        raise ConfigError(f"{benchmark.name}: its questions have several documents: omit --variant")
    count, known = int(size[:9]), len(benchmark.sources)
    if count > known:
        raise ConfigError(f"{benchmark.name} has {known} documents: --variant {SIZED}{size} needs more")
    about = {q.own for q in benchmark.questions}
    keys = sorted(benchmark.sources, key=lambda k: (k not in about, hashlib.sha256(f"size {k}".encode()).digest()))
    keys, asked = keys[:count], set(keys[: min(count, ASKED)])

    def write_whole(out: Path) -> object:
        return benchmark.write_documents(out, keys)

    return replace(
        benchmark,
        name=f"{benchmark.name}-{count}documents",
        questions=tuple(q for q in benchmark.questions if q.own in asked),
        write_whole=write_whole,
        sources=benchmark.names_of(keys),
    )
