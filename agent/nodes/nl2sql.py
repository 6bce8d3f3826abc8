"""nl2sql: write one SELECT over the retrieved schemas."""

from collections.abc import Callable
from typing import Any

from langgraph.runtime import Runtime

from agent.context import Context
from agent.plain import add_usage, schemas_of
from agent.ports import Hints, Joins, ReasonerFor
from agent.reasoning import CannotAnswer, SqlAttempt, SqlTask
from agent.state import State

__all__ = ["nl2sql"]


def nl2sql(
    state: State,
    runtime: Runtime[Context],
    *,
    reasoner_for: ReasonerFor,
    hints: Hints,
    joins: Joins,
    row_limit: Callable[[], int],
) -> dict[str, Any]:
    """Ask the reasoner for a statement, showing it the attempts that did not run."""
    schemas = schemas_of(state["schemas"])
    thought = reasoner_for(runtime.context or Context()).write_sql(
        SqlTask(
            question=state["asked"],
            subquery=state["subquery"],
            schemas=schemas,
            hints=tuple(hints(state["subquery"], schemas)),
            joins=tuple(joins(schemas)),
            attempts=tuple(SqlAttempt(**a) for a in state["attempts"]),
            row_limit=row_limit(),
        )
    )
    update: dict[str, Any] = {"usage": add_usage(state, thought.usage)}
    if isinstance(thought.value, CannotAnswer):
        return update | {"candidate_sql": None, "sql_error": thought.value.reason}
    runtime.stream_writer({"node": "nl2sql", "iteration": state["iteration"], "sql": thought.value.sql})
    return update | {"candidate_sql": thought.value.sql}
