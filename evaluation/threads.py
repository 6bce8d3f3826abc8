"""Runs work in threads, yields results as they come, and can be interrupted without waiting for a thread."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

__all__ = ["in_threads"]

T = TypeVar("T")
R = TypeVar("R")


def in_threads(items: Sequence[T], work: Callable[[T], R], workers: int) -> Iterator[R]:
    """Yield results as they come; at most ``workers`` items are in progress, so that stopping is quick.

    On an error, items in progress are finished before it is raised; an interrupt (Ctrl-C) does not wait for them.
    """
    waiting = iter(items)
    pool = ThreadPoolExecutor(workers)
    try:
        running: set[Future[R]] = {pool.submit(work, i) for i in islice(waiting, workers)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
                running |= {pool.submit(work, i) for i in islice(waiting, 1)}
    except Exception:
        pool.shutdown()
        raise
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
