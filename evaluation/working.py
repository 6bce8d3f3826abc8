"""Work done by several threads at once, results as they come, and an end that waits for no thread."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

__all__ = ["done_by_threads"]

T = TypeVar("T")
R = TypeVar("R")


def done_by_threads(items: Sequence[T], work: Callable[[T], R], workers: int) -> Iterator[R]:
    """Yield results as they come; no more items are under way than there are workers, so that a stop is quick.

    After an error, which is raised, those under way are finished; an interrupt (Ctrl-C) waits for none.
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
