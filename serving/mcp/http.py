"""The MCP tools over HTTP: a Streamable HTTP endpoint beside the page's routes, with their checks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tablerag.serving.bodies import MOST_BYTES
from tablerag.tools.access.requests import owner_of, refuse_foreign_origin, services_of
from tablerag.tools.settings import get_settings

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from tablerag.serving.mcp.tools import Caller

__all__ = ["MCP_ROUTE", "mcp_endpoint"]


NO_KEY = "missing or unknown API key: send yours as X-Api-Key, or as Authorization: Bearer"


class Endpoint:
    """The endpoint: each request is one call, on its own and with its own API key; there are no sessions."""

    def __init__(self) -> None:
        self._manager: StreamableHTTPSessionManager | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; 401 without a known key, 403 for other sites' pages, 501 without the package mcp."""
        request = Request(scope, receive)
        refuse_foreign_origin(request)
        try:
            owner_of(request)
        except HTTPException as error:  # whose advice is for people at the page
            raise HTTPException(error.status_code, NO_KEY) from None
        if self._manager is None:
            raise HTTPException(501, 'this server has no MCP tools: pip install "tablerag[mcp]" and start it again')
        await self._manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer requests, if the package mcp is installed, until the context ends."""
        if find_spec("mcp") is None:
            yield
            return
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from tablerag.serving.mcp.server import make_server

        server = make_server(_caller_of, most_waiting=get_settings().max_waiting_runs)
        manager = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=MOST_BYTES)
        async with manager.run():
            self._manager = manager
            try:
                yield
            finally:
                self._manager = None


def _caller_of(request: Request) -> "Caller":
    from tablerag.serving.mcp.tools import Caller

    return Caller(services_of(request), owner_of(request) if get_settings().api_keys else None)


mcp_endpoint = Endpoint()
MCP_ROUTE = Route("/mcp", mcp_endpoint, methods=["POST"], include_in_schema=False)
