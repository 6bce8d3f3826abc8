"""Writes chunks to all that keeps them, and deletes them there."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from tablerag.tools.errors import ForeignStore
from tablerag.tools.records import Chunk
from tablerag.tools.services import Services

if TYPE_CHECKING:
    import numpy as np

__all__ = ["add_chunks", "delete_chunks"]


def add_chunks(
    services: Services, name: str, chunks: Sequence[Chunk], vectors: "Mapping[str, np.ndarray] | None" = None
) -> None:
    """Add chunks to an index (a corpus or a summary corpus), in place of those of the same id; raise StoreUnavailable.

    ``vectors`` are those of windows (windows, dimensions) by chunk id; the other chunks are embedded here. Where hosts
    share a database, their texts go there first: a host's own indexes are made from them.
    """
    if services.database.is_server:
        services.chunk_texts.add(name, chunks)
    services.vector_store(name).add(chunks, vectors)
    services.lexical_index(name).add(chunks)


def delete_chunks(services: Services, name: str, document_ids: Sequence[str]) -> None:
    """Delete the chunks of documents from an index; raise StoreUnavailable."""
    if services.database.is_server:
        services.chunk_texts.delete_documents(name, document_ids)
    with suppress(ForeignStore):  # which has none of them
        services.vector_store(name).delete_documents(document_ids)
    services.lexical_index(name).delete_documents(document_ids)
