"""sql_agent over real stores, asked through real HTTP: its tools, its bounds, and how it ends."""

import asyncio
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tablerag.agent.context import Context
from tablerag.evaluation.systems import open_system
from tablerag.graphs.baselines.sql_agent import MOST_CALLS, build
from tablerag.graphs.deployment import Deployment
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import ConfigError, ModelUnavailable
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer, Reply

QUESTION = "How much did the north sell?"
SELECT = "SELECT `amount` FROM `sales` WHERE `region` = 'North'"
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home that holds a few documents."""
    folder = tmp_path_factory.mktemp("agent")
    (folder / "docs").mkdir()
    (folder / "docs" / "sales.csv").write_text("Region,Amount\nNorth,10\nSouth,20\n", encoding="utf-8")
    for year in (2023, 2024):
        (folder / "docs" / f"costs_{year}.csv").write_text("Item,Cost\npens,3\n", encoding="utf-8")
    (folder / "docs" / "notes.md").write_text("# Notes\n\nThe north sold apples.\n", encoding="utf-8")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / "docs"], services, "default")
    services.close()
    return folder / "home"


@pytest.fixture
def services(home: Path, model_server: ModelServer) -> Iterator[Services]:
    settings = Settings(home=home, openai_base_url=model_server.url, llm_retries=0, _env_file=None)
    services = Services(settings)
    yield services
    services.close()


@pytest.fixture
def ask(services: Services) -> Ask:
    """Ask the agent over them; return its outcome."""

    def asked(question: str = QUESTION, **context: Any) -> dict[str, Any]:
        wired = build(Deployment(services)).compile()
        return wired.invoke({"question": question}, context=Context(**({"model": "openai:test"} | context)))

    return asked


def call(tool: str, **arguments: Any) -> Reply:
    return Reply(tool=tool, arguments=arguments)


def last_result(server: ModelServer) -> str:
    """Return what the last tool answered, as the model was told."""
    message = server.requests[-1]["messages"][-1]
    assert message["role"] == "tool"
    return message["content"]


def test_it_finds_describes_queries_and_answers(ask: Ask, model_server: ModelServer) -> None:
    model_server.enqueue(
        call("search_documents", query="north sales"),
        call("list_tables"),
        call("describe_table", table="Sales"),
        call("run_sql", sql=SELECT),
        {"explanation": "read off", "answer": "10"},
    )
    result = ask()
    assert (result["answer"], result["explanation"], result["stopped_by"]) == ("10", "read off", "answered")
    assert result["usage"] == {"calls": 5, "input_tokens": 500, "output_tokens": 50, "cached_tokens": 0}
    assert (result["iterations"], result["sql"], result["model"]) == (5, [SELECT], "openai:test")
    assert [s["tool"] for s in result["steps"]] == ["search_documents", "list_tables", "describe_table", "run_sql"]
    assert result["steps"][-1]["rows"] == [[10]]
    first, *_, last = model_server.requests
    assert {t["function"]["name"] for t in first["tools"]} == {s["tool"] for s in result["steps"]}
    assert QUESTION in first["messages"][1]["content"] and "10 turns" in first["messages"][0]["content"]
    found, listed, described, rows = (m["content"] for m in last["messages"] if m["role"] == "tool")
    assert "The north sold apples." in found and "SQL tables: `sales`" in found
    assert "`sales`: 2 rows" in listed
    assert "`amount` integer" in described
    assert rows.splitlines()[-1] == "10"


def test_a_table_that_a_search_names_can_be_read(ask: Ask, model_server: ModelServer) -> None:
    model_server.enqueue(
        call("search_documents", query="cost of pens"),
        call("describe_table", table="all_costs"),
        call("run_sql", sql="SELECT SUM(`cost`) FROM `all_costs`"),
        {"answer": "6"},
    )
    assert ask("What did pens cost?")["answer"] == "6"
    found, described, rows = (m["content"] for m in model_server.requests[-1]["messages"] if m["role"] == "tool")
    assert "`all_costs`" in found and "`cost` integer" in described and rows.splitlines()[-1] == "6"


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (call("run_sql", sql="SELECT `nothing` FROM `sales`"), "error: .*nothing"),
        (call("run_sql", sql="DELETE FROM `sales`"), "error: .*SELECT"),
        (call("run_sql", query="SELECT 1"), "sql"),
        (call("describe_table", table="orders"), "error: unknown table 'orders'"),
        (call("search_documents", query=" "), "error: query is empty"),
        (call("drop_table", table="sales"), "drop_table is not a valid tool"),
    ],
)
def test_a_bad_call_goes_back_to_the_model(ask: Ask, model_server: ModelServer, reply: Reply, told: str) -> None:
    model_server.enqueue(reply, {"answer": ""})
    result = ask()
    assert (result["answer"], result["stopped_by"]) == ("", "no_evidence")
    assert re.search(told, last_result(model_server))


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("<think>hm</think>10 EUR", "10 EUR"),
        ('It is so:\n```json\n{"answer": ["a", "b"]}\n```', "a; b"),
        ("No answer.", ""),
        ({"explanation": "not in the documents", "answer": None}, ""),
        ({"other": 1}, ""),
    ],
)
def test_the_last_reply_is_read_leniently(ask: Ask, model_server: ModelServer, reply: Any, answer: str) -> None:
    model_server.enqueue(reply)
    assert ask()["answer"] == answer


def unreadable() -> bytes:
    """Return a completion whose tool call has arguments that are not JSON."""
    function = {"name": "run_sql", "arguments": '{"sql": "SELECT'}
    calls = [{"id": "c", "type": "function", "function": function}]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    about = {"id": "c1", "object": "chat.completion", "created": 1, "model": "test"}
    return json.dumps(about | {"choices": [choice]}).encode()


def test_an_empty_or_unreadable_reply_is_asked_for_once_more(ask: Ask, model_server: ModelServer) -> None:
    model_server.enqueue(Reply(raw=unreadable()), {"answer": "10"})
    result = ask()
    assert (result["answer"], result["usage"]["calls"]) == ("10", 2)
    assert "a tool call that cannot be read" in model_server.requests[-1]["messages"][-1]["content"]
    model_server.enqueue("", "")
    assert (ask()["answer"], len(model_server.requests)) == ("", 4)


def test_it_stops_after_its_calls(ask: Ask, model_server: ModelServer) -> None:
    model_server.responder = lambda body: call("list_tables")
    result = ask()
    assert (result["answer"], result["stopped_by"], result["iterations"]) == ("", "iteration_limit", MOST_CALLS)
    assert result["explanation"] == "no answer after 10 calls"
    assert len(model_server.requests) == result["usage"]["calls"] == MOST_CALLS


def test_a_conversation_that_grows_too_long_ends_without_an_answer(ask: Ask, model_server: ModelServer) -> None:
    model_server.enqueue(call("list_tables"), Reply(status=400, error="maximum context length"))
    result = ask()
    assert (result["answer"], result["stopped_by"]) == ("", "no_evidence")
    assert result["explanation"] == "the server refused call 2: 400"


def test_a_server_that_fails_stops_the_run(ask: Ask, model_server: ModelServer) -> None:
    model_server.enqueue(Reply(status=400, error="tools are not supported"))
    with pytest.raises(ModelUnavailable, match="answered 400: .*tools are not supported"):
        ask()
    model_server.enqueue(call("list_tables"), Reply(status=401))
    with pytest.raises(ModelUnavailable, match="401, invalid API key"):
        ask()


def test_bad_questions_models_and_installations_are_clear_errors(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, services: Services
) -> None:
    with pytest.raises(ConfigError, match="expected 1 to 4000"):
        ask("  ")
    with pytest.raises(ConfigError, match="needs a model"):
        ask(model="offline")
    with pytest.raises(ConfigError, match="sql_agent needs a model"):
        open_system("sql_agent", services, "offline")
    monkeypatch.setitem(sys.modules, "langchain.agents", None)
    monkeypatch.delitem(sys.modules, "tablerag.agent.model.tool_loop", raising=False)
    with pytest.raises(ConfigError, match="sql_agent requires langchain"):
        ask()


def test_a_repeated_run_pays_for_no_call_twice(home: Path, tmp_path: Path, model_server: ModelServer) -> None:
    settings = Settings(
        home=home, openai_base_url=model_server.url, llm_cache=f"sqlite:///{tmp_path / 'calls.db'}", _env_file=None
    )
    services = Services(settings)
    system = open_system("sql_agent", services, "openai:test")
    model_server.enqueue(call("list_tables"), call("run_sql", sql=SELECT), {"answer": "10"})
    first = system.ask(QUESTION, Context(model="openai:test"))
    again = system.ask(QUESTION, Context(model="openai:test"))
    services.close()
    assert (first.answer, again.answer, first.calls, first.input_tokens) == ("10", "10", 3, 300)
    assert len(model_server.requests) == 3


async def streamed(wired: Any, config: dict[str, Any]) -> list[Any]:
    context = Context(model="openai:test")
    return [e async for e in wired.astream({"question": QUESTION}, config, context=context, stream_mode="messages")]


def test_a_served_thread_is_answered_and_shows_no_raw_reply(services: Services, model_server: ModelServer) -> None:
    """The server runs graphs asynchronously, with its checkpointer, and chat clients stream messages."""
    wired = build(Deployment(services)).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    for answer in ("10", "20"):
        model_server.enqueue(call("run_sql", sql=SELECT), {"answer": answer})
        assert asyncio.run(streamed(wired, config)) == []
        assert wired.get_state(config).values["answer"] == answer
    assert [len(r["messages"]) for r in model_server.requests] == [2, 4, 2, 4], "a question starts anew"
