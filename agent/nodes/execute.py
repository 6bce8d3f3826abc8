"""execute: guard the statement, run it read-only and bounded, and find the rows that it rests on."""

from typing import Any

from langgraph.runtime import Runtime

from agent.agreement import agreed
from agent.context import Context
from agent.plain import dump, schemas_of
from agent.ports import RunSql
from agent.state import State
from tools.errors import SqlProblem

__all__ = ["execute"]


def execute(state: State, runtime: Runtime[Context], *, run_sql: RunSql) -> dict[str, Any]:
    """Run the candidate; a statement that does not run joins the attempts, with the reason."""
    schemas = schemas_of(state["schemas"])
    sql, agreement = agreed(state["candidate_sql"], state.get("other_candidates") or [], schemas, run_sql)
    try:
        result, supporting = run_sql(sql, schemas)
    except SqlProblem as problem:
        runtime.stream_writer({"node": "execute", "iteration": state["iteration"], "error": str(problem)})
        attempts = [*state["attempts"], {"sql": sql, "error": str(problem)}]
        return {"attempts": attempts, "sql_error": str(problem), "result": None}
    runtime.stream_writer({"node": "execute", "iteration": state["iteration"], "rows": len(result.rows)})
    found = {
        "agreement": agreement,
        "result": result.model_dump(mode="json"),
        "supporting": dump(supporting),
        "sql_error": None,
    }
    if result.empty is None or not result.empty.missing:
        return found | {"missing": None}
    if state.get("missing") or len(state["attempts"]) >= state["max_sql_repairs"]:
        return found | {"missing": result.empty.says}
    # An empty result is not believed before the spelling was looked at once more.
    attempts = [*state["attempts"], {"sql": sql, "error": f"it found nothing: {result.empty.says}"}]
    return {"attempts": attempts, "sql_error": result.empty.says, "result": None, "missing": result.empty.says}
