"""The MCP tools without a process of their own: long results, cancelled and waiting questions, failures."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult

from tablerag.ingestion.pipeline import ingest
from tablerag.serving.mcp import tools
from tablerag.serving.mcp.arguments import RunSql, SearchDocuments
from tablerag.serving.mcp.server import make_server
from tablerag.serving.mcp.tools import Caller
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer, Reply

ROWS = 30
BIG = 2**60 + 1
LONG = "long " * 2_000
QUESTION = {"question": "What is the total number of all notes?"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tools")
    rows = "".join(f"{i},{LONG}{i},{BIG}\n" for i in range(ROWS))
    (folder / "notes.csv").write_text(f"Number,Note,Code\n{rows}", encoding="utf-8")
    services = Services(Settings(home=folder / "home", model="offline", workers=1, _env_file=None))
    ingest([folder / "notes.csv"], services, "default")
    services.close()
    return folder / "home"


@pytest.fixture
def opened(home: Path, model_server: ModelServer) -> Iterator[Callable[..., Services]]:
    """Return a function that opens services which ask the model's stand-in, with further settings."""
    made: list[Services] = []

    def opened(**given: Any) -> Services:
        model = {"model": "openai:test", "OPENAI_API_KEY": "key", "OPENAI_BASE_URL": model_server.url}
        made.append(Services(Settings(home=home, _env_file=None, **(model | given))))
        return made[-1]

    yield opened
    for services in made:
        services.close()


def over(services: Services, ask: Callable[[Client], Awaitable[Any]], **limits: int) -> Any:
    async def asked() -> Any:
        async with Client(make_server(lambda request: Caller(services), **limits)) as client:
            return await ask(client)

    return asyncio.run(asked())


def test_a_long_result_ends_where_its_room_does(opened: Callable[..., Services]) -> None:
    caller = Caller(opened())
    found = tools.run_sql(caller, RunSql(sql="SELECT note, code FROM notes ORDER BY number", limit=5), "default")
    assert [len(note) for note, _ in found.rows] == [2_000] * 5
    assert found.cut[1] == "5 cells cut to 2,000 characters."
    wide = ", ".join(f"CONCAT(note, {i}) AS n{i}" for i in range(10))
    found = tools.run_sql(caller, RunSql(sql=f"SELECT {wide} FROM notes", limit=100), "default")
    assert (len(found.rows), found.truncated) == (4, True)
    assert found.cut[0].startswith("4 of 30 rows: ")


def test_integers_that_javascript_rounds_are_texts(opened: Callable[..., Services]) -> None:
    found = tools.run_sql(Caller(opened()), RunSql(sql="SELECT MAX(code) FROM notes"), "default")
    assert found.rows == [[str(BIG)]]


def test_rows_beyond_the_limit_of_the_settings_are_counted_as_more(opened: Callable[..., Services]) -> None:
    found = tools.run_sql(Caller(opened(row_limit=10)), RunSql(sql="SELECT number FROM notes"), "default")
    assert (len(found.rows), found.truncated) == (10, True)
    assert found.cut == ["10 of more than 10 rows: aggregate or filter in SQL, or raise limit."]


def test_a_long_passage_is_cut(opened: Callable[..., Services]) -> None:
    found = tools.search_documents(Caller(opened()), SearchDocuments(query="long notes", limit=1), "default")
    assert (found.passages[0].cut, len(found.passages[0].text)) == (True, 6_000)


def test_a_cancelled_question_asks_the_model_no_more(
    opened: Callable[..., Services], model_server: ModelServer
) -> None:
    wrong = Reply('{"sql": "SELECT SUM(pieces) FROM notes"}', delay_s=0.5)  # which the model would be asked to correct
    model_server.enqueue(wrong, {"sql": "SELECT SUM(number) FROM notes"})

    async def cancelled(client: Client) -> CallToolResult:
        question = asyncio.create_task(client.call_tool("ask", QUESTION))
        deadline = time.monotonic() + 60
        while not model_server.requests and time.monotonic() < deadline:
            await asyncio.sleep(0.01)
        question.cancel()
        with pytest.raises(asyncio.CancelledError):
            await question
        await asyncio.sleep(1)
        return await client.call_tool("list_tables", {})

    listed = over(opened(), cancelled)
    assert listed.structured_content["total"] == 1
    assert len(model_server.requests) == 1


def test_a_question_beyond_those_that_may_wait_is_refused(
    opened: Callable[..., Services], model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablerag.serving.mcp.server.MOST_ASKED", 1)
    model_server.responder = lambda body: Reply(status=400, error="no", delay_s=0.5)

    async def three(client: Client) -> list[CallToolResult]:
        return await asyncio.gather(*(client.call_tool("ask", QUESTION) for _ in range(3)))

    said = sorted(r.content[0].text for r in over(opened(), three, most_waiting=1))
    assert said[-1] == "the server is busy: 1 questions wait already, try again in some seconds"
    assert not any("busy" in text for text in said[:2])


def test_a_model_that_refuses_is_told_in_one_line(opened: Callable[..., Services], model_server: ModelServer) -> None:
    model_server.responder = lambda body: Reply(status=401, error="bad key")
    result = over(opened(llm_retries=0), lambda client: client.call_tool("ask", QUESTION))
    says = "openai:test: 401, invalid API key: check OPENAI_API_KEY"
    assert (result.is_error, result.content[0].text) == (True, says)


def test_an_unexpected_error_tells_nothing_of_itself(caplog: pytest.LogCaptureFixture) -> None:
    result = over(None, lambda client: client.call_tool("list_tables", {}))  # pyright: ignore[reportArgumentType]
    assert (result.is_error, result.content[0].text) == (True, "unexpected error: see the server's log")
    assert "list_tables failed" in caplog.text
