"""langgraph.json's "checkpointer": writes every step of every thread to the home folder at once.

The development server's own checkpointer is in memory, and reliably on disk only after a clean shutdown.
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
    """Open the checkpoint database. Only plain values and the types that LangGraph considers safe are deserialized."""
    home = get_settings().home
    await asyncio.to_thread(home.mkdir, parents=True, exist_ok=True)
    async with aiosqlite.connect(home / FILE) as connection:
        saver = AsyncSqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        await saver.setup()
        await connection.execute("PRAGMA synchronous=NORMAL")  # survives a killed process just as well, and is faster
        yield saver
