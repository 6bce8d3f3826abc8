"""text2sql: one statement over the best matching tables, repaired at most twice, without text."""

from functools import partial
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.context import Context
from tablerag.agent.ports import BaselineTools, Hints, Joins, ReasonerFor, RunSql, Search
from tablerag.agent.reasoners import with_schema_only
from tablerag.agent.reasoning import CannotAnswer, SqlAttempt, SqlTask, ValidateTask
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import dump, schemas_of
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost
from tablerag.graphs.deployment import Deployment
from tablerag.tools.errors import SqlProblem
from tablerag.tools.records import SqlResult

__all__ = ["build", "graph"]

SHOWN_ROWS = 50


class State(BaselineState):
    """What the nodes share."""

    schemas: list[dict[str, Any]]
    attempts: list[dict[str, str]]
    candidate: str
    result: dict[str, Any] | None


def retrieve(state: State, runtime: Runtime[Context], *, search: Search) -> dict[str, Any]:
    """Retrieve tables, without text."""
    context = context_of(runtime, Context).model_copy(update={"text_retrieval": False})
    _, schemas = search(begun(state), context, "")
    return {"schemas": dump(schemas), "attempts": [], "result": None, "stopped_by": "", "iterations": 0}


def write(
    state: State, runtime: Runtime[Context], *, reasoner_for: ReasonerFor, hints: Hints, joins: Joins
) -> dict[str, Any]:
    """Ask for a statement; a refusal ends the run."""
    reasoner, question, schemas = reasoner_for(context_of(runtime, Context)), begun(state), schemas_of(state["schemas"])
    if not schemas:
        return answered("", "no table found") | {"model": reasoner.name}
    task = SqlTask(
        question=question,
        subquery=question,
        schemas=schemas,
        hints=tuple(hints(question, schemas)),
        joins=tuple(joins(schemas)),
        attempts=tuple(SqlAttempt(**a) for a in state["attempts"]),
    )
    thought = reasoner.write_sql(task)
    update = {"usage": cost(state, thought.usage), "model": reasoner.name, "iterations": state["iterations"] + 1}
    if isinstance(thought.value, CannotAnswer):
        return update | answered("", thought.value.reason)
    return update | {"candidate": thought.value.sql}


def execute(state: State, runtime: Runtime[Context], *, run_sql: RunSql) -> dict[str, Any]:
    """Run the statement read-only; return a failed one with the reason, until the repairs are used up."""
    sql, schemas = state["candidate"], schemas_of(state["schemas"])
    try:
        result, _ = run_sql(sql, schemas)
    except SqlProblem as problem:
        attempts = [*state["attempts"], {"sql": sql, "error": str(problem)}]
        most = context_of(runtime, Context).max_sql_repairs
        ended = answered("", str(problem)) if len(attempts) > most else {}
        return ended | {"attempts": attempts}
    return {"result": result.model_dump(mode="json"), "sql": [result.sql]}


def read(state: State, runtime: Runtime[Context], *, reasoner_for: ReasonerFor) -> dict[str, Any]:
    """Answer from the result alone."""
    result, question = SqlResult(**(state["result"] or {})), begun(state)
    task = ValidateTask(question=question, subquery=question, chunks=(), result=result)
    thought = reasoner_for(context_of(runtime, Context)).cross_validate(task)
    rows = [list(row) for row in result.rows[:SHOWN_ROWS]]
    step = {"iteration": state["iterations"], "sql": result.sql, "columns": list(result.columns), "rows": rows}
    update = answered(thought.value.intermediate_answer, thought.value.reason)
    return update | {"usage": cost(state, thought.usage), "steps": [step]}


def after_write(state: State) -> Literal["execute", "__end__"]:
    """Run the statement."""
    return "__end__" if state["stopped_by"] else "execute"


def after_execute(state: State) -> Literal["write", "read", "__end__"]:
    """Answer from the result, or repair the statement."""
    if state["stopped_by"]:
        return "__end__"
    return "write" if state["result"] is None else "read"


def build(tools: BaselineTools | None = None) -> StateGraph[State, Context, BaselineInput, BaselineState]:
    """Wire the graph."""
    tools = tools or Deployment()
    thinks = {"reasoner_for": with_schema_only(tools.reasoner_for)}
    wired = StateGraph(State, context_schema=Context, input_schema=BaselineInput, output_schema=BaselineState)
    wired.add_node("retrieve", partial(retrieve, search=tools.search))
    wired.add_node("write", partial(write, **thinks, hints=tools.hints, joins=tools.joins))
    wired.add_node("execute", partial(execute, run_sql=tools.run_sql))
    wired.add_node("read", partial(read, **thinks))
    wired.add_edge(START, "retrieve")
    wired.add_edge("retrieve", "write")
    wired.add_conditional_edges("write", after_write, {"execute": "execute", "__end__": END})
    wired.add_conditional_edges("execute", after_execute, {"write": "write", "read": "read", "__end__": END})
    wired.add_edge("read", END)
    return wired


graph = build().compile(name="text2sql")
