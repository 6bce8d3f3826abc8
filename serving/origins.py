"""Lets scripts of chosen web pages call the server, and of no others: checks Origin, and answers CORS for it."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablerag.tools.access.origins import is_allowed_origin, is_foreign_site
from tablerag.tools.access.requests import refusal
from tablerag.tools.settings import get_settings

__all__ = ["Origins"]

READING = ("GET", "HEAD")
PREFLIGHT = "OPTIONS"
ALLOW_ORIGIN = "access-control-allow-origin"
CORS = "access-control-"
UPLOADS = "/app/api/uploads"
JSON, FORM = "application/json", "multipart/form-data"
SHOWN_CHARS = 100


class Origins:
    """Middleware in front of the server's own CORS middleware, which allows every origin.

    Requests without an Origin header do not come from a script of another site's page; they pass unchanged, unless
    they change something and the browser says by Sec-Fetch-Site that another site's page sent them. Of other
    origins it forwards only what reads, and removes the headers without which a browser withholds the response.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or answer 403 (origin) or 415 (content type); websockets of other origins are closed."""
        headers = Headers(scope=scope) if scope["type"] in ("http", "websocket") else Headers()
        origin = headers.get("origin")
        if origin is None:
            if is_foreign_site(headers) and scope.get("method") not in READING:
                await refusal("requests from other sites' pages are not allowed", 403)(scope, receive, send)
            else:
                await self._app(scope, receive, send)
            return
        allowed = is_allowed_origin(origin, headers.get("host", ""), get_settings().allowed_origins)
        if scope["type"] == "websocket":
            if allowed:
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": _refusal(origin)[:SHOWN_CHARS]})
            return

        async def for_origin(message: Message) -> None:
            if message["type"] == "http.response.start":
                _answer_cors(MutableHeaders(scope=message), origin if allowed else "")
            await send(message)

        if not allowed and scope["method"] not in READING:
            await refusal(_refusal(origin), 403)(scope, receive, for_origin)
        elif scope["method"] not in (*READING, PREFLIGHT) and not _is_typed(headers, scope):
            expected = f"{JSON} or {FORM}" if _is_upload(scope) else JSON
            await refusal(f"content type must be {expected}: set the Content-Type header", 415)(
                scope, receive, for_origin
            )
        else:
            await self._app(scope, receive, for_origin)


def _answer_cors(headers: MutableHeaders, origin: str) -> None:
    """Name the allowed origin where the server would allow any; without one, remove all CORS headers."""
    if ALLOW_ORIGIN in headers and origin:
        headers[ALLOW_ORIGIN] = origin
    elif not origin:
        for name in [n for n in headers if n.startswith(CORS)]:
            del headers[name]
    # A cache must not give one origin's response to another.
    headers.add_vary_header("Origin")


def _is_typed(headers: Headers, scope: Scope) -> bool:
    """Return whether the body, if any, has a type that a form of another site cannot send without asking first.

    Uploads are forms: their route takes them from the server's own origin only.
    """
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if not kind:
        return headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    is_json = kind == JSON or (kind.startswith("application/") and kind.endswith("+json"))
    return is_json or (kind == FORM and _is_upload(scope))


def _is_upload(scope: Scope) -> bool:
    return str(scope["path"]).removeprefix(scope.get("root_path", "")) == UPLOADS


def _refusal(origin: str) -> str:
    shown = origin[:SHOWN_CHARS]
    return f"requests from pages of {shown} are not allowed: add the origin to TABLERAG_ALLOWED_ORIGINS to allow them"
