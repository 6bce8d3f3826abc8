"""Reads, types and chunks documents in reader processes, on all cores.

A file that crashes its parser, never ends or needs too much memory then fails on its own.
"""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from tablerag.ingestion.in_order import AnyJob, InOrder
from tablerag.ingestion.reader_worker import Job, OnPage, Outcome, Reading, UnpackJob, Worker, end_idle, keep, take
from tablerag.tools.settings import Settings

__all__ = ["read_all", "read_packed", "share_mb"]

AHEAD = 2
"""Documents read ahead per process while others are stored."""
WORTH_FILES = 4
WORTH_BYTES = 3_000_000
"""Smaller batches are read by one process, which is faster than starting another."""
SHARES = ((1_000_000, 6), (4_000_000, 3))
"""Into how many parts the memory is divided for files up to so many bytes; it is halved for larger ones."""
LEAST_MB = 150
"""What reading an ordinary file takes."""


def read_all(
    jobs: Sequence[AnyJob],
    settings: Settings,
    waiting: Callable[[], object] = lambda: None,
    on_page: OnPage | None = None,
) -> Iterator[tuple[AnyJob, Outcome]]:
    """Yield every job with its outcome, in order, as ReadAll describes."""
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


def read_packed(
    job: Job, reading: Reading, on_page: OnPage | None = None, *, is_fresh: bool = False
) -> tuple[Outcome | bytes, bool]:
    """Read one file in the process that is kept, or in a new one if ``is_fresh``.

    Returns the outcome, a large content as a pickle, and whether a new process with more memory may read the file.
    """
    if is_fresh:
        end_idle()
    worker = take()
    worker.on_page, was_used = on_page, worker.is_used
    outcome = worker.read_packed(job, reading)
    if is_fresh:
        worker.end(worker.failed)  # it would keep more than its share of the next file
    else:
        keep([worker])
    return outcome, worker.failed in ("crashed", "out of memory") and (was_used or not is_fresh)


def share_mb(size: int, most: int, workers: int) -> int:
    """Return the memory in MB that reading a file of ``size`` bytes has beside others, of ``most`` MB in all."""
    parts = next((parts for limit, parts in SHARES if size <= limit), 2)
    return max(most // min(parts, max(2, workers)), min(LEAST_MB, most // 2))


class _Pool(InOrder):
    """Threads that each drive one reader process.

    Processes side by side share the memory that one may have: at most half each, a sixth for a small file, more where
    there are few processes. A file that needs more is read again by one that has all of it, while the others wait.
    """

    def __init__(self, workers: int, reading: Reading, waiting: Callable[[], object], on_page: OnPage | None) -> None:
        super().__init__(workers, workers * AHEAD, waiting)
        self._reading, self._on_page = reading, on_page
        self._workers = workers
        self._side_by_side = self._shared_mb = 0
        self._is_alone = False
        self._mine = threading.local()
        self._all: list[Worker] = []

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
        most = self._reading.memory_mb
        return most if self._workers == 1 else share_mb(size, most, self._workers)

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
        super().close()
        keep(self._all)

    def end(self) -> None:
        """End all processes, whatever they are reading."""
        self._stop()
        for worker in self._all:
            worker.end()
        super().end()
