"""A key that sees a part of a corpus, on a real server: every route that returns data, and rewritten threads."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import httpx2
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult
from starlette.routing import Mount, Route

from tablerag.serving.app import app
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.graph_server import ALL_KEY, EMEA_KEY, SALES_KEY, GraphServer
from tests.tools.access.guarded_documents import MARKS

CORPUS = {"corpus": "guarded"}
KEYED = {"X-Api-Key": EMEA_KEY}
READ = "read with services_of(request)"
NO_DATA = "returns nothing of documents"
RUN = "runs a graph, whose deployment has the services of the run's key"
OWN = "is the key's own, written by its runs"
OWN_ITEMS = "is the key's own, computed with services_of(request) when it was saved"
WRITES = "refused to a key that does not see everything"
CLOSED = "closed by the gate where keys are set"
OUR_ROUTES = {
    "GET /": NO_DATA,
    "GET /api/openapi.json": NO_DATA,
    "GET /api/corpora": READ,
    "GET /api/documents": READ,
    "GET /api/documents/{id}/uses": READ,
    "DELETE /api/documents/{id}": WRITES,
    "GET /api/tables": READ,
    "GET /api/tables/{name}": READ,
    "GET /api/tables/{name}/rows": READ,
    "GET /api/tables/{name}/picture": READ,
    "POST /api/tables/{name}/use": WRITES,
    "GET /api/passages/{id}": READ,
    "POST /api/receipts": READ,
    "GET /api/files": READ,
    "POST /api/results": READ,
    "POST /api/results/run": READ,
    "POST /api/results/file": READ,
    "GET /api/suggestions": READ,
    "POST /api/suggestions": READ,
    "GET /api/saved": OWN_ITEMS,
    "POST /api/saved": READ,
    "POST /api/saved/{id}": READ,
    "PATCH /api/saved/{id}": OWN_ITEMS,
    "DELETE /api/saved/{id}": OWN_ITEMS,
    "GET /api/boards": OWN_ITEMS,
    "POST /api/boards": OWN_ITEMS,
    "PUT /api/boards/{id}": OWN_ITEMS,
    "DELETE /api/boards/{id}": OWN_ITEMS,
    "GET /api/confirmed": READ,
    "POST /api/confirmed": READ,
    "DELETE /api/confirmed": READ,
    "POST /mcp": READ,
    "POST /api/uploads": WRITES,
    "GET /api/uploads": WRITES,
    "GET /api/uploads/{id}": WRITES,
    "DELETE /api/uploads/{id}": WRITES,
}
SERVER_ROUTES = {
    "/assistants": OWN, "/crons": OWN, "/runs/crons": OWN, "/threads": OWN, "/store": OWN, "/runs": RUN, "/mcp": RUN,
    "/a2a": RUN, "/ok": NO_DATA, "/info": NO_DATA, "/metrics": NO_DATA, "/docs": NO_DATA, "/openapi.json": NO_DATA,
    "/ui": CLOSED, "/.well-known": NO_DATA, "/app": NO_DATA, "/internal": CLOSED, "/deploy": CLOSED,
}  # fmt: skip
"""By how their paths begin."""


@pytest.fixture(scope="module")
def api(keyed_server: GraphServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{keyed_server.url}/app/api/", params=CORPUS, headers=KEYED, timeout=60) as client:
        yield client


@pytest.fixture
def with_key(keyed_server: GraphServer) -> Iterator[Callable[[str], SyncLangGraphClient]]:
    with ExitStack() as opened:
        yield lambda key: opened.enter_context(get_sync_client(url=keyed_server.url, api_key=key))


@pytest.fixture(scope="module")
def whole(keyed_server: GraphServer) -> Iterator[Services]:
    services = Services(Settings(home=keyed_server.folder / "home", _env_file=None))
    yield services
    services.close()


def leaks(said: str, asked: str = "") -> list[str]:
    # Ids and microseconds have many digits: five of them may be a mark's by chance.
    shown = [m for m in MARKS if re.search(rf"(?<![0-9a-f]){re.escape(m)}(?![0-9a-f])", said, re.IGNORECASE)]
    return [m for m in shown if m.casefold() not in asked.casefold()]


def test_every_route_says_how_it_keeps_to_the_rights(keyed_server: GraphServer) -> None:
    mount = next(r for r in app.routes if isinstance(r, Mount) and r.path == "/app")
    routes = [r for r in mount.routes if isinstance(r, Route)]
    ours = {f"{method} {r.path}" for r in routes for method in (r.methods or set()) - {"HEAD"}}
    assert ours == OUR_ROUTES.keys()
    described = httpx.get(f"{keyed_server.url}/openapi.json", headers=KEYED).json()["paths"]
    unknown = [p for p in described if p != "/" and not any(f"{p}/".startswith(f"{b}/") for b in SERVER_ROUTES)]
    assert not unknown and len(described) > 20


def test_routes_that_read_show_no_more(api: httpx.Client, whole: Services) -> None:
    stored = {s.name: s for s in whole.catalog.tables("guarded")}
    hidden = [s for s in whole.vector_store("guarded").search("Quillon earns salary bonus", 50)]
    paths = ["corpora", "documents", "tables", "tables/staff", "confirmed", "suggestions"]
    paths += [f"tables/{name}" for name in stored] + [f"tables/{name}/rows" for name in stored]
    paths += ["tables/staff/rows?row_ids=1,2,3,4,5&around=5", f"tables/{stored['staff'].stored_as}/rows"]
    paths += [f"passages/{c.id}" for c in hidden]
    paths += [f"documents/{d.document_id}/uses" for d in whole.catalog.documents("guarded")]
    said = {path: api.get(path) for path in paths}
    sources = [d.source for d in whole.catalog.documents("guarded")]
    said |= {
        s: api.get("files", params={"source": s}) for s in sources
    }  # in the URL, the client's own would replace it
    assert {s for s in sources if said[s].status_code == 200} == {"teams.csv", "visits_2024.csv", "visits_2025.csv"}
    assert len(hidden) >= 5 and any(leaks(c.text) for c in hidden)
    assert {path: leaks(r.text, path) for path, r in said.items() if leaks(r.text, path)} == {}
    assert said["tables/staff"].json()["row_count"] == 2
    assert {t["name"] for t in said["tables"].json()["tables"]} & {"payroll", "payslips"} == set()
    assert said["tables/payroll"].status_code == said["tables/payroll/rows"].status_code == 404
    rows = said["tables/staff/rows"].json()["rows"]
    assert [r["cells"] for r in rows] == [["Ada", "EMEA", "Red"], ["Cid", "EMEA", "Blue"]]


@pytest.mark.parametrize(
    "sql", ["SELECT salary FROM staff", "SELECT name FROM staff", "SELECT * FROM payroll", "SELECT COUNT(*) FROM staff"]
)
def test_statements_of_receipts_and_corrections_show_no_more(api: httpx.Client, sql: str) -> None:
    receipt = {"sql": sql, "tables": ["staff"], "sources": ["staff.csv"], "result_hash": "x"}
    opened = api.post("receipts", json=receipt)
    tried = api.post("confirmed", json={"question": "Who?", "sql": sql})
    assert leaks(opened.text, sql) == leaks(tried.text, sql) == []
    assert "[5]" not in tried.text
    every = [api.post("results", json={"sql": sql}), api.post("results/run", json={"sql": sql})]
    every += [api.post("results/file", json={"sql": sql, "format": "csv"}), api.post("suggestions", json={"sql": sql})]
    assert [leaks(r.text, sql) for r in every] == [[], [], [], []]


def test_pages_and_files_of_results_have_the_rows_that_the_key_sees(api: httpx.Client) -> None:
    sql = {"sql": "SELECT name FROM staff"}
    assert api.post("results", json=sql).json()["rows"] == [["Ada"], ["Cid"]]
    assert api.post("results", json=sql | {"wanted": {"search": "quillon"}}).json()["total"] == 0
    assert api.post("results/file", json=sql | {"format": "csv"}).text == "\ufeffName\r\nAda\r\nCid\r\n"


def test_saved_questions_are_the_key_s_own_and_run_with_its_rights(api: httpx.Client) -> None:
    hidden = api.post("saved", json={"question": "Salaries?", "sql": ["SELECT salary FROM staff"]})
    assert (hidden.status_code, leaks(hidden.text)) == (422, [])
    kept = api.post("saved", json={"question": "Who?", "sql": ["SELECT name FROM staff"]}).json()
    assert kept["text"] == "Ada, Cid"
    again = api.post(f"saved/{kept['id']}", json={})
    assert (again.json()["same"], leaks(again.text)) == (True, [])
    board = api.post("boards", json={"title": "Mine", "items": [kept["id"]]}).json()["id"]
    other = {"headers": {"X-Api-Key": ALL_KEY}}
    assert api.get("saved", **other).json()["saved"] == api.get("boards", **other).json()["boards"] == []
    for method, path, body in (("POST", f"saved/{kept['id']}", {}), ("PATCH", f"saved/{kept['id']}", {"title": "x"}),
                               ("DELETE", f"saved/{kept['id']}", None), ("DELETE", f"boards/{board}", None),
                               ("PUT", f"boards/{board}", {"title": "x"})):  # fmt: skip
        assert api.request(method, path, json=body, **other).status_code == 404
    assert [api.delete(f"saved/{kept['id']}").status_code, api.delete(f"boards/{board}").status_code] == [200, 200]


def test_what_the_key_does_not_see_it_cannot_replace(api: httpx.Client) -> None:
    given = {"files": ("staff.csv", b"Name,Region\nX,EMEA\n")}
    document = api.get("documents").json()["documents"][0]["id"]
    for reply in (
        api.post("uploads", files=given),
        api.get("uploads"),
        api.get("uploads/any"),
        api.delete("uploads/any"),
        api.delete(f"documents/{document}"),
    ):
        assert (reply.status_code, "may only read" in reply.text) == (403, True), reply.text


def test_what_the_key_confirms_serves_no_other(api: httpx.Client) -> None:
    kept = {"question": "Who?", "sql": "SELECT name FROM staff", "keep": True}
    reply = api.post("confirmed", json=kept)
    assert (reply.status_code, reply.json()["rows"]) == (200, [["Ada"], ["Cid"]])
    (mine,) = api.get("confirmed").json()["confirmed"]
    assert (mine["question"], mine["answer"], mine["by"]) == ("Who?", "Ada, Cid", "EMEA desk")
    assert api.get("confirmed", headers={"X-Api-Key": ALL_KEY}).json() == {"confirmed": []}
    assert api.post("confirmed", json=kept | {"sql": "SELECT salary FROM staff"}).status_code == 422
    assert api.request("DELETE", "confirmed", json={"question": "Who?"}).status_code == 200
    assert api.get("confirmed").json() == {"confirmed": []}


@pytest.mark.parametrize(
    ("system", "question"),
    [
        ("tablerag", "What is the total salary of the staff?"),
        ("tablerag", "How many staff work in the region US?"),
        ("tablerag", "What is the bonus of Vesper?"),
        ("tablerag", "List the names of all staff"),
        ("hd_rag", "What does Quillon earn?"),
        ("text2sql", "Which staff have the highest salary?"),
    ],
)
def test_runs_and_their_threads_show_no_more(
    with_key: Callable[[str], SyncLangGraphClient], system: str, question: str
) -> None:
    mine = with_key(EMEA_KEY)
    thread = mine.threads.create()["thread_id"]
    try:
        said = [*mine.runs.stream(thread, system, input={"question": question}, context=CORPUS, stream_mode="debug")]
    except Exception as error:  # such as that no summaries were made
        said = [error]
    kept = [mine.threads.get_state(thread), mine.threads.get_history(thread, limit=50), mine.threads.get(thread)]
    assert leaks(f"{said}{json.dumps(kept, default=str)}", question) == []
    assert "row_filter" not in json.dumps(kept, default=str)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("How many staff are there?", "2"),
        ("Which staff are in team Blue?", "Cid"),
        ("Which floor is team Red on?", "Red: 1"),
    ],
)
def test_what_the_key_sees_is_answered(
    with_key: Callable[[str], SyncLangGraphClient], question: str, right: str
) -> None:
    said = with_key(EMEA_KEY).runs.wait(None, "tablerag", input={"question": question}, context=CORPUS)
    assert (said["answer"], said["verdict"]) == (right, "sql_only")


def test_over_mcp_no_more_is_shown(keyed_server: GraphServer) -> None:
    question = {"question": "Which names do the staff have?", "context": CORPUS}

    async def asked() -> Any:
        async with httpx.AsyncClient(headers=KEYED, timeout=60) as http:
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
            call["params"] = {"name": "tablerag", "arguments": question}
            accepted = {"accept": "application/json, text/event-stream"}
            return (await http.post(f"{keyed_server.url}/mcp", json=call, headers=accepted)).text

    assert Client is not None
    assert leaks(asyncio.run(asked()), str(question)) == []


def test_the_mcp_tools_show_no_more(keyed_server: GraphServer) -> None:
    calls = [
        ("ask", {"question": "What is the total salary of the staff?"}),
        ("ask", {"question": "What is the bonus of Vesper?"}),
        ("ask", {"question": "List the names of all staff"}),
        ("list_tables", {}),
        ("list_tables", {"matching": "bonus"}),
        *(("describe_table", {"name": name}) for name in ("staff", "teams", "payroll", "visitors")),
        *(("run_sql", {"sql": sql}) for sql in ("SELECT * FROM staff", "SELECT salary FROM staff")),
        ("run_sql", {"sql": "SELECT * FROM payroll"}),
        ("run_sql", {"sql": "SELECT name FROM staff WHERE region = 'US'"}),
        ("search_documents", {"query": "Quillon earns salary bonus", "limit": 20}),
    ]

    async def asked() -> list[CallToolResult]:
        async with (
            httpx2.AsyncClient(headers=KEYED, timeout=60) as http,
            Client(streamable_http_client(f"{keyed_server.url}/app/mcp", http_client=http)) as client,
        ):
            return [await client.call_tool(name, given | CORPUS) for name, given in calls]

    for (name, given), result in zip(calls, asyncio.run(asked()), strict=True):
        assert leaks(result.model_dump_json(), str(given)) == [], (name, given)
        if name == "list_tables":
            assert "staff" in str(result.structured_content) or given
        if given.get("sql") == "SELECT * FROM staff":
            assert result.structured_content["rows"] == [["Ada", "EMEA", "Red"], ["Cid", "EMEA", "Blue"]]


@pytest.mark.parametrize("at", ["execute", "nl2sql"])
@pytest.mark.parametrize(("key", "corpus"), [(EMEA_KEY, "guarded"), (SALES_KEY, "default")])
def test_a_rewritten_thread_reads_no_more(
    with_key: Callable[[str], SyncLangGraphClient], whole: Services, at: str, key: str, corpus: str
) -> None:
    mine, table = with_key(key), {"guarded": "payroll", "default": "staff"}[corpus]
    schema = next(s for s in whole.catalog.tables("guarded") if s.name == table)
    thread = mine.threads.create()["thread_id"]
    asked = {"guarded": "Which floor is team Red on?", "default": "What is the total amount?"}[corpus]
    mine.runs.wait(thread, "tablerag", input={"question": asked}, context={"corpus": corpus})
    before = next(s for s in mine.threads.get_history(thread, limit=50) if s["next"] == [at])
    bare = tuple(c.model_copy(update={"examples": ()}) for c in schema.columns)
    schema = schema.model_copy(update={"columns": bare})
    forged = {"schemas": [schema.model_dump(mode="json")], "understood": f"List all {table}"}
    forged |= {"candidate_sql": f"SELECT * FROM {table}"} if at == "execute" else {}
    forked = mine.threads.update_state(thread, forged, checkpoint=before["checkpoint"])
    try:
        said = mine.runs.wait(thread, "tablerag", input=None, checkpoint=forked["checkpoint"])
    except Exception as error:
        said = error
    kept = json.dumps(mine.threads.get_state(thread), default=str)
    assert leaks(f"{said!r}{kept}", str(forged)) == []


def test_the_other_keys_see_all_of_it(keyed_server: GraphServer) -> None:
    headers = {"X-Api-Key": ALL_KEY}
    rows = httpx.get(f"{keyed_server.url}/app/api/tables/staff/rows", params=CORPUS, headers=headers).json()["rows"]
    assert len(rows) == 5 and "QUARTZ4" in str(rows)
