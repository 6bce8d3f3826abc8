"""The server's /mcp and /app/mcp, asked by the protocol's own client."""

import ast
import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from tests.support.graph_server import PAYROLL_KEY, SALES_KEY, GraphServer


def over_mcp(server: GraphServer, ask: Callable[[Client], Awaitable[Any]]) -> Any:
    async def asked() -> Any:
        async with Client(f"{server.url}/mcp") as client:
            return await ask(client)

    return asyncio.run(asked())


def test_the_graph_is_a_tool_that_says_what_it_does(graph_server: GraphServer) -> None:
    tools = over_mcp(graph_server, lambda client: client.list_tools()).tools
    assert {"tablerag", "hd_rag"} <= {t.name for t in tools} and not any("Baseline" in t.description for t in tools)
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


def with_tools(server: GraphServer, ask: Callable[[Client], Awaitable[Any]], key: str = "", mode: str = "auto") -> Any:
    """Return what a client of /app/mcp gets."""

    async def asked() -> Any:
        headers = {"X-Api-Key": key} if key else {}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(f"{server.url}/app/mcp", http_client=http), mode=mode) as client,
        ):
            return await ask(client)

    return asyncio.run(asked())


async def used(client: Client) -> list[CallToolResult]:
    """Call each tool once, and run what is refused."""
    question = {"question": "What is the total amount?"}
    return [
        await client.call_tool("ask", question, progress_callback=ignored),
        await client.call_tool("list_tables", {}),
        await client.call_tool("describe_table", {"name": "sales"}),
        await client.call_tool("run_sql", {"sql": "SELECT region FROM sales ORDER BY region"}),
        await client.call_tool("search_documents", {"query": "amount of the region North"}),
        await client.call_tool("run_sql", {"sql": "DROP TABLE sales"}),
    ]


async def ignored(done: float, total: float | None, at: str | None) -> None:
    """Take progress, which turns the response into a stream."""


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_five_tools_are_served_beside_the_page(graph_server: GraphServer, mode: str) -> None:
    tools = with_tools(graph_server, lambda client: client.list_tools(), mode=mode).tools
    assert [t.name for t in tools] == ["ask", "list_tables", "describe_table", "run_sql", "search_documents"]
    answer, tables, described, rows, passages, refused = with_tools(graph_server, used, mode=mode)
    assert (answer.structured_content["answer"], answer.structured_content["verdict"]) == ("2,000", "sql_only")
    assert {"default", "payroll"} <= {*tables.structured_content["corpora"]}
    assert described.structured_content["row_count"] == 2
    assert rows.structured_content["rows"] == [["North"], ["South"]]
    assert passages.structured_content["passages"][0]["source"] == "sales.csv"
    assert (refused.is_error, refused.content[0].text) == (True, "only SELECT is allowed, got 'DROP'")


def test_a_key_opens_its_own_corpora_only(keyed_server: GraphServer) -> None:
    async def asked(client: Client) -> list[CallToolResult]:
        total = {"question": "What is the total salary?", "corpus": "payroll"}
        return [
            await client.call_tool("ask", total),
            await client.call_tool("list_tables", {"corpus": "payroll"}),
            await client.call_tool("run_sql", {"sql": "SELECT * FROM salaries", "corpus": "payroll"}),
        ]

    for refused in with_tools(keyed_server, asked, SALES_KEY):
        assert refused.is_error
        assert refused.content[0].text == "unknown corpus 'payroll': expected one of 'default'"
    answer, tables, rows = with_tools(keyed_server, asked, PAYROLL_KEY)
    assert (answer.structured_content["answer"], tables.structured_content["corpora"]) == ("12,000", ["payroll"])
    assert rows.structured_content["rows"] == [["Ada", 7000], ["Bob", 5000]]


def test_requests_are_checked_as_those_of_the_page(graph_server: GraphServer, keyed_server: GraphServer) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepted = {"Accept": "application/json, text/event-stream"}
    for headers in ({}, {"X-Api-Key": "wrong"}):
        response = httpx.post(f"{keyed_server.url}/app/mcp", json=call, headers=accepted | headers)
        assert (response.status_code, "X-Api-Key" in response.json()["error"]) == (401, True)
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert httpx.post(f"{graph_server.url}/app/mcp", json=call, headers=accepted | headers).status_code == 403
    long = call | {"params": {"x": "x" * 100_000}}
    assert httpx.post(f"{graph_server.url}/app/mcp", json=long, headers=accepted).status_code == 413
    assert httpx.get(f"{graph_server.url}/app/mcp", headers=accepted).status_code == 405
