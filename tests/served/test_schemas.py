"""What Studio and other clients read before they ask: descriptions, forms, and assistants with their own context."""

import json

import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from tablerag.agent.context import Context
from tablerag.graphs.tablerag import graph
from tests.support.graph_server import ALL_KEY, GraphServer

BASELINES = ("direct", "naive_rag", "react", "text2sql", "sql_agent", "program_of_thought")


@pytest.fixture
def schemas(client: SyncLangGraphClient) -> dict:
    (assistant,) = client.assistants.search(graph_id="tablerag", metadata={"created_by": "system"})
    assert "SQL over whole tables" in assistant["description"]
    return client.assistants.get_schemas(assistant["assistant_id"])


def test_studio_draws_a_form_of_titles_bounds_and_nodes(schemas: dict) -> None:
    fields = schemas["context_schema"]["properties"]
    assert fields.keys() == Context.model_fields.keys()
    nodes = set(graph.nodes) - {"__start__"}
    for name, field in fields.items():
        assert field["title"] and field["description"] and "default" in field, name
        assert field["langgraph_nodes"] and set(field["langgraph_nodes"]) <= nodes, name
        if field["type"] == "integer":
            assert field["minimum"] <= field["default"] <= field["maximum"], name
    assert fields["approve_sql"]["type"] == "boolean"


def test_input_and_output_say_what_they_are(schemas: dict) -> None:
    asked = schemas["input_schema"]["properties"]
    assert asked.keys() == {"question", "messages"}
    assert asked["question"]["description"].startswith("A question about the documents")
    given = schemas["output_schema"]["properties"]
    assert given["verdict"]["enum"] == ["agree", "conflict", "sql_only", "text_only", "none"]
    assert {"answer", "sql", "citations", "steps", "messages"} <= given.keys()
    assert not {"chunks", "schemas", "candidate_sql"} & given.keys()


def test_an_assistant_keeps_a_context_of_its_own(client: SyncLangGraphClient) -> None:
    payroll = client.assistants.create("tablerag", context={"corpus": "payroll"}, name="Payroll")
    asked = {"question": "What is the total salary?"}
    assert client.runs.wait(None, payroll["assistant_id"], input=asked)["answer"] == "12,000"
    # What a run says for itself goes before what its assistant says.
    elsewhere = client.runs.wait(None, payroll["assistant_id"], input=asked, context={"corpus": "default"})
    assert elsewhere["stopped_by"] == "no_evidence"


def described(client: SyncLangGraphClient) -> set[str]:
    """Return the graphs that are served; each has a description."""
    served = {a["graph_id"]: a for a in client.assistants.search(metadata={"created_by": "system"}, limit=50)}
    assert all(len(a["description"]) > 40 for a in served.values())
    return {*served}


def test_the_two_systems_are_served(client: SyncLangGraphClient) -> None:
    assert described(client) == {"tablerag", "hd_rag"}


def test_baselines_are_served_for_evaluations(keyed_server: GraphServer) -> None:
    with get_sync_client(url=keyed_server.url, api_key=ALL_KEY) as client:
        assert described(client) == {"tablerag", "hd_rag", *BASELINES}
        result = client.runs.wait(None, "text2sql", input={"question": "What is the total amount?"})
        assert result["answer"] == "2000", result
        with pytest.raises(Exception, match="ConfigError: unknown context field 'corpsu': expected one of corpus, mo"):
            client.runs.wait(None, "direct", input={"question": "Who?"}, context={"corpsu": "items"})


def test_evaluations_are_served_as_the_rest(pytestconfig: pytest.Config) -> None:
    served, evaluated = (
        json.loads((pytestconfig.rootpath / name).read_text(encoding="utf-8"))
        for name in ("langgraph.json", "langgraph.evaluation.json")
    )
    baselines = {name: evaluated["graphs"].pop(name)["path"] for name in BASELINES}
    assert evaluated == served
    assert baselines == {name: f"tablerag.graphs.served_baselines:{name}" for name in BASELINES}
