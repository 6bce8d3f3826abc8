"""The processes in which the embedded engine runs statements: started when needed, ended when they do not obey."""

import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tablerag.tools.sql.backends.worker_messages import Chunk, Refusal, Setup

__all__ = ["QueryWorkers", "Worker", "WorkerDied"]

WORKER = "tablerag.tools.sql.backends.query_worker"
MOST = 4
"""Statements that run at once; others wait."""
START_S = 60.0
"""Time limit for loading the engine, generous enough for a busy machine."""
GRACE_S = 0.5
"""How long after its time limit a statement is ended with its process: one call of a function cannot be interrupted."""


class WorkerDied(Exception):
    """A worker ended while it ran a statement; ``late``: it was ended, as the time was up."""

    def __init__(self, late: bool) -> None:
        super().__init__("late" if late else "died")
        self.late = late


class Worker:
    """One process, which runs one statement at a time."""

    def __init__(self, setup: Setup) -> None:
        # -P: a module in the current folder, which may hold anybody's files, must not be taken for one of the engine's.
        # MALLOC_ARENA_MAX: else every thread of the engine reserves address space of its own, which is limited.
        command = ["env", "MALLOC_ARENA_MAX=2", sys.executable, "-P", "-m", WORKER]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe)
        self._unread = False
        self._full = False
        self._started = False
        self._send(setup)

    @contextmanager
    def running(self, sql: str, timeout_s: float) -> Iterator[Iterator[Chunk | Refusal]]:
        """Yield the parts of a statement's result, or why there is none; raise WorkerDied."""
        late = threading.Event()
        try:
            if not self._started:
                with self._ended_after(START_S, late):
                    self._received()
                self._started = True
            with self._ended_after(timeout_s + GRACE_S, late):
                yield self._parts(sql, timeout_s)
                if self._unread:
                    self._send(False)
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            self.end()
            raise WorkerDied(late.is_set()) from error

    @property
    def ready(self) -> bool:
        """Whether the process runs and can take a statement: one that ran out of memory may not get it back."""
        return self._process.poll() is None and not self._unread and not self._full

    def end(self) -> None:
        """End the process and wait for it."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe.close() if pipe else None
        self._process.wait()

    @contextmanager
    def _ended_after(self, seconds: float, late: threading.Event) -> Iterator[None]:
        """End the process if what is done takes longer."""
        timer = threading.Timer(seconds, self._kill, [late])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _parts(self, sql: str, timeout_s: float) -> Iterator[Chunk | Refusal]:
        self._send((sql, timeout_s))
        while True:
            part = self._received()
            self._unread = isinstance(part, Chunk) and not part.last
            self._full = isinstance(part, Refusal) and part.why == "memory"
            yield part
            if not self._unread:
                return
            self._send(True)

    def _kill(self, late: threading.Event) -> None:
        late.set()
        self._process.kill()

    def _received(self) -> Chunk | Refusal:
        assert self._process.stdout
        return pickle.load(self._process.stdout)

    def _send(self, message: Any) -> None:
        assert self._process.stdin
        self._unread = False
        pickle.dump(message, self._process.stdin)
        self._process.stdin.flush()


class QueryWorkers:
    """Up to MOST workers with one setup; safe to share between threads."""

    def __init__(self, setup: Callable[[], Setup]) -> None:
        self._setup = setup
        self._idle: list[Worker] = []
        self._lock = threading.Lock()
        self._free = threading.Semaphore(MOST)
        weakref.finalize(self, _end_all, self._idle)

    def start(self) -> None:
        """Start one worker, to be ready when the first statement comes."""
        with self._lock:
            if not self._idle:
                self._idle.append(Worker(self._setup()))

    @contextmanager
    def worker(self) -> Iterator[Worker]:
        """Yield a worker that runs nothing; it is kept for the next statement if it is ready then."""
        with self._free:
            worker = self._taken()
            try:
                yield worker
            finally:
                if worker.ready:
                    with self._lock:
                        self._idle.append(worker)
                else:
                    worker.end()

    def close(self) -> None:
        """End all workers that run nothing."""
        with self._lock:
            _end_all(self._idle)

    def _taken(self) -> Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.ready:
                    return worker
                worker.end()
        return Worker(self._setup())


def _end_all(workers: list[Worker]) -> None:
    while workers:
        workers.pop().end()
