"""What /ok says of a server whose runs wait."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route

from tablerag.serving import health
from tablerag.tools.access.requests import HEALTH

APP = Starlette(
    routes=[Route(HEALTH, lambda request: JSONResponse({"ok": True}))], middleware=[Middleware(health.Health)]
)


async def asked() -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(APP), base_url="http://server") as client:
        return await client.get(HEALTH)


@pytest.mark.parametrize(("stalled", "status"), [(3, 200), (10**6, 503)], ids=["in turn", "never"])
def test_a_free_worker_gets_some_turns_to_take_a_run(
    monkeypatch: pytest.MonkeyPatch, stalled: int, status: int
) -> None:
    """An event loop that is short of processor time has only two turns in a second."""
    looks: Iterator[int] = iter(range(10**6))
    monkeypatch.setattr(health, "SURE_S", 0.01)
    monkeypatch.setattr(health, "is_stalled", lambda: next(looks) < stalled)
    assert asyncio.run(asked()).status_code == status
