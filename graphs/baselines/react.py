"""react: Thought, Action, Observation in turns (arXiv 2210.03629), five actions at most, over naive_rag's chunks."""

from functools import partial
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.context import Context
from tablerag.agent.model.baseline import Finish, Turn
from tablerag.agent.model.rendering import chunks_text
from tablerag.agent.ports import BaselineTools, ModelFor, Search
from tablerag.agent.run_context import context_of
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost
from tablerag.graphs.deployment import Deployment

__all__ = ["build", "graph"]


def act(state: BaselineState, runtime: Runtime[Context], *, model_for: ModelFor) -> dict[str, Any]:
    """Choose the next action; at the bound the run ends without an answer."""
    context = context_of(runtime, Context)
    model, steps = model_for(context), state.get("steps") or []
    turns = [Turn(s["thought"], s["subquery"], s["observation"]) for s in steps]
    thought = model.act(begun(state), turns, context.max_iterations - len(turns))
    update = {"usage": cost(state, thought.usage), "model": model.name, "iterations": len(turns) + 1}
    if isinstance(thought.value, Finish):
        return update | answered(thought.value.answer, thought.value.thought)
    if len(turns) + 1 >= context.max_iterations:
        return update | {"answer": "", "explanation": thought.value.thought, "stopped_by": "iteration_limit"}
    step = {"iteration": len(turns) + 1, "thought": thought.value.thought, "subquery": thought.value.query}
    return update | {"steps": [*steps, step], "stopped_by": ""}


def observe(state: BaselineState, runtime: Runtime[Context], *, search: Search) -> dict[str, Any]:
    """Return the search result as text."""
    *before, step = state["steps"]
    chunks, _ = search(step["subquery"], context_of(runtime, Context), "")
    return {"steps": [*before, step | {"observation": chunks_text(chunks)}]}


def after_act(state: BaselineState) -> Literal["observe", "__end__"]:
    """Search, or end."""
    return "__end__" if state["stopped_by"] else "observe"


def build(tools: BaselineTools | None = None) -> StateGraph[BaselineState, Context, BaselineInput, BaselineState]:
    """Wire the graph."""
    tools = tools or Deployment()
    wired = StateGraph(BaselineState, context_schema=Context, input_schema=BaselineInput)
    wired.add_node("act", partial(act, model_for=tools.model_for))
    wired.add_node("observe", partial(observe, search=tools.search))
    wired.add_edge(START, "act")
    wired.add_conditional_edges("act", after_act, {"observe": "observe", "__end__": END})
    wired.add_edge("observe", "act")
    return wired


graph = build().compile(name="react")
