"""Approval of a statement before it runs: the request, and how the reply is parsed.

The request has the shape that agent-chat-ui draws as Approve / Edit / Reject. Replies come from clients of all kinds,
so the usual spellings are accepted; after an unclear reply the request is repeated.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from tablerag.tools.markdown import escaped

__all__ = ["ACTION", "NO_REASON", "REJECTED", "UNREAD", "Decision", "only_decision", "read_decision", "request_for"]

ACTION = "execute_sql"
REJECTED = "rejected by the user: "
"""How the error of a statement begins that a person rejected; the reason follows, which is meant for the model."""
NO_REASON = "no reason given"
UNREAD = "Could not read the last reply: approve, edit or reject."
MEANINGS: dict[str, Literal["approve", "edit", "reject"]] = {
    "approve": "approve", "accept": "approve", "yes": "approve", "ok": "approve", "true": "approve",
    "edit": "edit",
    "reject": "reject", "ignore": "reject", "response": "reject", "respond": "reject", "no": "reject",
    "false": "reject",
}  # fmt: skip


class Decision(TypedDict):
    """A person's decision: ``sql`` is the statement to run after an edit, ``message`` the reason for a rejection."""

    type: Literal["approve", "edit", "reject"]
    sql: str
    message: str


def request_for(sql: str, subquery: str, tables: Sequence[str], unread: bool = False) -> dict[str, Any]:
    """Return the interrupt's value that asks for approval of a statement; its description is rendered as Markdown."""
    again = f"{UNREAD}\n\n" if unread else ""
    about = f"{again}Run this statement to answer: {escaped(subquery)}\nTables: {escaped(', '.join(tables))}"
    return {
        "action_requests": [{"name": ACTION, "args": {"sql": sql}, "description": about}],
        "review_configs": [{"action_name": ACTION, "allowed_decisions": ["approve", "edit", "reject"]}],
    }


def only_decision(reply: Any) -> Any:
    """Return the one decision of a client's reply, wherever it is put; None for several."""
    if isinstance(reply, dict) and "decisions" in reply:
        reply = reply["decisions"]
    if isinstance(reply, list | tuple):
        return reply[0] if len(reply) == 1 else None
    return reply


def read_decision(reply: Any) -> Decision | None:
    """Parse the value that a run was resumed with; None if it is not a decision."""
    reply = only_decision(reply)
    if isinstance(reply, bool | str):
        reply = {"type": str(reply)}
    if not isinstance(reply, dict):
        return None
    kind = MEANINGS.get(str(reply.get("type", "")).strip().lower())
    if kind is None:
        return None
    sql = _edited(reply) if kind == "edit" else ""
    if kind == "edit" and not sql:
        return None
    return Decision(type=kind, sql=sql, message=_message(reply) if kind == "reject" else "")


def _edited(reply: dict[str, Any]) -> str:
    """Return the statement of an edit, wherever the client puts it."""
    action = next((reply[k] for k in ("edited_action", "args") if isinstance(reply.get(k), dict)), {})
    args = action["args"] if isinstance(action.get("args"), dict) else action
    sql = args.get("sql", reply.get("sql"))
    return sql.strip() if isinstance(sql, str) else ""


def _message(reply: dict[str, Any]) -> str:
    message = next((reply[k] for k in ("message", "args") if isinstance(reply.get(k), str)), "")
    return " ".join(message.split())[:500]
