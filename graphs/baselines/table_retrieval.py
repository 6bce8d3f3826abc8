"""table_retrieval: one answer from the best matching tables, without text (a baseline of HD-RAG, arXiv 2504.09554)."""

from functools import partial
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.context import Context
from tablerag.agent.ports import BaselineTools, ModelFor, Search
from tablerag.agent.run_context import context_of
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost, sources_of
from tablerag.graphs.deployment import Deployment

__all__ = ["build", "graph"]


def answer(state: BaselineState, runtime: Runtime[Context], *, model_for: ModelFor, search: Search) -> dict[str, Any]:
    """Retrieve tables once and ask once."""
    context = context_of(runtime, Context).model_copy(update={"text_retrieval": False})
    model, question = model_for(context), begun(state)
    chunks, _ = search(question, context, "")
    update = {"documents": sources_of(chunks), "model": model.name, "iterations": 1}
    if not chunks:
        return update | answered("", "no table found")
    thought = model.answer_from(question, chunks)
    step = {"iteration": 1, "subquery": question, "chunks": [f"{c.source}, {c.locator}" for c in chunks]}
    update |= answered(thought.value.answer, thought.value.explanation)
    return update | {"usage": cost(state, thought.usage), "steps": [step]}


def build(tools: BaselineTools | None = None) -> StateGraph[BaselineState, Context, BaselineInput, BaselineState]:
    """Wire the graph."""
    tools = tools or Deployment()
    wired = StateGraph(BaselineState, context_schema=Context, input_schema=BaselineInput)
    wired.add_node("answer", partial(answer, model_for=tools.model_for, search=tools.search))
    wired.add_edge(START, "answer")
    wired.add_edge("answer", END)
    return wired


graph = build().compile(name="table_retrieval")
