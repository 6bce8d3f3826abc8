"""What the server's own checks leave open: other machines where there are no keys, and its routes for debugging."""

import ipaddress
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tablerag.tools.settings import get_settings

__all__ = ["Gate"]

HEALTH = "/ok"
UNGUARDED = ("/internal", "/deploy")
"""The development server answers these without asking for a key: they read and delete every thread."""


class Gate:
    """Middleware that refuses requests before anything else sees them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with 403 and the reason; a websocket is closed."""
        refusal = _refusal(scope) if scope["type"] in ("http", "websocket") else ""
        if not refusal:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": refusal})
        else:
            await JSONResponse({"detail": refusal}, 403)(scope, receive, send)


def _refusal(scope: Scope) -> str:
    path = scope["path"]
    if get_settings().api_keys:
        guarded = not any(path == p or path.startswith(f"{p}/") for p in UNGUARDED)
        return "" if guarded else "this route knows no API keys, so it is closed where keys are set"
    connection = HTTPConnection(scope)
    if path == HEALTH or (_is_local(connection) and _names_this_machine(connection.headers.get("host", ""))):
        return ""
    return "this server has no API keys, so it answers its own machine only: set TABLERAG_API_KEYS to open it to others"


def _names_this_machine(host: str) -> bool:
    """Say whether a Host header means this machine: a page of another site may have its own name lead here."""
    name = urlsplit(f"//{host}").hostname or ""
    try:
        return name in ("", "localhost") or name.endswith(".localhost") or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _is_local(connection: HTTPConnection) -> bool:
    """Say whether a request comes from this machine; one over a Unix socket has no address."""
    host = connection.client.host if connection.client else ""
    try:
        return not host or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
