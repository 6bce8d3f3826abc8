"""aegra.json's "app": the page at /app/ and the routes behind it, with the checks of the development server's app."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aegra_api.core.database import db_manager
from fastapi import FastAPI
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from starlette.middleware import Middleware

from tablerag.serving.aegra.guard import Guard
from tablerag.serving.aegra.old_threads import forget_listed, old_threads
from tablerag.serving.aegra.routes import router
from tablerag.serving.app import pages, to_page
from tablerag.serving.collector import short_pauses
from tablerag.serving.headers import OwnHeaders
from tablerag.serving.origins import Origins
from tablerag.serving.retention import retention
from tablerag.serving.slow_clients import Patience, limited_heads
from tablerag.tools.access.requests import Gate

__all__ = ["app"]


@asynccontextmanager
async def served(app: FastAPI) -> AsyncIterator[None]:
    """Run the server with short pauses, without waiting for slow clients, and without old threads."""
    saver = db_manager.get_checkpointer()
    # Only plain values and the types that LangGraph considers safe are deserialized.
    saver.serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    with short_pauses(), limited_heads():
        async with retention(saver, old_threads, forget_listed):
            yield


app = FastAPI(lifespan=served, middleware=[Middleware(m) for m in (Gate, OwnHeaders, Origins, Patience, Guard)])
app.add_route("/app", to_page, include_in_schema=False)
app.mount("/app", pages)
app.include_router(router, include_in_schema=False)
"""Aegra adds its routes and its lifespan to it."""
