"""Makes /ok say so when the server answers but executes no runs."""

import asyncio

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tablerag.serving.run_queue import is_stalled
from tablerag.tools.access.requests import HEALTH

__all__ = ["Health"]

SURE_S = 1.0
"""A worker that has just become free takes its next run long before."""


class Health:
    """Middleware that answers 503 to /ok while runs wait and no worker takes them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        if scope["type"] == "http" and path == HEALTH and is_stalled():
            await asyncio.sleep(SURE_S)
            if is_stalled():
                detail = "runs wait and none is started: restart the server"
                await JSONResponse({"ok": False, "detail": detail}, 503)(scope, receive, send)
                return
        await self._app(scope, receive, send)
