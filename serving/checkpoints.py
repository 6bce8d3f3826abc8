"""langgraph.json's "checkpointer": writes every step of every thread at once, to the home folder or to a database.

The development server's own checkpointer is in memory, and reliably on disk only after a clean shutdown.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import aiosqlite
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from sqlalchemy import URL

from tablerag.serving.retention import OLD_THREADS, retention
from tablerag.tools.errors import ConfigError
from tablerag.tools.private_folder import make_private
from tablerag.tools.settings import get_settings
from tablerag.tools.sql.backends.backend import shown
from tablerag.tools.threads_database import POSTGRESQL, away, no_package, threads_url

__all__ = ["checkpointer"]

LOG = logging.getLogger(__name__)
FILE = "threads.db"
POOL = 10
RECYCLED_S = 600
"""Connections that were idle for longer are opened again: a server closes them after wait_timeout."""
CONNECT_S = 20.0
COLLATIONS = """
SELECT @@collation_database AS used, collation_name AS needed FROM information_schema.collations
WHERE character_set_name = 'utf8mb4' AND is_default = 'Yes'
"""
MOST_CHECKED_BYTES = 200_000_000
"""Of a larger file only the beginning is checked, so that the server starts at once."""


@asynccontextmanager
async def checkpointer() -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """Open the checkpoint database. Only plain values and the types that LangGraph considers safe are deserialized.

    Raises ConfigError if TABLERAG_CHECKPOINT_URL names no PostgreSQL or MySQL, StoreUnavailable if the server does not
    answer.
    """
    url = get_settings().checkpoint_url
    async with _in_database(threads_url(url), url) if url else _in_home(get_settings().home / FILE) as saver:
        yield saver


def _in_database(parsed: URL, url: str) -> AbstractAsyncContextManager[BaseCheckpointSaver[Any]]:
    return _in_postgres(parsed, url) if parsed.drivername == POSTGRESQL else _in_mysql(parsed)


@asynccontextmanager
async def _in_home(file: Path) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    await asyncio.to_thread(_set_up, file)
    async with aiosqlite.connect(file) as connection:
        saver = AsyncSqliteSaver(connection, serde=_safe())

        async def find(first: str) -> list[str]:
            return [thread for (thread,) in await connection.execute_fetchall(OLD_THREADS.format("?"), (first,))]

        await saver.setup()
        await connection.execute("PRAGMA synchronous=NORMAL")  # survives a killed process just as well, and is faster
        async with retention(saver, find):
            yield saver


@asynccontextmanager
async def _in_mysql(parsed: URL) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    try:
        from asyncmy import create_pool
        from asyncmy.errors import MySQLError
        from langgraph.checkpoint.mysql.asyncmy import AsyncMySaver
    except ImportError:
        raise no_package() from None
    given = parsed.translate_connect_args(username="user", database="db")
    try:
        pool: Any = await create_pool(
            **given,
            minsize=1,
            maxsize=POOL,
            autocommit=True,
            pool_recycle=RECYCLED_S,
            connect_timeout=CONNECT_S,
        )
    except (MySQLError, OSError) as error:
        raise away(parsed, error) from None
    async with pool:
        saver = AsyncMySaver(pool, serde=_safe())

        async def find(first: str) -> list[str]:
            async with pool.acquire() as connection, connection.cursor() as cursor:
                await cursor.execute(OLD_THREADS.format("%s"), (first,))
                return [thread for (thread,) in await cursor.fetchall()]

        await _check_collation(pool, shown(parsed))
        await saver.setup()
        async with retention(saver, find):
            yield saver


async def _check_collation(pool: Any, named: str) -> None:
    """Raise ConfigError for a database whose texts the checkpointer's statements cannot compare with their own."""
    async with pool.acquire() as connection, connection.cursor() as cursor:
        await cursor.execute(COLLATIONS)
        used, needed = await cursor.fetchone()
    if used != needed:
        raise ConfigError(
            f"the database of the threads, {named}, has the collation {used}, and {needed} is needed: make another one "
            "with CREATE DATABASE ... CHARACTER SET utf8mb4"
        )


@asynccontextmanager
async def _in_postgres(parsed: URL, url: str) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    try:
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        from psycopg import OperationalError
        from psycopg.rows import dict_row
        from psycopg_pool import AsyncConnectionPool, PoolTimeout
    except ImportError:
        raise no_package() from None
    options: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    pool: Any = AsyncConnectionPool(
        url, min_size=1, max_size=POOL, open=False, kwargs=options, check=AsyncConnectionPool.check_connection
    )
    try:
        await pool.open(wait=True, timeout=CONNECT_S)
    except (PoolTimeout, OperationalError):
        await pool.close()
        raise away(parsed) from None
    async with pool:
        saver = AsyncPostgresSaver(pool, serde=_safe())

        async def find(first: str) -> list[str]:
            async with pool.connection() as connection:
                rows = await (await connection.execute(OLD_THREADS.format("%s"), (first,))).fetchall()
            return [row["thread_id"] for row in rows]

        await saver.setup()
        async with retention(saver, find):
            yield saver


def _safe() -> JsonPlusSerializer:
    return JsonPlusSerializer(allowed_msgpack_modules=None)


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
