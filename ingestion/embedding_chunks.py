"""Embeds the chunks of a document where it was read, in place of where it is stored."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tablerag.ingestion.document_content import ChunkVectors, DocumentContent
from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.embedding.windows import windows
from tablerag.tools.records import Chunk
from tablerag.tools.stores.window_store import filled

__all__ = ["embedded"]


def embedded(content: DocumentContent) -> DocumentContent:
    """Return a document with the vectors of its chunks, the same as those that a vector store makes."""
    embedding = StaticEmbedding()
    counts: list[int] = []

    def texts() -> Iterator[tuple[Chunk, int, str]]:
        for chunk in content.chunks:
            found = windows(chunk)
            counts.append(len(found))
            yield from ((chunk, i, text) for i, text in enumerate(found))

    made = [embedding.embed([text for _, _, text in batch]) for batch in filled(texts())]
    every = np.concatenate(made) if made else np.zeros((0, embedding.dimensions), np.float32)
    return replace(content, vectors=ChunkVectors(embedding.version, tuple(counts), every))
