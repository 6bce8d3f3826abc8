"""What retention needs of Aegra: its list of threads, and the steps in its database."""

from datetime import datetime
from typing import Any

from aegra_api.core.database import db_manager
from aegra_api.core.orm import Thread, _get_session_maker
from sqlalchemy import delete, select

from tablerag.serving.retention import OLD_THREADS

__all__ = ["forget_listed", "old_threads"]


async def old_threads(first: str) -> list[str]:
    """Return the threads whose steps are all before an id."""
    assert db_manager.lg_pool
    async with db_manager.lg_pool.connection() as connection:
        rows: list[Any] = await (await connection.execute(OLD_THREADS.format("%s"), (first,))).fetchall()
    return [row["thread_id"] for row in rows]


async def forget_listed(before: datetime) -> tuple[set[str], set[str]]:
    """Delete the threads that were last changed before a moment, with their runs; return them, and the others."""
    async with _get_session_maker()() as session:
        gone = delete(Thread).where(Thread.updated_at < before, Thread.status != "busy").returning(Thread.thread_id)
        deleted = set((await session.scalars(gone)).all())
        await session.commit()
        return deleted, set((await session.scalars(select(Thread.thread_id))).all())
