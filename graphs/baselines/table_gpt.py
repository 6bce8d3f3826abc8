"""table_gpt: a model that was trained on tables reads the best matching ones as CSV and answers at once, without text.

The model is that of the settings, such as TableGPT2 (arXiv 2411.02059) behind an OpenAI-compatible endpoint.
"""

from functools import partial
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.context import Context
from tablerag.agent.ports import BaselineTools, ModelFor, RunSql, Search
from tablerag.agent.run_context import context_of
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost
from tablerag.graphs.deployment import Deployment

__all__ = ["build", "graph"]


def answer(
    state: BaselineState, runtime: Runtime[Context], *, model_for: ModelFor, search: Search, run_sql: RunSql
) -> dict[str, Any]:
    """Retrieve tables once, read them up to the limit of rows, and ask once."""
    context = context_of(runtime, Context).model_copy(update={"text_retrieval": False})
    model, question = model_for(context), begun(state)
    _, schemas = search(question, context, "")
    if not schemas:
        return answered("", "no table found") | {"model": model.name, "iterations": 0}
    tables = [(schema, run_sql(f"SELECT * FROM `{schema.name}`", [schema])[0]) for schema in schemas]
    thought = model.answer_from_tables(question, tables)
    update = answered(thought.value.answer, thought.value.explanation)
    step = {"iteration": 1, "subquery": question, "tables": [schema.name for schema in schemas]}
    return update | {"usage": cost(state, thought.usage), "model": model.name, "iterations": 1, "steps": [step]}


def build(tools: BaselineTools | None = None) -> StateGraph[BaselineState, Context, BaselineInput, BaselineState]:
    """Wire the graph."""
    tools = tools or Deployment()
    wired = StateGraph(BaselineState, context_schema=Context, input_schema=BaselineInput)
    asks = {"model_for": tools.model_for, "search": tools.search, "run_sql": tools.run_sql}
    wired.add_node("answer", partial(answer, **asks))
    wired.add_edge(START, "answer")
    wired.add_edge("answer", END)
    return wired


graph = build().compile(name="table_gpt")
