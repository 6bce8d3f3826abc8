"""What reads documents, wherever it runs: jobs side by side, their outcomes in order, few of them in memory."""

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Protocol, TypeVar

from tablerag.ingestion.document_content import DocumentContent
from tablerag.ingestion.reader_worker import Job, OnPage, Outcome, UnpackJob, unpacked
from tablerag.tools.errors import UnreadableDocument
from tablerag.tools.settings import Settings

__all__ = ["AnyJob", "InOrder", "ReadAll"]

AnyJob = TypeVar("AnyJob", Job, UnpackJob)
MOST_HELD = 50_000_000
"""Bytes of packed contents that wait or are being stored; beyond it only the next file is read, once those before it
are stored. Unpacked, they take up to ten times as much."""
TICK_S = 0.5


class ReadAll(Protocol):
    """An executor: reads jobs in processes of this machine (reader_pool.py) or on a Ray cluster (ray_reading.py).

    Yields every job with its outcome, in order; a file that cannot be read has an error as its outcome. ``waiting`` is
    called every ``TICK_S`` that one takes, and ``on_page`` from other threads. Closing the iterator, or an exception
    that passes it, ends what is being read.
    """

    def __call__(
        self,
        jobs: Sequence[Job],
        settings: Settings,
        waiting: Callable[[], object] = ...,
        on_page: OnPage | None = ...,
    ) -> Iterator[tuple[Job, Outcome]]: ...


class InOrder(ABC):
    """Threads that each see to one job at a time."""

    def __init__(
        self, threads: int, ahead: int, waiting: Callable[[], object], most_sent: float = float("inf")
    ) -> None:
        """Take how many jobs are begun before their turn; ``most_sent`` bounds the bytes of files read side by side."""
        self._ahead, self._waiting, self._most_sent = ahead, waiting, most_sent
        self._threads = ThreadPoolExecutor(threads)
        self._room = threading.Condition()
        self._held = self._sent = self._next = self._given = 0
        self._is_ended = False

    @abstractmethod
    def _outcome(self, job: Job | UnpackJob) -> Outcome | bytes:
        """Return what one job came to, an error if it failed; called in a thread."""

    def outcomes(self, jobs: Sequence[AnyJob]) -> Iterator[tuple[AnyJob, Outcome]]:
        """Yield every job with its outcome."""
        begun: deque[tuple[AnyJob, Future[Outcome | bytes]]] = deque()
        for place, job in enumerate(jobs):
            begun.append((job, self._threads.submit(self._read, place, job)))
            if len(begun) > self._ahead:
                yield self._taken(*begun.popleft())
                self._make_room()
        while begun:
            yield self._taken(*begun.popleft())
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
        """Read a file when there is room for it and its content."""
        with self._room:
            self._room.wait_for(lambda: self._is_ended or place <= self._next or self._has_room(job))
            self._sent += job.size
        try:
            outcome = UnreadableDocument("was not read: run it again") if self._is_ended else self._fetched(job)
        finally:
            with self._room:
                self._sent -= job.size
                self._room.notify_all()
        with self._room:
            self._held += len(outcome) if isinstance(outcome, bytes) else 0
        return outcome

    def _fetched(self, job: Job | UnpackJob) -> Outcome | bytes:
        if job.file.remote is None:
            return self._outcome(job)
        from tablerag.ingestion.remote import near

        try:
            with near(job.file) as file:
                return self._outcome(replace(job, file=file))
        except UnreadableDocument as error:
            return error

    def _has_room(self, job: Job | UnpackJob) -> bool:
        return self._held <= MOST_HELD and self._sent + job.size <= self._most_sent

    def close(self) -> None:
        """End the threads, which have nothing left to do."""
        self._threads.shutdown()

    def end(self) -> None:
        """Begin no other job, and wait for the threads."""
        self._stop()
        self._threads.shutdown(cancel_futures=True)

    def _stop(self) -> None:
        with self._room:
            self._is_ended = True
            self._room.notify_all()
