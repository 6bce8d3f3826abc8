"""direct: the model answers from what it knows, no documents."""

from functools import partial
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.context import Context
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost
from tablerag.graphs.deployment import Deployment, ModelFor
from tablerag.tools.services import Services

__all__ = ["build", "graph"]


def answer(state: BaselineState, runtime: Runtime[Context], *, model_for: ModelFor) -> dict[str, Any]:
    """Ask once."""
    model = model_for(runtime.context or Context())
    thought = model.answer(begun(state))
    said = answered(thought.value.answer, thought.value.explanation)
    return said | {"usage": cost(state, thought.usage), "model": model.name, "iterations": 1}


def build(services: Services | None = None) -> StateGraph:
    """Wire the graph."""
    wired = StateGraph(BaselineState, context_schema=Context, input_schema=BaselineInput)
    wired.add_node("answer", partial(answer, model_for=Deployment(services).model_for))
    wired.add_edge(START, "answer")
    wired.add_edge("answer", END)
    return wired


graph = build().compile(name="direct")
