"""The folder that uploaded files are kept in: one below the home folder for each corpus."""

import shutil
import unicodedata
import uuid
from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO

from tablerag.tools.catalog import DocumentRecord
from tablerag.tools.settings import Settings
from tablerag.tools.tantivy_folder import folder_name

__all__ = ["folder_of", "is_uploaded", "removed_file", "safe_name", "save"]

MAX_NAME_BYTES = 180
FORBIDDEN = '<>:"|?*'
"""Signs that some file system refuses."""


def folder_of(corpus: str, settings: Settings) -> Path:
    """Return where a corpus's uploaded files are kept."""
    return settings.home.resolve() / "uploads" / folder_name(corpus)


def safe_name(given: str, suffixes: Collection[str]) -> str:
    """Return a file name without folders and odd characters; raise ValueError, saying why, where none is left.

    The suffix must be one that a reader knows.
    """
    last = unicodedata.normalize("NFC", given).replace("\\", "/").rpartition("/")[2]
    kept = "".join(c for c in last if c.isprintable() and c not in FORBIDDEN)
    stem, dot, kind = " ".join(kept.split()).rpartition(".")
    suffix = dot + kind if dot else ""
    if suffix.lower() not in suffixes:
        raise ValueError(f"no reader for {suffix[:20] or 'a name without suffix'}: use one of {', '.join(suffixes)}")
    # Hidden files and the lock files of office programs are not read.
    stem = stem.lstrip(".~$ ").encode("utf-8", "ignore")[:MAX_NAME_BYTES].decode("utf-8", "ignore").rstrip(". ")
    if not stem:
        raise ValueError("its name has no letter or digit left: rename it")
    return stem + suffix.lower()


def save(content: BinaryIO, file: Path) -> None:
    """Write a file so that a reader sees all of it or its old self."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{uuid.uuid4().hex}.part")
    try:
        with part.open("wb") as stream:
            shutil.copyfileobj(content, stream)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def is_uploaded(record: DocumentRecord, settings: Settings) -> bool:
    """Say whether a document's file is one that was uploaded into its corpus."""
    return Path(record.path).parent == folder_of(record.corpus, settings)


def removed_file(record: DocumentRecord) -> None:
    """Delete an uploaded document's file, if it is there."""
    Path(record.path).unlink(missing_ok=True)
