"""The summary corpora: where HD-RAG looks for documents, apart from what TableRAG retrieves from.

Beside a corpus there is one of summaries for each level that was asked for at ingest, with a dense and a lexical index
of its own: its tables as summaries, its texts as single sentences (HD-RAG, arXiv 2504.09554, section 3.1).
"""

from collections.abc import Iterator
from typing import Literal, get_args

from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services

__all__ = [
    "LEVELS",
    "SummaryLevel",
    "check_summarised",
    "summary_corpora",
    "summary_corpus",
    "unsummarised",
]

SummaryLevel = Literal["hrcl", "rcl", "table"]
"""Hierarchical row and column level: one summary for each header of both axes with its path, at every level; row and
column level: one for each row and column, flat; table level: one for each table."""
LEVELS: tuple[SummaryLevel, ...] = get_args(SummaryLevel)


def summary_corpus(corpus: str, level: SummaryLevel) -> str:
    """Return the name of a corpus's summary corpus."""
    return f"{corpus}~{level}"


def summary_corpora(services: Services, corpus: str) -> Iterator[str]:
    """Yield the names of those summary corpora that were ever written."""
    for name in (summary_corpus(corpus, level) for level in LEVELS):
        if services.lexical_index(name).exists:
            yield name


def unsummarised(services: Services, corpus: str, level: SummaryLevel) -> int:
    """Count a corpus's documents that have no summaries of a level, which HD-RAG does not see."""
    return sum(level not in d.summaries for d in services.catalog.documents(corpus))


def lacking(services: Services, corpus: str) -> dict[SummaryLevel, int]:
    """Count, for each level that some documents of a corpus have, the others; a level that none lacks is not there."""
    documents = services.catalog.documents(corpus)
    counts = {level: sum(level in d.summaries for d in documents) for level in LEVELS}
    return {level: len(documents) - n for level, n in counts.items() if 0 < n < len(documents)}


def check_summarised(services: Services, corpus: str, level: SummaryLevel) -> None:
    """Raise ConfigError when a corpus has no summaries of a level."""
    if not any(level in d.summaries for d in services.catalog.documents(corpus)):
        raise ConfigError(
            f"corpus {corpus!r} has no {level} summaries: run `tablerag ingest PATH --summaries {level} "
            f"--corpus {corpus}` first"
        )
