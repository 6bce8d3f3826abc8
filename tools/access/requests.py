"""Checks on HTTP requests: which machine they come from, which site's page sent them, and the corpus they name."""

from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tablerag.tools.access.api_keys import key_in
from tablerag.tools.access.corpora import OWNER_OF_REQUEST, known_corpora, new_corpus
from tablerag.tools.access.origins import is_foreign_site, is_loopback
from tablerag.tools.services import Services, get_services
from tablerag.tools.settings import get_settings

__all__ = ["Gate", "corpus_of", "is_under", "new_corpus_of", "owner_of", "refusal", "refuse_foreign_origin"]

SHOWN_CHARS = 60
HEALTH = "/ok"
INTERNAL = "/internal"
UNGUARDED = (INTERNAL, "/deploy", "/ui")
"""The development server answers these without a key; the first two read and delete every thread."""
FORWARDED = frozenset(
    (
        b"forwarded",
        b"via",
        b"x-real-ip",
        b"x-client-ip",
        b"x-cluster-client-ip",
        b"cf-connecting-ip",
        b"fly-client-ip",
        b"true-client-ip",
    )
)
FORWARDED_BEGINS = b"x-forwarded-"
"""Headers of proxies and tunnels, whose clients are elsewhere although their connections come from this machine."""


class Gate:
    """Middleware in front of everything, including the server's own routes.

    Without API keys it lets this machine in only. With keys it closes the routes that do not check them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or answer 403 with the reason; refused websockets are closed."""
        says = _reason(scope) if scope["type"] in ("http", "websocket") else ""
        if not says:
            _note_owner(scope)
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": says})
        else:
            await refusal(says, 403)(scope, receive, send)


def refusal(says: str, status: int, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return a middleware's refusal; the server's own errors have ``detail``, those of the page's routes ``error``."""
    return JSONResponse({"detail": says, "error": says}, status, headers)


def owner_of(request: Request) -> str:
    """Return the owner name of the request's API key, "" if none is needed; 401 for a missing or unknown key."""
    keys = get_settings().api_keys
    owner = keys.owner_of(key_in(request.headers))
    if keys and not owner:
        raise HTTPException(401, "this server requires an API key: enter yours in Settings")
    return owner


def services_of(request: Request) -> Services:
    """Return the services as the request's API key may see them."""
    from tablerag.tools.access.restricted import services_for

    return services_for(get_services(), owner_of(request) or None)


def corpus_of(request: Request, services: Services) -> str:
    """Return the corpus in ``?corpus=``, else the default one; 404 for one that does not exist or is not the key's."""
    corpus = request.query_params.get("corpus") or services.settings.corpus
    # A corpus of another key is reported like one that does not exist.
    if corpus not in known_corpora(services.settings, services.catalog, owner_of(request)):
        raise HTTPException(404, f"unknown corpus {corpus[:SHOWN_CHARS]!r}: choose one of /app/api/corpora")
    return corpus


def new_corpus_of(request: Request, services: Services) -> str:
    """Return the corpus to write to, which need not exist yet.

    Raises AccessDenied if it is not the key's, and ConfigError if its name is invalid.
    """
    corpus = request.query_params.get("corpus") or services.settings.corpus
    services.settings.api_keys.require(owner_of(request), corpus)
    return new_corpus(corpus, services.settings, services.catalog)


def refuse_foreign_origin(request: Request) -> None:
    """Raise 403 for a request from another site's page. Browsers name the site; other clients need not."""
    origin = request.headers.get("origin")
    own = request.headers.get("host", "")
    if (origin is not None and _split(origin).netloc != own) or is_foreign_site(request.headers):
        raise HTTPException(403, f"requests from {origin or 'other sites'} are not allowed: use {own}/app/")


def _note_owner(scope: Scope) -> None:
    """Note whose key a request has, for what it starts; each request is answered in a context of its own."""
    keys = get_settings().api_keys
    if keys and scope["type"] in ("http", "websocket"):
        OWNER_OF_REQUEST.set(keys.owner_of(key_in(HTTPConnection(scope).headers)))


def _reason(scope: Scope) -> str:
    path = scope["path"]
    if get_settings().api_keys:
        closed = any(is_under(path, p) for p in UNGUARDED)
        return "this route does not check API keys, so it is closed on a server that requires them" if closed else ""
    if is_under(path, INTERNAL):
        return "the development server's own route is closed: it reads and deletes every thread"
    connection = HTTPConnection(scope)
    client = connection.client.host if connection.client else ""  # a connection over a Unix socket has no address
    is_local = (not client or is_loopback(client)) and _names_this_machine(connection)
    is_forwarded = any(name in FORWARDED or name.startswith(FORWARDED_BEGINS) for name, _ in scope["headers"])
    if path == HEALTH or (is_local and not is_forwarded):
        return ""
    return "without API keys this server accepts local connections only: set TABLERAG_API_KEYS to allow others"


def is_under(path: str, root: str) -> bool:
    """Return whether a path is a route or below it."""
    return path == root or path.startswith(f"{root}/")


def _names_this_machine(connection: HTTPConnection) -> bool:
    """Return whether the Host header is local: another site's page can make its own name resolve to this machine."""
    host = connection.headers.get("host", "")
    name = _split(f"//{host}").hostname or ""
    return is_loopback(name) if host else True


def _split(url: str) -> SplitResult:
    """Return the parts of a URL, all empty for one such as ``http://[``."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")
