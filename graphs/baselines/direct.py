"""direct: the model answers from its own knowledge, without documents."""

from functools import partial
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.context import Context
from tablerag.agent.ports import BaselineTools, ModelFor
from tablerag.agent.run_context import context_of
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost
from tablerag.graphs.deployment import Deployment

__all__ = ["build", "graph"]


def answer(state: BaselineState, runtime: Runtime[Context], *, model_for: ModelFor) -> dict[str, Any]:
    """Ask once."""
    model = model_for(context_of(runtime, Context))
    thought = model.answer(begun(state))
    update = answered(thought.value.answer, thought.value.explanation)
    return update | {"usage": cost(state, thought.usage), "model": model.name, "iterations": 1}


def build(tools: BaselineTools | None = None) -> StateGraph[BaselineState, Context, BaselineInput, BaselineState]:
    """Wire the graph."""
    tools = tools or Deployment()
    wired = StateGraph(BaselineState, context_schema=Context, input_schema=BaselineInput)
    wired.add_node("answer", partial(answer, model_for=tools.model_for))
    wired.add_edge(START, "answer")
    wired.add_edge("answer", END)
    return wired


graph = build().compile(name="direct")
