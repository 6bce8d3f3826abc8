"""Decisions as clients of all kinds send them."""

import pytest

from tablerag.agent.approval import read_decision, request_for


def test_the_request_is_what_agent_chat_ui_draws() -> None:
    asked = request_for("SELECT 1", "How much?", ["sales"])
    assert asked["action_requests"][0]["name"] == asked["review_configs"][0]["action_name"] == "execute_sql"
    assert asked["action_requests"][0]["args"] == {"sql": "SELECT 1"}
    assert asked["review_configs"][0]["allowed_decisions"] == ["approve", "edit", "reject"]


@pytest.mark.parametrize(
    ("reply", "kind", "sql", "message"),
    [
        ({"decisions": [{"type": "approve"}]}, "approve", "", ""),
        ([{"type": "accept"}], "approve", "", ""),
        (True, "approve", "", ""),
        ("Approve", "approve", "", ""),
        (
            {"decisions": [{"type": "edit", "edited_action": {"name": "execute_sql", "args": {"sql": " SELECT 2 "}}}]},
            "edit",
            "SELECT 2",
            "",
        ),
        ([{"type": "edit", "args": {"action": "execute_sql", "args": {"sql": "SELECT 2"}}}], "edit", "SELECT 2", ""),
        ({"type": "edit", "sql": "SELECT 2"}, "edit", "SELECT 2", ""),
        ({"decisions": [{"type": "reject", "message": "wrong\nyear"}]}, "reject", "", "wrong year"),
        ([{"type": "response", "args": "use 2024"}], "reject", "", "use 2024"),
        (False, "reject", "", ""),
    ],
)
def test_decisions_are_read(reply, kind, sql, message) -> None:
    assert read_decision(reply) == {"type": kind, "sql": sql, "message": message}


@pytest.mark.parametrize(
    "reply", [None, {}, [], "maybe", {"decisions": []}, {"type": "edit"}, {"type": "edit", "sql": 1}, 7, [[]]]
)
def test_what_is_no_decision_is_none(reply) -> None:
    assert read_decision(reply) is None
