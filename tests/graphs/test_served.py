"""The graph on a real `langgraph dev` server, as Studio and chat clients use it."""

from collections.abc import Iterator

import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from ingestion.pipeline import ingest
from tests.support.langgraph_server import langgraph_server
from tools.services import Services
from tools.settings import Settings


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "sales.csv").write_text("Region,Amount\nNorth,1200\nSouth,800\n", encoding="utf-8")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / "sales.csv"], services, "default")
    services.close()
    with langgraph_server(folder) as url:
        yield url


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


def test_a_wrong_context_is_refused_by_name(client: SyncLangGraphClient) -> None:
    with pytest.raises(Exception, match="(?i)iterations|invalid|error"):
        result = client.runs.wait(
            None, "tablerag", input={"question": "total?"}, context={"max_iterations": 99}, raise_error=True
        )
        raise AssertionError(f"accepted: {result}")
