"""A server that is killed, and started again where it stood."""

import time
from pathlib import Path

from langgraph_sdk import get_sync_client

from tests.support.graph_server import fill_corpora, running_graph_server

FLUSHED_S = 30.0


def wait_until_flushed(folder: Path) -> None:
    """Wait until the server has written all that it keeps in memory: it does so every 10 seconds."""
    asked = time.time()
    files = (".langgraph_ops.pckl", *(f".langgraph_checkpoint.{n}.pckl" for n in (1, 2, 3)))
    kept = [folder / ".langgraph_api" / name for name in files]
    deadline = time.monotonic() + FLUSHED_S
    while not all(path.exists() and path.stat().st_mtime > asked for path in kept):
        assert time.monotonic() < deadline, [(p.name, p.exists()) for p in kept]
        time.sleep(0.1)


def test_a_killed_server_resumes_a_thread_that_waits(tmp_path: Path) -> None:
    fill_corpora(tmp_path)
    asked = {"question": "What is the total amount?"}
    with running_graph_server(tmp_path) as server, get_sync_client(url=server.url) as client:
        thread = client.threads.create()["thread_id"]
        client.runs.wait(thread, "tablerag", input=asked, context={"approve_sql": True})
        wait_until_flushed(tmp_path)
        server.process.kill()
    with running_graph_server(tmp_path) as server, get_sync_client(url=server.url) as client:
        assert client.threads.get(thread)["status"] == "interrupted"
        decided = {"resume": {"decisions": [{"type": "approve"}]}}
        result = client.runs.wait(thread, "tablerag", command=decided)
        assert (result["answer"], result["steps"][0]["approval"]) == ("2000", "approved")
        follow_up = client.runs.wait(thread, "tablerag", input={"question": "and of North?"})
        assert follow_up["answer"] == "1200"
    # Strict as it is set for tests, it would say so of any type that it does not know.
    assert "Deserializing" not in server.log and "Blocked deserialization" not in server.log
