"""A server that is killed, and started again where it stood."""

import time
from pathlib import Path

from langgraph_sdk import get_sync_client

from tests.support.graph_server import CORPORA, fill_corpora, running_graph_server

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
