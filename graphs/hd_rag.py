"""The HD-RAG graph (arXiv 2504.09554): find documents, select one, RECAP, compute."""

from functools import partial

from langgraph.graph import END, START, StateGraph

from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.agent.hd_rag.nodes.answer import answer
from tablerag.agent.hd_rag.nodes.find_documents import find_documents
from tablerag.agent.hd_rag.nodes.recap import recap
from tablerag.agent.hd_rag.nodes.select_document import select_document
from tablerag.agent.hd_rag.ports import HdRagTools
from tablerag.agent.hd_rag.routes import after_find_documents, after_select_document
from tablerag.agent.hd_rag.state import HdRagInput, HdRagOutput, HdRagState
from tablerag.graphs.hd_rag_deployment import HdRagDeployment
from tablerag.tools.calculator import calculate

__all__ = ["build", "graph"]


def build(tools: HdRagTools | None = None) -> StateGraph[HdRagState, HdRagContext, HdRagInput, HdRagOutput]:
    """Wire the graph to its tools, by default those over the environment's stores."""
    tools = tools or HdRagDeployment()
    thinks = tools.reasoner_for
    wired = StateGraph(HdRagState, context_schema=HdRagContext, input_schema=HdRagInput, output_schema=HdRagOutput)
    wired.add_node("find_documents", partial(find_documents, reasoner_for=thinks, find=tools.find, unseen=tools.unseen))
    wired.add_node("select_document", partial(select_document, reasoner_for=thinks, read=tools.read))
    wired.add_node("recap", partial(recap, reasoner_for=thinks, read=tools.read))
    wired.add_node("answer", partial(answer, calculate=calculate))
    wired.add_edge(START, "find_documents")
    wired.add_conditional_edges("find_documents", after_find_documents)
    wired.add_conditional_edges("select_document", after_select_document)
    wired.add_edge("recap", "answer")
    wired.add_edge("answer", END)
    return wired


graph = build().compile(name="hd_rag")
