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
MOST_HELD = 100_000_000
"""Bytes of packed contents that wait to be stored; beyond it only the next file is read."""
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

    Processes side by side have half of the memory that one may have; a file that needs more is read again by one that
    has all of it, while the others wait.
    """

    def __init__(self, workers: int, reading: Reading, waiting: Callable[[], object], on_page: OnPage | None) -> None:
        self._reading, self._on_page = reading, on_page
        self._waiting = waiting
        self._shared = replace(reading, memory_mb=reading.memory_mb // 2) if workers > 1 else reading
        self._room = threading.Condition()
        self._held = self._next = self._side_by_side = 0
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
                first, future = waiting.popleft()
                yield first, self._taken(future)
        while waiting:
            first, future = waiting.popleft()
            yield first, self._taken(future)

    def _taken(self, future: Future[Outcome | bytes]) -> Outcome:
        """Return the next outcome, unpacked, and make room for others."""
        while not wait([future], TICK_S).done:
            self._waiting()
        outcome = future.result()
        with self._room:
            self._next += 1
            self._held -= len(outcome) if isinstance(outcome, bytes) else 0
            self._room.notify_all()
        return unpacked(outcome)

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
        with self._beside_others():
            worker = self._worker()
            is_full = self._reading == self._shared and not worker.is_used  # else it holds what earlier files left
            outcome = worker.read_packed(job, self._shared)
        if worker.failed in ("crashed", "out of memory") and not is_full and not self._is_ended:
            with self._without_others():
                worker = self._worker()
                outcome = worker.read_packed(job, self._reading)
                worker.end(worker.failed)
        return outcome

    @contextmanager
    def _beside_others(self) -> Iterator[None]:
        with self._room:
            self._room.wait_for(lambda: not self._is_alone)
            self._side_by_side += 1
        try:
            yield
        finally:
            with self._room:
                self._side_by_side -= 1
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
