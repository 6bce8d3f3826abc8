"""naive_rag: one answer from the best matching chunks, with tables as Markdown."""

from functools import partial
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.context import Context
from tablerag.agent.ports import BaselineTools, ModelFor, Search
from tablerag.agent.run_context import context_of
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost, sources_of
from tablerag.graphs.deployment import Deployment

__all__ = ["build", "graph", "wired"]


def answer(
    state: BaselineState, runtime: Runtime[Context], *, model_for: ModelFor, search: Search, tables_alone: bool
) -> dict[str, Any]:
    """Retrieve once and ask once."""
    context = context_of(runtime, Context)
    if tables_alone:
        context = context.model_copy(update={"text_retrieval": False})
    model, question = model_for(context), begun(state)
    chunks, _ = search(question, context, "")
    thought = model.answer_from(question, chunks)
    update: dict[str, Any] = answered(thought.value.answer, thought.value.explanation)
    step = {"iteration": 1, "subquery": question, "chunks": [f"{c.source}, {c.locator}" for c in chunks]}
    update |= {"usage": cost(state, thought.usage), "model": model.name, "iterations": 1, "steps": [step]}
    return update | {"documents": sources_of(chunks)}


def wired(
    tools: BaselineTools | None, *, tables_alone: bool
) -> StateGraph[BaselineState, Context, BaselineInput, BaselineState]:
    """Wire the graph, over tables and texts or over tables alone."""
    tools = tools or Deployment()
    node = partial(answer, model_for=tools.model_for, search=tools.search, tables_alone=tables_alone)
    made = StateGraph(BaselineState, context_schema=Context, input_schema=BaselineInput)
    made.add_node("answer", node)
    made.add_edge(START, "answer")
    made.add_edge("answer", END)
    return made


def build(tools: BaselineTools | None = None) -> StateGraph[BaselineState, Context, BaselineInput, BaselineState]:
    """Wire the graph."""
    return wired(tools, tables_alone=False)


graph = build().compile(name="naive_rag")
