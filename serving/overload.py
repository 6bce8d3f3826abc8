"""Refuses runs while too many wait already: the client is told to come back, instead of waiting for minutes."""

import re
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablerag.serving.run_queue import waiting_runs
from tablerag.tools.access.requests import refusal
from tablerag.tools.settings import get_settings

__all__ = ["RETRY_AFTER_S", "Overload"]

RETRY_AFTER_S = 5
STARTS_RUNS = re.compile(r"/runs(/(wait|stream|batch))?/?$|^/mcp/?$|^/a2a/")
"""The paths of the server to which a POST starts a run."""


class Overload:
    """Middleware that answers 503 with Retry-After to what would start a run while the queue is full."""

    def __init__(self, app: ASGIApp, waiting: Callable[[], int] = waiting_runs) -> None:
        self._app = app
        self._waiting = waiting
        self._starting: set[int] = set()
        """Requests that were let in and whose run is not in the queue yet: many come at the same moment."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        most = get_settings().max_waiting_runs
        if not _starts_run(scope):
            await self._app(scope, receive, send)
        elif self._waiting() + len(self._starting) < most:
            await self._started(scope, receive, send)
        else:
            await _busy(most)(scope, receive, send)

    async def _started(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request; the response begins once its run is in the queue."""
        self._starting.add(id(scope))

        async def sending(message: Message) -> None:
            self._starting.discard(id(scope))
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            self._starting.discard(id(scope))


def _busy(most: int) -> ASGIApp:
    says = f"the server is busy: {most} runs wait already, try again in {RETRY_AFTER_S} s"
    return refusal(says, 503, {"Retry-After": str(RETRY_AFTER_S)})


def _starts_run(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "POST":
        return False
    path = str(scope["path"]).removeprefix(scope.get("root_path", ""))
    return bool(STARTS_RUNS.search(path))
