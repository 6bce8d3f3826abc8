"""confirm: stop after an answer, until a person confirms it, corrects its statement, or passes on it."""

from typing import Any

from langgraph.types import interrupt

from tablerag.agent.approval import UNREAD, read_decision
from tablerag.agent.confirming import confirmation_request
from tablerag.agent.ports import Keep
from tablerag.agent.serialization import dump
from tablerag.agent.state import State
from tablerag.agent.turns import CLEARED
from tablerag.tools.errors import AccessDenied, ConfigError, SqlProblem

__all__ = ["confirm"]

CORRECTED = "As corrected by a person, and kept for questions like it."


def confirm(state: State, *, keep: Keep) -> dict[str, Any]:
    """Keep the answer's statement if it is confirmed; keep a corrected one, and answer with it."""
    question, problem = state["understood"], ""
    # Of an answer in several steps none of the statements is the answer's.
    sql = state["sql"][0] if len(state["sql"]) == 1 else ""
    while True:
        decision = read_decision(interrupt(confirmation_request(question, state["answer"], sql, problem)))
        if decision is None or (decision["type"] == "approve" and not sql):
            problem = UNREAD
            continue
        if decision["type"] == "reject":
            return {"confirm_answers": False}
        try:
            schemas = keep(question, decision["sql"] or sql, state["corpus"])
        except (SqlProblem, AccessDenied, ConfigError) as error:
            problem = f"Not kept: {error}"
            continue
        if decision["type"] == "approve":
            return {"confirm_answers": False}
        return {
            **CLEARED,
            "confirm_answers": False,
            "chosen": {"sql": decision["sql"], "meaning": question, "reason": CORRECTED},
            "schemas": dump(schemas),
            "subquery": question,
            "candidate_sql": decision["sql"],
            "approval": "edited",
            "iteration": 1,
            "max_sql_repairs": 0,
            "steps": [],
            "history": (state.get("history") or [])[:-1],  # finish adds the turn again
        }
