"""Uploaded files on disk: one folder per corpus, in the home folder or where the settings say."""

import shutil
import unicodedata
import uuid
from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO

from tablerag.ingestion.manifest import container_of
from tablerag.tools.catalog import DocumentRecord
from tablerag.tools.private_folder import make_private
from tablerag.tools.settings import Settings
from tablerag.tools.stores.tantivy_folder import folder_name

__all__ = ["folder_of", "is_uploaded", "delete_file", "safe_name", "save"]

MAX_NAME_BYTES = 180
FORBIDDEN = '<>:"|?*'
"""Characters that some file systems reject."""


def folder_of(corpus: str, settings: Settings) -> Path:
    """Return the folder of a corpus's uploaded files."""
    root = settings.uploads or settings.home / "uploads"
    return root.resolve() / folder_name(corpus)


def safe_name(given: str, suffixes: Collection[str]) -> str:
    """Return a file name without folders and unsafe characters.

    Raises ValueError if no reader handles its suffix or nothing is left of it.
    """
    last = unicodedata.normalize("NFC", given).replace("\\", "/").rpartition("/")[2]
    kept = "".join(c for c in last if c.isprintable() and c not in FORBIDDEN)
    stem, dot, kind = " ".join(kept.split()).rpartition(".")
    suffix = dot + kind if dot else ""
    if suffix.lower() not in suffixes:
        raise ValueError(f"unsupported file type {suffix[:20] or '(no suffix)'}: use one of {', '.join(suffixes)}")
    # The ingest skips hidden files and the lock files of office programs.
    stem = stem.lstrip(".~$ ").encode("utf-8", "ignore")[:MAX_NAME_BYTES].decode("utf-8", "ignore").rstrip(". ")
    if not stem:
        raise ValueError("invalid file name: use at least one letter or digit")
    return stem + suffix.lower()


def save(content: BinaryIO, file: Path) -> None:
    """Write a file atomically: a reader sees its old content or all of the new."""
    make_private(file.parent)
    part = file.with_name(f".{uuid.uuid4().hex}.part")
    try:
        with part.open("wb") as stream:
            shutil.copyfileobj(content, stream)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def is_uploaded(record: DocumentRecord, settings: Settings) -> bool:
    """Return whether a document's file, or the archive that it is in, was uploaded to its corpus."""
    return folder_of(record.corpus, settings) in Path(record.path).parents


def delete_file(record: DocumentRecord, others: Collection[DocumentRecord]) -> None:
    """Delete an uploaded document's file if it exists; an archive is kept as long as other documents are in it."""
    file = container_of(Path(record.path))
    if not any(Path(other.path).is_relative_to(file) for other in others):
        file.unlink(missing_ok=True)
