"""Keeps API keys apart on Aegra 0.6, whose routes take from a client what only the server may say.

A run's configuration may name another thread or user there, a run may be started in anybody's thread, and the store's
namespaces are everybody's.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablerag.tools.access.corpora import OWNER_OF_REQUEST
from tablerag.tools.access.requests import is_under, refusal
from tablerag.tools.settings import get_settings

__all__ = ["Guard"]

MOST_BYTES = 10_000_000
RUNS_OF_THREAD = re.compile(r"^/threads/([^/]+)/runs(/(stream|wait))?/?$")
THREADS = "/threads"
STORE = "/store"
READING = ("GET", "HEAD", "OPTIONS")
OWN_ROUTES = "/app"
OF_SERVER = re.compile(
    r"^(thread_id|run_id|user_id|user_display_name|checkpoint_ns|assistant_id|graph_id)$|^_|^langgraph"
)
"""Fields of a configuration that the server sets, or should."""


class Guard:
    """Middleware that refuses such requests where keys are needed; without keys all callers are the same."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or answer 400, 401, 403, 404 or 413."""
        path, has_keys = str(scope.get("path", "")), bool(get_settings().api_keys)
        is_read = scope["type"] != "http" or scope["method"] in READING
        is_checked = has_keys and not is_under(path, OWN_ROUTES)
        if scope["type"] == "http" and has_keys and is_under(path, STORE):
            says = "the store does not keep API keys apart on this server, so it is closed"
            await refusal(says, 403)(scope, receive, send)
        elif is_checked and not is_read and not OWNER_OF_REQUEST.get():
            says = "missing or unknown API key: send X-Api-Key or Authorization: Bearer"
            await refusal(says, 401)(scope, receive, send)
        elif not is_read and (is_checked or RUNS_OF_THREAD.match(path)):
            await self._changing(path, scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _changing(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        body, keys = await _body(receive), get_settings().api_keys
        if body is None:
            await refusal(f"request too large: send at most {MOST_BYTES // 1_000_000} MB", 413)(scope, receive, send)
            return
        run = RUNS_OF_THREAD.match(path)
        given = _parsed(body)
        if keys and (says := _reserved(given, run[1] if run else "")):
            await refusal(says, 400)(scope, receive, send)
        elif keys and path == THREADS and not await _is_mine(str(given.get("thread_id"))):
            await refusal("a thread of this id exists: leave thread_id out", 409)(scope, receive, send)
        elif keys and run and not await _is_mine(run[1]):
            await refusal("unknown thread: create it first", 404)(scope, receive, send)
        else:
            await self._app(scope, _again(_with_metadata(given, body) if run else body, receive), send)


async def _body(receive: Receive) -> bytes | None:
    """Return the whole body; None if it is too large."""
    parts, size = [], 0
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BYTES:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return what gives the body, and then what comes after it."""
    left = [body]

    async def given() -> Message:
        return {"type": "http.request", "body": left.pop(), "more_body": False} if left else await receive()

    return given


def _parsed(body: bytes) -> dict[str, Any]:
    """Return the object in a body; an empty one for another body, which its route refuses."""
    try:
        given = json.loads(body) if body else {}
    except ValueError:
        return {}
    return given if isinstance(given, dict) else {}


def _with_metadata(given: dict[str, Any], body: bytes) -> bytes:
    """Return a run's body with its metadata where Aegra keeps it, and LangGraph notes it with each step."""
    config, metadata = given.get("config") or {}, given.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(config, dict):
        return body
    return json.dumps(given | {"config": config | {"metadata": metadata | (config.get("metadata") or {})}}).encode()


def _reserved(given: Mapping[str, Any], thread: str) -> str:
    """Return why a body is refused; "" if it is not."""
    for place, fields in _configurations(given):
        for name, value in fields.items():
            own = (name == "thread_id" and value == thread) or (name == "checkpoint_ns" and not value)
            if OF_SERVER.search(name) and not own:
                return f"{place} may not set {name[:60]!r}: the server sets it"
    return ""


def _configurations(given: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the parts of a body that become a run's configuration, each with its place."""
    config = given.get("config")
    for place, found in (
        ("config.configurable", config.get("configurable") if isinstance(config, dict) else None),
        ("context", given.get("context")),
        ("checkpoint", given.get("checkpoint")),
        ("config", config),
    ):
        if isinstance(found, dict):
            yield place, found


async def _is_mine(thread: str) -> bool:
    """Return whether a thread is that of the request's key, or new."""
    from aegra_api.core.orm import Thread, _get_session_maker
    from sqlalchemy import select

    async with _get_session_maker()() as session:
        whose = await session.scalar(select(Thread.user_id).where(Thread.thread_id == thread))
    return whose in (None, OWNER_OF_REQUEST.get())
