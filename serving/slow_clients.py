"""Limits how slowly a request may come: its head in a fixed time, its body at a minimum rate. Keeps connections open.

`langgraph dev` passes no settings on to uvicorn, and uvicorn has none for this: `timeout_keep_alive` ends with a
request's first byte, and `limit_concurrency` would refuse everybody else while slow clients hold their connections.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablerag.tools.access.requests import refusal
from tablerag.tools.settings import get_settings

__all__ = ["Patience", "limited_heads"]

KEEP_ALIVE_S = 75
"""Seconds for which an unused connection stays open, as in nginx. uvicorn's 5 s are also those after which httpx uses a
connection no more: a request that was sent just then met a connection that the server was closing."""
BYTES_PER_S = 5_000
"""The slowest that a long body may come."""


class Patience:
    """Middleware that answers 408 to a body that takes longer than the time limit and its length allow, or that stops.

    No part may be later than the time limit.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(scope, receive, send)
        try:
            await self._app(scope, body.receive, body.send)
        except Exception:
            if not body.refused:
                raise  # else the app says no more than that its client left


class _Body:
    """The body of one request, which ends with a response if it comes too slowly."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.refused = False
        self._scope, self._receive, self._send = scope, receive, send
        self._most_s, self._more, self._answered = get_settings().request_timeout_s, True, False
        self._left_s = self._most_s

    async def receive(self) -> Message:
        """Return the next part; a part that is late is answered, and the app is told that its client left."""
        if not self._more:  # the app now waits for the client to leave
            return await self._receive()
        begun = time.monotonic()
        try:
            # What came fast must not let the rest take hours.
            async with asyncio.timeout(min(self._left_s, self._most_s)):
                message = await self._receive()
        except TimeoutError:
            await self._refuse()
            return {"type": "http.disconnect"}
        # Only waiting for the client counts, not what the server does between two parts.
        self._left_s += len(message.get("body", b"")) / BYTES_PER_S - (time.monotonic() - begun)
        self._more = message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Send a message of the app, unless the request has been refused."""
        if not self.refused:
            self._answered = True
            await self._send(message)

    async def _refuse(self) -> None:
        self._more, self.refused = False, not self._answered
        if self.refused:
            says = "the request came too slowly: send it again over a faster connection"
            await refusal(says, 408, {"Connection": "close"})(self._scope, self._receive, self._send)


@contextmanager
def limited_heads() -> Iterator[None]:
    """Close connections whose request head takes longer than the time limit, or whose body stays after the response.

    A middleware sees a request only when its head is complete.
    """
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Connection
    except ImportError:  # uvicorn then parses with h11
        yield
        return
    seconds, timers = get_settings().request_timeout_s, dict[Any, asyncio.TimerHandle]()

    def wait(connection: Any) -> None:
        if connection not in timers:
            timers[connection] = connection.loop.call_later(seconds, connection.transport.close)

    def begin(connection: Any) -> None:
        connection.timeout_keep_alive = KEEP_ALIVE_S
        wait(connection)

    def stop(connection: Any) -> None:
        if timer := timers.pop(connection, None):
            timer.cancel()

    def wait_for_rest(connection: Any) -> None:
        if connection.cycle.more_body:
            wait(connection)

    then = {
        "connection_made": begin,
        "on_message_begin": wait,
        "on_headers_complete": stop,
        "on_response_complete": wait_for_rest,
        "on_message_complete": stop,
        "connection_lost": stop,
    }
    before = {name: getattr(Connection, name) for name in then}
    for name, step in then.items():
        setattr(Connection, name, _followed(before[name], step))
    try:
        yield
    finally:
        for name, method in before.items():
            setattr(Connection, name, method)


def _followed(method: Callable[..., None], step: Callable[[Any], None]) -> Callable[..., None]:
    @wraps(method)
    def both(self: Any, *args: Any) -> None:
        method(self, *args)
        step(self)

    return both
