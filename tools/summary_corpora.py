"""Summary corpora, in which HD-RAG searches for documents; TableRAG has its own chunks.

For each level of summaries that was requested at ingest, a corpus has a summary corpus with its own dense and lexical
index: tables as summaries, texts as single sentences (HD-RAG, arXiv 2504.09554, section 3.1).
"""

from collections.abc import Iterator, Sequence
from typing import Literal, get_args

from tablerag.tools.catalog_listing import ListedDocument
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
"""hrcl: a summary for each header of both axes with its path; rcl: one per row and column; table: one per table."""
LEVELS: tuple[SummaryLevel, ...] = get_args(SummaryLevel)


def summary_corpus(corpus: str, level: SummaryLevel) -> str:
    """Return the name of the summary corpus of a corpus."""
    return f"{corpus}~{level}"


def summary_corpora(services: Services, corpus: str) -> Iterator[str]:
    """Yield the names of the summary corpora that exist, on this host or for documents that another one has read."""
    noted = {level for d in services.catalog.listed_documents(corpus) for level in d.summaries}
    for level in LEVELS:
        if level in noted or services.lexical_index(summary_corpus(corpus, level)).exists:
            yield summary_corpus(corpus, level)


def unsummarised(services: Services, corpus: str, level: SummaryLevel) -> int:
    """Return how many documents have no summaries of a level; HD-RAG does not find them."""
    return sum(level not in d.summaries for d in services.catalog.listed_documents(corpus))


def lacking(documents: Sequence[ListedDocument]) -> dict[SummaryLevel, int]:
    """Return, for each level of summaries that only some of a corpus's documents have, how many documents lack it."""
    counts: dict[SummaryLevel, int] = {level: sum(level in d.summaries for d in documents) for level in LEVELS}
    return {level: len(documents) - n for level, n in counts.items() if 0 < n < len(documents)}


def check_summarised(services: Services, corpus: str, level: SummaryLevel) -> None:
    """Raise ConfigError if a corpus has no summaries of a level."""
    if not any(level in d.summaries for d in services.catalog.listed_documents(corpus)):
        raise ConfigError(
            f"corpus {corpus!r} has no {level} summaries: run `tablerag ingest PATH --summaries {level} "
            f"--corpus {corpus}` first"
        )
