"""The routes for saved questions and boards."""

import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.support.graph_server import GraphServer

CORPUS = {"corpus": "kept"}
QUESTION = "How many crates are there?"
SQL = ["SELECT SUM(crates) AS n FROM crates"]
FIRST = b"Place,Crates\nQuay,30\nYard,12\n"


@pytest.fixture(scope="module")
def api(graph_server: GraphServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{graph_server.url}/app/api/", params=CORPUS, timeout=60) as client:
        yield client


@pytest.fixture
def upload(api: httpx.Client) -> Callable[[bytes], None]:
    def uploaded(text: bytes) -> None:
        job = api.post("uploads", files={"files": ("crates.csv", text)}).json()["job"]
        while api.get(f"uploads/{job}").json()["state"] == "running":
            time.sleep(0.05)

    return uploaded


@pytest.fixture
def kept(api: httpx.Client, upload: Callable[[bytes], None]) -> Iterator[str]:
    upload(FIRST)
    item = api.post("saved", json={"question": QUESTION, "sql": SQL}).json()
    assert (item["title"], item["text"]) == (QUESTION, "42")
    yield item["id"]
    api.delete(f"saved/{item['id']}")


def test_a_saved_question_is_run_again_and_says_what_changed(
    api: httpx.Client, upload: Callable[[bytes], None], kept: str
) -> None:
    again = api.post(f"saved/{kept}", json={}).json()
    assert (again["same"], again["now"], again["says"]) == (True, "42", [])
    upload(FIRST + b"Shed,8\n")
    again = api.post(f"saved/{kept}", json={}).json()
    assert (again["same"], again["text"], again["now"]) == (False, "42", "50")
    assert "The result has changed" in again["says"][0] and len(again["says"]) == 1
    assert again["steps"][0]["presented"]["table"]["columns"] == ["Total of Crates"]
    again = api.post(f"saved/{kept}", json={"keep": True}).json()
    assert (again["same"], again["text"], again["says"]) == (True, "50", [])


def test_other_columns_and_lost_tables_are_told(api: httpx.Client, upload: Callable[[bytes], None], kept: str) -> None:
    upload(b"Place,Crates,Owner\nQuay,30,A\nYard,12,B\n")
    again = api.post(f"saved/{kept}", json={}).json()
    assert again["now"] == "42" and "The columns of crates changed: new: owner." in again["says"]
    document = api.get("documents").json()["documents"][0]["id"]
    other = {"files": ("other.csv", b"A,B\n1,2\n")}
    api.post("uploads", files=other)
    while len(api.get("documents").json()["documents"]) < 2:
        time.sleep(0.05)
    while any(j["state"] == "running" for j in api.get("uploads").json()["jobs"]):
        time.sleep(0.05)
    assert api.delete(f"documents/{document}").json() == {"removed": ["crates.csv"]}
    again = api.post(f"saved/{kept}", json={}).json()
    assert (again["now"], again["steps"]) == ("", []) and "No longer in the corpus: crates." in again["says"]


def test_saved_questions_are_listed_renamed_and_deleted(api: httpx.Client, kept: str) -> None:
    assert [s["id"] for s in api.get("saved").json()["saved"]] == [kept]
    assert api.get("saved", params={"corpus": "page"}).json() == {"saved": []}
    assert api.patch(f"saved/{kept}", json={"title": " <b>\u202eCrates 📦 "}).json()["title"] == "<b>\u202eCrates 📦"
    assert api.delete(f"saved/{kept}").status_code == 200
    assert [api.delete(f"saved/{kept}").status_code, api.post(f"saved/{kept}", json={}).status_code] == [404, 404]


def test_boards_keep_their_order(api: httpx.Client, kept: str) -> None:
    second = api.post("saved", json={"question": "Which places?", "sql": ["SELECT place FROM crates"]}).json()["id"]
    board = api.post("boards", json={"title": "Monday", "items": [kept, second]}).json()["id"]
    api.put(f"boards/{board}", json={"title": "Tuesday", "items": [second, kept]})
    (found,) = api.get("boards").json()["boards"]
    assert (found["title"], found["items"]) == ("Tuesday", [second, kept])
    assert api.delete(f"boards/{board}").status_code == 200
    assert api.put(f"boards/{board}", json={"title": "x"}).status_code == 404
    api.delete(f"saved/{second}")


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("saved", {"question": " ", "sql": SQL}, 400, "question"),
        ("saved", {"question": "x", "sql": []}, 400, "sql"),
        ("saved", {"question": "x", "sql": SQL * 6}, 400, "sql"),
        ("saved", {"question": "x", "sql": ["DROP TABLE crates"]}, 422, "only SELECT"),
        ("boards", {"title": ""}, 400, "title"),
        ("boards", {"title": "x", "items": ["../x"]}, 400, "items"),
    ],
)
def test_what_cannot_be_saved_is_refused(api: httpx.Client, path: str, body: dict, status: int, says: str) -> None:
    reply = api.post(path, json=body)
    assert (reply.status_code, says in reply.json()["error"]) == (status, True), reply.text


def test_other_sites_save_nothing(api: httpx.Client, kept: str) -> None:
    evil = {"headers": {"origin": "https://evil.example"}}
    sent = [("POST", "saved"), ("POST", f"saved/{kept}"), ("PATCH", f"saved/{kept}"), ("DELETE", f"saved/{kept}")]
    sent += [("POST", "boards"), ("PUT", "boards/x"), ("DELETE", "boards/x")]
    assert {api.request(method, path, json={}, **evil).status_code for method, path in sent} == {403}
