"""program_of_thought: the model writes Python over the best matching tables (arXiv 2211.12588); a sandbox runs it.

It takes the place of TableGPT2's agent, which works in the same way.
"""

from functools import partial
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.context import Context
from tablerag.agent.model.baseline import ProgramAttempt
from tablerag.agent.model.rendering import tables_text
from tablerag.agent.ports import BaselineTools, ModelFor, RunProgram, Search
from tablerag.agent.reasoning import CannotAnswer
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import dump, schemas_of
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost
from tablerag.graphs.deployment import Deployment
from tablerag.tools.errors import ProgramFailed

__all__ = ["build", "graph"]

AS_LIST = """
if isinstance(answer, pd.DataFrame):
    answer = [cell for row in answer.itertuples(index=False) for cell in row]
elif isinstance(answer, dict):
    listed = [v if isinstance(v, (list, tuple, set, pd.Series)) else [v] for v in answer.values()]
    answer = [v for values in listed for v in values]
"""
"""Appended to every program: turns an answer that is a table or a dict into a list."""


class State(BaselineState):
    """What the nodes share."""

    schemas: list[dict[str, Any]]
    attempts: list[dict[str, str]]
    program: str


def retrieve(state: State, runtime: Runtime[Context], *, search: Search) -> dict[str, Any]:
    """Retrieve tables, without text."""
    context = context_of(runtime, Context).model_copy(update={"text_retrieval": False})
    _, schemas = search(begun(state), context, "")
    return {"schemas": dump(schemas), "attempts": [], "stopped_by": "", "iterations": 0}


def write(state: State, runtime: Runtime[Context], *, model_for: ModelFor) -> dict[str, Any]:
    """Ask for a program; a refusal ends the run."""
    model, schemas = model_for(context_of(runtime, Context)), schemas_of(state["schemas"])
    if not schemas:
        return answered("", "no table found") | {"model": model.name}
    attempts = [ProgramAttempt(**a) for a in state["attempts"]]
    thought = model.write_program(begun(state), tables_text(schemas), attempts)
    update = {"usage": cost(state, thought.usage), "model": model.name, "iterations": state["iterations"] + 1}
    if isinstance(thought.value, CannotAnswer):
        return update | answered("", thought.value.reason)
    return update | {"program": thought.value.code}


def execute(state: State, runtime: Runtime[Context], *, run_program: RunProgram) -> dict[str, Any]:
    """Run the program; return a failed one with the reason, until the repairs are used up."""
    code = state["program"]
    try:
        values = run_program(f"{code}\n{AS_LIST}", schemas_of(state["schemas"]))
    except ProgramFailed as problem:
        attempts = [*state["attempts"], {"code": code, "error": str(problem)}]
        most = context_of(runtime, Context).max_sql_repairs
        ended = answered("", str(problem)) if len(attempts) > most else {}
        return ended | {"attempts": attempts}
    step = {"iteration": state["iterations"], "program": code, "values": values}
    return answered("; ".join(values)) | {"steps": [step]}


def after_write(state: State) -> Literal["execute", "__end__"]:
    """Run the program."""
    return "__end__" if state["stopped_by"] else "execute"


def after_execute(state: State) -> Literal["write", "__end__"]:
    """Have a program that failed repaired."""
    return "__end__" if state["stopped_by"] else "write"


def build(tools: BaselineTools | None = None) -> StateGraph[State, Context, BaselineInput, BaselineState]:
    """Wire the graph."""
    tools = tools or Deployment()
    wired = StateGraph(State, context_schema=Context, input_schema=BaselineInput, output_schema=BaselineState)
    wired.add_node("retrieve", partial(retrieve, search=tools.search))
    wired.add_node("write", partial(write, model_for=tools.model_for))
    wired.add_node("execute", partial(execute, run_program=tools.run_program))
    wired.add_edge(START, "retrieve")
    wired.add_edge("retrieve", "write")
    wired.add_conditional_edges("write", after_write, {"execute": "execute", "__end__": END})
    wired.add_conditional_edges("execute", after_execute, {"write": "write", "__end__": END})
    return wired


graph = build().compile(name="program_of_thought")
