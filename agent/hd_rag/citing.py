"""Citations of the values that a model extracted: a table's row, or a quote from the text."""

import re
from collections.abc import Sequence

from tablerag.agent.hd_rag.replies import ExtractedReply
from tablerag.agent.model.quoting import cited
from tablerag.agent.model.replies import CitationReply
from tablerag.tools.linking.keys import COMMON, key_of
from tablerag.tools.records import Chunk, Citation

__all__ = ["citations_of"]

CELL = re.compile(r"(?<!\\)\|")
MOST_CHARS = 240


def citations_of(extracted: Sequence[ExtractedReply], passages: Sequence[Chunk]) -> tuple[Citation, ...]:
    """Return the citations of values that are where the model says, each once."""
    found: dict[Citation, None] = {}
    for value in extracted:
        if not 1 <= value.chunk <= len(passages):
            continue
        passage = passages[value.chunk - 1]
        if passage.kind == "table":
            row = _row(value, passage)
            quoted = [_cite(passage, row)] if row else []
        else:
            quoted = [c for c in cited([CitationReply(chunk=value.chunk, quote=value.value)], passages) if c.quote]
        found |= dict.fromkeys(quoted)
    return tuple(found)


def _cite(passage: Chunk, quote: str) -> Citation:
    return Citation(source=passage.source, locator=passage.locator, quote=quote[:MOST_CHARS], chunk_id=passage.id)


def _row(value: ExtractedReply, passage: Chunk) -> str:
    """Return the row with the value in a cell that shares most words with the value's description; "" if none."""
    sought, described = key_of(value.value), _words(value.what)
    rows = [[c.strip() for c in CELL.split(line)[1:-1]] for line in passage.text.splitlines()]
    holding = [row for row in rows if any(sought == key_of(c) for c in row)] if sought else []
    if not holding:
        return ""
    best = max(holding, key=lambda row: _alike(described, _words(" ".join(row))))
    return " | ".join(c for c in best if c)


def _words(text: str) -> set[str]:
    return set(key_of(text).split()) - COMMON


def _alike(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
