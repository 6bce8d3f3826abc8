"""What langgraph.json serves: the graph, and for MCP clients the same with the answer alone as its output.

The server writes all of a graph's output into a tool's result, which a model then reads: the steps, the rows and the
conversation would be many times the answer.
"""

from langchain_core.runnables import RunnableConfig
from langgraph.pregel import Pregel
from langgraph_sdk.runtime import ServerRuntime

from tablerag.agent.context import Context
from tablerag.agent.run_context import check_fields
from tablerag.agent.state import AnswerState
from tablerag.graphs.tablerag import RECURSION_LIMIT, build, graph

__all__ = ["tablerag"]

MCP_HEADER = "mcp-protocol-version"
"""What every MCP client sends; langgraph.json has it copied into the run's configuration."""
ANSWERING = build(output_schema=AnswerState).compile(name="tablerag").with_config(recursion_limit=RECURSION_LIMIT)


def tablerag(config: RunnableConfig, runtime: ServerRuntime) -> Pregel:
    """Return the graph for one request; raise ConfigError for an unknown context field.

    The server drops such fields before the run begins, so that the graph itself never sees them.
    """
    run = runtime.execution_runtime
    if run is not None and isinstance(run.context, dict):
        check_fields(Context, run.context)
    return ANSWERING if config.get("configurable", {}).get(MCP_HEADER) else graph
