"""Passages at sentence level (HD-RAG, arXiv 2504.09554, section 3.1): text chunks cut into single sentences."""

import re
from collections.abc import Iterator, Sequence

from tablerag.tools.records import Chunk
from tablerag.tools.text import SENTENCE_END

__all__ = ["sentences_of"]

LETTER = re.compile(r"[^\W\d_]")
MOST_CHARS = 1500


def sentences_of(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the sentences of text chunks as chunks, each once per document."""
    found: dict[tuple[str, str], Chunk] = {}
    counts: dict[str, int] = {}
    for chunk in chunks:
        for sentence in _sentences(chunk.text):
            key = (chunk.document_id, sentence)
            if key in found:
                continue
            number = counts[chunk.document_id] = counts.get(chunk.document_id, 0) + 1
            found[key] = chunk.model_copy(update={"id": f"{chunk.document_id}:s{number}", "text": sentence})
    return list(found.values())


def _sentences(text: str) -> Iterator[str]:
    for piece in SENTENCE_END.split(text):
        sentence = " ".join(piece.split())
        if LETTER.search(sentence):
            yield sentence[:MOST_CHARS]
