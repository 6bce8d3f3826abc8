"""execute: guard the statement, run it read-only and bounded, and find its supporting rows."""

from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.agreement import agreed
from tablerag.agent.context import Context
from tablerag.agent.ports import RunSql
from tablerag.agent.serialization import dump, schemas_of
from tablerag.agent.state import State
from tablerag.tools.errors import SqlProblem

__all__ = ["execute"]

FOUND_NOTHING = "it found nothing:"


def execute(state: State, runtime: Runtime[Context], *, run_sql: RunSql) -> dict[str, Any]:
    """Run the candidate; add a statement that fails to the attempts, with the reason."""
    schemas = schemas_of(state["schemas"])
    number = state["iteration"], len(state["attempts"]) + 1
    sql, agreement = agreed(state["candidate_sql"] or "", state.get("other_candidates") or [], schemas, run_sql)
    try:
        _check_new(sql, state)
        result, supporting = run_sql(sql, schemas)
    except SqlProblem as problem:
        runtime.stream_writer(events.sql_error(*number, sql, str(problem)))
        attempts = [*state["attempts"], {"sql": sql, "error": str(problem)}]
        return {"attempts": attempts, "sql_error": str(problem), "result": None}
    found = {
        "agreement": agreement,
        "result": result.model_dump(mode="json"),
        "supporting": dump(supporting),
        "sql_error": None,
    }
    missing = result.empty.says if result.empty and result.empty.missing else None
    if missing is None or state.get("missing") or len(state["attempts"]) >= state["max_sql_repairs"]:
        runtime.stream_writer(events.rows(state["iteration"], result))
        return found | {"missing": missing}
    # A misspelt value is the likeliest reason for an empty result: have it corrected first.
    runtime.stream_writer(events.sql_error(*number, sql, f"{FOUND_NOTHING} {missing}"))
    attempts = [*state["attempts"], {"sql": sql, "error": f"{FOUND_NOTHING} {missing}"}]
    return {"attempts": attempts, "sql_error": missing, "result": None, "missing": missing}


def _check_new(sql: str, state: State) -> None:
    """Raise the earlier error of a repeated statement without running it: one that timed out would do so again."""
    for attempt in state["attempts"]:
        if attempt["sql"] == sql and not attempt["error"].startswith(FOUND_NOTHING):
            raise SqlProblem(attempt["error"])
