"""The middleware over an application of its own: named origins, and websockets."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from tablerag.serving import origins
from tablerag.serving.origins import Origins
from tablerag.tools.settings import Settings

CHAT = "https://chat.example.com"


async def talk(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("in")
    await socket.close()


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    monkeypatch.setattr(origins, "get_settings", lambda: Settings(allowed_origins=CHAT, _env_file=None))
    routes = [
        Route("/", lambda request: PlainTextResponse("in"), methods=["GET", "POST"]),
        WebSocketRoute("/talk", talk),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(Origins), Middleware(CORSMiddleware, allow_origins=["*"])])
    return TestClient(app)


@pytest.mark.parametrize(("origin", "status"), [(CHAT, 200), ("https://other.example.com", 403)])
def test_an_origin_of_the_settings_is_allowed(client: TestClient, origin: str, status: int) -> None:
    response = client.post("/", headers={"Origin": origin}, json={})
    assert response.status_code == status
    assert response.headers.get("access-control-allow-origin") == (origin if status == 200 else None)


@pytest.mark.parametrize(
    ("method", "site", "status"),
    [
        ("POST", "cross-site", 403),
        ("POST", "same-site", 403),
        ("POST", "another-site", 403),
        ("POST", "same-origin", 200),
        ("POST", "none", 200),
        ("POST", "", 200),  # of a program
        ("GET", "cross-site", 200),
    ],
)
def test_a_browser_that_names_no_origin_may_not_change_anything_for_another_site(
    client: TestClient, method: str, site: str, status: int
) -> None:
    assert client.request(method, "/", headers={"Sec-Fetch-Site": site} if site else {}).status_code == status


def test_a_websocket_of_another_origin_is_closed(client: TestClient) -> None:
    with client.websocket_connect("/talk", headers={"Origin": CHAT}) as socket:
        assert socket.receive_text() == "in"
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/talk", headers={"Origin": "https://evil.example"}),
    ):
        pass
