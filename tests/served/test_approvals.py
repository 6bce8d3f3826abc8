"""Statements that wait for a person on the server, and other statements run from the past."""

from typing import Any

import pytest
from langgraph_sdk.client import SyncLangGraphClient

ASKED = {"question": "What is the total amount?"}


@pytest.fixture
def waiting(client: SyncLangGraphClient) -> str:
    """Return a thread whose statement waits."""
    thread = client.threads.create()["thread_id"]
    client.runs.wait(thread, "tablerag", input=ASKED, context={"approve_sql": True})
    state = client.threads.get(thread)
    assert state["status"] == "interrupted"
    (interrupt,) = [i for found in state["interrupts"].values() for i in found]
    assert interrupt["value"]["review_configs"][0]["allowed_decisions"] == ["approve", "edit", "reject"]
    assert "SUM" in interrupt["value"]["action_requests"][0]["args"]["sql"]
    return thread


def decided(client: SyncLangGraphClient, thread: str, **decision: Any) -> dict[str, Any]:
    """Resume as agent-chat-ui does: with a command, and without a context."""
    return client.runs.wait(thread, "tablerag", command={"resume": {"decisions": [decision]}})


def test_an_approved_statement_runs(client: SyncLangGraphClient, waiting: str) -> None:
    result = decided(client, waiting, type="approve")
    assert (result["answer"], result["steps"][0]["approval"]) == ("2,000", "approved")


def test_an_edited_statement_runs_in_its_place(client: SyncLangGraphClient, waiting: str) -> None:
    edited = {"name": "execute_sql", "args": {"sql": "SELECT MIN(amount) FROM sales"}}
    step = decided(client, waiting, type="edit", edited_action=edited)["steps"][0]
    assert (step["rows"], step["approval"]) == ([[800]], "edited")


def test_a_rejected_statement_does_not_run(client: SyncLangGraphClient, waiting: str) -> None:
    result = decided(client, waiting, type="reject", message="not that one")
    assert (result["sql"], result["stopped_by"]) == ([], "no_evidence")
    assert result["steps"][0]["error"] == "rejected by the user: not that one"


def test_another_statement_is_run_from_the_past(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    client.runs.wait(thread, "tablerag", input=ASKED)
    before = next(s for s in client.threads.get_history(thread, limit=50) if s["next"] == ["execute"])
    forked = client.threads.update_state(
        thread, {"candidate_sql": "SELECT COUNT(*) FROM sales"}, checkpoint=before["checkpoint"]
    )
    result = client.runs.wait(thread, "tablerag", input=None, checkpoint=forked["checkpoint"])
    assert result["steps"][0]["rows"] == [[2]]
