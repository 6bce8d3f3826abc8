"""Deletes threads that nobody has used for TABLERAG_THREADS_KEEP_DAYS: from the checkpointer and the list of threads.

A step's id tells when it was taken, as it is a UUID of version 6; so the latest one of a thread tells when it was used.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from tablerag.tools.settings import get_settings

__all__ = ["OLD_THREADS", "first_id", "forget_listed", "retention"]

LOG = logging.getLogger(__name__)
LOOK_S = 3600.0
OLD_THREADS = "SELECT thread_id FROM checkpoints GROUP BY thread_id HAVING MAX(checkpoint_id) < {} LIMIT 1000"
"""The threads whose steps are all before an id; the same in both checkpointers' databases."""
GREGORIAN = 0x01B21DD213814000
"""1970 in the clock of UUIDs: intervals of 100 ns since 1582."""

Find = Callable[[str], Awaitable[Sequence[str]]]
Forget = Callable[[datetime], Awaitable[tuple[set[str], set[str]]]]


def first_id(moment: datetime) -> str:
    """Return the smallest id of a step that was taken at a moment."""
    ticks = int(moment.timestamp() * 10_000_000) + GREGORIAN
    return f"{ticks >> 28:08x}-{ticks >> 12 & 0xFFFF:04x}-6{ticks & 0xFFF:03x}-8000-000000000000"


async def forget_listed(before: datetime) -> tuple[set[str], set[str]]:
    """Delete old threads from the development server's list; return them, and those that it keeps."""
    try:
        from langgraph_runtime_inmem import database, ops
    except ModuleNotFoundError:
        return set(), set()
    threads = list(database.GLOBAL_STORE["threads"])
    old = [t["thread_id"] for t in threads if t["updated_at"] < before and t["status"] != "busy"]
    opened: Any = database.connect()
    async with opened as connection:
        for thread in old:
            async for _ in await ops.Threads.delete(connection, thread, None):
                pass
    return {str(t) for t in old}, {str(t["thread_id"]) for t in threads if t["thread_id"] not in old}


@asynccontextmanager
async def retention(saver: BaseCheckpointSaver[Any], find: Find, forget: Forget = forget_listed) -> AsyncIterator[None]:
    """Delete old threads now and every hour, while the server runs.

    ``find`` runs OLD_THREADS with an id; ``forget`` deletes old threads from the server's list.
    """
    days = get_settings().threads_keep_days
    task = asyncio.create_task(_every_hour(saver, find, forget, timedelta(days=days))) if days else None
    try:
        yield
    finally:
        if task:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _every_hour(saver: BaseCheckpointSaver[Any], find: Find, forget: Forget, age: timedelta) -> None:
    while True:
        try:
            if deleted := await _delete(saver, find, forget, datetime.now(UTC) - age):
                LOG.info("%d threads that nobody used for %g days are deleted", deleted, age.total_seconds() / 86400)
        except Exception:  # the next look tries again
            LOG.exception("old threads could not be deleted")
        await asyncio.sleep(LOOK_S)


async def _delete(saver: BaseCheckpointSaver[Any], find: Find, forget: Forget, before: datetime) -> int:
    deleted, kept = await forget(before)
    while old := [t for t in await find(first_id(before)) if t not in kept]:
        for thread in old:
            await saver.adelete_thread(thread)
        deleted |= set(old)
    return len(deleted)
