"""Security headers of every response below /app: own resources only, nothing inline, no other origins."""

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HEADERS", "OwnHeaders"]

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' blob:",  # a chart that is saved as PNG
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    # Scripts cannot turn strings into HTML: document content enters the page as text only.
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}
HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class OwnHeaders:
    """Middleware that adds the headers below /app, and removes the server's CORS headers, which allow all origins."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        if scope["type"] != "http" or not (path == "/app" or path.startswith("/app/")):
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name in [n for n in headers if n.startswith("access-control-")]:
                    del headers[name]
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        if scope["method"] == "OPTIONS":
            refusal = JSONResponse({"error": "these routes are not available to other origins"}, 403)
            await refusal(scope, receive, with_headers)
            return
        if "\n" in path:  # which no route matches, so that the server's own would be asked
            await JSONResponse({"error": "invalid path: remove the line break"}, 404)(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)
