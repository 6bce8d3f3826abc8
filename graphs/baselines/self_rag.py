"""self_rag: the model decides whether to retrieve, drafts an answer for each chunk, and judges its own drafts.

Self-RAG (arXiv 2310.11511) trains reflection tokens into a model; here a prompt asks any model for the same judgements.
The best draft is chosen by the paper's weights.
"""

from functools import partial
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.context import Context
from tablerag.agent.model.baseline import Draft
from tablerag.agent.ports import BaselineTools, ModelFor, Search
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import chunks_of, dump
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost, sources_of
from tablerag.graphs.deployment import Deployment

__all__ = ["build", "graph", "merit"]

RELEVANT, SUPPORTED, USEFUL = 1.0, 1.0, 0.5
"""Weights of the judgements (section 4.2 of the paper)."""
SUPPORT = {"fully": 1.0, "partially": 0.5, "no": 0.0}
MOST_USEFUL = 5


class State(BaselineState):
    """What the nodes share."""

    chunks: list[dict[str, Any]]


def decide(state: State, runtime: Runtime[Context], *, model_for: ModelFor) -> dict[str, Any]:
    """Ask whether documents are needed; without need, the model's own answer ends the run."""
    model = model_for(context_of(runtime, Context))
    thought = model.decide_retrieval(begun(state))
    update = {"usage": cost(state, thought.usage), "model": model.name, "iterations": 0, "steps": [], "stopped_by": ""}
    if thought.value is None:
        return update | {"documents": []}
    return update | answered(thought.value.answer, thought.value.explanation)


def retrieve(state: State, runtime: Runtime[Context], *, search: Search) -> dict[str, Any]:
    """Retrieve once."""
    chunks, _ = search(begun(state), context_of(runtime, Context), "")
    ended = {} if chunks else answered("", "nothing found")
    return ended | {"chunks": dump(chunks), "documents": sources_of(chunks)}


def draft(state: State, runtime: Runtime[Context], *, model_for: ModelFor) -> dict[str, Any]:
    """Answer from the next chunk alone, and judge that answer."""
    place = state["iterations"]
    chunk = chunks_of(state["chunks"])[place]
    thought = model_for(context_of(runtime, Context)).draft(begun(state), chunk)
    made = thought.value
    step = {"iteration": place + 1, "chunk": f"{chunk.source}, {chunk.locator}", "answer": made.answer}
    step |= {"relevant": made.relevant, "support": made.support, "useful": made.useful, "merit": merit(made)}
    return {"iterations": place + 1, "steps": [*state["steps"], step], "usage": cost(state, thought.usage)}


def merit(made: Draft) -> float:
    """Return how good a draft is by its own judgements; 0 without an answer, or from a chunk that is not relevant."""
    if not made.answer or not made.relevant:
        return 0.0
    return RELEVANT + SUPPORTED * SUPPORT[made.support] + USEFUL * (made.useful - 1) / (MOST_USEFUL - 1)


def choose(state: State) -> dict[str, Any]:
    """End with the best draft, or none."""
    best = max(state["steps"], key=lambda s: s["merit"])  # the first of several: the chunk that was ranked higher
    return answered(best["answer"] if best["merit"] else "", f"drafted from {best['chunk']}")


def after_decide(state: State) -> Literal["retrieve", "__end__"]:
    """Retrieve, or end."""
    return "__end__" if state["stopped_by"] else "retrieve"


def after_draft(state: State) -> Literal["draft", "choose", "__end__"]:
    """Draft from every chunk."""
    if state["stopped_by"]:
        return "__end__"
    return "draft" if state["iterations"] < len(state["chunks"]) else "choose"


def build(tools: BaselineTools | None = None) -> StateGraph[State, Context, BaselineInput, BaselineState]:
    """Wire the graph."""
    tools = tools or Deployment()
    wired = StateGraph(State, context_schema=Context, input_schema=BaselineInput, output_schema=BaselineState)
    wired.add_node("decide", partial(decide, model_for=tools.model_for))
    wired.add_node("retrieve", partial(retrieve, search=tools.search))
    wired.add_node("draft", partial(draft, model_for=tools.model_for))
    wired.add_node("choose", choose)
    wired.add_edge(START, "decide")
    wired.add_conditional_edges("decide", after_decide, {"retrieve": "retrieve", "__end__": END})
    wired.add_conditional_edges("retrieve", after_draft, {"draft": "draft", "choose": "choose", "__end__": END})
    wired.add_conditional_edges("draft", after_draft, {"draft": "draft", "choose": "choose", "__end__": END})
    wired.add_edge("choose", END)
    return wired


graph = build().compile(name="self_rag")
