"""nl2sql: write one SELECT over the retrieved schemas."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.context import Context
from tablerag.agent.ports import Hints, Joins, ReasonerFor
from tablerag.agent.reasoning import CannotAnswer, SqlAttempt, SqlQuery, SqlTask
from tablerag.agent.serialization import add_usage, schemas_of
from tablerag.agent.state import State

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
    """Ask the reasoner for a statement, showing it the attempts that did not run; for several if that is wanted."""
    context = runtime.context or Context()
    schemas = schemas_of(state["schemas"])
    task = SqlTask(
        question=state["understood"],
        subquery=state["subquery"],
        schemas=schemas,
        hints=tuple(hints(state["subquery"], schemas)),
        joins=tuple(joins(schemas)),
        attempts=tuple(SqlAttempt(**a) for a in state["attempts"]),
        row_limit=row_limit(),
    )
    reasoner = reasoner_for(context)
    thought = reasoner.write_sql(task)
    others, usage = [], thought.usage
    # One that is being repaired is not held against others, nor one that a person is to see before anything runs.
    alone = state["attempts"] or state["approve_sql"] or isinstance(thought.value, CannotAnswer)
    wanted = 0 if alone else context.sql_candidates - 1
    for _ in range(wanted):
        again = reasoner.write_sql(replace(task, others=(thought.value.sql, *others)))
        usage += again.usage
        if isinstance(again.value, SqlQuery):
            others.append(again.value.sql)
    update: dict[str, Any] = {"usage": add_usage(state, usage), "other_candidates": list(dict.fromkeys(others))}
    if isinstance(thought.value, CannotAnswer):
        return update | {"candidate_sql": None, "sql_error": thought.value.reason}
    runtime.stream_writer(events.sql(state["iteration"], len(state["attempts"]) + 1, thought.value.sql))
    return update | {"candidate_sql": thought.value.sql}
