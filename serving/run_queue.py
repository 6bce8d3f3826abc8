"""Starts runs as soon as they come, and deletes threads one at a time.

The development server's runtime, langgraph-runtime-inmem, sleeps for half a second before it looks for runs, and then
takes only those that came before the sleep: each waits a whole second. It deletes a thread by its place in a list,
which another deletion may have changed meanwhile: of runs without a thread that end at the same moment, some lost
theirs, and never started or ended with a 404. Other runtimes are left as they are.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import wraps
from typing import Any

__all__ = ["prompt_queue", "waiting_runs"]

LONGEST_S = 0.5
"""The runtime's own interval: runs that are to start later are found by looking again."""
CHANGES = (("Runs", "put"), ("Runs", "set_status"), ("Threads", "set_joint_status"))
"""What may let a run start: a new one, or the end of the one before it in its thread."""


def waiting_runs() -> int:
    """Return how many runs wait to be started; 0 if the runtime is another."""
    try:
        from langgraph_runtime_inmem import database
    except ModuleNotFoundError:
        return 0
    return sum(run["status"] == "pending" for run in database.GLOBAL_STORE["runs"])


@asynccontextmanager
async def prompt_queue() -> AsyncIterator[None]:
    """Wake the runtime's queue whenever a run may start, and keep deletions apart, for as long as the server runs."""
    try:
        from langgraph_runtime_inmem import ops
    except ModuleNotFoundError:
        yield
        return
    loop, changed, deleting = asyncio.get_running_loop(), asyncio.Event(), asyncio.Lock()
    of_runtime: Callable[..., AsyncIterator[Any]] = ops.Runs.next
    replaced = {(kind, name): getattr(getattr(ops, kind), name) for kind, name in CHANGES}

    async def next_runs(wait: bool, limit: int = 1) -> AsyncIterator[Any]:
        if wait:
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), LONGEST_S)
        changed.clear()
        async for run in of_runtime(False, limit):
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
