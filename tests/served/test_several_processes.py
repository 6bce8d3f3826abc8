"""Two Aegra processes with homes of their own, behind a proxy, over MariaDB, Chroma and PostgreSQL; and their keys."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tests.support.aegra import AegraProcess, running_aegra, running_proxy

ASKED = {"question": "What is the total amount?"}
SALES = b"Region,Amount\nNorth,1200\nSouth,800\n"
KEYS = {"one-key-5d": ["default"], "two-key-8e": ["other"]}


@pytest.fixture
def pair(
    tmp_path: Path, aegra_database: str, mysql_url: str, chroma_url: str
) -> Iterator[tuple[AegraProcess, AegraProcess]]:
    """Start two processes that share everything but their homes."""
    (tmp_path / "uploads").mkdir()
    shared = {
        "TABLERAG_DATABASE_URL": mysql_url,
        "TABLERAG_CHROMA_URL": chroma_url,
        "TABLERAG_UPLOADS": str(tmp_path / "uploads"),
    }
    with (
        running_aegra(tmp_path / "a", aegra_database, **shared) as a,
        running_aegra(tmp_path / "b", aegra_database, **shared) as b,
    ):
        yield a, b


@pytest.fixture
def client_of() -> Iterator[Callable[..., SyncLangGraphClient]]:
    """Return a function that opens a client of a server, with a connection of its own."""
    with ExitStack() as opened:
        yield lambda url, key=None: opened.enter_context(get_sync_client(url=url, api_key=key))


def uploaded(url: str) -> str:
    """Upload a file; return the id of its ingest."""
    answer = httpx.post(f"{url}/app/api/uploads", files={"files": ("sales.csv", SALES)}, timeout=30)
    return answer.raise_for_status().json()["job"]


def waited(look: Callable[[], dict[str, Any]], state: str, seconds: float = 40) -> dict[str, Any]:
    until = time.monotonic() + seconds
    while (found := look())["state"] != state:
        assert time.monotonic() < until, found
        time.sleep(0.1)
    return found


def check_page(a: str, b: str) -> None:
    """Ask as the page does on one process, and look at it on the other."""
    about = {"client": "page", "title": "Sales", "corpus": "default"}
    thread = httpx.post(f"{a}/threads", json={"metadata": about}, timeout=30).raise_for_status().json()["thread_id"]
    asked = {"assistant_id": "tablerag", "stream_mode": "custom", "input": ASKED, "on_disconnect": "continue"}
    asked |= {"metadata": {"turn": "t1", "question": "What is the total amount?"}}
    with httpx.stream("POST", f"{a}/threads/{thread}/runs/stream", json=asked, timeout=60) as stream:
        lines = stream.iter_lines()
        run = next(json.loads(line[6:])["run_id"] for line in lines if line.startswith("data: "))
        # Followed from the other process while the first one executes it.
        followed = httpx.get(f"{b}/threads/{thread}/runs/{run}/stream", timeout=60).text
        assert "answer" in "".join(lines)
    assert 'event: end\ndata: {"status": "success"}' in followed
    (found,) = httpx.get(f"{b}/threads/{thread}/runs?limit=100", timeout=30).json()
    assert (found["run_id"], found["metadata"]["turn"]) == (run, "t1")
    wanted = {"limit": 1, "metadata": {"run_id": run}}
    (state,) = httpx.post(f"{b}/threads/{thread}/history", json=wanted, timeout=30).json()
    assert state["values"]["answer"] == "2,000"


def test_any_process_serves_any_request(
    pair: tuple[AegraProcess, AegraProcess], client_of: Callable[..., SyncLangGraphClient]
) -> None:
    a, b = pair
    job = uploaded(a.url)
    done = waited(lambda: httpx.get(f"{b.url}/app/api/uploads/{job}", timeout=30).json(), "done")
    assert done["report"]["documents_by_status"] == {"added": 1}
    (document,) = httpx.get(f"{b.url}/app/api/documents", timeout=30).json()["documents"]
    assert httpx.get(f"{b.url}/app/api/files", params={"source": document["source"]}, timeout=30).content == SALES

    check_page(a.url, b.url)
    with running_proxy(a.url, b.url) as url:
        waiting = client_of(a.url).threads.create()["thread_id"]
        client_of(a.url).runs.wait(waiting, "tablerag", input=ASKED, context={"approve_sql": True})
        assert client_of(b.url).threads.get(waiting)["status"] == "interrupted"
        approved = {"resume": {"decisions": [{"type": "approve"}]}}
        answer = client_of(b.url).runs.wait(waiting, "tablerag", command=approved)
        assert (answer["answer"], answer["steps"][0]["approval"]) == ("2,000", "approved")

        talk = client_of(url).threads.create()["thread_id"]
        for question, expected in ((ASKED["question"], "2,000"), ("And for North?", "1,200")):
            client = client_of(url)  # a connection of its own, to the next process
            assert client.runs.wait(talk, "tablerag", input={"question": question})["answer"] == expected
        a.kill()
        survivor = client_of(url)
        assert survivor.runs.wait(talk, "tablerag", input={"question": "And for South?"})["answer"] == "800"
        runs = survivor.runs.list(talk)
        assert [r["status"] for r in runs] == ["success"] * 3


@pytest.fixture
def keyed(tmp_path: Path, aegra_database: str, services: Services) -> Iterator[str]:
    """Start a process that needs keys, over a home with two corpora; return its URL."""
    for corpus in ("default", "other"):
        file = tmp_path / f"{corpus}.csv"
        file.write_bytes(SALES.replace(b"1200", b"1300" if corpus == "other" else b"1200"))
        ingest([file], services, corpus)
    home = {"TABLERAG_HOME": str(services.settings.home), "TABLERAG_API_KEYS": json.dumps(KEYS)}
    with running_aegra(tmp_path / "keyed", aegra_database, **home) as server:
        yield server.url


def test_keys_are_kept_apart(keyed: str, client_of: Callable[..., SyncLangGraphClient]) -> None:
    one, two = (client_of(keyed, key) for key in KEYS)
    mine = one.threads.create()["thread_id"]
    assert one.runs.wait(mine, "tablerag", input=ASKED, context={"corpus": "default"})["answer"] == "2,000"
    theirs = two.threads.create()["thread_id"]
    assert two.runs.wait(theirs, "tablerag", input=ASKED, context={"corpus": "other"})["answer"] == "2,100"

    two.runs.wait(theirs, "tablerag", input=ASKED, context={"corpus": "default"})
    (refused, _) = two.runs.list(theirs)
    assert refused["status"] == "error"
    spoofed = [
        {"config": {"configurable": {"langgraph_auth_user": {"identity": "x"}}}},
        {"config": {"configurable": {"thread_id": mine}}},
        {"checkpoint": {"thread_id": mine}},
        {"context": {"thread_id": mine}},
    ]
    headers = {"x-api-key": list(KEYS)[1]}
    for body in spoofed:
        given = {"assistant_id": "tablerag", "input": ASKED} | body
        answer = httpx.post(f"{keyed}/threads/{theirs}/runs/wait", json=given, headers=headers, timeout=60)
        assert answer.status_code == 400 and "may not set" in answer.json()["error"], body
    for path in ("runs", "runs/wait", "runs/stream"):
        given = {"assistant_id": "tablerag", "input": ASKED}
        answer = httpx.post(f"{keyed}/threads/{mine}/{path}", json=given, headers=headers, timeout=60)
        assert answer.status_code == 404, path
    for path in (f"threads/{mine}", f"threads/{mine}/state", f"threads/{mine}/history"):
        assert httpx.get(f"{keyed}/{path}", headers=headers, timeout=60).status_code == 404, path
    assert httpx.get(f"{keyed}/threads/{mine}/runs", headers=headers, timeout=60).json() == []
    taken = httpx.post(f"{keyed}/threads", json={"thread_id": mine}, headers=headers, timeout=60)
    assert (taken.status_code, "INSERT" in taken.text) == (409, False)
    assert httpx.post(f"{keyed}/store/items/search", json={}, headers=headers, timeout=60).status_code == 403
    assert httpx.post(f"{keyed}/threads", json={}, timeout=60).status_code == 401
    asked = {"name": "ask", "arguments": ASKED | {"corpus": "other"}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
    accepted = {"accept": "application/json, text/event-stream"}
    assert httpx.post(f"{keyed}/app/mcp", json=call, headers=accepted, timeout=60).status_code == 401
    for key, says in zip(KEYS, ("unknown corpus 'other'", '\\"answer\\": \\"2,100\\"'), strict=True):
        told = httpx.post(f"{keyed}/app/mcp", json=call, headers=accepted | {"x-api-key": key}, timeout=60)
        assert says in told.text
    assert {a["graph_id"] for a in two.assistants.search()} == {"tablerag", "hd_rag"}
    assert [t["thread_id"] for t in two.threads.search()] == [theirs]
