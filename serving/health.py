"""Makes /ok say so when the server answers but executes no runs."""

import asyncio

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tablerag.serving.run_queue import is_stalled
from tablerag.tools.access.requests import HEALTH

__all__ = ["Health"]

SURE_S, LOOKS = 1.0, 20
"""A worker that has just become free takes its next run long before.

It is looked for many times, so that the event loop has as many turns to let it: a loop that is short of processor time
would have two in one second.
"""


class Health:
    """Middleware that answers 503 to /ok while runs wait and no worker takes them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        if scope["type"] == "http" and path == HEALTH and await _is_surely_stalled():
            detail = "runs wait and none is started: restart the server"
            await JSONResponse({"ok": False, "detail": detail}, 503)(scope, receive, send)
            return
        await self._app(scope, receive, send)


async def _is_surely_stalled() -> bool:
    for _ in range(LOOKS):
        if not is_stalled():
            return False
        await asyncio.sleep(SURE_S / LOOKS)
    return is_stalled()
