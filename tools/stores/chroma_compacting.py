"""Gives back what deleted vectors take: Chroma's index only marks them, and keeps them in memory and on the disk.

A collection with more deleted vectors than others is copied, and the copy takes its name.
"""

import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tablerag.tools.stores.chroma_graph import segments, vectors_in
from tablerag.tools.stores.window_store import BATCH, batches

__all__ = ["OLD", "TEXT", "compact", "delete", "is_due", "recover"]

TEXT = "text"
"""The field of the metadata that holds a chunk's text. Chroma would index a document by its trigrams, which takes more
time than all the rest, and nothing reads that index. Corpora of earlier versions have documents."""
LEAST = 1_000
"""Deleted vectors that are not worth a copy: about 2 MB."""
MOST = 20_000
"""Others above which a copy would keep those who wait for the folder waiting for too long."""
COPY, OLD = ".copy", ".old"
"""Ends of names while a collection is copied; names of corpora have no dot."""


def is_due(folder: Path, collection: Any) -> bool:
    """Return whether a collection has more deleted vectors than others. Those not written to its files do not count."""
    with suppress(OSError, sqlite3.Error, struct.error):
        held = vectors_in(folder, collection.name)
        if held > LEAST:
            others = collection.count()
            return others <= MOST and held - others > max(LEAST, others)
    return False


def compact(folder: Path, client: Any, collection: Any, made: Callable[[str], Any]) -> None:
    """Replace a collection with a copy from ``made``; whoever has opened it must open it again.

    The client keeps the deleted index in memory until it is closed.
    """
    name = collection.name
    left = made(name + COPY)  # of a process that was killed
    delete(folder, client, left.name)
    copy = made(name + COPY)
    for ids in batches(collection.get(include=[])["ids"], BATCH):
        found = collection.get(ids=list(ids), include=["embeddings", "metadatas", "documents"])
        described = zip(found["metadatas"], found["documents"], strict=True)
        metadata = [{**fields, TEXT: text} if text else fields for fields, text in described]
        copy.add(ids=found["ids"], embeddings=found["embeddings"], metadatas=metadata)
    collection.modify(name=name + OLD)
    copy.modify(name=name)
    delete(folder, client, name + OLD)


def recover(folder: Path, client: Any, name: str, missing: tuple[type[Exception], ...]) -> None:
    """Finish what a process that was killed while it compacted has left; ``missing`` is raised for unknown names."""
    try:
        old = client.get_collection(name + OLD, embedding_function=None)
    except missing:
        return
    try:
        client.get_collection(name, embedding_function=None)
    except missing:
        old.modify(name=name)
        return
    delete(folder, client, old.name)


def delete(folder: Path, client: Any, name: str) -> None:
    """Delete a collection, and its files, which Chroma leaves."""
    files = segments(folder, name)
    client.delete_collection(name)
    for segment in files:
        shutil.rmtree(folder / segment, ignore_errors=True)
