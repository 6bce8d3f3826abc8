"""approve: stop before a statement runs, until a person approves, edits or rejects it."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from tablerag.agent import events
from tablerag.agent.approval import NO_REASON, REJECTED, read_decision, request_for
from tablerag.agent.context import Context
from tablerag.agent.state import State

__all__ = ["approve"]


def approve(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Ask, and take the decision into the state; the guard judges an edited statement like any other."""
    sql, subquery = state["candidate_sql"] or "", state["subquery"] or ""
    tables = [s["name"] for s in state["schemas"]]
    decision = None
    asked = 0
    while decision is None:
        decision = read_decision(interrupt(request_for(sql, subquery, tables, unread=asked > 0)))
        asked += 1
    if decision["type"] == "reject":
        error = f"{REJECTED}{decision['message'] or NO_REASON}"
        runtime.stream_writer(events.sql_error(state["iteration"], len(state["attempts"]) + 1, sql, error))
        attempts = [*state["attempts"], {"sql": sql, "error": error}]
        return {"approval": "rejected", "attempts": attempts, "sql_error": error, "result": None}
    if decision["type"] == "edit":
        return {"approval": "edited", "candidate_sql": decision["sql"]}
    return {"approval": "approved"}
