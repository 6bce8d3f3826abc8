"""document_pot: the model reads one whole document and writes Python that computes the answer (arXiv 2211.12588).

Unlike program_of_thought, it sees text and tables, and copies the figures into the program.
"""

from functools import partial
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.model.baseline import ProgramAttempt
from tablerag.agent.reasoning import CannotAnswer
from tablerag.agent.run_context import context_of
from tablerag.agent.serialization import chunks_of
from tablerag.graphs.baselines.document import DocumentState, after_read, read
from tablerag.graphs.baselines.program_of_thought import AS_LIST
from tablerag.graphs.baselines.state import BaselineInput, BaselineState, answered, begun, cost
from tablerag.graphs.hd_rag_deployment import DocumentModelFor, DocumentTools, HdRagDeployment, RunPython
from tablerag.tools.errors import ProgramFailed

__all__ = ["build", "graph"]

MOST_REPAIRS = 2


def write(state: DocumentState, runtime: Runtime[HdRagContext], *, model_for: DocumentModelFor) -> dict[str, Any]:
    """Ask for a program; a refusal ends the run."""
    model = model_for(context_of(runtime, HdRagContext))
    attempts = [ProgramAttempt(**a) for a in state["attempts"]]
    thought = model.write_document_program(begun(state), chunks_of(state["passages"]), attempts)
    update = {"usage": cost(state, thought.usage), "model": model.name, "iterations": state["iterations"] + 1}
    if isinstance(thought.value, CannotAnswer):
        return update | answered("", thought.value.reason)
    return update | {"program": thought.value.code}


def execute(state: DocumentState, *, run_python: RunPython) -> dict[str, Any]:
    """Run the program; return a failed one with the reason, until the repairs are used up."""
    code = state["program"]
    try:
        values = run_python(f"{code}\n{AS_LIST}")
    except ProgramFailed as problem:
        attempts = [*state["attempts"], {"code": code, "error": str(problem)}]
        ended = answered("", str(problem)) if len(attempts) > MOST_REPAIRS else {}
        return ended | {"attempts": attempts}
    step = {"iteration": state["iterations"], "program": code, "values": values}
    return answered("; ".join(values)) | {"steps": [step]}


def after_write(state: DocumentState) -> Literal["execute", "__end__"]:
    """Run the program."""
    return "__end__" if state["stopped_by"] else "execute"


def after_execute(state: DocumentState) -> Literal["answer", "__end__"]:
    """Have a program that failed repaired."""
    return "__end__" if state["stopped_by"] else "answer"


def build(
    tools: DocumentTools | None = None,
) -> StateGraph[DocumentState, HdRagContext, BaselineInput, BaselineState]:
    """Wire the graph."""
    tools = tools or HdRagDeployment()
    wired = StateGraph(
        DocumentState, context_schema=HdRagContext, input_schema=BaselineInput, output_schema=BaselineState
    )
    wired.add_node("read", partial(read, find=tools.find, read=tools.read))
    wired.add_node("answer", partial(write, model_for=tools.model_for))
    wired.add_node("execute", partial(execute, run_python=tools.run_python))
    wired.add_edge(START, "read")
    wired.add_conditional_edges("read", after_read, {"answer": "answer", "__end__": END})
    wired.add_conditional_edges("answer", after_write, {"execute": "execute", "__end__": END})
    wired.add_conditional_edges("execute", after_execute, {"answer": "answer", "__end__": END})
    return wired


graph = build().compile(name="document_pot")
