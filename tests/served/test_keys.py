"""A served deployment with API keys: each key tries to reach what is another's."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import APIStatusError

from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.graph_server import ALL_KEY as ALL
from tests.support.graph_server import PAYROLL_KEY as PAYROLL
from tests.support.graph_server import SALES_KEY as SALES
from tests.support.graph_server import GraphServer

AMOUNT = {"question": "What is the total amount?"}
SALARY = {"question": "What is the total salary?"}


@pytest.fixture
def with_key(keyed_server: GraphServer) -> Iterator[Callable[[str], SyncLangGraphClient]]:
    with ExitStack() as opened:
        yield lambda key: opened.enter_context(get_sync_client(url=keyed_server.url, api_key=key))


def refused(status: int, call: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    with pytest.raises((APIStatusError, httpx.HTTPStatusError)) as failure:
        call(*args, **kwargs)
    assert failure.value.response.status_code == status, failure.value
    return f"{failure.value} {failure.value.response.text}"


@pytest.mark.parametrize(
    ("headers", "says"),
    [
        ({}, "missing API key"),
        ({"X-Api-Key": "wrong"}, "unknown API key"),
        ({"Authorization": f"Bearer {SALES}x"}, "unknown API key"),
        ({"Authorization": f"Basic {SALES}"}, "missing API key"),
        # What Studio sends instead of a key opens nothing.
        ({"x-auth-scheme": "langsmith"}, "missing API key"),
    ],
)
@pytest.mark.parametrize("path", ["/threads/search", "/assistants/search", "/runs/wait", "/store/items/search", "/mcp"])
def test_no_key_and_a_wrong_one_open_nothing(keyed_server: GraphServer, headers: dict, says: str, path: str) -> None:
    response = httpx.post(f"{keyed_server.url}{path}", headers=headers, json={})
    assert response.status_code == 401
    assert says in response.json()["detail"]


def test_a_key_comes_in_either_header(keyed_server: GraphServer) -> None:
    for headers in ({"X-Api-Key": SALES}, {"Authorization": f"Bearer {SALES}"}):
        assert httpx.post(f"{keyed_server.url}/threads/search", headers=headers, json={}).status_code == 200


@pytest.mark.parametrize("path", ["/internal/truncate", "/internal/debug/thread/1", "/deploy"])
def test_routes_that_ask_for_no_key_are_closed(keyed_server: GraphServer, path: str) -> None:
    for method in ("GET", "POST"):
        response = httpx.request(method, f"{keyed_server.url}{path}", headers={"X-Api-Key": ALL})
        assert (response.status_code, "closed" in response.text) == (403, True)


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/x", "http://192.168.1.1/", "http://169.254.169.254/", "/internal/truncate"]
)
def test_no_result_is_sent_into_the_servers_own_network(keyed_server: GraphServer, url: str) -> None:
    asked = {"assistant_id": "tablerag", "input": AMOUNT, "webhook": url}
    response = httpx.post(f"{keyed_server.url}/runs", headers={"X-Api-Key": SALES}, json=asked)
    assert response.status_code == 422


def test_another_keys_thread_is_not_there(
    keyed_server: GraphServer, with_key: Callable[[str], SyncLangGraphClient]
) -> None:
    mine, theirs = with_key(SALES), with_key(PAYROLL)
    thread = mine.threads.create()["thread_id"]
    result = mine.runs.wait(thread, "tablerag", input=AMOUNT, context={"corpus": "default"})
    assert result["answer"] == "2,000"
    (run,) = mine.runs.list(thread)
    assert thread in [t["thread_id"] for t in mine.threads.search()]

    assert thread not in [t["thread_id"] for t in theirs.threads.search()]
    assert theirs.threads.search(metadata=mine.threads.get(thread)["metadata"]) == []
    for call, *args in (
        (theirs.threads.get, thread),
        (theirs.threads.get_state, thread),
        (theirs.threads.get_history, thread),
        (theirs.threads.update, thread),
        (theirs.threads.update_state, thread, {"answer": "9"}),
        (theirs.threads.delete, thread),
        (theirs.runs.list, thread),
        (theirs.runs.get, thread, run["run_id"]),
        (theirs.runs.join, thread, run["run_id"]),
        (theirs.runs.cancel, thread, run["run_id"]),
        (theirs.runs.delete, thread, run["run_id"]),
        (theirs.runs.wait, thread, "tablerag"),
    ):
        more = {"metadata": {}} if call == theirs.threads.update else {}
        more = {"input": SALARY, "context": {"corpus": "payroll"}} if call == theirs.runs.wait else more
        refused(404, call, *args, **more)
    refused(409, theirs.threads.create, thread_id=thread)
    refused(409, theirs.threads.copy, thread)
    refused(404, lambda: list(theirs.runs.stream(thread, "tablerag", input=SALARY, context={"corpus": "payroll"})))
    command = {"id": 1, "method": "run.start", "params": {"assistant_id": "tablerag", "input": SALARY}}
    started = httpx.post(f"{keyed_server.url}/threads/{thread}/commands", headers={"X-Api-Key": PAYROLL}, json=command)
    assert (started.json()["type"], "not found" in started.text) == ("error", True)
    assert mine.threads.get_state(thread)["values"]["answer"] == "2,000"


def test_a_thread_cannot_be_given_away_or_taken(with_key: Callable[[str], SyncLangGraphClient]) -> None:
    mine, theirs = with_key(SALES), with_key(PAYROLL)
    owner = theirs.threads.create()["metadata"]["owner"]
    thread = mine.threads.create(metadata={"owner": owner})["thread_id"]
    mine.threads.update(thread, metadata={"owner": owner})
    assert thread not in [t["thread_id"] for t in theirs.threads.search()]
    assert mine.threads.get(thread)["metadata"]["owner"] != owner


def test_a_corpus_of_another_key_is_refused(with_key: Callable[[str], SyncLangGraphClient]) -> None:
    mine = with_key(SALES)
    foreign = {"corpus": "payroll"}
    says = "this API key has no access to corpus 'payroll'"
    assert says in refused(403, mine.runs.wait, None, "tablerag", input=SALARY, context=foreign)
    assert says in refused(403, mine.runs.wait, None, "tablerag", input=SALARY, config={"configurable": foreign})
    assert says in refused(403, mine.assistants.create, "tablerag", context=foreign)
    assert says in refused(403, mine.assistants.create, "tablerag", config={"configurable": foreign})
    own = mine.assistants.create("tablerag", context={"corpus": "default"})["assistant_id"]
    assert says in refused(403, mine.assistants.update, own, context=foreign)
    assert says in refused(403, mine.crons.create, "tablerag", schedule="0 0 1 1 *", input=SALARY, context=foreign)
    assert mine.runs.wait(None, own, input=AMOUNT)["answer"] == "2,000"


def test_the_default_corpus_is_refused_to_a_key_that_lacks_it(with_key: Callable[[str], SyncLangGraphClient]) -> None:
    theirs = with_key(PAYROLL)
    with pytest.raises(Exception, match="AccessDenied: this API key has no access to corpus 'default'"):
        theirs.runs.wait(None, "tablerag", input=AMOUNT)
    assert theirs.runs.wait(None, "tablerag", input=SALARY, context={"corpus": "payroll"})["answer"] == "12,000"
    anywhere = with_key(ALL)
    assert anywhere.runs.wait(None, "tablerag", input=SALARY, context={"corpus": "payroll"})["answer"] == "12,000"


def test_a_state_rewritten_to_read_anothers_table_reads_nothing(
    keyed_server: GraphServer, with_key: Callable[[str], SyncLangGraphClient]
) -> None:
    mine = with_key(SALES)
    services = Services(Settings(home=keyed_server.folder / "home", _env_file=None))
    (salaries,) = services.catalog.schemas("payroll")
    services.close()
    thread = mine.threads.create()["thread_id"]
    mine.runs.wait(thread, "tablerag", input=AMOUNT)
    before = next(s for s in mine.threads.get_history(thread, limit=50) if s["next"] == ["execute"])
    forged = {"candidate_sql": f"SELECT salary FROM {salaries.name}", "schemas": [salaries.model_dump(mode="json")]}
    forked = mine.threads.update_state(thread, forged, checkpoint=before["checkpoint"])
    with pytest.raises(Exception, match=f"AccessDenied: this API key has no access to table '{salaries.name}'"):
        mine.runs.wait(thread, "tablerag", input=None, checkpoint=forked["checkpoint"])


def test_assistants_are_seen_by_their_owner(with_key: Callable[[str], SyncLangGraphClient]) -> None:
    mine, theirs = with_key(SALES), with_key(PAYROLL)
    own = mine.assistants.create("tablerag", name="Mine", metadata={"team": "sales"})["assistant_id"]
    assert "Mine" not in {a["name"] for a in theirs.assistants.search(limit=50)}
    assert {a["metadata"].get("created_by") for a in theirs.assistants.search(limit=50)} == {"system"}
    assert {"tablerag", "Mine"} <= {a["name"] for a in mine.assistants.search(limit=50)}
    refused(404, theirs.assistants.get, own)
    refused(404, theirs.assistants.update, own, name="Theirs")
    refused(404, theirs.assistants.delete, own)
    refused(404, theirs.runs.wait, None, own, input=SALARY, context={"corpus": "payroll"})
    says = refused(403, mine.assistants.create, "tablerag", metadata={"created_by": "system"})
    assert "created_by is reserved for the server" in says
    (system,) = theirs.assistants.search(graph_id="tablerag")
    refused(404, theirs.assistants.update, system["assistant_id"], context={"corpus": "payroll"})


def test_crons_and_stored_items_are_their_owners(with_key: Callable[[str], SyncLangGraphClient]) -> None:
    mine, theirs = with_key(SALES), with_key(PAYROLL)
    cron = mine.crons.create("tablerag", schedule="0 0 1 1 *", input=AMOUNT, context={"corpus": "default"})
    found = [c["cron_id"] for c in mine.crons.search()]
    assert len(found) == 1 and theirs.crons.search() == [], cron
    refused(404, theirs.crons.delete, found[0])
    mine.crons.delete(found[0])

    name = str(uuid4())
    mine.store.put_item(["notes"], name, {"text": "mine"})
    assert mine.store.get_item(["notes"], name)["value"] == {"text": "mine"}
    owner = mine.threads.create()["metadata"]["owner"]
    for namespace in (["notes"], [owner, "notes"]):
        assert theirs.store.get_item(namespace, name) is None
        assert theirs.store.search_items(namespace)["items"] == []
    assert not [n for n in theirs.store.list_namespaces()["namespaces"] if n[0] == owner]


def test_keys_that_cannot_be_read_stop_the_server_in_one_line() -> None:
    keys = {"TABLERAG_API_KEYS": '{"secret-1": "default"}'}
    started = subprocess.run(
        [sys.executable, "-c", "import tablerag.tools.access.auth"],
        env=os.environ | keys,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert started.returncode == 1
    (line,) = started.stderr.splitlines()
    assert line.startswith("tablerag: invalid settings: TABLERAG_API_KEYS: key 1 has no list of corpora")
    assert "secret-1" not in line
