"""Reads, types and chunks documents in separate processes, on all cores.

A file that crashes its parser or never ends then fails on its own.
"""

import os
import pickle
import select
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from tablerag.ingestion.content import DocumentContent, read_content
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.overrides import DocumentWishes
from tablerag.tools.errors import TableRagError, UnreadableDocument
from tablerag.tools.settings import Settings

__all__ = ["Job", "Outcome", "read_all", "read_one"]

HEAD = struct.Struct("!Q")
READY = b"+"
"""Sent by a reader process once it has started."""
WORTH_FILES = 4
WORTH_BYTES = 3_000_000
"""Smaller batches are read in this process, which is faster than starting one but has no time limit."""
START_S = 120.0
"""Seconds that a reader process may take to start."""
AHEAD = 2
"""Documents read ahead per process while others are stored."""


@dataclass(frozen=True, slots=True)
class Job:
    """One file to read."""

    file: SourceFile
    document_id: str
    size: int
    content: str
    """Its content hash."""
    wishes: DocumentWishes


Outcome = DocumentContent | TableRagError


def read_one(job: Job, settings: Settings) -> Outcome:
    """Read one file; return the error if that fails."""
    try:
        return read_content(job.file, job.document_id, settings, job.wishes)
    except TableRagError as error:
        return error
    except MemoryError:
        return UnreadableDocument("ran out of memory: split the file")
    except Exception as error:
        # Files may be hostile, and parsers raise more exceptions than they document.
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return UnreadableDocument(f"cannot be read: {reason}")


def read_all(jobs: Sequence[Job], settings: Settings, *, apart: bool = False) -> Iterator[tuple[Job, Outcome]]:
    """Yield every job with its outcome, in order; ``apart`` uses other processes for small batches too."""
    workers = max(1, min(settings.workers or os.cpu_count() or 1, len(jobs)))
    if not apart and len(jobs) < WORTH_FILES and sum(j.size for j in jobs) < WORTH_BYTES:
        yield from ((job, read_one(job, settings)) for job in jobs)
        return
    pool = _Pool(workers, settings)
    try:
        yield from pool.outcomes(jobs)
    finally:
        pool.close()


class _Pool:
    """Threads that each drive one reader process."""

    def __init__(self, workers: int, settings: Settings) -> None:
        self._settings = settings
        self._threads = ThreadPoolExecutor(workers)
        self._ahead = workers * AHEAD
        self._mine = threading.local()
        self._all: list[_Worker] = []

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Outcome]]:
        waiting: deque[tuple[Job, Future[Outcome]]] = deque()
        left = iter(jobs)
        for job in left:
            waiting.append((job, self._threads.submit(self._read, job)))
            if len(waiting) > self._ahead:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()

    def _read(self, job: Job) -> Outcome:
        worker = getattr(self._mine, "worker", None)
        if worker is None or not worker.is_alive:
            worker = self._mine.worker = _Worker(self._settings)
            self._all.append(worker)
        return worker.read(job)

    def close(self) -> None:
        for worker in self._all:
            worker.end()
        self._threads.shutdown(cancel_futures=True)


class _Worker:
    """One reader process, which exchanges pickles over its standard streams."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._is_ready = False
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tablerag.ingestion.reader_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdin and self._process.stdout
        self._jobs, self._answers = self._process.stdin, self._process.stdout

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def read(self, job: Job) -> Outcome:
        """Read one file; return an error if the process crashes or takes too long."""
        timeout_s = self._settings.read_timeout_s
        try:
            if not self._is_ready:
                self._send(self._settings)
                self._bytes(len(READY), time.monotonic() + START_S)
                self._is_ready = True
            self._send(job)
            return self._receive(time.monotonic() + timeout_s)
        except TimeoutError:
            self.end()
            return UnreadableDocument(
                f"took longer than {timeout_s:.0f} s to read: split the file, or raise TABLERAG_READ_TIMEOUT_S"
            )
        except (OSError, EOFError):
            self.end()
            return UnreadableDocument(
                "crashed the reader process (out of memory, or a parser fault): split the file, or save it again"
            )

    def _send(self, content: object) -> None:
        data = pickle.dumps(content)
        self._jobs.write(HEAD.pack(len(data)) + data)
        self._jobs.flush()

    def _receive(self, deadline: float) -> Outcome:
        (size,) = HEAD.unpack(self._bytes(HEAD.size, deadline))
        return pickle.loads(self._bytes(size, deadline))

    def _bytes(self, count: int, deadline: float) -> bytes:
        parts, stream = [], self._answers.fileno()
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

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._jobs.close()
        self._answers.close()
