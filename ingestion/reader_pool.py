"""Reading on all cores: documents are read, typed and chunked by processes of their own.

A process apart also means that a file which crashes its parser, or keeps it busy for ever, fails alone.
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
"""What a reading process says once it has started."""
WORTH_FILES = 4
WORTH_BYTES = 3_000_000
"""A batch of fewer files and bytes is read faster than a process starts; nothing bounds its reading, though."""
START_S = 120.0
"""Seconds that a reading process may take to start."""
AHEAD = 2
"""Documents read ahead for each process while others are stored."""


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
    """Read one file; whatever is wrong with it is returned."""
    try:
        return read_content(job.file, job.document_id, settings, job.wishes)
    except TableRagError as error:
        return error
    except MemoryError:
        return UnreadableDocument("takes more memory than there is: split it")
    except Exception as error:
        # The batch's edge: files are hostile, and their parsers fail in more ways than they document.
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return UnreadableDocument(f"cannot be read: {reason}")


def read_all(jobs: Sequence[Job], settings: Settings, *, apart: bool = False) -> Iterator[tuple[Job, Outcome]]:
    """Yield every job with its outcome, in order; ``apart`` has small batches, too, read by other processes."""
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
    """Threads that each drive one reading process."""

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
    """One reading process, spoken to in pickles over its standard streams."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._is_ready = False
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tablerag.ingestion.reader_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def read(self, job: Job) -> Outcome:
        """Have one file read; a process that dies or takes too long is that file's failure."""
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
                f"took longer than {timeout_s:.0f} s to read: split it, or raise TABLERAG_READ_TIMEOUT_S"
            )
        except (OSError, EOFError):
            self.end()
            return UnreadableDocument(
                "made its reader's process die (out of memory, or a fault in a parser): split it, or save it anew"
            )

    def _send(self, content: object) -> None:
        data = pickle.dumps(content)
        self._process.stdin.write(HEAD.pack(len(data)) + data)
        self._process.stdin.flush()

    def _receive(self, deadline: float) -> Outcome:
        (size,) = HEAD.unpack(self._bytes(HEAD.size, deadline))
        return pickle.loads(self._bytes(size, deadline))

    def _bytes(self, count: int, deadline: float) -> bytes:
        parts, stream = [], self._process.stdout.fileno()
        while count:
            if not select.select([stream], [], [], max(0.0, deadline - time.monotonic()))[0]:
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
        self._process.stdin.close()
        self._process.stdout.close()
