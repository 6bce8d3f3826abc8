"""Bodies that come slowly, or stop."""

import asyncio
import time

from pytest import MonkeyPatch
from starlette.types import Message, Receive, Scope, Send

from tablerag.serving import slow_clients
from tablerag.serving.slow_clients import Patience
from tablerag.tools.settings import Settings

HTTP = {"type": "http", "method": "POST", "path": "/", "headers": []}


def test_a_body_that_stops_is_answered_however_much_came_before(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(slow_clients, "get_settings", lambda: Settings(request_timeout_s=0.05, _env_file=None))
    parts: list[Message] = [{"type": "http.request", "body": b"x" * 1_000_000, "more_body": True}]
    sent: list[Message] = []

    async def receive() -> Message:
        return parts.pop() if parts else await asyncio.sleep(60, {})

    async def send(message: Message) -> None:
        sent.append(message)

    async def reads(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    begun = time.monotonic()
    asyncio.run(Patience(reads)(HTTP, receive, send))
    assert sent[0]["status"] == 408
    assert time.monotonic() - begun < 30
