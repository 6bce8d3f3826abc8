"""The TableRAG graph (arXiv 2506.10380, section 3.3): decompose, retrieve, SQL, cross-validate, repeat."""

from functools import partial
from typing import TYPE_CHECKING, Any

from langgraph.graph import START, StateGraph

from tablerag.agent.budget import within_budget
from tablerag.agent.context import Context
from tablerag.agent.nodes.approve import approve
from tablerag.agent.nodes.ask_back import ask_back
from tablerag.agent.nodes.confirm import confirm
from tablerag.agent.nodes.cross_validate import cross_validate
from tablerag.agent.nodes.decompose import decompose
from tablerag.agent.nodes.execute import execute
from tablerag.agent.nodes.finish import finish
from tablerag.agent.nodes.nl2sql import nl2sql
from tablerag.agent.nodes.retrieve import retrieve
from tablerag.agent.nodes.understand import understand
from tablerag.agent.ports import ReasonerFor, Tools
from tablerag.agent.reasoners import with_schema_only
from tablerag.agent.routes import (
    after_approve,
    after_ask_back,
    after_confirm,
    after_cross_validate,
    after_decompose,
    after_execute,
    after_finish,
    after_nl2sql,
    after_retrieve,
    after_understand,
)
from tablerag.agent.state import AnswerState, InputState, OutputState, State
from tablerag.graphs.deployment import Deployment
from tablerag.tools.calculator import calculate
from tablerag.tools.errors import ConfigError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.store.base import BaseStore

__all__ = ["RECURSION_LIMIT", "build", "build_graph", "graph"]

RECURSION_LIMIT = 1 + 5 * (8 + 2 * 3) + 1 + 4 + 1
"""Understand, five iterations of eight nodes (a bridge retrieves twice) and two repairs of three nodes each, finish,
a correction (confirm, execute, cross-validate, finish), and one in reserve."""


def build(
    tools: Tools | None = None,
    reasoner_for: ReasonerFor | None = None,
    output_schema: type[AnswerState] = OutputState,
) -> StateGraph[Any, Any, Any, Any]:
    """Wire the graph to its tools, by default the environment's; ``reasoner_for`` replaces theirs."""
    tools = tools or Deployment()
    thinks = with_schema_only(reasoner_for or tools.reasoner_for)
    wired = StateGraph(State, context_schema=Context, input_schema=InputState, output_schema=output_schema)
    about = {"contents": tools.contents, "overview": tools.overview, "hints": tools.hints}
    wired.add_node("understand", partial(understand, reasoner_for=thinks, **about))
    linking = {"hints": tools.hints, "joins": tools.joins}
    known = {"mentions": tools.mentions, "confirmed": tools.confirmed}
    opening = {"overview": tools.overview, "extracts": tools.extracts, "other_tables": tools.other_tables, **known}
    wired.add_node("decompose", partial(within_budget(decompose), reasoner_for=thinks, **opening, **linking))
    finding = {"search": tools.search, "hints": tools.hints, "extracts": tools.extracts}
    wired.add_node("retrieve", partial(retrieve, **finding))
    writing = {"reasoner_for": thinks, "unmentioned": tools.unmentioned, "other_tables": tools.other_tables}
    wired.add_node("nl2sql", partial(within_budget(nl2sql), **writing, **known, **linking))
    wired.add_node("approve", approve)
    checking = {"run_sql": tools.run_sql, "doubts": tools.doubts, "alternatives": tools.alternatives}
    wired.add_node("execute", partial(execute, **checking))
    judging = {"reasoner_for": thinks, "calculate": calculate, "joins": tools.joins}
    wired.add_node("cross_validate", partial(within_budget(cross_validate), **judging))
    wired.add_node("ask_back", ask_back)
    notes = {"left_out": tools.left_out, "unread": tools.unread}
    wired.add_node("finish", partial(within_budget(finish), reasoner_for=thinks, **notes))
    wired.add_node("confirm", partial(confirm, keep=tools.keep))
    wired.add_edge(START, "understand")
    wired.add_conditional_edges("understand", after_understand)
    wired.add_conditional_edges("decompose", after_decompose)
    wired.add_conditional_edges("retrieve", after_retrieve)
    wired.add_conditional_edges("nl2sql", after_nl2sql)
    wired.add_conditional_edges("approve", after_approve)
    wired.add_conditional_edges("execute", after_execute)
    wired.add_conditional_edges("cross_validate", after_cross_validate)
    wired.add_conditional_edges("ask_back", after_ask_back)
    wired.add_conditional_edges("finish", after_finish)
    wired.add_conditional_edges("confirm", after_confirm)
    return wired


def build_graph(
    tools: Tools | None = None,
    *,
    model: "str | BaseChatModel" = "",
    checkpointer: "BaseCheckpointSaver[Any] | None" = None,
    store: "BaseStore | None" = None,
) -> "CompiledStateGraph[Any, Any, Any, Any]":
    """Compile the graph with a checkpointer, a chat model or tools of your own.

    Without ``tools`` it uses the environment's stores (``TABLERAG_HOME`` and others), opened at the first question.
    ``model`` is a name (``PROVIDER:NAME`` or ``offline``) or any LangChain chat model, for runs whose context names
    none; ``tools`` have a ``reasoner_for`` of their own. Raises ConfigError if both are given.

    >>> from langgraph.checkpoint.memory import InMemorySaver
    >>> graph = build_graph(model="offline", checkpointer=InMemorySaver())
    >>> graph.name
    'tablerag'
    """
    if tools is not None and model:
        raise ConfigError("build_graph() takes tools or model, not both: tools have their own reasoner_for")
    wired = build(tools or Deployment(model=model))
    compiled = wired.compile(checkpointer=checkpointer, store=store, name="tablerag")
    return compiled.with_config(recursion_limit=RECURSION_LIMIT)


graph = build_graph()
