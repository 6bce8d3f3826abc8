"""Routes of the LangGraph server's API that Aegra 0.6 has in part: what the page needs of them.

Its runs have no metadata, its history takes no filter, and a run that another process executes cannot be followed.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from aegra_api.api.runs import active_runs, stream_run
from aegra_api.core.auth_deps import require_auth
from aegra_api.core.orm import Run, Thread, _get_session_maker, get_session
from aegra_api.models import User
from aegra_api.services.langgraph_service import create_thread_config, get_langgraph_service
from aegra_api.services.thread_state_service import ThreadStateService
from fastapi import APIRouter, Depends, HTTPException
from fastapi.encoders import jsonable_encoder
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

__all__ = ["router"]

Caller = Annotated[User, Depends(require_auth)]
Session = Annotated[AsyncSession, Depends(get_session)]
ENDED = ("success", "error", "interrupted")
LOOK_S = 0.5
SILENT_S = 15.0
"""A comment is sent this often, so that proxies keep the connection."""
LONGEST_S = 900.0
"""A run whose process was killed stays "running"; nobody waits longer for it."""
FIELDS = ("run_id", "thread_id", "assistant_id", "status", "created_at", "updated_at")

router = APIRouter()


class Wanted(BaseModel):
    """Which states of a thread to return, the latest first."""

    limit: int = Field(10, ge=1, le=1000)
    metadata: dict[str, Any] = Field(default_factory=dict)


@router.get("/threads/{thread_id}/runs")
async def runs(
    thread_id: str, user: Caller, session: Session, limit: int = 10, offset: int = 0
) -> list[dict[str, Any]]:
    """List a thread's runs with their metadata, the latest first."""
    mine = select(Run).where(Run.thread_id == thread_id, Run.user_id == user.identity)
    found = await session.scalars(mine.order_by(Run.created_at.desc()).limit(limit).offset(offset))
    return [
        jsonable_encoder({f: getattr(run, f) for f in FIELDS} | {"metadata": (run.config or {}).get("metadata") or {}})
        for run in found
    ]


@router.post("/threads/{thread_id}/history")
async def history(thread_id: str, wanted: Wanted, user: Caller, session: Session) -> list[Any]:
    """Return a thread's states whose metadata has what is wanted."""
    mine = select(Thread).where(Thread.thread_id == thread_id, Thread.user_id == user.identity)
    thread = await session.scalar(mine)
    if thread is None:
        raise HTTPException(404, f"Thread '{thread_id}' not found")
    graph_id = (thread.metadata_json or {}).get("graph_id")
    if not graph_id:
        return []
    config: Any = create_thread_config(thread_id, user, {})
    async with get_langgraph_service().get_graph(graph_id) as graph:
        found = graph.aget_state_history(config, filter=wanted.metadata or None, limit=wanted.limit)
        states = [state async for state in found]
    return ThreadStateService().convert_snapshots_to_thread_states(states, thread_id)


@router.get("/threads/{thread_id}/runs/{run_id}/stream")
async def followed(
    thread_id: str, run_id: str, user: Caller, session: Session, last_event_id: str | None = None
) -> Response:
    """Stream a run from now on; one that another process executes ends here when it does there."""
    if run_id in active_runs:
        return await stream_run(thread_id, run_id, last_event_id, None, user, session)
    mine = select(Run.run_id).where(Run.run_id == run_id, Run.thread_id == thread_id, Run.user_id == user.identity)
    if await session.scalar(mine) is None:
        raise HTTPException(404, f"Run '{run_id}' not found")
    return StreamingResponse(_until_ended(run_id), media_type="text/event-stream")


async def _until_ended(run_id: str) -> AsyncIterator[str]:
    looks = int(LONGEST_S / LOOK_S)
    for look in range(looks):
        async with _get_session_maker()() as session:
            status = await session.scalar(select(Run.status).where(Run.run_id == run_id))
        if status is None or status in ENDED:
            break
        if look % int(SILENT_S / LOOK_S) == 0:
            yield ": waiting\n\n"
        await asyncio.sleep(LOOK_S)
    yield f"event: end\ndata: {json.dumps({'status': status})}\n\n"
