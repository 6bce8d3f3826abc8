"""What a running server answers to hostile requests. It keeps nothing of them and starts no run.

Runs that fill its queue are to start an hour later, and are deleted before.
"""

import re
import select
import socket
import ssl
import time
from contextlib import ExitStack
from functools import cache
from typing import Any

import httpx

from tablerag.cli.security.deployment import Deployment, Skipped
from tablerag.tools.access.origins import is_loopback
from tablerag.tools.errors import StoreUnavailable

__all__ = ["full_queue", "health", "keys", "open_routes", "origins", "overload", "slow"]

EVIL = "https://evil.example"
ELSEWHERE = {"X-Forwarded-For": "203.0.113.9"}
"""Of another machine, as a proxy names it."""
PATIENCE_S = 10.0
GRACE_S = 10.0
"""Over the time limit, on a machine with much to do; only a server without limit makes this wait."""
AT_ONCE = 5
"""One upload more than a client may send at the same time."""
DESCRIPTIONS = ("/openapi.json", "/app/api/openapi.json")
HEALTH = ("/health", "/live", "/ok", "/ready")
OPEN = ("/", "/app/", "/docs", "/info", "/metrics", *HEALTH, *DESCRIPTIONS)
"""What anybody may ask for: it tells nothing of documents, threads and keys."""
HIDDEN = ("/deploy", "/internal/truncate", "/ui/tablerag")
"""Routes of the server that no description names."""
NOBODY = "00000000-0000-0000-0000-000000000000"
MOST_RUNS = 200
LATER_S = 3600
"""Runs that wait until then do nothing."""
FORM = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'


def slow(deployment: Deployment) -> str:
    """Say that a request's head may take as long as it likes."""
    most = deployment.services.settings.request_timeout_s + GRACE_S
    with _connected(deployment) as connection:
        connection.sendall(b"GET /ok HTTP/1.1\r\nHost: ")
        connection.settimeout(most)
        begun = time.monotonic()
        try:
            connection.recv(1000)  # b"" when the server has closed it
        except TimeoutError:
            return f"the connection is still open after {time.monotonic() - begun:.0f} s"
        except OSError:
            pass
    return ""


def health(deployment: Deployment) -> str:
    """Return what is wrong with the server's health."""
    reply = _asked(deployment, "GET", "/ok")
    return "" if reply.status_code == 200 else f"/ok returns {reply.status_code}"


def origins(deployment: Deployment) -> str:
    """Say what another site's page may do, or a form of one."""
    foreign = {"Origin": EVIL} | _key(deployment)
    own = {"Origin": f"{deployment.place.scheme}://{deployment.place.netloc}"} | _key(deployment)
    if _asked(deployment, "POST", "/threads/search", headers=foreign, json={}).status_code != 403:
        return f"a page of {EVIL} may send requests"
    if "access-control-allow-origin" in _asked(deployment, "GET", "/info", headers=foreign).headers:
        return f"a page of {EVIL} may read responses"
    unnamed = {"Sec-Fetch-Site": "cross-site"} | _key(deployment)
    if _asked(deployment, "POST", "/threads/search", headers=unnamed, json={}).status_code != 403:
        return "a page of another site may send requests without an Origin header"
    form = own | {"Content-Type": "text/plain"}
    if _asked(deployment, "POST", "/threads/search", headers=form, content=b"{}").status_code != 415:
        return "a form of a page may send JSON as text/plain"
    return ""


def keys(deployment: Deployment) -> str:
    """Say what is open to another machine without a key, and with a wrong one."""
    for given in ({}, {"X-Api-Key": "not-a-key"}):
        for path in ("/app/api/corpora", "/threads/search"):
            method = "POST" if path.startswith("/threads") else "GET"
            reply = _asked(deployment, method, path, headers=ELSEWHERE | given, json={} if method == "POST" else None)
            if reply.status_code not in (401, 403):
                return f"{path} returns {reply.status_code} without a valid key"
    if is_loopback(deployment.place.hostname or ""):
        return ""
    status = _asked(deployment, "GET", "/app/api/corpora").status_code
    return (
        "" if status in (401, 403) else f"/app/api/corpora returns {status} without a key at {deployment.place.netloc}"
    )


def open_routes(deployment: Deployment) -> str:
    """Name a route that answers without a key although the server has keys. The body sent is broken JSON."""
    if _asked(deployment, "POST", "/threads/search", json={}).status_code not in (401, 403):
        raise Skipped("the server has no API keys")
    routes: dict[str, dict[str, Any]] = {}
    for at in DESCRIPTIONS:
        reply = _asked(deployment, "GET", at)
        if reply.status_code != 200:
            raise Skipped(f"{at} returns {reply.status_code}")
        routes |= reply.json().get("paths", {})
    routes |= {path: {"get": {}, "post": {}} for path in HIDDEN}
    for path, methods in routes.items():
        asked = re.sub(r"\{[^}]*\}", NOBODY, path)
        for method in sorted({m.upper() for m in methods} & {"GET", "POST", "PUT", "PATCH", "DELETE"}):
            content = None if method == "GET" else b"{"
            reply = _asked(deployment, method, asked, content=content, headers={"Content-Type": "application/json"})
            if reply.status_code not in (401, 403, 404, 405) and path not in OPEN:
                return f"{method} {path} returns {reply.status_code} without a key"
    return ""


def full_queue(deployment: Deployment) -> str:
    """Say how a run is answered while as many wait as may. Raises Skipped where that would be in somebody's way."""
    most, headers = deployment.services.settings.max_waiting_runs, _key(deployment)
    if most > MOST_RUNS:
        raise Skipped(f"TABLERAG_MAX_WAITING_RUNS is {most}: only up to {MOST_RUNS} runs are tried")
    begun = _asked(deployment, "POST", "/threads", headers=headers, json={})
    if begun.status_code != 200:
        raise Skipped("give an API key of the server with --key")
    thread = f"/threads/{begun.json()['thread_id']}"
    run = {"assistant_id": "tablerag", "input": {"question": "?"}, "after_seconds": LATER_S}
    try:
        busy = _asked(deployment, "POST", "/threads/search", headers=headers, json={"status": "busy"})
        if any(t["thread_id"] != begun.json()["thread_id"] for t in busy.json()):
            raise Skipped("runs are in progress, which must not be refused: try again later")
        for _ in range(most + 1):
            reply = _asked(
                deployment, "POST", f"{thread}/runs", headers=headers, json=run | {"multitask_strategy": "enqueue"}
            )
            if reply.status_code != 200:
                break
    finally:
        _asked(deployment, "DELETE", thread, headers=headers)
    if reply.status_code == 200:
        return f"the server lets {most + 1} runs wait, TABLERAG_MAX_WAITING_RUNS is {most}"
    is_refused = reply.status_code in (429, 503) and "retry-after" in reply.headers
    return "" if is_refused else f"one run too many returns {reply.status_code}"


def overload(deployment: Deployment) -> str:
    """Say how one upload too many is answered, if not with 429 or 503 and Retry-After."""
    lines = ["POST /app/api/uploads HTTP/1.1", f"Host: {deployment.place.netloc}", "Content-Length: 9000"]
    lines += ["Content-Type: multipart/form-data; boundary=b", *(f"{n}: {v}" for n, v in _key(deployment).items())]
    head = "\r\n".join(lines).encode() + b"\r\n\r\n" + FORM
    with ExitStack() as opened:
        connections = [opened.enter_context(_connected(deployment)) for _ in range(AT_ONCE)]
        for connection in connections:
            connection.sendall(head)
        # The server may begin with them in any order: one of them is answered.
        refused, _, _ = select.select(connections, [], [], PATIENCE_S)
        if not refused:
            return f"the server accepts {AT_ONCE} uploads of one client at once"
        reply = refused[0].recv(4000).decode("latin-1").lower()
    status = reply.split(" ")[1] if " " in reply else "no status"
    if status in ("401", "403"):
        raise Skipped("give an API key of the server with --key")
    return "" if status in ("429", "503") and "retry-after:" in reply else f"one upload too many returns {status}"


def _key(deployment: Deployment) -> dict[str, str]:
    return {"X-Api-Key": deployment.key} if deployment.key else {}


def _asked(deployment: Deployment, method: str, path: str, **more: Any) -> httpx.Response:
    place = deployment.place
    try:
        url = f"{place.scheme}://{place.netloc}{place.path.rstrip('/')}{path}"
        return httpx.request(method, url, timeout=PATIENCE_S, verify=_certificates(), **more)
    except httpx.HTTPError as error:
        raise StoreUnavailable(_away(deployment, error)) from None


@cache
def _certificates() -> ssl.SSLContext:
    """Read the certificates of authorities once: it takes longer than a request, and there are hundreds."""
    return httpx.create_ssl_context()


def _connected(deployment: Deployment) -> socket.socket:
    place = deployment.place
    host, port = place.hostname or "", place.port or (443 if place.scheme == "https" else 80)
    try:
        connection = socket.create_connection((host, port), PATIENCE_S)
        if place.scheme == "https":
            return ssl.create_default_context().wrap_socket(connection, server_hostname=host)
    except OSError as error:
        raise StoreUnavailable(_away(deployment, error)) from None
    return connection


def _away(deployment: Deployment, error: Exception) -> str:
    return f"the server at {deployment.place.netloc} does not answer ({error}): start it, or check --server"
