"""What langgraph.json serves: a factory per graph, which checks the fields of a run's context.

The server drops unknown fields before the run begins, so that the graphs themselves never see them.

MCP clients get TableRAG's graph with the answer alone as its output: the server writes a graph's whole output into a
tool's result, which a model then reads, and steps, rows and messages would be many times as long as the answer.
"""

from collections.abc import Callable
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.pregel import Pregel
from langgraph_sdk.runtime import ServerRuntime

from tablerag.agent.context import Context
from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.run_context import RunContext, check_fields
from tablerag.agent.state import AnswerState
from tablerag.graphs import hd_rag as hd_rag_graph
from tablerag.graphs import tablerag as tablerag_graph

__all__ = ["checked", "hd_rag", "tablerag"]

MCP_HEADER = "mcp-protocol-version"
"""A header that every MCP client sends; langgraph.json has it copied into the run's configuration."""
ANSWER_ONLY = (
    tablerag_graph.build(output_schema=AnswerState)
    .compile(name="tablerag")
    .with_config(recursion_limit=tablerag_graph.RECURSION_LIMIT)
)


def tablerag(config: RunnableConfig, runtime: ServerRuntime) -> Pregel:
    """Return the graph for one request; raise ConfigError for an unknown context field."""
    _check_context(Context, runtime)
    return ANSWER_ONLY if config.get("configurable", {}).get(MCP_HEADER) else tablerag_graph.graph


def checked(
    graph: Pregel[Any, Any, Any, Any], kind: type[RunContext]
) -> Callable[[ServerRuntime], Pregel[Any, Any, Any, Any]]:
    """Return the factory of a graph; it raises ConfigError for an unknown context field."""

    def served(runtime: ServerRuntime) -> Pregel[Any, Any, Any, Any]:
        _check_context(kind, runtime)
        return graph

    return served


def _check_context(kind: type[RunContext], runtime: ServerRuntime) -> None:
    run = runtime.execution_runtime
    if run is not None and isinstance(run.context, dict):
        check_fields(kind, run.context)


hd_rag = checked(hd_rag_graph.graph, HdRagContext)
