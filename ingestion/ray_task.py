"""What a node of a Ray cluster does: reads one file whose bytes it was sent, in a reader process of its own."""

import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from tablerag.ingestion.manifest import INGESTION_VERSION
from tablerag.ingestion.reader_pool import read_packed
from tablerag.ingestion.reader_worker import Job, Outcome, Reading
from tablerag.ingestion.readers.ocr import installed
from tablerag.tools.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Installation", "Sent", "Task", "read_sent"]


@dataclass(frozen=True, slots=True)
class Installation:
    """What is installed on a machine, as far as it decides what is read of a file."""

    tablerag: str
    ingestion: str
    ocr: str

    @classmethod
    def here(cls, *, ocr: bool) -> Self:
        """Return what this machine has; its engine of OCR counts only where pictures are read."""
        return cls(version("tablerag"), INGESTION_VERSION, (installed() or "no OCR") if ocr else "")

    def __str__(self) -> str:
        return f"tablerag {self.tablerag} (ingestion {self.ingestion}{self.ocr and f', {self.ocr}'})"


@dataclass(frozen=True, slots=True)
class Sent:
    """A file to read, without its bytes, and how."""

    job: Job
    reading: Reading
    is_fresh: bool
    """Whether a new reader process reads it."""
    expected: Installation
    """What the machine has that asks."""
    tell_page: Any = None
    """A handle of the actor that is told of the pages that are read by OCR; None if nobody is."""


Task = Callable[["Sent", "np.ndarray"], tuple[Outcome | bytes, bool]]


def read_sent(sent: Sent, data: "np.ndarray") -> tuple[Outcome | bytes, bool]:
    """Read a file of the given bytes (uint8), with the limits of a local ingest.

    Returns what reader_pool.read_packed() does; a ConfigError if this node has another version of TableRAG.
    """
    here = Installation.here(ocr=sent.reading.ocr)
    if here != sent.expected:
        expected = f"expected {sent.expected}: install the same on every node"
        return ConfigError(f"Ray node {socket.gethostname()} has {here}, {expected}"), False
    with TemporaryDirectory(prefix="tablerag-") as folder:
        file = sent.job.file
        held = Path(folder, file.on_disk.name)
        data.tofile(held)
        tell = sent.tell_page
        return read_packed(
            replace(sent.job, file=replace(file, held=held)),
            sent.reading,
            (lambda job, page, pages: tell.tell.remote(job.document_id, page, pages)) if tell else None,
            is_fresh=sent.is_fresh,
        )
