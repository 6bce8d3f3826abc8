"""execute: guard the statement, run it read-only and bounded, find its supporting rows, and check what it asks."""

from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.agreement import agreed
from tablerag.agent.context import Context
from tablerag.agent.ports import Alternatives, Doubts, RunSql
from tablerag.agent.serialization import chunks_of, dump, schemas_of
from tablerag.agent.state import State
from tablerag.tools.errors import SqlProblem
from tablerag.tools.records import SqlResult
from tablerag.tools.sql.shapes import is_like_one_of

__all__ = ["execute"]

FOUND_NOTHING = "it found nothing:"
DOUBTED = "it ran, but"
"""How the errors of statements begin that may be sent again: they ran, and what they found is in doubt."""


def execute(
    state: State, runtime: Runtime[Context], *, run_sql: RunSql, doubts: Doubts, alternatives: Alternatives
) -> dict[str, Any]:
    """Run the candidate; add a statement that fails, or that is in doubt, to the attempts, with the reason."""
    schemas = schemas_of(state["schemas"])
    sql, agreement = agreed(state["candidate_sql"] or "", state.get("other_candidates") or [], schemas, run_sql)
    try:
        _check_new(sql, state)
        result, supporting = run_sql(sql, schemas)
    except SqlProblem as problem:
        return _failed(state, runtime, sql, str(problem)) | {"sql_error": str(problem)}
    found = {
        "agreement": agreement,
        "result": result.model_dump(mode="json"),
        "supporting": dump(supporting),
        "sql_error": None,
    }
    missing = result.empty.says if result.empty and result.empty.missing else None
    if missing is not None and not state.get("missing") and len(state["attempts"]) < state["max_sql_repairs"]:
        # A misspelt value is the likeliest reason for an empty result: have it corrected first.
        return _failed(state, runtime, sql, f"{FOUND_NOTHING} {missing}") | {"sql_error": missing, "missing": missing}
    if _is_checked(state, result):
        says = doubts(state["understood"], result, schemas, _read_so_far(state))
        if says and _may_be_sent_again(state):
            return _failed(state, runtime, sql, f"{DOUBTED} {'; '.join(says)}") | {"sql_error": says[0]}
        found["doubt"] = "; ".join(says)
        found["alternatives"] = list(alternatives(state["understood"], result, schemas))
    runtime.stream_writer(events.rows(state["iteration"], result))
    return found | {"missing": missing}


def _is_checked(state: State, result: SqlResult) -> bool:
    """Tell whether a model's statement is checked: if it gives the answer, in a way that nobody has confirmed."""
    plan = state.get("plan") if state["approval"] != "edited" else None
    is_answer = bool(plan and plan["purpose"] == "answer" and not result.empty)
    return is_answer and not is_like_one_of(result.sql, state.get("confirmed_sql", ()))


def _read_so_far(state: State) -> str:
    """Return the passages, confirmed statements and cells of earlier results, which may have led to the statement."""
    passages = (f"{c.title} {c.text}" for c in chunks_of(state["chunks"]))
    cells = (str(cell) for step in state["steps"] for row in step["rows"] for cell in row)
    return " ".join([*passages, *state.get("examples", ()), *cells])


def _may_be_sent_again(state: State) -> bool:
    """Tell whether a doubt goes back: once for each step; after that it is told with the answer."""
    doubted = any(a["error"].startswith(DOUBTED) for a in state["attempts"])
    return not doubted and len(state["attempts"]) < state["max_sql_repairs"]


def _failed(state: State, runtime: Runtime[Context], sql: str, error: str) -> dict[str, Any]:
    runtime.stream_writer(events.sql_error(state["iteration"], len(state["attempts"]) + 1, sql, error))
    return {"attempts": [*state["attempts"], {"sql": sql, "error": error}], "result": None}


def _check_new(sql: str, state: State) -> None:
    """Raise the earlier error of a repeated statement without running it: one that timed out would do so again."""
    for attempt in state["attempts"]:
        if attempt["sql"] == sql and not attempt["error"].startswith((FOUND_NOTHING, DOUBTED)):
            raise SqlProblem(attempt["error"])
