"""Scripts of other sites' pages at a served deployment: they may neither start runs nor read answers."""

import httpx
import pytest

from tests.support.graph_server import ALL_KEY, GraphServer

RUN = {"assistant_id": "tablerag", "input": {"question": "What is the total amount?"}}
EVIL = [
    "https://evil.example",
    "null",
    "http://localhost.evil.example:3000",
    "https://smith.langchain.com.evil.example",
]
FRIENDS = ["https://smith.langchain.com", "http://localhost:3000", "http://127.0.0.1:5173"]


def cors_of(response: httpx.Response) -> list[str]:
    return [name for name in response.headers if name.startswith("access-control-")]


def preflight(server: GraphServer, origin: str, path: str = "/runs/wait") -> httpx.Response:
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type,x-api-key"}
    return httpx.options(f"{server.url}{path}", headers={"Origin": origin, **asked})


@pytest.mark.parametrize("origin", EVIL)
def test_another_sites_page_starts_no_run_and_reads_nothing(graph_server: GraphServer, origin: str) -> None:
    asked = preflight(graph_server, origin)
    assert (asked.status_code, cors_of(asked)) == (403, [])
    for path in ("/runs/wait", "/runs/stream", "/threads", "/threads/search", "/mcp", "/store/items/search"):
        response = httpx.post(f"{graph_server.url}{path}", headers={"Origin": origin}, json=RUN)
        assert (response.status_code, cors_of(response)) == (403, []), path
        assert "TABLERAG_ALLOWED_ORIGINS" in response.json()["detail"]
    assert httpx.delete(f"{graph_server.url}/threads/1", headers={"Origin": origin}).status_code == 403
    read = httpx.get(f"{graph_server.url}/info", headers={"Origin": origin})
    assert cors_of(read) == []


@pytest.mark.parametrize("origin", FRIENDS)
def test_studio_and_pages_of_this_machine_ask(graph_server: GraphServer, origin: str) -> None:
    asked = preflight(graph_server, origin)
    assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (200, origin)
    assert {"content-type", "x-api-key"} <= set(
        asked.headers["access-control-allow-headers"].lower().replace(" ", "").split(",")
    )
    response = httpx.post(f"{graph_server.url}/runs/wait", headers={"Origin": origin}, json=RUN, timeout=60)
    assert (response.status_code, response.json()["answer"]) == (200, "2,000")
    assert response.headers["access-control-allow-origin"] == origin
    assert "Origin" in response.headers["vary"]
    assert "content-location" in response.headers["access-control-expose-headers"].lower()


def test_the_servers_own_page_asks(graph_server: GraphServer) -> None:
    own = {"Origin": graph_server.url}
    assert httpx.post(f"{graph_server.url}/runs/wait", headers=own, json=RUN, timeout=60).status_code == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
def test_a_body_that_a_form_could_send_is_refused(graph_server: GraphServer, kind: str) -> None:
    headers = {"Origin": FRIENDS[0]} | ({"Content-Type": kind} if kind else {})
    response = httpx.post(f"{graph_server.url}/runs/wait", headers=headers, content=b'{"assistant_id": "tablerag"}')
    assert (response.status_code, "must be application/json" in response.json()["detail"]) == (415, True)


def test_an_empty_body_needs_no_type(graph_server: GraphServer) -> None:
    thread = httpx.post(f"{graph_server.url}/threads", json={}).json()["thread_id"]
    assert httpx.delete(f"{graph_server.url}/threads/{thread}", headers={"Origin": FRIENDS[1]}).status_code == 204


def test_an_upload_is_a_form_of_the_servers_own_page(graph_server: GraphServer) -> None:
    where, files = f"{graph_server.url}/app/api/uploads", {"files": ("a.csv", b"Item,Pieces\nbolts,30\n")}
    for origin, status in ((graph_server.url, 202), (FRIENDS[1], 403), (EVIL[0], 403)):
        sent = httpx.post(where, params={"corpus": "origins"}, files=files, headers={"Origin": origin})
        assert (sent.status_code, cors_of(sent)) == (status, []), sent.text


def test_clients_without_an_origin_are_served_as_before(graph_server: GraphServer) -> None:
    response = httpx.post(f"{graph_server.url}/runs/wait", json=RUN, timeout=60)
    assert (response.status_code, response.json()["answer"]) == (200, "2,000")


def test_a_key_does_not_open_other_origins(keyed_server: GraphServer) -> None:
    headers = {"X-Api-Key": ALL_KEY, "Origin": EVIL[0]}
    assert httpx.post(f"{keyed_server.url}/threads/search", headers=headers, json={}).status_code == 403
    headers["Origin"] = FRIENDS[1]
    assert httpx.post(f"{keyed_server.url}/threads/search", headers=headers, json={}).status_code == 200
