"""The server's /mcp endpoint, asked by the protocol's own client."""

import ast
import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from mcp import Client

from tests.support.graph_server import GraphServer


def over_mcp(server: GraphServer, ask: Callable[[Client], Awaitable[Any]]) -> Any:
    async def asked() -> Any:
        async with Client(f"{server.url}/mcp") as client:
            return await ask(client)

    return asyncio.run(asked())


def test_the_graph_is_a_tool_that_says_what_it_does(graph_server: GraphServer) -> None:
    tools = over_mcp(graph_server, lambda client: client.list_tools()).tools
    tool = next(t for t in tools if t.name == "tablerag")
    assert "Answers a question about a set of documents" in tool.description
    assert "SQL over whole tables" in tool.description
    asked = tool.input_schema["properties"]["question"]
    assert (asked["type"], "in words" in asked["description"]) == ("string", True)
    assert "$defs" not in tool.input_schema


def test_a_call_gets_the_answer_and_nothing_else(graph_server: GraphServer) -> None:
    question = {"question": "What is the total amount?"}
    result = over_mcp(graph_server, lambda client: client.call_tool("tablerag", question))
    assert not result.is_error
    answer = ast.literal_eval(result.content[0].text)
    assert (answer["answer"], answer["verdict"]) == ("2,000", "sql_only")
    assert answer["sql"] == ["SELECT SUM(`amount`) AS `result` FROM `sales`"]
    assert answer["citations"][0]["source"] == "sales.csv"
    assert answer.keys() == {
        "question", "answer", "verdict", "explanation", "sql", "citations", "cause", "conflict_cause",
        "assumption", "alternatives", "ask",
        "value", "unit", "scale",
    }  # fmt: skip
    assert len(result.content[0].text) < 1000


def test_a_call_without_a_question_is_an_error(graph_server: GraphServer) -> None:
    result = over_mcp(graph_server, lambda client: client.call_tool("tablerag", {"question": " "}))
    assert (result.is_error, result.content[0].text) == (True, "ConfigError")
