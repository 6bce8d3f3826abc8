"""nl2sql: write one SELECT over the retrieved schemas."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from tablerag.agent import events
from tablerag.agent.choices import offer
from tablerag.agent.context import Context
from tablerag.agent.ports import Hints, Joins, ReasonerFor, Unmentioned
from tablerag.agent.readings import dumped_readings
from tablerag.agent.reasoning import CannotAnswer, SqlAttempt, SqlQuery, SqlTask
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import add_usage, dump, schemas_of
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
    unmentioned: Unmentioned,
) -> dict[str, Any]:
    """Ask the reasoner for one statement or, if configured, several; show it the failed attempts."""
    context = context_of(runtime, Context)
    schemas, subquery = schemas_of(state["schemas"]), state["subquery"] or ""
    task = SqlTask(
        question=state["understood"],
        subquery=subquery,
        schemas=schemas,
        hints=tuple(hints(subquery, schemas)),
        joins=tuple(joins(schemas)),
        attempts=tuple(SqlAttempt(**a) for a in state["attempts"]),
        row_limit=row_limit(),
        may_run=not state["approve_sql"],
    )
    reasoner = reasoner_for(context)
    thought = reasoner.write_sql(task)
    if isinstance(thought.value, CannotAnswer):
        refused = {"candidate_sql": None, "other_candidates": [], "sql_error": thought.value.reason}
        words = [] if state["attempts"] else list(unmentioned(state["understood"], context))
        if thought.value.unread is not None:  # the others are known by another name, or only say what to compute
            words = [w for w in words if set(w.split()) & set(thought.value.unread)]
        # A part of the question was asked: its readings do not answer the whole.
        whole = subquery.casefold() == state["understood"].casefold()
        readings = dumped_readings(thought.value.readings, schemas) if whole else []
        refused |= {"unmentioned": words, "usage": add_usage(state, thought.usage)}
        if not readings:
            return refused
        runtime.stream_writer(events.readings(state["iteration"], readings))
        return refused | {"readings": readings, "offered": offer(state["understood"], readings, dump(schemas))}
    sql, others, usage = thought.value.sql, [], thought.usage
    # A repair is not put to a vote, nor is a statement that a person will see before it runs.
    for _ in range(0 if state["attempts"] or state["approve_sql"] else context.sql_candidates - 1):
        again = reasoner.write_sql(replace(task, others=(sql, *others)))
        usage += again.usage
        if isinstance(again.value, SqlQuery):
            others.append(again.value.sql)
    runtime.stream_writer(events.sql(state["iteration"], len(state["attempts"]) + 1, sql))
    return {
        "candidate_sql": sql,
        "meaning": thought.value.meaning,
        "other_candidates": list(dict.fromkeys(others)),
        "usage": add_usage(state, usage),
    }
