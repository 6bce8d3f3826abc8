"""table_retrieval: naive_rag over tables alone (a baseline of HD-RAG, arXiv 2504.09554)."""

from langgraph.graph import StateGraph

from tablerag.agent.context import Context
from tablerag.agent.ports import BaselineTools
from tablerag.graphs.baselines.naive_rag import wired
from tablerag.graphs.baselines.state import BaselineInput, BaselineState

__all__ = ["build", "graph"]


def build(tools: BaselineTools | None = None) -> StateGraph[BaselineState, Context, BaselineInput, BaselineState]:
    """Wire the graph."""
    return wired(tools, tables_alone=True)


graph = build().compile(name="table_retrieval")
