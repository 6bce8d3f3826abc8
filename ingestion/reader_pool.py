"""Reads, types and chunks documents in reader processes, on all cores.

A file that crashes its parser, never ends or needs too much memory then fails on its own.
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from tablerag.ingestion.document_content import DocumentContent
from tablerag.ingestion.reader_worker import Job, OnPage, Outcome, Reading, UnpackJob, Worker, keep, take, unpacked
from tablerag.tools.errors import UnreadableDocument
from tablerag.tools.settings import Settings

__all__ = ["read_all"]

AnyJob = TypeVar("AnyJob", Job, UnpackJob)

AHEAD = 2
"""Documents read ahead per process while others are stored."""
WORTH_FILES = 4
WORTH_BYTES = 3_000_000
"""Smaller batches are read by one process, which is faster than starting another."""
MOST_HELD = 50_000_000
"""Bytes of packed contents that wait or are being stored; beyond it only the next file is read, once those before it
are stored. Unpacked, they take up to ten times as much."""
SHARES = ((1_000_000, 6), (4_000_000, 3))
"""Into how many parts the memory is divided for files up to so many bytes; it is halved for larger ones."""
LEAST_MB = 150
"""What reading an ordinary file takes."""
TICK_S = 0.5


def read_all(
    jobs: Sequence[AnyJob],
    settings: Settings,
    waiting: Callable[[], object] = lambda: None,
    on_page: OnPage | None = None,
) -> Iterator[tuple[AnyJob, Outcome]]:
    """Yield every job with its outcome, in order.

    ``waiting`` is called every ``TICK_S`` that one takes, and ``on_page`` from other threads.
    """
    if not jobs:
        return
    most = settings.workers or os.cpu_count() or 1
    is_small = len(jobs) < WORTH_FILES and sum(j.size for j in jobs) < WORTH_BYTES
    pool = _Pool(1 if is_small else min(most, len(jobs)), Reading.of(settings), waiting, on_page)
    try:
        yield from pool.outcomes(jobs)
    except BaseException:
        pool.end()
        raise
    pool.close()


class _Pool:
    """Threads that each drive one reader process.

    Processes side by side share the memory that one may have: at most half each, a sixth for a small file, more where
    there are few processes. A file that needs more is read again by one that has all of it, while the others wait.
    """

    def __init__(self, workers: int, reading: Reading, waiting: Callable[[], object], on_page: OnPage | None) -> None:
        self._reading, self._on_page = reading, on_page
        self._waiting = waiting
        self._workers = workers
        self._room = threading.Condition()
        self._held = self._next = self._side_by_side = self._shared_mb = self._given = 0
        self._is_alone = self._is_ended = False
        self._threads = ThreadPoolExecutor(workers)
        self._ahead = workers * AHEAD
        self._mine = threading.local()
        self._all: list[Worker] = []

    def outcomes(self, jobs: Sequence[AnyJob]) -> Iterator[tuple[AnyJob, Outcome]]:
        waiting: deque[tuple[AnyJob, Future[Outcome | bytes]]] = deque()
        for place, job in enumerate(jobs):
            waiting.append((job, self._threads.submit(self._read, place, job)))
            if len(waiting) > self._ahead:
                yield self._taken(*waiting.popleft())
                self._make_room()
        while waiting:
            yield self._taken(*waiting.popleft())
            self._make_room()

    def _taken(self, job: AnyJob, future: Future[Outcome | bytes]) -> tuple[AnyJob, Outcome]:
        """Return a job with its outcome, unpacked; it takes room until the next one is asked for."""
        while not wait([future], TICK_S).done:
            self._waiting()
        outcome = future.result()
        self._given = len(outcome) if isinstance(outcome, bytes) else 0
        content = unpacked(outcome)
        if isinstance(content, DocumentContent) and isinstance(outcome, bytes):
            content = replace(content, packed=len(outcome))
        return job, content

    def _make_room(self) -> None:
        with self._room:
            self._next += 1
            self._held -= self._given
            self._room.notify_all()

    def _read(self, place: int, job: Job | UnpackJob) -> Outcome | bytes:
        """Read a file when there is room for its content."""
        with self._room:
            self._room.wait_for(lambda: self._is_ended or self._held <= MOST_HELD or place <= self._next)
        outcome = UnreadableDocument("was not read: run it again") if self._is_ended else self._outcome(job)
        with self._room:
            self._held += len(outcome) if isinstance(outcome, bytes) else 0
        return outcome

    def _outcome(self, job: Job | UnpackJob) -> Outcome | bytes:
        """Read one file; read it again in a new process, with all memory, if there was too little or a crash."""
        reading = replace(self._reading, memory_mb=self._share(job.size))
        with self._beside_others(reading.memory_mb):
            worker = self._worker()
            is_full = self._reading == reading and not worker.is_used  # else it holds what earlier files left
            outcome = worker.read_packed(job, reading)
            if reading.memory_mb > self._share(0):
                worker.end(worker.failed)  # it would keep more than its share of the next file
        if worker.failed in ("crashed", "out of memory") and not is_full and not self._is_ended:
            with self._without_others():
                worker = self._worker()
                outcome = worker.read_packed(job, self._reading)
                worker.end(worker.failed)
        return outcome

    def _share(self, size: int) -> int:
        """Return the memory in MB that reading a file of this size has beside others."""
        if self._workers == 1:
            return self._reading.memory_mb
        parts = next((parts for most, parts in SHARES if size <= most), 2)
        most = self._reading.memory_mb
        return max(most // min(parts, max(2, self._workers)), min(LEAST_MB, most // 2))

    @contextmanager
    def _beside_others(self, share: int) -> Iterator[None]:
        """Wait for a share of the memory, and hold it."""
        most = self._reading.memory_mb
        with self._room:
            self._room.wait_for(lambda: not self._is_alone and self._shared_mb + share <= most)
            self._side_by_side += 1
            self._shared_mb += share
        try:
            yield
        finally:
            with self._room:
                self._side_by_side -= 1
                self._shared_mb -= share
                self._room.notify_all()

    @contextmanager
    def _without_others(self) -> Iterator[None]:
        with self._room:
            self._room.wait_for(lambda: not self._is_alone)
            self._is_alone = True  # from here on no other begins
            self._room.wait_for(lambda: not self._side_by_side)
        for other in self._all:
            other.end(other.failed)  # it would keep what its files have left
        try:
            yield
        finally:
            with self._room:
                self._is_alone = False
                self._room.notify_all()

    def _worker(self) -> Worker:
        """Return the thread's reader process, a new one if it has ended."""
        worker = getattr(self._mine, "worker", None)
        if worker is None or worker.is_used and not worker.is_idle:
            worker = self._mine.worker = Worker() if worker else take()
            worker.on_page = self._on_page
            self._all.append(worker)
        return worker

    def close(self) -> None:
        """Keep one process for the next batch and end the others."""
        self._threads.shutdown()
        keep(self._all)

    def end(self) -> None:
        """End all processes, whatever they are reading."""
        with self._room:
            self._is_ended = True
            self._room.notify_all()
        for worker in self._all:
            worker.end()
        self._threads.shutdown(cancel_futures=True)
