"""The files that an ingest finds, and their names."""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["LeftOut", "RemoteFile", "SourceFile", "readable"]

JOINERS = "\u200c\u200d"
"""Not printable alone, but part of Persian, Indic scripts and emoji."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """What an object store tells of a file."""

    key: str
    """Its path in the store, exactly."""
    size: int
    """In bytes."""
    mark: str
    """What changes with its content, a hash or the time of its last change; empty if the store tells neither."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to ingest: its absolute path or URL, and the name under which answers cite it."""

    path: Path
    source: str
    folder: Path = Path()
    """The ingested folder, which holds the overrides."""
    held: Path | None = None
    """The temporary file with the bytes of a document in an archive or mail, whose path does not exist:
    ``/docs/all.zip/inner.csv`` is ``inner.csv`` in ``/docs/all.zip``; None for files on disk."""
    remote: RemoteFile | None = None
    """Set for a file in an object store; ``on_disk`` is then there only within remote.near()."""

    @property
    def on_disk(self) -> Path:
        """The file to read."""
        return self.held or self.path

    def size(self) -> int:
        """Return its size in bytes; raises OSError."""
        return self.remote.size if self.remote else self.on_disk.stat().st_size


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A path that is not read, and the reason."""

    path: Path
    source: str
    reason: str


def readable(name: str) -> str:
    """Return a file name with surrogates and control characters replaced, which cannot be stored or shown."""
    text = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() or c in JOINERS else "?" for c in text)
