"""`tablerag mcp` as a client starts it, asked by the protocol's own client; one process for all tests."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.command_line import CommandLine

NAMES = ["ask", "list_tables", "describe_table", "run_sql", "search_documents"]
LEAVE = "# Leave\n\nEvery employee has 27 days of paid leave a year.\n"
SALES = "Region,Amount (EUR),Cost (EUR)\nNorth,1200,700\nSouth,800,500\n"
STOCK = "Item,Pieces\nCup,4\nPot,5\n"
ORDERS = "Customer,Weight (kg),Price (EUR)\nAda,3,30\nBob,5,70\n"
Call = Callable[..., CallToolResult]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mcp")
    files = {
        "default/leave.md": LEAVE,
        "default/sales.csv": SALES,
        "stock/stock.csv": STOCK,
        "stock/orders.csv": ORDERS,
    }
    services = Services(Settings(home=folder / "home", model="offline", workers=1, _env_file=None))
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for corpus in ("default", "stock"):
        ingest([folder / corpus], services, corpus)
    services.close()
    return folder / "home"


@pytest.fixture(scope="module")
def heard() -> list[Any]:
    return []


@pytest.fixture(scope="module")
def client(home: Path, heard: list[Any]) -> Iterator[tuple[Client, Any]]:
    """Return a client of the command, and the portal to the loop that it lives in."""
    environment = os.environ | {"TABLERAG_HOME": str(home), "TABLERAG_MODEL": "offline"}
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "tablerag.cli.app", "mcp"], env=environment, cwd=home.parent
    )

    async def hear(message: Any) -> None:
        heard.append(message)

    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(
            Client(stdio_client(command), mode="legacy", message_handler=hear)  # as the clients of today speak
        ) as opened,
    ):
        yield opened, portal


@pytest.fixture(scope="module")
def call(client: tuple[Client, Any]) -> Call:
    opened, portal = client
    return lambda tool, **arguments: portal.call(opened.call_tool, tool, arguments)


def said(result: CallToolResult) -> dict[str, Any]:
    """Return a result's JSON; that in its text is the same, for clients that read no structured results."""
    assert not result.is_error, result.content
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


def reason(result: CallToolResult) -> str:
    assert result.is_error and result.structured_content is None
    [text] = result.content
    assert "\n" not in text.text
    return text.text


def test_five_tools_that_only_read_are_listed_with_their_schemas(client: tuple[Client, Any]) -> None:
    opened, portal = client
    tools = portal.call(opened.list_tools).tools
    assert [t.name for t in tools] == NAMES
    for tool in tools:
        hints = tool.annotations.model_dump(exclude_none=True)
        assert hints == {
            "read_only_hint": True, "destructive_hint": False, "idempotent_hint": True, "open_world_hint": False
        }  # fmt: skip
        assert tool.title and len(tool.description) > 100
        assert tool.input_schema["additionalProperties"] is False and "$defs" not in tool.input_schema
        assert all(p.get("description") for p in tool.input_schema["properties"].values())
        assert tool.output_schema["type"] == "object" and tool.output_schema["required"]


def test_an_answer_has_its_value_verdict_sql_and_citations(call: Call) -> None:
    answer = said(call("ask", question="What is the total amount?"))
    assert (answer["answer"], answer["value"], answer["unit"]) == ("EUR 2,000", 2000, "EUR")
    assert (answer["found"], answer["verdict"], answer["readings"]) == (True, "sql_only", [])
    assert answer["sql"] == ["SELECT SUM(`amount_eur`) AS `result` FROM `sales`"]
    assert answer["table"]["rows"] == [[2000]]
    assert (answer["citations"][0]["source"], answer["citations"][0]["row_ids"]) == ("sales.csv", [1, 2])


def test_a_question_that_may_mean_several_things_gets_readings(call: Call) -> None:
    answer = said(call("ask", question="What is the total?", corpus="stock"))
    assert (answer["found"], answer["verdict"], answer["cause"]) == (False, "none", "unsure")
    assert [r["value"] for r in answer["readings"]][:2] == [8, 9]
    rows = said(call("run_sql", sql=answer["readings"][1]["sql"], corpus="stock"))["rows"]
    assert rows == [[9]]


def test_progress_is_reported_in_fixed_words(client: tuple[Client, Any]) -> None:
    opened, portal = client
    steps = []

    async def report(done: float, total: float | None, at: str | None) -> None:
        steps.append((done, at))

    portal.call(lambda: opened.call_tool("ask", {"question": "How many sales?"}, progress_callback=report))
    assert steps[:2] == [(1, "reading the question"), (2, "looking for tables and passages")]


def test_tables_are_listed_by_page_and_words(call: Call) -> None:
    listed = said(call("list_tables"))
    assert listed["corpora"] == ["default", "stock"]
    [table] = listed["tables"]
    assert (table["name"], table["source"], table["rows"], table["columns"]) == ("sales", "sales.csv", 2, 3)
    assert said(call("list_tables", matching="AMOUNT region"))["total"] == 1
    assert said(call("list_tables", matching="amount person"))["total"] == 0
    assert said(call("list_tables", offset=1)) == listed | {"offset": 1, "tables": []}
    other = said(call("list_tables", corpus="stock", limit=1))
    assert ([t["name"] for t in other["tables"]], other["total"], other["next_offset"]) == (["orders"], 2, 1)


def test_a_table_is_described(call: Call) -> None:
    table = said(call("describe_table", name="SALES"))
    assert (table["name"], table["row_count"], table["source"]) == ("sales", 2, "sales.csv")
    amount = table["columns"][1]
    assert (amount["name"], amount["header"], amount["type"]) == ("amount_eur", "Amount (EUR)", "integer")
    assert (amount["unit"], amount["examples"]) == ("EUR", ["1200", "800"])


def test_a_statement_returns_its_first_rows_and_says_what_is_cut(call: Call) -> None:
    whole = said(call("run_sql", sql="SELECT region, amount_eur FROM sales ORDER BY amount_eur"))
    assert (whole["columns"], whole["rows"]) == (["region", "amount_eur"], [["South", 800], ["North", 1200]])
    assert (whole["truncated"], whole["cut"], whole["sources"]) == (False, [], ["sales.csv"])
    part = said(call("run_sql", sql="SELECT region FROM sales ORDER BY amount_eur", limit=1))
    assert (part["rows"], part["truncated"]) == ([["South"]], True)
    assert part["cut"] == ["1 of 2 rows: aggregate or filter in SQL, or raise limit."]
    nothing = said(call("run_sql", sql="SELECT amount_eur FROM sales WHERE region = 'Nord'"))
    assert nothing["rows"] == [] and "Nord" in nothing["empty_because"]


def test_passages_are_found_with_their_place(call: Call) -> None:
    [passage] = said(call("search_documents", query="days of paid leave", limit=1))["passages"]
    assert (passage["source"], passage["table"], passage["cut"]) == ("leave.md", "", False)
    assert "27 days of paid leave" in passage["text"]


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("ask", {"question": " "}, "no question given"),
        ("ask", {}, "question: field required"),
        ("ask", {"question": "How many?", "corpus": "nope"}, "unknown corpus 'nope': expected one of 'default', 'st"),
        ("list_tables", {"limit": 0}, "limit: input should be greater than or equal to 1, got 0"),
        (
            "list_tables",
            {"limit": "all"},
            "limit: input should be a valid integer",
        ),
        ("list_tables", {"match": "x"}, "match: extra inputs are not permitted"),
        ("describe_table", {"name": "salaries"}, "unknown table 'salaries': expected one of sales"),
        ("run_sql", {"sql": "DELETE FROM sales"}, "only SELECT is allowed, got 'DELETE'"),
        ("run_sql", {"sql": "SELECT * FROM stock"}, "stock"),
        ("run_sql", {"sql": "SELECT 2000"}, "the statement selects only constants"),
        ("search_documents", {"query": ""}, "query must not be empty"),
    ],
)
def test_an_error_is_one_sentence_with_its_reason(call: Call, name: str, arguments: dict[str, Any], why: str) -> None:
    assert why in reason(call(name, **arguments))


def test_nothing_but_the_protocol_was_written(call: Call, heard: list[Any]) -> None:
    said(call("list_tables"))
    assert not [message for message in heard if isinstance(message, Exception)]


def test_a_corpus_that_does_not_exist_stops_the_command(command_line: CommandLine, home: Path) -> None:
    code, out, err = command_line("mcp", "--corpus", "nope", TABLERAG_HOME=str(home))
    assert (code, out) == (2, "")
    assert err == "error: unknown corpus 'nope': expected one of 'default', 'stock'\n"


def test_without_the_package_the_command_says_what_to_install(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert command_line("mcp") == (2, "", 'error: tablerag mcp needs the package mcp: pip install "tablerag[mcp]"\n')
