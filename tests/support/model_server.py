"""A stand-in for the model: an OpenAI-compatible server on loopback whose thoughts are scripted.

It speaks chat completions with tools and server-sent events; what it says is enqueued by the test, or
made by a responder function from the request.
"""

import json
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

__all__ = ["ModelServer", "Reply", "model_server"]

USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


@dataclass(frozen=True)
class Reply:
    """What the stand-in answers: text, a tool call, an HTTP error, a delay, or something malformed or cut off."""

    text: str | None = None
    tool: str | None = None
    arguments: dict[str, Any] = field(default_factory=dict)
    status: int = 200
    error: str = "scripted error"
    delay_s: float = 0.0
    raw: bytes | None = None
    cut: bool = False
    """Break the connection off in the middle of the reply."""
    endless: str = ""
    """A piece that is sent over and over, until the client hangs up: of the text, or of the raw body."""
    cached: int = 0
    """How many of the tokens of the prompt were cached."""


class ModelServer:
    """Serves scripted replies in order; keeps every request it got."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.responder: Callable[[dict[str, Any]], Reply] | None = None
        self.hung_up = threading.Event()
        """Set when a client hung up before the end of an endless reply."""
        self._queue: deque[Reply] = deque()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL to configure."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def enqueue(self, *replies: Reply | str | dict[str, Any]) -> "ModelServer":
        """Add replies: text, a dict to be sent as JSON text, or a Reply."""
        for reply in replies:
            text = json.dumps(reply) if isinstance(reply, dict) else reply
            self._queue.append(text if isinstance(text, Reply) else Reply(text))
        return self

    def start(self) -> "ModelServer":
        self._thread.start()
        return self

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def forget(self) -> None:
        """Drop what was enqueued and what was heard."""
        self._queue.clear()
        self.requests.clear()
        self.responder = None

    def next_reply(self, body: dict[str, Any]) -> Reply:
        self.requests.append(body)
        if self._queue:
            return self._queue.popleft()
        if self.responder:
            return self.responder(body)
        return Reply(status=418, error="the test enqueued no reply")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: Any) -> None:
                """Say nothing: the test reads ``requests``."""

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                reply = owner.next_reply(body)
                time.sleep(reply.delay_s)
                if reply.endless:
                    self._send_endlessly(body, reply)
                elif reply.raw is not None:
                    self._send(200, "application/json", reply.raw)
                elif reply.status != 200:
                    error = {"error": {"message": reply.error, "type": "scripted"}}
                    self._send(reply.status, "application/json", json.dumps(error).encode())
                elif body.get("stream"):
                    self._send(200, "text/event-stream", b"".join(_events(body, reply)), reply.cut)
                else:
                    self._send(200, "application/json", json.dumps(_completion(body, reply)).encode(), reply.cut)

            def _send_endlessly(self, body: dict[str, Any], reply: Reply) -> None:
                token = {"choices": [{"index": 0, "delta": {"content": reply.endless}, "finish_reason": None}]}
                piece = _event(_base(body) | token) if body.get("stream") else reply.endless.encode()
                self.close_connection = True
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "text/event-stream" if body.get("stream") else "application/json")
                    self.end_headers()
                    while True:
                        self.wfile.write(piece)
                        time.sleep(0.02)
                except (BrokenPipeError, ConnectionResetError):
                    owner.hung_up.set()

            def _send(self, status: int, kind: str, payload: bytes, cut: bool = False) -> None:
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", kind)
                    self.send_header("Content-Length", str(len(payload)))
                    self.end_headers()
                    self.wfile.write(payload[: len(payload) // 2] if cut else payload)
                    self.close_connection = self.close_connection or cut
                except (BrokenPipeError, ConnectionResetError):
                    pass  # the client gave up, as a test of timeouts wants

        return Handler


def _message(reply: Reply) -> dict[str, Any]:
    if reply.tool is None:
        return {"role": "assistant", "content": reply.text}
    function = {"name": reply.tool, "arguments": json.dumps(reply.arguments)}
    return {
        "role": "assistant",
        "content": reply.text,
        "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
    }


def _completion(body: dict[str, Any], reply: Reply) -> dict[str, Any]:
    finish = "tool_calls" if reply.tool else "stop"
    choice = {"index": 0, "message": _message(reply), "finish_reason": finish}
    base = {"id": "c1", "object": "chat.completion", "created": 1, "model": body["model"]}
    return base | {"choices": [choice], "usage": _usage(reply)}


def _usage(reply: Reply) -> dict[str, Any]:
    return USAGE | ({"prompt_tokens_details": {"cached_tokens": reply.cached}} if reply.cached else {})


def _base(body: dict[str, Any]) -> dict[str, Any]:
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}


def _events(body: dict[str, Any], reply: Reply) -> Iterator[bytes]:
    base = _base(body)
    message = _message(reply)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in re.findall(r"\s*\S+|\s+$", reply.text or "")]
    deltas += [{"tool_calls": [{"index": 0, **call}]} for call in message.get("tool_calls", [])]
    for delta in deltas:
        yield _event(base | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    finish = "tool_calls" if reply.tool else "stop"
    yield _event(base | {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    yield _event(base | {"choices": [], "usage": _usage(reply)})
    yield b"data: [DONE]\n\n"


def _event(payload: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(payload)}\n\n".encode()


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A running stand-in, fresh for each test."""
    server = ModelServer().start()
    yield server
    server.stop()
