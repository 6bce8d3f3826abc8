"""langgraph.json's "checkpointer": every step of every thread, written to the home folder as it is taken.

The development server's own keeps checkpoints in memory, and has them on disk for certain only after a clean stop.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from tablerag.tools.settings import get_settings

__all__ = ["checkpointer"]

FILE = "threads.db"


@asynccontextmanager
async def checkpointer() -> AsyncIterator[AsyncSqliteSaver]:
    """Open the deployment's threads; nothing is read back but plain values and what LangGraph knows to be safe."""
    home = get_settings().home
    await asyncio.to_thread(home.mkdir, parents=True, exist_ok=True)
    async with aiosqlite.connect(home / FILE) as connection:
        saver = AsyncSqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        await saver.setup()
        await connection.execute("PRAGMA synchronous=NORMAL")  # as safe from a killed process, and faster
        yield saver
