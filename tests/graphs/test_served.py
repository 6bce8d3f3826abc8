"""The graph on a real `langgraph dev` server, as Studio and chat clients use it."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from ingestion.pipeline import ingest
from ingestion.summaries import index_summaries, pending, summaries_of_document
from tools.services import Services
from tools.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
START_S = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "sales.csv").write_text("Region,Amount\nNorth,1200\nSouth,800\n", encoding="utf-8")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / "sales.csv"], services, "default")
    for level in ("table", "hrcl"):
        documents = pending(services, "default", level)
        tables = [t for d in documents for t in summaries_of_document(services, d, level)]
        index_summaries(services, "default", level, documents, tables)
    services.close()
    port = free_port()
    env = os.environ | {
        "TABLERAG_HOME": str(folder / "home"),
        "TABLERAG_MODEL": "offline",
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_NO_VERSION_CHECK": "true",
        "LOG_LEVEL": "warning",
    }
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload", "--port", str(port)]
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(process, url, folder / "server.log")
        yield url
    finally:
        process.terminate()
        process.wait(timeout=20)
        log.close()


def _wait(process: subprocess.Popen, url: str, log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        try:
            if process.poll() is None and httpx.get(f"{url}/ok", timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            pass
        if process.poll() is not None:
            break
        time.sleep(0.2)
    raise AssertionError(f"langgraph dev did not start:\n{log.read_text()[-3000:]}")


@pytest.fixture
def client(server: str) -> Iterator[SyncLangGraphClient]:
    with get_sync_client(url=server) as opened:
        yield opened


def test_a_question_and_a_follow_up_on_one_thread(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    result = client.runs.wait(thread, "tablerag", input={"question": "What is the total amount?"})
    assert result["answer"] == "2000", result
    assert result["verdict"] == "sql_only"
    assert result["citations"][0]["source"] == "sales.csv"
    content = [{"type": "text", "text": "What is the amount of North?"}]
    result = client.runs.wait(
        thread, "tablerag", input={"messages": [{"id": "m1", "type": "human", "content": content}]}
    )
    assert result["answer"] == "1200", result
    assert result["iterations"] == 1


def test_studio_gets_its_form_and_the_stream_shows_steps(client: SyncLangGraphClient) -> None:
    schemas = client.assistants.get_schemas(client.assistants.search(graph_id="tablerag")[0]["assistant_id"])
    assert schemas["context_schema"]["properties"]["max_iterations"]["maximum"] == 5
    assert "messages" in schemas["input_schema"]["properties"]
    events = list(
        client.runs.stream(
            None, "tablerag", input={"question": "What is the total amount?"}, stream_mode=["custom", "updates"]
        )
    )
    custom = [e.data["type"] for e in events if e.event == "custom"]
    assert custom == ["turn", "subquery", "evidence", "sql", "rows", "verdict", "answer"]
    assert any("steps" in update for e in events if e.event == "updates" for update in e.data.values() if update)


def test_hd_rag_is_served_beside_it(client: SyncLangGraphClient) -> None:
    assistant = client.assistants.search(graph_id="hd_rag")[0]
    schemas = client.assistants.get_schemas(assistant["assistant_id"])
    assert schemas["context_schema"]["properties"]["level"]["enum"] == ["hrcl", "rcl", "table"]
    result = client.runs.wait(None, "hd_rag", input={"question": "What is the average amount?"})
    assert result["answer"] == "The documents do not answer this question."
    assert [c["source"] for c in result["candidates"]] == ["sales.csv"]


def test_a_wrong_context_is_refused_by_name(client: SyncLangGraphClient) -> None:
    with pytest.raises(Exception, match="(?i)iterations|invalid|error"):
        result = client.runs.wait(
            None, "tablerag", input={"question": "total?"}, context={"max_iterations": 99}, raise_error=True
        )
        raise AssertionError(f"accepted: {result}")
