"""A server that is killed, and started again where it stood."""

import asyncio
import pickle
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path

import httpx
from langgraph_sdk import get_client, get_sync_client

from tests.support.graph_server import CORPORA, GraphServer, amount_of, fill_corpora, running_graph_server

FLUSHED_S = 30.0


def wait_until_flushed(folder: Path) -> None:
    """Wait until the server has written its list of threads: it does so every second here, every 10 s by default."""
    asked = time.time()
    listed = folder / ".langgraph_api" / ".langgraph_ops.pckl"
    deadline = time.monotonic() + FLUSHED_S
    while not listed.exists() or listed.stat().st_mtime < asked:
        assert time.monotonic() < deadline, "the server wrote no list of its threads"
        time.sleep(0.1)


def test_a_killed_server_resumes_a_thread_that_waits(tmp_path: Path) -> None:
    fill_corpora(tmp_path, {"default": CORPORA["default"]})
    asked = {"question": "What is the total amount?"}
    with running_graph_server(tmp_path, eager=True) as server, get_sync_client(url=server.url) as client:
        thread = client.threads.create()["thread_id"]
        client.runs.wait(thread, "tablerag", input=asked, context={"approve_sql": True})
        wait_until_flushed(tmp_path)
        late = client.threads.create()["thread_id"]
        client.runs.wait(late, "tablerag", input=asked, context={"approve_sql": True})
        server.process.kill()
    with running_graph_server(tmp_path, eager=True) as server, get_sync_client(url=server.url) as client:
        assert client.threads.get(thread)["status"] == "interrupted"
        decided = {"resume": {"decisions": [{"type": "approve"}]}}
        result = client.runs.wait(thread, "tablerag", command=decided)
        assert (result["answer"], result["steps"][0]["approval"]) == ("2,000", "approved")
        # The list of threads does not know one of the last seconds, but every step of it is kept.
        client.threads.create(thread_id=late, if_exists="do_nothing")
        assert client.runs.wait(late, "tablerag", command=decided)["answer"] == "2,000"
        follow_up = client.runs.wait(thread, "tablerag", input={"question": "and of North?"})
        assert follow_up["answer"] == "1,200"
    # Strict as it is set for tests, it would say so of any type that it does not know.
    assert "Deserializing" not in server.log and "Blocked deserialization" not in server.log


AT_ONCE, AT_ONCE_EXHAUSTIVE = 30, 60
"""Runs when the server is killed: more than it ends until it has written its list of threads."""


def question(item: int) -> dict[str, str]:
    return {"question": f"What is the amount of item {item}?"}


async def start_and_kill(server: GraphServer, at_once: int) -> list[str]:
    """Start runs in threads and as many without one, kill the server while they run, and return the threads."""
    async with get_client(url=server.url) as client, httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        threads = [(await client.threads.create())["thread_id"] for _ in range(at_once // 2)]
        alone = [{"assistant_id": "tablerag", "input": question(i)} for i in range(at_once // 2)]
        waiting = [asyncio.create_task(http.post("/runs/wait", json=asked)) for asked in alone]
        await asyncio.gather(*(client.runs.create(t, "tablerag", input=question(i)) for i, t in enumerate(threads)))
        wait_until_flushed(server.folder)
        server.process.kill()
        await asyncio.gather(*waiting, return_exceptions=True)
    return threads


def test_threads_of_a_server_that_is_killed_at_work_are_continued(tmp_path: Path, exhaustive: bool) -> None:
    fill_corpora(tmp_path, {"default": CORPORA["items"]})
    with running_graph_server(tmp_path, eager=True) as server:
        threads = asyncio.run(start_and_kill(server, AT_ONCE_EXHAUSTIVE if exhaustive else AT_ONCE))
    with running_graph_server(tmp_path, eager=True) as server, get_sync_client(url=server.url) as client:
        assert client.runs.wait(None, "tablerag", input=question(7))["value"] == amount_of(7)
        for item, thread in enumerate(threads):
            while (found := client.threads.get(thread))["status"] == "busy":  # those that waited are run now
                time.sleep(0.1)
            assert found["status"] in ("idle", "error")
            assert found["status"] == "idle" or found["error"]["error"] == "ServerStopped"
            result = client.runs.wait(thread, "tablerag", input=question(item)) if item % 10 == 0 else {}
            assert result.get("value", amount_of(item)) == amount_of(item)
        assert {t["thread_id"] for t in client.threads.search(limit=1000)} >= set(threads)
    assert "missing thread" not in server.log


def saved_lists(thread: str) -> dict[str, list[dict]]:
    """Return the lists of a server with an idle thread, whose queue begins with runs of threads that are gone."""
    now = datetime.now(UTC)
    times = {"created_at": now, "updated_at": now, "metadata": {}}
    idle = times | {"thread_id": uuid.UUID(thread), "status": "idle", "config": {}, "values": {"answer": "42"}}
    lost = [
        times | {"run_id": uuid.uuid4(), "thread_id": uuid.uuid4(), "status": "pending", "kwargs": {}}
        for _ in range(12)
    ]
    return {"runs": lost, "threads": [idle], "assistants": [], "assistant_versions": [], "crons": []}


def test_damaged_and_contradictory_files_do_not_stop_the_server(tmp_path: Path) -> None:
    fill_corpora(tmp_path, {"default": CORPORA["default"]})
    saved, thread = tmp_path / ".langgraph_api", str(uuid.uuid4())
    saved.mkdir()
    (saved / ".langgraph_ops.pckl").write_bytes(pickle.dumps(saved_lists(thread)))
    (saved / "store.pckl").write_bytes(pickle.dumps({"a": {"b": "c" * 99}})[:50])
    (saved / "store.vectors.pckl").write_bytes(b"")
    with running_graph_server(tmp_path) as server, get_sync_client(url=server.url) as client:
        assert client.threads.get(thread)["values"] == {"answer": "42"}
        asked = {"question": "What is the total amount?"}
        assert client.runs.wait(thread, "tablerag", input=asked)["answer"] == "2,000"
    warnings = [line for line in server.log.splitlines() if "is damaged" in line]
    assert len(warnings) == 2 and len(list(saved.glob("store.*damaged-*"))) == 2, server.log
    assert "missing thread" not in server.log

    (saved / ".langgraph_ops.pckl").write_bytes(b"\x00" * 4096)
    with running_graph_server(tmp_path) as server, get_sync_client(url=server.url) as client:
        client.threads.create(thread_id=thread, if_exists="do_nothing")
        follow_up = client.runs.wait(thread, "tablerag", input={"question": "and of North?"})
        assert follow_up["answer"] == "1,200"  # the steps of threads are kept elsewhere


def test_health_says_that_no_run_is_executed(tmp_path: Path) -> None:
    fill_corpora(tmp_path, {"default": CORPORA["default"]})
    with running_graph_server(tmp_path, jobs=0) as server, get_sync_client(url=server.url) as client:
        client.runs.create(client.threads.create()["thread_id"], "tablerag", input={"question": "What is the total?"})
        deadline = time.monotonic() + 30
        while (told := httpx.get(f"{server.url}/ok", timeout=10)).status_code == 200:
            assert time.monotonic() < deadline, "a server that executes no runs calls itself healthy"
            time.sleep(0.5)
        assert (told.status_code, told.json()["ok"]) == (503, False)
        assert "none is started" in told.json()["detail"]
