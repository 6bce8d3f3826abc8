"""What is refused before the server sees it, by where a request comes from and where it goes."""

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from tablerag.tools.access import requests
from tablerag.tools.access.requests import Gate
from tablerag.tools.settings import Settings


def answer(request: Request) -> PlainTextResponse:
    return PlainTextResponse("in")


async def talk(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("in")
    await socket.close()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch):
    """Return a function that sends a request from an address to a path, with or without keys in the settings."""

    def ask(host: str, path: str, keys: str = "", named: str = "127.0.0.1:2024", **headers: str) -> tuple[int, str]:
        monkeypatch.setattr(requests, "get_settings", lambda: Settings(api_keys=keys, _env_file=None))
        app = Gate(Starlette(routes=[Route("/{rest:path}", answer)]))
        response = TestClient(app, client=(host, 5000)).get(path, headers={"host": named, **headers})
        return response.status_code, response.text

    return ask


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "::1"])
def test_this_machine_needs_no_key(asked, host: str) -> None:
    assert asked(host, "/threads/search") == (200, "in")


@pytest.mark.parametrize(
    ("named", "status"),
    [
        ("localhost:2024", 200),
        ("[::1]:2024", 200),
        ("app.localhost", 200),
        ("evil.example:2024", 403),
        ("192.0.2.7", 403),
    ],
)
def test_a_name_that_leads_here_from_elsewhere_is_refused_where_there_are_no_keys(
    asked, named: str, status: int
) -> None:
    assert asked("127.0.0.1", "/threads/search", named=named)[0] == status
    assert asked("127.0.0.1", "/threads/search", '{"k": ["*"]}', named=named)[0] == 200


@pytest.mark.parametrize("host", ["192.0.2.7", "10.0.0.1", "::ffff:192.0.2.7", "2001:db8::1", "somewhere"])
def test_other_machines_are_refused_where_there_are_no_keys(asked, host: str) -> None:
    status, says = asked(host, "/threads/search")
    assert (status, "set TABLERAG_API_KEYS" in says) == (403, True)
    assert asked(host, "/ok") == (200, "in")
    assert asked(host, "/threads/search", '{"k": ["*"]}') == (200, "in")


@pytest.mark.parametrize(
    "header",
    ["X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Via", "X-Real-IP", "CF-Connecting-IP", "Fly-Client-IP"],
)
def test_a_proxy_on_this_machine_is_refused_where_there_are_no_keys(asked, header: str) -> None:
    status, says = asked("127.0.0.1", "/threads/search", **{header: "192.0.2.7"})
    assert (status, "set TABLERAG_API_KEYS" in says) == (403, True)
    assert asked("127.0.0.1", "/ok", **{header: "192.0.2.7"}) == (200, "in")
    assert asked("127.0.0.1", "/threads/search", '{"k": ["*"]}', **{header: "192.0.2.7"}) == (200, "in")


@pytest.mark.parametrize(
    ("path", "with_keys", "without"),
    [
        ("/internal/truncate", 403, 403),
        ("/internal", 403, 403),
        ("/internally", 200, 200),
        ("/deploy", 403, 200),
        ("/deploy/1/stream", 403, 200),
        ("/deployments", 200, 200),
        ("/ui/tablerag", 403, 200),
    ],
)
def test_routes_that_know_no_keys_are_closed_where_there_are_keys(
    asked, path: str, with_keys: int, without: int
) -> None:
    assert asked("127.0.0.1", path, '{"k": ["*"]}')[0] == with_keys
    assert asked("127.0.0.1", path)[0] == without


def test_a_websocket_from_elsewhere_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "get_settings", lambda: Settings(_env_file=None))
    app = Gate(Starlette(routes=[WebSocketRoute("/", talk)]))
    with TestClient(app, client=("127.0.0.1", 1)).websocket_connect("/", headers={"host": "localhost"}) as socket:
        assert socket.receive_text() == "in"
    with pytest.raises(WebSocketDisconnect), TestClient(app, client=("192.0.2.7", 1)).websocket_connect("/"):
        pass
