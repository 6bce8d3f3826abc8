"""aegra.json's "app": the page at /app/ and the routes behind it, with the checks of the development server's app."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aegra_api.api.runs import active_runs
from aegra_api.core.database import db_manager
from fastapi import FastAPI
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tablerag.serving.aegra.guard import Guard
from tablerag.serving.aegra.old_threads import forget_listed, old_threads
from tablerag.serving.aegra.routes import router
from tablerag.serving.app import pages, to_page
from tablerag.serving.collector import short_pauses
from tablerag.serving.following import following
from tablerag.serving.headers import OwnHeaders
from tablerag.serving.mcp.http import mcp_endpoint
from tablerag.serving.origins import Origins
from tablerag.serving.overload import Overload
from tablerag.serving.retention import retention
from tablerag.serving.slow_clients import Patience, limited_heads
from tablerag.tools.access.requests import Gate, refusal

__all__ = ["app", "guarded"]

PASSED = "tablerag.passed"


@asynccontextmanager
async def served(app: FastAPI) -> AsyncIterator[None]:
    """Run the server with short pauses, without waiting for slow clients, and without old threads."""
    saver = db_manager.get_checkpointer()
    # Only plain values and the types that LangGraph considers safe are deserialized.
    saver.serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    with short_pauses(), limited_heads(), following():
        async with retention(saver, old_threads, forget_listed), mcp_endpoint.running():
            yield


def guarded(served_app: ASGIApp) -> ASGIApp:
    """Put the checks in front of Aegra's middleware, which takes forms of other sites' pages for JSON."""

    async def passed(scope: Scope, receive: Receive, send: Send) -> None:
        scope[PASSED] = True
        await served_app(scope, receive, send)

    inner: ASGIApp = Overload(Guard(passed), waiting=lambda: len(active_runs))
    return Gate(OwnHeaders(Origins(Patience(inner))))


class OnlyPassed:
    """Middleware that refuses what has not passed the checks: the server was started in another way."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or answer 503."""
        if scope["type"] == "http" and PASSED not in scope:
            await refusal("start the server by python -m tablerag.serving.aegra", 503)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def healthy(request: Request) -> JSONResponse:
    """Say that the process answers, where load balancers ask the development server."""
    return JSONResponse({"ok": True})


app = FastAPI(lifespan=served, docs_url=None, redoc_url=None, middleware=[Middleware(OnlyPassed)])
app.add_route("/ok", healthy, include_in_schema=False)
app.add_route("/app", to_page, include_in_schema=False)
app.mount("/app", pages)
app.include_router(router, include_in_schema=False)
"""Aegra adds its routes, its lifespan and its middleware to it."""
