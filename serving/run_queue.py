"""Starts runs as soon as they come, and deletes threads one at a time.

The development server's runtime, langgraph-runtime-inmem, sleeps for half a second before it looks for runs, and then
takes only those that came before the sleep: each waits a whole second. It looks at the oldest runs alone, as many as it
has free workers: ten that wait for others of their thread, or whose thread is gone, keep it from starting any. It
deletes a thread by its place in a list, which another deletion may have changed meanwhile: of runs without a thread
that end at the same moment, some lost theirs, and never started or ended with a 404. Other runtimes are left as they
are.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any

from tablerag.serving.ended_runs import EndedRuns

__all__ = ["is_stalled", "prompt_queue", "waiting_runs"]

LONGEST_S = 0.5
"""The runtime's own interval: runs that are to start later are found by looking again."""
STALLED_S = 5.0
"""How long a run may wait for a free worker that does not take it, before the server counts as stalled."""
_latest_start = float("-inf")
CHANGES = (("Runs", "put"), ("Runs", "set_status"), ("Threads", "set_joint_status"))
"""What may let a run start: a new one, or the end of the one before it in its thread."""


def waiting_runs() -> int:
    """Return how many runs wait to be started; 0 if the runtime is another."""
    return sum(run["status"] == "pending" for run in _store()["runs"])


def is_stalled() -> bool:
    """Return whether runs wait beside a free worker and none has started for ``STALLED_S``; False elsewhere.

    It may be true for a moment, when a worker has just become free. A worker is busy for longer than its run: it
    deletes the run's thread after the status has changed, which takes seconds on a machine with too much to do.
    """
    if time.monotonic() - _latest_start < STALLED_S:
        return False
    runs, since = _store()["runs"], datetime.now(UTC) - timedelta(seconds=STALLED_S)
    busy = {run["thread_id"] for run in runs if run["status"] == "running"}
    free = [run for run in runs if run["status"] == "pending" and run["thread_id"] not in busy]
    if all(max(run["created_at"], run["updated_at"]) >= since for run in free):
        return False
    from langgraph_api.config import N_JOBS_PER_WORKER
    from langgraph_runtime_inmem.queue import get_num_workers

    return get_num_workers() < max(1, N_JOBS_PER_WORKER)


def _store() -> dict[str, list[dict[str, Any]]]:
    """Return the lists of the in-memory runtime; empty ones if the runtime is another."""
    try:
        from langgraph_runtime_inmem import database
    except ModuleNotFoundError:
        return {"runs": [], "threads": []}
    return database.GLOBAL_STORE


def _remove_runs_of_lost_threads() -> None:
    """Remove waiting runs whose thread was deleted after they came; the runtime tells their clients so."""
    store = _store()
    waiting = [run for run in store["runs"] if run["status"] == "pending"]
    if waiting:
        threads = {thread["thread_id"] for thread in store["threads"]}
        for run in [run for run in waiting if run["thread_id"] not in threads]:
            store["runs"].remove(run)


@asynccontextmanager
async def prompt_queue() -> AsyncIterator[None]:
    """Wake the runtime's queue whenever a run may start, and keep deletions apart, for as long as the server runs."""
    try:
        from langgraph_runtime_inmem import ops
    except ModuleNotFoundError:
        yield
        return
    loop, changed, deleting = asyncio.get_running_loop(), asyncio.Event(), asyncio.Lock()
    ended = EndedRuns()
    of_runtime: Callable[..., Any] = ops.Runs.next
    replaced = {(kind, name): getattr(getattr(ops, kind), name) for kind, name in CHANGES}

    async def next_runs(wait: bool, limit: int = 1) -> AsyncIterator[Any]:
        global _latest_start
        if wait:
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), LONGEST_S)
        changed.clear()
        _remove_runs_of_lost_threads()
        ended.forget(_store()["runs"])
        async with aclosing(of_runtime(False, sys.maxsize)) as runs:
            for _ in range(limit):
                try:
                    run = await anext(runs)
                except StopAsyncIteration:
                    return
                _latest_start = time.monotonic()
                yield run

    def woken(change: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(change)
        async def changing(*args: Any, **kwargs: Any) -> Any:
            try:
                return await change(*args, **kwargs)
            finally:
                loop.call_soon_threadsafe(changed.set)  # runs may have event loops of their own

        return changing

    delete: Callable[..., Any] = ops.Threads.delete

    async def delete_alone(*args: Any, **kwargs: Any) -> Any:
        if asyncio.get_running_loop() is not loop:
            return await delete(*args, **kwargs)
        async with deleting:
            return await delete(*args, **kwargs)

    ops.Runs.next = staticmethod(next_runs)
    ops.Threads.delete = staticmethod(delete_alone)
    for (kind, name), change in replaced.items():
        setattr(getattr(ops, kind), name, staticmethod(woken(change)))
    try:
        yield
    finally:
        ops.Runs.next = staticmethod(of_runtime)
        ops.Threads.delete = staticmethod(delete)
        for (kind, name), change in replaced.items():
            setattr(getattr(ops, kind), name, staticmethod(change))
