"""The Starlette app that langgraph.json names: the page at /app/ and its routes, beside the server's own."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tablerag.serving import documents, passages, tables, uploads
from tablerag.serving.headers import OwnHeaders
from tablerag.tools.access.gate import Gate
from tablerag.tools.errors import ConfigError, SqlProblem, StoreUnavailable, TableRagError

__all__ = ["app"]

STATIC = Path(__file__).parent / "static"
STATUSES: dict[type[TableRagError], int] = {ConfigError: 400, StoreUnavailable: 503, SqlProblem: 422}


def page(request: Request) -> FileResponse:
    """Send the page."""
    return FileResponse(STATIC / "index.html")


def to_page(request: Request) -> RedirectResponse:
    """Send /app on to /app/, from where the page's links are relative."""
    return RedirectResponse(f"{request.scope.get('root_path', '')}/app/")


def refused(request: Request, error: Exception) -> JSONResponse:
    """Write an HTTP error as {error}."""
    status, detail = (error.status_code, error.detail) if isinstance(error, HTTPException) else (500, "")
    return JSONResponse({"error": detail}, status)


def failed(request: Request, error: Exception) -> JSONResponse:
    """Write an error raised on purpose as {error}, in one line."""
    status = next((s for kind, s in STATUSES.items() if isinstance(error, kind)), 500)
    return JSONResponse({"error": " ".join(str(error).split())}, status)


def broken(request: Request, error: Exception) -> JSONResponse:
    """Write a defect as {error}; the server's log has the traceback."""
    return JSONResponse({"error": f"unexpected {type(error).__name__}: the server's log says more"}, 500)


_pages = Starlette(
    routes=[
        Route("/", page, include_in_schema=False),
        *documents.ROUTES,
        *tables.ROUTES,
        *passages.ROUTES,
        *uploads.ROUTES,
        Mount("/static", StaticFiles(directory=STATIC)),
    ],
    exception_handlers={HTTPException: refused, TableRagError: failed, Exception: broken},
)
app = Starlette(
    routes=[Route("/app", to_page, include_in_schema=False), Mount("/app", _pages)],
    middleware=[Middleware(Gate), Middleware(OwnHeaders)],
)
"""Its routes are merged with the server's, which also takes its middleware over."""
