"""Baselines that ask once about one whole document: document_direct, document_cot and document_eedp."""

from functools import partial
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.model.baseline import Strategy
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import chunks_of
from tablerag.graphs.baselines.document import DocumentState, after_read, read
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost
from tablerag.graphs.hd_rag_deployment import DocumentModelFor, DocumentTools, HdRagDeployment

__all__ = ["wired"]


def answer(
    state: DocumentState, runtime: Runtime[HdRagContext], *, model_for: DocumentModelFor, strategy: Strategy
) -> dict[str, Any]:
    """Ask once, by one strategy."""
    model = model_for(context_of(runtime, HdRagContext))
    thought = model.answer_document(begun(state), chunks_of(state["passages"]), strategy)
    update = answered(thought.value.answer, thought.value.explanation)
    return update | {"usage": cost(state, thought.usage), "model": model.name, "iterations": 1}


def wired(
    strategy: Strategy, tools: DocumentTools | None = None
) -> StateGraph[DocumentState, HdRagContext, BaselineInput, BaselineState]:
    """Wire the graph of one strategy."""
    tools = tools or HdRagDeployment()
    made = StateGraph(
        DocumentState, context_schema=HdRagContext, input_schema=BaselineInput, output_schema=BaselineState
    )
    made.add_node("read", partial(read, find=tools.find, read=tools.read))
    made.add_node("answer", partial(answer, model_for=tools.model_for, strategy=strategy))
    made.add_edge(START, "read")
    made.add_conditional_edges("read", after_read, {"answer": "answer", "__end__": END})
    made.add_edge("answer", END)
    return made
