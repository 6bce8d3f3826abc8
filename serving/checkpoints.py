"""langgraph.json's "checkpointer": writes every step of every thread to the home folder at once.

The development server's own checkpointer is in memory, and reliably on disk only after a clean shutdown.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from tablerag.tools.private_folder import make_private
from tablerag.tools.settings import get_settings

__all__ = ["checkpointer"]

LOG = logging.getLogger(__name__)
FILE = "threads.db"
MOST_CHECKED_BYTES = 200_000_000
"""Of a larger file only the beginning is checked, so that the server starts at once."""


@asynccontextmanager
async def checkpointer() -> AsyncIterator[AsyncSqliteSaver]:
    """Open the checkpoint database. Only plain values and the types that LangGraph considers safe are deserialized."""
    file = get_settings().home / FILE
    await asyncio.to_thread(_set_up, file)
    async with aiosqlite.connect(file) as connection:
        saver = AsyncSqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        await saver.setup()
        await connection.execute("PRAGMA synchronous=NORMAL")  # survives a killed process just as well, and is faster
        yield saver


def _set_up(file: Path) -> None:
    """Make the folder; rename a damaged file, as the server would not start, or fail in every thread."""
    make_private(file.parent)
    if not file.exists():
        return
    check = "quick_check(1)" if file.stat().st_size <= MOST_CHECKED_BYTES else "schema_version"
    try:
        with closing(sqlite3.connect(file)) as connection:
            ((said,),) = connection.execute(f"PRAGMA {check}").fetchall()
            connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            return  # locked or not writable: its next user says so
        said = str(error)
    if isinstance(said, int) or said == "ok":
        return
    aside = f"{file.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}"
    for end in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            file.with_name(file.name + end).rename(file.with_name(aside + end))
    LOG.warning("%s is damaged (%s): starting without earlier threads, kept as %s", file, said, aside)
