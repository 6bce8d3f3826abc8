"""One reader process, seen from the process that asks; see ingestion/reader_process.py for the other side."""

import atexit
import gc
import os
import pickle
import select
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from tablerag.ingestion.document import Region
from tablerag.ingestion.document_content import DocumentContent
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.overrides import DocumentWishes
from tablerag.ingestion.unpacking import Room, Unpacked
from tablerag.tools.errors import TableRagError, UnreadableDocument

if TYPE_CHECKING:
    from tablerag.tools.settings import Settings

__all__ = [
    "HEAD",
    "PAGE",
    "READY",
    "Job",
    "OnPage",
    "OutOfMemory",
    "PictureJob",
    "UnpackJob",
    "Outcome",
    "Reading",
    "Worker",
    "end_idle",
    "keep",
    "take",
    "unpacked",
]

HEAD = struct.Struct("!Q")
PAGE = struct.Struct("!II")
"""A page that is about to be read by OCR, and the number of pages: sent instead of an outcome, after a length of 0."""
READY = b"+"
"""Sent by a reader process once it has started."""
READER = "import gc; gc.disable(); from tablerag.ingestion.reader_process import main; main()"
QUICK = ("PYDANTIC_DISABLE_PLUGINS=__all__", "OPENBLAS_NUM_THREADS=1")
"""Else pydantic looks through all installed packages, and each thread of numpy's takes memory."""
START_S = 120.0
"""Seconds that a reader process may take to start."""


@dataclass(frozen=True, slots=True)
class Job:
    """One file to read."""

    file: SourceFile
    document_id: str
    size: int
    content: str
    """Its content hash."""
    wishes: DocumentWishes


@dataclass(frozen=True, slots=True)
class UnpackJob:
    """One archive to unpack into a folder."""

    file: SourceFile
    folder: Path
    room: Room
    size: int


@dataclass(frozen=True, slots=True)
class PictureJob:
    """Places on the pages of one file to show."""

    path: Path
    regions: tuple[Region, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The settings of reading: a process that parses hostile files is given no others."""

    chunk_tokens: int
    chunk_overlap: int
    memory_mb: int
    timeout_s: float
    ocr: bool = True
    ocr_pages: int = 200
    embeds: bool = False
    """Whether chunks are embedded where they are read."""

    @classmethod
    def of(cls, settings: "Settings") -> Self:
        limits = settings.read_memory_mb, settings.read_timeout_s
        return cls(settings.chunk_tokens, settings.chunk_overlap, *limits, settings.reads_pictures, settings.ocr_pages)


class OutOfMemory(UnreadableDocument):
    """Reading a file takes more memory than a reader process may have."""


Outcome = DocumentContent | Unpacked | tuple[bytes, ...] | TableRagError
AnyJob = Job | UnpackJob | PictureJob
SMALL = 100_000
"""Bytes below which an outcome is unpacked at once; errors are smaller."""
OnPage = Callable[[Job, int, int], object]
"""Told of a job, a page and the number of pages."""
Failure = Literal["", "no start", "late", "crashed", "out of memory"]
"""Why a process has ended."""


class Worker:
    """One reader process, which exchanges pickles over its standard streams."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()
        self.is_used = False
        """Whether it has read a file before."""
        self.failed: Failure = ""
        self.on_page: OnPage | None = None
        """Told of each page of a file that is read by OCR, from the thread that waits for the file."""

    @property
    def is_idle(self) -> bool:
        """Whether it runs and belongs to this process, not to one that forked this one."""
        return self._process is not None and self._owner == os.getpid() and self._process.poll() is None

    def read(self, job: AnyJob, reading: Reading) -> Outcome:
        """Read one file; return an error if the process crashes, takes too long or needs too much memory."""
        return unpacked(self.read_packed(job, reading))

    def read_packed(self, job: AnyJob, reading: Reading) -> Outcome | bytes:
        """Read one file; a large content is a pickle, which takes up to a tenth of its memory."""
        try:
            if self._process is None:
                self._start()
        except (OSError, EOFError) as error:  # TimeoutError is one
            self.end("no start")
            reason = getattr(error, "strerror", None) or "it ended at once"
            return UnreadableDocument(f"was not read, as no reader process could start ({reason}): run it again")
        outcome = self._answer(job, reading)
        self.is_used = True
        return outcome

    def _start(self) -> None:
        self._process = subprocess.Popen(
            ["env", *QUICK, sys.executable, "-P", "-c", READER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._bytes(len(READY), time.monotonic() + START_S)

    def _answer(self, job: AnyJob, reading: Reading) -> Outcome | bytes:
        try:
            self._send((job, reading))
            outcome = self._received(job, reading.timeout_s)
        except TimeoutError:
            outcome = UnreadableDocument(
                f"took longer than {reading.timeout_s:.0f} s to read: split the file, or raise TABLERAG_READ_TIMEOUT_S"
            )
            self.end("late")
        except (OSError, EOFError):
            outcome = UnreadableDocument(
                f"crashed the reader process (it takes more than {reading.memory_mb:,} MB of memory, or a parser has a "
                "fault): split the file, save it again, or raise TABLERAG_READ_MEMORY_MB"
            )
            self.end("crashed")
        if isinstance(outcome, OutOfMemory):
            self.end("out of memory")
        return outcome

    def _send(self, content: object) -> None:
        assert self._process and self._process.stdin
        data = pickle.dumps(content)
        self._process.stdin.write(HEAD.pack(len(data)) + data)
        self._process.stdin.flush()

    def _received(self, job: AnyJob, timeout_s: float) -> Outcome | bytes:
        """Return what a job came to; each page that is read by OCR has the whole time."""
        deadline = time.monotonic() + timeout_s
        while not (size := HEAD.unpack(self._bytes(HEAD.size, deadline))[0]):
            page, pages = PAGE.unpack(self._bytes(PAGE.size, deadline))
            deadline = time.monotonic() + timeout_s
            if self.on_page and isinstance(job, Job):
                self.on_page(job, page, pages)
        data = self._bytes(size, deadline)
        return data if size > SMALL else unpacked(data)

    def _bytes(self, count: int, deadline: float) -> bytes:
        assert self._process and self._process.stdout
        parts, stream = [], self._process.stdout.fileno()
        answered = select.poll()  # select.select refuses descriptors above 1023, which a busy server reaches
        answered.register(stream, select.POLLIN)
        while count:
            if not answered.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise TimeoutError
            part = os.read(stream, min(count, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def end(self, failure: Failure = "") -> None:
        """End the process."""
        self.failed = failure
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was not written yet
                stream.close() if stream else None


def unpacked(outcome: Outcome | bytes) -> Outcome:
    """Return an outcome that may be a pickle."""
    if not isinstance(outcome, bytes):
        return outcome
    was_on = gc.isenabled()
    gc.disable()  # it would look through a million new cells, again and again
    try:
        return pickle.loads(outcome)
    finally:
        if was_on:
            gc.enable()


_IDLE: list[Worker] = []
_LOCK = threading.Lock()


def take() -> Worker:
    """Return the process that an earlier batch left, or a new one: starting takes longer than reading a small file."""
    with _LOCK:
        worker = _IDLE.pop() if _IDLE else None
    return worker if worker and worker.is_idle else Worker()


def keep(workers: Sequence[Worker]) -> None:
    """Keep one process for the next batch and end the others."""
    with _LOCK:
        able = [w for w in workers if w.is_idle]
        if able and not _IDLE:
            _IDLE.append(able.pop())
    for worker in able:
        worker.end()


@atexit.register
def end_idle() -> None:
    """End the process that is kept; the next batch starts another one."""
    with _LOCK:
        while _IDLE:
            worker = _IDLE.pop()
            if worker.is_idle:
                worker.end()
