"""langgraph.json's "app": a Starlette app with the page at /app/ and the routes behind it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tablerag.serving.arenas import share_arenas
from tablerag.serving.checkpoint_url import check_checkpoint_url
from tablerag.serving.collector import short_pauses
from tablerag.serving.following import following
from tablerag.serving.headers import OwnHeaders
from tablerag.serving.health import Health
from tablerag.serving.mcp.http import MCP_ROUTE, mcp_endpoint
from tablerag.serving.openapi import ROUTES
from tablerag.serving.origins import Origins
from tablerag.serving.overload import Overload
from tablerag.serving.run_queue import prompt_queue
from tablerag.serving.saved_state import guard_saved_state
from tablerag.serving.slow_clients import Patience, limited_heads
from tablerag.tools.access.requests import Gate
from tablerag.tools.errors import AccessDenied, ConfigError, SqlProblem, StoreUnavailable, TableRagError

__all__ = ["app", "pages", "to_page"]

check_checkpoint_url()
share_arenas()
guard_saved_state()  # the server loads its lists after this module
STATIC = Path(__file__).parent / "static"
STATUSES: dict[type[TableRagError], int] = {ConfigError: 400, AccessDenied: 403, SqlProblem: 422, StoreUnavailable: 503}


def page(request: Request) -> FileResponse:
    """Return the page."""
    return FileResponse(STATIC / "index.html")


def to_page(request: Request) -> RedirectResponse:
    """Redirect /app to /app/: the page's links are relative."""
    return RedirectResponse(f"{request.scope.get('root_path', '')}/app/")


def refused(request: Request, error: Exception) -> JSONResponse:
    """Return an HTTP error as {error}."""
    if not isinstance(error, HTTPException):
        return JSONResponse({"error": ""}, 500)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


def failed(request: Request, error: Exception) -> JSONResponse:
    """Return an error that TableRAG raised as {error}, on one line."""
    status = next((s for kind, s in STATUSES.items() if isinstance(error, kind)), 500)
    return JSONResponse({"error": " ".join(str(error).split())}, status)


def broken(request: Request, error: Exception) -> JSONResponse:
    """Return an unexpected error as {error}; the server log has the traceback."""
    return JSONResponse({"error": "unexpected error: see the server log"}, 500)


@asynccontextmanager
async def served(app: Starlette) -> AsyncIterator[None]:
    """Run the server with prompt runs and short pauses, and without waiting for slow clients."""
    with short_pauses(), limited_heads(), following():
        async with prompt_queue(), mcp_endpoint.running():
            yield


pages = Starlette(
    routes=[
        Route("/", page, include_in_schema=False),
        *ROUTES,
        MCP_ROUTE,
        Mount("/static", StaticFiles(directory=STATIC)),
    ],
    exception_handlers={HTTPException: refused, TableRagError: failed, Exception: broken},
)
app = Starlette(
    routes=[Route("/app", to_page, include_in_schema=False), Mount("/app", pages)],
    middleware=[Middleware(m) for m in (Gate, Health, OwnHeaders, Origins, Overload, Patience)],
    lifespan=served,
)
"""The server merges its routes, middleware and lifespan into its own app."""
